/* SPDX-License-Identifier: MIT
 *
 * A folder that any static host serves: the page, the library as a module for browsers, and tables.
 *
 *     index.html, LICENSES.txt
 *     assets/      the page's scripts and style, plybase.wasm
 *     tables/      tables.json          the list of tables
 *                  SPEC.json            description of a table, as the service gives it, and file
 *                  SPEC.stats.json/csv  its counts; a strategy has none
 *                  SPEC-ID.dir          a directory: the bytes that are read to open the table
 *                  SPEC-ID.plb          the table; a large one in parts .000, .001 ..
 *
 * A directory is [bytes of its content: 32 bits][zstd frame of the content]. The content is, in
 * little-endian numbers of 64 bits, [extents][offset, size].., then the bytes of all extents.
 * The folder is written as PATH.part, which becomes PATH when it is complete.
 */
#pragma once

#include "probe/plybase.h"
#include "tools/answers/json_writer.h"

enum {
    SITE_CHUNK = 4096,         /* bytes of a range request of the page; part sizes are multiples */
    SITE_WHOLE_FILE = 32 << 20 /* largest file that the page loads whole, without range requests */
};

typedef struct site_folder {
    char *path; /* without slashes at its end: PATH.part is beside it */
    char *temporary;
    bool replaces;
    uint64_t part_bytes;
    json_writer list; /* tables.json */
    int tables, files;
    uint64_t bytes;        /* of all files */
    uint64_t largest_part; /* bytes of the largest file of a table */
} site_folder;

/* Begin a site.
 *
 * force       [in]  replace an existing site, with everything in its folder
 * part_bytes  [in]  split larger tables; a multiple of SITE_CHUNK
 *
 * Errors: PLB_EARGUMENT (the path exists, or the module is not built in), PLB_ENOMEM, those of the
 * system. Call site_folder_close also after an error. */
int site_folder_open(const char *path, bool force, uint64_t part_bytes, site_folder *site,
                     plb_message *message);

/* Add a table. Errors: those of plb_open; PLB_EARGUMENT (the site has a table of this game, or the
 * table has shards); those of the system. */
int site_folder_add(site_folder *site, const char *path, plb_message *message);

/* Flush the folder to the disk and give it its name. An old site that cannot be exchanged with it
 * in one step is first renamed to PATH.old, if possible, and removed last. Errors: PLB_EARGUMENT
 * (another process has made something of this name; PATH.part is complete and stays), those of the
 * system. */
int site_folder_finish(site_folder *site, plb_message *message);

/* Free the site; if it is not finished, remove its folder. */
void site_folder_close(site_folder *site);
