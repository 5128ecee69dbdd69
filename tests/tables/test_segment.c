/* SPDX-License-Identifier: MIT
 *
 * Segments: unpacking inverts packing, and a damaged block is refused.
 */
#include "tables/store/segment.h"
#include "tables/store/segment_writer.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"

enum { BLOCKS = 9, MAX_WORDS = 64, PLY = 17, FIRST_BLOCK = 1234567 };
enum { STORED = 5, DIRECTORY_BYTES = 12 + 4 * (STORED + 1) }; /* of make_segment */
static const uint64_t IDENTITY = 0xFEDCBA9876543210;

/* A segment and its content; words[b] is 0 for an empty block. */
typedef struct packed_segment {
    uint64_t planes[BLOCKS][MAX_WORDS], words[BLOCKS];
    uint8_t *bytes;
    size_t size;
} packed_segment;

/* Blocks that compress well or badly, and empty ones: the first, some in the middle, the last. */
static void fill_planes(packed_segment *s, uint64_t *random) {
    memset(s->planes, 0, sizeof s->planes);
    for (int b = 0; b < BLOCKS; b++) {
        bool empty = b == 0 || b == 4 || b == 5 || b == BLOCKS - 1;
        s->words[b] = empty ? 0 : 2 + 2 * support_random_below(random, MAX_WORDS / 2);
        if (s->words[b] > MAX_WORDS) s->words[b] = MAX_WORDS;
        for (uint64_t w = 0; w < s->words[b]; w++)
            s->planes[b][w] = b % 2 ? support_random(random) : w % 3 ? ~0ULL : 0;
    }
}

static packed_segment make_segment(uint64_t seed) {
    packed_segment s;
    plb_segment_writer *writer = NULL;
    const uint8_t *bytes;
    fill_planes(&s, &seed);
    assert_int_equal(plb_segment_writer_open(IDENTITY, 3, &writer), PLB_OK);
    assert_int_equal(plb_segment_writer_begin(writer, PLY, FIRST_BLOCK, BLOCKS), PLB_OK);
    for (int b = 0; b < BLOCKS; b++)
        assert_int_equal(
            plb_segment_writer_add(writer, s.words[b] ? s.planes[b] : NULL, s.words[b]), PLB_OK);
    assert_int_equal(plb_segment_writer_end(writer, &bytes, &s.size), PLB_OK);
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    memcpy(s.bytes, bytes, s.size);
    plb_segment_writer_close(writer);
    return s;
}

/* ---- the drawing of segment.h ---- */

