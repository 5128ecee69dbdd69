/* SPDX-License-Identifier: MIT
 *
 * Counting positions, column after column (column_sweep.h). Cylinders: cylinder_count.h; up to
 * three columns where groups lie in one: narrow_columns.h; four or five columns: four_columns.h,
 * five_columns.h.
 *
 * Open positions are those without a group whose columns have an order. A terminal position P has a
 * group, and a top stone that is part of all groups and without which what is left has an order. If
 * T(P) is the set of such stones, the sum of (-1)^(|S|+1) over the sets S that are not empty and
 * lie in T(P) is 1, so the terminal positions are the sum over all marked positions (P, S):
 *
 * |S| = 1:  (Q, column) where Q is open and the column not full, less those where Q with one stone
 *           more has no group. Both are counted on frontiers without groups: the first marks the
 *           place above a column, the second loses the top stone of a column in the automaton
 *           alone.
 * |S| > 1:  all groups lie on the line through S. Its direction and its first mark from the left
 *           are chosen; the frontier lets that run become as long as all its groups contain all
 *           marks (frontier.c). Of lines that are mirror images one counts twice.
 *
 * Signed sums are taken modulo 2^64 where no count can reach that, else modulo 2^128.
 */
#include "tables/count/position_count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tables/count/column_sweep.h"
#include "tables/count/count_bound.h"
#include "tables/count/cylinder_count.h"
#include "tables/count/five_columns.h"
#include "tables/count/four_columns.h"
#include "tables/count/narrow_columns.h"

/* ---- whole columns ---- */

static int pass(plb_column_reader *r, plb_passage p, const plb_frontier *to) {
    p.last = !to->line.is_there || !plb_frontier_wants_marks(&r->reading->board, to);
    return plb_reader_pass(r, &p, to);
}

/* A frontier whose line goes on: kept if its marks can still be two and its group complete. At the
 * right edge of the board the line ends. */
static int pass_line(plb_column_reader *r, const plb_passage *p, plb_frontier *to) {
    bool has_marks = to->line.marks == 2;
    if (r->reading->column == r->reading->board.width - 1) {
        if (!has_marks || !plb_frontier_has_group(&r->reading->board, &to->line)) return PLB_OK;
        memset(to, 0, sizeof *to);
    } else if (!has_marks && !plb_frontier_wants_marks(&r->reading->board, to)) {
        return PLB_OK;
    }
    return pass(r, *p, to);
}

static int pass_marked(plb_column_reader *r, plb_passage p, plb_frontier to) {
    plb_frontier marked = to;
    p.times = plb_frontier_line_times(&r->reading->board, r->reading->column, false, &to.line);
    int error = pass_line(r, &p, &to);
    if (error || !plb_frontier_may_mark(&r->reading->board, &marked,
                                        r->reading->automaton->words.items[p.word].stones - 1))
        return error;
    p.way = PLB_WAY_MARK;
    marked.line.marks = 2;
    return pass_line(r, &p, &marked);
}

/* Lines that the column begins. */
static int pass_begun(plb_column_reader *r, plb_passage p, const plb_frontier *to) {
    const plb_column_word *w = &r->reading->automaton->words.items[p.word];
    int error = PLB_OK;
    p.way = PLB_WAY_BEGIN;
    for (int d = 1; d < PLB_DIRECTIONS && p.word && !error; d++) {
        plb_frontier begun = *to;
        int column = r->reading->column;
        if (!plb_frontier_begin_line(&r->reading->board, column, w->stones - 1,
                                     plb_column_word_x_on_top(w), d, &begun))
            continue;
        p.times = plb_frontier_line_times(&r->reading->board, column, true, &begun.line);
        error = pass_line(r, &p, &begun);
    }
    return error;
}

static int visit_word(const void *context, plb_column_reader *r, const plb_passage *p,
                      const plb_frontier *to) {
    const plb_count_board *board = context;
    if (to->line.is_there) return pass_marked(r, *p, *to);
    int error = pass(r, *p, to);
    return error || board->open_only ? error : pass_begun(r, *p, to);
}

/* ---- the whole ---- */

/* Sums of signed numbers are right modulo what a number can hold. Positions are counted twice: as
 * they are, and with colours exchanged. */
static void end_counts(int limbs, plb_position_counts *counts) {
    for (int ply = 0; ply < counts->plies; ply++) {
        plb_ply_count *p = &counts->ply[ply];
        if (limbs == 1) p->total = (uint64_t)p->total, p->terminal = (uint64_t)p->terminal;
        p->total /= 2;
        p->terminal /= 2;
    }
}

/* Do groups lie in several columns? */
static bool has_wide_groups(const plb_count_board *board) {
    if (board->cylinder && board->width > 1 && board->k <= board->height) return true;
    return board->k <= board->width;
}

