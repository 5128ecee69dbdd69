/* SPDX-License-Identifier: MIT */
#include "tables/count/outer_pairs.h"

#include "tables/vocabulary.h"

enum { LEFT, RIGHT, SIDES };

/* ---- lines ---- */

/* Move lines from the rows of the last column between to those of an outer column. */
static plb_lines move_lines(plb_lines lines, int side) {
    plb_lines falls = lines & plb_falling, rises = lines & plb_rising;
    return (lines & plb_level) |
           (side == LEFT ? falls << 3 | (rises >> 3 & plb_rising) : falls >> 1 | rises << 1);
}

/* The rows of lines in any direction. */
static uint32_t rows_of(plb_lines lines) {
    return (lines | lines >> PLB_LINE_ROWS | lines >> 2 * PLB_LINE_ROWS) & plb_falling;
}

/* The lines that meet no other line of the set in this column. */
static plb_lines alone(plb_lines lines) {
    plb_lines of_next = lines >> PLB_LINE_ROWS | lines << 2 * PLB_LINE_ROWS;
    plb_lines of_last = lines >> 2 * PLB_LINE_ROWS | lines << PLB_LINE_ROWS;
    return lines & ~(of_next | of_last);
}

/* ---- repeats: several stones that may complete the same groups ---- */

/* A filling whose cases are added. */
typedef struct filling {
    plb_pair_cases *cases;
    const plb_between *b;
    int times;
    uint32_t rows[SIDES]; /* where a stone completes a group */
} filling;

static void add(const filling *f, int64_t kind, const uint32_t rows[SIDES], int times) {
    plb_pair_cases_find(f->cases, rows, (uint32_t)kind, f->b->sums)->times += times;
}

/* Both outer columns may have a stone on the line, one of them has. rows: as those of the filling,
 * without the line. At least two tops between may be the last. */
static int add_tops(const filling *f, plb_pair_order order, const uint32_t rows[SIDES]) {
    int last = order.before[2] ? PLB_PAIRS_ALL : PLB_PAIRS_TWO;
    for (order.lasts = PLB_PAIRS_TWO; order.lasts <= last; order.lasts++) {
        int64_t kind = plb_pair_cases_order(f->cases, &order);
        if (kind < 0) return (int)kind;
        add(f, kind, rows, f->times);
        add(f, kind, f->rows, -f->times);
    }
    return PLB_OK;
}

/* The top of an outer column, in this row, is on the line, so it may be the last, too. */
static int add_outer_top(const filling *f, plb_pair_order order, int side, int row) {
    const uint32_t rows[SIDES] = {f->rows[!side], plb_pair_rows_below(f->rows[side], row)};
    order.lasts = PLB_PAIRS_TOP;
    order.row = (uint8_t)row;
    int64_t kind = plb_pair_cases_order(f->cases, &order);
    if (kind >= 0) add(f, kind, rows, f->times);
    return kind < 0 ? (int)kind : PLB_OK;
}

/* The classes without a top stone on the line with bit `at`, unless they are dead. */
static plb_pair_order order_of(const plb_between *b, int x, int at) {
    plb_pair_order order = {.x = (uint8_t)x};
    int count = 0;
    for (int c = 0; c < PLB_MAX_BETWEEN; c++)
        if (b->columns[c]->top >> at & 1 && b->before[c] != PLB_DEAD_CLASS)
            order.before[count++] = b->before[c];
    return order;
}