static uint32_t number_at(const uint8_t *bytes) {
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* A segment of 66 blocks, of which 0, 2 and 65 are stored, with the same planes of e bytes:
 *
 *     byte 0                  12                 24   28       32        36        40
 *          [bits 5 | before 0] [bits 2 | before 2] [40] [40 + e] [40 + 2e] [40 + 3e] [blocks]
 */
static void a_segment_of_three_blocks(void **state) {
    (void)state;
    uint64_t planes[2] = {5, 2}; /* x wins entries 0 and 2, o wins entry 1 */
    plb_segment_writer *writer = NULL;
    plb_segment segment = {.blocks = 66};
    assert_int_equal(plb_segment_writer_open(IDENTITY, 3, &writer), PLB_OK);
    assert_int_equal(plb_segment_writer_begin(writer, 2, 0, 66), PLB_OK);
    assert_int_equal(plb_segment_writer_add(writer, planes, 2), PLB_OK);
    assert_int_equal(plb_segment_writer_add(writer, NULL, 0), PLB_OK);
    assert_int_equal(plb_segment_writer_add(writer, planes, 2), PLB_OK);
    plb_segment_writer_skip(writer, 62);
    assert_int_equal(plb_segment_writer_add(writer, planes, 2), PLB_OK);
    assert_int_equal(plb_segment_writer_end(writer, &segment.bytes, &segment.size), PLB_OK);
    const uint8_t *bytes = segment.bytes;
    uint32_t e = number_at(bytes + 28) - 40;
    assert_true(e > PLB_CHECKSUM_BYTES);
    const uint32_t directory[] = {5, 0, 0, 2, 0, 2, 40, 40 + e, 40 + 2 * e, 40 + 3 * e};
    for (int n = 0; n < 10; n++) assert_int_equal(number_at(bytes + (size_t)n * 4), directory[n]);
    assert_int_equal(segment.size, 40 + 3 * e);
    assert_true(plb_segment_is_sound(&segment));
    for (uint64_t b = 0; b < 66; b++)
        assert_int_equal(plb_segment_has_block(&segment, b), b == 0 || b == 2 || b == 65);
    plb_block_search search;
    assert_int_equal(plb_segment_search(&segment, 65, &search), PLB_OK);
    assert_int_equal(search.where.offset, 12);
    assert_int_equal(search.where.size, 12);
    assert_int_equal(plb_segment_search_step(&search, bytes + 12), PLB_OK);
    assert_int_equal(search.where.offset, 32); /* the end of block 2, where block 65 begins */
    assert_int_equal(search.where.size, 8);
    assert_false(search.is_found);
    assert_int_equal(plb_segment_search_step(&search, bytes + 32), PLB_OK);
    assert_int_equal(search.where.offset, 40 + 2 * e);
    assert_int_equal(search.where.size, e);
    assert_true(search.is_found);
    plb_segment_writer_close(writer);
}

static plb_block_name name_of(int block) {
    return (plb_block_name){IDENTITY, PLY, FIRST_BLOCK + block};
}

/* Unpack from a copy of exactly this size, so that a sanitizer detects reads beyond its end. */
static int unpack(plb_segment_reader *reader, const uint8_t *bytes, size_t size, int block,
                  plb_block_name name, uint64_t words, uint64_t *planes) {
    uint8_t *copy = malloc(size + !size);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    plb_segment segment = {copy, size, BLOCKS};
    int error = plb_segment_reader_unpack_block(reader, &segment, block, &name, words, planes);
    free(copy);
    return error;
}

/* Check that every block is refused or as it was. Returns the number of refused ones, without empty
 * ones. */
static int count_refused(plb_segment_reader *reader, const packed_segment *s, const uint8_t *bytes,
                         size_t size) {
    int refused = 0;
    for (int b = 0; b < BLOCKS; b++) {
        uint64_t planes[MAX_WORDS], words = s->words[b] ? s->words[b] : 2;
        int error = unpack(reader, bytes, size, b, name_of(b), words, planes);
        if (!s->words[b] || error)
            assert_int_equal(error, PLB_ECORRUPT);
        else
            assert_memory_equal(planes, s->planes[b], words * sizeof *planes);
        refused += s->words[b] && error;
    }
    return refused;
}

static plb_segment_reader *new_reader(void) {
    plb_segment_reader *reader = NULL;
    assert_int_equal(plb_segment_reader_open(&reader), PLB_OK);
    return reader;
}

static void unpack_inverts_pack(void **state) {
    (void)state;
    plb_segment_reader *reader = new_reader();
    for (uint64_t seed = support_seed("planes", 20240801); seed < 20240821; seed++) {
        packed_segment s = make_segment(seed);
        assert_int_equal(count_refused(reader, &s, s.bytes, s.size), 0);
        free(s.bytes);
    }
    plb_segment_reader_close(reader);
}

static void a_writer_can_be_used_again(void **state) {
    (void)state;
    plb_segment_writer *writer = NULL;
    const uint8_t *bytes;
    size_t size, first_size;
    const uint64_t planes[2] = {0x0123456789abcdef, 42};
    uint8_t first[200];
    assert_int_equal(plb_segment_writer_open(IDENTITY, 3, &writer), PLB_OK);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(plb_segment_writer_begin(writer, 3, 7, 1), PLB_OK);
        assert_int_equal(plb_segment_writer_add(writer, planes, 2), PLB_OK);
        assert_int_equal(plb_segment_writer_end(writer, &bytes, &size), PLB_OK);
        if (round == 0) {
            assert_true(size <= sizeof first);
            memcpy(first, bytes, first_size = size);
        }
        assert_int_equal(size, first_size);
        assert_memory_equal(bytes, first, size);
    }
    plb_segment_writer_close(writer);
    plb_segment_writer_close(NULL);
    plb_segment_reader_close(NULL);
}

