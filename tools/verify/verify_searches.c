/* SPDX-License-Identifier: MIT
 *
 * Does forward search, by the second statement of the rules, prove what the table says?
 */
#include <omp.h>
#include <stdlib.h>

#include "tools/verify/position_sample.h"
#include "tools/verify/verify_checks.h"

void verify_open_searches(verifier *v) {
    v->searches = calloc(v->options->threads, sizeof *v->searches);
    int error = v->searches ? PLB_OK : PLB_ENOMEM;
    for (int t = 0; t < v->options->threads && !error; t++)
        error =
            position_search_open(&v->space.game, v->options->search_bytes, &v->searches[t], NULL);
    if (error) verify_fail_memory(v);
}

void verify_close_searches(verifier *v) {
    for (int t = 0; v->searches && t < v->options->threads; t++)
        position_search_close(&v->searches[t]);
    free(v->searches);
    v->searches = NULL;
}

/* Compare what a search proves of a position with the table; false where they differ. */
static bool compare_search(verifier *v, plb_position position,
                           const forward_search_result *result) {
    plb_answer answer;
    plb_message why;
    int error = verify_ask(v, position, &answer, &why);
    if (error) {
        verify_find_no_answer(v, position, error, &why);
        return false;
    }
    plb_outcome stored = verify_outcome(&answer), proved = {result->value, result->dtm};
    if (result->proved ? verify_is_same(stored, proved) : stored.value == proved.value) return true;
    verify_find_outcome(v, VERIFY_SEARCH, position, stored, proved);
    return false;
}

/* Search a position; true if all that the table says of it was proved. */
static bool search_position(verifier *v, plb_position position) {
    forward_search_result result;
    search_request request = {.position = position,
                              .distance = v->coding.values == PLB_DTM,
                              .node_budget = v->options->search_nodes,
                              .stop = v->options->stop};
    position_search_solve(&v->searches[omp_get_thread_num()], &request, &result);
    bool agrees = !result.value_proved || compare_search(v, position, &result);
    return agrees && result.proved;
}

/* Some positions of a ply. */
typedef struct selection {
    plb_position *positions; /* [room] */
    uint64_t count, room;
} selection;

static bool add_position(void *context, plb_position position, uint64_t count) {
    selection *s = context;
    (void)count;
    if (s->count < s->room) s->positions[s->count++] = position;
    return true;
}

/* Bring `first` positions, drawn without repetition, to the front. */
static void shuffle(selection *s, uint64_t first, uint64_t seed) {
    for (uint64_t i = 0; i < first && i < s->count; i++) {
        uint64_t j = i + plb_next_random(&seed) % (s->count - i);
        plb_position swap = s->positions[i];
        s->positions[i] = s->positions[j];
        s->positions[j] = swap;
    }
}

/* Has the ply so few entries that its positions are gathered, rather than drawn? */
static bool is_small(const verifier *v, int ply, uint64_t wanted) {
    enum { PLACES_PER_POSITION = 16 };
    return plb_enumeration_entries(v->walk, ply) / PLACES_PER_POSITION <= wanted;
}

/* The positions to be searched: of a small ply `wanted` distinct ones, or all. */
static bool select_positions(const verifier *v, int ply, uint64_t wanted, selection *s) {
    bool small = is_small(v, ply, wanted);
    s->room = small ? plb_enumeration_entries(v->walk, ply) : wanted;
    s->positions = malloc((s->room + 1) * sizeof *s->positions);
    if (!s->positions) return false;
    for (uint64_t chunk = 0; small && chunk < plb_enumeration_chunks(v->walk, ply); chunk++)
        plb_enumeration_chunk(v->walk, ply, chunk, add_position, s);
    for (uint64_t n = 0; !small && n < wanted; n++)
        s->count += sample_draw(v->walk, ply, v->options->seed, n, &s->positions[s->count]);
    shuffle(s, wanted, v->options->seed + ply);
    s->count = plb_min(s->count, wanted);
    return true;
}

/* Threads take turns, so that which thread searches what does not hang on the clock. */
void verify_by_search(verifier *v, int ply) {
    selection chosen = {0};
    uint64_t proved = 0, unproved = 0;
    if (!select_positions(v, ply, v->options->searches, &chosen)) verify_fail_memory(v);
    verify_begin_ply(v, VERIFY_SEARCHES, ply, chosen.count);
#pragma omp parallel for num_threads(v->options->threads) schedule(static, 1) \
    reduction(+ : proved, unproved)
    for (uint64_t s = 0; s < chosen.count; s++) {
        if (verify_is_stopped(v)) continue;
        bool good = search_position(v, chosen.positions[s]);
        proved += good;
        unproved += !good && !verify_is_stopped(v);
        verify_advance(v, 1);
    }
    free(chosen.positions);
    v->report->ply[ply].proved = proved;
    v->report->ply[ply].unproved = unproved;
    verify_end_ply(v);
}
