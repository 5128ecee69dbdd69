/* SPDX-License-Identifier: MIT
 *
 * The functions of zstd.h that the probe library uses, implemented by the decoder of zstd_frame.h.
 */
#ifndef PLB_TOOLS_MODULE_ZSTD_H
#define PLB_TOOLS_MODULE_ZSTD_H

#include <stdlib.h>

#include "tools/module/zstd_frame.h"

typedef zstd_frame_decoder ZSTD_DCtx;

/* As zstd documents the bound. */
#define ZSTD_COMPRESSBOUND(size) \
    ((size) + ((size) >> 8) + ((size) < (128 << 10) ? ((128 << 10) - (size)) >> 11 : 0))

static inline ZSTD_DCtx *ZSTD_createDCtx(void) {
    return zstd_frame_decoder_make();
}

static inline void ZSTD_freeDCtx(ZSTD_DCtx *context) {
    free(context);
}

static inline size_t ZSTD_findFrameCompressedSize(const void *frame, size_t size) {
    return zstd_frame_size(frame, size);
}

static inline size_t ZSTD_decompressDCtx(ZSTD_DCtx *context, void *to, size_t room,
                                         const void *frame, size_t size) {
    size_t made = 0;
    return zstd_frame_decode(context, frame, size, to, room, &made) ? made : SIZE_MAX;
}

#endif
