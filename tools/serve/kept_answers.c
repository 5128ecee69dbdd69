/* SPDX-License-Identifier: MIT
 *
 * A ring of entries in the order in which they came, and a table of chains that leads to them.
 */
#include "tools/serve/kept_answers.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    char *key; /* NULL: empty */
    http_answer answer;
    int next; /* of the chain; NONE: the last */
} entry;

enum { NONE = -1 };

struct kept_answers {
    entry *ring; /* [most] */
    int *chains; /* [most] the first entry of each, or NONE */
    int most, oldest;
};

/* FNV-1a, by Fowler, Noll and Vo. */
static int chain_of(const kept_answers *k, const char *key) {
    uint64_t hash = 0xcbf29ce484222325;
    for (; *key; key++) hash = (hash ^ (unsigned char)*key) * 0x100000001b3;
    return (int)(hash % (uint64_t)k->most);
}

int kept_answers_open(int most, kept_answers **kept) {
    kept_answers *k = calloc(1, sizeof *k);
    if (k) {
        k->most = most;
        k->ring = calloc(most, sizeof *k->ring);
        k->chains = malloc(most * sizeof *k->chains);
    }
    if (!k || !k->ring || !k->chains) {
        kept_answers_close(k);
        return PLB_ENOMEM;
    }
    for (int c = 0; c < most; c++) k->chains[c] = NONE;
    *kept = k;
    return PLB_OK;
}

static void free_entry(entry *e) {
    free(e->key);
    e->key = NULL;
    http_answer_free(&e->answer);
}

void kept_answers_close(kept_answers *k) {
    if (!k) return;
    for (int e = 0; k->ring && e < k->most; e++) free_entry(&k->ring[e]);
    free(k->ring);
    free(k->chains);
    free(k);
}

static const entry *find(const kept_answers *k, const char *key) {
    for (int e = k->chains[chain_of(k, key)]; e != NONE; e = k->ring[e].next)
        if (strcmp(k->ring[e].key, key) == 0) return &k->ring[e];
    return NULL;
}

/* Make room: the oldest entry leaves its chain. */
static int take_oldest(kept_answers *k) {
    int number = k->oldest;
    entry *oldest = &k->ring[number];
    k->oldest = (number + 1) % k->most;
    if (!oldest->key) return number;
    int *place = &k->chains[chain_of(k, oldest->key)];
    while (*place != number) place = &k->ring[*place].next;
    *place = oldest->next;
    free_entry(oldest);
    return number;
}

void kept_answers_put(kept_answers *k, const char *key, const http_answer *answer) {
    char *copy = find(k, key) ? NULL : strdup(key);
    if (!copy) return;
    int number = take_oldest(k), chain = chain_of(k, copy);
    entry *e = &k->ring[number];
    http_answer_copy(&e->answer, answer);
    if (e->answer.status != answer->status) { /* there was no memory for it */
        free(copy);
        return;
    }
    e->key = copy;
    e->next = k->chains[chain];
    k->chains[chain] = number;
}

bool kept_answers_get(const kept_answers *k, const char *key, http_answer *answer) {
    const entry *found = find(k, key);
    if (!found) return false;
    http_answer_copy(answer, &found->answer);
    return true;
}
