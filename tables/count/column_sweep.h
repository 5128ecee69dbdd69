/* SPDX-License-Identifier: MIT
 *
 * Reading the columns of a board from left to right, to count in how many ways they can be filled:
 * after each column there is a layer, the frontiers (frontier.h) that the columns so far may leave,
 * with their ways (frontier_weights.h) by states of the count (sweep_states.h).
 *
 * A column is read from its height downwards, stone by stone. What was to the left of a place that
 * is filled, or left empty, matters to the frontier no more, so that many become the same, whose
 * ways are added up before anything else is done with them. Only when the word is whole do the
 * states change; how is up to the visitor.
 *
 * Frontiers that differ only by an exchange of colours are one, and positions that do are read
 * once: ways hold both, by states that know which is which (sweep_states.h).
 *
 * Columns that begin with the same stones from above are a subtree; a thread that is free takes one
 * over, and all that was found is put together when the column is done.
 *
 * Groups that cross three columns in the middle of a board make for the largest layers, so where
 * memory does not suffice the words of one column there are counted slice by slice
 * (column_slice.h), each with that with colours exchanged: layers behind them differ, and little is
 * done twice. It is the middle column, or an earlier one: where memory does not suffice for the
 * layer in front of it and one word, or where parts of that column are kept. If a single word is
 * too much, the column behind it is sliced, too. Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_COLUMN_SWEEP_H
#define PLB_TABLES_COUNT_COLUMN_SWEEP_H

#include "tables/count/column_slice.h"
#include "tables/count/frontier_table.h"
#include "tables/count/frontier_weights.h"
#include "tables/count/position_count.h"
#include "tables/count/sweep_states.h"

/* How a whole column is read: no new mark, the first, or a further one. */
typedef enum plb_way { PLB_WAY_PLAIN, PLB_WAY_BEGIN, PLB_WAY_MARK } plb_way;

/* The ways of a frontier through a word to another one. */
typedef struct plb_passage {
    const plb_ways *ways;
    uint32_t from; /* the owner of these ways */
    int word;
    plb_way way;
    int times;     /* they count so often */
    bool last;     /* no further marks may come */
    bool exchange; /* they leave it with colours exchanged; set by plb_reader_pass */
    int settle; /* so many times also into settled states, from unsettled ones alone; 0: ways keep
                   what they are */
} plb_passage;

typedef struct plb_column_reader plb_column_reader;

/* A frontier after a whole word: the visitor decides which passages (plb_reader_pass) it means.
 * Threads: several visit at once, each with a reader of its own. */
typedef struct plb_word_visitor {
    int (*visit)(const void *context, plb_column_reader *reader, const plb_passage *passage,
                 const plb_frontier *frontier);
    const void *context;
} plb_word_visitor;

typedef struct plb_column_reading {
    plb_frontier_board board; /* its columns are owned by the reading */
    const plb_column_automaton *automaton;
    plb_count_states states;
    /* [width] how often a position counts whose only mark is in the column; it needs no group */
    uint8_t single_marks[PLB_MOST_COLUMNS];
    bool settled;   /* count settled states, else the others */
    bool exchanges; /* both colours may lie in the same places, so that frontiers that differ only
                       by an exchange of colours are one; else they are kept apart */
    const plb_word_visitor *visitor;
    int sliced_column;      /* the middle one, or before it; or the one behind that */
    int column;             /* that is being read .. */
    plb_column_slice slice; /* .. and which words of it, or these with colours exchanged */
    double part_share; /* slices that hold such a share of all words, or more, take longer than a
                          part may */
    double done, slice_share; /* of all words: counted, and of the slice that is being counted */
    double read;              /* share of the column */
    plb_column_reader *readers;
    int threads;                /* how many readers work: those of the work, or fewer */
    pthread_mutex_t lock;       /* guards which readers are busy, and `read` */
    pthread_cond_t one_is_free; /* of the readers */
    int error;                  /* of any of them, or PLB_OK */
    const plb_count_work *work;
} plb_column_reading;

/* Frontiers after a part of a column. */
typedef struct plb_frontier_layer {
    plb_frontier_list frontiers;
    plb_ways ways; /* the owners are the frontiers */
} plb_frontier_layer;

/* What one thread has found in a column. */
enum { PLB_SPARE_LAYERS = 8 };
struct plb_column_reader {
    plb_column_reading *reading;
    plb_frontier_list frontiers; /* after the column */
    plb_ways parts;              /* of each word: in how many ways it leaves .. */
    int64_t *parts_to;           /* .. which of these frontiers */
    uint32_t parts_room;
    plb_way_sums sums;
    plb_frontier_layer spare[PLB_SPARE_LAYERS]; /* empty, but their memory serves again: fresh
                                                   memory takes a sixth of the time */
    int spares;
    bool is_busy;
};

/* Errors of all: PLB_ENOMEM, PLB_EINTERRUPTED, those of the keeper. */

/* Begin to read boards with groups of k in several columns, k 1: none. limbs: words of a number.
 * automaton and work must outlive the reading. In any case to be ended. */
int plb_reading_begin(const plb_column_automaton *automaton, int k, int limbs,
                      const plb_count_work *work, plb_column_reading *reading);
void plb_reading_end(plb_column_reading *reading);

/* Read all columns, as board.columns says, and add what was found, so many times, to the counts of
 * each ply: those that have an order, and those that have one with colours exchanged. */
int plb_reading_count(plb_column_reading *reading, const plb_word_visitor *visitor, int times,
                      plb_ply_count *plies);

/* For visitors: the frontier is left in as many ways. */
int plb_reader_pass(plb_column_reader *reader, const plb_passage *passage, const plb_frontier *to);

#endif
