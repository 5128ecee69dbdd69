/* SPDX-License-Identifier: MIT
 *
 * Digests of files.
 */
#include "tools/verify/digest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void digest_format(XXH128_hash_t digest, char text[DIGEST_TEXT]) {
    snprintf(text, DIGEST_TEXT, "%016llx%016llx", (unsigned long long)digest.high64,
             (unsigned long long)digest.low64);
}

enum { BUFFER_BYTES = 1 << 20 };

/* Errors: those of errno. */
static int hash_stream(FILE *file, XXH3_state_t *state, uint8_t *buffer) {
    size_t size;
    while ((size = fread(buffer, 1, BUFFER_BYTES, file)) > 0)
        XXH3_128bits_update(state, buffer, size);
    return ferror(file) ? errno : 0;
}

int digest_file(const char *path, XXH128_hash_t *digest, plb_message *message) {
    FILE *file = fopen(path, "rb");
    if (!file) return plb_fail_errno(message, errno, "cannot read", path);
    XXH3_state_t *state = XXH3_createState();
    uint8_t *buffer = malloc(BUFFER_BYTES);
    int error = PLB_ENOMEM, number = 0;
    if (state && buffer) {
        XXH3_128bits_reset(state);
        number = hash_stream(file, state, buffer);
        error = number ? plb_fail_errno(message, number, "cannot read", path) : PLB_OK;
    } else {
        plb_fail(message, error, "out of memory to read %s", path);
    }
    if (!error) *digest = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    free(buffer);
    fclose(file);
    return error;
}
