/* SPDX-License-Identifier: MIT
 *
 * A ring of entries in the order in which they were added, and a hash table with chains.
 */
#include "tools/serve/answer_cache.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    char *key; /* NULL: empty */
    http_answer answer;
    int next; /* of the chain; NONE: the last */
} entry;

enum { NONE = -1 };

struct answer_cache {
    entry *ring;             /* [most], of which those from `oldest` on are in use, */
    int *chains;             /* [most] the first entry of each, or NONE */
    int most, oldest, count; /* so many */
    size_t most_bytes, bytes;
};

/* FNV-1a, by Fowler, Noll and Vo. */
static int chain_of(const answer_cache *k, const char *key) {
    uint64_t hash = 0xcbf29ce484222325;
    for (; *key; key++) hash = (hash ^ (unsigned char)*key) * 0x100000001b3;
    return (int)(hash % (uint64_t)k->most);
}

int answer_cache_open(int most, size_t most_bytes, answer_cache **cache) {
    answer_cache *k = calloc(1, sizeof *k);
    if (k) {
        k->most = most;
        k->most_bytes = most_bytes;
        k->ring = calloc(most, sizeof *k->ring);
        k->chains = malloc(most * sizeof *k->chains);
    }
    if (!k || !k->ring || !k->chains) {
        answer_cache_close(k);
        return PLB_ENOMEM;
    }
    for (int c = 0; c < most; c++) k->chains[c] = NONE;
    *cache = k;
    return PLB_OK;
}

static void free_entry(entry *e) {
    free(e->key);
    e->key = NULL;
    http_answer_free(&e->answer);
}

void answer_cache_close(answer_cache *k) {
    if (!k) return;
    for (int e = 0; k->ring && e < k->most; e++) free_entry(&k->ring[e]);
    free(k->ring);
    free(k->chains);
    free(k);
}

static const entry *find(const answer_cache *k, const char *key) {
    for (int e = k->chains[chain_of(k, key)]; e != NONE; e = k->ring[e].next)
        if (strcmp(k->ring[e].key, key) == 0) return &k->ring[e];
    return NULL;
}

static size_t bytes_of(const char *key, const http_answer *answer) {
    return strlen(key) + 1 + answer->size;
}

void answer_cache_put(answer_cache *k, const char *key, const http_answer *answer) {
    size_t bytes = bytes_of(key, answer);
    char *copy = bytes > k->most_bytes || find(k, key) ? NULL : strdup(key);
    if (!copy) return;
    while (k->count == k->most || k->bytes + bytes > k->most_bytes) {
        entry *oldest = &k->ring[k->oldest];
        int *place = &k->chains[chain_of(k, oldest->key)];
        while (*place != k->oldest) place = &k->ring[*place].next;
        *place = oldest->next;
        k->bytes -= bytes_of(oldest->key, &oldest->answer);
        free_entry(oldest);
        k->oldest = (k->oldest + 1) % k->most;
        k->count--;
    }
    int number = (k->oldest + k->count) % k->most, chain = chain_of(k, copy);
    entry *e = &k->ring[number];
    http_answer_copy(&e->answer, answer);
    if (e->answer.status != answer->status) { /* memory did not suffice */
        http_answer_free(&e->answer);
        free(copy);
        return;
    }
    e->key = copy;
    e->next = k->chains[chain];
    k->chains[chain] = number;
    k->count++;
    k->bytes += bytes;
}

bool answer_cache_get(const answer_cache *k, const char *key, http_answer *answer) {
    const entry *found = find(k, key);
    if (!found) return false;
    http_answer_copy(answer, &found->answer);
    return true;
}
