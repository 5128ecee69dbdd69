/* SPDX-License-Identifier: MIT
 *
 * Parsing and formatting of counts, sizes and times.
 */
#include "tools/terminal/quantity.h"

#include <string.h>

#include "tests/support/support.h"

typedef struct size_text {
    const char *text;
    double bytes; /* 0: refused */
} size_text;

static void written_counts_are_parsed(void **state) {
    static const struct {
        const char *text;
        uint64_t count;
    } good[] = {{"0", 0},
                {"1e6", 1000000},
                {"1M", 1000000},
                {"1_000_000", 1000000},
                {"2k", 2000},
                {"3g", 3000000000ULL},
                {"4T", 4000000000000ULL},
                {"12E3", 12000},
                {"18446744073709551615", UINT64_MAX}};
    static const char *const bad[] = {"",
                                      "-1",
                                      " 1",
                                      "1 ",
                                      "e6",
                                      "M",
                                      "1e",
                                      "1e-6",
                                      "1.5M",
                                      "1__0",
                                      "1_",
                                      "_1",
                                      "1kb",
                                      "0x10",
                                      "1e20",
                                      "18446744073709551616",
                                      "99999999999999999T",
                                      "1,000"};
    (void)state;
    for (size_t g = 0; g < sizeof good / sizeof *good; g++) {
        uint64_t count = 7;
        print_message("%s\n", good[g].text);
        assert_true(parse_written_count(good[g].text, &count));
        assert_int_equal(count, good[g].count);
    }
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        uint64_t count = 7;
        print_message("%s\n", bad[b]);
        assert_false(parse_written_count(bad[b], &count));
    }
}

static void sizes_are_read(void **state) {
    static const size_text sizes[] = {
        {"1", 1},
        {"512M", 0x1p29},
        {"512m", 0x1p29},
        {"2gb", 0x1p31},
        {"2GB", 0x1p31},
        {"64MiB", 0x1p26},
        {"64mib", 0x1p26},
        {"1.5G", 1.5 * 0x1p30},
        {".5k", 512},
        {"100b", 100},
        {"1T", 0x1p40},
        {"18446744073709551616", MAX_BYTES},
        {"99999999999999G", MAX_BYTES},
        {"16777216T", MAX_BYTES},
        {"0", 0},
        {"0.5", 0},
        {"-1", 0},
        {"", 0},
        {"M", 0},
        {"1.2.3", 0},
        {"1e30", 0},
        {"0x10", 0},
        {"inf", 0},
        {"nan", 0},
        {"512 M", 0},
        {"512MM", 0},
        {"1ib", 0},
        {"1X", 0},
    };
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        double bytes = 0;
        print_message("%s\n", sizes[s].text);
        assert_int_equal(parse_size(sizes[s].text, &bytes), sizes[s].bytes > 0);
        assert_true(bytes == sizes[s].bytes);
    }
}

/* A number of four hundred digits is infinite as a double. */
static void huge_sizes_are_bounded(void **state) {
    char digits[401];
    double bytes = 0;
    (void)state;
    memset(digits, '9', sizeof digits - 1);
    digits[sizeof digits - 1] = 0;
    assert_true(parse_size(digits, &bytes));
    assert_true(bytes == MAX_BYTES);
}

static void times_are_read(void **state) {
    static const char *const wrong[] = {"", "soon", "0", "-1", "1e9", "inf", "10s", "1000000000"};
    double seconds = 7;
    (void)state;
    assert_true(parse_seconds("0.000000001", &seconds) && seconds == 1e-9);
    assert_true(parse_seconds("90", &seconds) && seconds == 90);
    for (size_t t = 0; t < sizeof wrong / sizeof *wrong; t++)
        assert_false(parse_seconds(wrong[t], &seconds));
    assert_true(seconds == 90);
}

static void counts_are_read_within_their_range(void **state) {
    uint64_t count = 7;
    (void)state;
    assert_true(parse_count("18446744073709551615", 0, UINT64_MAX, &count) && count == UINT64_MAX);
    assert_true(parse_count("3", 3, 3, &count) && count == 3);
    assert_false(parse_count("18446744073709551616", 0, UINT64_MAX, &count));
    assert_false(parse_count("2", 3, 9, &count));
    assert_false(parse_count("10", 3, 9, &count));
    assert_false(parse_count("", 0, 9, &count));
    assert_false(parse_count("-1", 0, UINT64_MAX, &count));
    assert_false(parse_count(" 1", 0, 9, &count));
    assert_false(parse_count("1 ", 0, 9, &count));
    assert_int_equal(count, 3);
}

static void amounts_are_formatted(void **state) {
    char text[32];
    (void)state;
    assert_string_equal(format_bytes(0, text), "0 bytes");
    assert_string_equal(format_bytes(1, text), "1 byte");
    assert_string_equal(format_bytes(2, text), "2 bytes");
    assert_string_equal(format_bytes(1024, text), "1.0 KiB");
    assert_string_equal(format_bytes(150 * 0x1p20, text), "150 MiB");
    assert_string_equal(format_bytes(MAX_BYTES, text), "1.0 EiB");
    assert_string_equal(format_bytes(1.04 * 0x1p20, text), "1.0 MiB");
    assert_string_equal(format_need(1.04 * 0x1p20, text), "1.1 MiB");
    assert_string_equal(format_need(1.5 * 0x1p20, text), "1.5 MiB");
    assert_string_equal(format_need(99.91 * 0x1p20, text), "100 MiB");
    assert_string_equal(format_need(1023.1 * 0x1p20, text), "1.0 GiB");
    assert_string_equal(format_need(1023, text), "1023 bytes");
    assert_string_equal(format_room(1.09 * 0x1p20, text), "1.0 MiB");
    assert_string_equal(format_room(1.5 * 0x1p20, text), "1.5 MiB");
    assert_string_equal(format_room(1023.9 * 0x1p20, text), "1023 MiB");
    assert_string_equal(format_room(1023, text), "1023 bytes");
    assert_string_equal(format_count(0, text), "0");
    assert_string_equal(format_count(69763700, text), "69,763,700");
    assert_string_equal(format_seconds(3900, text), "65 min");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_counts_are_parsed),
        cmocka_unit_test(sizes_are_read),
        cmocka_unit_test(huge_sizes_are_bounded),
        cmocka_unit_test(times_are_read),
        cmocka_unit_test(counts_are_read_within_their_range),
        cmocka_unit_test(amounts_are_formatted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
