/* SPDX-License-Identifier: MIT
 *
 * Batches. The low words with j ones are the same in all batches, so a plane of each low stone is
 * made once for each j. If the high stones of a group are all of one player, the AND of the planes
 * of its low stones says where the player has the group. With fewer than 14 stones in all, the
 * first entries of a plane are the words without the missing stones, in the same order.
 */
#include "tables/codec/colour_features.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tables/binomial.h"
#include "tables/cpu_dispatch.h"
#include "tables/games/rules.h"

enum { LOW = PLB_BATCH_STONES, LOW_MASK = (1 << LOW) - 1, CHUNK_WORDS = 8 };

static uint8_t low_stones[LOW + 1][PLB_BATCH_ENTRIES];
static plb_batch_plane stone_planes[LOW + 1][LOW]; /* [ones][stone] words in which the stone is x */

static void fill_stone_planes(void) {
    int count[LOW + 1] = {0};
    for (int word = 0; word <= LOW_MASK; word++) {
        int ones = plb_popcount(word), at = count[ones]++;
        low_stones[ones][at] = (uint8_t)word;
        for (unsigned left = word; left; left &= left - 1)
            stone_planes[ones][plb_lowest(left)][at / 64] |= 1ULL << at % 64;
    }
}

/* The stones on occupied cells of a group, as a word: high stones and low stones. */
typedef struct line {
    uint64_t high;
    unsigned low;
} line;

/* The lines of groups with one empty cell; those of cell c are lines [first[c], first[c + 1]). */
typedef struct cell_lines {
    line lines[PLB_MAX_GROUPS];
    int first[PLB_MAX_CELLS + 1];
} cell_lines;

/* The low stones of a line: the offsets of the planes of three of them (with fewer, one repeats),
 * and a bit mask of the others. */
typedef struct low_line {
    uint16_t planes[3], others;
} low_line;

/* Lines [first, last) of a batch that a player has if their low stones are the player's; `always`:
 * a line without low stones, which the player has in the whole batch. */
typedef struct open_lines {
    int first, last;
    bool always;
} open_lines;

/* Words [first, end) of a plane. */
typedef struct word_range {
    int first, end;
} word_range;

struct plb_colour_cursor {
    const plb_game *game;
    int stones, ones;
    bool x_moves;
    uint64_t occupied, playable, empty;
    uint64_t from, until;        /* ranks of the slab that are wanted */
    const uint64_t *quiet;       /* the quiet ranks from `from` on, if they are known, .. */
    uint64_t quiet_at;           /* .. begin at this bit */
    word_range made;             /* the words of the planes of the batch that exist */
    bool is_kept;                /* the current batch is also the next one */
    line groups[PLB_MAX_GROUPS]; /* [group_count] groups whose cells are all occupied */
    int group_count;
    cell_lines near;
    uint64_t high;                          /* the high stones of the batch, as a word */
    low_line low_lines[2 * PLB_MAX_GROUPS]; /* [low_line_count] of the batch; ranges of it: */
    int low_line_count;
    open_lines whole[2], threats[PLB_MAX_CELLS][2]; /* [x] of groups; [cell][x] of near */
    plb_colour_batch batch;
};

int plb_colour_cursor_open(const plb_game *game, plb_colour_cursor **cursor) {
    static pthread_once_t filled = PTHREAD_ONCE_INIT;
    pthread_once(&filled, fill_stone_planes);
    plb_colour_cursor *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->game = game;
    *cursor = made;
    return PLB_OK;
}

void plb_colour_cursor_close(plb_colour_cursor *cursor) {
    free(cursor);
}

/* ---- the lines of a slab ---- */

static line make_line(uint64_t cells, uint64_t occupied) {
    uint64_t word = 0;
    for (; cells; cells &= cells - 1)
        word |= 1ULL << plb_popcount(occupied & ((cells & -cells) - 1));
    return (line){word >> LOW, (unsigned)(word & LOW_MASK)};
}

/* The empty cell of a group, if it has exactly one; else -1. */
static int missing_cell(uint64_t group, uint64_t occupied) {
    uint64_t missing = group & ~occupied;
    return missing && !(missing & (missing - 1)) ? plb_lowest(missing) : -1;
}

static int low_ones(const plb_colour_cursor *cursor) {
    return cursor->ones - plb_popcount(cursor->high);
}

