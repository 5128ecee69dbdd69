/* SPDX-License-Identifier: MIT
 *
 * Digests of files.
 */
#include "tools/verify/digest.h"

#include <stdio.h>
#include <stdlib.h>

#include "tables/bits.h"
#include "tables/store/input_file.h"

void digest_format(XXH128_hash_t digest, char text[DIGEST_TEXT]) {
    snprintf(text, DIGEST_TEXT, "%016llx%016llx", (unsigned long long)digest.high64,
             (unsigned long long)digest.low64);
}

enum { BUFFER_BYTES = 1 << 20 };

static int hash_input(const plb_input_file *input, XXH3_state_t *state, uint8_t *buffer,
                      plb_message *message) {
    plb_extent next = {0, 0};
    int error = PLB_OK;
    for (; next.offset < input->size_bytes && !error; next.offset += next.size) {
        next.size = plb_min(input->size_bytes - next.offset, BUFFER_BYTES);
        error = plb_input_file_read(input, next, buffer, message);
        if (!error) XXH3_128bits_update(state, buffer, next.size);
    }
    return error;
}

int digest_file(const char *path, XXH128_hash_t *digest, plb_message *message) {
    plb_input_file input;
    int error = plb_input_file_open(path, &input, message);
    if (error) return error;
    XXH3_state_t *state = XXH3_createState();
    uint8_t *buffer = malloc(BUFFER_BYTES);
    if (state && buffer) {
        XXH3_128bits_reset(state);
        error = hash_input(&input, state, buffer, message);
    } else {
        error = plb_fail(message, PLB_ENOMEM, "out of memory to read %s", path);
    }
    if (!error) *digest = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    free(buffer);
    plb_input_file_close(&input);
    return error;
}
