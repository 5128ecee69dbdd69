/* SPDX-License-Identifier: MIT
 *
 * Enumeration for both kinds of index.
 *
 * Slabs: a chunk is a range of ranks of one slab. A listing visits each set of cells once: for each
 * slab it goes through those symmetries that give distinct images of its set of cells.
 *
 * Keys: a ply is made when it is first needed. The children of the previous ply are gathered in a
 * hash set, because most of them are reached many times, and sorted at the end.
 */
#include "tables/index/enumerate.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "tables/binomial.h"
#include "tables/bits.h"
#include "tables/games/static_value.h"
#include "tables/index/position_set.h"
#include "tables/stop.h"

enum { CHUNK_ENTRIES = 1 << 12, CHUNK_KEYS = 1 << 10 };

/* The canonical positions of a ply that can arise, ascending. */
typedef struct key_ply {
    uint64_t count;
    plb_position *positions; /* [count], or NULL */
} key_ply;

struct plb_enumeration {
    const plb_space *space;
    const plb_ply_stats *stats; /* [cells + 1], or NULL */
    bool keyed;
    pthread_mutex_t lock; /* guards the fields below while plies are made */
    int made;             /* plies [0, made) are in memory */
    key_ply plies[PLB_MAX_CELLS + 1];
    _Atomic uint64_t positions; /* of all plies; read without the lock, which is held for long */
};

int plb_enumeration_open(const plb_space *space, const plb_ply_stats *stats,
                         plb_enumeration **enumeration, plb_message *message) {
    plb_enumeration *made = calloc(1, sizeof *made);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory for positions");
    made->space = space;
    made->stats = stats;
    made->keyed = space->index.kind == PLB_KEYS;
    pthread_mutex_init(&made->lock, NULL);
    *enumeration = made;
    return PLB_OK;
}

void plb_enumeration_close(plb_enumeration *enumeration) {
    if (!enumeration) return;
    for (int ply = 0; ply < enumeration->made; ply++) free(enumeration->plies[ply].positions);
    pthread_mutex_destroy(&enumeration->lock);
    free(enumeration);
}

const plb_game *plb_enumeration_game(const plb_enumeration *enumeration) {
    return &enumeration->space->game;
}

/* ---- slabs ---- */

static uint64_t chunks_of_slab(const plb_index *index, int ply) {
    return plb_divide_up(index->plies[ply].slab_size, CHUNK_ENTRIES);
}

/* The colourings of a set of cells. */
typedef struct colourings {
    const plb_space *space;
    int ply;
    uint64_t occupied;
    uint64_t count; /* how many positions each of them stands for */
} colourings;

/* Visit the positions of ranks [*next, end) that can arise, until visit returns false. Sets *next
 * to the rank that follows; returns whether to continue. */
static bool visit_colourings(const colourings *c, uint64_t *next, uint64_t end,
                             plb_enumeration_visitor *visit, void *context) {
    uint64_t rank = *next, word = plb_binomial_unrank(c->ply, plb_ply_ones(c->ply), rank);
    bool more = true;
    for (; more && rank < end; rank++) {
        uint64_t x = plb_scatter_bits(word, c->occupied);
        plb_position position = {x, c->occupied ^ x};
        if (plb_space_check(c->space, position, NULL) == PLB_OK)
            more = visit(context, position, c->count);
        if (rank + 1 < end) word = plb_next_combination(word);
    }
    *next = rank;
    return more;
}

/* Move to the next symmetry that maps the set of cells to an image that no earlier one gives; if
 * there is none, to the next slab. */
static void step_to_next_set(const plb_index *index, plb_listing *at) {
    const plb_symmetry *symmetry = index->symmetry;
    uint64_t cells = plb_index_slab_cells(index, at->ply, at->slab);
    int order = symmetry->order, next = (int)at->element, earlier = 0;
    at->rank = 0;
    while (++next < order) {
        uint64_t image = plb_symmetry_map(symmetry, next, cells);
        for (earlier = 0; earlier < next; earlier++)
            if (plb_symmetry_map(symmetry, earlier, cells) == image) break;
        if (earlier == next) break;
    }
    at->element = next < order ? (uint64_t)next : 0;
    if (next == order) at->done = ++at->slab == index->plies[at->ply].slabs;
}