static void begin_slab(plb_colour_cursor *cursor, uint64_t occupied) {
    cursor->occupied = occupied;
    cursor->stones = plb_popcount(occupied);
    cursor->ones = plb_ply_ones(cursor->stones);
    cursor->x_moves = plb_ply_x_moves(cursor->stones);
    cursor->playable = plb_game_playable(cursor->game, occupied);
    cursor->empty = cursor->game->board & ~occupied;
    const plb_game *game = cursor->game;
    int next[PLB_MAX_CELLS + 1] = {0};
    for (int g = 0; g < game->group_count; g++) {
        int cell = missing_cell(game->groups[g], occupied);
        if (cell >= 0) next[cell + 1]++;
    }
    for (int c = 0; c < PLB_MAX_CELLS; c++) next[c + 1] += next[c];
    memcpy(cursor->near.first, next, sizeof next);
    cursor->group_count = 0;
    for (int g = 0; g < game->group_count; g++) {
        int cell = missing_cell(game->groups[g], occupied);
        if (cell >= 0)
            cursor->near.lines[next[cell]++] = make_line(game->groups[g] & occupied, occupied);
        else if ((game->groups[g] & ~occupied) == 0)
            cursor->groups[cursor->group_count++] = make_line(game->groups[g], occupied);
    }
    memset(cursor->threats, 0, sizeof cursor->threats);
}

/* The words of the batch that are wanted, from the beginning of a chunk on. */
static word_range wanted_words(const plb_colour_cursor *cursor) {
    const plb_colour_batch *batch = &cursor->batch;
    uint64_t first = cursor->from > batch->rank ? cursor->from - batch->rank : 0;
    uint64_t end = plb_min(cursor->until - batch->rank, (uint64_t)batch->entries);
    return (word_range){(int)(first / 64 / CHUNK_WORDS * CHUNK_WORDS), (int)plb_divide_up(end, 64)};
}

/* Blocks are read one after the other, so the current batch may continue in the next block. */
void plb_colour_cursor_begin(plb_colour_cursor *cursor, uint64_t occupied, uint64_t from,
                             uint64_t until, const uint64_t *quiet, uint64_t at) {
    plb_colour_batch *batch = &cursor->batch;
    bool is_same_slab = batch->entries && cursor->occupied == occupied;
    cursor->from = from;
    cursor->until = until;
    cursor->quiet = quiet;
    cursor->quiet_at = at;
    word_range wanted = wanted_words(cursor);
    cursor->is_kept = !quiet && is_same_slab && from - batch->rank < (uint64_t)batch->entries &&
                      cursor->made.first <= wanted.first && wanted.end <= cursor->made.end;
    if (cursor->is_kept) return;
    if (!is_same_slab) begin_slab(cursor, occupied);
    uint64_t word = plb_binomial_unrank(cursor->stones, cursor->ones, from);
    cursor->high = word >> LOW;
    batch->rank = from - plb_binomial_rank(word & LOW_MASK);
    batch->entries = 0;
}

/* ---- the lines of a batch ---- */

/* Find those of `count` lines whose high stones are all a player's. */
static open_lines find_open_lines(plb_colour_cursor *cursor, const line *lines, int count, bool x) {
    open_lines found = {cursor->low_line_count, cursor->low_line_count, false};
    uint64_t others = x ? ~cursor->high : cursor->high;
    for (int l = 0; l < count; l++) {
        if (lines[l].high & others) continue;
        if (!lines[l].low) {
            cursor->low_line_count = found.first;
            return (open_lines){found.first, found.first, true};
        }
        low_line *made = &cursor->low_lines[cursor->low_line_count++];
        unsigned left = lines[l].low;
        for (int i = 0; i < 3; i++, left &= left - 1)
            made->planes[i] = (uint16_t)(plb_lowest(left ? left : lines[l].low) * PLB_BATCH_WORDS);
        made->others = (uint16_t)left;
    }
    found.last = cursor->low_line_count;
    return found;
}

/* Find the lines of all groups and threats. False: the high stones decide the whole batch, because
 * a group is complete or, in normal play, a player can complete one at once. */
static bool find_lines(plb_colour_cursor *cursor) {
    bool may_decide = !cursor->game->misere;
    cursor->low_line_count = 0;
    for (int x = 0; x < 2 && !cursor->quiet; x++) {
        cursor->whole[x] = find_open_lines(cursor, cursor->groups, cursor->group_count, x);
        if (cursor->whole[x].always) return false;
    }
    for (uint64_t cells = cursor->empty; cells; cells &= cells - 1) {
        int cell = plb_lowest(cells);
        if (cursor->near.first[cell] == cursor->near.first[cell + 1]) continue;
        bool decides = may_decide && cursor->playable >> cell & 1;
        if (decides && cursor->quiet) continue; /* features do not need these */
        const cell_lines *near = &cursor->near;
        for (int x = 0; x < 2; x++)
            cursor->threats[cell][x] =
                find_open_lines(cursor, near->lines + near->first[cell],
                                near->first[cell + 1] - near->first[cell], x);
        bool is_always_completed =
            cursor->threats[cell][0].always || cursor->threats[cell][1].always;
        if (decides && is_always_completed) return false;
    }
    return true;
}

