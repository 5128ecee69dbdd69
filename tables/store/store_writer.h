/* SPDX-License-Identifier: MIT
 *
 * Writing of a table's file, see store.h. One writer writes it once, in the order of keys; no
 * reader sees it before it is finished. The same content gives the same bytes.
 */
#pragma once

#include "tables/store/store.h"

typedef struct plb_store_writer plb_store_writer;

/* Begin a file at a path that does not exist.
 *
 * description  [in]  text that no other table has, shorter than PLB_DESCRIPTION_TEXT bytes
 * map_bytes    [in]  first size of LMDB's map, 0 for the default; it grows as needed
 *
 * Errors: those of errno and LMDB. */
int plb_store_create(const char *path, const char *description, size_t map_bytes,
                     plb_store_writer **writer, plb_message *message);

/* Resume a file that was abandoned, or whose process ended. The caller puts everything again in the
 * same order; what the file has is skipped. For plies that the file has completely only the
 * statistics must be put. The file gets the same bytes as without the interruption.
 *
 * Errors: PLB_ECORRUPT (it is missing, or cannot be resumed), those of plb_store_create. */
int plb_store_resume(const char *path, const char *description, plb_store_writer **writer,
                     plb_message *message);

/* Add a record with an unused name, at any time before the end; up to PLB_RECORD_BYTES bytes. */
int plb_store_put_record(plb_store_writer *writer, const char *name, const void *bytes, size_t size,
                         plb_message *message);

/* Add a segment; plies ascending, in each ply first_block ascending. */
int plb_store_put_segment(plb_store_writer *writer, int ply, uint64_t first_block,
                          const void *bytes, size_t size, plb_message *message);

/* End a ply with its statistics. */
int plb_store_put_stats(plb_store_writer *writer, int ply, const plb_ply_stats *stats,
                        plb_message *message);

/* Plies [0, kept_plies) are complete on the disk; a crash of the process or the machine does not
 * lose them, if the directory entry of the file is on the disk. */
int plb_store_kept_plies(const plb_store_writer *writer);

/* Write everything to the disk and close the writer, also after an error. */
int plb_store_finish(plb_store_writer *writer, plb_message *message);

/* Close without finishing; only plb_store_resume can use the file. NULL is allowed. */
void plb_store_abandon(plb_store_writer *writer);
