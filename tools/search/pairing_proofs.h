/* SPDX-License-Identifier: MIT
 *
 * Pairing proofs: questions (tools/search/search_rules.h) that are decided because pairs of cells
 * (tables/proofs/pairing.h) prevent a player from completing a group, or in misere play let him
 * avoid it. Pairs often decide where the weights of open groups (tools/search/open_groups.h) are
 * too large.
 *
 * A proof costs as much as the search of some positions, and may fail. So the search measures what
 * attempts cost and save, and stops trying where they cost more.
 *
 * Knows stones and groups. Must not know: other data of a search.
 */
#ifndef PLB_TOOLS_SEARCH_PAIRING_PROOFS_H
#define PLB_TOOLS_SEARCH_PAIRING_PROOFS_H

#include "tables/proofs/pairing.h"
#include "tools/search/search_rules.h"

/* Of the questions with one bound at one ply. The unit of cost is the search of one node. */
typedef struct pairing_account {
    uint64_t attempts, proofs, cost; /* of all attempts, with those in vain */
    uint64_t searches, work;         /* of positions without a proof, with all below them */
} pairing_account;

/* Its members are for this module alone, but `spent`. A pairing_proofs is used by one thread at a
 * time. With its rules set and all else zeroed it has no accounts yet. */
typedef struct pairing_proofs {
    const search_rules *rules;                                 /* are kept, not copied */
    uint64_t sets[SEARCH_MAX_GROUPS], rest[SEARCH_MAX_GROUPS]; /* room */
    plb_pairing latest[2][PLB_MAX_CELLS]; /* [player kept from his groups][ply] last one found */
    pairing_account account[2][PLB_MAX_CELLS]; /* [bound][ply] */
    uint64_t questions, explored; /* explored: cost of attempts to see whether they pay */
    uint64_t spent;               /* cost of all attempts, in nodes */
} pairing_proofs;

/* Is it proven whether the score of a position is at least the bound? Then *reached gets the
 * answer. The position is not over, and the mover has a choice; stones[0] are those of x, stones[1]
 * those of o. Limited questions are not answered, nor those of games with gravity.
 *
 * The answer is right whatever was asked before; whether there is one depends on that, and on
 * nothing else. */
bool pairing_proofs_answer(pairing_proofs *proofs, const uint64_t stones[2], int ply, int bound,
                           bool *reached);

/* A question that was not answered took this much work, in nodes and in costs of attempts. */
void pairing_proofs_learn(pairing_proofs *proofs, int ply, int bound, uint64_t work);

#endif
