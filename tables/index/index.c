/* SPDX-License-Identifier: MIT
 *
 * The index. The code of a set of n cells is its rank among all such sets, in numeric order.
 * Without gravity this is the colex rank. With gravity a set is a vector of heights with the sum n;
 * the last slot is the most significant one. `heights_before[slot][stones][h]` is the number of
 * vectors of slots 0..slot with the sum `stones` and a height less than h in `slot`.
 */
#include "tables/index/index.h"

#include <stdlib.h>
#include <string.h>

#include "tables/array.h"
#include "tables/binomial.h"
#include "tables/bits.h"
#include "tables/reach/column_automaton.h"

enum { CODES_PER_MARK = 512 };

double plb_index_slab_size(int ply) {
    return (double)plb_binomial[ply][plb_ply_ones(ply)];
}

/* ---- kinds ---- */

static const char *const kinds[] = {[PLB_SLABS] = "slabs", [PLB_KEYS] = "keys"};

plb_index_kind plb_index_kind_of(const plb_game *game) {
    return game->rules == &plb_rules_of_stones ? PLB_SLABS : PLB_KEYS;
}

const char *plb_index_kind_text(plb_index_kind kind) {
    return kinds[kind];
}

bool plb_index_kind_parse(const char *text, plb_index_kind *kind) {
    for (int k = PLB_SLABS; k <= PLB_KEYS; k++) {
        if (strcmp(text, kinds[k]) != 0) continue;
        *kind = (plb_index_kind)k;
        return true;
    }
    return false;
}

/* ---- sizes by Burnside's lemma ---- */

/* The number of sets of `ply` cells that a symmetry maps to themselves: unions of cycles of cells
 * or, with gravity, equal heights in all slots of each cycle. */
static double count_fixed(const plb_game *game, const uint8_t image[64], int ply) {
    double poly[PLB_MAX_CELLS + 1] = {1};
    int step = game->gravity ? game->height : 1;
    uint64_t seen = 0;
    for (int start = 0; start < game->cells; start += step) {
        int length = 0;
        for (int cell = start; !(seen >> cell & 1); cell = image[cell]) {
            seen |= 1ULL << cell;
            length++;
        }
        if (length) {
            /* Multiply the polynomial by the sum of z^(length * h) for h in [0, step]. */
            double product[PLB_MAX_CELLS + 1] = {0};
            for (int n = 0; n <= ply; n++)
                for (int h = 0; h <= step && n + h * length <= ply; h++)
                    product[n + h * length] += poly[n];
            memcpy(poly, product, sizeof product);
        }
    }
    return poly[ply];
}

double plb_index_count_slabs(const plb_game *game, const plb_symmetry *symmetry, int ply) {
    double sum = 0;
    for (int e = 0; e < symmetry->order; e++) sum += count_fixed(game, symmetry->image[e], ply);
    return sum / symmetry->order;
}

/* ---- codes of sets ---- */

static uint64_t *heights_entry(const plb_index *index, int slot, int stones, int height) {
    int rows = index->game->height + 2, sums = index->game->cells + 1;
    return &index->heights_before[((uint64_t)slot * sums + stones) * rows + height];
}

static int fill_heights(plb_index *index) {
    const plb_game *game = index->game;
    size_t entries = (size_t)game->width * (game->cells + 1) * (game->height + 2);
    index->heights_before = calloc(entries, sizeof *index->heights_before);
    if (!index->heights_before) return PLB_ENOMEM;
    for (int slot = 0; slot < game->width; slot++)
        for (int stones = 0; stones <= game->cells; stones++)
            for (int h = 0; h <= game->height; h++) {
                uint64_t rest = 0; /* vectors of the slots before with the sum stones - h */
                if (slot == 0)
                    rest = stones == h;
                else if (stones >= h)
                    rest = *heights_entry(index, slot - 1, stones - h, game->height + 1);
                *heights_entry(index, slot, stones, h + 1) =
                    *heights_entry(index, slot, stones, h) + rest;
            }
    return PLB_OK;
}

static uint64_t code_of_heights(const plb_index *index, uint64_t occupied) {
    int height = index->game->height, stones = plb_popcount(occupied);
    uint64_t code = 0, column = plb_low_bits(height);
    for (int slot = index->game->width - 1; slot > 0; slot--) {
        int h = plb_popcount(occupied >> (slot * height) & column);
        code += *heights_entry(index, slot, stones, h);
        stones -= h;
    }
    return code;
}

static uint64_t heights_of_code(const plb_index *index, int stones, uint64_t code) {
    int height = index->game->height;
    uint64_t occupied = 0;
    for (int slot = index->game->width - 1; slot >= 0; slot--) {
        int h = 0;
        while (h < height && *heights_entry(index, slot, stones, h + 1) <= code) h++;
        code -= *heights_entry(index, slot, stones, h);
        occupied |= plb_low_bits(h) << (slot * height);
        stones -= h;
    }
    return occupied;
}

