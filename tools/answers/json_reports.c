/* SPDX-License-Identifier: MIT
 *
 * Reports as jansson has them.
 */
#include "tools/answers/json_reports.h"

/* ---- searches ---- */

static double nodes_per_second(const forward_search_result *result, double seconds) {
    return seconds > 0 ? (double)result->nodes / seconds : 0;
}

json_t *json_of_search(const searched_position *s) {
    const forward_search_result *r = s->result;
    json_t *object =
        json_pack("{s:s, s:o, s:b, s:s?, s:I, s:f, s:f}", "position", s->board, "to_move",
                  json_of_player(s->to_move), "proved", r->proved, "value",
                  r->value_proved ? plb_value_text(r->value) : NULL, "nodes", (json_int_t)r->nodes,
                  "seconds", s->seconds, "nodes_per_second", nodes_per_second(r, s->seconds));
    if (s->has_distance) json_object_set_new(object, "dtm_plies", json_of_dtm(r->dtm));
    return object;
}

static json_t *json_of_depths(const answered_question *q) {
    json_t *depths = json_array();
    for (int d = 0; d < q->depths; d++) {
        const number_depth *depth = &q->result->depths[d];
        json_array_append_new(
            depths,
            json_pack("{s:i, s:I, s:I, s:I}", "depth", d, "visited", (json_int_t)depth->visited,
                      "known", (json_int_t)depth->known, "yes", (json_int_t)depth->yes));
    }
    return depths;
}

json_t *json_of_question(const answered_question *q) {
    json_t *object = json_pack("{s:s, s:o, s:s, s:o, s:o, s:I, s:f}", "position", q->board,
                               "to_move", json_of_player(q->to_move), "question", q->question,
                               "by_ply", q->by ? json_integer(q->by) : json_null(), "answer",
                               q->result->answered ? json_boolean(q->result->yes) : json_null(),
                               "nodes", (json_int_t)q->result->nodes, "seconds", q->seconds);
    if (q->depths) json_object_set_new(object, "depths", json_of_depths(q));
    return object;
}

/* ---- verifications ---- */

static json_t *json_of_finding(const verify_finding *f) {
    if (f->kind == VERIFY_GOOD) return json_null();
    bool values = *f->position && f->kind != VERIFY_DAMAGE;
    return json_pack("{s:s, s:s, s:o, s:s?, s:s?, s:o, s:s?, s:o}", "kind",
                     verify_kind_text(f->kind), "message", f->message.text, "ply",
                     f->ply < 0 ? json_null() : json_integer(f->ply), "position",
                     *f->position ? f->position : NULL, "stored",
                     values ? plb_value_text(f->stored.value) : NULL, "stored_dtm_plies",
                     values ? json_of_dtm(f->stored.dtm) : json_null(), "expected",
                     values ? plb_value_text(f->expected.value) : NULL, "expected_dtm_plies",
                     values ? json_of_dtm(f->expected.dtm) : json_null());
}

static json_t *json_of_verified_plies(const verify_report *report) {
    json_t *plies = json_array();
    for (int ply = 0; ply < report->plies; ply++) {
        const verify_ply *p = &report->ply[ply];
        json_array_append_new(
            plies, json_pack("{s:i, s:I, s:I, s:I, s:I, s:b, s:I, s:I}", "ply", ply, "blocks",
                             (json_int_t)p->blocks, "stored_blocks", (json_int_t)p->stored,
                             "judged_blocks", (json_int_t)p->judged, "checked",
                             (json_int_t)p->checked, "whole", p->whole, "proved",
                             (json_int_t)p->proved, "unproved", (json_int_t)p->unproved));
    }
    return plies;
}

static json_t *json_of_chances(const verify_chances *c) {
    return json_pack("{s:f, s:f, s:f}", "value", c->value, "block", c->block, "statistics_row",
                     c->row);
}

/* Which positions of all plies were counted exactly; NULL: none. */
static const char *compared_text(plb_compared compared) {
    return compared == PLB_COMPARED_ALL ? "all" : compared == PLB_COMPARED_OPEN ? "open" : NULL;
}

json_t *json_of_verification(const verification *v) {
    const verify_report *report = v->report;
    bool good = v->error == PLB_OK;
    return json_pack(
        "{s:s, s:s?, s:b, s:b, s:s?, s:o, s:s?, s:o, s:s?, s:s?, s:s?, s:I, s:I, s:o, s:o, s:s?, "
        "s:s?}",
        "spec", report->spec, "values", report->plies ? plb_value_kind_text(report->values) : NULL,
        "good", good, "interrupted", v->error == PLB_EINTERRUPTED, "message",
        good ? NULL : v->message->text, "finding", json_of_finding(&report->finding),
        "first_player", good ? plb_value_text(report->empty_board.value) : NULL,
        "first_player_dtm_plies", good ? json_of_dtm(report->empty_board.dtm) : json_null(),
        "published_value", report->published_value, "published_total", report->published_total,
        "exact_counts", compared_text(report->exact_counts), "search_nodes",
        (json_int_t)v->search_nodes, "seed", (json_int_t)v->seed, "plies",
        json_of_verified_plies(report), "chances",
        good ? json_of_chances(&report->chances) : json_null(), "contents_xxh128",
        *report->contents ? report->contents : NULL, "file_xxh128",
        *v->file_digest ? v->file_digest : NULL);
}

