/* SPDX-License-Identifier: MIT
 *
 * A column more, all frontiers of a layer at once, by as many threads as there are readers.
 */
#include "tables/count/sweep_layers.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/stop.h"
#include "tables/vocabulary.h"

enum { FORK_FRONTIERS = 64 }; /* of a layer, at least, for a subtree to be worth a thread */

typedef plb_frontier_layer layer;

static layer empty_layer(const plb_column_reading *c) {
    return (layer){plb_frontier_list_of(&c->board), {.limbs = c->readers->sums.limbs}};
}

void plb_frontier_layer_free(layer *layer) {
    plb_frontier_list_free(&layer->frontiers);
    plb_ways_free(&layer->ways);
}

/* An empty layer, with the memory of the last one that was put aside: as a rule one of as many
 * stones. */
static layer take_spare(plb_column_reader *r) {
    return r->spares ? r->spare[--r->spares] : empty_layer(r->reading);
}

static void put_aside(plb_column_reader *r, layer *layer) {
    if (r->spares == PLB_SPARE_LAYERS) {
        plb_frontier_layer_free(layer);
        return;
    }
    plb_frontier_list_clear(&layer->frontiers);
    plb_ways_clear(&layer->ways);
    r->spare[r->spares++] = *layer;
}

static void free_spares(plb_column_reader *r) {
    while (r->spares) plb_frontier_layer_free(&r->spare[--r->spares]);
}

/* ---- readers ---- */

static plb_column_reader *find_free(const plb_column_reading *c) {
    for (int r = 0; r < c->threads; r++)
        if (!c->readers[r].is_busy) return &c->readers[r];
    return NULL;
}

/* A free reader, or NULL if there is none and nobody waits for one. */
static plb_column_reader *take_reader(plb_column_reading *c, bool waits) {
    pthread_mutex_lock(&c->lock);
    plb_column_reader *found = find_free(c);
    for (; !found && waits; found = find_free(c)) pthread_cond_wait(&c->one_is_free, &c->lock);
    if (found) found->is_busy = true;
    pthread_mutex_unlock(&c->lock);
    return found;
}

static void give_back(plb_column_reader *r) {
    pthread_mutex_lock(&r->reading->lock);
    r->is_busy = false;
    pthread_cond_signal(&r->reading->one_is_free);
    pthread_mutex_unlock(&r->reading->lock);
}

/* The first error ends the work of all. */
static int note_error(plb_column_reading *c, int error) {
    if (error) __atomic_store_n(&c->error, error, __ATOMIC_RELAXED);
    return error;
}

static int check_end(const plb_column_reading *c) {
    if (plb_is_stopped(c->work->stop)) return PLB_EINTERRUPTED;
    return __atomic_load_n(&c->error, __ATOMIC_RELAXED);
}

/* ---- how far it is ---- */

/* How long it takes to read a column, beside others: fitted to boards with k 4. Frontiers are most
 * where as many columns as a group has are to the left, and not all matter any more near the right.
 */
static double effort(const plb_frontier_board *board, int column) {
    static const double lacking[] = {1, 0.3, 0.02}, behind[] = {0.05, 0.6, 1, 0.5};
    int lack = board->k - 1 - column, left = board->width - 1 - column;
    return lacking[lack < 0 ? 0 : lack > 2 ? 2 : lack] * behind[left > 3 ? 3 : left];
}

/* The share of the columns of a slice that are read. */
static double share_of_columns(const plb_column_reading *c) {
    double all = 0, before = 0;
    for (int column = c->sliced_column; column < c->board.width; column++) {
        all += effort(&c->board, column);
        if (column < c->column) before += effort(&c->board, column);
    }
    return (before + c->read * effort(&c->board, c->column)) / all;
}

/* A share of a column more is read. */
static void advance(plb_column_reading *c, double share) {
    if (!c->work->advance || c->column < c->sliced_column) return;
    pthread_mutex_lock(&c->lock);
    c->read += share;
    c->work->advance(c->work->context, c->done + c->slice_share * share_of_columns(c));
    pthread_mutex_unlock(&c->lock);
}

