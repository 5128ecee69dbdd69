/* SPDX-License-Identifier: MIT
 *
 * Counts marked positions as plane_count.c does. Every position has `width` rotations; to count
 * each once, it is rotated so that a certain column becomes column 0:
 *
 * |S| = 1 and open positions: the first column, from the left, with the lowest word. A word and the
 *         same with colours exchanged are equally low. After the rotation column 0 has the lowest
 *         word. If the last column with it is column c, width - c positions have this rotation.
 *         A state of the sweep is `rotated` once column c has been chosen.
 * |S| > 1: the column with the first mark of the line. All groups lie on a line of known length;
 *         the cells of its run are given, also the two cells that end it, and the last mark.
 *         Falling lines are the mirror images of rising ones.
 *
 * Column 0 is empty or has an x on top. With an o on top it is counted by an exchange of colours.
 */
#include "tables/count/cylinder_count.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/count/frontier.h"
#include "tables/reach/column_words.h"
#include "tables/vocabulary.h"

/* ---- the cut ----
 *
 * The cylinder is cut open before column 0: runs may go on from the last column into column 0. Each
 * sweep is for a given word of column 0 and, for each stone there and each direction to the right,
 * a given length of the run that begins with it:
 *
 *     . . . . | x . .        a level run of two x in the last columns goes on into the lower x
 *     . . x x | x x o        by 2 stones, and a rising run into the upper x by 1
 *      last     0 1 2
 *
 * There are far fewer such sets of lengths than fillings of the columns 0 to k - 2. Each restricts
 * the fillings of these columns, but of no others. On a cylinder of fewer than k columns a run may
 * go round more than once.
 */

typedef struct cylinder_cut {
    int width, height, k;
    const plb_column_words *words;
    int first;                          /* the word of column 0 */
    int lowest;                         /* no column has a word before this one */
    plb_board_column *columns;          /* [width] the fillings allowed for any lengths */
    uint32_t (*exempt)[PLB_DIRECTIONS]; /* [width] rows of the marked line's run, which may be a
                                           group in this direction */
} cylinder_cut;

static int least_of(int a, int b) {
    return a < b ? a : b;
}

/* The greatest length of a run that is distinguished: a longer one is a group, or goes round. */
static int longest(const cylinder_cut *s) {
    return least_of(s->k - 1, s->width);
}

static uint32_t rows_of(int stones) {
    return (uint32_t)plb_low_bits(stones);
}

/* The rows of column 0 on the lines, in a direction, through these rows of a column; and back. */
static uint32_t move_back(uint32_t rows, int direction, int column) {
    return direction == 2 ? rows >> column : direction == 0 ? rows << column : rows;
}

static uint32_t move_on(uint32_t rows, int direction, int column) {
    return move_back(rows, 2 - direction, column);
}

/* ---- possible lengths of runs ---- */

/* Can a run that begins in this row of column 0 be part of a group across the cut? */
static bool can_cross_cut(const cylinder_cut *s, int direction, int row) {
    if (s->exempt[0][direction] >> row & 1) return false;
    if (direction == 1) return s->k <= s->width;
    if (s->k > s->width) return s->k <= s->height;
    int below = row, above = s->height - 1 - row;
    int behind = direction == 2 ? below : above, ahead = direction == 2 ? above : below;
    return behind > 0 && least_of(behind, s->k - 1) + least_of(ahead + 1, longest(s)) >= s->k;
}

static bool allows_word(const cylinder_cut *cut, int column, int word) {
    const plb_board_column *c = &cut->columns[column];
    const plb_column_word *w = &cut->words->items[word];
    uint32_t o = rows_of(w->stones) & ~w->x;
    return w->stones >= c->min_stones && w->stones <= c->max_stones && !(w->x & ~c->allowed[1]) &&
           !(o & ~c->allowed[0]);
}