/* Do groups go round? */
static bool is_round(const plb_count_board *board) {
    return board->cylinder && has_wide_groups(board) && board->width > 1 && board->k > 1;
}

/* Of two marked positions with one mark that are mirror images, the one to the right counts for
 * both: what is marked late has fewer columns to go through. */
static void mark_right_half(plb_column_reading *reading) {
    int width = reading->board.width;
    for (int column = 0; column < width; column++) {
        int mirrored = width - 1 - column;
        reading->single_marks[column] = column > mirrored ? 2 : column == mirrored ? 1 : 0;
    }
}

static int count_plane(plb_column_reading *reading, const plb_count_board *board,
                       plb_ply_count *plies) {
    const plb_word_visitor visitor = {visit_word, board};
    const plb_count_keeper *keeper = reading->work->keeper;
    if (keeper) reading->part_share = keeper->part_seconds / plb_position_count_seconds(board);
    if (!board->open_only) mark_right_half(reading);
    return plb_reading_count(reading, &visitor, 1, plies);
}

/* In how many ways all columns can be filled, each with one of so many words, and one be marked. */
static double ways_to_fill(const plb_count_board *board, double words) {
    double ways = board->width + 1.0;
    for (int i = 0; i < board->width; i++) ways *= words + 1;
    return ways;
}

/* Might counts, each position twice, exceed 128 bits? They are far fewer than the ways to fill all
 * columns. */
static bool is_too_big(const plb_count_board *board, double words) {
    return ways_to_fill(board, words) > 0x1p126;
}

/* Words of 64 bits that hold twice the number of positions of any ply: the same whenever parts of a
 * board are counted. */
static int find_limbs(const plb_count_board *board, const plb_column_words *words, int *limbs) {
    double most = ways_to_fill(board, words->count);
    int error = most < 0x1p62 ? PLB_OK : plb_count_bound(words, board->width, &most);
    *limbs = most < 0x1.fp62 ? 1 : 2;
    return error;
}

static int count_by(const plb_column_automaton *automaton, const plb_count_board *board,
                    const plb_count_work *work, plb_position_counts *counts) {
    int k = has_wide_groups(board) ? board->k : 1, limbs;
    int error = find_limbs(board, &automaton->words, &limbs);
    if (error) return error;
    plb_count_work alone = {.threads = work->threads, .stop = work->stop};
    plb_column_reading reading;
    bool round = is_round(board);
    error = plb_reading_begin(automaton, k, limbs, round ? &alone : work, &reading);
    if (!error)
        error = round ? plb_cylinder_count(&reading, !board->open_only, counts->ply)
                      : count_plane(&reading, board, counts->ply);
    plb_reading_end(&reading);
    if (!error) end_counts(limbs, counts);
    return error;
}

static int count_by_automaton(const plb_count_board *board, const plb_count_work *work,
                              plb_position_counts *counts) {
    plb_column_automaton automaton;
    int error =
        plb_column_automaton_make(board->width, board->height, board->k, work->stop, &automaton);
    if (error) return error;
    error = count_by(&automaton, board, work, counts);
    plb_column_automaton_free(&automaton);
    return error;
}

static bool is_narrow(const plb_count_board *board) {
    return !has_wide_groups(board) && plb_narrow_can_count(board->width, board->height);
}

static int count_anew(const plb_count_board *board, const plb_count_work *work,
                      plb_position_counts *counts) {
    plb_column_words words;
    int error = plb_column_words_make(board->height, board->k, &words);
    if (error) return error;
    if (is_too_big(board, words.count))
        error = PLB_ETOOBIG;
    else if (work->by_frontiers)
        error = count_by_automaton(board, work, counts);
    else if (is_narrow(board))
        error = plb_narrow_count(board, &words, work->stop, counts->ply);
    else if (plb_four_columns_can_count(board))
        error = plb_four_columns_count(board, &words, work, counts->ply);
    else if (plb_five_columns_can_count(board))
        error = plb_five_columns_count(board, &words, work, counts->ply);
    else
        error = count_by_automaton(board, work, counts);
    plb_column_words_free(&words);
    return error;
}

/* The keeper may have it all. */
static int count_board(const plb_count_board *board, const plb_count_work *work,
                       plb_position_counts *counts) {
    const plb_count_keeper *keeper = work->keeper;
    plb_column_slice whole = plb_column_slice_of(0, 0, board->height);
    plb_position_counts made = {.plies = board->width * board->height + 1};
    int error = PLB_OK;
    made.ply = calloc(made.plies + 1, sizeof *made.ply);
    if (!made.ply) return PLB_ENOMEM;
    if (!keeper || keeper->find(keeper->context, &whole, made.ply) != PLB_KEPT_ALL) {
        error = count_anew(board, work, &made);
        if (!error && keeper) error = keeper->keep(keeper->context, &whole, made.ply);
    }
    for (int ply = 0; ply < made.plies; ply++) {
        made.all.total += made.ply[ply].total;
        made.all.terminal += made.ply[ply].terminal;
    }
    if (error)
        free(made.ply);
    else
        *counts = made;
    return error;
}

