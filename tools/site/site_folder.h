/* SPDX-License-Identifier: MIT
 *
 * A folder that any static host serves: the page, the library as a module for browsers, and tables.
 *
 *     index.html, LICENSES.txt
 *     assets/      the page's scripts and style, plybase.wasm
 *     tables/      tables.json          those that there are
 *                  SPEC.json            what a table is, as of the service, and its file
 *                  SPEC.stats.json/csv  its counts; a strategy has none
 *                  SPEC-ID.dir          a directory: what opening the table reads
 *                  SPEC-ID.plb          the table; a large one in parts .000, .001 ..
 *
 * A directory is [bytes of its content: 32 bits][zstd frame of the content], and the content, in
 * little-endian numbers of 64 bits, [extents][offset, size].., then the bytes of all extents. It is
 * written as PATH.part, which becomes PATH when it is complete.
 */
#ifndef PLB_TOOLS_SITE_SITE_FOLDER_H
#define PLB_TOOLS_SITE_SITE_FOLDER_H

#include "probe/plybase.h"
#include "tools/answers/json_writer.h"

enum {
    SITE_CHUNK = 4096,         /* parts are multiples of it: what the page asks for at a time */
    SITE_WHOLE_FILE = 32 << 20 /* what the page takes whole, of a host without range requests */
};

typedef struct site_folder {
    const char *path; /* must outlive it */
    char *temporary;
    bool replaces;
    uint64_t part_bytes;
    json_writer list; /* tables.json */
    int tables, files;
    uint64_t bytes, largest_part; /* of all files; of one with values */
} site_folder;

/* Begin.
 *
 * force       [in]  a site that is at the path will be replaced, with all that is in it
 * part_bytes  [in]  larger files are split; a multiple of SITE_CHUNK
 *
 * Errors: PLB_EARGUMENT (there is something at the path, or the module is not built in),
 * PLB_ENOMEM, those of the system. Close it in any case. */
int site_folder_open(const char *path, bool force, uint64_t part_bytes, site_folder *site,
                     plb_message *message);

/* Add a table. Errors: those of plb_open; PLB_EARGUMENT (there is one of this game); of the system.
 */
int site_folder_add(site_folder *site, const char *path, plb_message *message);

/* Make sure that all is on the disk, and give the folder its name. Errors: those of the system. */
int site_folder_finish(site_folder *site, plb_message *message);

/* Free all; what was not finished is removed. */
void site_folder_close(site_folder *site);

/* ---- for site_table.c ---- */

/* Write a file of the site. Errors: those of the system. */
int site_folder_put(site_folder *site, const char *name, const void *bytes, size_t size,
                    plb_message *message);

/* Write bytes [begin, end) of another file as one. Errors: those of the system. */
int site_folder_copy(site_folder *site, const char *name, const char *from, uint64_t begin,
                     uint64_t end, plb_message *message);

#endif
