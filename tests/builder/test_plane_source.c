/* SPDX-License-Identifier: MIT
 *
 * Plane sources: the planes of any set of cells agree with those of its canonical image, position
 * by position, from a file, from memory and from a cache. Immediate wins, which are not stored, are
 * computed. Cached planes are not read again.
 */
#include "builder/slabs/plane_source.h"

#include <stdlib.h>

#include "tests/support/words.h"

static const char *const specs[] = {"connect-5x3-k3", "connect-4x4-k3-cylinder", "mnk-4x4-k3"};
enum { SPECS = sizeof specs / sizeof specs[0], PLANES = 2, SETS = 40, DEAD = 2 };
enum { BLOCK_ENTRIES = 1 << 16, NEVER = 3 /* a code that is never read */ };
static const char label[] = "planes of a test";

/* The random planes of a ply, and the places in which a source finds them. */
typedef struct stored_ply {
    plb_space space;
    int ply;
    uint64_t slabs;
    plb_slab *shapes;   /* [slabs] */
    plb_planes *planes; /* [slabs] */
    plb_threads threads;
    plb_scratch_codec *codec;
    plb_memory_pool *pool;
    plb_plane_cache *cache;
    plb_word_stack stack;
    plb_plane_source *source;
    plb_ply_planes layer;
} stored_ply;

/* Store planes in the scratch file; with in_memory, those of even slabs in memory. */
static void store_ply(stored_ply *s, const char *path, bool in_memory) {
    plb_block_layout layout = plb_block_layout_ply(&s->space.index, s->ply, BLOCK_ENTRIES);
    s->layer.parts = (plb_parts){layout, 1};
    s->layer.planes = PLANES;
    s->layer.missing = DEAD;
    if (in_memory) {
        s->layer.memory = plb_memory_pool_ply(s->pool, s->ply);
        assert_int_equal(plb_ply_memory_begin(s->layer.memory, s->slabs), PLB_OK);
    }
    assert_int_equal(plb_scratch_create(path, label, s->slabs, &s->layer.scratch[0], NULL), PLB_OK);
    for (uint64_t slab = 0; slab < s->slabs; slab++) {
        const plb_planes *made = &s->planes[slab], *copy = NULL;
        if (slab % 2 == 0) copy = plb_ply_memory_add(s->layer.memory, slab, made->shape, PLANES);
        for (size_t w = 0; copy && w < PLANES * made->shape->words; w++)
            copy->words[w] = made->words[w];
        if (!copy)
            assert_int_equal(plb_plane_source_store(s->source, &s->layer, slab, NULL, made, NULL),
                             PLB_OK);
    }
    assert_int_equal(plb_scratch_commit(s->layer.scratch[0], NULL, 0, NULL), PLB_OK);
}

/* A cache for the layer of a ply. */
static void begin_cache(stored_ply *s, uint64_t bytes) {
    assert_int_equal(plb_plane_cache_open(bytes, &s->cache), PLB_OK);
    assert_int_equal(plb_plane_cache_begin(s->cache, s->slabs, bytes), PLB_OK);
    s->layer.cache = s->cache;
}

static void make_ply(const char *spec, int ply, plb_block_set set, uint64_t *random,
                     stored_ply *s) {
    *s = (stored_ply){.ply = ply, .threads = {.count = 1}, .layer.set = set};
    support_open_space(spec, &s->space);
    s->slabs = s->space.index.plies[ply].slabs;
    s->shapes = calloc(s->slabs, sizeof *s->shapes);
    s->planes = calloc(s->slabs, sizeof *s->planes);
    for (uint64_t slab = 0; slab < s->slabs; slab++) {
        uint64_t occupied = plb_index_slab_cells(&s->space.index, ply, slab);
        s->shapes[slab] = words_shape(&s->space.game, occupied, set);
        s->planes[slab] = words_new_planes(&s->shapes[slab], PLANES);
        for (size_t w = 0; w < PLANES * s->shapes[slab].words; w++)
            s->planes[slab].words[w] = support_random(random);
    }
    assert_int_equal(plb_memory_pool_open(16 << 20, &s->pool), PLB_OK);
    assert_int_equal(plb_scratch_codec_open(&s->threads, plb_best_vectors(), &s->codec), PLB_OK);
    plb_word_stack_open(PLB_HUGE_PAGE, &s->stack); /* some planes do not fit in it */
    assert_int_equal(
        plb_plane_source_open(&s->space.index, &s->threads, s->codec, &s->stack, &s->source),
        PLB_OK);
}