/* ---- a column stone by stone ---- */

/* How all frontiers of a layer change together. */
typedef struct change {
    enum { BEGIN_COLUMN, END_COLUMN, PUT_STONE } kind;
    int row; /* END_COLUMN: height of the column; PUT_STONE: of the stone */
    bool x;
} change;

static bool change_frontier(const plb_column_reading *c, change change, plb_frontier *f) {
    if (change.kind == BEGIN_COLUMN) return plb_frontier_begin_column(&c->board, f);
    if (change.kind == END_COLUMN)
        return plb_frontier_end_column(&c->board, c->column, change.row, f);
    return plb_frontier_put(&c->board, c->column, change.row, change.x, f);
}

/* Find the places of PLB_FOUND_TOGETHER frontiers from a number on, or of those there are. */
static int change_frontiers(const plb_column_reading *c, change change, const layer *from,
                            uint32_t first, layer *to, int64_t *places) {
    plb_frontier next[PLB_FOUND_TOGETHER];
    uint32_t numbers[PLB_FOUND_TOGETHER], which[PLB_FOUND_TOGETHER];
    uint64_t end = plb_min((uint64_t)first + PLB_FOUND_TOGETHER, from->frontiers.count);
    int kept = 0;
    for (uint32_t f = first; f < end; f++) {
        plb_frontier_list_get(&from->frontiers, f, &next[kept]);
        places[f] = PLB_NOWHERE;
        if (change_frontier(c, change, &next[kept])) which[kept++] = f;
    }
    if (kept == 0) return PLB_OK;
    int error = plb_frontier_list_find_several(&to->frontiers, next, kept, numbers);
    for (int f = 0; f < kept && !error; f++) places[which[f]] = numbers[f];
    return error;
}

static int change_layer(plb_column_reader *r, change change, const layer *from, layer *to) {
    uint32_t all = from->frontiers.count;
    int64_t *places = malloc(((size_t)all + 1) * sizeof *places);
    int error = places ? PLB_OK : PLB_ENOMEM;
    *to = take_spare(r);
    for (uint64_t f = 0; f < all && !error; f += PLB_FOUND_TOGETHER)
        error = change_frontiers(r->reading, change, from, (uint32_t)f, to, places);
    plb_way_source source = {&from->ways, places};
    if (!error) error = plb_ways_gather(&source, 1, to->frontiers.count, &r->sums, &to->ways);
    free(places);
    return error;
}

/* The memory of whole layers, which are the largest, would be too much for those made of them. */
static int replace_layer(plb_column_reader *r, change change, layer *l) {
    layer from = *l;
    int error = change_layer(r, change, &from, l);
    plb_frontier_layer_free(&from);
    return error;
}

static int pass_word(plb_column_reader *r, const layer *l, int word) {
    const plb_word_visitor *visitor = r->reading->visitor;
    int error = PLB_OK;
    for (uint32_t f = 0; f < l->frontiers.count && !error; f++) {
        plb_passage p = {.ways = &l->ways, .from = f, .word = word, .times = 1};
        plb_frontier frontier;
        if ((error = check_end(r->reading))) break;
        plb_frontier_list_get(&l->frontiers, f, &frontier);
        error = visitor->visit(visitor->context, r, &p, &frontier);
    }
    return error;
}

/* ---- all words from above ---- */

/* Columns of a height with these stones from a row on. */
typedef struct subtree {
    const layer *from;
    uint32_t x;
    int height, row;
    double share; /* of the column */
} subtree;

/* A subtree with a stone more, which a thread has taken over. */
typedef struct branch {
    plb_column_reader *reader;
    const subtree *of;
    int letter, error;
} branch;

/* Do the lowest stones of a column so far, which is read down to a row, make a group? */
static bool has_column_group(const plb_column_reading *c, uint32_t x, int height, int row) {
    int k = c->automaton->words.k;
    uint32_t group = k < 32 ? (1U << k) - 1 : ~0U, lowest = x >> row & group;
    return row + k <= height && (lowest == 0 || lowest == group);
}

