/* SPDX-License-Identifier: MIT
 *
 * The description of a table says how to read its blocks:
 *
 *     format 4
 *     spec connect-5x5-k4
 *     values wdl
 *     compression zstd-3
 *     symmetries 2
 *     block 8192
 *     index keys
 *
 * These lines in this order, each ended by a line end, nothing else; an index of slabs (index.h)
 * has no line `index`. The hash of the description is the identity of the table (checksum.h).
 * Everything else is in named records (store.h). `builder` is required; all others are optional,
 * and a reader ignores those that it does not know. So additions that do not change the meaning of
 * blocks need no new format version.
 */
#pragma once

#include "tables/format/outcome_code.h"
#include "tables/index/index.h"
#include "tables/store/store.h"

typedef struct plb_store_writer plb_store_writer; /* store_writer.h */

#define PLB_BUILDER_NAME "plybase " PLB_VERSION_TEXT

/* Names of records. Add a new optional one here and to known_records in meta.c. */
#define PLB_RECORD_BUILDER "builder"     /* program and version, text */
#define PLB_RECORD_DISTANCES "distances" /* optional: positions by distance, all plies */
#define PLB_RECORD_COLUMNS "columns"     /* optional: which columns can arise, automaton_record.h */

/* The record of a ply's model (block_model.h), such as "model-08"; only if blocks need it. */
void plb_meta_name_model(int ply, char name[PLB_RECORD_NAME]);

/* The record of the keys of a slab, such as "keys-04-0000" (ply and slab), in a table with an index
 * of keys: the bytes of a plb_perfect_hash. The number of slabs of a ply is the least power of two,
 * up to PLB_MAX_KEY_SLABS, for which a slab has at most 2^20 keys on average. */
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

/* ---- shared by descriptions of tables and of strategies ---- */

/* The lines of compression, symmetries and block size, as formats of printf and of scanf. */
#define PLB_META_STORED_LINES "compression zstd-%d\nsymmetries %d\nblock %d\n"
#define PLB_META_STORED_FORM "compression %95s symmetries %9d block %9d "

/* Begin a file with its description and the record of its builder, or resume an unfinished file.
 * Errors: those of plb_store_create or plb_store_resume; *writer is not written then. */
int plb_meta_begin(const char *path, const char *description, const char *builder, bool resumes,
                   plb_store_writer **writer, plb_message *message);

/* Report that a description is wrong (PLB_ECORRUPT). what: for example "names no game". */
int plb_meta_fail(const plb_store *store, const char *what, plb_message *message);

/* Compare a description with the one written again from its parsed values, and check that it is
 * plain text. Errors: PLB_ECORRUPT. */
int plb_meta_check_form(const plb_store *store, const char *again, plb_message *message);

/* Parse the name of a compression. Errors: PLB_EVERSION: it is not known to this program. */
int plb_meta_read_compression(const plb_store *store, const char *text, int *level,
                              plb_message *message);

/* Begin the space of the game that a description names. Checks that `text` is the canonical name of
 * the game, and that the game has so many symmetries.
 *
 * spec   [out]  the name
 * space  [out]  closed by the caller; after an error it is empty
 *
 * Errors: PLB_ECORRUPT, PLB_ENOMEM. */
int plb_meta_begin_space(const plb_store *store, const char *text, int symmetries,
                         char spec[PLB_SPEC_TEXT], plb_space *space, plb_message *message);

/* Read the record of the builder. Errors: PLB_ECORRUPT, PLB_EIO, PLB_ENOMEM. */
int plb_meta_read_builder(const plb_store *store, char builder[PLB_META_TEXT],
                          plb_message *message);

/* ---- tables ---- */

/* The identity of the table that a meta describes. It does not depend on the builder. */
uint64_t plb_meta_identity(const plb_meta *meta);

/* plb_meta_begin for a table. */
int plb_meta_create(const plb_meta *meta, const char *path, bool resumes, plb_store_writer **writer,
                    plb_message *message);

/* Is the file a strategy (strategy_file.h)? Its description begins with another word. */
bool plb_meta_is_strategy(const plb_store *store);

/* Read the description of a table, and begin the space of its game (plb_meta_begin_space).
 *
 * Errors: PLB_ENOTTABLE (a strategy), PLB_EVERSION (another format, or a compression that this
 * program does not know), PLB_ECORRUPT (a text is malformed, not UTF-8, or has control characters;
 * the spec is not the canonical name of a game, the game has other symmetries, or the values or the
 * size of blocks are impossible), PLB_EIO, PLB_ENOMEM. */
int plb_meta_read(const plb_store *store, plb_meta *meta, plb_space *space, plb_message *message);

/* Check that the file and its shards have nothing but what the format defines: no record that this
 * program does not know, zeros in unused space, no bytes after the last page, and shards that
 * repeat the builder and the statistics of their table. is_rewritten: see plb_store_find_extra.
 * Errors: PLB_ECORRUPT, and the message names the first deviation; PLB_EIO, PLB_ENOMEM. */
int plb_meta_find_extra(const plb_store *store, bool *is_rewritten, plb_message *message);