/* Limits that are known before anything is made. */
static bool is_in_bounds(const plb_count_board *board) {
    return board->width >= 1 && board->width <= PLB_MOST_COLUMNS && board->height >= 1 &&
           board->height <= PLB_COUNT_HEIGHT && board->k >= 1;
}

static bool has_too_wide_groups(const plb_count_board *board) {
    return has_wide_groups(board) && board->k > PLB_MOST_RUN + 1;
}

static int check_board(const plb_count_board *board, plb_message *message) {
    if (!is_in_bounds(board))
        return plb_fail(message, PLB_ETOOBIG,
                        "a board of %dx%d cells: boards of 1 to %d columns and 1 to %d rows are "
                        "counted",
                        board->width, board->height, PLB_MOST_COLUMNS, PLB_COUNT_HEIGHT);
    if (has_too_wide_groups(board))
        return plb_fail(message, PLB_ETOOBIG,
                        "k%d on %d columns: groups that lie in several columns are counted up to "
                        "k%d",
                        board->k, board->width, PLB_MOST_RUN + 1);
    return PLB_OK;
}

int plb_position_count(const plb_count_board *board, const plb_count_work *work,
                       plb_position_counts *counts, plb_message *message) {
    int error = check_board(board, message);
    if (error) return error;
    error = count_board(board, work, counts);
    if (error == PLB_ETOOBIG)
        return plb_fail(message, error,
                        "%dx%d with k%d is too big to be counted: its columns can be filled in too "
                        "many ways",
                        board->width, board->height, board->k);
    if (error == PLB_ENOMEM)
        return plb_fail(message, error, "out of memory for counting positions");
    return error ? plb_fail(message, error, "%s", plb_error_text(error)) : PLB_OK;
}

/* Fitted to boards with k from 3 to 5 that take from 0.1 to 100 seconds, and to parts of 6x10: what
 * the cells of columns that share groups can be, the fourth column less than others. */
static double plane_seconds(const plb_count_board *board, double words) {
    double columns = board->width >= board->k ? board->width - board->k + 1 : 1;
    double seconds = 1.7e-8 * columns * columns * columns;
    for (int i = 0; i < board->k && i < board->width && i < 4; i++)
        seconds *= i < 3 ? words : sqrt(words);
    return board->open_only ? seconds / 6 : seconds;
}

/* Fitted to cylinders that take as long: every column multiplies the frontiers on both sides of the
 * cut, until the sides have no groups in common. */
static double cylinder_seconds(const plb_count_board *board, double words) {
    double wide = (double)board->width / (2 * board->k), seconds = 2.4e-7 * words * words * words;
    for (int i = 3; i < board->width && i < 2 * board->k; i++) seconds *= 2.5 + words / 15;
    if (wide > 1) seconds *= wide * wide * wide * wide;
    if (board->k <= 3) seconds /= 3;
    return board->open_only ? seconds / 3.5 : seconds;
}

double plb_position_count_seconds(const plb_count_board *board) {
    if (!is_in_bounds(board) || has_too_wide_groups(board)) return HUGE_VAL;
    double words = plb_column_words_estimate(board->height, board->k);
    if (words > PLB_MOST_WORDS || is_too_big(board, words)) return HUGE_VAL;
    if (is_narrow(board)) return plb_narrow_count_seconds(board->width, board->height, words);
    if (plb_four_columns_can_count(board)) return plb_four_columns_seconds(board, words);
    if (plb_five_columns_can_count(board)) return plb_five_columns_seconds(board, words);
    double seconds = is_round(board) ? cylinder_seconds(board, words) : plane_seconds(board, words);
    return seconds + plb_column_automaton_seconds(board->width, board->height, board->k);
}

void plb_position_counts_free(plb_position_counts *counts) {
    free(counts->ply);
    *counts = (plb_position_counts){.plies = 0};
}

char *plb_format_big_count(plb_big_count count, char separator, char text[PLB_COUNT_TEXT]) {
    char *at = &text[PLB_COUNT_TEXT - 1];
    int digits = 0;
    *at = 0;
    do {
        if (separator && digits && digits % 3 == 0) *--at = separator;
        *--at = (char)('0' + (int)(count % 10));
        count /= 10;
        digits++;
    } while (count);
    return memmove(text, at, text + PLB_COUNT_TEXT - at);
}
