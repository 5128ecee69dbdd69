/* SPDX-License-Identifier: MIT
 *
 * Chooses the method that counts a board, and estimates its cost. Intermediate sums can be
 * negative; they are taken modulo 2^64 if no count can reach it, else modulo 2^128.
 */
#include "tables/count/position_count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tables/count/cylinder_count.h"
#include "tables/count/few_columns.h"
#include "tables/count/plane_count.h"

/* Can a group cross the edge where the last column meets the first? */
static bool has_wrapping_groups(const plb_count_board *board) {
    return board->cylinder && plb_count_has_wide_groups(board) && board->width > 1 && board->k > 1;
}

/* An upper bound of all sums: the ways to fill every column with one of `words` words, and to mark
 * a column or none. */
static double bound_of_sums(const plb_count_board *board, double words) {
    double bound = board->width + 1.0;
    for (int i = 0; i < board->width; i++) bound *= words + 1;
    return bound;
}

/* Might sums, which count each position twice, exceed 128 bits? */
static bool is_too_big(const plb_count_board *board, double words) {
    return bound_of_sums(board, words) > 0x1p126;
}

/* Progress of several sweeps, one after another. */
typedef struct rounds {
    const plb_count_work *work;
    int number, count;
} rounds;

static void advance_round(void *context, double share) {
    const rounds *r = context;
    r->work->advance(r->work->context, (r->number + share) / r->count);
}

/* The sweeps count every position twice: as it is, and with colours exchanged. */
static int count_by_sweep(const plb_count_board *board, double words, const plb_count_work *work,
                          plb_ply_count *plies) {
    static const plb_marks each[] = {PLB_MARKS_SINGLE, PLB_MARKS_LEVEL, PLB_MARKS_RISING};
    int k = plb_count_has_wide_groups(board) ? board->k : 1;
    int limbs = bound_of_sums(board, words) < 0x1p62 ? 1 : 2;
    bool wraps = has_wrapping_groups(board); /* then the number of sweeps is not known: no report */
    rounds r = {work, 0, work->in_rounds && !wraps ? (int)(sizeof each / sizeof *each) : 1};
    const plb_count_work reported = {.threads = work->threads,
                                     .stop = work->stop,
                                     .advance = wraps || !work->advance ? NULL : advance_round,
                                     .context = &r};
    plb_column_automaton automaton;
    int error =
        plb_column_automaton_make(board->width, board->height, board->k, work->stop, &automaton);
    if (error) return error;
    for (; r.number < r.count && !error; r.number++) {
        plb_sweep sweep;
        error = plb_sweep_begin(&automaton, k, limbs, &reported, &sweep);
        if (!error && wraps) error = plb_cylinder_count(&sweep, plies);
        if (!error && !wraps)
            error = plb_plane_count(&sweep, r.count > 1 ? each[r.number] : PLB_MARKS_ALL, plies);
        plb_sweep_end(&sweep);
    }
    plb_column_automaton_free(&automaton);
    for (int ply = 0; ply <= board->width * board->height && !error; ply++) {
        plb_ply_count *p = &plies[ply];
        if (limbs == 1) p->total = (uint64_t)p->total, p->terminal = (uint64_t)p->terminal;
        p->total /= 2;
        p->terminal /= 2;
    }
    return error;
}

static int count_plies(const plb_count_board *board, const plb_count_work *work,
                       plb_ply_count *plies) {
    plb_column_words words;
    int error = plb_column_words_make(board->height, board->k, &words);
    if (error) return error;
    if (is_too_big(board, words.count))
        error = PLB_ETOOBIG;
    else if (!work->by_sweep && plb_few_columns_can_count(board))
        error = plb_few_columns_count(board, &words, work, plies);
    else
        error = count_by_sweep(board, words.count, work, plies);
    plb_column_words_free(&words);
    return error;
}

static bool is_in_bounds(const plb_count_board *board) {
    return board->width >= 1 && board->width <= PLB_MAX_COLUMNS && board->height >= 1 &&
           board->height <= PLB_COUNT_HEIGHT && board->k >= 1;
}

static bool has_too_wide_groups(const plb_count_board *board) {
    return plb_count_has_wide_groups(board) && board->k > PLB_MAX_RUN + 1;
}

int plb_position_count(const plb_count_board *board, const plb_count_work *work,
                       plb_position_counts *counts, plb_message *message) {
    if (!is_in_bounds(board))
        return plb_fail(message, PLB_ETOOBIG,
                        "only boards of 1 to %d columns and 1 to %d rows can be counted",
                        PLB_MAX_COLUMNS, PLB_COUNT_HEIGHT);
    if (has_too_wide_groups(board))
        return plb_fail(message, PLB_ETOOBIG,
                        "k%d on %d columns: groups that span columns can be counted up to k%d",
                        board->k, board->width, PLB_MAX_RUN + 1);
    plb_position_counts made = {.plies = board->width * board->height + 1};
    made.ply = calloc(made.plies + 1, sizeof *made.ply);
    int error = made.ply ? count_plies(board, work, made.ply) : PLB_ENOMEM;
    if (!error) {
        for (int ply = 0; ply < made.plies; ply++) {
            made.all.total += made.ply[ply].total;
            made.all.terminal += made.ply[ply].terminal;
        }
        *counts = made;
        return PLB_OK;
    }
    free(made.ply);
    if (error == PLB_ETOOBIG)
        return plb_fail(message, error,
                        "%dx%d with k%d is too big to be counted: its columns can be filled in too "
                        "many ways",
                        board->width, board->height, board->k);
    return plb_fail(message, error, "%s", plb_error_text(error));
}

