/* SPDX-License-Identifier: MIT
 *
 * The index: where the value of a position stands among those of its ply. There are two kinds.
 *
 * Slabs number the positions of a game of stones without search and without stored keys.
 * A slab is all colourings of one set O of n occupied cells. Its cells, in cell order, are stones
 * 0..n-1; a colouring is a word with bit i set where stone i is x. With ceil(n/2) ones a slab has
 * slab_size = C(n, ceil(n/2)) words, and
 *
 *     index(position) = slab(O) * slab_size + colex rank of its word
 *
 * where slab(O) counts the canonical sets of the ply before O. Only positions on canonical sets
 * have an index; others are first mapped by a symmetry. A slab that some symmetry maps to itself
 * is stored whole.
 *
 *     codes   every set of n cells (with gravity: every height vector) in numeric order: 0, 1, 2 ..
 *     bitmap  one bit per code, set for canonical sets; slab(O) = ones before the bit of O
 *
 * Keys number the positions of any game: those that a table stores a value of, up to symmetry, are
 * the keys of a ply, and a slab is a bucket of them by their hash, with a set (perfect_hash.h) that
 * numbers them. There is no way back from a number to a position. While a table is made its keys
 * are not known: the index then says about how many positions a ply has.
 *
 * Must not know: values, bytes, files.
 */
#ifndef PLB_TABLES_INDEX_INDEX_H
#define PLB_TABLES_INDEX_INDEX_H

#include "tables/games/game_spec.h"
#include "tables/games/stone_rules.h"
#include "tables/games/symmetry.h"
#include "tables/index/orbit.h"

typedef enum plb_index_kind { PLB_SLABS, PLB_KEYS } plb_index_kind;

typedef struct plb_index_ply {
    uint64_t slab_size;     /* words of a slab; keys of the largest bucket, or 1 if there is none */
    uint64_t slabs;         /* canonical sets; buckets of keys */
    uint64_t codes;         /* all sets */
    uint64_t *bitmap;       /* [codes bits] */
    uint32_t *before;       /* [codes / 512 + 1] canonical sets before each 512 codes */
    plb_perfect_hash *sets; /* of keys: [slabs], or NULL: they are not known */
} plb_index_ply;

typedef struct plb_index {
    plb_index_kind kind;
    const plb_game *game;
    const plb_symmetry *symmetry;
    uint64_t *heights_before; /* with gravity: [slot][stones][height], see index.c */
    plb_index_ply plies[PLB_MAX_CELLS + 1];
} plb_index;

/* Sizes of a ply, for any board and without building an index: numbers of canonical sets
 * (Burnside's lemma) and of words in a slab. Exact up to 2^53. ply in [0, cells]. */
double plb_index_count_slabs(const plb_game *game, const plb_symmetry *symmetry, int ply);
double plb_index_slab_size(int ply);

/* The kind of index that tables of a game have, if nothing else is asked for. */
plb_index_kind plb_index_kind_of(const plb_game *game);

/* "slabs" or "keys", and back; false where the text is neither. */
const char *plb_index_kind_text(plb_index_kind kind);
bool plb_index_kind_parse(const char *text, plb_index_kind *kind);

/* Give a ply its sets of keys, which from then on belong to the index; NULL where slabs is 0. */
void plb_index_set_keys(plb_index *index, int ply, plb_perfect_hash *sets, uint64_t slabs);

/* All ways to fill sets of cells that can be occupied on a ply, ended games too. */
double plb_index_count_fillings(const plb_game *game, const plb_symmetry *symmetry, int ply);

/* Index entries of a ply. */
static inline uint64_t plb_index_size(const plb_index *index, int ply) {
    return index->plies[ply].slabs * index->plies[ply].slab_size;
}

/* Memory of an index. */
double plb_index_bytes(const plb_index *index);

/* Number of a canonical set of occupied cells among those of its ply. Inverse: _slab_cells.
 * Threads: safe, reads only; so are all below. */
uint64_t plb_index_slab(const plb_index *index, uint64_t occupied);

/* The canonical set of a ply with a number in [0, slabs). */
uint64_t plb_index_slab_cells(const plb_index *index, int ply, uint64_t slab);

/* The entry of a position: its slab, and its rank within the slab. Any position without floating
 * stones and with right counts; it is first mapped to a canonical one. */
typedef struct plb_entry {
    int ply;
    uint64_t slab, rank;
} plb_entry;
plb_entry plb_index_rank(const plb_index *index, plb_position position);

/* The same for either kind. False: the position is none of the keys, with a probability of all but
 * 2^-16 (perfect_hash.h). */
bool plb_index_find(const plb_index *index, plb_position position, plb_entry *entry);

/* Of slabs: the canonical position of an entry. */
plb_position plb_index_unrank(const plb_index *index, plb_entry entry);

/* ---- the space of a game ---- */

/* The positions of a game: its rules, its symmetry, the index of its positions and, where it is
 * known, the automaton of the columns that can arise. They belong together, the others being made
 * from the game, and are opened once.
 *
 *     spec -> game -> symmetry -> index
 *
 * The index refers to the two others, so a space stays where it was opened. */
typedef struct plb_space {
    plb_game game;
    plb_symmetry symmetry;
    plb_index index;
    plb_column_automaton *columns; /* allocated, and freed with the space; NULL: that is searched */
} plb_space;

/* Can a position of the space arise? Errors: those of plb_rules_check. */
static inline int plb_space_check(const plb_space *space, plb_position position,
                                  plb_message *message) {
    return space->game.rules->check(&space->game, space->columns, position, message);
}

/* Open the space of a spec (game_spec.h), with the kind of index that tables of the game have.
 * *space is written in any case, and after a failure is empty.
 *
 * Errors: those of plb_game_parse, PLB_ETOOBIG (a ply beyond 2^32 sets or 2^62 positions),
 * PLB_ENOMEM. Cost: where there are slabs, one symmetry test per set of cells.
 * The caller owns *space and frees it with plb_space_close. Threads: reading an open space is safe.
 */
int plb_space_open(const char *spec, plb_space *space, plb_message *message);

/* The same in two steps, for those who can refuse a game before its index is made: game and
 * symmetry first, then the index, of slabs for games of stones only (PLB_EARGUMENT). After a
 * failure of the second the space has no index. */
int plb_space_begin(const char *spec, plb_space *space, plb_message *message);
int plb_space_add_index(plb_space *space, plb_index_kind kind, plb_message *message);

/* Accepts NULL and a space that is zeroed or has no index. */
void plb_space_close(plb_space *space);

#endif