/* Visit positions on the set of cells of a cursor. Tests at most *entries entries, and subtracts
 * their number from it. Returns whether to continue. */
static bool list_slab(const plb_space *space, plb_listing *at, uint64_t *entries,
                      plb_enumeration_visitor *visit, void *context) {
    const plb_index *index = &space->index;
    uint64_t cells = plb_index_slab_cells(index, at->ply, at->slab), begin = at->rank;
    uint64_t slab_size = index->plies[at->ply].slab_size;
    colourings c = {space, at->ply, plb_symmetry_map(index->symmetry, (int)at->element, cells), 1};
    uint64_t end = plb_min(begin + *entries, slab_size);
    bool more = visit_colourings(&c, &at->rank, end, visit, context);
    *entries -= at->rank - begin;
    if (at->rank == slab_size) step_to_next_set(index, at);
    return more;
}

/* ---- plies of keys ---- */

/* A ply while it is made from the previous one. */
typedef struct next_ply {
    const plb_game *game;
    const plb_symmetry *symmetry;
    plb_position_set set;
    bool is_stored;            /* the quiet positions of the ply are keys of a table */
    uint64_t quiet, max_quiet; /* quiet positions found; those that the table has */
    uint64_t max_positions;
} next_ply;

/* Fails as soon as there are more keys or positions than the table says, so that a wrong table
 * cannot fill the memory. */
static int add_children(next_ply *next, plb_position p) {
    int moves[PLB_MAX_MOVES], count = plb_rules_moves(next->game, p, moves), error = PLB_OK;
    for (int m = 0; m < count && !error; m++) {
        plb_position child =
            plb_orbit_least(next->game, next->symmetry, plb_rules_play(next->game, p, moves[m]));
        uint64_t before = next->set.count;
        error = plb_position_set_add(&next->set, child, plb_position_hash(child));
        if (error || next->set.count == before) continue;
        if (next->is_stored && plb_rules_static_value(next->game, child).kind == PLB_QUIET)
            next->quiet++;
        if (next->quiet > next->max_quiet || next->set.count > next->max_positions)
            error = PLB_ECORRUPT;
    }
    return error;
}

static int compare_positions(const void *a, const void *b) {
    plb_position p = *(const plb_position *)a, q = *(const plb_position *)b;
    return plb_position_is_less(q, p) - plb_position_is_less(p, q);
}

/* Make a ply from the positions of a set, which is then empty. */
static key_ply take_ply(plb_position_set *set) {
    key_ply ply = {plb_position_set_pack(set), NULL};
    if (ply.count) {
        plb_position *less = realloc(set->slots, plb_size(ply.count * sizeof *less));
        ply.positions = less ? less : set->slots;
        set->slots = NULL;
        qsort(ply.positions, (size_t)ply.count, sizeof *ply.positions, compare_positions);
    } /* cppcheck-suppress memleak ; the ply owns it */
    plb_position_set_free(set);
    return ply;
}

/* Make the ply after the last one. Positions in which the game is over have no moves. */
static int make_next(plb_enumeration *e, const volatile sig_atomic_t *stop) {
    const plb_space *space = e->space;
    const key_ply *last = &e->plies[e->made - 1];
    next_ply next = {
        .game = &space->game, .symmetry = &space->symmetry, .max_positions = UINT64_MAX};
    int error = PLB_OK;
    if (e->stats) {
        next.is_stored = plb_static_value_is_stored_ply(e->made);
        const plb_index_ply *ply = &space->index.plies[e->made];
        for (uint64_t slab = 0; ply->sets && slab < ply->slabs; slab++)
            next.max_quiet += ply->sets[slab].keys;
        next.max_positions = e->stats[e->made].total;
    }
    plb_position_set_begin(&next.set, UINT64_MAX);
    for (uint64_t p = 0; p < last->count && !error; p++)
        error = plb_is_stopped(stop) ? PLB_EINTERRUPTED : add_children(&next, last->positions[p]);
    if (!error && next.quiet != next.max_quiet) error = PLB_ECORRUPT;
    if (error)
        plb_position_set_free(&next.set);
    else
        e->plies[e->made] = take_ply(&next.set);
    if (!error) e->positions += e->plies[e->made].count;
    return error;
}

