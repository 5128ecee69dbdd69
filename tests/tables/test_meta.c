/* SPDX-License-Identifier: MIT
 *
 * The description of a table: it is read as it was written, and refused if it is malformed, of
 * another format, or has text that is not printable.
 */
#include "tables/format/meta.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tables/message.h"
#include "tables/store/store_writer.h"
#include "tests/support/support.h"

static const plb_meta META = {.format = PLB_FORMAT_VERSION,
                              .spec = "connect-7x6-k4-misere-cylinder",
                              .values = PLB_WDL,
                              .level = 3,
                              .builder = "plybase test",
                              .symmetries = 14,
                              .block_entries = 16384};
static const char DESCRIPTION[] =
    "format 4\nspec connect-7x6-k4-misere-cylinder\nvalues wdl\ncompression zstd-3\n"
    "symmetries 14\nblock 16384\n";

static void meta_reads_what_it_wrote(void **state) {
    const char *path = support_path(state, "table");
    plb_store_writer *writer = NULL;
    plb_meta found;
    plb_space space;
    assert_int_equal(plb_meta_create(&META, path, false, &writer, NULL), PLB_OK);
    assert_int_equal(plb_store_finish(writer, NULL), PLB_OK);
    plb_store *store = support_open_store(path);
    assert_string_equal(plb_store_description(store), DESCRIPTION);
    assert_int_equal(plb_store_identity(store), plb_meta_identity(&META));
    assert_int_equal(plb_meta_read(store, &found, &space, NULL), PLB_OK);
    plb_space_close(&space);
    assert_memory_equal(&found, &META, sizeof META);
    assert_int_equal(plb_meta_find_extra(store, NULL, NULL), PLB_OK);
    plb_store_close(store);
}

/* The identity depends on all fields but the builder. */
static void the_identity_depends_on_all_that_gives_blocks_a_meaning(void **state) {
    (void)state;
    plb_meta other[6];
    for (int o = 0; o < 6; o++) other[o] = META;
    strcpy(other[0].spec, "connect-7x6-k4-misere");
    other[1].values = PLB_DTM;
    other[2].level = 4;
    other[3].symmetries = 1;
    other[4].block_entries = 8192;
    strcpy(other[5].builder, "another");
    for (int o = 0; o < 5; o++)
        assert_int_not_equal(plb_meta_identity(&other[o]), plb_meta_identity(&META));
    assert_int_equal(plb_meta_identity(&other[5]), plb_meta_identity(&META));
}

/* Write a description and a builder (NULL: none) with valid checksums; return the error of reading.
 */
static int read_error(void **state, const char *description, const char *builder,
                      plb_message *why) {
    const char *path = support_path(state, "forged");
    plb_store_writer *writer = NULL;
    plb_meta found, before;
    plb_space space;
    memset(&found, 0x55, sizeof found);
    before = found;
    unlink(path);
    assert_int_equal(plb_store_create(path, description, 0, &writer, NULL), PLB_OK);
    if (builder)
        assert_int_equal(
            plb_store_put_record(writer, PLB_RECORD_BUILDER, builder, strlen(builder), NULL),
            PLB_OK);
    assert_int_equal(plb_store_finish(writer, NULL), PLB_OK);
    plb_store *store = support_open_store(path);
    int error = plb_meta_read(store, &found, &space, why);
    if (!error) plb_space_close(&space);
    if (error) assert_memory_equal(&found, &before, sizeof found);
    plb_store_close(store);
    return error;
}

static void a_description_has_one_form(void **state) {
    static const char *const others[] = {
        "",
        "table\n",
        "format 4\n",
        "format 4\nspec mnk-3x3-k3\nvalues wdl\ncompression zstd-3\nsymmetries 8\n",
        "format 4\nspec mnk-3x3-k3\nvalues wdl\ncompression zstd-3\nsymmetries 8\nblock 64",
        "format 4\nspec mnk-3x3-k3\nvalues wdl\ncompression zstd-3\nsymmetries 8\nblock 64\n\n",
        "format 4\nspec mnk-3x3-k3\nvalues wdl\ncompression zstd-3\nsymmetries 8\nblock 64\nx 1\n",
        "format 4\nspec mnk-3x3-k3\nvalues wdl\ncompression zstd-3\nsymmetries 01\nblock 64\n",
        "format 4\nspec  mnk-3x3-k3\nvalues wdl\ncompression zstd-3\nsymmetries 8\nblock 64\n",
        "format 4\nspec\tmnk-3x3-k3\nvalues wdl\ncompression zstd-3\nsymmetries 8\nblock 64\n",
        "format 4\nvalues wdl\nspec mnk-3x3-k3\ncompression zstd-3\nsymmetries 8\nblock 64\n",
        "format 04\nspec mnk-3x3-k3\nvalues wdl\ncompression zstd-3\nsymmetries 8\nblock 64\n",
        "format 4\nspec \33[2J\nvalues wdl\ncompression zstd-3\nsymmetries 8\nblock 64\n",
        "format 4\nspec \xff\nvalues wdl\ncompression zstd-3\nsymmetries 8\nblock 64\n"};
    static const char right[] =
        "format 4\nspec mnk-3x3-k3\nvalues wdl\ncompression zstd-3\nsymmetries 8\nblock 64\n";
    plb_message why = {.text = ""};
    assert_int_equal(read_error(state, right, "test", NULL), PLB_OK);
    for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
        support_expect(read_error(state, others[o], "test", &why), PLB_ECORRUPT, others[o], &why);
        assert_non_null(strstr(why.text, "forged"));
        assert_true(plb_text_is_plain(why.text, strlen(why.text)));
    }
}

