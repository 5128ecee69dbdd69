/* SPDX-License-Identifier: MIT
 *
 * Ply memory: planes come back as they were, pieces never overlap, and together two plies take no
 * more than the pool has.
 */
#include "builder/slabs/ply_memory.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support.h"

enum { ROOM = 16 << 20, PLANES = 2 };

/* Shapes of all sets of 14 cells of the bottom rows that leave out two: several blocks each. */
enum { CELLS = 16, SLABS = CELLS * (CELLS - 1) / 2 };

static uint64_t set_of(int slab) {
    int first = 0;
    for (; slab >= CELLS - 1 - first; first++) slab -= CELLS - 1 - first;
    return (((1ULL << CELLS) - 1) ^ 1ULL << first) ^ 1ULL << (first + 1 + slab);
}

static void fill_planes(const plb_planes *planes, uint64_t seed) {
    for (size_t w = 0; w <= PLANES * planes->shape->words; w++)
        planes->words[w] = support_random(&seed);
}

static void assert_planes(const plb_planes *planes, uint64_t seed) {
    assert_int_equal(planes->count, PLANES);
    for (size_t w = 0; w <= PLANES * planes->shape->words; w++)
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

/* Put all slabs there: how many found room. */
static int add_slabs(plb_ply_memory *memory, const plb_game *game, uint64_t seed) {
    int count = 0;
    plb_slab shape = {0};
    assert_int_equal(plb_ply_memory_begin(memory, SLABS), PLB_OK);
    assert_false(plb_ply_memory_has(memory, 0, 1));
    for (int slab = 0; slab < SLABS; slab++) {
        assert_int_equal(plb_slab_shape(game, set_of(slab), PLB_LIVE, &shape), PLB_OK);
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
        assert_int_equal(plb_slab_shape(game, set_of(slab), PLB_LIVE, &shape), PLB_OK);
        assert_shape(planes->shape, &shape);
        assert_planes(planes, seed + slab);
    }
    plb_slab_free(&shape);
    assert_null(plb_ply_memory_find(memory, SLABS));
}

static void two_plies_are_there_at_a_time(void **state) {
    (void)state;
    plb_memory_pool *pool = NULL;
    plb_game game = support_game("mnk-4x4-k4");
    assert_int_equal(plb_memory_pool_open(ROOM, &pool), PLB_OK);
    for (int ply = 0; ply < 5; ply++) {
        assert_int_equal(add_slabs(plb_memory_pool_ply(pool, ply), &game, 1000 * ply), SLABS);
        assert_slabs(plb_memory_pool_ply(pool, ply), &game, 1000 * ply);
        if (ply) assert_slabs(plb_memory_pool_ply(pool, ply - 1), &game, 1000 * (ply - 1));
    }
    plb_memory_pool_close(pool);
    plb_game_free(&game);
}

/* A shape whose planes are as big as they are said to be. */
static plb_slab big_shape(size_t words) {
    return (plb_slab){.words = words};
}

/* The picture of ply_memory.c: even plies grow from the beginning of the range, odd ones from its
 * end, in steps that are multiples of 64 bytes.
 *
 *     [ply 0: slab 0, slab 1, slab 2 ..        .. slab 2, slab 1, slab 0: ply 1]  */
static void plies_grow_from_both_ends(void **state) {
    (void)state;
    plb_memory_pool *pool = NULL;
    plb_slab shape = big_shape(100);
    const plb_planes *planes[2][3];
    assert_int_equal(plb_memory_pool_open(ROOM, &pool), PLB_OK);
    for (int ply = 0; ply < 2; ply++) {
        plb_ply_memory *memory = plb_memory_pool_ply(pool, ply);
        assert_int_equal(plb_ply_memory_begin(memory, 3), PLB_OK);
        for (int slab = 0; slab < 3; slab++)
            planes[ply][slab] = plb_ply_memory_add(memory, slab, &shape, 1);
    }
    int64_t step = (planes[0][1]->words - planes[0][0]->words) * (int64_t)sizeof(uint64_t);
    assert_int_equal(step % 64, 0);
    assert_in_range(step, 100 * sizeof(uint64_t) + 1, 100 * sizeof(uint64_t) + 300);
    assert_int_equal((planes[0][2]->words - planes[0][1]->words) * 8, step);
    assert_int_equal((planes[1][0]->words - planes[1][1]->words) * 8, step);
    assert_int_equal((planes[1][1]->words - planes[1][2]->words) * 8, step);
    assert_int_equal((planes[1][0]->words - planes[0][0]->words) * 8 + step, ROOM);
    plb_memory_pool_close(pool);
}

/* What one ply gives back the other gets, to the last page. */
static void the_room_goes_where_it_is_needed(void **state) {
    (void)state;
    enum { PIECE_WORDS = 1 << 16, MOST = ROOM / (PIECE_WORDS * 8) };
    plb_memory_pool *pool = NULL;
    plb_slab shape = big_shape(PIECE_WORDS);
    assert_int_equal(plb_memory_pool_open(ROOM, &pool), PLB_OK);
    for (int ply = 0; ply < 4; ply++) {
        plb_ply_memory *memory = plb_memory_pool_ply(pool, ply),
                       *other = plb_memory_pool_ply(pool, ply + 1);
        int count = 0;
        assert_int_equal(plb_ply_memory_begin(memory, 2 * MOST), PLB_OK);
        for (int slab = 0; slab < 2 * MOST; slab++) {
            const plb_planes *planes = plb_ply_memory_add(memory, slab, &shape, 1);
            if (planes) memset(planes->words, slab, PIECE_WORDS * sizeof(uint64_t));
            count += planes != NULL;
        }
        assert_in_range(count, MOST - 8, MOST - 1); /* a piece is some bytes more */
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

static void without_room_nothing_is_there(void **state) {
    (void)state;
    static const uint64_t rooms[] = {0, 1, (2 << 20) - 1};
    plb_slab shape = big_shape(1);
    for (int r = 0; r < 3; r++) {
        plb_memory_pool *pool = NULL;
        assert_int_equal(plb_memory_pool_open(rooms[r], &pool), PLB_OK);
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
        cmocka_unit_test(plies_grow_from_both_ends),
        cmocka_unit_test(two_plies_are_there_at_a_time),
        cmocka_unit_test(the_room_goes_where_it_is_needed),
        cmocka_unit_test(without_room_nothing_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
