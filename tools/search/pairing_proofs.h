/* SPDX-License-Identifier: MIT
 *
 * Pairing proofs: decides questions (tools/search/search_rules.h) by pairs of cells
 * (tables/proofs/pairing.h) that prevent a player from completing a group, or in misere play let
 * him avoid it. Pairs often decide what the weights of tools/search/open_groups.h do not.
 *
 * An attempt costs as much as the search of several positions, and may fail. So the search measures
 * for each ply what attempts cost and save, and makes none where they cost more.
 *
 * It looks only at stones and groups. Must not know: other data of a search.
 */
#pragma once

#include "tables/proofs/pairing.h"
#include "tools/search/search_rules.h"

/* Statistics of the questions with one bound at one ply. Costs and work are in nodes. */
typedef struct pairing_account {
    uint64_t attempts, proofs, cost; /* cost: of all attempts */
    uint64_t searches, work; /* of positions without a proof; work: of their whole subtrees */
} pairing_account;

/* The fields are private to this module, except `spent`. One thread uses it at a time. Initialize
 * it with the rules, and zeros. */
typedef struct pairing_proofs {
    const search_rules *rules;                                 /* must outlive it */
    uint64_t sets[SEARCH_MAX_GROUPS], rest[SEARCH_MAX_GROUPS]; /* buffers */
    plb_pairing latest[2][PLB_MAX_CELLS]; /* [player who is kept from groups][ply] last one found */
    pairing_account account[2][PLB_MAX_CELLS]; /* [bound][ply] */
    uint64_t questions, explored;              /* explored: cost of attempts made only to measure */
    uint64_t spent;                            /* cost of all attempts, in nodes */
} pairing_proofs;

/* Is it proved whether the score of a position is at least the bound? If so, *reached gets the
 * answer. The game is not over, and the mover has several moves; stones[0] are those of x,
 * stones[1] those of o. Questions with a horizon and games with gravity are never answered.
 *
 * Whether there is an answer depends on earlier calls; the answer does not. */
bool pairing_proofs_answer(pairing_proofs *proofs, const uint64_t stones[2], int ply, int bound,
                           bool *reached);

/* Record the work of a search that no proof has spared: nodes, and costs of attempts. */
void pairing_proofs_learn(pairing_proofs *proofs, int ply, int bound, uint64_t work);
