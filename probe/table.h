/* SPDX-License-Identifier: MIT
 *
 * An open table: its file, and how values are read from it. Programs include plybase.h alone; what
 * the tools do to the file itself they do to the one that is open here.
 */
#ifndef PLB_PROBE_TABLE_H
#define PLB_PROBE_TABLE_H

#include "probe/lookup.h"
#include "probe/plybase.h"
#include "tables/codec/table_file.h"
#include "tables/strategies/strategy_rules.h"

enum { PLB_TABLE_ID_TEXT = 17 };

struct plb_strategy; /* tables/strategies/strategy_file.h */

struct plb_table {
    plb_table_file file; /* of a strategy: store, game and symmetry, description, coding */
    plb_lookup *lookup;  /* NULL: the table is a strategy */
    plb_table_info info;
    char compression[PLB_COMPRESSION_TEXT], goal[PLB_GOAL_TEXT], id[PLB_TABLE_ID_TEXT];
    struct plb_strategy *strategy; /* the table is one, and has no index; else NULL */
    plb_undertaking undertaking;   /* of the strategy */
};

/* The file of a table that is no strategy, else NULL. It is the table's; none of it changes but by
 * plb_enumeration_begin. */
static inline const plb_table_file *plb_table_find_file(const plb_table *table) {
    return table->strategy ? NULL : &table->file;
}

#endif