/* ---- planes of a batch, by chunks ---- */

/* A chunk of a plane, in vectors that the compiler keeps in registers. */
enum { VECTOR_WORDS = 4, VECTORS = CHUNK_WORDS / VECTOR_WORDS };
typedef uint64_t vector __attribute__((vector_size(VECTOR_WORDS * sizeof(uint64_t)),
                                       aligned(sizeof(uint64_t)), may_alias));
typedef struct chunk {
    vector v[VECTORS];
} chunk;
static const chunk nothing;

PLB_ALWAYS_INLINE chunk either(chunk a, chunk b) {
    for (int i = 0; i < VECTORS; i++) a.v[i] |= b.v[i];
    return a;
}
PLB_ALWAYS_INLINE chunk both(chunk a, chunk b) {
    for (int i = 0; i < VECTORS; i++) a.v[i] &= b.v[i];
    return a;
}
PLB_ALWAYS_INLINE chunk inverse(chunk a) {
    for (int i = 0; i < VECTORS; i++) a.v[i] = ~a.v[i];
    return a;
}

PLB_ALWAYS_INLINE bool is_empty(const chunk *c) {
    vector all = c->v[0];
    uint64_t any = 0;
    for (int i = 1; i < VECTORS; i++) all |= c->v[i];
    for (int w = 0; w < VECTOR_WORDS; w++) any |= all[w];
    return !any;
}

/* The current chunk. stones: the planes of the low stones from the first word of the chunk on. */
typedef struct part {
    const plb_colour_cursor *cursor;
    const uint64_t *stones;
} part;

/* Where the stone of a plane is a player's. */
PLB_ALWAYS_INLINE chunk stones_of(const part *p, int plane, bool x) {
    chunk stones = *(const chunk *)(p->stones + plane);
    return x ? stones : inverse(stones);
}

/* found |= where all low stones of a line are a player's. */
PLB_ALWAYS_INLINE void add_line(const part *p, const low_line *l, bool x, chunk *found) {
    chunk all = both(stones_of(p, l->planes[0], x),
                     both(stones_of(p, l->planes[1], x), stones_of(p, l->planes[2], x)));
    for (unsigned others = l->others; others; others &= others - 1)
        all = both(all, stones_of(p, plb_lowest(others) * PLB_BATCH_WORDS, x));
    *found = either(*found, all);
}

/* found |= where a player has one of some lines. */
PLB_ALWAYS_INLINE void add_lines(const part *p, const open_lines *lines, bool x, chunk *found) {
    if (lines->always) *found = inverse(nothing);
    for (int l = lines->first; l < lines->last; l++)
        add_line(p, &p->cursor->low_lines[l], x, found);
}

/* found |= where a cell completes a group for a player. */
PLB_ALWAYS_INLINE void add_threats(const part *p, int cell, bool x, chunk *found) {
    add_lines(p, &p->cursor->threats[cell][x], x, found);
}

/* A move to `cell` loses at once if the cell that is returned completes a group for player *by_x;
 * -1: it cannot lose at once. */
static int losing_cell(const plb_colour_cursor *cursor, int cell, bool *by_x) {
    const plb_game *game = cursor->game;
    *by_x = cursor->x_moves == game->misere;
    if (game->misere) return cell;
    bool has_above = game->gravity && cursor->empty >> cell >> 1 & ~(game->bottom >> cell >> 1) & 1;
    return has_above ? cell + 1 : -1;
}

/* decided |= where a player has a group or, in normal play, can complete one at once. */
PLB_ALWAYS_INLINE void add_decided(const part *p, chunk *decided) {
    const plb_colour_cursor *cursor = p->cursor;
    add_lines(p, &cursor->whole[0], false, decided);
    add_lines(p, &cursor->whole[1], true, decided);
    for (uint64_t cells = cursor->game->misere ? 0 : cursor->playable; cells; cells &= cells - 1) {
        add_threats(p, plb_lowest(cells), false, decided);
        add_threats(p, plb_lowest(cells), true, decided);
    }
}

/* quiet = where at least two moves do not lose at once, and nothing is decided. */
PLB_ALWAYS_INLINE void find_quiet(const part *p, chunk *quiet) {
    chunk some = nothing, more = nothing, decided = nothing;
    add_decided(p, &decided);
    for (uint64_t cells = p->cursor->playable; cells; cells &= cells - 1) {
        bool by_x;
        int cell = losing_cell(p->cursor, plb_lowest(cells), &by_x);
        chunk loses = nothing;
        if (cell >= 0 && by_x) add_threats(p, cell, true, &loses);
        if (cell >= 0 && !by_x) add_threats(p, cell, false, &loses);
        more = either(more, both(some, inverse(loses)));
        some = either(some, inverse(loses));
    }
    *quiet = both(more, inverse(decided));
}

