/* SPDX-License-Identifier: MIT
 *
 * Enumeration of the positions of a ply that can arise, for every game: all of them in a fixed
 * order, or one at random.
 *
 *     slabs   every colouring of every canonical set of cells, in the order of the index
 *     keys    the canonical positions (orbit.h), ascending; each ply is made from the previous one,
 *             beginning with the empty board, and kept in memory
 *
 * A visited position stands for itself and for symmetric positions. Their number is the number of
 * images of its set of cells (slabs) or of the position itself (keys). These numbers sum to the
 * number of positions of the ply.
 *
 * Must not know: values, files.
 */
#pragma once

#include <signal.h>

#include "tables/index/index.h"

typedef struct plb_enumeration plb_enumeration;

/* Open an enumeration. The space must outlive it, and is read only.
 *
 * stats  [in]  [cells + 1] statistics of the table whose keys the space has, or NULL; must outlive
 *              the enumeration
 *
 * Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_enumeration_open(const plb_space *space, const plb_ply_stats *stats,
                         plb_enumeration **enumeration, plb_message *message);
void plb_enumeration_close(plb_enumeration *enumeration);

const plb_game *plb_enumeration_game(const plb_enumeration *enumeration);

/* Prepare a ply: must be called before any function below is called for it; again is allowed.
 *
 * stop  [in]  ends the work soon after it becomes nonzero (PLB_EINTERRUPTED), or NULL
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED; PLB_ECORRUPT: the positions of a ply do not match the keys
 * or the statistics of the table. Cost: with keys, the first call enumerates this ply and those
 * before it. Threads: safe; so are all functions below. */
int plb_enumeration_begin(plb_enumeration *enumeration, int ply, const volatile sig_atomic_t *stop,
                          plb_message *message);

/* The number of entries that are tested for a ply: positions and, with slabs, also colourings that
 * cannot arise. And an upper bound of its positions, all symmetric ones included. */
uint64_t plb_enumeration_entries(const plb_enumeration *enumeration, int ply);
uint64_t plb_enumeration_max_positions(const plb_enumeration *enumeration, int ply);

/* Are all positions of a ply kept in memory (an index of keys)? */
bool plb_enumeration_is_in_memory(const plb_enumeration *enumeration);

/* Bytes of memory that they take. Does not wait for plies that are being made. */
double plb_enumeration_bytes(const plb_enumeration *enumeration);

/* ---- all up to symmetry; with slabs some symmetric ones, too ---- */

/* Called with a position, and with the number of positions it stands for. Returns whether to
 * continue. */
typedef bool plb_enumeration_visitor(void *context, plb_position position, uint64_t count);

/* A ply is visited in chunks, which may go to different threads. */
uint64_t plb_enumeration_chunks(const plb_enumeration *enumeration, int ply);

/* Visit the positions of a chunk in [0, chunks), until visit returns false.
 * Cost: with slabs, plb_rules_check for every entry of the chunk. */
void plb_enumeration_chunk(const plb_enumeration *enumeration, int ply, uint64_t chunk,
                           plb_enumeration_visitor *visit, void *context);

/* Of two visited positions of a ply, is the first one visited before the other? */
bool plb_enumeration_goes_before(const plb_enumeration *enumeration, plb_position position,
                                 plb_position other);

/* The representative of the visited positions that are images of each other: with slabs the least
 * one on the same cells, with keys the position itself. */
plb_position plb_enumeration_canonical(const plb_enumeration *enumeration, plb_position position);

/* ---- one at random ---- */

/* Draw an entry of a ply uniformly at random. False: it is not a position that can arise. */
bool plb_enumeration_draw(const plb_enumeration *enumeration, int ply, uint64_t *random,
                          plb_position *position, uint64_t *count);

/* ---- all, each once ---- */

/* Is a cursor a valid place in a listing of its ply? It has an entry (slab and rank, or with keys
 * the number of a canonical position, and 0) and the symmetry that maps it. */
bool plb_enumeration_is_cursor(const plb_enumeration *enumeration, const plb_listing *cursor);

/* Visit the next positions, until visit returns false or `entries` entries were tested. */
void plb_enumeration_list(const plb_enumeration *enumeration, plb_listing *cursor, uint64_t entries,
                          plb_enumeration_visitor *visit, void *context);
