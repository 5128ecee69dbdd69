/* SPDX-License-Identifier: MIT
 *
 * Whole answers as JSON objects, in one vocabulary: that of every command with --json, and of
 * whatever else gives answers to programs.
 *
 *     position, ply, to_move   a board as text, its number of stones, `x` or `o`
 *     value, dtm_plies         for the player to move; those of a move for the player who makes it
 *     moves                    best first, each with its cell and the position that it leads to
 *     group                    cells of the groups that are complete: none while the game goes on
 *     winner                   `x`, `o`, or null for nobody
 *     bound                    `at least` or `at most` where a strategy knows no more of the value
 *
 * Distances are in plies to the end of the game. What is not known, or does not exist, is null.
 *
 *     plb_analysis found;
 *     int error = plb_analyse(table, x, o, &found, &why);
 *     print_json_line(error ? json_of_error(text, error, &why)
 *                           : json_of_position(table, x, o, &found));
 *
 * Every function returns a new reference; NULL when memory does not suffice, and NULL may be handed
 * on. Threads: any number. Uses the public header alone. Must not know: how the answer was found.
 */
#ifndef PLB_TOOLS_ANSWERS_JSON_ANSWERS_H
#define PLB_TOOLS_ANSWERS_JSON_ANSWERS_H

#include <jansson.h>

#include "probe/plybase.h"

/* A line from a position to the end of the game. */
typedef struct played_line {
    uint64_t x, o;        /* where it begins, */
    plb_value value;      /* the value there, */
    plb_line played;      /* and what plb_find_line has found from there */
    plb_state begin, end; /* how the game stands where it begins, and at the end */
    bool incomplete;      /* it does not go to the end, for time was over */
    uint64_t final_x, final_o;
} played_line;

/* Play what was found: begin, end and the final position. Errors: those of plb_play. */
int play_line(const plb_table *table, played_line *line, plb_message *message);

/* Its distance: that of the position where it begins; PLB_NO_DTM: it is drawn, or incomplete. */
int line_plies(const played_line *line);

/* What plb_probe has found of a position: all but its moves. */
json_t *json_of_probed(const plb_table *table, uint64_t x, uint64_t o, const plb_answer *answer);

/* What plb_analyse, plb_find_best and a search for a line have found of a position. */
json_t *json_of_position(const plb_table *table, uint64_t x, uint64_t o, const plb_analysis *found);
json_t *json_of_best(const plb_table *table, uint64_t x, uint64_t o, const plb_best *found);
json_t *json_of_line(const plb_table *table, const played_line *line);

/* What a table is; first_player: the value of the empty board. */
json_t *json_of_info(const plb_table *table, plb_value first_player);

/* The counts of every ply, with its distances or null. */
json_t *json_of_stats(const plb_table *table);

/* An error for the text of a question, which may hold any bytes. */
json_t *json_of_error(const char *text, int error, const plb_message *message);

/* Parts of objects: plies, or null for PLB_NO_DTM; the player to move, or who has won, 0 for
 * nobody. */
json_t *json_of_dtm(int dtm);
json_t *json_of_player(char player);

/* A position as text; a cell as games without gravity write moves, such as b3. */
json_t *json_of_board(const plb_table *table, uint64_t x, uint64_t o);
json_t *json_of_cell(int column, int row);

/* Its name in plybase.h, such as "PLB_ECOUNTS"; NULL for a number that is none. */
const char *error_name(int error);

/* A JSON string of any bytes: what is not UTF-8 becomes `?`. */
json_t *json_of_text(const char *text);

/* Bits of the file per reachable position. */
double bits_per_position(const plb_table_info *info);

/* An object as one line with its end, of so many bytes; to be freed. The object, which may be NULL,
 * is given up. NULL when memory does not suffice. */
char *format_json_line(json_t *object, size_t *size);

/* Print an object as one line and give it up. */
void print_json_line(json_t *object);

#endif
