/* SPDX-License-Identifier: MIT
 *
 * Distinct frontiers, by number. There are millions of them, so each is kept in as few words as the
 * board allows: a bit for each row of what a frontier holds by rows, one row more than the board
 * has, since a run that rises may be on its way out of it.
 *
 *     marked line | x, 3 directions | runs of 1 or more, 3 directions | ... | runs of k - 1
 *      18 bits    |  3 (rows + 1)   |          3 (rows + 1)           |     |
 *
 * Two words where k is 4 and there are up to 8 rows.
 */
#ifndef PLB_TABLES_COUNT_FRONTIER_TABLE_H
#define PLB_TABLES_COUNT_FRONTIER_TABLE_H

#include "tables/count/frontier.h"

typedef struct plb_frontier_table {
    int rows, k;                                  /* of the board */
    uint64_t *items;                              /* [count][words of one] */
    uint32_t count, capacity, slot_count, *slots; /* slots: number of a frontier + 1, or 0 */
} plb_frontier_table;

/* An empty list for frontiers of a board. */
static inline plb_frontier_table plb_frontier_table_of(const plb_frontier_board *board) {
    return (plb_frontier_table){.rows = board->height, .k = board->k};
}

/* The number of a frontier, which is added if it is new. Errors: PLB_ENOMEM. */
int plb_frontier_table_find(plb_frontier_table *list, const plb_frontier *frontier,
                            uint32_t *number);

/* The same of up to PLB_FOUND_TOGETHER frontiers, which takes less than one by one. */
enum { PLB_FOUND_TOGETHER = 16 };
int plb_frontier_table_find_several(plb_frontier_table *list, const plb_frontier *frontiers,
                                    int count, uint32_t *numbers);

void plb_frontier_table_get(const plb_frontier_table *list, uint32_t number,
                            plb_frontier *frontier);

/* What is left is an empty list: with the memory that it had, or with none. */
void plb_frontier_table_clear(plb_frontier_table *list);
void plb_frontier_table_free(plb_frontier_table *list);

#endif
