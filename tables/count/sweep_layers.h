/* SPDX-License-Identifier: MIT
 *
 * From one layer of a reading (column_sweep.h) to the next: a column more. Errors of all:
 * PLB_ENOMEM, PLB_EINTERRUPTED. Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_SWEEP_LAYERS_H
#define PLB_TABLES_COUNT_SWEEP_LAYERS_H

#include "tables/count/column_sweep.h"

void plb_frontier_layer_free(plb_frontier_layer *layer);

/* All words of a column. */
plb_column_slice plb_layers_all_words(const plb_column_reading *reading, int column);

/* Layers are to be freed, also after an error. Nothing was read, in one way: */
int plb_layers_begin(plb_column_reading *reading, plb_frontier_layer *layer);

/* Replace a layer by that after all words of a column. */
int plb_layers_read_column(plb_column_reading *reading, int column, plb_frontier_layer *layer);

/* Make the layer after a slice. */
int plb_layers_read_slice(plb_column_reading *reading, const plb_frontier_layer *from,
                          const plb_column_slice *slice, plb_frontier_layer *to);

/* Forget what a thread, or all of them, were at when memory ended; they can begin again. */
void plb_layers_clear_reader(plb_column_reader *reader);
void plb_layers_clear_readers(plb_column_reading *reading);

#endif
