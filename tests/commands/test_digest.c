/* SPDX-License-Identifier: MIT
 *
 * Digests of files are those of `xxhsum -H2` of xxHash 0.8.1.
 */
#include "tools/verify/digest.h"

#include <stdlib.h>

#include "tests/support/support.h"

static void assert_digest(void **state, size_t size, const char *expected) {
    const char *path = support_path(state, "file");
    uint8_t *bytes = malloc(size + 1);
    char text[DIGEST_TEXT];
    XXH128_hash_t digest;
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++) bytes[i] = i % 251;
    support_write_file(path, bytes, size);
    free(bytes);
    assert_int_equal(digest_file(path, &digest, NULL), PLB_OK);
    digest_format(digest, text);
    assert_string_equal(text, expected);
}

static void files_have_the_digests_of_xxhsum(void **state) {
    assert_digest(state, 0, "99aa06d3014798d86001c324468d497f");
    assert_digest(state, 3000000, "766f642e64b63d92cc1a5bed6141edab");
}

static void what_cannot_be_read_is_an_error(void **state) {
    XXH128_hash_t digest;
    plb_message why;
    assert_int_equal(digest_file(support_path(state, "none"), &digest, &why), PLB_ENOTFOUND);
    assert_true(digest_file(*state, &digest, &why) < 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(files_have_the_digests_of_xxhsum),
        SUPPORT_IN_FOLDER(what_cannot_be_read_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
