/* SPDX-License-Identifier: MIT
 *
 * Numbers of positions as JSON, as json_answers.h has it. Every function returns a new reference,
 * or NULL when memory does not suffice. A number is an integer where 63 bits hold it, else a string
 * of its digits.
 */
#ifndef PLB_TOOLS_ANSWERS_JSON_COUNTS_H
#define PLB_TOOLS_ANSWERS_JSON_COUNTS_H

#include "tables/count/position_count.h"
#include "tools/answers/json_answers.h"

/* The counts of a board; published: as others have it, or 0. */
typedef struct counted_board {
    const char *spec;
    const plb_position_counts *counts;
    uint64_t published;
    double seconds; /* of processor time */
} counted_board;

/* With all plies, or the sums alone. */
json_t *json_of_counts(const counted_board *board, bool plies);

#endif
