/* SPDX-License-Identifier: MIT */
#include "tools/answers/json_reports.h"

#include <stdio.h>

#include "tools/answers/json_positions.h"

/* ---- parts ---- */

/* A number, or null where it is not known. */
static void put_known(json_writer *to, const char *key, bool known, int64_t number) {
    if (known)
        put_number(to, key, number);
    else
        put_null(to, key);
}

/* ---- searches ---- */

void print_json_search(const searched_position *s) {
    const forward_search_result *r = s->result;
    json_writer w = begin_json_object();
    if (s->spec) put_word(&w, "spec", s->spec);
    put_word(&w, "position", s->board);
    put_player(&w, "to_move", s->to_move);
    put_flag(&w, "proved", r->proved);
    put_text(&w, "value", r->value_proved ? plb_value_text(r->value) : NULL);
    put_number(&w, "nodes", (int64_t)r->nodes);
    put_real(&w, "seconds", s->seconds);
    put_real(&w, "nodes_per_second", s->seconds > 0 ? (double)r->nodes / s->seconds : 0);
    if (s->has_distance) put_dtm(&w, "dtm_plies", r->dtm);
    print_json_object(&w);
}

void print_json_question(const answered_question *q) {
    json_writer w = begin_json_object();
    put_word(&w, "position", q->board);
    put_player(&w, "to_move", q->to_move);
    put_word(&w, "question", q->question);
    put_known(&w, "by_ply", q->by, q->by);
    if (q->result->answered)
        put_flag(&w, "answer", q->result->yes);
    else
        put_null(&w, "answer");
    put_number(&w, "nodes", (int64_t)q->result->nodes);
    put_real(&w, "seconds", q->seconds);
    if (q->depths) open_list(&w, "depths");
    for (int d = 0; d < q->depths; d++) {
        const number_depth *depth = &q->result->depths[d];
        open_object(&w, NULL);
        put_number(&w, "depth", d);
        put_number(&w, "visited", (int64_t)depth->visited);
        put_number(&w, "known", (int64_t)depth->known);
        put_number(&w, "yes", (int64_t)depth->yes);
        close_object(&w);
    }
    if (q->depths) close_list(&w);
    print_json_object(&w);
}

/* ---- verifications ---- */

static void put_finding(json_writer *to, const verify_finding *f) {
    if (f->kind == VERIFY_GOOD) {
        put_null(to, "finding");
        return;
    }
    bool values = *f->position && f->kind != VERIFY_DAMAGE;
    open_object(to, "finding");
    put_word(to, "kind", verify_kind_text(f->kind));
    put_text(to, "message", f->message.text);
    put_known(to, "ply", f->ply >= 0, f->ply);
    put_text(to, "position", *f->position ? f->position : NULL);
    put_text(to, "stored", values ? plb_value_text(f->stored.value) : NULL);
    put_dtm(to, "stored_dtm_plies", values ? f->stored.dtm : PLB_NO_DTM);
    put_text(to, "expected", values ? plb_value_text(f->expected.value) : NULL);
    put_dtm(to, "expected_dtm_plies", values ? f->expected.dtm : PLB_NO_DTM);
    close_object(to);
}

static void put_verified_plies(json_writer *to, const verify_report *report) {
    open_list(to, "plies");
    for (int ply = 0; ply < report->plies; ply++) {
        const verify_ply *p = &report->ply[ply];
        open_object(to, NULL);
        put_number(to, "ply", ply);
        put_number(to, "blocks", (int64_t)p->blocks);
        put_number(to, "stored_blocks", (int64_t)p->stored);
        put_number(to, "judged_blocks", (int64_t)p->judged);
        put_count(to, "checked", p->checked);
        put_flag(to, "whole", p->whole);
        put_count(to, "proved", p->proved);
        put_count(to, "unproved", p->unproved);
        close_object(to);
    }
    close_list(to);
}

