/* SPDX-License-Identifier: MIT
 *
 * Scratch records: planes of any size and any share of ones survive a round trip, except outcomes
 * that are never read (ones in both planes), which take hardly any space. Damaged records are
 * refused or unpacked to some planes; no byte outside them is read.
 */
#include "builder/scratch/scratch_codec.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"

/* Words of all planes together, around the sizes from which a record is compressed and cut into
 * chunks. */
static const size_t sizes[] = {0,     1,     63,    64,    65,     1000,
                               32767, 32768, 32769, 65536, 600001, (1 << 19) + 1};
enum { SIZES = sizeof sizes / sizeof sizes[0] };
static const int plane_counts[] = {1, 2, 3, 7};
enum { COUNTS = sizeof plane_counts / sizeof plane_counts[0], OUTCOMES = 2 };

typedef struct fixture {
    plb_scratch_codec *codec;
    plb_packed_record packed;
} fixture;

static plb_vectors best_vectors; /* all tests run with and without vector instructions */

static fixture open_fixture(plb_vectors vectors) {
    static const plb_threads threads = {.count = 1};
    fixture f = {.codec = NULL};
    assert_int_equal(plb_scratch_codec_open(&threads, vectors, &f.codec), PLB_OK);
    return f;
}

static void close_fixture(fixture *f) {
    plb_packed_record_free(&f->packed);
    plb_scratch_codec_close(f->codec);
}

/* Words of zeros (kind 0), of which one in eight is random (1), or all are random (2). */
static uint64_t *make_words(size_t count, int kind) {
    uint64_t *words = malloc((count + 1) * sizeof *words), random = count + kind;
    assert_non_null(words);
    for (size_t w = 0; w < count; w++) {
        uint64_t any = support_random(&random);
        words[w] = kind == 2 || (kind == 1 && any % 8 == 0) ? any : 0;
    }
    return words;
}

/* Two planes are outcomes; those with a one in both planes may be unpacked as any. */
static void check_planes(const uint64_t *planes, const uint64_t *back, int count, size_t words) {
    for (size_t w = 0; w < words; w++) {
        uint64_t compared = count == OUTCOMES ? ~(planes[w] & planes[words + w]) : ~0ULL;
        for (int p = 0; p < count; p++)
            assert_true(((planes[p * words + w] ^ back[p * words + w]) & compared) == 0);
    }
}

/* Pack and unpack planes. Returns the size of the record. */
static size_t check_record(fixture *f, uint64_t *planes, int count, size_t words) {
    uint64_t *back = make_words(count * words, 2);
    back[count * words] = 42;
    assert_int_equal(plb_scratch_codec_pack(
                         f->codec, &(plb_plane_words){planes, count, words, words}, &f->packed),
                     PLB_OK);
    assert_true(plb_scratch_codec_unpack(f->codec, &f->packed.record,
                                         &(plb_plane_words){back, count, words, words}));
    check_planes(planes, back, count, words);
    assert_true(back[count * words] == 42);
    free(back);
    return f->packed.record.size;
}

static void planes_survive_a_round_trip(void **state) {
    (void)state;
    fixture f = open_fixture(best_vectors);
    for (int c = 0; c < COUNTS; c++)
        for (int s = 0; s < 3 * SIZES; s++) {
            int count = plane_counts[c];
            size_t words = sizes[s / 3] / count;
            uint64_t *planes = make_words(count * words, s % 3);
            size_t bytes = check_record(&f, planes, count, words);
            if (words > 1000 && s % 3 == 0) assert_true(bytes < count * words / 10);
            free(planes);
        }
    close_fixture(&f);
}

/* One outcome in eight is read, and the outcome changes every ALIKE words. Three planes with the
 * same content are not outcomes: all of their bits are stored. */
