/* SPDX-License-Identifier: MIT
 *
 * The positions of a ply that can arise: all of them in an order that is always the
 * same, or one at random. Code that wants positions of any game asks here.
 *
 *     slabs   every colouring of every canonical set of cells, in the order of the index
 *     keys    the canonical positions (orbit.h), ascending; they are enumerated forward from the
 *             empty board, each ply from the one before, and kept in memory
 *
 * Each visited position stands for itself and for symmetric ones: where there are slabs for as many
 * as its set of cells has images, else for as many as it has images itself. These counts sum to the
 * positions of the ply.
 *
 * Must not know: values, files.
 */
#ifndef PLB_TABLES_INDEX_ENUMERATE_H
#define PLB_TABLES_INDEX_ENUMERATE_H

#include <signal.h>

#include "tables/index/index.h"

typedef struct plb_enumeration plb_enumeration;

/* Open an enumeration. The space must outlive it, and is read only.
 *
 * stats  [in]  [cells + 1] what a table says of the game, of which the space has the keys; NULL:
 *              nothing is known. It must outlive the enumeration.
 *
 * Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_enumeration_open(const plb_space *space, const plb_ply_stats *stats,
                         plb_enumeration **enumeration, plb_message *message);
void plb_enumeration_close(plb_enumeration *enumeration);

const plb_game *plb_enumeration_game(const plb_enumeration *enumeration);

/* Has to be called for a ply before anything below is asked about it; again is allowed.
 *
 * stop  [in]  what it does ends soon after this becomes nonzero, or NULL
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED; PLB_ECORRUPT: a ply has not as many positions as the table
 * has keys of it, or more than it says, so that a small file takes little memory. Cost: where there
 * are keys, that of enumerating this ply and those before it, the first time. Threads: safe; so are
 * all below. */
int plb_enumeration_begin(plb_enumeration *enumeration, int ply, const volatile sig_atomic_t *stop,
                          plb_message *message);

/* Entries of a ply that an enumeration looks at: positions and, where there are slabs, colourings
 * that cannot arise. At most so many positions of the ply can arise, with all symmetric ones. */
uint64_t plb_enumeration_entries(const plb_enumeration *enumeration, int ply);
uint64_t plb_enumeration_max_positions(const plb_enumeration *enumeration, int ply);

/* Are positions enumerated, so that all are in memory? */
bool plb_enumeration_has(const plb_enumeration *enumeration);

/* The memory that they take. Does not wait for plies that are being made. */
double plb_enumeration_bytes(const plb_enumeration *enumeration);

/* ---- all up to symmetry; where there are slabs some symmetric ones, too ---- */

/* Gets a position, and for how many of its ply it stands; returns whether to continue. */
typedef bool plb_enumeration_visitor(void *context, plb_position position, uint64_t count);

/* A ply is visited in chunks, which may go to different threads. */
uint64_t plb_enumeration_chunks(const plb_enumeration *enumeration, int ply);

/* Visit the positions of a chunk in [0, chunks), until visit returns false.
 * Cost: where there are slabs, plb_rules_check for every entry of the chunk. */
void plb_enumeration_chunk(const plb_enumeration *enumeration, int ply, uint64_t chunk,
                           plb_enumeration_visitor *visit, void *context);

/* Does the enumeration come to one of two positions of a ply that are visited before the other? */
bool plb_enumeration_goes_before(const plb_enumeration *enumeration, plb_position position,
                                 plb_position other);

/* One of the visited positions that are images of a visited one, the same for all of them: where
 * there are slabs the least on the same cells, else the position itself. */
plb_position plb_enumeration_canonical(const plb_enumeration *enumeration, plb_position position);

/* ---- one at random ---- */

/* Take an entry of a ply, each as likely as any other. False: it is no position that can arise. */
bool plb_enumeration_draw(const plb_enumeration *enumeration, int ply, uint64_t *random,
                          plb_position *position, uint64_t *count);

/* ---- all, each once ---- */

/* A plb_listing has an entry (slab and rank, or the number of a canonical position and 0), and the
 * symmetry by which it is mapped.
 *
 * Can a list of its ply have come there? */
bool plb_enumeration_is_cursor(const plb_enumeration *enumeration, const plb_listing *cursor);

/* Visit the next positions, until visit returns false or so many entries were looked at. */
void plb_enumeration_list(const plb_enumeration *enumeration, plb_listing *cursor, uint64_t entries,
                          plb_enumeration_visitor *visit, void *context);

#endif
