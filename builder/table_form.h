/* SPDX-License-Identifier: MIT
 *
 * The form of the tables that this program builds; any table says its own (tables/meta.h).
 */
#ifndef PLB_BUILDER_TABLE_FORM_H
#define PLB_BUILDER_TABLE_FORM_H

enum {
    PLB_BLOCK_ENTRIES = 1 << 13, /* entries of a block, see README */
    PLB_LEVEL = 3,               /* of zstd, see README */
};

#endif
