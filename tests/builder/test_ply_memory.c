/* SPDX-License-Identifier: MIT
 *
 * Ply memory: planes keep their words and never overlap, two plies together fit in the pool, and
 * the memory of freed planes is used again.
 */
#include "builder/slabs/ply_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/support/support.h"

enum { POOL_BYTES = 16 << 20, PLANES = 2 };

/* All sets of 16 cells without two: slabs of several blocks. */
enum { CELLS = 16, SLABS = CELLS * (CELLS - 1) / 2 };

static uint64_t set_of(int slab) {
    int first = 0;
    for (; slab >= CELLS - 1 - first; first++) slab -= CELLS - 1 - first;
    return (((1ULL << CELLS) - 1) ^ 1ULL << first) ^ 1ULL << (first + 1 + slab);
}

static void fill_planes(const plb_planes *planes, uint64_t seed) {
    for (size_t w = 0; w <= planes->count * planes->shape->words; w++)
        planes->words[w] = support_random(&seed);
}

static void assert_planes(const plb_planes *planes, uint64_t seed) {
    for (size_t w = 0; w <= planes->count * planes->shape->words; w++)
        assert_true(planes->words[w] == support_random(&seed));
}

static void assert_shape(const plb_slab *found, const plb_slab *shape) {
    assert_true(found->occupied == shape->occupied && found->stones == shape->stones);
    assert_true(found->ones == shape->ones && found->low == shape->low);
    assert_true(found->blocks == shape->blocks && found->words == shape->words);
    for (size_t b = 0; b < shape->blocks; b++) assert_true(found->hi[b] == shape->hi[b]);
    for (size_t b = 0; b <= shape->blocks && shape->blocks; b++)
        assert_true(found->start[b] == shape->start[b]);
}

/* Add all slabs. Returns how many fit. */
static int add_slabs(plb_ply_memory *memory, const plb_game *game, uint64_t seed) {
    int count = 0;
    plb_slab shape = {0};
    assert_int_equal(plb_ply_memory_begin(memory, SLABS), PLB_OK);
    assert_false(plb_ply_memory_has(memory, 0, 1));
    for (int slab = 0; slab < SLABS; slab++) {
        assert_int_equal(plb_slab_shape(game, set_of(slab), PLB_LIVE, NULL, &shape), PLB_OK);
        assert_null(plb_ply_memory_find(memory, slab));
        const plb_planes *planes = plb_ply_memory_add(memory, slab, &shape, PLANES);
        assert_ptr_equal(plb_ply_memory_find(memory, slab), planes);
        if (!planes) continue;
        fill_planes(planes, seed + slab);
        count++;
    }
    plb_slab_free(&shape);
    assert_int_equal(plb_ply_memory_has(memory, 0, SLABS), count == SLABS);
    return count;
}

static void assert_slabs(const plb_ply_memory *memory, const plb_game *game, uint64_t seed) {
    plb_slab shape = {0};
    for (int slab = 0; slab < SLABS; slab++) {
        const plb_planes *planes = plb_ply_memory_find(memory, slab);
        if (!planes) continue;
        assert_int_equal(planes->count, PLANES);
        assert_int_equal(plb_slab_shape(game, set_of(slab), PLB_LIVE, NULL, &shape), PLB_OK);
        assert_shape(planes->shape, &shape);
        assert_planes(planes, seed + slab);
    }
    plb_slab_free(&shape);
    assert_null(plb_ply_memory_find(memory, SLABS));
}

static void two_plies_are_in_memory_together(void **state) {
    (void)state;
    plb_memory_pool *pool = NULL;
    plb_game game = support_game("mnk-4x4-k4");
    assert_int_equal(plb_memory_pool_open(POOL_BYTES, &pool), PLB_OK);
    for (int ply = 0; ply < 5; ply++) {
        assert_int_equal(add_slabs(plb_memory_pool_ply(pool, ply), &game, 1000 * ply), SLABS);
        assert_slabs(plb_memory_pool_ply(pool, ply), &game, 1000 * ply);
        if (ply) assert_slabs(plb_memory_pool_ply(pool, ply - 1), &game, 1000 * (ply - 1));
    }
    plb_memory_pool_close(pool);
}

