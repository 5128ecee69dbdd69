/* SPDX-License-Identifier: MIT
 *
 * What the writer of JSON writes is JSON: as text, and as jansson reads it. Without memory nothing
 * comes out, and nothing is lost.
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

static void values_stand_as_json_has_them(void **state) {
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
    put_flag(&w, NULL, true);
    put_flag(&w, NULL, false);
    put_null(&w, NULL);
    put_word(&w, NULL, "5/5/x4");
    put_word(&w, NULL, "");
    close_list(&w);
    assert_written(&w,
                   "[0,-7,9223372036854775807,-9223372036854775808,2.0,0.1,1e+300,true,false,null,"
                   "\"5/5/x4\",\"\"]\n");
}

static void commas_stand_between(void **state) {
    (void)state;
    json_writer w = {0};
    open_object(&w, NULL);
    open_list(&w, "none");
    close_list(&w);
    open_object(&w, "inner");
    close_object(&w);
    open_list(&w, "both");
    put_written(&w, NULL, "{\"a\":1}");
    open_object(&w, NULL);
    put_number(&w, "b", 2);
    put_word(&w, "c", "{[");
    put_null(&w, "d");
    close_object(&w);
    close_list(&w);
    close_object(&w);
    assert_written(
        &w, "{\"none\":[],\"inner\":{},\"both\":[{\"a\":1},{\"b\":2,\"c\":\"{[\",\"d\":null}]}\n");
}

/* A list that is longer than any first buffer. */
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

static void long_texts_are_read_as_written(void **state) {
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

static void what_could_not_be_built_fails(void **state) {
    (void)state;
    json_writer w = {0};
    size_t size = 0;
    open_list(&w, NULL);
    put_written(&w, NULL, NULL);
    close_list(&w);
    assert_null(take_json_line(&w, &size));
    put_number(&w, NULL, 1);
    assert_written(&w, "1\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_stand_as_json_has_them),
        cmocka_unit_test(commas_stand_between),
        cmocka_unit_test(long_texts_are_read_as_written),
        cmocka_unit_test(without_memory_there_is_no_text),
        cmocka_unit_test(what_could_not_be_built_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
