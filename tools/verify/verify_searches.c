/* SPDX-License-Identifier: MIT
 *
 * Does forward search, with its independent rules, prove what the table says?
 */
#include <stdlib.h>

#include "tools/verify/verify_checks.h"

void verify_open_searches(verifier *v) {
    v->searches = calloc(v->threads.count, sizeof *v->searches);
    int error = v->searches ? PLB_OK : PLB_ENOMEM;
    for (int t = 0; t < v->threads.count && !error; t++)
        error = position_search_open(v->game, v->options->search_bytes, 1, &v->searches[t], NULL);
    if (error) verify_fail_memory(v);
}

void verify_close_searches(verifier *v) {
    for (int t = 0; v->searches && t < v->threads.count; t++)
        position_search_close(&v->searches[t]);
    free(v->searches);
    v->searches = NULL;
}

/* Does the table say what the search has proved? */
static bool compare_search(verifier *v, plb_position position,
                           const forward_search_result *result) {
    plb_outcome stored, proved = {result->value, result->dtm};
    if (!verify_probe(v, position, &stored)) return false;
    if (result->proved ? verify_is_same(stored, proved) : stored.value == proved.value) return true;
    verify_report_outcome(v, VERIFY_SEARCH, position, stored, proved);
    return false;
}

/* ---- which positions ---- */

enum {
    DRAWS = 1000, /* random entries that are tried first */
    GAMES = 1000, /* random games that are tried then */
};

/* Play a random game up to a ply; only its last move may end it. False: there was no such move. */
static bool play_game(const plb_game *game, int ply, uint64_t *random, plb_position *position) {
    plb_position p = {0, 0};
    for (int n = 0; n < ply; n++) {
        int moves[PLB_MAX_MOVES], all = plb_rules_moves(game, p, moves), count = 0;
        for (int m = 0; m < all; m++)
            if (n + 1 == ply || !plb_rules_is_over(game, plb_rules_play(game, p, moves[m])))
                moves[count++] = moves[m];
        if (!count) return false;
        p = plb_rules_play(game, p, moves[plb_next_random(random) % count]);
    }
    *position = p;
    return true;
}

bool sample_draw(const plb_enumeration *enumeration, int ply, uint64_t seed, uint64_t number,
                 plb_position *position) {
    /* Mix, so that two seeds do not give the same positions in another order. */
    uint64_t random = plb_next_random(&seed) ^ (uint64_t)ply << 56 ^ number;
    random = plb_next_random(&random); /* neighbouring numbers get distant states */
    uint64_t count;
    if (!plb_enumeration_entries(enumeration, ply)) return false;
    for (int t = 0; t < DRAWS; t++)
        if (plb_enumeration_draw(enumeration, ply, &random, position, &count)) return true;
    for (int t = 0; t < GAMES; t++)
        if (play_game(plb_enumeration_game(enumeration), ply, &random, position)) return true;
    return false;
}

typedef struct selection {
    plb_position *positions; /* [capacity] */
    uint64_t count, capacity;
} selection;

static bool add_position(void *context, plb_position position, uint64_t count) {
    selection *s = context;
    (void)count;
    if (s->count < s->capacity) s->positions[s->count++] = position;
    return true;
}

/* Select `wanted` positions of a ply: distinct ones, or all, if the ply is small; otherwise random
 * ones. False: out of memory. */
static bool select_positions(const verifier *v, int ply, uint64_t wanted, selection *s) {
    enum { SMALL = 16 }; /* with at most so many entries per position wanted, list all positions */
    bool small = plb_enumeration_entries(v->file->positions, ply) / SMALL <= wanted;
    s->capacity = small ? plb_enumeration_entries(v->file->positions, ply) : wanted;
    s->positions = malloc((s->capacity + 1) * sizeof *s->positions);
    if (!s->positions) return false;
    for (uint64_t chunk = 0; small && chunk < plb_enumeration_chunks(v->file->positions, ply);
         chunk++)
        plb_enumeration_chunk(v->file->positions, ply, chunk, add_position, s);
    for (uint64_t n = 0; !small && n < wanted; n++)
        s->count +=
            sample_draw(v->file->positions, ply, v->options->seed, n, &s->positions[s->count]);
    /* Shuffle the first `wanted` (Fisher-Yates). */
    uint64_t seed = v->options->seed + ply;
    for (uint64_t i = 0; i < wanted && i < s->count; i++) {
        uint64_t j = i + plb_next_random(&seed) % (s->count - i);
        plb_position swap = s->positions[i];
        s->positions[i] = s->positions[j];
        s->positions[j] = swap;
    }
    s->count = plb_min(s->count, wanted);
    return true;
}

/* ---- the searches of a ply ---- */

typedef struct ply_searches {
    verifier *v;
    selection chosen;
    _Atomic uint64_t proved, unproved;
} ply_searches;

/* Threads take positions round robin, so that the searches of a thread do not depend on time. */
static void search_positions(void *context, int thread) {
    ply_searches *p = context;
    for (uint64_t s = thread; s < p->chosen.count && !verify_is_stopped(p->v);
         s += p->v->threads.count) {
        forward_search_result result;
        search_request request = {.position = p->chosen.positions[s],
                                  .distance = p->v->file->coding.values == PLB_DTM,
                                  .node_budget = p->v->options->search_nodes,
                                  .stop = p->v->options->stop};
        position_search_solve(&p->v->searches[thread], &request, &result);
        bool agrees = !result.value_proved || compare_search(p->v, p->chosen.positions[s], &result);
        bool good = agrees && result.proved;
        p->proved += good;
        p->unproved += !good && !verify_is_stopped(p->v);
        verify_advance(p->v, 1);
    }
}

void verify_by_search(verifier *v, int ply) {
    ply_searches p = {.v = v};
    if (!select_positions(v, ply, v->options->searches, &p.chosen)) verify_fail_memory(v);
    verify_begin_ply(v, VERIFY_SEARCHES, ply, p.chosen.count);
    plb_threads_run(&v->threads, search_positions, &p);
    free(p.chosen.positions);
    v->report->ply[ply].proved = p.proved;
    v->report->ply[ply].unproved = p.unproved;
    verify_end_ply(v);
}