/* List all possible sets of lengths, each as a frontier: runs[d][n] are the rows of column 0 where
 * a run of more than n stones begins. Runs that cannot be part of a group across the cut are left
 * out. The caller frees the table, even after an error. */
static int find_runs(const cylinder_cut *cut, plb_frontier_table *runs) {
    const plb_frontier_board board = {.height = cut->height, .k = cut->k};
    plb_frontier going_on = {.x = {0}};
    uint32_t number;
    *runs = plb_frontier_table_of(&board);
    for (int d = 0; d < PLB_DIRECTIONS; d++)
        for (int row = 0; row < cut->words->items[cut->first].stones; row++)
            if (can_cross_cut(cut, d, row)) going_on.runs[d][0] |= 1U << row;
    int error = plb_frontier_table_find(runs, &going_on, 1, &number);
    for (int column = 1; column < longest(cut) && !error; column++) {
        plb_frontier_table from = *runs;
        *runs = plb_frontier_table_of(&board);
        for (int word = cut->lowest; word < cut->words->count; word++) {
            const plb_column_word *w = &cut->words->items[word];
            if (!allows_word(cut, column, word)) continue;
            for (uint32_t i = 0; i < from.set.count && !error; i++) {
                plb_frontier_table_get(&from, i, &going_on);
                for (int d = 0; d < PLB_DIRECTIONS; d++) { /* which runs go on in this column? */
                    uint32_t stones = move_back(rows_of(w->stones), d, column);
                    uint32_t other = move_back(w->x, d, column) ^ cut->words->items[cut->first].x;
                    going_on.runs[d][column] = going_on.runs[d][column - 1] & stones & ~other;
                }
                error = plb_frontier_table_find(runs, &going_on, 1, &number);
            }
        }
        plb_tuple_set_free(&from.set);
    }
    return error;
}

/* ---- the board of one sweep ---- */

/* Restrict a column so that runs in one direction go on in it, or end before it, as given. */
static void restrict_column(const cylinder_cut *s, const plb_frontier *runs, int direction,
                            int column, plb_board_column *c) {
    uint32_t grown = runs->runs[direction][column];
    uint32_t ended = runs->runs[direction][column - 1] & ~grown;
    uint32_t x = s->words->items[s->first].x;
    uint32_t all = move_on(grown, direction, column);
    c->allowed[0] &= ~move_on((grown & x) | (ended & ~x), direction, column);
    c->allowed[1] &= ~move_on((grown & ~x) | (ended & x), direction, column);
    if (all && plb_bit_length(all) > c->min_stones) c->min_stones = plb_bit_length(all);
}

/* The number of stones by which a run from the last column goes on into this row of column 0. */
static int count_beyond(const cylinder_cut *s, const plb_frontier *runs, int direction, int row,
                        bool x) {
    uint32_t rows = runs->runs[direction][0];
    uint32_t of_colour = x ? s->words->items[s->first].x : ~s->words->items[s->first].x;
    int stones = 0;
    while (row >= 0 && row < s->height && (rows & of_colour) >> row & 1) {
        int length = 0;
        while (length < longest(s) && runs->runs[direction][length] >> row & 1) length++;
        stones += length;
        if (length < s->width) break;
        row += s->width * (direction - 1);
    }
    return stones;
}

/* Set `ahead` of the last column. False if a run that goes round is a group. */
static bool join_ends(const cylinder_cut *s, const plb_frontier *runs, plb_board_column *last) {
    for (int d = 0; d < PLB_DIRECTIONS; d++)
        for (int row = -1; row <= s->height; row++)
            for (int x = 0; x < 2; x++) {
                int stones = count_beyond(s, runs, d, row + d - 1, x);
                if (stones >= s->k) return false;
                if (row >= 0 && row < s->height) last->ahead[d][x][row] = (uint8_t)stones;
            }
    return true;
}

