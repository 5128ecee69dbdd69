/* SPDX-License-Identifier: MIT
 *
 * The positions of a ply, one after another, by an enumeration (tables/index/enumerate.h).
 */
#include "probe/outcome.h"

/* Entries that a call looks at, at most. */
enum { MOST_ENTRIES = 1 << 14 };

/* Where the positions of a call go. */
typedef struct page {
    const plb_table *table;
    uint64_t *x, *o; /* [room] */
    size_t room, count;
} page;

static bool add_position(void *context, plb_position position, uint64_t count) {
    page *to = context;
    (void)count;
    plb_write_position(to->table, position, &to->x[to->count], &to->o[to->count]);
    return ++to->count < to->room;
}

int plb_list_positions(const plb_table *table, plb_listing *listing, size_t room, uint64_t *x,
                       uint64_t *o, size_t *count) {
    if (!table || !listing || !x || !o || !count) return PLB_EARGUMENT;
    if (!table->kind->is_whole) return PLB_EUNKNOWN;
    if (!room || listing->ply < 0 || listing->ply > table->file.space.game.cells)
        return PLB_EARGUMENT;
    page to = {table, x, o, room, 0};
    plb_enumeration_cursor cursor = {listing->ply, listing->done, listing->slab, listing->element,
                                     listing->rank};
    int error = plb_enumeration_begin(table->file.positions, cursor.ply, NULL, NULL);
    if (!error && !plb_enumeration_is_cursor(table->file.positions, &cursor)) error = PLB_EARGUMENT;
    if (error) return error;
    plb_enumeration_list(table->file.positions, &cursor, MOST_ENTRIES, add_position, &to);
    listing->done = cursor.done;
    listing->slab = cursor.slab;
    listing->element = cursor.element;
    listing->rank = cursor.rank;
    *count = to.count;
    return PLB_OK;
}
