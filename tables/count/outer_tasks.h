/* SPDX-License-Identifier: MIT
 *
 * What there is to be counted with three columns between the outer ones (outer_pair_counts.h). It
 * depends on little of them, so that most of it is the same for several: it is kept, each once,
 * with how often it is to be done, and done when there is much of it, or when threes of another
 * kind come. Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_OUTER_TASKS_H
#define PLB_TABLES_COUNT_OUTER_TASKS_H

#include <signal.h>

#include "tables/count/column_lines.h"
#include "tables/count/outer_pair_counts.h"
#include "tables/reach/tuple_set.h"

/* What threes have in common that are counted together. */
typedef struct plb_outer_kind {
    uint32_t class;         /* not the dead one */
    int balance;            /* x less o */
    plb_pair_sums *sums;    /* to be added to .. */
    plb_pair_sums *more[2]; /* .. and by the same with a stone more: it fills its column, or not */
} plb_outer_kind;

/* A stone more, on one of the three columns: it may be the last one. */
typedef struct plb_outer_next {
    bool is_there;   /* the column has room for it, and it makes no group there */
    bool fills;      /* the column */
    plb_lines lines; /* through it and stones of the other two, as those of the three */
} plb_outer_next;

/* Three columns between the outer ones. */
typedef struct plb_outer_three {
    plb_lines lines[2]; /* with stones of all three, by colour, in rows of the third one */
    plb_lines top[PLB_OUTER_BETWEEN];          /* through the top stone of each, likewise */
    uint32_t before[PLB_OUTER_BETWEEN];        /* class without it, where it is on a line */
    plb_outer_next next[PLB_OUTER_BETWEEN][2]; /* by colour */
} plb_outer_three;

/* Items with room for so many. */
typedef struct plb_outer_array {
    void *items;
    uint32_t room;
} plb_outer_array;

/* What waits: as much as there is memory for, and not more than pays. One thread. */
typedef struct plb_outer_tasks {
    const plb_outer_columns *outer;
    bool open_only;                    /* `ends` are not wanted: nor are lines, tops, next stones */
    plb_vectors vectors;               /* that the processor has */
    const volatile sig_atomic_t *stop; /* what waits need not be done any more; may be NULL */
    plb_outer_kind kind;
    uint32_t threes; /* that wait */
    /* of the class: */
    plb_tuple_set rows;        /* plb_outer_rows */
    plb_outer_array counts;    /* uint16_t: of these, see plb_outer_batch */
    uint32_t counted;          /* rows that have counts .. */
    uint32_t row_counts;       /* .. and how many each has */
    plb_tuple_set lines;       /* plb_outer_line */
    plb_outer_array line_uses; /* uint32_t [lines.count] */
    plb_outer_array uses;      /* plb_outer_use [use_count] */
    uint32_t use_count;
    /* of the kind: */
    plb_tuple_set sides;   /* two plb_outer_rows */
    plb_outer_array pairs; /* plb_outer_pair [sides.count] */
} plb_outer_tasks;

/* Nothing waits. To be freed. */
void plb_outer_tasks_open(const plb_outer_columns *outer, bool open_only, plb_vectors vectors,
                          const volatile sig_atomic_t *stop, plb_outer_tasks *tasks);
void plb_outer_tasks_free(plb_outer_tasks *tasks);

/* Of what kind threes are from now on. */
void plb_outer_tasks_begin(plb_outer_tasks *tasks, const plb_outer_kind *kind);

/* Count three columns, one time or two: open positions, and those whose last stone is on an outer
 * column or the next one of the three; and the repeats of lines. Errors: PLB_ENOMEM. */
int plb_outer_tasks_add(plb_outer_tasks *tasks, const plb_outer_three *three, uint32_t times);

/* Do what waits. */
void plb_outer_tasks_flush(plb_outer_tasks *tasks);

#endif