static int read_down(plb_column_reader **r, const subtree *s);

/* Is this stone below those of a subtree in the slice? Where colours may be exchanged it has words
 * with colours exchanged, too: the first letter that is given tells which. */
static bool is_read(const plb_column_reading *c, const subtree *s, int letter) {
    int row = s->row - 1, first = (c->slice.given < s->height ? c->slice.given : s->height) - 1;
    if (row > first || (row == first && c->exchanges)) return true;
    bool is_exchanged = c->exchanges && ((s->x ^ c->slice.x) >> first & 1);
    return plb_column_slice_has(&c->slice, row, is_exchanged ? !letter : letter);
}

/* Those of a subtree with this stone below. The reader may be another one afterwards. */
static int read_letter(plb_column_reader **r, const subtree *s, int letter) {
    plb_column_reading *c = (*r)->reading;
    const plb_board_column *column = &c->board.columns[c->column];
    int row = s->row - 1;
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): a row of the board */
    uint32_t x = s->x | (uint32_t)letter << row;
    double share = is_read(c, s, !letter) ? s->share / 2 : s->share;
    layer next;
    if (!is_read(c, s, letter)) return PLB_OK;
    if (!(column->may[letter] >> row & 1) || has_column_group(c, x, s->height, row)) {
        advance(c, share);
        return PLB_OK;
    }
    int error = change_layer(*r, (change){PUT_STONE, row, letter}, s->from, &next);
    if (!error) error = read_down(r, &(subtree){&next, x, s->height, row, share});
    put_aside(*r, &next);
    return note_error(c, error);
}

static void *run_branch(void *context) {
    branch *b = context;
    b->error = read_letter(&b->reader, b->of, b->letter);
    give_back(b->reader);
    return NULL;
}

/* Have a thread take over a branch, if one is free. */
static bool begin_branch(plb_column_reading *c, branch *b, pthread_t *thread) {
    pthread_attr_t attributes;
    b->reader = b->of->from->frontiers.count < FORK_FRONTIERS ? NULL : take_reader(c, false);
    if (!b->reader) return false;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PLB_COUNT_STACK_BYTES);
    bool begun = pthread_create(thread, &attributes, run_branch, b) == 0;
    pthread_attr_destroy(&attributes);
    if (!begun) give_back(b->reader);
    return begun;
}

/* While a thread waits for a branch, its reader is for others. */
static int read_down(plb_column_reader **r, const subtree *s) {
    plb_column_reading *c = (*r)->reading;
    branch other = {.of = s, .letter = 1};
    pthread_t thread;
    if (s->row == 0 || s->from->frontiers.count == 0) advance(c, s->share);
    if (s->from->frontiers.count == 0) return PLB_OK;
    if (s->row == 0)
        return pass_word(*r, s->from, plb_column_words_find(&c->automaton->words, s->x, s->height));
    bool begun = begin_branch(c, &other, &thread);
    int error = read_letter(r, s, 0);
    if (!begun) return error ? error : read_letter(r, s, 1);
    give_back(*r);
    pthread_join(thread, NULL);
    *r = take_reader(c, true);
    return error ? error : other.error;
}

/* ---- a column ---- */

/* Number what a reader has found as the first one does. */
static int renumber(plb_column_reader *first, plb_column_reader *r) {
    uint32_t *numbers = malloc(((size_t)r->frontiers.count + 1) * sizeof *numbers);
    int error = numbers ? PLB_OK : PLB_ENOMEM;
    for (uint32_t f = 0; f < r->frontiers.count && !error; f++) {
        plb_frontier frontier;
        plb_frontier_list_get(&r->frontiers, f, &frontier);
        error = plb_frontier_list_find(&first->frontiers, &frontier, &numbers[f]);
    }
    for (uint32_t o = 0; o < r->parts.owners && !error; o++)
        r->parts_to[o] = numbers[r->parts_to[o]];
    free(numbers);
    return error;
}