static uint64_t decode_set(const plb_index *index, int ply, uint64_t code) {
    return index->game->gravity ? heights_of_code(index, ply, code)
                                : plb_binomial_unrank(index->game->cells, ply, code);
}

/* The set of the next code, if there is one. */
static uint64_t next_set(const plb_game *game, uint64_t set) {
    if (!game->gravity) return plb_next_combination(set);
    /* The first slot that is not full, above another stone, gets one stone more; the others below
     * go to the first slots. */
    int height = game->height, below = 0, slot = 0;
    for (;; slot++) {
        int h = plb_popcount(set >> (slot * height) & plb_low_bits(height));
        if (below > 0 && h < height) {
            uint64_t low = plb_low_bits(slot * height), stone = 1ULL << (slot * height + h);
            return (set & ~low) | stone | plb_low_bits(below - 1);
        }
        below += h;
    }
}

/* ---- the bitmap of canonical sets ---- */

static int fill_ply(plb_index *index, int ply) {
    plb_index_ply *p = &index->plies[ply];
    p->slab_size = plb_binomial[ply][plb_ply_ones(ply)];
    const plb_game *game = index->game;
    p->codes = game->gravity ? *heights_entry(index, game->width - 1, ply, game->height + 1)
                             : plb_binomial[game->cells][ply];
    p->bitmap = calloc(plb_size(p->codes / CODES_PER_MARK + 1), CODES_PER_MARK / 8);
    p->before = calloc(plb_size(p->codes / CODES_PER_MARK + 1), sizeof *p->before);
    if (!p->bitmap || !p->before) return PLB_ENOMEM;
    uint64_t set = decode_set(index, ply, 0);
    for (uint64_t code = 0; code < p->codes; code++) {
        if (code > 0) set = next_set(game, set);
        if (code % CODES_PER_MARK == 0) p->before[code / CODES_PER_MARK] = (uint32_t)p->slabs;
        if (!plb_symmetry_is_canonical(index->symmetry, set)) continue;
        p->bitmap[code / 64] |= 1ULL << (code % 64);
        p->slabs++;
    }
    return PLB_OK;
}

static void free_index(plb_index *index) {
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
        plb_index_ply *p = &index->plies[ply];
        for (uint64_t slab = 0; p->sets && slab < p->slabs; slab++)
            plb_perfect_hash_free(&p->sets[slab]);
        free(p->sets);
        free(p->bitmap);
        free(p->before);
    }
    free(index->heights_before);
    memset(index, 0, sizeof *index);
}

/* Make the index of a game of stones: one symmetry test per set of cells. */
static int init_slabs(const plb_game *game, const plb_symmetry *symmetry, plb_index *index,
                      plb_message *message) {
    char spec[PLB_SPEC_TEXT];
    plb_game_format(game, spec);
    memset(index, 0, sizeof *index);
    bool fits = true;
    for (int ply = 0; ply <= game->cells && fits; ply++) {
        double slabs = plb_index_count_slabs(game, symmetry, ply);
        fits = slabs * symmetry->order <= 0x1p32 && slabs * plb_index_slab_size(ply) <= 0x1p62;
    }
    if (!fits)
        return plb_fail(message, PLB_ETOOBIG,
                        "%s is too big for a table: a ply may have at most 2^32 sets of cells and "
                        "2^62 positions; `plybase solve` needs no table",
                        spec);
    index->game = game;
    index->symmetry = symmetry;
    int error = game->gravity ? fill_heights(index) : PLB_OK;
    for (int ply = 0; ply <= game->cells && !error; ply++) error = fill_ply(index, ply);
    if (error) {
        free_index(index);
        return plb_fail(message, error, "out of memory for the index of %s", spec);
    }
    return PLB_OK;
}

double plb_index_bytes(const plb_index *index) {
    uint64_t marks = 0, mark_bytes = CODES_PER_MARK / 8 + sizeof *index->plies[0].before;
    for (int ply = 0; ply <= index->game->cells; ply++)
        marks += index->plies[ply].codes / CODES_PER_MARK + 1;
    return (double)(marks * mark_bytes);
}

uint64_t plb_index_slab(const plb_index *index, uint64_t occupied) {
    const plb_index_ply *p = &index->plies[plb_popcount(occupied)];
    uint64_t code =
        index->game->gravity ? code_of_heights(index, occupied) : plb_binomial_rank(occupied);
    uint64_t slab = p->before[code / CODES_PER_MARK];
    for (uint64_t word = code / CODES_PER_MARK * (CODES_PER_MARK / 64); word < code / 64; word++)
        slab += plb_popcount(p->bitmap[word]);
    return slab + plb_popcount(p->bitmap[code / 64] & plb_low_bits(code % 64));
}

