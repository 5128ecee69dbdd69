/* SPDX-License-Identifier: MIT */
#include "tables/count/outer_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "tables/stop.h"
#include "tables/vocabulary.h"

enum { /* that wait, at most: the more, the more is the same */
       MOST_PAIRS = 1 << 18,
       MOST_LINES = 1 << 18,
       MOST_USES = 1 << 19,
       MOST_THREES = PLB_OUTER_MOST_TIMES / 8, /* each adds to a number not more than six times */
       MOST_COUNTS = 1 << 27,
       LEAST_ROOM = 1 << 8
};

/* Rows of both sides of a pair. */
typedef struct sides {
    plb_outer_rows of[PLB_OUTER_SIDES];
} sides;

void plb_outer_tasks_open(const plb_outer_columns *outer, bool open_only, plb_vectors vectors,
                          const volatile sig_atomic_t *stop, plb_outer_tasks *tasks) {
    plb_outer_tasks t = {.outer = outer,
                         .open_only = open_only,
                         .vectors = vectors,
                         .stop = stop,
                         .rows.bytes = sizeof(plb_outer_rows),
                         .lines.bytes = sizeof(plb_outer_line),
                         .sides.bytes = sizeof(sides)};
    *tasks = t;
}

void plb_outer_tasks_free(plb_outer_tasks *tasks) {
    plb_tuple_set_free(&tasks->rows);
    plb_tuple_set_free(&tasks->lines);
    plb_tuple_set_free(&tasks->sides);
    free(tasks->counts.items);
    free(tasks->line_uses.items);
    free(tasks->uses.items);
    free(tasks->pairs.items);
}

/* ---- room for what waits ---- */

/* Is there room for so many items? If not, there will be for twice as many as now, or for as many
 * as are needed; unless that is more than the most, or there is no memory for it. */
static bool has_room(plb_outer_array *a, size_t bytes, uint32_t needed, uint32_t most) {
    if (needed <= a->room) return true;
    uint32_t room = 2 * a->room > needed ? 2 * a->room : needed;
    if (room < LEAST_ROOM) room = LEAST_ROOM;
    if (room > most) room = most;
    void *grown = needed <= room ? realloc(a->items, room * bytes) : NULL;
    if (grown) *a = (plb_outer_array){grown, room};
    return grown;
}

static bool has_pair_room(plb_outer_tasks *t) {
    return has_room(&t->pairs, sizeof(plb_outer_pair), t->sides.count + 1, MOST_PAIRS);
}

static bool has_row_room(plb_outer_tasks *t) {
    uint32_t needed = (t->rows.count + PLB_OUTER_SIDES) * t->row_counts;
    return has_room(&t->counts, sizeof(uint16_t), needed, MOST_COUNTS);
}

static bool has_line_room(plb_outer_tasks *t) {
    return has_room(&t->line_uses, sizeof(uint32_t), t->lines.count + 1, MOST_LINES) &&
           has_room(&t->uses, sizeof(plb_outer_use), t->use_count + 1, MOST_USES);
}

/* ---- doing what waits ---- */

static plb_outer_batch begin_batch(const plb_outer_tasks *t) {
    return (plb_outer_batch){
        .class = t->kind.class, .balance = t->kind.balance, .open_only = t->open_only};
}

static void do_batch(const plb_outer_tasks *t, const plb_outer_batch *batch) {
    if (!plb_is_stopped(t->stop)) plb_outer_pairs_count(t->outer, batch, t->vectors);
}

static void flush_pairs(plb_outer_tasks *t) {
    plb_outer_batch batch = begin_batch(t);
    if (!t->sides.count) return;
    batch.sums = t->kind.sums;
    for (int fills = 0; fills < 2; fills++) batch.more[fills] = t->kind.more[fills];
    batch.pairs = t->pairs.items, batch.pair_count = t->sides.count;
    batch.rows = plb_tuple_set_at(&t->rows, 0), batch.row_count = t->rows.count;
    batch.counts = t->counts.items, batch.first_row = t->counted;
    do_batch(t, &batch);
    t->counted = t->rows.count;
    plb_tuple_set_clear(&t->sides);
}

