/* SPDX-License-Identifier: MIT
 *
 * Proofs by pairing as JSON objects. Everything that is needed to check one is in it: the open
 * groups of a player as lists of their empty cells, and the parts.
 *
 *     players  [{player, verdict, sentence, open_groups: [["a1", ..], ..], parts}, ..]
 *     verdict  `proven`, `there is none` or `not found`
 *     parts    {name: "pair", cells: ["a1", "b2"]}, or
 *              {name: "Triangle", markers: {a: "a1", ..}, groups: ["ab", "adc", "bec"]}
 *
 * Every function returns a new reference, or NULL when memory does not suffice.
 */
#ifndef PLB_TOOLS_ANSWERS_JSON_PAIRING_H
#define PLB_TOOLS_ANSWERS_JSON_PAIRING_H

#include "tools/answers/json_answers.h"
#include "tools/answers/position_proofs.h"

/* The proofs of a position. */
json_t *json_of_proofs(const proof_request *request, const position_proofs *found);

/* Add the proofs after a move to the list `moves` of such an object. */
void json_add_move_proofs(json_t *object, const proof_request *request, const char *move,
                          const position_proofs *found);

/* A configuration: its words of groups as a list. */
json_t *json_of_words(const char *words);

#endif
