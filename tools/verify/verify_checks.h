/* SPDX-License-Identifier: MIT
 *
 * The checks of the verifier, and their shared state, errors and progress. Invariant: the first
 * error of any thread is kept in `error`, and all threads leave their loops.
 */
#pragma once

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
    plb_message *message;       /* or NULL */
    const plb_table *table;     /* values, as a user of the library gets them */
    const plb_table_file *file; /* its file, of which every block is read */
    const plb_game *game;
    plb_message rewritten;                     /* "", or which program has rewritten the file */
    bool whole[PLB_MAX_CELLS + 1];             /* [ply] every position is checked */
    XXH128_hash_t contents[PLB_MAX_CELLS + 1]; /* [ply] digest of its blocks */
    plb_threads threads;
    position_search *searches; /* [threads] */
    pthread_mutex_t lock;      /* guards the following fields, the message and the finding */
    _Atomic int error;         /* may be read without the lock */
    verify_progress progress;
} verifier;

/* ---- errors ---- */

/* Keep the first error, which stops all threads. finding: NULL if the table is not wrong. */
void verify_stop(verifier *v, int error, const plb_message *message, const verify_finding *finding);

/* Has an error or an interruption occurred? */
bool verify_is_stopped(verifier *v);

/* Stop because a call failed: out of memory, or the table is damaged. */
void verify_fail(verifier *v, int ply, int error, const plb_message *message);
void verify_fail_memory(verifier *v);

/* Stop because the statistics of a ply are wrong. */
void verify_report_counts(verifier *v, int ply, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Stop because the outcome of a position differs from the expected one. */
void verify_report_outcome(verifier *v, verify_kind kind, plb_position position, plb_outcome stored,
                           plb_outcome expected);

/* Stop because a probe of a position that can arise failed. */
void verify_report_no_answer(verifier *v, plb_position position, int error,
                             const plb_message *message);

/* Take the next item of [0, end); *next is shared by the threads. False: there is none left, or the
 * verification has stopped. */
bool verify_take(verifier *v, uint64_t *next, uint64_t end, uint64_t *item);

/* ---- progress ---- */

void verify_begin_ply(verifier *v, verify_phase phase, int ply, uint64_t total);
void verify_advance(verifier *v, uint64_t done); /* threads: safe */
void verify_end_ply(verifier *v);

/* ---- outcomes ---- */

static inline bool verify_is_same(plb_outcome a, plb_outcome b) {
    return a.value == b.value && a.dtm == b.dtm;
}

/* Probe a position; if that fails, stop. *outcome is written only on success. */
bool verify_probe(verifier *v, plb_position position, plb_outcome *outcome);

/* ---- the checks ---- */

void verify_blocks(verifier *v, int ply); /* every block of the ply is as written */
void verify_contents(verifier *v);        /* compute the digest of the contents */
void verify_begin_plies(verifier *v);     /* begin all plies of the enumeration of positions */
void verify_counts(verifier *v);          /* the counts of all plies are possible */
void verify_columns(verifier *v);         /* prove the automaton of columns that can arise */
void verify_exact_counts(verifier *v);    /* the counts are those of the board, counted exactly */
void verify_choose_plies(verifier *v);    /* choose the plies that are checked whole */
void verify_values(verifier *v, int ply); /* values follow from those of the children */
void verify_set_chances(verifier *v);     /* compute the chances of finding an error */

/* Searches are opened once for all plies. Close accepts searches that were not opened. */
void verify_open_searches(verifier *v);
void verify_close_searches(verifier *v);
void verify_by_search(verifier *v, int ply);