uint64_t plb_index_slab_cells(const plb_index *index, int ply, uint64_t slab) {
    const plb_index_ply *p = &index->plies[ply];
    uint64_t marks = plb_divide_up(p->codes, CODES_PER_MARK);
    uint64_t mark = PLB_FIRST(m, marks, p->before[m] > slab) - 1,
             word = mark * (CODES_PER_MARK / 64);
    slab -= p->before[mark];
    for (; slab >= (uint64_t)plb_popcount(p->bitmap[word]); word++)
        slab -= plb_popcount(p->bitmap[word]);
    uint64_t bits = p->bitmap[word];
    for (; slab > 0; slab--) bits &= bits - 1;
    return decode_set(index, ply, word * 64 + plb_lowest(bits));
}

plb_entry plb_index_rank(const plb_index *index, plb_position position) {
    uint64_t canonical, occupied = plb_stones_occupied(position);
    int element = plb_symmetry_canonical(index->symmetry, occupied, &canonical);
    uint64_t x = plb_symmetry_map(index->symmetry, element, position.x);
    return (plb_entry){.ply = plb_popcount(occupied),
                       .slab = plb_index_slab(index, canonical),
                       .rank = plb_binomial_rank_within(x, canonical)};
}

plb_position plb_index_unrank(const plb_index *index, plb_entry entry) {
    uint64_t occupied = plb_index_slab_cells(index, entry.ply, entry.slab);
    uint64_t x = plb_binomial_unrank_within(occupied, plb_ply_ones(entry.ply), entry.rank);
    return (plb_position){x, occupied ^ x};
}

/* ---- keys ---- */

/* Element 0 of the symmetry is the identity, which maps every set to itself. */
double plb_index_count_fillings(const plb_game *game, const plb_symmetry *symmetry, int ply) {
    return count_fixed(game, symmetry->image[0], ply) * game->rules->fillings(game, ply);
}

void plb_index_set_keys(plb_index *index, int ply, plb_perfect_hash *sets, uint64_t slabs) {
    plb_index_ply *p = &index->plies[ply];
    *p = (plb_index_ply){.slab_size = 1, .slabs = slabs, .sets = sets};
    for (uint64_t slab = 0; slab < slabs; slab++)
        p->slab_size = plb_max(p->slab_size, sets[slab].keys);
}

bool plb_index_find(const plb_index *index, plb_position position, plb_entry *entry) {
    if (index->kind == PLB_SLABS) {
        *entry = plb_index_rank(index, position);
        return true;
    }
    plb_position key = plb_orbit_least(index->game, index->symmetry, position);
    plb_key_hash hash = plb_position_hash(key);
    entry->ply = plb_rules_ply(index->game, position);
    const plb_index_ply *p = &index->plies[entry->ply];
    entry->slab = p->slabs ? plb_key_bucket(hash, p->slabs) : 0;
    return p->sets && plb_perfect_hash_find(&p->sets[entry->slab], hash, &entry->rank);
}

/* ---- the space of a game ---- */

int plb_space_begin(const char *spec, plb_space *space, plb_message *message) {
    memset(space, 0, sizeof *space);
    int error = plb_game_parse(spec, &space->game, message);
    if (error) return error;
    if (plb_symmetry_init(&space->game, &space->symmetry))
        error = plb_fail(message, PLB_ENOMEM, "out of memory for the symmetries of %s", spec);
    if (error) plb_space_close(space);
    return error;
}

int plb_space_add_index(plb_space *space, plb_index_kind kind, plb_message *message) {
    const plb_game *game = &space->game;
    plb_index *index = &space->index;
    if (kind == PLB_SLABS && plb_index_kind_of(game) == PLB_SLABS)
        return init_slabs(game, &space->symmetry, index, message);
    if (kind == PLB_SLABS)
        return plb_fail(
            message, PLB_EARGUMENT,
            "positions of the game are not sets of stones: its index has keys, not slabs");
    /* The keys are not known yet. Until then the ply has slabs of one entry each, about as many as
     * it has positions up to symmetry, those after the end of a game included. */
    const double max_slabs = 0x1p62;
    *index = (plb_index){.kind = PLB_KEYS, .game = game, .symmetry = &space->symmetry};
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) index->plies[ply].slab_size = 1;
    for (int ply = 0; ply <= game->cells; ply++) {
        double about =
            plb_index_count_fillings(game, &space->symmetry, ply) / space->symmetry.order;
        if (about > max_slabs) about = max_slabs;
        uint64_t whole = (uint64_t)about; /* rounded up below without libm */
        index->plies[ply].slabs = whole + (whole < about);
    }
    return PLB_OK;
}

int plb_space_open(const char *spec, plb_space *space, plb_message *message) {
    int error = plb_space_begin(spec, space, message);
    if (error) return error;
    error = plb_space_add_index(space, plb_index_kind_of(&space->game), message);
    if (error) plb_space_close(space);
    return error;
}

void plb_space_close(plb_space *space) {
    if (!space) return;
    free_index(&space->index);
    if (space->columns) plb_column_automaton_free(space->columns);
    free(space->columns);
    plb_symmetry_free(&space->symmetry);
    memset(space, 0, sizeof *space);
}
