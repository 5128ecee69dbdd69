/* SPDX-License-Identifier: MIT
 *
 * The library parses moves; the parser here only explains refusals.
 */
#include "tools/play/game_session.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/message.h"
#include "tools/terminal/board.h"

/* ---- the moves of the game ---- */

bool session_is_persons_turn(const game_session *session) {
    return side_to_move(session->table, session->x, session->o) == session->person;
}

void session_play(game_session *session, const plb_move *move) {
    if (plb_play(session->table, move, &session->x, &session->o, NULL) == PLB_OK)
        session->moves[session->count++] = *move;
}

void session_restart(game_session *session) {
    session->x = session->start_x;
    session->o = session->start_o;
    session->count = 0;
}

int session_undo(game_session *session) {
    game_session before = *session;
    do {
        if (!before.count) return 0;
        int count = before.count - 1; /* replay all moves but the last one */
        session_restart(&before);
        for (int m = 0; m < count; m++) session_play(&before, &before.moves[m]);
    } while (!session_is_persons_turn(&before));
    int taken = session->count - before.count;
    *session = before;
    return taken;
}

/* ---- parsing moves ---- */

/* A column and a row, from 0 on, perhaps off the board; with gravity only a column. */
typedef struct named_cell {
    int column, row;
} named_cell;

/* Parse a number without leading zeros; -1: it is none. */
static int read_number(const char *text) {
    int number = 0;
    if (!*text || (*text == '0' && text[1])) return -1;
    for (; *text; text++) {
        if (!isdigit((unsigned char)*text)) return -1;
        if (number <= PLB_MAX_CELLS) number = 10 * number + (*text - '0');
    }
    return number;
}

/* Parse a column. A letter is a column only if the board has it, because other words also begin
 * with letters. A number above 9 is taken for a column off the board. */
static bool read_column(const plb_table_info *info, const char *text, named_cell *cell) {
    int number = read_number(text), letter = islower((unsigned char)*text) ? *text - 'a' : -1;
    if (letter >= 0 && !text[1] && 9 + letter < info->width) {
        cell->column = 9 + letter;
        return true;
    }
    cell->column = number > 9 ? PLB_MAX_CELLS : number - 1;
    return number >= 0;
}

static bool read_cell(const char *text, named_cell *cell) {
    int column = 0;
    if (!islower((unsigned char)*text)) return false;
    for (; islower((unsigned char)*text); text++)
        if (column <= PLB_MAX_CELLS) column = 26 * column + (*text - 'a' + 1);
    int number = read_number(text);
    *cell = (named_cell){column - 1, number - 1};
    return number >= 0;
}

char *session_name_moves(const plb_table_info *info, char text[SESSION_NAMES]) {
    int last = info->width - 1;
    if (info->largest_number)
        snprintf(text, SESSION_NAMES, "a number, @ and a cell a1 to %c%d", 'a' + last,
                 info->height);
    else if (!info->gravity && last < 26)
        snprintf(text, SESSION_NAMES, "cells a1 to %c%d", 'a' + last, info->height);
    else if (!info->gravity)
        snprintf(text, SESSION_NAMES, "cells a1 to %c%c%d", 'a' + last / 26 - 1, 'a' + last % 26,
                 info->height);
    else if (last < 9)
        snprintf(text, SESSION_NAMES, last ? "columns 1 to %d" : "column 1", info->width);
    else
        snprintf(text, SESSION_NAMES,
                 last > 9 ? "columns 1 to 9 and a to %c" : "columns 1 to 9 and %c", 'a' + last - 9);
    return text;
}

/* ---- why a move cannot be made ---- */

/* List the columns with room, as in `1, 2 and 4`. */
static void list_columns(const plb_table_info *info, const plb_cell *cells, char text[256]) {
    char with_room[PLB_MAX_CELLS];
    int count = 0, used = 0;
    for (int c = 0; c < info->width; c++)
        if (!cells[(c + 1) * info->height - 1].player)
            with_room[count++] = (char)(c < 9 ? '1' + c : 'a' + c - 9);
    for (int i = 0; i < count; i++) {
        const char *between = !i ? "" : i == count - 1 ? " and " : ", ";
        used += snprintf(text + used, 256 - used, "%s%c", between, with_room[i]);
    }
}

static int refuse_cell(const game_session *session, const char *text, named_cell cell,
                       plb_message *message) {
    const plb_table_info *info = plb_info(session->table);
    char names[SESSION_NAMES], left[256];
    plb_cell cells[PLB_MAX_CELLS];
    plb_state state;
    if (cell.column < 0 || cell.column >= info->width || cell.row < 0 || cell.row >= info->height)
        return plb_fail(message, PLB_EMOVE, "%s%.40s is off the board, which has the %s.",
                        info->gravity ? "Column " : "", text, session_name_moves(info, names));
    int error = plb_find_state(session->table, session->x, session->o, &state, message);
    if (error) return error;
    if (state.over)
        return plb_fail(message, PLB_EMOVE,
                        "The game is over: undo takes a move back, new starts again.");
    plb_read_cells(session->table, session->x, session->o, cells);
    if (!info->gravity)
        return plb_fail(message, PLB_EMOVE, "%.40s is taken by %s; empty cells are drawn as dots.",
                        text, cells[cell.column * info->height + cell.row].text);
    list_columns(info, cells, left);
    return plb_fail(message, PLB_EMOVE, "Column %.40s is full; there is room in %s.", text, left);
}