/* A shape without blocks, whose planes have this number of words. */
static plb_slab big_shape(size_t words) {
    return (plb_slab){.words = words};
}

/* From the beginning of the range, in steps of a multiple of 64 bytes. */
static void planes_follow_each_other(void **state) {
    (void)state;
    plb_memory_pool *pool = NULL;
    plb_slab shape = big_shape(100);
    const plb_planes *planes[2][3];
    assert_int_equal(plb_memory_pool_open(POOL_BYTES, &pool), PLB_OK);
    for (int ply = 0; ply < 2; ply++) {
        plb_ply_memory *memory = plb_memory_pool_ply(pool, ply);
        assert_int_equal(plb_ply_memory_begin(memory, 3), PLB_OK);
        for (int slab = 0; slab < 3; slab++)
            planes[ply][slab] = plb_ply_memory_add(memory, slab, &shape, 1);
    }
    int64_t step = (planes[0][1]->words - planes[0][0]->words) * (int64_t)sizeof(uint64_t);
    assert_int_equal(step % 64, 0);
    assert_in_range(step, 100 * sizeof(uint64_t) + 1, 100 * sizeof(uint64_t) + 300);
    for (int i = 1; i < 6; i++)
        assert_int_equal((planes[i / 3][i % 3]->words - planes[0][0]->words) * 8, i * step);
    plb_memory_pool_close(pool);
}

/* Slabs of a ply are freed while the next ply is added: both take little more memory than one. */
static void freed_memory_is_used_again(void **state) {
    (void)state;
    enum { KEPT = 10, ROUNDS = 6 };
    plb_memory_pool *pool = NULL;
    plb_game game = support_game("mnk-4x4-k4");
    plb_slab shape = {0};
    const uint8_t *lowest = NULL, *highest = NULL;
    uint64_t all = 0;
    assert_int_equal(plb_memory_pool_open(POOL_BYTES, &pool), PLB_OK);
    for (int ply = 0; ply < ROUNDS; ply++) {
        plb_ply_memory *made = plb_memory_pool_ply(pool, ply),
                       *after = plb_memory_pool_ply(pool, ply + 1);
        assert_int_equal(plb_ply_memory_begin(made, SLABS), PLB_OK);
        for (int slab = 0; slab < SLABS; slab++) {
            if (slab >= KEPT) plb_ply_memory_forget(after, slab - KEPT, slab - KEPT + 1);
            assert_int_equal(plb_slab_shape(&game, set_of(slab), PLB_LIVE, NULL, &shape), PLB_OK);
            const plb_planes *planes = plb_ply_memory_add(made, slab, &shape, PLANES);
            assert_non_null(planes);
            fill_planes(planes, 1000 * ply + slab);
            const uint8_t *first = (const uint8_t *)planes->words;
            const uint8_t *last = first + PLANES * shape.words * sizeof(uint64_t);
            if (ply == 0) all += last - first;
            if (!lowest || first < lowest) lowest = first;
            if (!highest || last > highest) highest = last;
        }
        if (ply) assert_false(plb_ply_memory_has(after, SLABS - KEPT - 1, SLABS));
        if (ply) assert_true(plb_ply_memory_has(after, SLABS - KEPT, SLABS));
        assert_slabs(made, &game, 1000 * ply);
        if (ply) assert_slabs(after, &game, 1000 * (ply - 1));
    }
    assert_true((uint64_t)(highest - lowest) < all + all / 2);
    plb_slab_free(&shape);
    plb_memory_pool_close(pool);
}

static bool is_resident(uint64_t *word) {
    enum { PAGE = 4096 };
    unsigned char page;
    assert_int_equal(mincore((uint8_t *)word - (uintptr_t)word % PAGE, 1, &page), 0);
    return page & 1;
}