/* Which positions of all plies were counted exactly; NULL: none. */
static const char *compared_text(plb_compared compared) {
    return compared == PLB_COMPARED_ALL ? "all" : compared == PLB_COMPARED_OPEN ? "open" : NULL;
}

void print_json_verification(const verification *v) {
    const verify_report *report = v->report;
    bool good = v->error == PLB_OK;
    json_writer w = begin_json_object();
    put_word(&w, "spec", report->spec);
    put_text(&w, "values", report->plies ? plb_value_kind_text(report->values) : NULL);
    put_flag(&w, "good", good);
    put_flag(&w, "interrupted", v->error == PLB_EINTERRUPTED);
    put_text(&w, "message", good ? NULL : v->message->text);
    put_finding(&w, &report->finding);
    put_text(&w, "first_player", good ? plb_value_text(report->empty_board.value) : NULL);
    put_dtm(&w, "first_player_dtm_plies", good ? report->empty_board.dtm : PLB_NO_DTM);
    put_text(&w, "published_value", report->published_value);
    put_text(&w, "published_total", report->published_total);
    put_text(&w, "exact_counts", compared_text(report->exact_counts));
    put_count(&w, "search_nodes", v->search_nodes);
    put_count(&w, "seed", v->seed);
    put_verified_plies(&w, report);
    if (good) {
        const verify_chances *c = &report->chances;
        open_object(&w, "chances");
        put_real(&w, "value", c->value);
        put_real(&w, "block", c->block);
        put_real(&w, "statistics_row", c->row);
        close_object(&w);
    } else
        put_null(&w, "chances");
    put_text(&w, "contents_xxh128", *report->contents ? report->contents : NULL);
    put_text(&w, "file_xxh128", *v->file_digest ? v->file_digest : NULL);
    print_json_object(&w);
}

/* ---- strategies ---- */

void print_json_strategy(const written_strategy *s) {
    json_writer w = begin_json_object();
    put_word(&w, "spec", s->spec);
    put_word(&w, "player", s->player);
    put_word(&w, "claim", s->claim);
    put_word(&w, "choice", s->choice);
    put_number(&w, "look_ahead", s->look_ahead);
    put_count(&w, "positions", s->positions);
    put_number(&w, "size_bytes", (int64_t)s->size_bytes);
    put_number(&w, "longest_plies", s->longest_plies);
    put_number(&w, "nodes", (int64_t)s->nodes);
    put_real(&w, "seconds", s->seconds);
    print_json_object(&w);
}

void print_json_strategy_check(const strategy_report *r, int error, const plb_message *message,
                               double seconds) {
    json_writer w = begin_json_object();
    put_word(&w, "spec", r->spec);
    put_word(&w, "player", r->player);
    put_word(&w, "claim", r->claim);
    put_flag(&w, "good", r->holds);
    put_flag(&w, "interrupted", error == PLB_EINTERRUPTED);
    put_text(&w, "message", error ? message->text : NULL);
    put_text(&w, "line", error == PLB_ECORRUPT && !*r->position ? r->line : NULL);
    put_text(&w, "position", *r->position ? r->position : NULL);
    put_count(&w, "stored", r->stored);
    put_count(&w, "positions", r->positions);
    put_number(&w, "replies", (int64_t)r->replies);
    put_known(&w, "longest_plies", r->holds, r->longest);
    put_real(&w, "seconds", seconds);
    print_json_object(&w);
}

static void put_named_strategy(json_writer *to, const char *key, const named_strategy_answer *s) {
    open_object(to, key);
    put_word(to, "name", s->name);
    put_word(to, "player", s->player);
    put_word(to, "claim", s->claim);
    put_number(to, "most_plies", s->most_plies);
    put_text(to, "theorem", s->theorem);
    put_text(to, "rule", s->rule);
    close_object(to);
}

