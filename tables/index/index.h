/* SPDX-License-Identifier: MIT
 *
 * The index computes the place of a value among all entries of its ply. There are two kinds.
 *
 * Slabs number the positions of a game of stones; no position is stored. A slab is all colourings
 * of one set O of n occupied cells. Its cells, in ascending order, are stones 0..n-1; a colouring
 * is a word of n bits, in which bit i is set if stone i is x. A word has ceil(n/2) ones, so a slab
 * has slab_size = C(n, ceil(n/2)) words, and
 *
 *     index(position) = slab(O) * slab_size + colex rank of its word
 *
 * where slab(O) is the number of canonical sets of the ply before O. Only positions on canonical
 * sets have an index; others are first mapped by a symmetry. A slab that a symmetry maps to itself
 * is stored whole.
 *
 *     codes   every set of n cells (with gravity: every height vector) in numeric order: 0, 1, 2 ..
 *     bitmap  one bit per code, set for canonical sets; slab(O) = ones before the bit of O
 *
 * Keys number the positions of any game. The keys of a ply are the canonical positions of which a
 * table stores a value. A slab is a bucket of keys, chosen by their hash; a perfect hash
 * (perfect_hash.h) numbers the keys of a bucket. A number cannot be mapped back to a position.
 * Before the keys are known, the index only estimates the number of positions of each ply.
 *
 * Must not know: values, bytes, files.
 */
#pragma once

#include "tables/games/game_spec.h"
#include "tables/games/stone_rules.h"
#include "tables/games/symmetry.h"
#include "tables/index/orbit.h"

typedef enum plb_index_kind { PLB_SLABS, PLB_KEYS } plb_index_kind;

typedef struct plb_index_ply {
    uint64_t slab_size;     /* words of a slab; with keys, keys of the largest bucket, at least 1 */
    uint64_t slabs;         /* canonical sets; with keys, buckets */
    uint64_t codes;         /* sets of cells, canonical or not */
    uint64_t *bitmap;       /* [codes bits] */
    uint32_t *before;       /* [codes / 512 + 1] canonical sets before each 512 codes */
    plb_perfect_hash *sets; /* [slabs] the keys of each bucket; NULL: not known */
} plb_index_ply;

typedef struct plb_index {
    plb_index_kind kind;
    const plb_game *game;
    const plb_symmetry *symmetry;
    uint64_t *heights_before; /* with gravity: [slot][stones][height], see index.c */
    plb_index_ply plies[PLB_MAX_CELLS + 1];
} plb_index;

/* Sizes of a ply, for any board and without an index: the number of canonical sets (Burnside's
 * lemma), and of words of a slab. Exact up to 2^53. ply in [0, cells]. */
double plb_index_count_slabs(const plb_game *game, const plb_symmetry *symmetry, int ply);
double plb_index_slab_size(int ply);

/* The default kind of index of a game's tables. */
plb_index_kind plb_index_kind_of(const plb_game *game);

/* "slabs" or "keys", and back; false if the text is neither. */
const char *plb_index_kind_text(plb_index_kind kind);
bool plb_index_kind_parse(const char *text, plb_index_kind *kind);

/* Set the keys of a ply. The index then owns `sets`, which is NULL if slabs is 0. */
void plb_index_set_keys(plb_index *index, int ply, plb_perfect_hash *sets, uint64_t slabs);

/* The number of all ways to fill sets of cells of a ply, those after the end of a game included. */
double plb_index_count_fillings(const plb_game *game, const plb_symmetry *symmetry, int ply);

/* Index entries of a ply. */
static inline uint64_t plb_index_size(const plb_index *index, int ply) {
    return index->plies[ply].slabs * index->plies[ply].slab_size;
}

/* Bytes of memory of an index. */
double plb_index_bytes(const plb_index *index);

/* The number of a canonical set of occupied cells among those of its ply. Inverse: _slab_cells.
 * Threads: safe, reads only; so are all functions below. */
uint64_t plb_index_slab(const plb_index *index, uint64_t occupied);

/* The canonical set of a ply with a number in [0, slabs). */
uint64_t plb_index_slab_cells(const plb_index *index, int ply, uint64_t slab);

/* The entry of a position: its slab, and its rank within the slab. The position needs correct piece
 * counts and no floating stones; it is first mapped to a canonical set of cells. */
typedef struct plb_entry {
    int ply;
    uint64_t slab, rank;
} plb_entry;
plb_entry plb_index_rank(const plb_index *index, plb_position position);

/* The same for both kinds. False: the position is not a key. A position that is not a key is found
 * nevertheless with a probability of 2^-16 (perfect_hash.h). */
bool plb_index_find(const plb_index *index, plb_position position, plb_entry *entry);

/* Of an index of slabs: the position of an entry, on a canonical set of cells. */
plb_position plb_index_unrank(const plb_index *index, plb_entry entry);

/* ---- the space of a game ---- */

/* A game with everything that is made from it: the symmetry, the index and, if it is known, the
 * automaton of the columns that can arise.
 *
 *     spec -> game -> symmetry -> index
 *
 * The index has pointers to game and symmetry, so an open space must not be moved. */
typedef struct plb_space {
    plb_game game;
    plb_symmetry symmetry;
    plb_index index;
    plb_column_automaton *columns; /* owned by the space; NULL: a search decides instead */
} plb_space;

/* Can a position of the space arise? Errors: those of plb_rules_check. */
static inline int plb_space_check(const plb_space *space, plb_position position,
                                  plb_message *message) {
    return space->game.rules->check(&space->game, space->columns, position, message);
}

/* Open the space of a spec (game_spec.h), with the default kind of index of its tables.
 * *space is always written; after a failure it is empty.
 *
 * Errors: those of plb_game_parse, PLB_ETOOBIG (a ply beyond 2^32 sets or 2^62 positions),
 * PLB_ENOMEM. Cost: with slabs, one symmetry test per set of cells.
 * The caller owns *space and frees it with plb_space_close. Threads: reading an open space is safe.
 */
int plb_space_open(const char *spec, plb_space *space, plb_message *message);

/* The same in two steps, for callers that may refuse a game before its index is made: first game
 * and symmetry, then the index. Slabs need a game of stones (else PLB_EARGUMENT). After a failure
 * of the second step the space has no index. */
int plb_space_begin(const char *spec, plb_space *space, plb_message *message);
int plb_space_add_index(plb_space *space, plb_index_kind kind, plb_message *message);

/* Accepts NULL, and a space that is zeroed or has no index. */
void plb_space_close(plb_space *space);