static void every_changed_byte_is_noticed(void **state) {
    (void)state;
    packed_segment s = make_segment(support_seed("planes", 20240831));
    plb_segment_reader *reader = new_reader();
    static const uint8_t changes[] = {0x01, 0x10, 0x80, 0xff};
    for (size_t at = 0; at < s.size; at++)
        for (size_t c = 0; c < sizeof changes; c++) {
            s.bytes[at] ^= changes[c];
            int refused = count_refused(reader, &s, s.bytes, s.size);
            /* After the directory, every byte belongs to a block. */
            if (at >= DIRECTORY_BYTES) assert_int_equal(refused, 1);
            s.bytes[at] ^= changes[c];
        }
    assert_int_equal(count_refused(reader, &s, s.bytes, s.size), 0);
    plb_segment_reader_close(reader);
    free(s.bytes);
}

static void a_short_segment_is_refused(void **state) {
    (void)state;
    packed_segment s = make_segment(support_seed("planes", 20240832));
    plb_segment_reader *reader = new_reader();
    for (size_t size = 0; size < s.size; size++)
        assert_true(count_refused(reader, &s, s.bytes, size) > 0);
    plb_segment_reader_close(reader);
    free(s.bytes);
}

/* A block of another table, ply or number is refused. */
static void a_block_in_the_wrong_place_is_refused(void **state) {
    (void)state;
    packed_segment s = make_segment(support_seed("planes", 20240833));
    plb_segment_reader *reader = new_reader();
    uint64_t planes[MAX_WORDS];
    for (int b = 0; b < BLOCKS; b++) {
        if (!s.words[b]) continue;
        plb_block_name other[] = {name_of(b), name_of(b), name_of(b + 1)};
        other[0].identity++;
        other[1].ply++;
        for (int o = 0; o < 3; o++)
            assert_int_equal(unpack(reader, s.bytes, s.size, b, other[o], s.words[b], planes),
                             PLB_ECORRUPT);
    }
    plb_segment_reader_close(reader);
    free(s.bytes);
}

static void planes_of_another_size_are_refused(void **state) {
    (void)state;
    packed_segment s = make_segment(support_seed("planes", 20240834));
    plb_segment_reader *reader = new_reader();
    uint64_t planes[MAX_WORDS + 2];
    for (int b = 0; b < BLOCKS; b++)
        for (uint64_t words = 2; words <= MAX_WORDS + 2 && s.words[b]; words += 2)
            assert_int_equal(unpack(reader, s.bytes, s.size, b, name_of(b), words, planes),
                             words == s.words[b] ? PLB_OK : PLB_ECORRUPT);
    plb_segment_reader_close(reader);
    free(s.bytes);
}

