/* SPDX-License-Identifier: MIT
 *
 * The files that every site has, built in. site_files.inc, which pack-page writes, has a row for
 * each of them, FILE_ROW(symbol, name); none where the module for browsers could not be built.
 */
#include "tools/site/site_assets.h"

#define FILE_ROW(symbol, name)                                                         \
    __asm__(".pushsection .rodata\nsite_" #symbol ":\n.incbin \"" SITE_FOLDER "/" name \
            "\"\nsite_" #symbol "_end:\n.byte 0\n.popsection\n");                      \
    extern const unsigned char site_##symbol[], site_##symbol##_end[];
#include "site_files.inc"
#undef FILE_ROW

bool site_asset_at(size_t number, site_asset *asset) {
    static const struct {
        const char *name;
        const unsigned char *bytes, *end;
    } files[] = {
#define FILE_ROW(symbol, name) {name, site_##symbol, site_##symbol##_end},
#include "site_files.inc"
        {0}};
    const size_t count = sizeof files / sizeof *files - 1;
    if (number >= count) return false;
    *asset = (site_asset){.name = files[number].name,
                          .bytes = files[number].bytes,
                          .size = (size_t)(files[number].end - files[number].bytes)};
    return true;
}
