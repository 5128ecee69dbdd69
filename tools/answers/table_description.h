/* SPDX-License-Identifier: MIT
 *
 * A table for those who have never seen its game: what table_answers.h says of it, and its pieces
 * and its rules in sentences.
 */
#ifndef PLB_TOOLS_ANSWERS_TABLE_DESCRIPTION_H
#define PLB_TOOLS_ANSWERS_TABLE_DESCRIPTION_H

#include "probe/plybase.h"
#include "tools/answers/json_writer.h"

/* Write members of an object; first_player: the value of the empty board. Threads: any number. */
void put_description(json_writer *to, const plb_table *table, plb_value first_player);

/* The members of a list of tables, in short. */
void put_listed(json_writer *to, const plb_table_info *info, plb_value first_player);

#endif
