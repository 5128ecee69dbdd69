/* SPDX-License-Identifier: MIT
 *
 * request_target_parse on arbitrary text: it gives segments that are names and parameters without
 * control characters, or PLB_ESYNTAX with a sentence.
 */
#include "tests/fuzz/fuzz.h"
#include "tools/serve/request_target.h"

static void require_plain(const char *text) {
    for (const char *c = text; *c; c++) FUZZ_REQUIRE((unsigned char)*c >= ' ' && *c != 0x7f);
}

static void require_place(const char *segment) {
    require_plain(segment);
    FUZZ_REQUIRE(!strpbrk(segment, "/\\;"));
    FUZZ_REQUIRE(strcmp(segment, ".") != 0 && strcmp(segment, "..") != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_copy_text(data, size);
    request_target target;
    plb_message why;
    memset(&why, 0xff, sizeof why);
    int error = request_target_parse(text, &target, &why);
    if (error) {
        FUZZ_REQUIRE(error == PLB_ESYNTAX && fuzz_is_sentence(&why));
    } else {
        FUZZ_REQUIRE(target.segments <= TARGET_SEGMENTS);
        FUZZ_REQUIRE(target.parameters <= TARGET_PARAMETERS);
        for (int s = 0; s < target.segments; s++) {
            FUZZ_REQUIRE(*target.segment[s] || s + 1 == target.segments); /* a slash at the end */
            require_place(target.segment[s]);
        }
        for (int p = 0; p < target.parameters; p++) {
            require_plain(target.parameter[p].name);
            require_plain(target.parameter[p].value);
            FUZZ_REQUIRE(request_target_find(&target, target.parameter[p].name));
        }
    }
    free(text);
    return 0;
}
