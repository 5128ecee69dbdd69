/* SPDX-License-Identifier: MIT
 *
 * The verifier: its errors and the order of its checks. It reads the table twice: by probes of the
 * public library, and as a file, of which it reads every block.
 */
#include "tools/verify/verifier.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tables/stop.h"
#include "tools/search/search_rules.h"
#include "tools/verify/published.h"
#include "tools/verify/verify_checks.h"

const char *verify_kind_text(verify_kind kind) {
    static const char *const names[] = {"good",     "rules",  "damage",    "counts",
                                        "children", "search", "published", "rewritten"};
    return names[kind];
}

/* ---- errors and progress ---- */

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
    plb_fail(&why, PLB_ENOMEM, "out of memory to verify %s", plb_store_path(v->file->store));
    verify_stop(v, PLB_ENOMEM, &why, NULL);
}

void verify_report_counts(verifier *v, int ply, const char *format, ...) {
    verify_finding finding = {.kind = VERIFY_COUNTS, .ply = ply};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding.message.text, sizeof finding.message.text, format, arguments);
    va_end(arguments);
    verify_stop(v, PLB_ECORRUPT, &finding.message, &finding);
}

void verify_report_outcome(verifier *v, verify_kind kind, plb_position position, plb_outcome stored,
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
             plb_format_outcome(stored.value, stored.dtm, stated),
             plb_format_outcome(expected.value, expected.dtm, right), reasons[kind]);
    verify_stop(v, PLB_ECORRUPT, &f.message, &f);
}

void verify_report_no_answer(verifier *v, plb_position position, int error,
                             const plb_message *message) {
    verify_finding f = {.kind = VERIFY_DAMAGE, .ply = plb_rules_ply(v->game, position)};
    plb_rules_format_board(v->game, position, f.position);
    plb_fail(&f.message, PLB_ECORRUPT, "position %s: %.120s", f.position, message->text);
    bool is_damage = error != PLB_ENOMEM && error != PLB_EIO;
    verify_stop(v, is_damage ? PLB_ECORRUPT : error, &f.message, is_damage ? &f : NULL);
}

bool verify_probe(verifier *v, plb_position position, plb_outcome *outcome) {
    plb_answer answer;
    plb_message why;
    uint64_t x, o;
    plb_rules_to_words(v->game, position, &x, &o);
    int error = plb_probe(v->table, x, o, &answer, &why);
    if (error)
        verify_report_no_answer(v, position, error, &why);
    else
        *outcome = (plb_outcome){answer.value, answer.dtm};
    return !error;
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

/* ---- published outcomes ---- */

static void check_empty_board(verifier *v) {
    const plb_position empty = {0, 0};
    plb_outcome stored, expected = {PLB_DRAW, PLB_NO_DTM}; /* no distance is published */
    const char *source = published_value(v->game, &expected.value);
    if (!verify_probe(v, empty, &stored)) return;
    if (source && stored.value != expected.value)
        verify_report_outcome(v, VERIFY_PUBLISHED, empty, stored, expected);
    if (v->error) return;
    v->report->empty_board = stored;
    v->report->published_value = source;
}

static void check_total(verifier *v) {
    const char *source;
    uint64_t expected = published_total(v->game, &source);
    uint64_t stored = plb_info(v->table)->positions;
    if (!expected || v->error) return;
    verify_finding f = {.kind = VERIFY_PUBLISHED, .ply = -1};
    plb_fail(&f.message, PLB_ECORRUPT,
             "the statistics have %llu positions; published are %llu (%s)",
             (unsigned long long)stored, (unsigned long long)expected, source);
    if (stored != expected) verify_stop(v, PLB_ECORRUPT, &f.message, &f);
    v->report->published_total = source;
}

/* ---- the whole ---- */

static void check_plies(verifier *v, void (*check)(verifier *v, int ply)) {
    for (int ply = v->game->cells; ply >= 0 && !verify_is_stopped(v); ply--) check(v, ply);
}

/* Does a reader of the table use this record? Its name is one of the format. */
static bool is_read(const verifier *v, const char *name) {
    const plb_index *index = &v->file->space.index;
    int ply;
    unsigned long long slab;
    if (strcmp(name, PLB_RECORD_DISTANCES) == 0) return v->file->distances;
    if (strcmp(name, PLB_RECORD_COLUMNS) == 0) return v->file->space.columns;
    if (sscanf(name, "model-%d", &ply) == 1)
        return index->kind == PLB_SLABS && ply <= v->game->cells;
    if (sscanf(name, "keys-%d-%llu", &ply, &slab) == 2)
        return index->kind == PLB_KEYS && ply <= v->game->cells && slab < index->plies[ply].slabs;
    return true;
}

/* The file contains nothing that no reader uses, because no check would read it. A file that
 * another program has rewritten is checked all the same. */
static void check_extra(verifier *v) {
    plb_message why;
    const char *name;
    bool is_rewritten = false;
    int error = plb_meta_find_extra(v->file->store, &is_rewritten, &why);
    if (is_rewritten) {
        v->rewritten = why;
        error = PLB_OK;
    }
    for (size_t n = 0; !error && (name = plb_store_record_name(v->file->store, n)); n++)
        if (!is_read(v, name))
            error = plb_fail(&why, PLB_ECORRUPT, "the record %s is not one of this game", name);
    if (error) verify_fail(v, -1, error, &why);
}

static void check_table(verifier *v) {
    verify_finding f = {.kind = VERIFY_RULES, .ply = -1};
    search_rules rules;
    int error = search_rules_make(v->game, &rules, &f.message);
    if (error) verify_stop(v, error, &f.message, error == PLB_ECORRUPT ? &f : NULL);
    check_extra(v);
    check_plies(v, verify_blocks);
    if (!v->error) verify_contents(v);
    verify_begin_plies(v);
    verify_counts(v);
    verify_columns(v);
    verify_exact_counts(v);
    verify_choose_plies(v);
    check_plies(v, verify_values);
    verify_open_searches(v);
    check_plies(v, verify_by_search);
    if (!verify_is_stopped(v)) check_empty_board(v);
    if (!verify_is_stopped(v)) check_total(v);
    if (!v->error) verify_set_chances(v);
    if (*v->rewritten.text && !verify_is_stopped(v)) {
        f.kind = VERIFY_REWRITTEN;
        plb_fail(&f.message, PLB_ECORRUPT, "%s; what it stores was checked, and is right",
                 v->rewritten.text);
        verify_stop(v, PLB_ECORRUPT, &f.message, &f);
    }
}

int verify_table(const plb_table *table, const verify_options *options, verify_report *report,
                 plb_message *message) {
    verifier v = {.options = options,
                  .report = report,
                  .message = message,
                  .table = table,
                  .file = plb_table_find_file(table),
                  .lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER};
    v.game = &v.file->space.game;
    memset(report, 0, sizeof *report);
    int error = plb_threads_open(options->threads, &v.threads);
    if (error) return plb_fail(message, error, "out of memory for %d threads", options->threads);
    plb_game_format(v.game, report->spec);
    report->values = v.file->coding.values;
    report->plies = v.game->cells + 1;
    check_table(&v);
    verify_close_searches(&v);
    plb_threads_close(&v.threads);
    return v.error;
}
