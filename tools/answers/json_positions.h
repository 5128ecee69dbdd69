/* SPDX-License-Identifier: MIT
 *
 * Answers about positions as JSON, in the vocabulary of every command with --json and of the
 * service.
 *
 *     position, ply, to_move   a board as text, its number of stones, `x` or `o`
 *     value, dtm_plies         for the player to move; of a move: for the player who makes it
 *     moves                    best first, each with its cell and the position that it leads to
 *     group                    cells of the complete groups; none before the end of the game
 *     winner                   `x`, `o`, or null for neither
 *     resistance               of a best move, if asked for: replies to it, and their share
 *     bound                    `at least` or `at most`, if a strategy knows only a bound of the
 * value
 *
 * Distances are in plies to the end of the game. Counts of positions are strings (put_count).
 * What is unknown, or does not exist, is null.
 * Each function writes members of an object that its caller opens and closes:
 *
 *     json_writer w = begin_json_object();
 *     put_position(&w, table, x, o, &found);
 *     print_json_object(&w);
 *
 * Threads: any number. Uses the public header alone. Must not know: how the answer was found.
 */
#ifndef PLB_TOOLS_ANSWERS_JSON_POSITIONS_H
#define PLB_TOOLS_ANSWERS_JSON_POSITIONS_H

#include "probe/plybase.h"
#include "tools/answers/json_writer.h"

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

/* Parts of objects: plies, or null for PLB_NO_DTM; a player, or null for 0; a board, or null for a
 * position that is none. */
void put_dtm(json_writer *to, const char *key, int dtm);
void put_player(json_writer *to, const char *key, char player);
void put_board(json_writer *to, const char *key, const plb_table *table, uint64_t x, uint64_t o);

/* The name of an error in plybase.h, such as "PLB_ECOUNTS"; NULL: there is no such error. */
const char *error_name(int error);

/* What plb_probe has found of a position: everything but its moves. */
void put_probed(json_writer *to, const plb_table *table, uint64_t x, uint64_t o,
                const plb_answer *answer);

/* The plb_answer.bound of a position, which only a strategy's can have; else 0. */
int find_bound(const plb_table *table, uint64_t x, uint64_t o);

/* What plb_analyse, plb_find_resistance and a search for a line have found of a position. */
void put_position(json_writer *to, const plb_table *table, uint64_t x, uint64_t o,
                  const plb_analysis *found);
void put_best(json_writer *to, const plb_table *table, uint64_t x, uint64_t o,
              const plb_resistance *found);
void put_line(json_writer *to, const plb_table *table, const played_line *line);

/* The moves that led from a position to another one. */
void put_played(json_writer *to, const plb_table *table, uint64_t x, uint64_t o,
                const plb_line *played);

/* The moves of a game in `played`, with what they were worth, [count]; and how many are `mistakes`
 * of x and of o. */
void put_annotations(json_writer *to, const plb_table *table, const plb_annotation *moves,
                     int count);

#endif