int plb_enumeration_begin(plb_enumeration *enumeration, int ply, const volatile sig_atomic_t *stop,
                          plb_message *message) {
    int error = PLB_OK;
    if (!enumeration->keyed) return error;
    pthread_mutex_lock(&enumeration->lock);
    for (; enumeration->made <= ply && !error; enumeration->made += !error) {
        if (enumeration->made) {
            error = make_next(enumeration, stop);
        } else { /* the empty board */
            enumeration->plies[0] = (key_ply){1, calloc(1, sizeof(plb_position))};
            if (!enumeration->plies[0].positions) error = PLB_ENOMEM;
            enumeration->positions += !error;
        }
    }
    int made = enumeration->made;
    pthread_mutex_unlock(&enumeration->lock);
    if (error == PLB_EINTERRUPTED) return plb_fail(message, error, "interrupted");
    if (error == PLB_ECORRUPT)
        return plb_fail(message, error,
                        "the table is damaged: its keys or counts of ply %d do not match the "
                        "positions that can arise",
                        made);
    if (error) return plb_fail(message, error, "out of memory for the positions of ply %d", made);
    return PLB_OK;
}

/* Visit images of a key, from symmetry at->element on. Returns whether to continue. */
static bool list_key(const plb_enumeration *enumeration, plb_listing *at, uint64_t *entries,
                     plb_enumeration_visitor *visit, void *context) {
    const key_ply *keys = &enumeration->plies[at->ply];
    plb_orbit_row images[PLB_MAX_SYMMETRIES];
    at->done = at->slab == keys->count;
    if (at->done) return false;
    int i = 0, count = plb_orbit_list(&enumeration->space->game, &enumeration->space->symmetry,
                                      keys->positions[at->slab], images);
    bool more = true;
    while (i < count && (uint64_t)images[i].element < at->element) i++;
    for (; more && i < count && *entries; i++, --*entries)
        more = visit(context, images[i].position, 1);
    at->element = i < count ? images[i].element : 0;
    if (i == count) at->done = ++at->slab == keys->count;
    return more;
}

/* ---- both kinds ---- */

uint64_t plb_enumeration_entries(const plb_enumeration *enumeration, int ply) {
    return enumeration->keyed ? enumeration->plies[ply].count
                              : plb_index_size(&enumeration->space->index, ply);
}

uint64_t plb_enumeration_max_positions(const plb_enumeration *enumeration, int ply) {
    const plb_index_ply *slabs = &enumeration->space->index.plies[ply];
    return enumeration->keyed ? enumeration->plies[ply].count * enumeration->space->symmetry.order
                              : slabs->codes * slabs->slab_size;
}

double plb_enumeration_bytes(const plb_enumeration *enumeration) {
    return (double)enumeration->positions * sizeof(plb_position);
}

bool plb_enumeration_is_in_memory(const plb_enumeration *enumeration) {
    return enumeration->keyed;
}

uint64_t plb_enumeration_chunks(const plb_enumeration *enumeration, int ply) {
    return enumeration->keyed ? plb_divide_up(enumeration->plies[ply].count, CHUNK_KEYS)
                              : enumeration->space->index.plies[ply].slabs *
                                    chunks_of_slab(&enumeration->space->index, ply);
}

