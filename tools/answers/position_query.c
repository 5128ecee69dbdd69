/* SPDX-License-Identifier: MIT */
#include "tools/answers/position_query.h"

#include <stdlib.h>

#include "tables/message.h"
#include "tools/terminal/console.h"
#include "tools/terminal/quantity.h"

int read_position_query(const plb_table *table, const char *board, const char *moves,
                        position_query *query, plb_message *message) {
    int error = PLB_OK;
    query->x = query->o = 0;
    query->played.count = query->resist = 0;
    query->by_moves = moves;
    query->parameter = "board";
    if (board) error = plb_parse_board(table, board, &query->x, &query->o, message);
    query->start_x = query->x;
    query->start_o = query->o;
    if (!error && moves) {
        query->parameter = "moves";
        error = plb_read_moves(table, moves, query->x, query->o, &query->played, message);
        if (!error) error = plb_play_text(table, moves, &query->x, &query->o, message);
    }
    return error;
}

bool parse_resist(const char *text, void *to) {
    _Static_assert(PLB_MAX_RESIST == 15, "as RESIST_NEEDED says");
    uint64_t plies;
    if (!parse_count(text, 1, PLB_MAX_RESIST, &plies) || plies % 2 == 0) return false;
    *(int *)to = (int)plies;
    return true;
}

/* ---- answering ---- */

static void put_given_moves(const plb_table *table, const position_query *query, json_writer *to) {
    if (query->by_moves) put_played(to, table, query->start_x, query->start_o, &query->played);
}

int query_position(const plb_table *table, const position_query *query, const plb_limits *limits,
                   json_writer *to, bool *is_final, plb_message *message) {
    plb_analysis found;
    (void)limits;
    (void)is_final;
    int error = plb_analyse(table, query->x, query->o, &found, message);
    if (error) return error;
    put_word(to, "table", plb_info(table)->spec);
    put_position(to, table, query->x, query->o, &found);
    put_given_moves(table, query, to);
    return PLB_OK;
}

int query_best(const plb_table *table, const position_query *query, const plb_limits *limits,
               json_writer *to, bool *is_final, plb_message *message) {
    plb_resistance found = {.plies = query->resist};
    int error = plb_find_resistance(table, query->x, query->o, limits, &found, message);
    if (error) return error;
    put_word(to, "table", plb_info(table)->spec);
    put_best(to, table, query->x, query->o, &found);
    put_given_moves(table, query, to);
    *is_final = found.best.exact && found.plies == query->resist;
    return PLB_OK;
}

/* Search move by move, so that the line has all moves that were found before the time was over. */
static int find_moves(const plb_table *table, const plb_limits *limits, played_line *line,
                      plb_message *message) {
    double end = seconds_now() + limits->seconds;
    plb_limits rest = *limits;
    uint64_t x = line->x, o = line->o;
    for (;;) {
        plb_best best;
        if (limits->seconds > 0) rest.seconds = end - seconds_now();
        line->incomplete = rest.seconds < 0;
        if (line->incomplete) return PLB_OK;
        int error = plb_find_best(table, x, o, &rest, &best, message);
        line->incomplete = !error && !best.exact;
        if (error || line->incomplete || best.count == 0) return error;
        line->played.moves[line->played.count++] = best.moves[0];
        error = plb_play(table, &best.moves[0], &x, &o, message);
        if (error) return error;
    }
}

int query_line(const plb_table *table, const position_query *query, const plb_limits *limits,
               json_writer *to, bool *is_final, plb_message *message) {
    played_line line = {.x = query->x, .o = query->o};
    plb_answer value;
    int error = plb_probe(table, line.x, line.o, &value, message);
    line.value = value.value;
    if (!error) error = find_moves(table, limits, &line, message);
    if (!error) error = play_line(table, &line, message);
    if (error) return error;
    put_word(to, "table", plb_info(table)->spec);
    put_line(to, table, &line);
    put_given_moves(table, query, to);
    *is_final = !line.incomplete;
    return PLB_OK;
}

int put_game(json_writer *to, const plb_table *table, const position_query *game,
             plb_message *message) {
    plb_analysis end;
    const plb_line *played = &game->played;
    plb_annotation *moves = malloc((size_t)(played->count + 1) * sizeof *moves);
    if (!moves) return plb_fail(message, PLB_ENOMEM, "out of memory for the game");
    int error = plb_analyse(table, game->x, game->o, &end, message);
    if (!error) error = plb_annotate(table, game->start_x, game->start_o, played, moves, message);
    if (!error) {
        put_position(to, table, game->x, game->o, &end);
        put_annotations(to, table, moves, played->count);
    }
    free(moves);
    return error;
}

int query_game(const plb_table *table, const position_query *query, const plb_limits *limits,
               json_writer *to, bool *is_final, plb_message *message) {
    (void)limits;
    (void)is_final;
    put_word(to, "table", plb_info(table)->spec);
    return put_game(to, table, query, message);
}
