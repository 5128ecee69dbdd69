/* SPDX-License-Identifier: MIT
 *
 * A cache of answers by their keys, of bounded number and bytes: the oldest answer is removed
 * first. Threads: one at a time. Must not know: what keys and answers mean.
 */
#ifndef PLB_TOOLS_SERVE_ANSWER_CACHE_H
#define PLB_TOOLS_SERVE_ANSWER_CACHE_H

#include "tools/serve/exchange.h"

typedef struct answer_cache answer_cache;

/* most: answers, at least 1. most_bytes: of them with their keys. Errors: PLB_ENOMEM. */
int answer_cache_open(int most, size_t most_bytes, answer_cache **cache);

/* NULL is allowed. */
void answer_cache_close(answer_cache *cache);

/* Add a copy, unless memory does not suffice or it is too big. An entry of the same key is not
 * changed. */
void answer_cache_put(answer_cache *cache, const char *key, const http_answer *answer);

/* Copy the answer of a key. False: there is none. */
bool answer_cache_get(const answer_cache *cache, const char *key, http_answer *answer);

#endif