void print_json_strategy_list(const char *spec, const named_strategy_answer *list, int count) {
    json_writer w = begin_json_object();
    put_word(&w, "spec", spec);
    open_list(&w, "strategies");
    for (int s = 0; s < count; s++) put_named_strategy(&w, NULL, &list[s]);
    close_list(&w);
    print_json_object(&w);
}

void print_json_walked_strategy(const walked_strategy_answer *a) {
    json_writer w = begin_json_object();
    put_word(&w, "spec", a->spec);
    put_named_strategy(&w, "strategy", &a->strategy);
    put_flag(&w, "holds", a->holds);
    put_count(&w, "positions", a->positions);
    if (a->immune_positions)
        put_count(&w, "immune_positions", a->immune_positions);
    else
        put_null(&w, "immune_positions");
    put_known(&w, "longest_plies", !a->line, a->longest_plies);
    put_text(&w, "line", a->line);
    put_text(&w, "message", a->why);
    put_real(&w, "seconds", a->seconds);
    print_json_object(&w);
}

void print_json_ring(int width, bool second_wins, uint64_t nodes, double seconds) {
    char spec[PLB_SPEC_TEXT];
    snprintf(spec, sizeof spec, "connect-%dx1-k3-misere-cylinder", width);
    json_writer w = begin_json_object();
    put_word(&w, "spec", spec);
    put_word(&w, "to_move", "x");
    put_word(&w, "value", second_wins ? "loss" : "draw");
    put_number(&w, "nodes", (int64_t)nodes);
    put_real(&w, "seconds", seconds);
    print_json_object(&w);
}

/* ---- forecasts ---- */

/* Positions or bytes, of which a forecast for a large board has more than a double has integers. */
static void put_estimate(json_writer *to, const char *key, double estimate) {
    put_count(to, key, (unsigned __int128)(estimate + 0.5));
}

void print_json_forecast(const forecast_answer *a) {
    const plb_forecast *f = a->forecast;
    json_writer w = begin_json_object();
    put_word(&w, "spec", a->spec);
    put_estimate(&w, "positions", f->positions);
    put_flag(&w, "exact", f->counted);
    put_estimate(&w, "entries", f->entries);
    put_estimate(&w, "live", f->live);
    put_estimate(&w, "memory_bytes", a->memory_bytes);
    put_estimate(&w, "held_bytes", a->held_bytes);
    put_estimate(&w, "scratch_bytes", a->scratch_bytes);
    put_estimate(&w, "table_bytes", f->table_bytes);
    put_flag(&w, "fits", a->fits);
    if (a->fits)
        put_real(&w, "seconds", a->seconds);
    else
        put_null(&w, "seconds");
    put_number(&w, "threads", a->threads);
    open_list(&w, "plies");
    for (int ply = 0; ply < a->plies; ply++) {
        const plb_forecast_ply *p = &f->plies[ply];
        open_object(&w, NULL);
        put_number(&w, "ply", ply);
        put_estimate(&w, "positions", p->positions);
        put_flag(&w, "exact", p->counted);
        put_estimate(&w, "entries", p->entries);
        close_object(&w);
    }
    close_list(&w);
    print_json_object(&w);
}

/* ---- counts ---- */

void print_json_counts(const counted_board *board, bool plies) {
    const plb_position_counts *counts = board->counts;
    json_writer w = begin_json_object();
    put_word(&w, "spec", board->spec);
    put_count(&w, "total", counts->all.total);
    put_count(&w, "terminal", counts->all.terminal);
    if (board->published)
        put_count(&w, "published", board->published);
    else
        put_null(&w, "published");
    put_real(&w, "seconds", board->seconds);
    if (plies) open_list(&w, "plies");
    for (int ply = 0; plies && ply < counts->plies; ply++) {
        open_object(&w, NULL);
        put_number(&w, "ply", ply);
        put_count(&w, "total", counts->ply[ply].total);
        put_count(&w, "terminal", counts->ply[ply].terminal);
        close_object(&w);
    }
    if (plies) close_list(&w);
    print_json_object(&w);
}
