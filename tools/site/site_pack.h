/* SPDX-License-Identifier: MIT
 *
 * Packing of the directories of a site, see site_folder.h.
 */
#ifndef PLB_TOOLS_SITE_SITE_PACK_H
#define PLB_TOOLS_SITE_SITE_PACK_H

#include <stdint.h>

#include "tables/message.h"

/* [size: 32 bits][zstd frame]; *packed is to be freed. Errors: PLB_ENOMEM. */
int site_pack(const uint8_t *content, size_t size, uint8_t **packed, size_t *packed_size,
              plb_message *message);

#endif
