/* SPDX-License-Identifier: MIT
 *
 * For three columns u, v, w the fourth columns with which they have an order (fourth_column.h), and
 * which of these make no group with them: a group that crosses columns is a line of one stone in
 * each, so three stones of one colour on a line forbid a row of the fourth column to that colour.
 * Of a position and its mirror image the one is counted where v has a lower number than w, and both
 * where v is w.
 *
 * Open positions are the words that are left. A terminal position is one of these with one stone
 * more that completes a group, but there may be two such stones or more, and it is one position:
 *
 *     a group in a column    it was completed by its top stone alone
 *     one on a line          by any of its stones that is a top stone, and without which the
 *                            columns have an order; if it is the only group. Else the groups have
 *                            just one stone in common.
 *
 * So what is counted are stones that complete groups, less what there are more than one of them in
 * a position with a single group.
 */
#include "tables/four_columns.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/fourth_column.h"
#include "tables/vocabulary.h"
#include "tables/wide.h"

/* Vectors are passed to functions that are always inlined: no other code has to agree on how. */
#pragma GCC diagnostic ignored "-Wpsabi"

enum { COLUMNS = 4, MOST_ROWS = 13, FIELD = 16, MOST_BLOCKS = 4 };

/* Sums of one thread, by the stones of three columns and the place of the fourth in sets: an array
 * [3 * height + 1][balances][room] each. */
typedef struct sums {
    uint64_t *open;    /* open positions */
    uint64_t *ends;    /* stones that complete a group, if they fall onto them */
    uint64_t *repeats; /* of terminal positions: stones that complete the group, less one */
} sums;

typedef struct four_columns {
    const plb_count_board *board;
    const plb_column_words *words;
    const plb_count_work *work;
    plb_column_classes classes;
    plb_fourth_columns fourth;
    plb_ply_count *plies;
    double part_share;             /* that a part may have, of all */
    const plb_column_slice *slice; /* of the words of u */
    pthread_mutex_t lock;          /* guards what follows */
    int next;                      /* word u that nobody has begun */
    double done;                   /* share of what is counted */
    int error;
} four_columns;

bool plb_four_columns_can_count(const plb_count_board *board) {
    return board->width == COLUMNS && board->k >= COLUMNS && board->height <= MOST_ROWS &&
           !board->cylinder;
}

/* ---- lines ---- */

/* Lines with stones of one colour in some columns: a field for each direction, with a bit for the
 * row of the line in the next column. Two columns have a line with a third one, three with the
 * fourth. */
typedef uint64_t lines;
static const lines each_direction = 0x000100010001, falling = 0xFFFF;
static const lines level = falling << FIELD, rising = falling << 2 * FIELD;

static lines join_columns(const four_columns *f, lines u, lines v) {
    if (f->board->k > COLUMNS) return 0;
    return (u >> 2 & v >> 1) | (u & v) << FIELD | (u << 2 & v << 1) << 2 * FIELD;
}

static lines join_third(lines two, lines w) {
    lines three = two & w * each_direction;
    return (three & falling) >> 1 | (three & level) | (three & rising) << 1;
}

static uint32_t any_direction(lines three) {
    return (three | three >> FIELD | three >> 2 * FIELD) & falling;
}

/* Those that meet no other one in the fourth column. */
static lines alone(lines three) {
    lines twice = three | three << 3 * FIELD;
    return three & ~(twice >> FIELD | twice >> 2 * FIELD);
}

static uint32_t stones_of(const plb_column_word *w, int x) {
    return x ? w->x : ~w->x & (uint32_t)plb_low_bits(w->stones);
}

/* The row above a column, if a stone of this colour may fall there without a group in it. */
static uint32_t place_on(const plb_column_word *w, int x) {
    return w->with[x] == PLB_NO_WORD ? 0 : 1U << w->stones;
}

/* Does it complete a group in the column? */
static bool ends_on(const four_columns *f, const plb_column_word *w, int x) {
    return w->with[x] == PLB_NO_WORD && w->stones < f->board->height;
}

