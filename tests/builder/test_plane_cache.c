/* SPDX-License-Identifier: MIT
 *
 * Plane caches: a slab stays while it is in use, and then until its space is needed. One thread
 * fills a slab. Threads that wait for it share it; if the first thread fails, one of them fills it.
 */
#include "builder/slabs/plane_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "builder/buffer.h"
#include "tests/support/words.h"

enum { PLANES = 2, SLABS = 400, SPACE = PLB_HUGE_PAGE };

/* A shape of blocks of one word each. */
static plb_slab make_shape(size_t words) {
    plb_slab shape = {.blocks = words, .words = words};
    shape.hi = calloc(words + 1, sizeof *shape.hi);
    shape.start = calloc(words + 1, sizeof *shape.start);
    for (size_t w = 0; w < words; w++) {
        shape.hi[w] = 3 * w;
        shape.start[w + 1] = w + 1;
    }
    return shape;
}

static plb_plane_cache *open_cache(uint64_t bytes) {
    plb_plane_cache *cache;
    assert_int_equal(plb_plane_cache_open(bytes, &cache), PLB_OK);
    assert_int_equal(plb_plane_cache_begin(cache, SLABS, bytes), PLB_OK);
    return cache;
}

static uint64_t word_of(uint64_t slab, size_t w) {
    return (slab + 1) * 0x9E3779B97F4A7C15U ^ w;
}

/* Add a slab that is not in the cache, and fill it with its own words. False: there is no space. */
static bool add(plb_plane_cache *cache, uint64_t slab, size_t words, plb_cached_slab **added) {
    plb_slab shape = make_shape(words);
    *added = plb_plane_cache_add(cache, slab, &shape, PLANES);
    plb_slab_free(&shape);
    if (!*added) return false;
    assert_false((*added)->is_there);
    for (size_t w = 0; w < PLANES * words; w++) (*added)->planes->words[w] = word_of(slab, w);
    plb_plane_cache_filled(cache, *added, true);
    return true;
}

static void check(const plb_cached_slab *cached, uint64_t slab, size_t words) {
    const plb_planes *planes = cached->planes;
    assert_true(cached->is_there);
    assert_int_equal(planes->count, PLANES);
    assert_int_equal(planes->shape->words, words);
    for (size_t w = 0; w < PLANES * words; w++) assert_true(planes->words[w] == word_of(slab, w));
    for (size_t b = 0; b < words; b++)
        assert_true(planes->shape->hi[b] == 3 * b && planes->shape->start[b + 1] == b + 1);
}

static size_t words_of(uint64_t slab) {
    return slab * 7919 % 5000;
}

/* Add and use slabs of all sizes at random. */
static void slabs_stay_while_they_are_in_use(void **state) {
    enum { USED = 6, STEPS = 8000 };
    struct {
        uint64_t slab;
        plb_cached_slab *cached;
    } used[USED] = {{0}};
    uint64_t random = support_seed("slabs and slots", 1), found = 0, refused = 0;
    plb_plane_cache *cache = open_cache(SPACE);
    (void)state;
    for (int step = 0; step < STEPS; step++) {
        int i = (int)(support_random(&random) % USED);
        if (used[i].cached) plb_plane_cache_leave(cache, used[i].cached);
        uint64_t slab = used[i].slab = support_random(&random) % SLABS;
        used[i].cached = plb_plane_cache_take(cache, slab);
        found += used[i].cached != NULL;
        if (!used[i].cached) refused += !add(cache, slab, words_of(slab), &used[i].cached);
        for (int k = 0; k < USED; k++)
            if (used[k].cached) check(used[k].cached, used[k].slab, words_of(used[k].slab));
    }
    assert_in_range(found, STEPS / 20, STEPS / 2); /* about a tenth of the slabs fit */
    assert_int_equal(refused, 0);
    for (int i = 0; i < USED; i++) plb_plane_cache_leave(cache, used[i].cached);
    plb_plane_cache_close(cache);
}

static void slabs_without_space_are_refused(void **state) {
    plb_plane_cache *cache = open_cache(SPACE), *none = open_cache(0);
    plb_cached_slab *first, *second, *other;
    size_t half = SPACE / sizeof(uint64_t) / (PLANES + 2) / 2 - 1000;
    (void)state;
    assert_false(add(none, 0, 0, &other));
    assert_false(add(cache, 0, 3 * half, &other));
    assert_true(add(cache, 1, half, &first) && add(cache, 2, half, &second));
    assert_false(add(cache, 3, half, &other));
    check(first, 1, half);
    plb_plane_cache_leave(cache, first);
    assert_true(add(cache, 3, half, &other));
    assert_null(plb_plane_cache_take(cache, 1));
    check(second, 2, half);
    /* A new ply begins with an empty cache of the given size. */
    assert_int_equal(plb_plane_cache_begin(cache, SLABS, SPACE / 4), PLB_OK);
    assert_null(plb_plane_cache_take(cache, 2));
    assert_false(add(cache, 2, SPACE, &other));
    plb_plane_cache_close(cache);
    plb_plane_cache_close(none);
    plb_plane_cache_close(NULL);
}

/* ---- threads ---- */

typedef struct waiter {
    plb_plane_cache *cache;
    bool had_to_fill;
} waiter;

static void *take_and_leave(void *context) {
    waiter *w = context;
    plb_cached_slab *cached = plb_plane_cache_take(w->cache, 5);
    w->had_to_fill = !cached->is_there;
    if (w->had_to_fill) plb_plane_cache_filled(w->cache, cached, true);
    plb_plane_cache_leave(w->cache, cached);
    return NULL;
}

static void a_waiting_thread_fills_after_a_failure(void **state) {
    (void)state;
    for (int success = 0; success < 2; success++) {
        plb_plane_cache *cache = open_cache(SPACE);
        plb_slab shape = make_shape(10);
        plb_cached_slab *cached = plb_plane_cache_add(cache, 5, &shape, PLANES);
        waiter waiters[3] = {{cache, false}, {cache, false}, {cache, false}};
        pthread_t threads[3];
        int filling = 0;
        for (int t = 0; t < 3; t++)
            assert_int_equal(pthread_create(&threads[t], NULL, take_and_leave, &waiters[t]), 0);
        usleep(20000); /* by now most likely all threads wait */
        plb_plane_cache_filled(cache, cached, success);
        for (int t = 0; t < 3; t++) pthread_join(threads[t], NULL);
        plb_plane_cache_leave(cache, cached);
        for (int t = 0; t < 3; t++) filling += waiters[t].had_to_fill;
        assert_int_equal(filling, !success);
        plb_slab_free(&shape);
        plb_plane_cache_close(cache);
    }
}

static void unfilled_slabs_are_removed(void **state) {
    plb_plane_cache *cache = open_cache(SPACE);
    plb_slab shape = make_shape(10);
    (void)state;
    plb_cached_slab *cached = plb_plane_cache_add(cache, 5, &shape, PLANES);
    plb_plane_cache_filled(cache, cached, false);
    plb_plane_cache_leave(cache, cached);
    assert_null(plb_plane_cache_take(cache, 5));
    assert_true(add(cache, 5, 10, &cached));
    check(cached, 5, 10);
    plb_slab_free(&shape);
    plb_plane_cache_close(cache);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slabs_stay_while_they_are_in_use),
        cmocka_unit_test(slabs_without_space_are_refused),
        cmocka_unit_test(a_waiting_thread_fills_after_a_failure),
        cmocka_unit_test(unfilled_slabs_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
