/* SPDX-License-Identifier: MIT
 *
 * The description of a table says how its blocks are to be read:
 *
 *     format 4
 *     spec connect-5x5-k4
 *     values wdl
 *     compression zstd-3
 *     symmetries 2
 *     block 8192
 *     index keys
 *
 * These lines in this order, each ended by a line end, nothing else; the last one is left out where
 * the index has slabs (index.h). There is one description of a
 * table, and its hash is the table's identity (checksum.h). All else is in records under names
 * (store.h): `builder` must be there, all others are optional, and a reader passes
 * over those that it does not know. So what is added later without a change of what blocks
 * mean needs no new format.
 */
#ifndef PLB_TABLES_FORMAT_META_H
#define PLB_TABLES_FORMAT_META_H

#include "tables/format/outcome_code.h"
#include "tables/index/index.h"
#include "tables/store/store.h"

typedef struct plb_store_writer plb_store_writer; /* store_writer.h */

#define PLB_BUILDER_NAME "plybase " PLB_VERSION_TEXT

/* Names of records. A new optional one is added here and to the list in meta.c. */
#define PLB_RECORD_BUILDER "builder"     /* program and version, text */
#define PLB_RECORD_DISTANCES "distances" /* optional: positions by distance, all plies */
#define PLB_RECORD_COLUMNS "columns"     /* optional: which columns can arise, automaton_record.h */

/* The record of a ply's model (block_model.h), if blocks need it: "model-08". */
void plb_meta_name_model(int ply, char name[PLB_RECORD_NAME]);

/* The records of the keys of a table with an index of keys, one for each slab: the bytes of a
 * plb_perfect_hash. A ply has as many slabs as it takes for 2^20 keys in each, on average; a power
 * of two, at most PLB_MAX_KEY_SLABS. "keys-04-0000", by ply and slab. */
enum { PLB_MAX_KEY_SLABS = 1 << 12 };
void plb_meta_name_keys(int ply, uint64_t slab, char name[PLB_RECORD_NAME]);

enum {
    PLB_FORMAT_VERSION = 4,
    PLB_META_TEXT = 96,
    PLB_COMPRESSION_TEXT = 32,
};

typedef struct plb_meta {
    int format;               /* PLB_FORMAT_VERSION */
    char spec[PLB_SPEC_TEXT]; /* canonical name of the game */
    plb_value_kind values;
    int level;                   /* of zstd, for planes that are not predicted (block_codec.h) */
    char builder[PLB_META_TEXT]; /* program and version */
    int symmetries;              /* order of the symmetry group */
    int block_entries;           /* of a block, at most */
    plb_index_kind index;
} plb_meta;

/* Such as `zstd-3`. */
void plb_meta_format_compression(int level, char text[PLB_COMPRESSION_TEXT]);

/* ---- what descriptions of tables and of strategies share ---- */

/* Lines of compression, symmetries and block size, to be written and to be read. */
#define PLB_META_STORED_LINES "compression zstd-%d\nsymmetries %d\nblock %d\n"
#define PLB_META_STORED_FORM "compression %95s symmetries %9d block %9d "

/* Begin a file with its description and the record of its builder, or go on with one that was not
 * finished. Errors: those of plb_store_create or plb_store_resume; then there is no writer. */
int plb_meta_begin(const char *path, const char *description, const char *builder, bool resumes,
                   plb_store_writer **writer, plb_message *message);

/* PLB_ECORRUPT: the file's description is not right, as in "names no game". */
int plb_meta_fail(const plb_store *store, const char *what, plb_message *message);

/* Is the file's description what would be written of what was read in it, and plain?
 * Errors: PLB_ECORRUPT. */
int plb_meta_check_form(const plb_store *store, const char *again, plb_message *message);

/* Errors: PLB_EVERSION, if the text names no compression that this program knows. */
int plb_meta_read_compression(const plb_store *store, const char *text, int *level,
                              plb_message *message);

/* Begin the space of the game that a description names, by its canonical name, and whose
 * symmetries it counts.
 *
 * spec   [out]  the name
 * space  [out]  to be closed by the caller; after an error it is empty
 *
 * Errors: PLB_ECORRUPT, PLB_ENOMEM. */
int plb_meta_begin_space(const plb_store *store, const char *text, int symmetries,
                         char spec[PLB_SPEC_TEXT], plb_space *space, plb_message *message);

/* The record of the builder. Errors: PLB_ECORRUPT, PLB_EIO, PLB_ENOMEM. */
int plb_meta_read_builder(const plb_store *store, char builder[PLB_META_TEXT],
                          plb_message *message);

/* ---- tables ---- */

/* The identity of the table that a meta describes; the builder is no part of it. */
uint64_t plb_meta_identity(const plb_meta *meta);

/* Begin the file of a table, with description and builder, or go on with one that was not finished.
 * Errors: those of plb_meta_begin. */
int plb_meta_create(const plb_meta *meta, const char *path, bool resumes, plb_store_writer **writer,
                    plb_message *message);

/* Is the file a strategy (strategy_file.h)? Its description begins with another word. */
bool plb_meta_is_strategy(const plb_store *store);

/* Read the description of a table, and begin the space of its game (plb_meta_begin_space).
 *
 * Errors: PLB_ENOTTABLE (a strategy), PLB_EVERSION (another format, or a compression that this
 * program does not know), PLB_ECORRUPT (texts are not UTF-8, hold control characters or are not in
 * the form above; the spec is not the canonical name of a game, the game has other symmetries, or
 * the values or the size of blocks cannot be), PLB_EIO, PLB_ENOMEM. */
int plb_meta_read(const plb_store *store, plb_meta *meta, plb_space *space, plb_message *message);

/* Is there anything in the file, or in a shard, that the format does not call for: a record that
 * this program does not know, something in unused space, or bytes after the last page? Does a shard
 * repeat what its table says? Errors: PLB_ECORRUPT, and the message names the first that was found;
 * PLB_EIO, PLB_ENOMEM. */
int plb_meta_find_extra(const plb_store *store, bool *is_rewritten, plb_message *message);

#endif
