/* SPDX-License-Identifier: MIT
 *
 * The quiet positions of a block side by side, with their codes: what an encoder needs of them.
 * Must not know: models, bytes, files.
 */
#ifndef PLB_TABLES_CODEC_QUIET_LIST_H
#define PLB_TABLES_CODEC_QUIET_LIST_H

#include <stddef.h>

#include "tables/codec/quiet_cursor.h"
#include "tables/cpu_dispatch.h"

/* Codes of a block: plane p is words [p * stride, ..) of planes, as many as those of stored, the
 * positions whose codes must be kept. */
typedef struct plb_block_codes {
    const uint64_t *planes, *stored;
    uint64_t stride;
} plb_block_codes;

enum { PLB_NOT_STORED = 1 << 7 }; /* a bit above all codes */

/* [count] each, in the order of the entries. */
typedef struct plb_quiet_list {
    size_t count;
    uint8_t *features;   /* as numbers: feature f is bit f */
    uint8_t *low_stones; /* the lowest eight */
    uint8_t *codes;      /* with PLB_NOT_STORED, or without; and two draws before the first */
} plb_quiet_list;

/* Room for a block of so many entries. Errors: PLB_ENOMEM; to be freed in any case. */
int plb_quiet_list_open(uint64_t entries, plb_quiet_list *list);
void plb_quiet_list_free(plb_quiet_list *list);

/* List all that a cursor at its beginning comes to. planes: of a code. vectors: that
 * the processor has. */
void plb_quiet_list_make(plb_quiet_cursor *cursor, const plb_block_codes *codes, int planes,
                         plb_vectors vectors, plb_quiet_list *list);

#endif