/* Pairs hold numbers of rows. */
static void flush_rows(plb_outer_tasks *t) {
    flush_pairs(t);
    plb_tuple_set_clear(&t->rows);
    t->counted = 0;
}

static void flush_lines(plb_outer_tasks *t) {
    plb_outer_batch batch = begin_batch(t);
    if (!t->lines.count) return;
    batch.lines = plb_tuple_set_at(&t->lines, 0), batch.line_count = t->lines.count;
    batch.line_uses = t->line_uses.items, batch.uses = t->uses.items;
    do_batch(t, &batch);
    plb_tuple_set_clear(&t->lines);
    t->use_count = 0;
}

void plb_outer_tasks_flush(plb_outer_tasks *t) {
    flush_rows(t);
    flush_lines(t);
    t->threes = 0;
}

void plb_outer_tasks_begin(plb_outer_tasks *tasks, const plb_outer_kind *kind) {
    flush_pairs(tasks);
    if (kind->class != tasks->kind.class) plb_outer_tasks_flush(tasks);
    tasks->kind = *kind;
    tasks->row_counts = (uint32_t)plb_outer_steps(tasks->outer, kind->class) * PLB_OUTER_COUNTS;
}

/* ---- pairs ---- */

/* Lines through all three columns, by rows of an outer one. */
static plb_lines lines_of_side(plb_lines lines, int side) {
    return side ? plb_lines_next(lines) : plb_lines_before(lines);
}

/* Where these lines, of a colour, make groups on both sides, besides. */
static void add_rows(const plb_outer_tasks *t, plb_lines lines, int x, sides *to) {
    uint32_t height = (uint32_t)plb_low_bits(t->outer->classes->words->height);
    for (int s = 0; s < PLB_OUTER_SIDES && lines; s++)
        to->of[s].of[x] |= (uint16_t)(plb_lines_rows(lines_of_side(lines, s)) & height);
}

/* Which side is which does not matter. */
static bool is_swapped(const sides *s) {
    return memcmp(&s->of[0], &s->of[1], sizeof s->of[0]) > 0;
}

static sides in_order(const sides *s) {
    return is_swapped(s) ? (sides){{s->of[1], s->of[0]}} : *s;
}

/* Room for a pair more, where it has to be after what waits is done. */
static int make_pair_room(plb_outer_tasks *t) {
    if (!has_pair_room(t)) flush_pairs(t);
    if (!has_row_room(t)) flush_rows(t);
    return has_pair_room(t) && has_row_room(t) ? PLB_OK : PLB_ENOMEM;
}

/* The pair of these sides; NULL: there is no memory for it. */
static plb_outer_pair *find_pair(plb_outer_tasks *t, const sides *any_order) {
    sides s = in_order(any_order);
    if (make_pair_room(t)) return NULL;
    uint32_t known = t->sides.count;
    int64_t number = plb_tuple_set_add(&t->sides, &s);
    if (number < 0) return NULL;
    plb_outer_pair *pair = (plb_outer_pair *)t->pairs.items + number;
    if (number < known) return pair;
    *pair = (plb_outer_pair){.open = 0};
    for (int side = 0; side < PLB_OUTER_SIDES; side++) {
        int64_t rows = plb_tuple_set_add(&t->rows, &s.of[side]);
        if (rows < 0) return NULL;
        pair->rows[side] = (uint32_t)rows;
    }
    return pair;
}

/* A stone more, with rows that are others than those of the three. */
static int add_next(plb_outer_tasks *t, const plb_outer_next *next, int x, const sides *with,
                    uint32_t times) {
    plb_outer_pair *pair = find_pair(t, with);
    if (!pair) return PLB_ENOMEM;
    pair->ends[x][next->fills] += times;
    return PLB_OK;
}

/* ---- lines ---- */

/* The row of an outer column where the line of a bit makes a group that may be the only one; -1:
 * there is none. */
static int find_row(const plb_outer_tasks *t, plb_lines lines, int side, int at) {
    int direction = at / PLB_LINE_ROWS, steps = side ? 1 : -PLB_OUTER_BETWEEN;
    int row = at % PLB_LINE_ROWS + steps * (direction - 1);
    if (row < 0 || row >= t->outer->classes->words->height) return -1;
    return plb_lines_alone(lines) >> (direction * PLB_LINE_ROWS + row) & 1 ? row : -1;
}

