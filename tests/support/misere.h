/* SPDX-License-Identifier: MIT
 *
 * Published facts about misere Connect-k, as rules.
 * Source: R. Steele and D. B. Larremore, Misere Connect Four is Solved.
 */
#pragma once

#include "probe/plybase.h"

/* Value of the empty board: Table I. */
static inline plb_value misere_value(int w, int h, int k) {
    if (w < k) return PLB_DRAW;
    if (k == 2) {
        if (h == 1) return w == 1 || w == 2 || w == 4 || w == 6 ? PLB_DRAW : PLB_LOSS;
        return w == 1 ? PLB_DRAW : PLB_LOSS;
    }
    if (h == 1) return PLB_DRAW;
    return h % 2 && w % 2 ? PLB_WIN : PLB_LOSS;
}

/* Corollary 1: if the height is even and the width at least k, the first player loses within this
 * number of plies: on 7x6 with k = 4 within 37, as the paper says. */
static inline int misere_longest_loss(int w, int h, int k) {
    return 1 + (w - w / k) * h;
}

/* Does the empty board of a table with distances agree with Corollary 1? True also for boards and
 * games that the corollary does not cover. */
static inline bool misere_loss_is_in_time(const plb_table *table) {
    const plb_table_info *info = plb_info(table);
    plb_answer answer;
    bool covered = info->gravity && info->misere && !info->cylinder && info->height % 2 == 0 &&
                   info->width >= info->k && info->k > 1;
    if (!covered) return true;
    return plb_probe(table, 0, 0, &answer, NULL) == PLB_OK && answer.value == PLB_LOSS &&
           answer.dtm <= misere_longest_loss(info->width, info->height, info->k);
}
