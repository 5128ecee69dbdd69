/* SPDX-License-Identifier: MIT
 *
 * The JSON writer: its output is the expected text, and jansson parses it. Without memory there is
 * no output, and nothing leaks.
 */
#include "tools/answers/json_writer.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/failing_malloc.h"
#include "tests/support/support.h"

static void assert_written(json_writer *w, const char *text) {
    size_t size = 0;
    char *line = take_json_line(w, &size);
    assert_non_null(line);
    assert_string_equal(line, text);
    assert_int_equal(size, strlen(text));
    free(line);
    assert_null(w->text);
}

static void values_are_written_as_json(void **state) {
    (void)state;
    json_writer w = {0};
    open_list(&w, NULL);
    put_number(&w, NULL, 0);
    put_number(&w, NULL, -7);
    put_number(&w, NULL, INT64_MAX);
    put_number(&w, NULL, INT64_MIN);
    put_real(&w, NULL, 2);
    put_real(&w, NULL, 0.1);
    put_real(&w, NULL, 1e300);
    put_real(&w, NULL, -2.5e-7);
    put_flag(&w, NULL, true);
    put_flag(&w, NULL, false);
    put_null(&w, NULL);
    put_word(&w, NULL, "5/5/x4");
    put_word(&w, NULL, "");
    put_count(&w, NULL, 0);
    put_count(&w, NULL, ((uint64_t)1 << 53) + 1);
    put_count(&w, NULL, ~(unsigned __int128)0);
    close_list(&w);
    assert_written(
        &w,
        "[0,-7,9223372036854775807,-9223372036854775808,2.0,0.1,1e300,-2.5e-7,true,false,null,"
        "\"5/5/"
        "x4\",\"\",\"0\",\"9007199254740993\",\"340282366920938463463374607431768211455\"]\n");
}

static void commas_are_between_items(void **state) {
    (void)state;
    json_writer w = {0};
    open_object(&w, NULL);
    open_list(&w, "none");
    close_list(&w);
    open_object(&w, "inner");
    close_object(&w);
    open_list(&w, "both");
    put_text(&w, NULL, "a{");
    open_object(&w, NULL);
    put_number(&w, "b", 2);
    put_word(&w, "c", "{[");
    put_null(&w, "d");
    close_object(&w);
    close_list(&w);
    close_object(&w);
    assert_written(
        &w, "{\"none\":[],\"inner\":{},\"both\":[\"a{\",{\"b\":2,\"c\":\"{[\",\"d\":null}]}\n");
}

/* Write a list that is longer than the first buffer. */
static void write_long(json_writer *w, int count) {
    open_object(w, NULL);
    open_list(w, "positions");
    for (int i = 0; i < count; i++) {
        open_object(w, NULL);
        put_number(w, "ply", i);
        put_word(w, "value", i % 2 ? "win" : "loss");
        close_object(w);
    }
    close_list(w);
    close_object(w);
}

static void long_lists_are_parsed_as_written(void **state) {
    (void)state;
    json_writer w = {0};
    size_t size = 0;
    write_long(&w, 5000);
    char *line = take_json_line(&w, &size);
    json_t *read = json_loadb(line, size, JSON_REJECT_DUPLICATES, NULL);
    const json_t *list = json_object_get(read, "positions");
    assert_int_equal(json_array_size(list), 5000);
    for (int i = 0; i < 5000; i++) {
        const json_t *one = json_array_get(list, i);
        assert_int_equal(json_integer_value(json_object_get(one, "ply")), i);
        assert_string_equal(json_string_value(json_object_get(one, "value")),
                            i % 2 ? "win" : "loss");
    }
    json_decref(read);
    free(line);
}

static void without_memory_there_is_no_text(void **state) {
    (void)state;
    bool failed = true;
    int failures = 0;
    for (uint64_t nth = 1; failed; nth++) {
        int64_t live = failing_malloc_live();
        json_writer w = {0};
        size_t size = 12345;
        failing_malloc_arm(nth, false);
        write_long(&w, 1000);
        char *line = take_json_line(&w, &size);
        failed = failing_malloc_disarm();
        assert_true(failed == !line);
        assert_true(!failed || size == 12345);
        free(line);
        assert_int_equal(failing_malloc_live(), live);
        failures += failed;
    }
    assert_true(failures >= 4);
}

/* Write a text; jansson parses it as `expected`. */
static void assert_parsed(const char *text, const char *expected) {
    json_writer w = {0};
    size_t size = 0;
    put_text(&w, NULL, text);
    char *line = take_json_line(&w, &size);
    json_t *string = json_loadb(line, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    assert_string_equal(json_string_value(string), expected);
    json_decref(string);
    free(line);
}

static void every_text_is_parsed_as_written(void **state) {
    (void)state;
    char text[8] = "";
    for (int byte = 1; byte < 0x80; byte++) {
        snprintf(text, sizeof text, "a%cz", byte);
        assert_parsed(text, text);
    }
    static const char *const whole[] = {"",
                                        "\u00e9\u20ac",
                                        "\U0001F600\"",
                                        "\xc2\x80",
                                        "\xdf\xbf",
                                        "\xe0\xa0\x80",
                                        "\xed\x9f\xbf",
                                        "\xee\x80\x80",
                                        "\xf0\x90\x80\x80",
                                        "\xf4\x8f\xbf\xbf"};
    for (size_t t = 0; t < sizeof whole / sizeof *whole; t++) assert_parsed(whole[t], whole[t]);
}

static void texts_are_escaped(void **state) {
    (void)state;
    json_writer w = {0};
    open_list(&w, NULL);
    put_text(&w, NULL, "\"\\/\b\f\n\r\t\x01\x1f\x7f");
    put_text(&w, NULL, NULL);
    close_list(&w);
    assert_written(&w, "[\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001F\x7f\",null]\n");
}

/* Overlong forms, a surrogate, code points above U+10FFFF, continuation bytes alone, a character
 * that is cut off. */
static void invalid_utf8_is_replaced(void **state) {
    (void)state;
    static const struct {
        const char *text, *read;
    } rows[] = {{"a\xc0\x80", "a??"},
                {"\xc1\xbf", "??"},
                {"\xe0\x9f\xbf", "???"},
                {"\xed\xa0\x80", "???"},
                {"\xf0\x8f\xbf\xbf", "????"},
                {"\xf4\x90\x80\x80", "????"},
                {"\xf8\x88\x80\x80", "????"},
                {"\x80", "?"},
                {"\xff", "?"},
                {"\xe2\x82", "??"},
                {"\xc3\xa9 \xc3", "?? ?"}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        assert_parsed(rows[r].text, rows[r].read);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_written_as_json),
        cmocka_unit_test(commas_are_between_items),
        cmocka_unit_test(long_lists_are_parsed_as_written),
        cmocka_unit_test(without_memory_there_is_no_text),
        cmocka_unit_test(every_text_is_parsed_as_written),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(invalid_utf8_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