/* Set the columns of the board for one set of lengths. False if no filling has these lengths. */
static bool set_board(const cylinder_cut *cut, const plb_frontier *runs,
                      const plb_frontier_board *board) {
    memcpy(board->columns, cut->columns, cut->width * sizeof *board->columns);
    for (int column = 1; column < longest(cut); column++)
        for (int d = 0; d < PLB_DIRECTIONS; d++)
            restrict_column(cut, runs, d, column, &board->columns[column]);
    for (int column = 0; column < cut->width; column++) {
        plb_board_column *c = &board->columns[column];
        uint32_t gaps = rows_of(cut->height) & ~(c->allowed[0] | c->allowed[1]);
        if (gaps) c->max_stones = least_of(c->max_stones, plb_lowest(gaps));
        if (c->min_stones > c->max_stones) return false;
    }
    if (!join_ends(cut, runs, &board->columns[cut->width - 1])) return false;
    plb_frontier_board_look_ahead(board);
    for (int c = 0; c < cut->width; c++)
        for (int d = 0; d < PLB_DIRECTIONS; d++)
            for (uint32_t rows = cut->exempt[c][d]; rows; rows &= rows - 1)
                board->columns[c].ahead[d][0][plb_lowest(rows)] =
                    board->columns[c].ahead[d][1][plb_lowest(rows)] = 0;
    return true;
}

/* ---- counting ---- */

/* Where marks may be. */
typedef struct mark_places {
    uint32_t rows[PLB_MAX_COLUMNS]; /* rows where the top stone of a column may be marked */
    int last;                       /* the column with the last mark of the line */
    int until;                      /* from this column on there are no marks */
} mark_places;

typedef struct cylinder {
    plb_sweep *sweep;
    cylinder_cut cut;
    int (*apply)(const void *context, plb_sweep_worker *worker, const plb_transition *from,
                 const plb_frontier *to);
    mark_places marks;
    plb_ply_count *plies;
} cylinder;

static bool may_be_first(const cylinder *c, int word) {
    return word == 0 || plb_column_word_x_on_top(&c->cut.words->items[word]);
}

/* Words are compared by this: the lower number of the word and of its exchange of colours. */
static int order_of(const cylinder *c, int word) {
    int exchanged = c->cut.words->items[word].exchanged;
    return plb_min(word, exchanged);
}

/* ---- all sweeps for a word of column 0 ---- */

/* Allow any filling with this word in column 0 and no word before `lowest` in the others. */
static void begin_cut(cylinder *c, int word, int lowest) {
    cylinder_cut *s = &c->cut;
    const plb_column_word *w = &s->words->items[word];
    plb_frontier_board board = {s->width, s->height, s->k, s->columns};
    plb_frontier_board_clear(&board);
    memset(s->exempt, 0, s->width * sizeof *s->exempt);
    s->first = word;
    s->lowest = lowest;
    for (int column = 0; column < s->width; column++)
        s->columns[column].min_stones = s->words->items[lowest].stones;
    s->columns[0].min_stones = s->columns[0].max_stones = w->stones;
    s->columns[0].allowed[0] &= ~w->x;
    s->columns[0].allowed[1] &= w->x;
}

/* Count `times` times. A nonempty word in column 0 counts twice: also with colours exchanged. */
static int count_cut(cylinder *c, int times) {
    const plb_transition_rule rule = {c->apply, c};
    plb_frontier_table runs;
    if (!allows_word(&c->cut, 0, c->cut.first)) return PLB_OK;
    int error = find_runs(&c->cut, &runs);
    for (uint32_t i = 0; i < runs.set.count && !error; i++) {
        plb_frontier going_on;
        plb_frontier_table_get(&runs, i, &going_on);
        if (set_board(&c->cut, &going_on, &c->sweep->board))
            error = plb_sweep_count(c->sweep, &rule, c->cut.first ? 2 * times : times, c->plies);
    }
    plb_tuple_set_free(&runs.set);
    return error;
}

/* ---- open positions, and one mark ---- */