static void free_ply(stored_ply *s) {
    plb_plane_source_close(s->source);
    plb_word_stack_close(&s->stack);
    plb_plane_cache_close(s->cache);
    plb_scratch_codec_close(s->codec);
    plb_memory_pool_close(s->pool);
    for (uint64_t slab = 0; slab < s->slabs; slab++) {
        plb_slab_free(&s->shapes[slab]);
        free(s->planes[slab].words);
    }
    free(s->shapes);
    free(s->planes);
    plb_space_close(&s->space);
}

/* Can the mover complete a group? */
static bool completes(const stored_ply *s, uint64_t occupied, uint64_t x) {
    const plb_game *game = &s->space.game;
    uint64_t mover = plb_ply_x_moves(s->ply) ? x : occupied & ~x;
    return plb_game_completing(game, mover, plb_game_playable(game, occupied)) != 0;
}

/* The code of a position: from the planes of its canonical set, or of a win that is not stored. */
static unsigned find_code(const stored_ply *s, uint64_t occupied, uint64_t word) {
    const plb_symmetry *symmetry = &s->space.symmetry;
    uint64_t canonical, x = plb_scatter_bits(word, occupied);
    int element = plb_symmetry_canonical(symmetry, occupied, &canonical);
    const plb_planes *planes = &s->planes[plb_index_slab(&s->space.index, canonical)];
    uint64_t mapped = plb_gather_bits(plb_symmetry_map(symmetry, element, x), canonical);
    int64_t bit = words_bit(planes->shape, mapped);
    if (bit < 0) return DEAD;
    if (s->layer.kernels && completes(s, occupied, x))
        return plb_ply_x_moves(s->ply) ? 1U << PLB_X_WINS : 1U << PLB_O_WINS;
    return words_get_code(planes, bit);
}

static void check_planes(const stored_ply *s, uint64_t occupied, const plb_planes *found) {
    assert_int_equal(found->count, PLANES);
    assert_true(found->shape->occupied == occupied);
    uint64_t word = words_first(found->shape);
    do {
        int64_t bit = words_bit(found->shape, word);
        unsigned code = find_code(s, occupied, word);
        if (bit >= 0 && code != NEVER) assert_int_equal(words_get_code(found, bit), code);
    } while ((word = words_next(found->shape, word)));
}

/* Fetch the planes of random sets, four at a time: they stay unchanged until they are released. */
static void check_fetches(const stored_ply *s, uint64_t *random) {
    enum { AT_A_TIME = 4 };
    for (int i = 0; i < SETS; i += AT_A_TIME) {
        uint64_t sets[AT_A_TIME];
        plb_planes found[AT_A_TIME];
        for (int slot = 0; slot < AT_A_TIME; slot++) {
            sets[slot] = words_random_set(&s->space.game, s->ply, random);
            assert_int_equal(
                plb_plane_source_fetch(s->source, slot, &s->layer,
                                       (plb_slab_part){sets[slot], NULL}, &found[slot], NULL),
                PLB_OK);
        }
        for (int slot = 0; slot < AT_A_TIME; slot++) check_planes(s, sets[slot], &found[slot]);
        plb_plane_source_release(s->source);
    }
}

