/* SPDX-License-Identifier: MIT
 *
 * Answers as lines, columns with tabs between them: what a batch of positions gives. Whether a line
 * could be written, its stream tells. Uses the public header alone.
 */
#ifndef PLB_TOOLS_ANSWERS_ANSWER_LINES_H
#define PLB_TOOLS_ANSWERS_ANSWER_LINES_H

#include <stdio.h>

#include "probe/plybase.h"

/* Columns of a line: value and distance, each with a tab after it, the distance as `-` where it is
 * PLB_NO_DTM; and moves with commas between them, or `-`, which end the line. */
void write_value_columns(FILE *to, plb_value value, int dtm);
void write_moves_column(FILE *to, const plb_move *moves, int count);

/* A position with its value and its best moves; and one that is refused. text: as it was given. */
void write_probed_line(FILE *to, const char *text, const plb_analysis *found);
void write_error_line(FILE *to, const char *text, const plb_message *message);

#endif
