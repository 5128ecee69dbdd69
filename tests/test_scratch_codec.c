/* SPDX-License-Identifier: MIT
 *
 * Scratch records: planes come back as they were, whatever their size and their share of ones;
 * bytes that are no record are refused or read as something, and never harm.
 */
#include "builder/scratch_codec.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support.h"

/* Around the sizes at which a record is compressed, cut, and cut into many chunks. */
static const size_t sizes[] = {0,     1,     63,    64,    65,     1000,
                               32767, 32768, 32769, 65536, 600001, (1 << 19) + 1};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

typedef struct fixture {
    plb_threads threads;
    plb_scratch_codec *codec;
    plb_packed_record packed;
} fixture;

static fixture open_fixture(plb_threads *threads) {
    fixture f = {.threads = {.count = 1}};
    *threads = f.threads;
    assert_int_equal(plb_scratch_codec_open(threads, &f.codec), PLB_OK);
    return f;
}

static void close_fixture(fixture *f) {
    plb_packed_record_free(&f->packed);
    plb_scratch_codec_close(f->codec);
}

/* Words of which some are alike: kind 0 all, 1 most, 2 none. */
static uint64_t *make_words(size_t count, int kind) {
    uint64_t *words = malloc((count + 1) * sizeof *words), random = count + kind;
    assert_non_null(words);
    for (size_t w = 0; w < count; w++) {
        uint64_t any = support_random(&random);
        words[w] = kind == 2 || (kind == 1 && any % 8 == 0) ? any : 0;
    }
    return words;
}

static void planes_come_back(void **state) {
    (void)state;
    plb_threads threads;
    fixture f = open_fixture(&threads);
    for (int s = 0; s < 3 * SIZES; s++) {
        size_t count = sizes[s / 3];
        uint64_t *words = make_words(count, s % 3), *back = make_words(count, 2);
        back[count] = 42;
        assert_int_equal(plb_scratch_codec_pack(f.codec, words, count, &f.packed), PLB_OK);
        assert_true(plb_scratch_codec_unpack(f.codec, &f.packed.record, back, count));
        if (count) assert_memory_equal(back, words, count * sizeof *words);
        assert_true(back[count] == 42);
        if (count > 1000 && s % 3 == 0) assert_true(f.packed.record.size < count / 10);
        free(words);
        free(back);
    }
    close_fixture(&f);
}

static void damaged_items_do_no_harm(void **state) {
    (void)state;
    enum { COUNT = 70000, DAMAGES = 300 };
    plb_threads threads;
    fixture f = open_fixture(&threads);
    uint64_t *words = make_words(COUNT, 1), *back = make_words(COUNT, 0), random = 1;
    int refused = 0;
    assert_int_equal(plb_scratch_codec_pack(f.codec, words, COUNT, &f.packed), PLB_OK);
    plb_bytes record = f.packed.record;
    for (int d = 0; d < DAMAGES; d++) {
        /* In a block of its own, so that reading beyond it is noticed. */
        size_t size = d % 3 ? record.size : support_random(&random) % record.size;
        plb_bytes damaged = {malloc(size + (size == 0)), size, size};
        assert_non_null(damaged.bytes);
        memcpy(damaged.bytes, record.bytes, size);
        for (int b = 0; b < 4 && size; b++) {
            size_t at = support_random(&random) % (d % 2 ? size : plb_min(size, 24));
            damaged.bytes[at] = (uint8_t)support_random(&random);
        }
        refused += !plb_scratch_codec_unpack(f.codec, &damaged, back, COUNT);
        free(damaged.bytes);
    }
    assert_true(refused > DAMAGES / 3);
    free(words);
    free(back);
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_come_back),
        cmocka_unit_test(damaged_items_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
