/* SPDX-License-Identifier: MIT
 *
 * The checks of the verifier, each of which looks at one ply at a time or at all, and what they
 * share: what they work on, what they find, how far they are. Invariant: the first thing that goes
 * wrong, in whatever thread, is kept in `error`, and all threads leave their loops.
 */
#ifndef PLB_TOOLS_VERIFY_VERIFY_CHECKS_H
#define PLB_TOOLS_VERIFY_VERIFY_CHECKS_H

#include <pthread.h>
#include <stdatomic.h>
#include <xxhash.h>

#include "probe/table.h"
#include "tables/threads.h"
#include "tools/search/position_search.h"
#include "tools/verify/verifier.h"

typedef struct verifier {
    const verify_options *options;
    verify_report *report;
    plb_message *message;
    const char *path;
    plb_table *table;                          /* values, as a user gets them */
    const plb_table_file *file;                /* where it has them from */
    const plb_game *game;                      /* of it */
    plb_message rewritten;                     /* by whom; "" if the pages are as they were made */
    bool whole[PLB_MAX_CELLS + 1];             /* plies of which every position is checked */
    XXH128_hash_t contents[PLB_MAX_CELLS + 1]; /* digest of what the blocks of a ply hold */
    plb_threads threads;
    position_search *searches; /* [threads] */
    pthread_mutex_t lock;      /* guards what follows, the message and the report's finding */
    _Atomic int error;         /* is read without it, too */
    verify_progress progress;
} verifier;

/* ---- what goes wrong ---- */

/* Keep what went wrong, if nothing has yet; finding: NULL if nothing is wrong with the table. */
void verify_stop(verifier *v, int error, const plb_message *message, const verify_finding *finding);

/* Has something gone wrong, or been interrupted? */
bool verify_is_stopped(verifier *v);

/* A call failed: for lack of memory, or because the table is damaged. */
void verify_fail(verifier *v, int ply, int error, const plb_message *message);
void verify_fail_memory(verifier *v);

/* The statistics of a ply are wrong. */
void verify_find_counts(verifier *v, int ply, const plb_message *message);

/* The table says something else of a position than what it is compared with. */
void verify_find_outcome(verifier *v, verify_kind kind, plb_position position, plb_outcome stored,
                         plb_outcome expected);

/* A position could not be answered though it can arise. */
void verify_find_no_answer(verifier *v, plb_position position, int error,
                           const plb_message *message);

/* The next of the items [0, end) that threads take one by one, *next being the first that none has
 * taken; false: there is none left, or something has gone wrong. */
bool verify_take(verifier *v, uint64_t *next, uint64_t end, uint64_t *item);

/* ---- how far it is ---- */

void verify_begin_ply(verifier *v, verify_phase phase, int ply, uint64_t total);
void verify_advance(verifier *v, uint64_t done); /* threads: safe */
void verify_end_ply(verifier *v);

/* ---- outcomes ---- */

static inline bool verify_is_same(plb_outcome a, plb_outcome b) {
    return a.value == b.value && a.dtm == b.dtm;
}

/* What the table says of a position, as plb_probe. */
static inline int verify_ask(const verifier *v, plb_position position, plb_answer *answer,
                             plb_message *message) {
    uint64_t x, o;
    plb_rules_to_words(v->game, position, &x, &o);
    return plb_probe(v->table, x, o, answer, message);
}

static inline plb_outcome verify_outcome(const plb_answer *answer) {
    return (plb_outcome){answer->value, answer->dtm};
}

/* ---- the checks ---- */

void verify_blocks(verifier *v, int ply); /* every block of the ply is there and as written */
void verify_contents(verifier *v);        /* the digest of what the blocks hold, and the counts */
void verify_begin_plies(verifier *v);     /* the enumeration of positions has all plies */
void verify_counts(verifier *v);          /* the counts of all plies are possible */
void verify_columns(verifier *v);         /* what says which columns can arise is proved */
void verify_exact_counts(verifier *v);    /* they are those of the board, counted exactly */
void verify_choose_plies(verifier *v);    /* which are checked whole */
void verify_values(verifier *v, int ply); /* values follow from those of the children */
void verify_find_chances(verifier *v);    /* of finding an error, by what was checked */

/* Searches are opened once, for all plies; close accepts what was not opened. */
void verify_open_searches(verifier *v);
void verify_close_searches(verifier *v);
void verify_by_search(verifier *v, int ply);

#endif