/* Put together what all readers have found. */
static int gather_layer(plb_column_reading *c, layer *l) {
    plb_column_reader *first = c->readers;
    plb_way_source *sources = calloc(c->threads, sizeof *sources);
    int error = sources ? PLB_OK : PLB_ENOMEM;
    for (int r = 0; r < c->threads && !error; r++) {
        free_spares(&first[r]);
        if (r) error = renumber(first, &first[r]);
        sources[r] = (plb_way_source){&first[r].parts, first[r].parts_to};
    }
    *l = empty_layer(c);
    if (!error)
        error =
            plb_ways_gather(sources, c->threads, first->frontiers.count, &first->sums, &l->ways);
    l->frontiers = first->frontiers;
    first->frontiers = plb_frontier_list_of(&c->board);
    for (int r = 0; r < c->threads; r++) {
        plb_frontier_list_free(&first[r].frontiers);
        plb_ways_free(&first[r].parts);
    }
    free(sources);
    return error;
}

/* One column more, of which the frontiers are begun: of every height, the highest first. */
static int read_begun_column(plb_column_reading *c, layer *l) {
    const double share_of_highest =
        0.46; /* of words: there are 1.84 times as many of each height */
    plb_column_reader *r = take_reader(c, true);
    int error = PLB_OK;
    double left = 1;
    for (int height = c->slice.most; height >= c->slice.least && !error; height--) {
        double share = height == c->slice.least ? left : left * share_of_highest;
        left -= share;
        error = replace_layer(r, (change){.kind = END_COLUMN, .row = height}, l);
        if (!error) error = read_down(&r, &(subtree){l, 0, height, height, share});
    }
    give_back(r);
    plb_frontier_layer_free(l);
    return error ? error : gather_layer(c, l);
}

plb_column_slice plb_layers_all_words(const plb_column_reading *c, int column) {
    return plb_column_slice_of(column, c->board.columns[column].least,
                               c->board.columns[column].most);
}

static void begin_slice(plb_column_reading *c, const plb_column_slice *slice) {
    int column = slice->column;
    c->column = column;
    c->read = 0;
    c->slice = *slice;
    for (int r = 0; r < c->threads; r++)
        c->readers[r].sums.stride = (column + 1) * c->board.height / 2 + 2;
}

int plb_layers_read_column(plb_column_reading *c, int column, layer *l) {
    plb_column_slice all = plb_layers_all_words(c, column);
    begin_slice(c, &all);
    int error = replace_layer(c->readers, (change){.kind = BEGIN_COLUMN}, l);
    return error ? error : read_begun_column(c, l);
}

int plb_layers_read_slice(plb_column_reading *c, const layer *from, const plb_column_slice *slice,
                          layer *to) {
    begin_slice(c, slice);
    int error = change_layer(c->readers, (change){.kind = BEGIN_COLUMN}, from, to);
    return error ? error : read_begun_column(c, to);
}

int plb_layers_begin(plb_column_reading *c, layer *l) {
    plb_frontier nothing;
    const uint8_t one[PLB_WAY_BYTES] = {1};
    uint32_t number;
    memset(&nothing, 0, sizeof nothing);
    *l = empty_layer(c);
    int64_t first = plb_count_states_first(&c->states);
    if (first < 0) return (int)first;
    plb_way_run run = {.state = (uint32_t)first, .count = 1, .bytes = 1};
    int error = plb_frontier_list_find(&l->frontiers, &nothing, &number);
    if (!error) error = plb_way_sums_add(&c->readers->sums, &run, one, 1);
    return error ? error : plb_way_sums_take(&c->readers->sums, &l->ways);
}

void plb_layers_clear_reader(plb_column_reader *r) {
    plb_frontier_list_free(&r->frontiers);
    plb_ways_free(&r->parts);
    plb_way_sums_free(&r->sums);
    free(r->parts_to);
    r->parts_to = NULL;
    r->parts_room = 0;
    free_spares(r);
}

void plb_layers_clear_readers(plb_column_reading *c) {
    for (int i = 0; i < c->threads; i++) plb_layers_clear_reader(&c->readers[i]);
    c->error = PLB_OK;
}
