/* SPDX-License-Identifier: MIT
 *
 * Frames of Zstandard, decoded into memory that holds the whole content (RFC 8878).
 *
 * The decoder of libzstd is made for speed on large streams, and takes 68 kB of the module. A table
 * has few blocks of zstd, and each is decoded at once, so that the content is the window, too. Not
 * decoded are frames with a dictionary or a checksum of their own, which tables do not have; their
 * blocks have checksums. Any bytes are safe. Must not know: tables.
 */
#ifndef PLB_TOOLS_MODULE_ZSTD_FRAME_H
#define PLB_TOOLS_MODULE_ZSTD_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct zstd_frame_decoder zstd_frame_decoder; /* memory for tables; one thread at a time */

/* NULL when out of memory. Free with free(). */
zstd_frame_decoder *zstd_frame_decoder_make(void);

/* Bytes of the frame with which the bytes begin; 0: it is none, or cut short. */
size_t zstd_frame_size(const uint8_t *bytes, size_t size);

/* Decode a frame.
 *
 * to    [out]  [room]; anything may stand there after a failure
 * made  [out]  bytes of the content
 *
 * Returns whether the bytes are one frame, whole and sound, and its content fits. */
bool zstd_frame_decode(zstd_frame_decoder *decoder, const uint8_t *bytes, size_t size, uint8_t *to,
                       size_t room, size_t *made);

#endif
