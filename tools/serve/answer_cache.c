/* SPDX-License-Identifier: MIT
 *
 * A ring of entries in the order in which they were added, and a tree of them by key (tsearch(3)).
 */
#include "tools/serve/answer_cache.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

typedef struct cached {
    char *key; /* first; NULL: empty */
    http_answer answer;
} cached;

struct answer_cache {
    void *tree;
    size_t most_bytes, bytes;
    int most, oldest, count; /* entries from `oldest` on are in use, so many */
    cached ring[];           /* [most] */
};

int answer_cache_open(int most, size_t most_bytes, answer_cache **cache) {
    answer_cache *k = calloc(1, sizeof *k + most * sizeof *k->ring);
    if (!k) return PLB_ENOMEM;
    k->most = most;
    k->most_bytes = most_bytes;
    *cache = k;
    return PLB_OK;
}

static int compare_keys(const void *a, const void *b) {
    return strcmp(((const cached *)a)->key, ((const cached *)b)->key);
}

static size_t bytes_of(const cached *e) {
    return strlen(e->key) + 1 + e->answer.size;
}

static void remove_oldest(answer_cache *k) {
    cached *e = &k->ring[k->oldest];
    k->bytes -= bytes_of(e);
    k->oldest = (k->oldest + 1) % k->most;
    k->count--;
    tdelete(e, &k->tree, compare_keys);
    free(e->key);
    http_answer_free(&e->answer);
}

void answer_cache_close(answer_cache *k) {
    if (!k) return;
    while (k->count) remove_oldest(k);
    free(k);
}

void answer_cache_put(answer_cache *k, const char *key, const http_answer *answer) {
    size_t bytes = strlen(key) + 1 + answer->size;
    const cached asked = {.key = (char *)key};
    if (bytes > k->most_bytes || tfind(&asked, &k->tree, compare_keys)) return;
    while (k->count == k->most || k->bytes + bytes > k->most_bytes) remove_oldest(k);
    cached *e = &k->ring[(k->oldest + k->count) % k->most];
    *e = (cached){.key = strdup(key)};
    http_answer_copy(&e->answer, answer);
    bool has_memory = e->key && e->answer.status == answer->status;
    if (!has_memory || !tsearch(e, &k->tree, compare_keys)) {
        free(e->key);
        http_answer_free(&e->answer);
        return;
    }
    k->count++;
    k->bytes += bytes;
}

bool answer_cache_get(const answer_cache *k, const char *key, http_answer *answer) {
    const cached asked = {.key = (char *)key};
    cached *const *found = tfind(&asked, &k->tree, compare_keys);
    if (found) http_answer_copy(answer, &(*found)->answer);
    return found;
}
