/* SPDX-License-Identifier: MIT */
#include "tools/answers/json_service.h"

#include <stdio.h>
#include <string.h>

json_t *json_of_listed_table(const listed_table *listed) {
    const char *spec = listed->table ? plb_info(listed->table)->spec : NULL;
    if (!spec)
        return json_pack("{s:n, s:o, s:s, s:s?}", "spec", "file", json_of_text(listed->name),
                         "state", listed->state, "detail", listed->detail);
    const plb_table_info *info = plb_info(listed->table);
    return json_pack("{s:s, s:o, s:s, s:s?, s:i, s:i, s:i, s:b, s:b, s:b, s:i, s:s, s:I, s:s, s:s}",
                     "spec", spec, "file", json_of_text(listed->name), "state", listed->state,
                     "detail", listed->detail, "width", info->width, "height", info->height, "k",
                     info->k, "gravity", info->gravity, "misere", info->misere, "cylinder",
                     info->cylinder, "largest_number", info->largest_number, "values", info->values,
                     "positions", (json_int_t)info->positions, "first_player",
                     plb_value_text(listed->first_player), "id", info->id);
}

/* ---- pieces ---- */

/* Have both players the same numbers? Those of o are then written with a prime. */
static bool share_numbers(const plb_table_info *info) {
    return strstr(info->spec, "-each") != NULL;
}

/* Is a number x's? A spec names those that are, 10 as `a`; else they are the odd ones. */
static bool is_number_of_x(const plb_table_info *info, int number) {
    static const char digits[] = "0123456789abcdefg";
    const char *first = strstr(info->spec, "-first");
    if (!first) return share_numbers(info) || number % 2;
    first += strlen("-first");
    return memchr(first, digits[number], strcspn(first, "-")) != NULL;
}

/* As text, where there are games of numbers; those of one player, or of both. */
static json_t *json_of_numbers(const plb_table_info *info, bool of_x, bool of_o) {
    json_t *list = json_array();
    for (int number = 1; number <= info->largest_number; number++)
        if (is_number_of_x(info, number) ? of_x : of_o)
            json_array_append_new(list, json_sprintf("%d", number));
    for (int number = 1; of_o && share_numbers(info) && number <= info->largest_number; number++)
        json_array_append_new(list, json_sprintf("%d'", number));
    return list;
}

/* Whose numbers are whose, or null in games of stones. */
static json_t *json_of_owned_numbers(const plb_table_info *info) {
    if (!info->largest_number) return json_null();
    return json_pack("{s:o, s:o}", "x", json_of_numbers(info, true, false), "o",
                     json_of_numbers(info, false, true));
}

/* What stands on cells as text: both players' stones, or all numbers. */
static json_t *json_of_pieces(const plb_table_info *info) {
    if (!info->largest_number) return json_pack("[s, s]", "x", "o");
    return json_of_numbers(info, true, true);
}

/* ---- rules ---- */

/* "1, 3 and 5" */
static void write_numbers(json_t *numbers, char *text, size_t room) {
    size_t count = json_array_size(numbers), used = 0;
    *text = 0;
    for (size_t n = 0; n < count && used < room; n++)
        used += snprintf(text + used, room - used, "%s%s",
                         n == 0          ? ""
                         : n + 1 < count ? ", "
                                         : " and ",
                         json_string_value(json_array_get(numbers, n)));
    json_decref(numbers);
}

static json_t *json_of_writing(const plb_table_info *info) {
    char of_x[96], of_o[96];
    write_numbers(json_of_numbers(info, true, false), of_x, sizeof of_x);
    write_numbers(json_of_numbers(info, false, true), of_o, sizeof of_o);
    return json_sprintf(
        "Two players in turn write a number on an empty cell of a board of %d columns and %d rows, "
        "each number once: x, who begins, has %s, o has %s.",
        info->width, info->height, of_x, of_o);
}

static json_t *json_of_placing(const plb_table_info *info) {
    const char *board = info->cylinder ? "cylinder" : "board";
    const char *stuck = info->cylinder ? ", whose left and right columns are neighbours" : "";
    if (info->largest_number) return json_of_writing(info);
    return json_sprintf(
        "Two players, x first, in turn put a stone on %s of a %s of %d columns "
        "and %d rows%s.",
        info->gravity ? "the lowest empty cell of a column" : "any empty cell", board, info->width,
        info->height, stuck);
}

/* The sum of a line is that of all numbers, divided by the lines. */
static json_t *json_of_winning(const plb_table_info *info) {
    const char *end = info->misere ? "loses" : "wins";
    if (!info->largest_number) return json_sprintf("Who completes %s %s.", info->goal, end);
    return json_sprintf(
        "Who completes a row, a column or a main diagonal that sums to %d %s, whosever numbers "
        "lie in it.",
        info->height * (info->largest_number + 1) / 2, end);
}

static json_t *json_of_rules(const plb_table_info *info) {
    return json_pack("[o, o, s]", json_of_placing(info), json_of_winning(info),
                     "If the board is full before that, the game is drawn.");
}

/* ---- one table ---- */

static json_t *json_of_table_links(const char *spec) {
    static const char *const names[] = {"positions", "best", "line", "stats", "sample"};
    json_t *links = json_pack("{s:o}", "self", json_sprintf("/v1/tables/%s", spec));
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        json_object_set_new(links, names[n], json_sprintf("/v1/tables/%s/%s", spec, names[n]));
    json_object_set_new(links, "page", json_sprintf("/tables/%s", spec));
    return links;
}

json_t *json_of_served_table(const plb_table *table, plb_value first_player) {
    const plb_table_info *info = plb_info(table);
    json_t *object = json_of_info(table, first_player);
    json_object_set_new(object, "goal", json_string(info->goal));
    json_object_set_new(object, "largest_number", json_integer(info->largest_number));
    json_object_set_new(object, "empty", json_of_board(table, 0, 0));
    json_object_set_new(object, "pieces", json_of_pieces(info));
    json_object_set_new(object, "numbers", json_of_owned_numbers(info));
    json_object_set_new(object, "rules", json_of_rules(info));
    json_object_set_new(object, "links", json_of_table_links(info->spec));
    return object;
}

/* ---- refusals, answers ---- */

json_t *json_of_refusal(const refusal *r) {
    return json_pack("{s:s, s:s, s:i, s:o, s:s?, s:s?}", "type", r->type, "title", r->title,
                     "status", r->status, "detail", json_of_text(r->detail), "code", r->code,
                     "parameter", r->parameter);
}

json_t *json_of_refused_position(const char *text, int error, const plb_message *message) {
    return json_pack("{s:o, s:{s:s?, s:o}}", "position", json_of_text(text), "error", "code",
                     error_name(error), "detail", json_of_text(message->text));
}