static int apply_plain(const void *context, plb_sweep_worker *worker, const plb_transition *from,
                       const plb_frontier *to) {
    const cylinder *c = context;
    plb_transition t = *from;
    int order = order_of(c, t.word);
    if (order < c->cut.lowest) return PLB_OK;
    if (order == c->cut.lowest) t.rotations = c->cut.width - worker->sweep->column;
    t.last = true;
    return plb_sweep_add(worker, &t, to);
}

static int count_plain(cylinder *c) {
    int error = PLB_OK;
    c->apply = apply_plain;
    c->sweep->rotated = true;
    for (int word = 0; word < c->cut.words->count && !error; word++) {
        if (!may_be_first(c, word)) continue;
        begin_cut(c, word, order_of(c, word));
        error = count_cut(c, 1);
    }
    return error;
}

/* ---- lines with several marks ---- */

typedef struct line {
    int direction;     /* as in frontier.h */
    int before, after; /* stones of its run to the left and to the right of column 0 */
} line;

/* The column of a place: the distance from column 0 to the right, which may be negative. */
static int column_of(const cylinder *c, int place) {
    int column = place % c->cut.width;
    return column < 0 ? column + c->cut.width : column;
}

/* Allow only fillings that have this run through the top stone of column 0. False if it leaves the
 * board. */
static bool place_line(cylinder *c, line l) {
    const plb_column_word *w = &c->cut.words->items[c->cut.first];
    bool x = plb_column_word_x_on_top(w);
    bool is_ring = l.direction == 1 && l.before + 1 + l.after == c->cut.width;
    int ends = is_ring ? 0 : 1;
    for (int place = -l.before - ends; place <= l.after + ends; place++) {
        int column = column_of(c, place), row = w->stones - 1 + place * (l.direction - 1);
        bool in_run = place >= -l.before && place <= l.after;
        plb_board_column *b = &c->cut.columns[column];
        if (row < 0 || row >= c->cut.height) {
            if (in_run) return false;
            continue;
        }
        b->allowed[in_run ? !x : x] &= ~(1U << row);
        if (in_run && row >= b->min_stones) b->min_stones = row + 1;
        if (in_run) c->cut.exempt[column][l.direction] |= 1U << row;
    }
    return true;
}

/* Set the last mark, which is on top of its column. */
static void place_last_mark(cylinder *c, int place, int row) {
    int column = column_of(c, place);
    c->marks.last = column;
    c->marks.rows[column] = 1U << row;
    for (int x = 0; x < 2; x++)
        c->cut.columns[column].allowed[x] &= (uint32_t)plb_low_bits(row + 1);
}

static int apply_marked(const void *context, plb_sweep_worker *worker, const plb_transition *from,
                        const plb_frontier *to) {
    const cylinder *c = context;
    int column = worker->sweep->column, stones = c->cut.words->items[from->word].stones;
    bool may_mark = stones && c->marks.rows[column] >> (stones - 1) & 1;
    plb_transition t = *from;
    t.last = column + 1 >= c->marks.until;
    t.mark = column == 0 ? PLB_MARK_FIRST : PLB_MARK_NONE;
    int error = column == c->marks.last ? PLB_OK : plb_sweep_add(worker, &t, to);
    if (error || column == 0 || !may_mark) return error;
    t.mark = PLB_MARK_MORE;
    return plb_sweep_add(worker, &t, to);
}

/* The number of rotations and mirror images of a line. 0: not all its groups have these marks, or
 * its mirror image is counted instead. */
static int turns_of(const cylinder *c, line l, int last) {
    int width = c->cut.width, length = l.before + 1 + l.after, beyond = l.after - last;
    if (l.direction != 1) return width == 2 ? width : 2 * width;
    if (length < width) return l.before > beyond ? 0 : l.before < beyond ? 2 * width : width;
    /* A level run that goes round is a single group only if k is the width; in width - last
     * rotations the first mark is the leftmost. */
    return length == c->cut.k && length == width && l.before == 0 ? width - last : 0;
}