void plb_enumeration_chunk(const plb_enumeration *enumeration, int ply, uint64_t chunk,
                           plb_enumeration_visitor *visit, void *context) {
    const plb_space *space = enumeration->space;
    const plb_index *index = &space->index;
    if (enumeration->keyed) {
        const key_ply *keys = &enumeration->plies[ply];
        uint64_t end = plb_min((chunk + 1) * CHUNK_KEYS, keys->count);
        bool more = true;
        for (uint64_t k = chunk * CHUNK_KEYS; more && k < end; k++)
            more = visit(context, keys->positions[k],
                         plb_orbit_count(&space->game, &space->symmetry, keys->positions[k]));
        return;
    }
    uint64_t chunks = chunks_of_slab(index, ply), slab_size = index->plies[ply].slab_size;
    uint64_t rank = chunk % chunks * CHUNK_ENTRIES, end = plb_min(rank + CHUNK_ENTRIES, slab_size);
    uint64_t occupied = plb_index_slab_cells(index, ply, chunk / chunks);
    colourings c = {space, ply, occupied,
                    (uint64_t)plb_symmetry_orbit_size(index->symmetry, occupied)};
    visit_colourings(&c, &rank, end, visit, context);
}

bool plb_enumeration_goes_before(const plb_enumeration *enumeration, plb_position position,
                                 plb_position other) {
    if (enumeration->keyed) return plb_position_is_less(position, other);
    plb_entry a = plb_index_rank(&enumeration->space->index, position);
    plb_entry b = plb_index_rank(&enumeration->space->index, other);
    return a.slab != b.slab ? a.slab < b.slab : a.rank < b.rank;
}

plb_position plb_enumeration_canonical(const plb_enumeration *enumeration, plb_position position) {
    const plb_symmetry *symmetry = &enumeration->space->symmetry;
    plb_position least = position;
    for (int e = 1; !enumeration->keyed && e < symmetry->order; e++) {
        plb_position image = enumeration->space->game.rules->map(symmetry, e, position);
        if (plb_stones_occupied(image) == plb_stones_occupied(position) && image.x < least.x)
            least = image;
    }
    return least;
}

bool plb_enumeration_draw(const plb_enumeration *enumeration, int ply, uint64_t *random,
                          plb_position *position, uint64_t *count) {
    const plb_space *space = enumeration->space;
    const key_ply *keys = &enumeration->plies[ply];
    if (enumeration->keyed) {
        if (!keys->count) return false;
        *position = keys->positions[plb_random_below(random, keys->count)];
        *count = plb_orbit_count(&space->game, &space->symmetry, *position);
        return true;
    }
    const plb_index_ply *p = &space->index.plies[ply];
    uint64_t slab = plb_random_below(random, p->slabs);
    plb_entry entry = {ply, slab, plb_random_below(random, p->slab_size)};
    *position = plb_index_unrank(&space->index, entry);
    *count = (uint64_t)plb_symmetry_orbit_size(&space->symmetry, plb_stones_occupied(*position));
    return plb_space_check(space, *position, NULL) == PLB_OK;
}

/* A ply without positions has one valid cursor, the beginning. */
bool plb_enumeration_is_cursor(const plb_enumeration *enumeration, const plb_listing *cursor) {
    const plb_index_ply *ply = &enumeration->space->index.plies[cursor->ply];
    uint64_t slabs =
        enumeration->keyed ? plb_max(1, enumeration->plies[cursor->ply].count) : ply->slabs;
    uint64_t ranks = enumeration->keyed ? 1 : ply->slab_size;
    return cursor->done || (cursor->slab < slabs && cursor->rank < ranks &&
                            cursor->element < (uint64_t)enumeration->space->symmetry.order);
}

void plb_enumeration_list(const plb_enumeration *enumeration, plb_listing *cursor, uint64_t entries,
                          plb_enumeration_visitor *visit, void *context) {
    for (bool more = true; more && entries && !cursor->done;)
        more = enumeration->keyed ? list_key(enumeration, cursor, &entries, visit, context)
                                  : list_slab(enumeration->space, cursor, &entries, visit, context);
}
