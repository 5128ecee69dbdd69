/* SPDX-License-Identifier: MIT
 *
 * The latest answers by their keys: a bounded number, and bytes, the oldest goes first. What is
 * found is what was put in. Not for several threads at a time. Must not know: what keys and answers
 * mean.
 */
#ifndef PLB_TOOLS_SERVE_KEPT_ANSWERS_H
#define PLB_TOOLS_SERVE_KEPT_ANSWERS_H

#include "tools/serve/exchange.h"

typedef struct kept_answers kept_answers;

/* most: answers, at least 1. most_bytes: of them with their keys. Errors: PLB_ENOMEM. */
int kept_answers_open(int most, size_t most_bytes, kept_answers **kept);

/* NULL is allowed. */
void kept_answers_close(kept_answers *kept);

/* Put in a copy; where memory does not suffice, or it is too big, nothing is kept. A key that is
 * there stays as it is. */
void kept_answers_put(kept_answers *kept, const char *key, const http_answer *answer);

/* Copy the answer of a key; false: there is none. */
bool kept_answers_get(const kept_answers *kept, const char *key, http_answer *answer);

#endif
