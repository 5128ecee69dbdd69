/* SPDX-License-Identifier: MIT */
#include "tools/site/site_pack.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { SIZE_BYTES = 4, LEVEL = 19 };

int site_pack(const uint8_t *content, size_t size, uint8_t **packed, size_t *packed_size,
              plb_message *message) {
    size_t room = ZSTD_compressBound(size);
    uint8_t *made = malloc(SIZE_BYTES + room);
    size_t frame = made ? ZSTD_compress(made + SIZE_BYTES, room, content, size, LEVEL) : 0;
    if (!made || ZSTD_isError(frame)) {
        free(made);
        return plb_fail(message, PLB_ENOMEM, "out of memory for a directory");
    }
    for (int b = 0; b < SIZE_BYTES; b++) made[b] = (uint8_t)(size >> 8 * b);
    *packed = made;
    *packed_size = SIZE_BYTES + frame;
    return PLB_OK;
}
