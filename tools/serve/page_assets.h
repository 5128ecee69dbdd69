/* SPDX-License-Identifier: MIT
 *
 * The built-in files of the page and of the descriptions, as pack-page prepares them: plain, and
 * packed with gzip.
 */
#ifndef PLB_TOOLS_SERVE_PAGE_ASSETS_H
#define PLB_TOOLS_SERVE_PAGE_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct page_asset {
    const unsigned char *bytes, *packed; /* [size] and a zero byte, [packed_size]; static storage */
    size_t size, packed_size;
} page_asset;

/* False: there is no such file. */
bool page_assets_find(const char *name, page_asset *asset);

/* The content type of a file by its ending; NULL: no page has such files. */
const char *page_assets_type(const char *name);

/* Of all files, 16 hexadecimal digits. */
const char *page_assets_hash(void);

#endif
