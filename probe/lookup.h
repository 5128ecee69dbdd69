/* SPDX-License-Identifier: MIT
 *
 * Lookup of stored codes by their address. A reader is per-thread state: a decompressor and a cache
 * of blocks, at most PLB_READER_BYTES of memory. A lookup lends any number of readers. Must not
 * know: rules, and how values are derived from stored ones.
 */
#pragma once

#include "tables/codec/block_codec.h"
#include "tables/store/store.h"

/* Maximum memory of a reader, including its decompressor. */
enum { PLB_READER_BYTES = 32 << 20 };

typedef struct plb_lookup plb_lookup;
typedef struct plb_reader plb_reader;

/* codec and store, of the same table, must outlive the lookup.
 * Errors: PLB_ECORRUPT (a segment is missing, or there is one too many), PLB_ENOMEM. */
int plb_lookup_open(const plb_block_codec *codec, const plb_store *store, plb_lookup **lookup,
                    plb_message *message);

/* No other call may be running. NULL is allowed. */
void plb_lookup_close(plb_lookup *lookup);

/* Borrow a reader (NULL: out of memory), and give it back. An idle reader keeps its cache.
 * Threads: safe, without locks. */
plb_reader *plb_lookup_take_reader(const plb_lookup *lookup);
void plb_lookup_give_reader(const plb_lookup *lookup, plb_reader *reader);

/* true: from now on, readers that are taken get the code 0 instead of an error if a block cannot be
 * read, and cache no derived outcomes. Answers are then wrong, but one call requests all blocks
 * that an answer needs; a caller that fetches blocks over a network fetches them and calls again.
 * Threads: no reader may be borrowed. */
void plb_lookup_skip_missing(plb_lookup *lookup, bool skips_missing);

/* Bytes of all cached blocks, and the number of blocks read since the lookup was opened.
 * Threads: safe. */
void plb_lookup_find_usage(const plb_lookup *lookup, uint64_t *cached_bytes, uint64_t *blocks_read);

/* Close the idle readers. Threads: safe. */
void plb_lookup_trim(const plb_lookup *lookup);

/* Is reading the block at an address likely to cost less than a few microseconds of search? It is
 * if the block is cached, if it will be (all blocks of the table fit in the cache), or if this is
 * the fourth question about it of late. Threads: each with its own reader. */
bool plb_lookup_prefers_block(const plb_lookup *lookup, plb_reader *reader, plb_block_address at);

/* The code (tables/format/outcome_code.h) that is stored at an address.
 * Errors: PLB_ECORRUPT (message has ply and block), PLB_EIO, PLB_ENOMEM.
 * Threads: each with its own reader. */
int plb_lookup_code(const plb_lookup *lookup, plb_reader *reader, plb_block_address at,
                    unsigned *code, plb_message *message);

/* A cache of derived outcomes, by canonical position, in a reader. Recall returns false if the
 * position is not cached; remember may replace another position, or do nothing. */
bool plb_reader_recall(const plb_reader *reader, plb_position canonical, plb_outcome *outcome);
void plb_reader_remember(plb_reader *reader, plb_position canonical, plb_outcome outcome);