/* The lines, in the row of the fourth column, that the top stone of column 0, 1 or 2 lies on. */
static lines lines_of_top(const plb_column_word *w, int column) {
    lines top = w->stones ? 1ULL << (w->stones - 1) : 0;
    int to_fourth = 3 - column;
    return top >> to_fourth | top << FIELD | top << to_fourth << 2 * FIELD;
}

/* Two columns: what is the same for all third ones. Arrays [2] are by colour, 1 for x. */
typedef struct two_columns {
    const four_columns *f;
    int u, v;
    const uint32_t *classes, *less_u, *less_v; /* [words] of three: with all stones; without the top
                                                  of u, of v; NULL: it is empty */
    lines lines[2];
    lines ends_u[2], ends_v[2]; /* with a stone that falls onto u, onto v */
    int ends[2];                /* stones that complete a group in u or v */
    lines tops_u, tops_v;       /* that their top stones lie on */
    const sums *sums;
} two_columns;

/* Three columns. Rows of the fourth column are bits, those for x after those for o. */
typedef struct three_columns {
    const two_columns *two;
    const plb_column_word *w;
    int balance;         /* of the class, less the least */
    const uint64_t *set; /* of the fourth column */
    const uint64_t *growing;
    uint32_t less[3]; /* classes without the top of u, v, w */
    lines lines[2], top_w;
    uint64_t rows;        /* where lines lead to */
    uint64_t end_rows[3]; /* with a stone that falls onto u, v, w */
    int ends[2];          /* stones that complete a group in u, v, w */
    size_t place, base;   /* of its balance in masks; of its sums */
} three_columns;

static uint64_t rows_of(const four_columns *f, uint32_t o, uint32_t x) {
    uint64_t rows = plb_low_bits(f->board->height);
    return (o & rows) | (x & rows) << f->board->height;
}

/* ---- sets ---- */

/* Some words of a set. */
typedef uint64_t lanes __attribute__((vector_size(8 * PLB_FOURTH_LANES), aligned(8)));

PLB_ALWAYS_INLINE lanes lanes_at(const uint64_t *set, size_t at) {
    return *(const lanes *)(set + at);
}

PLB_ALWAYS_INLINE lanes count_bits(lanes set) {
    uint64_t words[PLB_FOURTH_LANES];
    memcpy(words, &set, sizeof words);
    for (int i = 0; i < PLB_FOURTH_LANES; i++) words[i] = (uint64_t)plb_popcount(words[i]);
    return lanes_at(words, 0);
}

PLB_ALWAYS_INLINE void add_lanes(lanes from, uint64_t *sums, size_t at) {
    *(lanes *)(sums + at) += from;
}

/* The columns of a set that make no group with three. */
PLB_ALWAYS_INLINE lanes leave_open(const three_columns *t, uint64_t rows, size_t at, lanes set) {
    const plb_fourth_columns *f = &t->two->f->fourth;
    const uint64_t *without = plb_fourth_masks(f, t->balance, PLB_FOURTH_WITHOUT);
    for (; rows; rows &= rows - 1) set &= lanes_at(without, plb_lowest(rows) * f->room + at);
    return set;
}

/* ---- open positions, and stones that complete a group ---- */

