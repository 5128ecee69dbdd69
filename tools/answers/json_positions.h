/* SPDX-License-Identifier: MIT
 *
 * Answers about positions as JSON, with the keys that all commands with --json and the service use.
 *
 *     position, ply, to_move   a board as text, its number of stones, `x` or `o`
 *     value, dtm_plies         for the player to move; of a move: for the player who makes it
 *     moves                    best first, each with its cell and the position after it
 *     group                    cells of all complete groups; empty before the end of the game
 *     winner                   `x`, `o`, or null for neither
 *     resistance               of a best move, on request: replies, mistakes among them, a share
 *     bound                    `at least` or `at most`, if a strategy knows only a bound
 *
 * Distances are in plies to the end of the game. Counts of positions are strings (put_count).
 * Unknown or missing values are null.
 * Each function writes members of an object that its caller opens and closes:
 *
 *     json_writer w = begin_json_object();
 *     put_position(&w, table, x, o, &found);
 *     print_json_object(&w);
 *
 * Threads: any number. Uses only the public header. Must not know: how the answer was found.
 */
#pragma once

#include "probe/plybase.h"
#include "tools/answers/json_writer.h"

/* A line from a position to the end of the game. */
typedef struct played_line {
    uint64_t x, o;             /* first position */
    plb_value value;           /* its value */
    plb_line played;           /* the moves */
    plb_state begin, end;      /* states of the first and the last position */
    bool incomplete;           /* the time was over before the end of the game */
    uint64_t final_x, final_o; /* last position */
} played_line;

/* Play the moves, and set begin, end and the last position. Errors: those of plb_play. */
int play_line(const plb_table *table, played_line *line, plb_message *message);

/* The distance of the first position; PLB_NO_DTM: a draw, or the line is incomplete. */
int line_plies(const played_line *line);

/* Write a member: plies, or null for PLB_NO_DTM; a player, or null for 0; a board, or null for an
 * invalid position. */
void put_dtm(json_writer *to, const char *key, int dtm);
void put_player(json_writer *to, const char *key, char player);
void put_board(json_writer *to, const char *key, const plb_table *table, uint64_t x, uint64_t o);

/* The name of an error in plybase.h, such as "PLB_ECOUNTS"; NULL: there is no such error. */
const char *error_name(int error);

/* Write the answer of plb_probe, without moves. */
void put_probed(json_writer *to, const plb_table *table, uint64_t x, uint64_t o,
                const plb_answer *answer);

/* The plb_answer.bound of a position, which is 0 except in a strategy. */
int find_bound(const plb_table *table, uint64_t x, uint64_t o);

/* Write the answer of plb_analyse, of plb_find_resistance, and a line. */
void put_position(json_writer *to, const plb_table *table, uint64_t x, uint64_t o,
                  const plb_analysis *found);
void put_best(json_writer *to, const plb_table *table, uint64_t x, uint64_t o,
              const plb_resistance *found);
void put_line(json_writer *to, const plb_table *table, const played_line *line);

/* Write the moves of a game that begins at x and o, in `played`. */
void put_played(json_writer *to, const plb_table *table, uint64_t x, uint64_t o,
                const plb_line *played);

/* Write annotated moves, [count], in `played`, and the numbers of `mistakes` of x and of o. */
void put_annotations(json_writer *to, const plb_table *table, const plb_annotation *moves,
                     int count);