/* ---- strategies ---- */

json_t *json_of_strategy(const written_strategy *s) {
    return json_pack("{s:s, s:s, s:s, s:s, s:i, s:I, s:I, s:i, s:I, s:f}", "spec", s->spec,
                     "player", s->player, "claim", s->claim, "choice", s->choice, "look_ahead",
                     s->look_ahead, "positions", (json_int_t)s->positions, "size_bytes",
                     (json_int_t)s->size_bytes, "longest_plies", s->longest_plies, "nodes",
                     (json_int_t)s->nodes, "seconds", s->seconds);
}

json_t *json_of_checked_strategy(const strategy_report *r, int error, const plb_message *message,
                                 double seconds) {
    bool found = error == PLB_ECORRUPT;
    return json_pack("{s:s, s:s, s:s, s:b, s:b, s:s?, s:s?, s:I, s:I, s:I, s:o, s:f}", "spec",
                     r->spec, "player", r->player, "claim", r->claim, "good", r->holds,
                     "interrupted", error == PLB_EINTERRUPTED, "message",
                     error ? message->text : NULL, "line", found ? r->line : NULL, "stored",
                     (json_int_t)r->stored, "positions", (json_int_t)r->positions, "replies",
                     (json_int_t)r->replies, "longest_plies",
                     r->holds ? json_integer(r->longest) : json_null(), "seconds", seconds);
}

json_t *json_of_named_strategy(const named_strategy_answer *s) {
    return json_pack("{s:s, s:s, s:s, s:i, s:s, s:s}", "name", s->name, "player", s->player,
                     "claim", s->claim, "most_plies", s->most_plies, "theorem", s->theorem, "rule",
                     s->rule);
}

json_t *json_of_strategy_list(const char *spec, json_t *list) {
    return json_pack("{s:s, s:o}", "spec", spec, "strategies", list);
}

json_t *json_of_walked_strategy(const walked_strategy_answer *w) {
    return json_pack(
        "{s:s, s:o, s:b, s:I, s:o, s:o, s:s?, s:s?, s:f}", "spec", w->spec, "strategy",
        json_of_named_strategy(&w->strategy), "holds", w->holds, "positions",
        (json_int_t)w->positions, "immune_positions",
        w->immune_positions ? json_integer((json_int_t)w->immune_positions) : json_null(),
        "longest_plies", w->line ? json_null() : json_integer(w->longest_plies), "line", w->line,
        "message", w->why, "seconds", w->seconds);
}

json_t *json_of_ring(int width, bool second_wins, uint64_t nodes, double seconds) {
    char spec[PLB_SPEC_TEXT];
    snprintf(spec, sizeof spec, "connect-%dx1-k3-misere-cylinder", width);
    return json_pack("{s:s, s:s, s:s, s:I, s:f}", "spec", spec, "to_move", "x", "value",
                     second_wins ? "loss" : "draw", "nodes", (json_int_t)nodes, "seconds", seconds);
}

/* ---- forecasts ---- */

/* A number of things, which a forecast has as a real one. */
static json_t *json_of_number(double number) {
    return number < 0x1p63 ? json_integer((json_int_t)(number + 0.5)) : json_real(number);
}

static json_t *json_of_forecast_plies(const forecast_answer *a) {
    json_t *list = json_array();
    for (int ply = 0; ply < a->plies; ply++) {
        const plb_forecast_ply *f = &a->forecast->plies[ply];
        json_array_append_new(list, json_pack("{s:i, s:o, s:b, s:o}", "ply", ply, "positions",
                                              json_of_number(f->positions), "exact", f->counted,
                                              "entries", json_of_number(f->entries)));
    }
    return list;
}

json_t *json_of_forecast(const forecast_answer *a) {
    const plb_forecast *f = a->forecast;
    return json_pack("{s:s, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:i, s:o}", "spec",
                     a->spec, "positions", json_of_number(f->positions), "exact", f->counted,
                     "entries", json_of_number(f->entries), "live", json_of_number(f->live),
                     "memory_bytes", json_of_number(a->memory_bytes), "held_bytes",
                     json_of_number(a->held_bytes), "scratch_bytes",
                     json_of_number(a->scratch_bytes), "table_bytes",
                     json_of_number(f->table_bytes), "seconds", a->seconds, "threads", a->threads,
                     "plies", json_of_forecast_plies(a));
}