/* Features of one column, whose empty cells are [cell, end). */
PLB_ALWAYS_INLINE void add_column(const part *p, int cell, int end, chunk features[PLB_FEATURES]) {
    const plb_colour_cursor *cursor = p->cursor;
    chunk open = inverse(nothing); /* no threat below */
    for (; cell < end; cell++) {
        if (cursor->near.first[cell] == cursor->near.first[cell + 1]) continue;
        if (!cursor->game->misere && cursor->playable >> cell & 1) continue; /* else decided */
        int odd = cell % cursor->game->height & 1;
        chunk x = nothing, o = nothing;
        add_threats(p, cell, true, &x);
        add_threats(p, cell, false, &o);
        features[odd] = either(features[odd], both(o, open));
        features[2 + odd] = either(features[2 + odd], both(x, open));
        open = both(open, inverse(either(x, o)));
    }
}

PLB_ALWAYS_INLINE void find_features(const part *p, chunk features[PLB_FEATURES]) {
    const plb_game *game = p->cursor->game;
    for (int f = 0; f < PLB_FEATURES; f++) features[f] = nothing;
    for (uint64_t bottom = game->bottom; bottom; bottom &= bottom - 1) {
        int first = plb_lowest(bottom), end = first + game->height;
        uint64_t empty = p->cursor->empty >> first & plb_low_bits(game->height);
        if (empty) add_column(p, first + plb_lowest(empty), end, features);
    }
}

/* Copy the known quiet positions of a batch. Returns whether there is any. */
static bool copy_quiet(plb_colour_cursor *cursor) {
    plb_colour_batch *batch = &cursor->batch;
    uint64_t first = plb_max(cursor->from, batch->rank) - batch->rank, any = 0;
    uint64_t end = plb_min(cursor->until - batch->rank, (uint64_t)batch->entries);
    cursor->made = (word_range){0, 0}; /* the batch must not be kept */
    memset(batch->quiet, 0, sizeof batch->quiet);
    plb_copy_bits(batch->quiet, first, cursor->quiet,
                  cursor->quiet_at + batch->rank + first - cursor->from, end - first);
    for (int w = 0; w < PLB_BATCH_WORDS; w++) any |= batch->quiet[w];
    return any;
}

/* Make the planes chunk by chunk, so that they stay in registers; features only for chunks with
 * quiet positions. */
PLB_ALWAYS_INLINE void find_planes(plb_colour_cursor *cursor) {
    plb_colour_batch *batch = &cursor->batch;
    word_range wanted = wanted_words(cursor);
    batch->is_decided = true;
    if (!cursor->quiet) cursor->made = wanted;
    for (int w = wanted.first; w < wanted.end; w += CHUNK_WORDS) {
        part p = {cursor, stone_planes[low_ones(cursor)][0] + w};
        chunk quiet, features[PLB_FEATURES];
        if (cursor->quiet) {
            memcpy(&quiet, batch->quiet + w, sizeof quiet);
        } else {
            find_quiet(&p, &quiet);
            for (int i = 0; i < CHUNK_WORDS; i++) {
                int left = batch->entries - 64 * (w + i);
                quiet.v[i / VECTOR_WORDS][i % VECTOR_WORDS] &= left > 0 ? plb_low_bits(left) : 0;
            }
            memcpy(batch->quiet + w, &quiet, sizeof quiet);
        }
        if (is_empty(&quiet)) continue;
        batch->is_decided = false;
        find_features(&p, features);
        for (int f = 0; f < PLB_FEATURES; f++)
            memcpy(batch->features[f] + w, &features[f], sizeof features[f]);
    }
}

PLB_AVX2 static void find_planes_avx2(plb_colour_cursor *cursor) {
    find_planes(cursor);
}

const plb_colour_batch *plb_colour_cursor_next(plb_colour_cursor *cursor) {
    plb_colour_batch *batch = &cursor->batch;
    if (cursor->is_kept) {
        cursor->is_kept = false;
        return batch;
    }
    int most = cursor->stones < LOW ? cursor->stones : LOW;
    if (batch->entries) {
        do cursor->high++;
        while (low_ones(cursor) < 0 || low_ones(cursor) > most);
    }
    batch->rank += batch->entries;
    batch->entries = (int)plb_binomial[most][low_ones(cursor)];
    batch->low_stones = low_stones[low_ones(cursor)];
    batch->is_decided = (cursor->quiet && !copy_quiet(cursor)) || !find_lines(cursor);
    if (batch->is_decided) return batch;
    (plb_has_avx2() ? find_planes_avx2 : find_planes)(cursor);
    return batch;
}
