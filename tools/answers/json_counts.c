/* SPDX-License-Identifier: MIT
 *
 * Numbers of positions as JSON.
 */
#include "tools/answers/json_counts.h"

static json_t *json_of_count(plb_big_count count) {
    char text[PLB_COUNT_TEXT];
    if (count <= INT64_MAX) return json_integer((json_int_t)count);
    return json_string(plb_format_big_count(count, 0, text));
}

static json_t *json_of_plies(const plb_position_counts *counts) {
    json_t *plies = json_array();
    for (int ply = 0; ply < counts->plies; ply++)
        json_array_append_new(plies, json_pack("{s:i, s:o, s:o}", "ply", ply, "total",
                                               json_of_count(counts->ply[ply].total), "terminal",
                                               json_of_count(counts->ply[ply].terminal)));
    return plies;
}

json_t *json_of_counts(const counted_board *board, bool plies) {
    json_t *object =
        json_pack("{s:s, s:o, s:o, s:o, s:f}", "spec", board->spec, "total",
                  json_of_count(board->counts->all.total), "terminal",
                  json_of_count(board->counts->all.terminal), "published",
                  board->published ? json_integer((json_int_t)board->published) : json_null(),
                  "seconds", board->seconds);
    if (plies) json_object_set_new(object, "plies", json_of_plies(board->counts));
    return object;
}
