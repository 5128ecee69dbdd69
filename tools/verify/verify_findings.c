/* SPDX-License-Identifier: MIT
 *
 * Findings of the verifier, whichever thread makes them.
 */
#include "tools/verify/verify_checks.h"

#include "tables/stop.h"
#include "tools/terminal/board.h"

const char *verify_kind_text(verify_kind kind) {
    static const char *const names[] = {"good",     "rules",  "damage",   "counts",
                                        "children", "search", "published"};
    return names[kind];
}

/* ---- what goes wrong, and how far it is ---- */

void verify_stop(verifier *v, int error, const plb_message *message,
                 const verify_finding *finding) {
    pthread_mutex_lock(&v->lock);
    if (!v->error) {
        if (finding) v->report->finding = *finding;
        if (v->message) *v->message = *message;
        v->error = error;
    }
    pthread_mutex_unlock(&v->lock);
}

bool verify_is_stopped(verifier *v) {
    if (!v->error && plb_is_stopped(v->options->stop)) {
        plb_message why;
        plb_fail(&why, PLB_EINTERRUPTED, "interrupted");
        verify_stop(v, PLB_EINTERRUPTED, &why, NULL);
    }
    return v->error;
}

bool verify_take(verifier *v, uint64_t *next, uint64_t end, uint64_t *item) {
    if (verify_is_stopped(v)) return false;
    *item = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED);
    return *item < end;
}

void verify_fail(verifier *v, int ply, int error, const plb_message *message) {
    verify_finding finding = {.kind = VERIFY_DAMAGE, .message = *message, .ply = ply};
    verify_stop(v, error, message, error == PLB_ECORRUPT ? &finding : NULL);
}

void verify_fail_memory(verifier *v) {
    plb_message why;
    plb_fail(&why, PLB_ENOMEM, "out of memory to verify %s", v->path);
    verify_stop(v, PLB_ENOMEM, &why, NULL);
}

void verify_find_counts(verifier *v, int ply, const plb_message *message) {
    verify_finding finding = {.kind = VERIFY_COUNTS, .message = *message, .ply = ply};
    verify_stop(v, PLB_ECORRUPT, message, &finding);
}

void verify_find_outcome(verifier *v, verify_kind kind, plb_position position, plb_outcome stored,
                         plb_outcome expected) {
    static const char *const reasons[] = {[VERIFY_CHILDREN] = "follows from its children",
                                          [VERIFY_SEARCH] = "is what forward search proves",
                                          [VERIFY_PUBLISHED] = "is the published outcome"};
    char stated[32], right[32];
    verify_finding f = {.kind = kind,
                        .ply = plb_rules_ply(v->game, position),
                        .stored = stored,
                        .expected = expected};
    plb_rules_format_board(v->game, position, f.position);
    plb_fail(&f.message, PLB_ECORRUPT, "position %s: the table says %s, but %s %s", f.position,
             format_outcome(stored.value, stored.dtm, stated),
             format_outcome(expected.value, expected.dtm, right), reasons[kind]);
    verify_stop(v, PLB_ECORRUPT, &f.message, &f);
}

void verify_find_no_answer(verifier *v, plb_position position, int error,
                           const plb_message *message) {
    verify_finding f = {.kind = VERIFY_DAMAGE, .ply = plb_rules_ply(v->game, position)};
    plb_rules_format_board(v->game, position, f.position);
    plb_fail(&f.message, PLB_ECORRUPT, "position %s: %.120s", f.position, message->text);
    verify_stop(v, error == PLB_ENOMEM ? error : PLB_ECORRUPT, &f.message,
                error == PLB_ENOMEM ? NULL : &f);
}

void verify_begin_ply(verifier *v, verify_phase phase, int ply, uint64_t total) {
    v->progress = (verify_progress){.phase = phase, .ply = ply, .total = total};
}

void verify_advance(verifier *v, uint64_t done) {
    pthread_mutex_lock(&v->lock);
    v->progress.done += done;
    if (v->options->report) v->options->report(v->options->context, &v->progress);
    pthread_mutex_unlock(&v->lock);
}

void verify_end_ply(verifier *v) {
    if (v->error) return;
    v->progress.ply_done = true;
    verify_advance(v, 0);
    v->progress.ply_done = false; /* reported once */
}
