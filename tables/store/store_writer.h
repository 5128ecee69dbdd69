/* SPDX-License-Identifier: MIT
 *
 * Writing of a table's file, see store.h. A table is written once, in key order, by one writer into
 * a file that no reader sees before it is finished; the same content gives the same bytes.
 */
#ifndef PLB_TABLES_STORE_STORE_WRITER_H
#define PLB_TABLES_STORE_STORE_WRITER_H

#include "tables/store/store.h"

typedef struct plb_store_writer plb_store_writer;

/* Begin a file at a path that does not exist.
 *
 * description  [in]  text that no other table has, less than PLB_DESCRIPTION_TEXT bytes
 * map_bytes    [in]  first size of LMDB's map, 0 for the default; it grows as needed
 *
 * Errors: those of errno and LMDB. */
int plb_store_create(const char *path, const char *description, size_t map_bytes,
                     plb_store_writer **writer, plb_message *message);

/* Go on with a file that was not finished, in this process or one that ended anyhow. The caller
 * puts again what it put then, in the same order, and what the file has is passed over; of plies
 * that it has whole only the end need be put. The file becomes what it would have been.
 *
 * Errors: PLB_ECORRUPT (it is missing, or cannot be gone on with), those of plb_store_create. */
int plb_store_resume(const char *path, const char *description, plb_store_writer **writer,
                     plb_message *message);

/* Add a record under a free name, at any time before the end; up to PLB_RECORD_BYTES bytes. */
int plb_store_put_record(plb_store_writer *writer, const char *name, const void *bytes, size_t size,
                         plb_message *message);

/* Add a segment; plies ascending, in each ply first_block ascending. */
int plb_store_put_segment(plb_store_writer *writer, int ply, uint64_t first_block,
                          const void *bytes, size_t size, plb_message *message);

/* End a ply. */
int plb_store_put_stats(plb_store_writer *writer, int ply, const plb_ply_stats *stats,
                        plb_message *message);

/* The plies that the file has whole: those before this one are on the disk, whatever happens to the
 * process or the machine, if the file's name is. */
int plb_store_kept_plies(const plb_store_writer *writer);

/* Write all to the disk and close; the writer is closed in any case. */
int plb_store_finish(plb_store_writer *writer, plb_message *message);

/* Close without finishing; what was written is of use to plb_store_resume only. NULL is allowed. */
void plb_store_abandon(plb_store_writer *writer);

#endif