/* Some blocks of lanes of a set from a place on. */
PLB_ALWAYS_INLINE void count_blocks(const three_columns *t, size_t at, int blocks) {
    const four_columns *board = t->two->f;
    const plb_fourth_columns *f = &board->fourth;
    const uint64_t *without = plb_fourth_masks(f, t->balance, PLB_FOURTH_WITHOUT) + at;
    const uint64_t *grows = plb_fourth_masks(f, t->balance, PLB_FOURTH_GROWS) + at;
    const uint64_t *meets = plb_fourth_masks(f, t->balance, PLB_FOURTH_MEETS) + at;
    lanes open[MOST_BLOCKS], hits[MOST_BLOCKS], sum[MOST_BLOCKS];
    for (int b = 0; b < blocks; b++) {
        open[b] = lanes_at(t->set + at, b * PLB_FOURTH_LANES);
        hits[b] = lanes_at(f->ends + t->place + at, b * PLB_FOURTH_LANES);
    }
    for (uint64_t rows = t->rows; rows; rows &= rows - 1) {
        size_t row = plb_lowest(rows) * f->room;
        for (int b = 0; b < blocks; b++) {
            open[b] &= lanes_at(without, row + b * PLB_FOURTH_LANES);
            hits[b] |= lanes_at(grows, row + b * PLB_FOURTH_LANES);
        }
    }
    for (int b = 0; b < blocks; b++) {
        size_t lane = at + b * PLB_FOURTH_LANES;
        lanes count = count_bits(open[b]), even = lanes_at(f->is_even + t->place, lane);
        lanes times = (even & (uint64_t)t->ends[1]) | (~even & (uint64_t)t->ends[0]);
        add_lanes(count, t->two->sums->open, t->base + lane);
        sum[b] = count * times + count_bits(open[b] & hits[b]);
    }
    if (board->board->open_only) return;
    for (int column = 0; column < 3; column++) {
        if (t->end_rows[column] == 0) continue;
        for (int b = 0; b < blocks; b++) hits[b] = (lanes){0};
        for (uint64_t rows = t->end_rows[column]; rows; rows &= rows - 1)
            for (int b = 0; b < blocks; b++)
                hits[b] |= lanes_at(meets, plb_lowest(rows) * f->room + b * PLB_FOURTH_LANES);
        for (int b = 0; b < blocks; b++) sum[b] += count_bits(open[b] & hits[b]);
    }
    for (int b = 0; b < blocks; b++)
        add_lanes(sum[b], t->two->sums->ends, t->base + at + b * PLB_FOURTH_LANES);
}

PLB_ALWAYS_INLINE void count_all_blocks(const three_columns *t) {
    const plb_fourth_columns *f = &t->two->f->fourth;
    size_t size = f->odd[t->balance] + f->odd[t->balance + 1];
    for (size_t at = 0; at < size; at += MOST_BLOCKS * PLB_FOURTH_LANES) switch (size - at) {
            case 1 * PLB_FOURTH_LANES:
                count_blocks(t, at, 1);
                break;
            case 2 * PLB_FOURTH_LANES:
                count_blocks(t, at, 2);
                break;
            case 3 * PLB_FOURTH_LANES:
                count_blocks(t, at, 3);
                break;
            default:
                count_blocks(t, at, MOST_BLOCKS);
                break;
        }
}

/* ---- several stones that complete the same group ---- */

/* Top stones of `count` of three columns, and maybe that of the fourth, lie on a line to this row;
 * it is the only group. before: sets [count] without one of these. */
PLB_ALWAYS_INLINE void count_repeats(const three_columns *t, int x, int row,
                                     const uint64_t *const before[3], int count) {
    const plb_fourth_columns *f = &t->two->f->fourth;
    size_t of_row = (size_t)(x * f->height + row), odd = f->odd[t->balance];
    const uint64_t *tops = plb_fourth_masks(f, t->balance, PLB_FOURTH_TOPS) + of_row * f->room;
    const uint64_t *has = plb_fourth_masks(f, t->balance, PLB_FOURTH_HAS) + of_row * f->room;
    uint64_t others = t->rows & ~(1ULL << of_row);
    size_t end = x ? odd + f->odd[t->balance + 1] : odd;
    for (size_t begin = x ? odd : 0, at = begin; at < end; at += PLB_FOURTH_LANES) {
        if (count == 1 && f->stones[t->place + at] > row + 1) break;
        lanes top = lanes_at(tops, at), repeats = {0};
        lanes all = lanes_at(t->set, at) & (count == 1 ? top : lanes_at(has, at));
        all = leave_open(t, others, at, all);
        lanes any = all & top & lanes_at(t->growing, at);
        repeats += count_bits(any);
        for (int c = 0; c < count; c++) {
            lanes one = all & lanes_at(before[c], at - begin);
            any |= one;
            repeats += count_bits(one);
        }
        add_lanes(repeats - count_bits(any), t->two->sums->repeats, t->base + at);
    }
}