static void outcomes_that_are_never_read_take_no_space(void **state) {
    (void)state;
    enum { WORDS = 50000, ALIKE = 500, CHANGE_BYTES = 100 };
    fixture f = open_fixture(best_vectors);
    uint64_t *outcomes = make_words(OUTCOMES * WORDS, 0), *three = make_words(3 * WORDS, 0);
    uint64_t random = support_seed("outcomes", 1);
    for (size_t w = 0; w < WORDS; w++) {
        uint64_t never =
            support_random(&random) | support_random(&random) | support_random(&random);
        for (int p = 0; p < OUTCOMES; p++) {
            uint64_t wins = w / ALIKE % 3 == (size_t)p ? ~0ULL : 0;
            three[p * WORDS + w] = outcomes[p * WORDS + w] = wins | never;
        }
    }
    size_t bytes = check_record(&f, outcomes, OUTCOMES, WORDS);
    assert_true(bytes < WORDS / ALIKE * CHANGE_BYTES);
    assert_true(check_record(&f, three, 3, WORDS) > 10 * bytes);
    free(outcomes);
    free(three);
    close_fixture(&f);
}

/* With larger shares of changes, outcomes are no longer packed as runs. */
static void vector_instructions_pack_the_same_bytes(void **state) {
    (void)state;
    enum { WORDS = 20001, SHARES = 8 };
    fixture f = open_fixture(best_vectors), any = open_fixture(PLB_ANY_VECTORS);
    uint64_t random = support_seed("changes", 1), *planes = make_words(OUTCOMES * WORDS, 0);
    for (unsigned share = 0; share <= SHARES; share++) {
        for (size_t w = 0; w < WORDS; w++) {
            bool changes = support_random(&random) % SHARES < share;
            planes[w] = changes ? support_random(&random) << random % 64 : 0;
            planes[WORDS + w] = ~planes[w] & (changes ? support_random(&random) : 0);
        }
        size_t bytes = check_record(&f, planes, OUTCOMES, WORDS);
        assert_int_equal(check_record(&any, planes, OUTCOMES, WORDS), bytes);
        assert_memory_equal(any.packed.record.bytes, f.packed.record.bytes, bytes);
    }
    free(planes);
    close_fixture(&f);
    close_fixture(&any);
}

static void damaged_records_do_no_harm(void **state) {
    (void)state;
    enum { WORDS = 35000, COUNT = OUTCOMES * WORDS, DAMAGES = 300 };
    fixture f = open_fixture(best_vectors);
    uint64_t *words = make_words(COUNT, 1), *back = make_words(COUNT, 0), random = 1;
    int refused = 0;
    assert_int_equal(plb_scratch_codec_pack(
                         f.codec, &(plb_plane_words){words, OUTCOMES, WORDS, WORDS}, &f.packed),
                     PLB_OK);
    plb_bytes record = f.packed.record;
    for (int d = 0; d < DAMAGES; d++) {
        /* An allocation of its own: sanitizers detect a read beyond its end. */
        size_t size = d % 3 ? record.size : support_random(&random) % record.size;
        plb_bytes damaged = {malloc(size + (size == 0)), size, size};
        assert_non_null(damaged.bytes);
        memcpy(damaged.bytes, record.bytes, size);
        for (int b = 0; b < 4 && size; b++) {
            size_t at = support_random(&random) % (d % 2 ? size : plb_min(size, 24));
            damaged.bytes[at] = (uint8_t)support_random(&random);
        }
        refused += !plb_scratch_codec_unpack(f.codec, &damaged,
                                             &(plb_plane_words){back, OUTCOMES, WORDS, WORDS});
        free(damaged.bytes);
    }
    assert_true(refused > DAMAGES / 3);
    free(words);
    free(back);
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_survive_a_round_trip),
        cmocka_unit_test(outcomes_that_are_never_read_take_no_space),
        cmocka_unit_test(vector_instructions_pack_the_same_bytes),
        cmocka_unit_test(damaged_records_do_no_harm),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    best_vectors = plb_best_vectors();
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
