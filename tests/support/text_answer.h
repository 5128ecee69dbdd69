/* SPDX-License-Identifier: MIT
 *
 * An answer of the server with a given text, for tests.
 */
#pragma once

#include <string.h>

#include "tools/serve/exchange.h"

static inline void give_text(http_answer *answer, const char *text) {
    http_answer_begin(answer, 200, "text/plain");
    http_answer_set_body(answer, strdup(text), strlen(text));
    answer->caching = CACHE_WITH_ID;
}
