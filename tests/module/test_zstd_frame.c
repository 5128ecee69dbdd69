/* SPDX-License-Identifier: MIT
 *
 * The module's decoder of zstd frames against libzstd, which has made them.
 */
#include "tools/module/zstd_frame.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tables/bits.h"
#include "tests/support/support.h"

enum { MOST = 300 << 10, MOST_FRAME = MOST + 4096 };

static uint8_t content[MOST], frame[MOST_FRAME], ours[MOST], theirs[MOST];

/* Contents of many kinds: noise, few symbols, runs, copies of what was before. */
static size_t make_content(uint64_t *random, int kind) {
    static const size_t sizes[] = {0, 1, 2, 7, 64, 255, 256, 1000, 5000, 65536, 140000, MOST};
    size_t size = sizes[plb_random_below(random, sizeof sizes / sizeof *sizes)];
    unsigned symbols = 1 + (unsigned)plb_random_below(random, kind % 2 ? 4 : 256);
    for (size_t at = 0; at < size;) {
        size_t length = plb_min(size - at, 1 + plb_random_below(random, 200));
        size_t behind = at ? 1 + plb_random_below(random, at) : 0;
        for (size_t i = 0; i < length; i++, at++) {
            uint64_t skewed = plb_random_below(random, 1 + plb_random_below(random, symbols));
            bool copies = behind && kind / 2 % 3 > 0 && (length > 20 || kind / 2 % 3 == 2);
            content[at] = copies ? content[at - behind] : (uint8_t)skewed;
        }
    }
    return size;
}

static size_t make_frame(ZSTD_CCtx *context, uint64_t *random, size_t size) {
    ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, (int)plb_random_below(random, 23) - 2);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, (int)plb_random_below(random, 2));
    size_t made = ZSTD_compress2(context, frame, sizeof frame, content, size);
    assert_false(ZSTD_isError(made));
    return made;
}

static void decodes_what_zstd_has_made(void **state) {
    (void)state;
    uint64_t random = 1;
    ZSTD_CCtx *context = ZSTD_createCCtx();
    zstd_frame_decoder *decoder = zstd_frame_decoder_make();
    for (int i = 0; i < 300; i++) {
        size_t size = make_content(&random, i), made = make_frame(context, &random, size), got;
        assert_int_equal(zstd_frame_size(frame, made), made);
        assert_int_equal(zstd_frame_size(frame, made - 1), 0);
        assert_true(zstd_frame_decode(decoder, frame, made, ours, size, &got));
        assert_int_equal(got, size);
        assert_memory_equal(ours, content, size);
        if (size) assert_false(zstd_frame_decode(decoder, frame, made, ours, size - 1, &got));
    }
    free(decoder);
    ZSTD_freeCCtx(context);
}

/* A frame with flipped bits: nothing is written beyond the room, and what both take they read
 * alike. Of thousands libzstd refuses two or three more. */
static void agrees_about_damage(void **state) {
    (void)state;
    uint64_t random = 2;
    int taken = 0, refused = 0, alone = 0;
    ZSTD_CCtx *context = ZSTD_createCCtx();
    zstd_frame_decoder *decoder = zstd_frame_decoder_make();
    for (int i = 0; i < 150; i++) {
        size_t size = make_content(&random, i), made = make_frame(context, &random, size);
        uint8_t *exact = malloc(made); /* so that a sanitizer sees what is read beyond it */
        for (int m = 0; m < 40; m++) {
            memcpy(exact, frame, made);
            size_t among = plb_random_below(&random, 2) ? made : plb_min(made, 40);
            exact[plb_random_below(&random, among)] ^= 1 << plb_random_below(&random, 8);
            size_t got, room = plb_min(2 * size + 100, MOST);
            if (!zstd_frame_decode(decoder, exact, made, ours, room, &got)) {
                refused++;
                continue;
            }
            size_t read = ZSTD_decompress(theirs, room, exact, made);
            alone += ZSTD_isError(read);
            if (ZSTD_isError(read)) continue;
            assert_int_equal(read, got);
            assert_memory_equal(theirs, ours, got);
            taken++;
        }
        free(exact);
    }
    print_message("%d damaged frames decoded as libzstd does, %d refused, %d decoded alone\n",
                  taken, refused, alone);
    assert_true(taken > 500 && refused > 500 && alone < 10);
    free(decoder);
    ZSTD_freeCCtx(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes_what_zstd_has_made),
        cmocka_unit_test(agrees_about_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
