/* SPDX-License-Identifier: MIT
 *
 * The rows of an export as bytes. Formats (plb_export_options.format):
 *
 *     csv    text with a header line
 *     npy    for numpy: a header, then records without gaps, numbers little-endian
 *     uci    lines of the UCI Connect-4 data set: cells column by column, each from the bottom, and
 *            the value for x; only quiet positions, one of each symmetric class
 *     pons   moves that lead to the position, and the score; not if the game is over
 *
 * A record of npy is   x 8 | o 8 | ply 1 | value 1 | dtm 2 | best 8   bytes, in this order.
 *
 * Must not know: files.
 */
#ifndef PLB_PROBE_EXPORT_TEXT_H
#define PLB_PROBE_EXPORT_TEXT_H

#include "probe/export_rows.h"

enum { PLB_ROW_TEXT = 1536 }; /* bytes, enough for any row */

/* A way to write rows. */
typedef struct plb_row_format {
    const char *name;
    /* Write the header of a file with `rows` rows. Returns its size, which is always the same. */
    size_t (*write_header)(uint64_t rows, char bytes[PLB_EXPORT_HEADER]);
    /* Write a row. Returns its size. */
    size_t (*write_row)(const plb_export_source *export, const plb_export_row *row,
                        char bytes[PLB_ROW_TEXT]);
} plb_row_format;

/* Find a format by its name; NULL means csv. Returns NULL if there is none. */
const plb_row_format *plb_row_format_find(const char *name);
#define PLB_ROW_FORMATS "csv, npy, uci or pons"

/* Set the format of a source from its options, and exclude positions that the format cannot write.
 * Errors: PLB_EARGUMENT, also if the format does not suit the table. */
int plb_row_format_choose(plb_export_source *export, plb_message *message);

/* Rows of a source as text. Initialize with {.export = source}; free the text. */
typedef struct plb_text_rows {
    const plb_export_source *export;
    char *text; /* [size] */
    size_t size, capacity;
    size_t count; /* rows */
} plb_text_rows;

/* Add a row to a plb_text_rows, which is the context: the `take` of a plb_export_taker. */
bool plb_text_rows_take(void *context, const plb_export_row *row);

#endif