/* Fitted to boards with k from 3 to 5 that take 0.1 to 100 seconds. The number of frontiers grows
 * with the words of each column that shares groups, and less with those of the fourth. */
static double plane_seconds(const plb_count_board *board, double words) {
    double columns = board->width >= board->k ? board->width - board->k + 1 : 1;
    double seconds = 1.7e-8 * columns * columns * columns;
    for (int i = 0; i < board->k && i < board->width && i < 4; i++)
        seconds *= i < 3 ? words : sqrt(words);
    return seconds;
}

/* Fitted to cylinders that take as long. Every column multiplies the frontiers on both sides of the
 * cut, until no group contains cells of both sides. */
static double cylinder_seconds(const plb_count_board *board, double words) {
    double wide = (double)board->width / (2 * board->k), seconds = 2.4e-7 * words * words * words;
    for (int i = 3; i < board->width && i < 2 * board->k; i++) seconds *= 2.5 + words / 15;
    if (wide > 1) seconds *= wide * wide * wide * wide;
    if (board->k <= 3) seconds /= 3;
    return seconds;
}

double plb_position_count_seconds(const plb_count_board *board) {
    if (!is_in_bounds(board) || has_too_wide_groups(board)) return HUGE_VAL;
    double words = plb_column_words_estimate(board->height, board->k);
    if (words > PLB_MAX_WORDS || is_too_big(board, words)) return HUGE_VAL;
    if (plb_few_columns_can_count(board)) return plb_few_columns_seconds(board, words);
    double seconds =
        has_wrapping_groups(board) ? cylinder_seconds(board, words) : plane_seconds(board, words);
    return seconds + plb_column_automaton_seconds(board->width, board->height, board->k);
}

/* Fitted to 40 boards, each of which takes 0.5 to 1 times as much. The number of frontiers is about
 * the number of ways to fill three columns; the number of states grows with the columns in which
 * groups can begin. */
double plb_position_count_bytes(const plb_count_board *board, bool in_rounds) {
    const double few = 3e6, three_columns = 58e6, rounds_share = 0.78;
    const double base = 3e6, each = 6.1, by_k[] = {1.0 / 7, 1, 4.7};
    double words = plb_column_words_estimate(board->height, board->k);
    if (plb_few_columns_can_count(board))
        return base + fmin(100 * words * words, 8e6) +
               (board->width > 3 ? few : three_columns) * plb_few_columns_seconds(board, words);
    double columns = board->width >= board->k ? board->width - board->k + 1 : 1;
    double bytes = each * by_k[board->k < 4 ? 0 : board->k > 4 ? 2 : 1];
    for (int i = 0; i < 3; i++) bytes *= columns * words;
    return base + bytes * (in_rounds ? rounds_share : 1);
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

/* ---- statistics against counts ---- */

/* Connect-k is the only family with gravity. */
bool plb_count_check_find_board(const plb_game *game, plb_count_board *board) {
    if (!game->gravity) return false;
    *board = (plb_count_board){
        .width = game->width, .height = game->height, .k = game->k, .cylinder = game->cylinder};
    return true;
}

bool plb_count_check_find_quick(const plb_game *game, double seconds, plb_count_board *board) {
    plb_count_board found;
    if (!plb_count_check_find_board(game, &found)) return false;
    if (plb_position_count_seconds(&found) > seconds) return false;
    *board = found;
    return true;
}

int plb_count_check_compare(const plb_count_board *board, const plb_ply_stats *plies, int threads,
                            const volatile sig_atomic_t *stop, int *ply, plb_message *message) {
    const plb_count_work work = {.threads = threads, .stop = stop};
    plb_position_counts counts = {.plies = 0};
    char text[4][PLB_COUNT_TEXT];
    int error = plb_position_count(board, &work, &counts, message);
    if (error) return error;
    for (int n = 0; n < counts.plies && !error; n++) {
        const plb_ply_count *counted = &counts.ply[n];
        if (plies[n].total == counted->total && plies[n].terminal == counted->terminal) continue;
        if (ply) *ply = n;
        error = plb_fail(message, PLB_ECORRUPT,
                         "ply %d: the statistics say %s positions, %s of them terminal; the board "
                         "has %s and %s",
                         n, plb_format_big_count(plies[n].total, ',', text[0]),
                         plb_format_big_count(plies[n].terminal, ',', text[1]),
                         plb_format_big_count(counted->total, ',', text[2]),
                         plb_format_big_count(counted->terminal, ',', text[3]));
    }
    plb_position_counts_free(&counts);
    return error;
}