/* The set without a top stone that was the last, from the balance on that fourth columns have with
 * which the stone was. */
static const uint64_t *set_before(const four_columns *f, uint32_t class, int x) {
    const plb_fourth_columns *fourth = &f->fourth;
    return fourth->sets + class * fourth->room + (x ? 0 : fourth->odd[fourth->balance[class]]);
}

/* Where the top stones of columns of a balance can lie: in every second row. */
static lines top_rows(const four_columns *f, int balance) {
    return ((f->fourth.least + balance) % 2 ? 0x5555 : 0xAAAA) * each_direction;
}

PLB_ALWAYS_INLINE void count_line_repeats(const three_columns *t, int x) {
    const two_columns *two = t->two;
    const four_columns *f = two->f;
    lines rows = plb_low_bits(f->board->height) * each_direction;
    lines of[3] = {two->tops_u, two->tops_v, t->top_w};
    for (int c = 0; c < 3; c++)
        if (t->less[c] == PLB_DEAD_CLASS) of[c] = 0;
    lines tops = alone(t->lines[x]) & rows & (of[0] | of[1] | of[2]);
    lines twice = (of[0] & of[1]) | (of[0] & of[2]) | (of[1] & of[2]);
    for (tops &= twice | top_rows(f, t->balance + x); tops; tops &= tops - 1) {
        int line = plb_lowest(tops), count = 0;
        const uint64_t *before[3];
        for (int c = 0; c < 3; c++)
            if (of[c] >> line & 1) before[count++] = set_before(f, t->less[c], x);
        count_repeats(t, x, line % FIELD, before, count);
    }
}

/* ---- three columns ---- */

PLB_ALWAYS_INLINE void count_three(const three_columns *t) {
    count_all_blocks(t);
    if (t->two->f->board->open_only) return;
    for (int x = 0; x < 2; x++) count_line_repeats(t, x);
}

PLB_AVX512 static void count_three_avx512(const three_columns *t) {
    count_three(t);
}

static void count_three_anywhere(const three_columns *t) {
    count_three(t);
}

typedef void three_counter(const three_columns *t);

static three_counter *choose_counter(void) {
    return plb_has_avx512() ? count_three_avx512 : count_three_anywhere;
}

/* With their lines. */
static void join_three(const two_columns *two, three_columns *t) {
    const four_columns *f = two->f;
    uint32_t rows[2], ends[3][2];
    for (int x = 0; x < 2; x++) {
        uint32_t stones = stones_of(t->w, x);
        t->lines[x] = join_third(two->lines[x], stones);
        rows[x] = any_direction(t->lines[x]);
        ends[0][x] = any_direction(join_third(two->ends_u[x], stones));
        ends[1][x] = any_direction(join_third(two->ends_v[x], stones));
        ends[2][x] = any_direction(join_third(two->lines[x], place_on(t->w, x)));
        t->ends[x] = two->ends[x] + ends_on(f, t->w, x);
    }
    t->rows = rows_of(f, rows[0], rows[1]);
    t->top_w = lines_of_top(t->w, 2);
    for (int c = 0; c < 3; c++) t->end_rows[c] = rows_of(f, ends[c][0], ends[c][1]);
}

static void join_two(two_columns *two) {
    const four_columns *f = two->f;
    const plb_column_word *u = &f->words->items[two->u], *v = &f->words->items[two->v];
    for (int x = 0; x < 2; x++) {
        uint32_t ux = stones_of(u, x), vx = stones_of(v, x);
        two->lines[x] = join_columns(f, ux, vx);
        two->ends_u[x] = join_columns(f, place_on(u, x), vx);
        two->ends_v[x] = join_columns(f, ux, place_on(v, x));
        two->ends[x] = ends_on(f, u, x) + ends_on(f, v, x);
    }
    two->tops_u = lines_of_top(u, 0);
    two->tops_v = lines_of_top(v, 1);
}

