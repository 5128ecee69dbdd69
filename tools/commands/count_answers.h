/* SPDX-License-Identifier: MIT
 *
 * A file in which `plybase count` keeps what it has counted, so that the same command goes on from
 * there: a line for each board, and for each part of one that is not done. Lines are added and
 * never changed:
 *
 *     board (version 1),column,least,most,given,x,counts,check
 *     connect-6x6-k4,2,2,6,2,1,0:0 0:0 ... 41250:1203,1f0e...
 *
 * column to x are the part's slice (tables/count/column_slice.h), counts are total:terminal of each
 * ply, check is the XXH3-64 of the line before it; the version is PLB_PARTS_VERSION. A last line
 * that was not written whole is dropped, which is said: its part is counted again.
 */
#ifndef PLB_TOOLS_COMMANDS_COUNT_ANSWERS_H
#define PLB_TOOLS_COMMANDS_COUNT_ANSWERS_H

#include "tables/count/position_count.h"

typedef struct count_answers count_answers;

/* Open a file, which need not be there; NULL after a complaint: it is no such file, or damaged, or
 * another process uses it, or the system refuses. Close accepts NULL. */
count_answers *open_count_answers(const char *path);
void close_count_answers(count_answers *answers);

/* Keep parts of a board, until the next board is named. What cannot be written is PLB_EIO, after a
 * complaint, and nothing is written from then on. */
const plb_count_keeper *keep_answers_of(count_answers *answers, const plb_count_board *board);

#endif
