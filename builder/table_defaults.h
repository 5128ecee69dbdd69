/* SPDX-License-Identifier: MIT
 *
 * The form of the tables that this program builds; any table says its own (tables/format/meta.h).
 */
#ifndef PLB_BUILDER_TABLE_DEFAULTS_H
#define PLB_BUILDER_TABLE_DEFAULTS_H

#include "tables/format/meta.h"

enum { PLB_LEVEL = 3 /* of zstd, see builder/MEASUREMENTS.md */ };

/* Entries of a block, see builder/MEASUREMENTS.md: fewer with distances, which take longer to read
 * and are read of all moves. */
static inline int plb_block_entries(plb_value_kind values) {
    return values == PLB_DTM ? 1 << 11 : 1 << 13;
}

#endif
