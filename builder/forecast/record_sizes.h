/* SPDX-License-Identifier: MIT
 *
 * Estimates the mean size of the packed records of a ply (scratch/scratch_codec.h), without solving
 * the game.
 *
 * A sample of words of planes, 64 consecutive entries, is packed. As its value each position gets
 * the outcome of a random game from it, in which the players see only what the rules decide
 * (static_value.h). All games of a word prefer the same cells. So the outcomes of neighbours mostly
 * agree, as values do; they differ where the few stones matter by which the positions differ. Must
 * not know: who reads the records.
 */
#pragma once

#include "tables/format/outcome_code.h"
#include "tables/index/index.h"

typedef struct plb_word_sample {
    int planes;
    bool has_values; /* false: the ply is small, or no solved word was found; all else is 0 */
    double file_runs[PLB_PLANES]; /* bytes per entry of each plane as runs (scratch_codec.c) */
    double held_runs[PLB_PLANES]; /* with wins by the next move, which planes in memory have */
    double size_factor;           /* real values are the more regular, the larger the slabs */
    double changes;               /* share of stored values that differ from the one before */
} plb_word_sample;

/* Sample a ply of an index of slabs. Deterministic: integer arithmetic up to the last division.
 * Cost: at most 240 words, of about 50 microseconds each. */
void plb_word_sample_make(const plb_index *index, plb_value_kind values, int ply,
                          plb_word_sample *sample);

/* Mean bytes of a record of values. entries: per plane. has_wins: wins by the next move are
 * included, as in memory; scratch files do not store them. */
double plb_packed_values_bytes(const plb_word_sample *sample, double entries, bool has_wins);

/* Mean bytes of a record of open positions. share: of the entries that are open. */
double plb_packed_reach_bytes(const plb_game *game, double entries, double share);