/* Kinds come one after another, so the last use of a line is that of this kind, or there is none of
 * it yet. */
static int add_use(plb_outer_tasks *t, const plb_outer_line *line, uint32_t times) {
    if (!has_line_room(t)) flush_lines(t);
    if (!has_line_room(t)) return PLB_ENOMEM;
    uint32_t *line_uses = t->line_uses.items;
    plb_outer_use *uses = t->uses.items;
    uint32_t known = t->lines.count;
    int64_t number = plb_tuple_set_add(&t->lines, line);
    if (number < 0) return PLB_ENOMEM;
    uint32_t last = number < known ? line_uses[number] : 0;
    if (last && uses[last - 1].sums == t->kind.sums) {
        uses[last - 1].times += times;
        return PLB_OK;
    }
    uses[t->use_count++] = (plb_outer_use){t->kind.sums, times, last};
    line_uses[number] = t->use_count;
    return PLB_OK;
}

/* The line of a bit. */
static int add_line(plb_outer_tasks *t, const plb_outer_three *three, int x, int at,
                    const sides *of_three, uint32_t times) {
    bool swapped = is_swapped(of_three);
    sides s = in_order(of_three);
    plb_outer_line line = {.rows = {s.of[0], s.of[1]}, .x = (uint16_t)x};
    for (int side = 0; side < PLB_OUTER_SIDES; side++)
        line.row[side ^ swapped] =
            (int16_t)find_row(t, lines_of_side(three->lines[x], side), side, at);
    if (line.row[0] < 0 && line.row[1] < 0) return PLB_OK;
    for (int c = 0; c < PLB_OUTER_BETWEEN; c++)
        if (three->top[c] >> at & 1) line.before[line.tops++] = three->before[c];
    return add_use(t, &line, times);
}

static int add_lines(plb_outer_tasks *t, const plb_outer_three *three, const sides *of_three,
                     uint32_t times) {
    plb_lines tops = three->top[0] | three->top[1] | three->top[2];
    int error = PLB_OK;
    for (int x = 0; x < 2; x++)
        for (plb_lines left = three->lines[x] & tops; left && !error; left &= left - 1)
            error = add_line(t, three, x, plb_lowest(left), of_three, times);
    return error;
}

/* ---- three columns ---- */

/* Next stones, those first that add no rows: their pair is that of the three. */
static int add_nexts(plb_outer_tasks *t, const plb_outer_three *three, const sides *of_three,
                     plb_outer_pair *pair, uint32_t times) {
    sides with[2][PLB_OUTER_BETWEEN];
    bool is_other[2][PLB_OUTER_BETWEEN] = {{false}};
    int error = PLB_OK;
    for (int x = 0; x < 2; x++)
        for (int c = 0; c < PLB_OUTER_BETWEEN; c++) {
            const plb_outer_next *next = &three->next[c][x];
            if (!next->is_there) continue;
            with[x][c] = *of_three;
            add_rows(t, next->lines, x, &with[x][c]);
            is_other[x][c] = memcmp(&with[x][c], of_three, sizeof *of_three) != 0;
            if (!is_other[x][c]) pair->ends[x][next->fills] += times;
        }
    for (int x = 0; x < 2; x++)
        for (int c = 0; c < PLB_OUTER_BETWEEN && !error; c++)
            if (is_other[x][c]) error = add_next(t, &three->next[c][x], x, &with[x][c], times);
    return error;
}

int plb_outer_tasks_add(plb_outer_tasks *t, const plb_outer_three *three, uint32_t times) {
    sides of_three = {{{{0}}}};
    for (int x = 0; x < 2; x++) add_rows(t, three->lines[x], x, &of_three);
    if (t->threes > MOST_THREES) plb_outer_tasks_flush(t);
    t->threes += times;
    plb_outer_pair *pair = find_pair(t, &of_three);
    if (!pair) return PLB_ENOMEM;
    pair->open += times;
    if (t->open_only) return PLB_OK;
    int error = add_nexts(t, three, &of_three, pair, times);
    return error ? error : add_lines(t, three, &of_three, times);
}
