/* SPDX-License-Identifier: MIT
 *
 * Error messages fit their buffer, are printable text, and keep the reason if they are cut.
 */
#include "tables/message.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/support.h"

enum { LONGEST_PATH = 4096 };

static const char reason[] = ": No such file or directory";

static void fill_path(char *path, const char *part, size_t length) {
    size_t size = strlen(part);
    for (size_t at = 0; at < length; at++) path[at] = part[at % size];
    path[length] = 0;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

static void short_sentences_are_as_written(void **state) {
    (void)state;
    plb_message message;
    assert_int_equal(plb_fail(&message, PLB_ESPEC, "'%s' is not a game: %d", "x y", 3), PLB_ESPEC);
    assert_string_equal(message.text, "'x y' is not a game: 3");
    assert_int_equal(plb_fail(NULL, PLB_ESPEC, "%s", "nobody listens"), PLB_ESPEC);
    char longest[sizeof message.text];
    fill_path(longest, "/folder", sizeof longest - 1);
    plb_fail(&message, PLB_EIO, "%s", longest);
    assert_string_equal(message.text, longest);
}

/* Long texts of many words, of one word, and of multi-byte characters. */
static void the_reason_outlasts_a_long_path(void **state) {
    static const char *const parts[] = {"/folder", "/a folder with blanks", "/\xC3\xA4\xE2\x82\xAC",
                                        "/\xF0\x9F\x98\x80 ", "\x80"};
    (void)state;
    plb_message message;
    char path[LONGEST_PATH + 1];
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        for (size_t length = 1; length <= LONGEST_PATH; length += length < 700 ? 1 : 97) {
            fill_path(path, parts[p], length);
            plb_fail_errno(&message, ENOENT, "cannot open", path);
            assert_true(strlen(message.text) < sizeof message.text);
            assert_true(ends_with(message.text, reason));
            assert_memory_equal(message.text, "cannot open ", 12);
            bool is_cut = strlen("cannot open ") + length + strlen(reason) >= sizeof message.text;
            assert_int_equal(strstr(message.text, "...") != NULL, is_cut);
            /* a character that is cut in the middle is left out */
            if (p < 2 || is_cut) assert_true(plb_text_is_plain(message.text, strlen(message.text)));
            if (is_cut) assert_true(strlen(message.text) > sizeof message.text - 16);
        }
}

static void the_reason_outlasts_two_long_paths(void **state) {
    (void)state;
    plb_message message;
    char a[LONGEST_PATH + 1], b[LONGEST_PATH + 1];
    fill_path(a, "/one", LONGEST_PATH);
    fill_path(b, "/other", 1000);
    plb_fail(&message, PLB_EIO, "%s is on another disk than %s: choose another output", a, b);
    assert_non_null(strstr(message.text, " is on another disk than /other"));
    assert_true(ends_with(message.text, ": choose another output"));
}

static void a_sentence_is_one_plain_line(void **state) {
    (void)state;
    plb_message message;
    plb_fail(&message, PLB_EIO, "%s: why", "a\nb\tc\x1B[31m\x7F\xC2\x9B|\xC3(");
    assert_string_equal(message.text, "a?b?c?[31m???|?(: why");
    plb_fail(&message, PLB_EIO, "%s: why", "M\xC3\xBCller");
    assert_string_equal(message.text, "M\xC3\xBCller: why");
}

static void a_message_may_be_said_again(void **state) {
    (void)state;
    plb_message message;
    plb_fail(&message, PLB_EIO, "the first");
    plb_fail(&message, PLB_EIO, "%s, and %s", message.text, message.text);
    assert_string_equal(message.text, "the first, and the first");
}

static void an_empty_path_is_seen(void **state) {
    (void)state;
    plb_message message;
    plb_fail_errno(&message, ENOENT, "cannot open", "");
    assert_string_equal(message.text, "cannot open '': No such file or directory");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(short_sentences_are_as_written),
                                       cmocka_unit_test(the_reason_outlasts_a_long_path),
                                       cmocka_unit_test(the_reason_outlasts_two_long_paths),
                                       cmocka_unit_test(a_sentence_is_one_plain_line),
                                       cmocka_unit_test(a_message_may_be_said_again),
                                       cmocka_unit_test(an_empty_path_is_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