static void another_format_is_to_be_rebuilt(void **state) {
    plb_message why = {.text = ""};
    assert_int_equal(read_error(state, "format 3\nand more\n", "test", &why), PLB_EVERSION);
    assert_non_null(strstr(why.text, "format 3"));
    assert_non_null(strstr(why.text, "rebuild it"));
}

static void an_unknown_compression_is_refused(void **state) {
    static const char other[] =
        "format 4\nspec mnk-3x3-k3\nvalues wdl\ncompression lz4-1\nsymmetries 8\nblock 64\n";
    plb_message why = {.text = ""};
    assert_int_equal(read_error(state, other, "test", &why), PLB_EVERSION);
    assert_non_null(strstr(why.text, "written with lz4-1"));
}

static void what_a_description_says_must_be_possible(void **state) {
    static const char *const others[] = {
        "format 4\nspec chess-8x8\nvalues wdl\ncompression zstd-3\nsymmetries 8\nblock 64\n",
        ("format 4\nspec mnk-3x3-k3-cylinder-misere\nvalues wdl\ncompression zstd-3\n"
         "symmetries 8\nblock 64\n"),
        "format 4\nspec mnk-3x3-k3\nvalues wdx\ncompression zstd-3\nsymmetries 8\nblock 64\n",
        "format 4\nspec mnk-3x3-k3\nvalues wdl\ncompression zstd-3\nsymmetries 8\nblock 63\n",
        "format 4\nspec mnk-3x3-k3\nvalues wdl\ncompression zstd-3\nsymmetries 1\nblock 64\n"};
    plb_message why = {.text = ""};
    for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
        support_expect(read_error(state, others[o], "test", &why), PLB_ECORRUPT, others[o], &why);
        assert_non_null(strstr(why.text, "forged"));
    }
}

static void a_builder_must_be_plain_text(void **state) {
    static const char *const bad[] = {"builder x\nfirst player win",
                                      "\33[31mred",
                                      "\x9b"
                                      "31m",
                                      "caf\xe9",
                                      "\x7f",
                                      "tab\t",
                                      NULL};
    plb_message why = {.text = ""};
    char long_text[200] = {0};
    memset(long_text, 'a', sizeof long_text - 1);
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++)
        assert_int_equal(read_error(state, DESCRIPTION, bad[b], &why), PLB_ECORRUPT);
    assert_int_equal(read_error(state, DESCRIPTION, long_text, &why), PLB_ECORRUPT);
    assert_int_equal(read_error(state, DESCRIPTION, "caf\xc3\xa9 \xe2\x82\xac", &why), PLB_OK);
}

static void plain_text_is_utf_8_without_controls(void **state) {
    (void)state;
    static const char *const plain[] = {
        "",  "plybase 0.1", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8e\xb2", "\xf4\x8f\xbf\xbf",
        "~", "\xc2\xa0"};
    static const char *const other[] = {"\n",
                                        "\33",
                                        "\x7f",
                                        "\x80",
                                        "\xc2",
                                        "\xc2\x9b",
                                        "\xc2\x41",
                                        "\xc0\xaf",
                                        "\xc1\xbf",
                                        "\xe0\x80\xaf",
                                        "\xe0\x9f\xbf",
                                        "\xed\xa0\x80",
                                        "\xed\xbf\xbf",
                                        "\xe2\x82",
                                        "\xf0\x8f\xbf\xbf",
                                        "\xf4\x90\x80\x80",
                                        "\xf5\x80\x80\x80",
                                        "\xff",
                                        "a\xfe"};
    for (size_t p = 0; p < sizeof plain / sizeof *plain; p++)
        assert_true(plb_text_is_plain(plain[p], strlen(plain[p])));
    for (size_t o = 0; o < sizeof other / sizeof *other; o++)
        assert_false(plb_text_is_plain(other[o], strlen(other[o])));
    assert_false(plb_text_is_plain("a\0b", 3));
}

/* A reader ignores an unknown record, but a verifier reports it. */
static void a_record_of_later_is_passed_over_and_found(void **state) {
    const char *path = support_path(state, "table");
    plb_store_writer *writer = NULL;
    plb_meta found;
    plb_space space;
    plb_message why = {.text = ""};
    assert_int_equal(plb_meta_create(&META, path, false, &writer, NULL), PLB_OK);
    assert_int_equal(plb_store_put_record(writer, PLB_RECORD_DISTANCES, "", 0, NULL), PLB_OK);
    assert_int_equal(plb_store_put_record(writer, "soundtrack", "la", 2, NULL), PLB_OK);
    assert_int_equal(plb_store_finish(writer, NULL), PLB_OK);
    plb_store *store = support_open_store(path);
    assert_int_equal(plb_meta_read(store, &found, &space, NULL), PLB_OK);
    plb_space_close(&space);
    assert_int_equal(plb_meta_find_extra(store, NULL, &why), PLB_ECORRUPT);
    assert_non_null(strstr(why.text, "'soundtrack'"));
    plb_store_close(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(meta_reads_what_it_wrote),
        cmocka_unit_test(the_identity_depends_on_all_that_gives_blocks_a_meaning),
        SUPPORT_IN_FOLDER(a_description_has_one_form),
        SUPPORT_IN_FOLDER(another_format_is_to_be_rebuilt),
        SUPPORT_IN_FOLDER(an_unknown_compression_is_refused),
        SUPPORT_IN_FOLDER(what_a_description_says_must_be_possible),
        SUPPORT_IN_FOLDER(a_builder_must_be_plain_text),
        cmocka_unit_test(plain_text_is_utf_8_without_controls),
        SUPPORT_IN_FOLDER(a_record_of_later_is_passed_over_and_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