/* A skippable zstd frame after that of the block is refused. */
static void a_second_frame_is_refused(void **state) {
    (void)state;
    static const uint8_t skipped[] = {0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 'x'};
    uint64_t planes[MAX_WORDS] = {1, 2, 3}, read[MAX_WORDS];
    for (int with = 0; with < 2; with++) {
        plb_segment_writer *writer;
        plb_segment_reader *reader;
        const uint8_t *payload;
        uint8_t both[1024];
        plb_segment segment = {.blocks = 1};
        assert_int_equal(plb_segment_writer_open(IDENTITY, 3, &writer), PLB_OK);
        assert_int_equal(plb_segment_writer_begin(writer, PLY, 0, 1), PLB_OK);
        assert_int_equal(
            plb_segment_writer_pack(writer, planes, MAX_WORDS, &payload, &segment.size), PLB_OK);
        assert_true(segment.size + sizeof skipped <= sizeof both);
        memcpy(both, payload, segment.size);
        memcpy(both + segment.size, skipped, sizeof skipped);
        size_t size = segment.size + (with ? sizeof skipped : 0);
        assert_int_equal(plb_segment_writer_add_payload(writer, both, size), PLB_OK);
        assert_int_equal(plb_segment_writer_end(writer, &segment.bytes, &segment.size), PLB_OK);
        assert_int_equal(plb_segment_reader_open(&reader), PLB_OK);
        assert_int_equal(
            plb_segment_reader_unpack_block(reader, &segment, 0,
                                            &(plb_block_name){IDENTITY, PLY, 0}, MAX_WORDS, read),
            with ? PLB_ECORRUPT : PLB_OK);
        plb_segment_reader_close(reader);
        plb_segment_writer_close(writer);
    }
}

static void random_bytes_are_refused(void **state) {
    (void)state;
    uint64_t random = support_seed("bytes", 20240835);
    plb_segment_reader *reader = new_reader();
    uint8_t bytes[200] = {0};
    uint64_t planes[MAX_WORDS];
    for (int trial = 0; trial < 20000; trial++) {
        size_t size = support_random_below(&random, sizeof bytes + 1);
        for (size_t at = 0; at < size; at++)
            bytes[at] = at < DIRECTORY_BYTES && at % 4 ? 0 : support_random(&random);
        int block = (int)support_random_below(&random, BLOCKS);
        assert_int_equal(unpack(reader, bytes, size, block, name_of(block), MAX_WORDS, planes),
                         PLB_ECORRUPT);
    }
    plb_segment_reader_close(reader);
}

/* Two writers whose parts are joined give the same bytes as one writer. */
static void joined_parts_are_the_segment(void **state) {
    (void)state;
    enum { CUT = 4 };
    packed_segment s = make_segment(support_seed("segments", 20261121));
    plb_segment_writer *whole = NULL, *part = NULL;
    const uint8_t *bytes;
    size_t size;
    assert_int_equal(plb_segment_writer_open(IDENTITY, 3, &whole), PLB_OK);
    assert_int_equal(plb_segment_writer_open(IDENTITY, 3, &part), PLB_OK);
    assert_int_equal(plb_segment_writer_begin(whole, PLY, FIRST_BLOCK, BLOCKS), PLB_OK);
    for (int first = 0; first < BLOCKS; first += CUT) {
        int last = first + CUT < BLOCKS ? first + CUT : BLOCKS;
        assert_int_equal(plb_segment_writer_begin(part, PLY, FIRST_BLOCK + first, last - first),
                         PLB_OK);
        for (int b = first; b < last; b++)
            assert_int_equal(
                plb_segment_writer_add(part, s.words[b] ? s.planes[b] : NULL, s.words[b]), PLB_OK);
        assert_int_equal(plb_segment_writer_join(whole, part), PLB_OK);
    }
    assert_int_equal(plb_segment_writer_end(whole, &bytes, &size), PLB_OK);
    assert_int_equal(size, s.size);
    assert_memory_equal(bytes, s.bytes, size);
    plb_segment_writer_close(whole);
    plb_segment_writer_close(part);
    free(s.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_segment_of_three_blocks),
        cmocka_unit_test(joined_parts_are_the_segment),
        cmocka_unit_test(unpack_inverts_pack),
        cmocka_unit_test(a_writer_can_be_used_again),
        cmocka_unit_test(every_changed_byte_is_noticed),
        cmocka_unit_test(a_short_segment_is_refused),
        cmocka_unit_test(a_block_in_the_wrong_place_is_refused),
        cmocka_unit_test(planes_of_another_size_are_refused),
        cmocka_unit_test(a_second_frame_is_refused),
        cmocka_unit_test(random_bytes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
