/* SPDX-License-Identifier: MIT
 *
 * The assembler includes the files. page_files.inc, which pack-page writes, has their hash and a
 * row for each of them, FILE_ROW(symbol, name).
 */
#include "tools/serve/page_assets.h"

#include <string.h>

#define EMBED(symbol, path)                                                      \
    __asm__(".pushsection .rodata\n" #symbol ":\n.incbin \"" path "\"\n" #symbol \
            "_end:\n.byte 0\n.popsection\n")
#define FILE_ROW(symbol, name)                                         \
    EMBED(page_##symbol, PAGE_FOLDER "/" name);                        \
    EMBED(gzip_##symbol, PAGE_FOLDER "/" name ".gz");                  \
    extern const unsigned char page_##symbol[], page_##symbol##_end[]; \
    extern const unsigned char gzip_##symbol[], gzip_##symbol##_end[];
#include "page_files.inc"
#undef FILE_ROW

static const struct {
    const char *name;
    const unsigned char *bytes, *end, *packed, *packed_end;
} files[] = {
#define FILE_ROW(symbol, name) \
    {name, page_##symbol, page_##symbol##_end, gzip_##symbol, gzip_##symbol##_end},
#include "page_files.inc"
};

static const struct {
    const char *ending, *type;
} types[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".json", "application/json"},
    {".txt", "text/plain; charset=utf-8"},
};

bool page_assets_find(const char *name, page_asset *asset) {
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        if (strcmp(files[f].name, name) != 0) continue;
        *asset = (page_asset){.bytes = files[f].bytes,
                              .size = files[f].end - files[f].bytes,
                              .packed = files[f].packed,
                              .packed_size = files[f].packed_end - files[f].packed};
        return true;
    }
    return false;
}

const char *page_assets_type(const char *name) {
    const char *ending = strrchr(name, '.');
    for (size_t t = 0; ending && t < sizeof types / sizeof *types; t++)
        if (strcmp(ending, types[t].ending) == 0) return types[t].type;
    return NULL;
}

const char *page_assets_hash(void) {
    return PAGE_HASH;
}