int session_find_move(const game_session *session, const char *text, plb_move *move,
                      plb_message *message) {
    const plb_table_info *info = plb_info(session->table);
    plb_line line;
    plb_message why;
    char names[SESSION_NAMES];
    named_cell cell = {0, 0};
    if (!info->largest_number &&
        !(info->gravity ? read_column(info, text, &cell) : read_cell(text, &cell)))
        return plb_fail(message, PLB_ESYNTAX, "'%.40s' is not a move: moves are %s.", text,
                        session_name_moves(info, names));
    int error = plb_read_moves(session->table, text, session->x, session->o, &line, &why);
    if (!error && line.count == 1) {
        *move = line.moves[0];
        return PLB_OK;
    }
    if (info->largest_number && error)
        return plb_fail(message, error == PLB_ESYNTAX ? error : PLB_EMOVE, "%s.", why.text);
    if (error && error != PLB_EMOVE && error != PLB_ESYNTAX)
        return plb_fail(message, error, "%s.", why.text);
    if (info->largest_number) return plb_fail(message, PLB_EMOVE, "One move at a time, please.");
    return refuse_cell(session, text, cell, message);
}

/* ---- the best moves ---- */

enum { SEARCH_NODES = 200000 }; /* node limit of one request */

int advice_best(const game_session *session, int plies, plb_resistance *found,
                plb_message *message) {
    const plb_limits limits = {.nodes = SEARCH_NODES};
    found->plies = plb_info(session->table)->player ? 0 : plies;
    return plb_find_resistance(session->table, session->x, session->o, &limits, found, message);
}

/* Find the distance of a move by a search, if the table has none. */
static int find_distance(const game_session *session, uint64_t nodes, plb_move *move,
                         plb_message *message) {
    if (move->value == PLB_DRAW || move->dtm != PLB_NO_DTM) return PLB_OK;
    game_session after = *session;
    plb_best best;
    session_play(&after, move);
    int error =
        plb_find_best(after.table, after.x, after.o, &(plb_limits){.nodes = nodes}, &best, message);
    if (!error && best.bounds.least == best.bounds.most) move->dtm = best.bounds.least;
    return error;
}

/* The order of plb_moves; an unknown distance is the longest. */
static int compare_moves(const void *a, const void *b) {
    const plb_move *m = a, *n = b;
    int m_dtm = m->dtm < 0 ? INT_MAX : m->dtm, n_dtm = n->dtm < 0 ? INT_MAX : n->dtm;
    if (m->value != n->value) return n->value - m->value;
    if (m_dtm != n_dtm) return (m_dtm < n_dtm ? -1 : 1) * (m->value == PLB_LOSS ? -1 : 1);
    if (m->column != n->column) return m->column - n->column;
    return m->row != n->row ? m->row - n->row : m->number - n->number;
}

int advice_moves(const game_session *session, plb_move moves[PLB_MAX_MOVES], int *count,
                 plb_message *message) {
    plb_move found[PLB_MAX_MOVES];
    int n = 0, error = plb_moves(session->table, session->x, session->o, found, &n, message);
    for (int m = 0; m < n && !error; m++)
        error = find_distance(session, SEARCH_NODES / (uint64_t)n, &found[m], message);
    if (error) return error;
    qsort(found, n, sizeof *found, compare_moves);
    memcpy(moves, found, n * sizeof *found);
    *count = n;
    return PLB_OK;
}

/* ---- the move of the table ---- */

char *describe_level(const game_session *session, char text[LEVEL_TEXT]) {
    int level = session->choice.level;
    snprintf(
        text, LEVEL_TEXT,
        "I err on purpose: at level %d, %d times in %d where a move of mine can give up a win or "
        "a draw.",
        level, LEVELS - level, LEVELS);
    return text;
}

/* A random move is chosen only if the moves are known to be equal: from a guide, or after a
 * complete search. Otherwise the first is the most promising one. */
int choose_move(game_session *s, plb_move *move, plb_message *message) {
    move_choice *choice = &s->choice;
    const session_guide *guide = s->guide;
    plb_resistance found;
    plb_best *best = &found.best;
    best->exact = true;
    int error = PLB_OK;
    if (choice->level) { /* sometimes a mistake, if a move has a lower value */
        plb_move moves[PLB_MAX_MOVES];
        int count = 0, worse = 0;
        error = plb_moves(s->table, s->x, s->o, moves, &count, message);
        if (error) return error;
        while (worse < count && moves[worse].value == moves[0].value) worse++;
        if (worse < count && (int)plb_random_below(&choice->random, LEVELS) >= choice->level) {
            *move =
                moves[worse + (int)plb_random_below(&choice->random, (uint64_t)(count - worse))];
            return PLB_OK;
        }
    }
    error = guide ? guide->list_moves(guide->context, s, best->moves, &best->count, message)
                  : advice_best(s, !choice->is_random, &found, message);
    if (error) return error;
    if (!best->count) return plb_fail(message, PLB_EMOVE, "the game is over: there is no move");
    bool is_random = choice->is_random && best->exact;
    *move = best->moves[is_random ? plb_next_random(&choice->random) % (uint64_t)best->count : 0];
    return PLB_OK;
}
