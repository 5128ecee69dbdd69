/* SPDX-License-Identifier: MIT
 *
 * What the writer and the reader of a table's file share, in addition to checksum.h.
 */
#ifndef PLB_TABLES_STORE_STORE_LAYOUT_H
#define PLB_TABLES_STORE_STORE_LAYOUT_H

#include "tables/store/store.h"

#define PLB_DESCRIPTION "description"
#define PLB_CONTENTS "contents"
#define PLB_FORMAT_1_RECORD "format" /* there in format 1, which had no description */

enum { PLB_DATABASES = 3, PLB_STATS_BYTES = 5 * 8 };
static const char *const plb_database_names[PLB_DATABASES] = {"meta", "stats", "blocks"};

/* A name has no blanks, so that names can be distinguished in a text. */
static inline bool plb_record_name_is_right(const uint8_t *name, size_t size) {
    if (size == 0 || size >= PLB_RECORD_NAME) return false;
    for (size_t c = 0; c < size; c++)
        if (name[c] <= ' ' || name[c] > '~') return false;
    return true;
}

#endif