/* Unused pages are given back, also those between used ones, and can be used again. */
static void trimmed_pages_are_used_again(void **state) {
    (void)state;
    enum { PIECE_WORDS = 1 << 18, PIECES = 6 }; /* 2 MiB each */
    plb_memory_pool *pool = NULL;
    plb_slab shape = big_shape(PIECE_WORDS);
    assert_int_equal(plb_memory_pool_open(POOL_BYTES, &pool), PLB_OK);
    plb_ply_memory *memory = plb_memory_pool_ply(pool, 0);
    assert_int_equal(plb_ply_memory_begin(memory, 2 * PIECES), PLB_OK);
    for (int slab = 0; slab < PIECES; slab++)
        fill_planes(plb_ply_memory_add(memory, slab, &shape, 1), slab);
    uint64_t *freed = plb_ply_memory_find(memory, 2)->words;
    plb_ply_memory_forget(memory, 1, PIECES - 1);
    assert_true(is_resident(freed));
    plb_memory_pool_trim(pool);
    assert_false(is_resident(freed));
    for (int slab = PIECES; slab < 2 * PIECES - 2; slab++) {
        const plb_planes *planes = plb_ply_memory_add(memory, slab, &shape, 1);
        assert_non_null(planes);
        fill_planes(planes, slab);
    }
    static const int kept[] = {0, PIECES - 1, PIECES, 2 * PIECES - 3};
    for (int i = 0; i < 4; i++) assert_planes(plb_ply_memory_find(memory, kept[i]), kept[i]);
    plb_memory_pool_close(pool);
}

/* One ply gets all the memory that the other has freed, to the last page. */
static void one_ply_gets_the_memory_the_other_frees(void **state) {
    (void)state;
    enum { PIECE_WORDS = 1 << 16, MAX = POOL_BYTES / (PIECE_WORDS * 8) };
    plb_memory_pool *pool = NULL;
    plb_slab shape = big_shape(PIECE_WORDS);
    assert_int_equal(plb_memory_pool_open(POOL_BYTES, &pool), PLB_OK);
    for (int ply = 0; ply < 4; ply++) {
        plb_ply_memory *memory = plb_memory_pool_ply(pool, ply),
                       *other = plb_memory_pool_ply(pool, ply + 1);
        int count = 0;
        assert_int_equal(plb_ply_memory_begin(memory, 2 * MAX), PLB_OK);
        for (int slab = 0; slab < 2 * MAX; slab++) {
            const plb_planes *planes = plb_ply_memory_add(memory, slab, &shape, 1);
            if (planes) memset(planes->words, slab, PIECE_WORDS * sizeof(uint64_t));
            count += planes != NULL;
        }
        assert_in_range(count, MAX - 8, MAX - 1); /* an allocation is a little larger */
        assert_int_equal(plb_ply_memory_begin(other, 1), PLB_OK);
        assert_null(plb_ply_memory_add(other, 0, &shape, 1));
        for (int slab = 0; slab < count; slab++) {
            const plb_planes *planes = plb_ply_memory_find(memory, slab);
            assert_true(planes->words[0] == 0x0101010101010101ULL * slab);
            assert_true(planes->words[PIECE_WORDS - 1] == planes->words[0]);
        }
        plb_ply_memory_clear(memory);
    }
    plb_memory_pool_close(pool);
}

static void an_empty_pool_refuses_planes(void **state) {
    (void)state;
    static const uint64_t sizes[] = {0, 1, (2 << 20) - 1};
    plb_slab shape = big_shape(1);
    for (int r = 0; r < 3; r++) {
        plb_memory_pool *pool = NULL;
        assert_int_equal(plb_memory_pool_open(sizes[r], &pool), PLB_OK);
        plb_ply_memory *memory = plb_memory_pool_ply(pool, 0);
        assert_int_equal(plb_ply_memory_begin(memory, 1), PLB_OK);
        assert_null(plb_ply_memory_add(memory, 0, &shape, 1));
        assert_false(plb_ply_memory_has(memory, 0, 1));
        plb_memory_pool_close(pool);
    }
    assert_null(plb_ply_memory_add(NULL, 0, &shape, 1));
    assert_null(plb_ply_memory_find(NULL, 0));
    plb_memory_pool_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_follow_each_other),
        cmocka_unit_test(two_plies_are_in_memory_together),
        cmocka_unit_test(freed_memory_is_used_again),
        cmocka_unit_test(trimmed_pages_are_used_again),
        cmocka_unit_test(one_ply_gets_the_memory_the_other_frees),
        cmocka_unit_test(an_empty_pool_refuses_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
