/* SPDX-License-Identifier: MIT
 *
 * The verifier: holds a finished table against everything else that is known of its game.
 *
 *     blocks     every block is there and as written; the counts of each ply are possible
 *     values     the value of a position, and in a table with distances its distance, follow from
 *                those of its children, by the rules; plies that are taken whole are counted and
 *                compared with the statistics
 *     searches   positions are solved again by forward search, which shares only the rules
 *     published  the value of the empty board and the number of positions, where a paper or
 *                another program has them
 *
 * Plies are taken from the last one down, so that what a value follows from was looked at before.
 * It stops at the first thing that is wrong. Must not know: how tables are built.
 */
#ifndef PLB_TOOLS_VERIFIER_H
#define PLB_TOOLS_VERIFIER_H

#include <signal.h>

#include "tables/scale.h"

typedef enum plb_verify_phase {
    PLB_VERIFY_BLOCKS,
    PLB_VERIFY_VALUES,
    PLB_VERIFY_SEARCHES,
} plb_verify_phase;

typedef struct plb_verify_progress {
    plb_verify_phase phase;
    int ply;
    bool ply_done;
    uint64_t done, total; /* segments, places of the index or positions of the ply */
} plb_verify_progress;

typedef struct plb_verify_options {
    bool all;                          /* take every ply whole; otherwise only small ones */
    uint64_t samples;                  /* positions of a ply that must follow from their children */
    uint64_t searches;                 /* positions of a ply to be searched */
    uint64_t search_nodes;             /* budget of each; 0: no limit */
    size_t search_bytes;               /* table of known positions, for each thread */
    uint64_t seed;                     /* of the samples */
    int threads;                       /* at least 1 */
    const volatile sig_atomic_t *stop; /* set it to interrupt; NULL: never */
    void (*report)(void *context, const plb_verify_progress *progress); /* NULL: nobody listens; */
    void *context;                                                      /* one thread at a time */
} plb_verify_options;

/* What was wrong. */
typedef enum plb_verify_kind {
    PLB_VERIFY_GOOD,
    PLB_VERIFY_DAMAGE,    /* a record is missing or not as written */
    PLB_VERIFY_COUNTS,    /* the statistics of a ply */
    PLB_VERIFY_CHILDREN,  /* a value or distance does not follow from the children */
    PLB_VERIFY_SEARCH,    /* a value or distance is not what forward search proves */
    PLB_VERIFY_PUBLISHED, /* an outcome is not the published one */
} plb_verify_kind;

/* The name of a kind, for programs: "good", "damage" and so on. Static storage. */
const char *plb_verify_kind_text(plb_verify_kind kind);

typedef struct plb_verify_finding {
    plb_verify_kind kind;
    plb_message message;           /* one sentence with all of it */
    int ply;                       /* -1 where it is about no ply */
    char position[PLB_BOARD_TEXT]; /* a board, or "" where it is about none */
    plb_outcome stored, expected;  /* only with a position, and not for damage; without a distance
                                      where none is stored, or none known */
} plb_verify_finding;

typedef struct plb_verify_ply {
    uint64_t blocks;   /* read and as written */
    uint64_t checked;  /* positions, symmetric ones once, whose values follow from the children */
    bool whole;        /* these were all, and the statistics are right */
    uint64_t proved;   /* positions of which a search proved all that the table says */
    uint64_t unproved; /* searches that ran out of nodes */
} plb_verify_ply;

typedef struct plb_verify_report {
    char spec[PLB_SPEC_TEXT];
    plb_values values;
    int plies; /* 0 if the table could not even be opened */
    plb_verify_ply ply[PLB_MAX_CELLS + 1];
    plb_outcome empty_board;     /* for the first player */
    const char *published_value; /* where that is published; NULL if not compared */
    const char *published_total; /* the same for the number of positions */
    plb_verify_finding finding;
} plb_verify_report;

/* Verify a table.
 *
 * report  [out]  written in any case, as far as it went
 *
 * Errors: PLB_ECORRUPT: report->finding tells what is wrong; those of plb_open: it is no finished
 *         table; PLB_EINTERRUPTED; PLB_ENOMEM.
 * Cost:   reads the whole file; with `all` every place of the index, about a microsecond each. */
int plb_verify_table(const char *path, const plb_verify_options *options, plb_verify_report *report,
                     plb_message *message);

#endif