static const uint32_t *classes_after(const four_columns *f, int u, int v) {
    uint32_t one = plb_column_class_next(&f->classes, 0, PLB_EMPTY_CLASS, u);
    uint32_t two = plb_column_class_next(&f->classes, 1, one, v);
    return plb_row_set_at(&f->classes.layers[2], two);
}

/* With all third columns from v on. */
static void count_two(const four_columns *f, int u, int v, const sums s[2]) {
    const plb_column_word *items = f->words->items;
    const plb_fourth_columns *fourth = &f->fourth;
    three_counter *count = choose_counter();
    two_columns two = {.f = f, .u = u, .v = v, .classes = classes_after(f, u, v)};
    if (u) two.less_u = classes_after(f, items[u].below, v);
    if (v) two.less_v = classes_after(f, u, items[v].below);
    join_two(&two);
    for (int w = v; w < f->words->count; w++) {
        uint32_t class = two.classes[w];
        if (class == PLB_DEAD_CLASS) continue;
        three_columns t = {.two = &two, .w = &items[w], .balance = fourth->balance[class]};
        size_t stones = items[u].stones + items[v].stones + items[w].stones;
        t.set = fourth->sets + class * fourth->room;
        t.growing = fourth->growing + class * fourth->room;
        t.less[0] = u ? two.less_u[w] : PLB_DEAD_CLASS;
        t.less[1] = v ? two.less_v[w] : PLB_DEAD_CLASS;
        t.less[2] = w ? two.classes[items[w].below] : PLB_DEAD_CLASS;
        t.place = t.balance * fourth->room;
        t.base = stones * fourth->balances * fourth->room + t.place;
        two.sums = &s[w != v];
        join_three(&two, &t);
        count(&t);
    }
}

/* ---- threads ---- */

typedef struct worker {
    four_columns *f;
    sums sums[2]; /* of three columns that stand for their mirror image, too: the second ones */
    pthread_t thread;
    bool is_begun;
} worker;

static void *run_worker(void *context) {
    worker *k = context;
    four_columns *f = k->f;
    const plb_count_work *work = f->work;
    for (;;) {
        pthread_mutex_lock(&f->lock);
        while (f->next < f->words->count &&
               !plb_column_slice_has_word(f->slice, &f->words->items[f->next]))
            f->next++;
        int u = f->next++;
        bool ends = f->error || u >= f->words->count;
        pthread_mutex_unlock(&f->lock);
        if (ends) return NULL;
        for (int v = 0; v < f->words->count; v++) count_two(f, u, v, k->sums);
        pthread_mutex_lock(&f->lock);
        if (work->stop && *work->stop) f->error = PLB_EINTERRUPTED;
        f->done += 1.0 / f->words->count;
        if (work->advance) work->advance(work->context, f->done);
        pthread_mutex_unlock(&f->lock);
    }
}

static int begin_worker(four_columns *f, worker *k) {
    size_t length = (3 * f->board->height + 1) * f->fourth.balances * f->fourth.room;
    *k = (worker){.f = f};
    for (int i = 0; i < 2; i++) {
        uint64_t *room = calloc(3 * length, sizeof *room);
        if (!room) return PLB_ENOMEM;
        k->sums[i] = (sums){room, room + length, room + 2 * length};
    }
    return PLB_OK;
}

static void add_sums(const four_columns *f, const sums *s, int times, plb_ply_count *plies) {
    size_t at = 0;
    for (int stones = 0; stones <= 3 * f->board->height; stones++)
        for (size_t i = 0; i < f->fourth.balances * f->fourth.room; i++, at++) {
            plb_ply_count *ply = &plies[stones + f->fourth.stones[i]];
            ply->total += times * (s->open[at] - s->repeats[at]);
            ply->terminal -= times * s->repeats[at];
            if (s->ends[at] == 0) continue;
            ply[1].total += times * s->ends[at];
            ply[1].terminal += times * s->ends[at];
        }
}

