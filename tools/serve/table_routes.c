/* SPDX-License-Identifier: MIT
 *
 * Answers about a table.
 */
#include <stdio.h>
#include <string.h>

#include "tools/answers/json_positions.h"
#include "tools/answers/table_answers.h"
#include "tools/serve/problems.h"
#include "tools/serve/routes.h"

/* ---- pieces ---- */

/* Have both players the same numbers? Those of o are then written with a prime. */
static bool share_numbers(const plb_table_info *info) {
    return strstr(info->spec, "-each") != NULL;
}

/* The numbers of one player or of both, as they are written. */
typedef struct number_list {
    int count;
    char text[2 * PLB_MAX_CELLS][16];
} number_list;

/* The spec names the numbers of x, 10 as `a`; else they are the odd ones. */
static number_list list_numbers(const plb_table_info *info, bool of_x, bool of_o) {
    static const char digits[] = "0123456789abcdefg";
    const char *first = strstr(info->spec, "-first");
    number_list list = {.count = 0};
    if (first) first += strlen("-first");
    for (int number = 1; number <= info->largest_number; number++) {
        bool is_of_x = first ? memchr(first, digits[number], strcspn(first, "-")) != NULL
                             : share_numbers(info) || number % 2;
        if (is_of_x ? of_x : of_o)
            snprintf(list.text[list.count++], sizeof *list.text, "%d", number);
    }
    for (int number = 1; of_o && share_numbers(info) && number <= info->largest_number; number++)
        snprintf(list.text[list.count++], sizeof *list.text, "%d'", number);
    return list;
}

static void put_numbers(json_writer *to, const char *key, const plb_table_info *info, bool of_x,
                        bool of_o) {
    number_list list = list_numbers(info, of_x, of_o);
    open_list(to, key);
    for (int n = 0; n < list.count; n++) put_word(to, NULL, list.text[n]);
    close_list(to);
}

/* What can be on a cell: the stones of both players, or all numbers; and the numbers of each
 * player, or null in games of stones. */
static void put_pieces(json_writer *to, const plb_table_info *info) {
    if (info->largest_number) {
        put_numbers(to, "pieces", info, true, true);
        open_object(to, "numbers");
        put_numbers(to, "x", info, true, false);
        put_numbers(to, "o", info, false, true);
        close_object(to);
    } else {
        open_list(to, "pieces");
        put_word(to, NULL, "x");
        put_word(to, NULL, "o");
        close_list(to);
        put_null(to, "numbers");
    }
}

/* ---- rules ---- */

enum { SENTENCE = 512, NUMBERS_TEXT = 96 };

/* "1, 3 and 5" */
static void join_numbers(const number_list *list, char text[NUMBERS_TEXT]) {
    size_t used = 0;
    *text = 0;
    for (int n = 0; n < list->count && used < NUMBERS_TEXT; n++)
        used += snprintf(text + used, NUMBERS_TEXT - used, "%s%s",
                         n == 0                ? ""
                         : n + 1 < list->count ? ", "
                                               : " and ",
                         list->text[n]);
}

static void put_rules(json_writer *to, const plb_table_info *info) {
    char placing[SENTENCE], winning[SENTENCE], of_x[NUMBERS_TEXT], of_o[NUMBERS_TEXT];
    const char *end = info->misere ? "loses" : "wins";
    if (info->largest_number) {
        number_list x = list_numbers(info, true, false), o = list_numbers(info, false, true);
        join_numbers(&x, of_x);
        join_numbers(&o, of_o);
        snprintf(placing, SENTENCE,
                 "Two players in turn write a number on an empty cell of a board of %d columns and "
                 "%d rows, each number once: x, who begins, has %s, o has %s.",
                 info->width, info->height, of_x, of_o);
        /* The sum of a line is that of all numbers, divided by the lines. */
        snprintf(winning, SENTENCE,
                 "The player who completes a row, a column or a main diagonal with the sum %d %s, "
                 "also with numbers of the other player.",
                 info->height * (info->largest_number + 1) / 2, end);
    } else {
        snprintf(placing, SENTENCE,
                 "Two players, x first, in turn put a stone on %s of a %s of %d columns and %d "
                 "rows%s.",
                 info->gravity ? "the lowest empty cell of a column" : "any empty cell",
                 info->cylinder ? "cylinder" : "board", info->width, info->height,
                 info->cylinder ? ", whose left and right columns are neighbours" : "");
        snprintf(winning, SENTENCE, "The player who completes %s %s.", info->goal, end);
    }
    open_list(to, "rules");
    put_text(to, NULL, placing);
    put_text(to, NULL, winning);
    put_word(to, NULL, "If the board is full before that, the game is drawn.");
    close_list(to);
}

/* ---- one table ---- */

void answer_table(const route_call *call, http_answer *answer) {
    static const char *const names[] = {"positions", "best", "line", "stats", "sample"};
    char address[SPEC_TEXT + 32];
    const plb_table *table = call->table->table;
    const plb_table_info *info = call->table->info;
    if (answer_is_known(call, answer)) return;
    json_writer w = begin_json_object();
    put_info(&w, table, call->table->first_player);
    put_text(&w, "goal", info->goal);
    put_number(&w, "largest_number", info->largest_number);
    put_board(&w, "empty", table, 0, 0);
    put_pieces(&w, info);
    put_rules(&w, info);
    open_object(&w, "links");
    snprintf(address, sizeof address, "/v1/tables/%s", info->spec);
    put_word(&w, "self", address);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        snprintf(address, sizeof address, "/v1/tables/%s/%s", info->spec, names[n]);
        put_word(&w, names[n], address);
    }
    snprintf(address, sizeof address, "/tables/%s", info->spec);
    put_word(&w, "page", address);
    close_object(&w);
    answer_table_object(call, &w, answer);
}

/* ---- counts ---- */

void answer_stats(const route_call *call, http_answer *answer) {
    const char *format = request_target_find(&call->request->target, "format");
    bool csv = format && strcmp(format, "csv") == 0;
    if (call->table->info->player) {
        answer_problem(answer, PROBLEM_NOT_KNOWN, "a strategy has no counts of positions");
    } else if (format && !csv && strcmp(format, "json") != 0) {
        answer_bad_parameter(answer, "format", "format=%.40s: json or csv is needed", format);
    } else if (answer_is_known(call, answer)) {
        return;
    } else if (csv) {
        text_stream text;
        FILE *to = text_stream_open(&text);
        if (to) write_stats_csv(call->table->table, to);
        http_answer_stream(answer, "text/csv; charset=utf-8; header=present", &text, to);
        answer_is_of_table(call, answer);
    } else {
        json_writer w = begin_json_object();
        put_stats(&w, call->table->table);
        answer_table_object(call, &w, answer);
    }
}
