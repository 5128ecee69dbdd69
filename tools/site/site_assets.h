/* SPDX-License-Identifier: MIT
 *
 * The files that every site has: page, library as a module, licences.
 */
#ifndef PLB_TOOLS_SITE_SITE_ASSETS_H
#define PLB_TOOLS_SITE_SITE_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct site_asset {
    const char *name;
    const unsigned char *bytes; /* [size] static storage */
    size_t size;
} site_asset;

/* The file with a number from 0; false: there is none. Without any there can be no site. */
bool site_asset_at(size_t number, site_asset *asset);

#endif