/* All positions whose first column is of a slice. */
static int count_slice(four_columns *f, const plb_column_slice *slice, plb_ply_count *plies) {
    int threads = f->work->threads > 1 ? f->work->threads : 1, error = PLB_OK;
    worker *workers = calloc(threads, sizeof *workers);
    if (!workers) return PLB_ENOMEM;
    f->slice = slice;
    f->next = 0;
    for (int i = 0; i < threads && !error; i++) error = begin_worker(f, &workers[i]);
    for (int i = 1; i < threads && !error; i++)
        workers[i].is_begun =
            pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) == 0;
    if (!error) run_worker(&workers[0]);
    for (int i = 0; i < threads; i++)
        if (workers[i].is_begun) pthread_join(workers[i].thread, NULL);
    if (!error) error = f->error;
    for (int i = 0; i < threads; i++)
        for (int s = 0; s < 2; s++) {
            if (!error) add_sums(f, &workers[i].sums[s], s + 1, plies);
            free(workers[i].sums[s].open);
        }
    free(workers);
    f->slice = NULL;
    return error;
}

/* ---- parts ---- */

static int count_part(four_columns *f, const plb_column_slice *slice, bool is_whole) {
    const plb_count_keeper *keeper = f->work->keeper;
    int plies = COLUMNS * f->board->height + 1;
    plb_ply_count *found = calloc(plies + 1, sizeof *found);
    if (!found) return PLB_ENOMEM;
    int error = count_slice(f, slice, found);
    if (!error && keeper && !is_whole) error = keeper->keep(keeper->context, slice, found);
    for (int ply = 0; ply < plies && !error; ply++) {
        f->plies[ply].total += found[ply].total;
        f->plies[ply].terminal += found[ply].terminal;
    }
    free(found);
    return error;
}

/* Unless it is kept; in smaller slices where some of them are, or where this one is too large. */
static int count_parts(four_columns *f, const plb_column_slice *slice) {
    const plb_count_keeper *keeper = f->work->keeper;
    double share = plb_column_slice_share(slice, f->words);
    plb_kept kept = keeper ? keeper->find(keeper->context, slice, f->plies) : PLB_KEPT_NOTHING;
    plb_column_slice halves[2];
    if (kept == PLB_KEPT_ALL) {
        f->done += share;
        return PLB_OK;
    }
    bool is_cut = kept == PLB_KEPT_PARTS || (keeper && share > f->part_share);
    if (!is_cut || !plb_column_slice_cut(slice, halves)) return count_part(f, slice, share == 1);
    int error = count_parts(f, &halves[0]);
    return error ? error : count_parts(f, &halves[1]);
}

int plb_four_columns_count(const plb_count_board *board, const plb_column_words *words,
                           const plb_count_work *work, plb_ply_count *plies) {
    /* 64 bits of sums suffice: a board of 13 rows has less than 2^45 positions */
    four_columns f = {.board = board, .words = words, .work = work, .plies = plies};
    plb_column_slice all = plb_column_slice_of(0, board->height);
    int error = plb_column_classes_make(COLUMNS, words, UINT32_MAX, work->stop, &f.classes);
    if (error) return error;
    if (work->keeper)
        f.part_share = work->keeper->part_seconds / plb_four_columns_seconds(board, words->count);
    pthread_mutex_init(&f.lock, NULL);
    error = plb_fourth_columns_make(&f.classes, &f.fourth);
    plb_row_set_free(&f.classes.layers[3]);
    if (!error) error = count_parts(&f, &all);
    plb_fourth_columns_free(&f.fourth);
    pthread_mutex_destroy(&f.lock);
    plb_column_classes_free(&f.classes);
    return error;
}

/* Fitted to boards with k 4 of 7 to 11 rows. */
double plb_four_columns_seconds(const plb_count_board *board, double words) {
    return (board->open_only ? 2e-8 : 5e-8) * words * words * words;
}