static int count_line(cylinder *c, int word, line l, int last) {
    int times = turns_of(c, l, last);
    if (times == 0 || last % c->cut.width == 0) return PLB_OK;
    begin_cut(c, word, 0);
    if (!place_line(c, l)) return PLB_OK;
    /* On two columns a rising line is also a falling one. */
    if (l.direction == 2 && c->cut.width == 2) place_line(c, (line){0, l.after, l.before});
    /* Any stones of the run before the last mark may be marked. */
    int row = c->cut.words->items[word].stones - 1, step = l.direction - 1;
    memset(&c->marks, 0, sizeof c->marks);
    for (int place = 1; place < last; place++)
        c->marks.rows[column_of(c, place)] |= 1U << (row + place * step);
    place_last_mark(c, last, row + last * step);
    for (int column = 1; column < c->cut.width; column++)
        if (c->marks.rows[column]) c->marks.until = column + 1;
    return count_cut(c, times);
}

/* Count all runs whose groups all contain the first and the last mark. */
static int count_lines(cylinder *c, int word, int direction) {
    int k = c->cut.k, error = PLB_OK;
    for (int last = 1; last < k; last++)
        for (int before = 0; before < k - last; before++)
            for (int after = last; after < k && !error; after++)
                if (before + 1 + after >= k)
                    error = count_line(c, word, (line){direction, before, after}, last);
    return error;
}

/* Count the runs of a rising and a falling line that meet on the other side of the cylinder, `last`
 * rows above. */
static int count_crossing(cylinder *c, int word, line rising, int last) {
    int k = c->cut.k, error = PLB_OK;
    for (int before = 0; before < k - last; before++)
        for (int after = last; after < k && !error; after++) {
            if (before + 1 + after < k) continue;
            begin_cut(c, word, 0);
            if (!place_line(c, rising) || !place_line(c, (line){0, after, before})) continue;
            memset(&c->marks, 0, sizeof c->marks);
            place_last_mark(c, last, c->cut.words->items[word].stones - 1 + last);
            c->marks.until = c->marks.last + 1;
            error = count_cut(c, c->cut.width);
        }
    return error;
}

static int count_crossings(cylinder *c, int word) {
    int k = c->cut.k, width = c->cut.width, error = PLB_OK;
    if (width % 2 || width == 2) return PLB_OK;
    for (int last = width / 2; last < k; last += width)
        for (int before = 0; before < k - last; before++)
            for (int after = last; after < k && !error; after++)
                if (before + 1 + after >= k)
                    error = count_crossing(c, word, (line){2, before, after}, last);
    return error;
}

int plb_cylinder_count(plb_sweep *sweep, plb_ply_count *plies) {
    const plb_frontier_board *b = &sweep->board;
    const plb_column_words *words = &sweep->automaton->words;
    cylinder c = {.sweep = sweep,
                  .cut = {.width = b->width, .height = b->height, .k = b->k, .words = words},
                  .plies = plies};
    c.cut.columns = calloc(b->width, sizeof *c.cut.columns);
    c.cut.exempt = calloc(b->width, sizeof *c.cut.exempt);
    int error = c.cut.columns && c.cut.exempt ? PLB_OK : PLB_ENOMEM;
    sweep->exchanges = false;
    memset(sweep->single_marks, 1, b->width);
    if (!error) error = count_plain(&c);
    if (!error) {
        c.apply = apply_marked;
        c.sweep->rotated = false;
        memset(c.sweep->single_marks, 0, sizeof c.sweep->single_marks);
        for (int word = 1; word < c.cut.words->count && !error; word++) {
            if (!may_be_first(&c, word)) continue;
            if (c.cut.k <= c.cut.width) error = count_lines(&c, word, 1);
            if (c.cut.k > c.cut.height) continue;
            if (!error) error = count_lines(&c, word, 2);
            if (!error) error = count_crossings(&c, word);
        }
    }
    free(c.cut.columns);
    free(c.cut.exempt);
    return error;
}