/* Add the repeats of the line with bit `at`, by rows of the last column between. */
static int add_line(const filling *f, int x, int at) {
    const plb_outer_columns *outer = f->cases->outer;
    int direction = at / PLB_LINE_ROWS, row = at % PLB_LINE_ROWS, error = PLB_OK;
    int of_side[SIDES] = {row - PLB_MAX_BETWEEN * (direction - 1), row + direction - 1};
    uint32_t rows[SIDES] = {f->rows[LEFT], f->rows[RIGHT]};
    plb_pair_order order = order_of(f->b, x, at);
    if (!order.before[0]) return PLB_OK;
    for (int s = outer->has_left ? LEFT : RIGHT; s <= RIGHT; s++) {
        int r = of_side[s];
        if (r < 0 || r >= outer->classes->words->height) continue;
        plb_lines lines = alone(move_lines(f->b->lines[x], s));
        if (!(lines >> (direction * PLB_LINE_ROWS + r) & 1)) continue;
        rows[s] &= ~plb_pair_rows(x ? 0 : 1U << r, x ? 1U << r : 0);
        if (!error) error = add_outer_top(f, order, s, r);
    }
    bool is_beside = rows[LEFT] != f->rows[LEFT] || rows[RIGHT] != f->rows[RIGHT];
    return error || !is_beside || !order.before[1] ? error : add_tops(f, order, rows);
}

static int add_lines(const filling *f) {
    const plb_between *b = f->b;
    plb_lines tops = b->columns[0]->top | b->columns[1]->top | b->columns[2]->top;
    int error = PLB_OK;
    for (int x = 0; x < 2; x++)
        for (plb_lines ends = b->lines[x] & tops; ends && !error; ends &= ends - 1)
            error = add_line(f, x, plb_lowest(ends));
    return error;
}

/* ---- fillings ---- */

/* Add to the rows those where a stone on these lines, of a colour, completes a group. */
static void add_rows(const filling *f, plb_lines lines, int x, uint32_t rows[SIDES]) {
    const plb_outer_columns *outer = f->cases->outer;
    uint32_t height = (uint32_t)plb_low_bits(outer->classes->words->height);
    int shift = x ? PLB_FEW_ROWS : 0;
    rows[RIGHT] |= (rows_of(move_lines(lines, RIGHT)) & height) << shift;
    if (outer->has_left) rows[LEFT] |= (rows_of(move_lines(lines, LEFT)) & height) << shift;
}

/* The lines of a colour through one more stone on a column between complete groups with outer
 * columns. Then the stone may not be placed if it must not complete a group. */
static void add_next(const filling *f, plb_lines lines, int x, plb_pair_case *c) {
    uint32_t rows[SIDES] = {f->rows[LEFT], f->rows[RIGHT]};
    add_rows(f, lines, x, rows);
    if (rows[LEFT] == f->rows[LEFT] && rows[RIGHT] == f->rows[RIGHT]) return;
    c->next_ends[x] -= f->times;
    plb_pair_cases_find(f->cases, rows, 0, f->b->sums)->next_ends[x] += f->times;
}

int plb_outer_pairs_add(plb_pair_cases *cases, const plb_between *b, int times) {
    filling f = {cases, b, times, {0, 0}};
    int error = plb_pair_cases_accept(cases) ? PLB_OK : plb_pair_cases_count(cases);
    if (error) return error;
    for (int x = 0; x < 2; x++)
        if (b->lines[x]) add_rows(&f, b->lines[x], x, f.rows);
    plb_pair_case *c = plb_pair_cases_find(cases, f.rows, 0, b->sums);
    c->times += times;
    for (int x = 0; x < 2; x++) {
        const plb_between_column *const *of = b->columns;
        plb_lines l[] = {of[0]->lines[x], of[1]->lines[x], of[2]->lines[x]};
        plb_lines next[] = {l[1] & l[2] & of[0]->next[x], l[0] & l[2] & of[1]->next[x],
                            l[0] & l[1] & of[2]->next[x]};
        c->next_ends[x] -= times * (of[0]->groups[x] + of[1]->groups[x] + of[2]->groups[x]);
        for (int i = 0; i < PLB_MAX_BETWEEN; i++)
            if (next[i]) add_next(&f, next[i], x, c);
    }
    return b->lines[0] | b->lines[1] ? add_lines(&f) : PLB_OK;
}
