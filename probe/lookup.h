/* SPDX-License-Identifier: MIT
 *
 * Stored codes: from an entry of the index to the bits in its block. A reader decompresses blocks
 * into a cache of its own, takes at most PLB_READER_BYTES of memory and belongs to one thread at a
 * time; a lookup lends as many readers as threads ask for. Must not know: rules, and what of a
 * value is derived rather than stored.
 */
#ifndef PLB_PROBE_LOOKUP_H
#define PLB_PROBE_LOOKUP_H

#include "tables/codec/block_codec.h"
#include "tables/store/store.h"

/* Memory of a reader, at most; what the decompressor and the greatest block need is within it. */
enum { PLB_READER_BYTES = 32 << 20 };

typedef struct plb_lookup plb_lookup;
typedef struct plb_reader plb_reader;

/* codec, of the table, and store must outlive it.
 * Errors: PLB_ECORRUPT (a segment is missing, or there is one too many), PLB_ENOMEM. */
int plb_lookup_open(const plb_block_codec *codec, const plb_store *store, plb_lookup **lookup,
                    plb_message *message);

/* No call may be under way. NULL is allowed. */
void plb_lookup_close(plb_lookup *lookup);

/* Borrow a reader, and give it back, with what it has cached. NULL when out of memory.
 * Threads: safe, without locks. */
plb_reader *plb_lookup_take_reader(const plb_lookup *lookup);
void plb_lookup_give_reader(const plb_lookup *lookup, plb_reader *reader);

/* Have readers that are taken from now on do without what cannot be read: the code is 0 there, and
 * nothing that is derived is kept. Answers are then of no use; but what they need has been asked
 * for at once, and who can only fetch it meanwhile asks again. Threads: no reader may be borrowed.
 */
void plb_lookup_do_without(plb_lookup *lookup, bool does_without);

/* Memory of the blocks that readers have cached, and how many blocks were read since it was opened.
 * Threads: safe. */
typedef struct plb_lookup_usage {
    uint64_t cached_bytes, blocks_read;
} plb_lookup_usage;
plb_lookup_usage plb_lookup_find_usage(const plb_lookup *lookup);

/* Close the readers that are not borrowed. Threads: safe. */
void plb_lookup_trim(const plb_lookup *lookup);

/* The code (tables/format/outcome_code.h) stored at an address.
 * Errors: PLB_ECORRUPT (it names ply and block), PLB_EIO, PLB_ENOMEM. Threads: each its own reader.
 */
int plb_lookup_code(const plb_lookup *lookup, plb_reader *reader, plb_block_address at,
                    unsigned *code, plb_message *message);

/* Outcomes that the borrower of a reader has derived from stored ones, by canonical positions: the
 * latest are kept with the reader. Recall returns false if there is none; without memory nothing is
 * kept. */
bool plb_reader_recall(const plb_reader *reader, plb_position canonical, plb_outcome *outcome);
void plb_reader_remember(plb_reader *reader, plb_position canonical, plb_outcome outcome);

#endif