static void planes_agree_with_those_of_the_canonical_set(void **state) {
    static const uint64_t cache_bytes[] = {
        0, 0, 2 << 20}; /* no cache, one of size 0, one that holds some */
    uint64_t random = support_seed("planes and sets", 1);
    for (int spec = 0; spec < SPECS; spec++)
        for (int ply = 0; ply <= 15; ply += 5)
            for (int way = 0; way < 6; way++) {
                stored_ply s;
                make_ply(specs[spec], ply, PLB_LIVE, &random, &s);
                store_ply(&s, support_path(state, "planes"), way % 2);
                if (way / 2) begin_cache(&s, cache_bytes[way / 2]);
                check_fetches(&s, &random);
                plb_scratch_close(s.layer.scratch[0]);
                free_ply(&s);
            }
}

static void immediate_wins_are_computed(void **state) {
    uint64_t random = support_seed("planes and sets", 4);
    for (int spec = 0; spec < SPECS; spec++)
        for (int ply = 5; ply <= 15; ply++) {
            stored_ply s;
            make_ply(specs[spec], ply, PLB_UNDECIDED, &random, &s);
            s.layer.kernels = plb_kernels_best();
            store_ply(&s, support_path(state, "planes"), false);
            begin_cache(&s, 2 << 20);
            check_fetches(&s, &random);
            plb_scratch_close(s.layer.scratch[0]);
            free_ply(&s);
        }
}

/* Slabs that are cached are in the same place when they are fetched again. */
static void cached_planes_are_not_read_again(void **state) {
    uint64_t random = support_seed("planes and sets", 2);
    stored_ply s;
    plb_planes first, other, again;
    make_ply("connect-5x3-k3", 6, PLB_LIVE, &random, &s);
    store_ply(&s, support_path(state, "planes"), false);
    uint64_t a = s.shapes[0].occupied, b = s.shapes[1].occupied;
    begin_cache(&s, 2 << 20);
    plb_plane_source_fetch(s.source, 0, &s.layer, (plb_slab_part){a, NULL}, &first, NULL);
    plb_plane_source_release(s.source);
    plb_plane_source_fetch(s.source, 0, &s.layer, (plb_slab_part){b, NULL}, &other, NULL);
    plb_plane_source_release(s.source);
    plb_scratch_close(s.layer.scratch[0]); /* the file is closed, the cached planes remain */
    assert_int_equal(
        plb_plane_source_fetch(s.source, 0, &s.layer, (plb_slab_part){a, NULL}, &again, NULL),
        PLB_OK);
    assert_ptr_equal(again.words, first.words);
    assert_ptr_not_equal(again.words, other.words);
    check_planes(&s, a, &again);
    free_ply(&s);
}

static void damaged_planes_are_refused(void **state) {
    uint64_t random = support_seed("planes and sets", 3);
    const char *path = support_path(state, "planes");
    stored_ply s;
    plb_planes planes;
    plb_message why;
    make_ply("connect-5x3-k3", 6, PLB_LIVE, &random, &s);
    store_ply(&s, path, false);
    plb_scratch_close(s.layer.scratch[0]);
    support_flip_bits(path, 0, 1);
    assert_int_equal(plb_scratch_open(path, label, s.slabs, &s.layer.scratch[0], &why), PLB_OK);
    int error = plb_plane_source_fetch(s.source, 0, &s.layer,
                                       (plb_slab_part){s.shapes[0].occupied, NULL}, &planes, &why);
    support_expect(error, PLB_ECORRUPT, "damaged planes", &why);
    plb_scratch_close(s.layer.scratch[0]);
    free_ply(&s);
    plb_plane_source_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(planes_agree_with_those_of_the_canonical_set),
        SUPPORT_IN_FOLDER(immediate_wins_are_computed),
        SUPPORT_IN_FOLDER(cached_planes_are_not_read_again),
        SUPPORT_IN_FOLDER(damaged_planes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
