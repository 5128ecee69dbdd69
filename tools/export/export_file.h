/* SPDX-License-Identifier: MIT
 *
 * The file of an export: how rows are written.
 *
 *     csv    text with a header line
 *     npy    for numpy: a header, then records without gaps, numbers little-endian
 *     uci    lines of the UCI Connect-4 data set: cells column by column, each from the bottom, and
 *            the value for x; one of each class of quiet positions
 *     pons   moves that lead to the position, and the score; games that are over are left out
 *
 *            x  8 | o  8 | ply 1 | value 1 | dtm 2 | best 8        bytes, in this order
 */
#ifndef PLB_TOOLS_EXPORT_EXPORT_FILE_H
#define PLB_TOOLS_EXPORT_EXPORT_FILE_H

#include "probe/export_rows.h"
#include "tools/terminal/output_file.h"

enum {
    EXPORT_HEADER_BYTES = 256, /* room for any header */
    EXPORT_ROW_BYTES = 1536,   /* room for any row */
};

/* A way to write rows. */
typedef struct export_format {
    const char *name;
    /* The header of a file with this number of rows. Returns its size, which is always the same. */
    size_t (*write_header)(uint64_t rows, char bytes[EXPORT_HEADER_BYTES]);
    /* Returns the size of the row. */
    size_t (*write_row)(const plb_export_source *export, const plb_export_row *row,
                        char bytes[EXPORT_ROW_BYTES]);
} export_format;

/* Find a format by its name, into a const export_format *: false if there is none. */
bool parse_export_format(const char *name, void *to);
#define EXPORT_FORMATS "csv, npy, uci or pons"

/* The format that a path asks for by its ending; CSV for `-`, NULL for any other. */
const export_format *export_format_of(const char *path);

/* Leave out the positions that a format's lists do not have. */
void export_format_narrow(const export_format *format, plb_export_options *options);

/* Can a table be written in a format? Errors: PLB_EARGUMENT. */
int export_format_check(const export_format *format, const plb_table *table, plb_message *message);

/* Write the header; rows: 0 where they are not known yet. Errors: those of output_file_add. */
int export_write_header(const export_format *format, uint64_t rows, output_file *file,
                        plb_message *message);

/* Write the number of rows into the header and finish the file. Errors: those of the system. */
int export_finish(const export_format *format, uint64_t rows, output_file *file,
                  plb_message *message);

#endif
