/* SPDX-License-Identifier: MIT
 *
 * What there is to be counted with three columns between the outer ones (outer_pairs.h). It depends
 * on little of them, so that most of it is the same for several: the tasks are kept, each once,
 * with how often it is to be done, and done when there are many. Must not know: games.
 */
#ifndef PLB_TABLES_OUTER_TASKS_H
#define PLB_TABLES_OUTER_TASKS_H

#include <signal.h>

#include "tables/column_lines.h"
#include "tables/outer_pairs.h"
#include "tables/row_set.h"

/* Three columns between the outer ones. */
typedef struct plb_outer_three {
    uint32_t class;                     /* of them */
    uint32_t before[PLB_OUTER_BETWEEN]; /* without the top stone of one; dead if it has none */
    uint8_t x[PLB_OUTER_BETWEEN];       /* colour of that stone */
    int8_t balance;                     /* x less o */
    plb_lines lines[2]; /* with stones of all three, by colour, in rows of the third one */
    plb_lines top[PLB_OUTER_BETWEEN]; /* through the top stone of each, likewise */
    plb_pair_sums *sums;              /* to be added to */
} plb_outer_three;

/* Tasks that wait. One thread. */
typedef struct plb_outer_tasks {
    const plb_outer_columns *outer;
    bool open_only;                    /* `ends` are not wanted */
    plb_vectors vectors;               /* that the processor has */
    const volatile sig_atomic_t *stop; /* what waits need not be done any more; may be NULL */
    plb_row_set tasks;
    uint32_t *times; /* of each */
} plb_outer_tasks;

/* None that wait. Errors: PLB_ENOMEM; to be freed in any case. */
int plb_outer_tasks_open(const plb_outer_columns *outer, bool open_only, plb_vectors vectors,
                         const volatile sig_atomic_t *stop, plb_outer_tasks *tasks);
void plb_outer_tasks_free(plb_outer_tasks *tasks);

/* Count three columns, so many times: at most PLB_OUTER_MOST_TIMES / 2. */
void plb_outer_tasks_add(plb_outer_tasks *tasks, const plb_outer_three *three, uint32_t times);

/* Do those that wait. */
void plb_outer_tasks_flush(plb_outer_tasks *tasks);

#endif
