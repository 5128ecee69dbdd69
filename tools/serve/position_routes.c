/* SPDX-License-Identifier: MIT
 *
 * Answers about one position: what the table knows of it, its distance and best moves, and a best
 * line. A table with distances answers immediately. Otherwise a search does, which gets a copy of
 * everything that it needs, since the request may be gone before it ends.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/answers/json_positions.h"
#include "tools/serve/problems.h"
#include "tools/serve/routes.h"
#include "tools/terminal/interrupts.h"
#include "tools/terminal/quantity.h"

/* ---- the position of a request ---- */

typedef struct asked_position {
    uint64_t x, o;
    const char *parameter; /* by which it was given; static storage */
    bool by_moves;
    int count; /* of moves that were played */
    played_move played[PLB_MAX_CELLS];
} asked_position;

/* The end of a move as of plb_parse_moves: after one character if it is a column, else after the
 * number of the row, which is of one digit in games of numbers: 5@b22@a1 are two moves. */
static const char *end_of_move(const plb_table_info *info, const char *text) {
    if (info->gravity &&
        !(isalpha((unsigned char)*text) && isdigit((unsigned char)text[1]) && info->width <= 9))
        return text + 1;
    while (*text && !isalpha((unsigned char)*text)) text++;
    while (isalpha((unsigned char)*text)) text++;
    if (info->largest_number) return *text ? text + 1 : text;
    while (isdigit((unsigned char)*text)) text++;
    return text;
}

/* A move as answers name it, from what was written of it up to an end: in small letters, a number
 * without zeros before it, and with gravity the column alone. */
static void write_move(const plb_table_info *info, const char *text, const char *end,
                       char to[PLB_MOVE_TEXT]) {
    bool is_column = info->gravity && end - text > 1;
    int length = 0;
    while (*text == '0') text++;
    for (; text < end && length < PLB_MOVE_TEXT - 1; text++)
        to[length++] = (char)tolower((unsigned char)*text);
    if (is_column) *to = (char)('1' + (*to - 'a'));
    to[is_column ? 1 : length] = 0;
}

/* Play moves from the position, which is then the one after them. It was checked before that they
 * can be played. The cell of a move is the one that it occupies. */
static void play_moves(const plb_table *table, const char *text, asked_position *asked) {
    const plb_table_info *info = plb_info(table);
    plb_cell before[PLB_MAX_CELLS], cells[PLB_MAX_CELLS];
    plb_read_cells(table, asked->x, asked->o, before);
    static const char between[] = "\xef\xbb\xbf ,\t\r\n"; /* a byte order mark among them */
    for (text += strspn(text, between); *text && asked->count < PLB_MAX_CELLS;
         text += strspn(text, between)) {
        played_move *move = &asked->played[asked->count];
        const char *end = end_of_move(info, text);
        write_move(info, text, end, move->text);
        move->x = asked->x;
        move->o = asked->o;
        if (plb_play_text(table, move->text, &move->x, &move->o, NULL) != PLB_OK) return;
        plb_read_cells(table, move->x, move->o, cells);
        for (int cell = 0; cell < info->cells; cell++) {
            if (!cells[cell].player || before[cell].player) continue;
            move->column = cell / info->height;
            move->row = cell % info->height;
        }
        memcpy(before, cells, sizeof cells);
        asked->x = move->x;
        asked->o = move->o;
        asked->count++;
        text = end;
    }
}

/* Read the position of a request: a board, moves from the empty board, or a board and moves from
 * it. False: it is refused. */
static bool read_asked(const route_call *call, http_answer *answer, asked_position *asked) {
    const request_target *target = &call->request->target;
    const plb_table *table = call->table->table;
    const char *board = request_target_find(target, "board");
    const char *moves = request_target_find(target, "moves");
    plb_message message;
    int error = PLB_OK;
    asked->x = asked->o = 0;
    asked->count = 0;
    asked->by_moves = moves;
    asked->parameter = "board";
    if (board) error = plb_parse_board(table, board, &asked->x, &asked->o, &message);
    if (!error && moves) {
        uint64_t x = asked->x, o = asked->o;
        asked->parameter = "moves";
        error = plb_play_text(table, moves, &x, &o, &message);
        if (!error) play_moves(table, moves, asked);
        asked->x = x;
        asked->o = o;
    }
    atomic_fetch_add_explicit(&call->table->probes, 1, memory_order_relaxed);
    if (error) answer_table_error(call, answer, error, &message, asked->parameter);
    return !error;
}

/* Does the client already have the answer (answer_is_known)? Then it is answered, or that the rules
 * refuse the position. Nothing is looked up. */
static bool asked_is_known(const route_call *call, const asked_position *asked,
                           http_answer *answer) {
    plb_state state;
    plb_message message;
    if (!answer_is_known(call, answer)) return false;
    int error = plb_find_state(call->table->table, asked->x, asked->o, &state, &message);
    if (error) answer_table_error(call, answer, error, &message, asked->parameter);
    return true;
}

/* Begin an answer. Of the call only the table is used. */
static json_writer begin_asked(const route_call *call) {
    json_writer w = begin_json_object();
    put_word(&w, "table", call->table->info->spec);
    return w;
}

static void end_asked(const route_call *call, const asked_position *asked, json_writer *found,
                      http_answer *answer) {
    if (asked->by_moves) put_played(found, call->table->table, asked->played, asked->count);
    answer_table_object(call, found, answer);
}

/* ---- what the table knows ---- */

void answer_position(const route_call *call, http_answer *answer) {
    asked_position asked;
    plb_analysis found;
    plb_message message;
    if (!read_asked(call, answer, &asked) || asked_is_known(call, &asked, answer)) return;
    int error = plb_analyse(call->table->table, asked.x, asked.o, &found, &message);
    if (error) {
        answer_table_error(call, answer, error, &message, asked.parameter);
        return;
    }
    json_writer w = begin_asked(call);
    put_position(&w, call->table->table, asked.x, asked.o, &found);
    end_asked(call, &asked, &w, answer);
}

/* ---- searches ---- */

/* Writes what is found; *final: no later answer to the question may be better. */
typedef int search_finder(const plb_table *table, const asked_position *asked,
                          const plb_limits *limits, json_writer *to, bool *final,
                          plb_message *message);

/* A question, and the function that finds its answer. */
typedef struct position_search {
    route_work route; /* without a request once it is in the queue */
    asked_position asked;
    double seconds;
    search_finder *find;
} position_search;

static void answer_search(const position_search *s, const plb_limits *limits, http_answer *answer) {
    const route_call *call = &s->route.call;
    json_writer w = begin_asked(call);
    plb_message message;
    bool final = true;
    int error = s->find(call->table->table, &s->asked, limits, &w, &final, &message);
    if (error) {
        drop_json(&w);
        answer_table_error(call, answer, error, &message, s->asked.parameter);
        return;
    }
    end_asked(call, &s->asked, &w, answer);
    if (!final) answer_is_unfinished(answer);
}

/* ---- as work ---- */

static bool continues(void *job, const plb_bounds *bounds) {
    (void)bounds;
    return search_continues(job);
}

static void run_search(search_work *work, search_job *job, http_answer *answer) {
    const position_search *s = (position_search *)work;
    plb_limits limits = {
        .seconds = s->seconds,
        .memory_bytes = (uint64_t)s->route.call.service->options->search_memory_bytes,
        .report = continues,
        .context = job,
    };
    answer_search(s, &limits, answer);
}

/* The key of a question: what is asked about which table and position, and the moves that led
 * there, which the answer repeats. */
static void write_key(position_search *s, const char *what) {
    enum { BEGINNING = 256 };
    _Static_assert(BEGINNING + PLB_MAX_CELLS * PLB_MOVE_TEXT <= SEARCH_KEY, "all moves fit");
    const asked_position *a = &s->asked;
    char *end = s->route.work.key;
    end += snprintf(end, BEGINNING, "%s %s %.17g %llx %llx%s", what, s->route.call.table->info->id,
                    s->seconds, (unsigned long long)a->x, (unsigned long long)a->o,
                    a->by_moves ? " +" : "");
    for (int m = 0; m < a->count; m++)
        end += snprintf(end, PLB_MOVE_TEXT + 1, ",%s", a->played[m].text);
}

static bool read_seconds(const route_call *call, http_answer *answer, double *seconds) {
    const serve_options *o = call->service->options;
    const char *text = request_target_find(&call->request->target, "seconds");
    *seconds = o->search_seconds;
    if (!text || (parse_seconds(text, seconds) && *seconds <= o->most_search_seconds)) return true;
    answer_bad_parameter(answer, "seconds",
                         "seconds=%.40s: more than 0 and at most %g seconds are needed", text,
                         o->most_search_seconds);
    return false;
}

/* Answer immediately, or leave it to a search. */
static void ask(const route_call *call, const char *what, search_finder *find,
                http_answer *answer) {
    position_search s = {.route.call = *call, .find = find}, *queued;
    plb_answer value;
    plb_message message;
    if (!read_asked(call, answer, &s.asked) || !read_seconds(call, answer, &s.seconds) ||
        asked_is_known(call, &s.asked, answer))
        return;
    int error = plb_probe(call->table->table, s.asked.x, s.asked.o, &value, &message);
    if (error) {
        answer_table_error(call, answer, error, &message, s.asked.parameter);
    } else if (value.value == PLB_DRAW || value.dtm != PLB_NO_DTM || call->table->info->player) {
        answer_search(&s, &(plb_limits){0}, answer);
    } else if (!(queued = malloc(sizeof *queued))) {
        answer_error(answer, PLB_ENOMEM, &(plb_message){"out of memory for a search"}, NULL);
    } else {
        write_key(&s, what);
        s.route.call.request = NULL;
        *queued = s;
        answer_later(&queued->route, call->service->searches, 0, run_search, answer);
    }
}

/* ---- best moves ---- */

static int find_best(const plb_table *table, const asked_position *asked, const plb_limits *limits,
                     json_writer *to, bool *final, plb_message *message) {
    plb_best best;
    int error = plb_find_best(table, asked->x, asked->o, limits, &best, message);
    if (error) return error;
    put_best(to, table, asked->x, asked->o, &best);
    *final = best.exact;
    return PLB_OK;
}

void answer_best(const route_call *call, http_answer *answer) {
    ask(call, "best", find_best, answer);
}

/* ---- lines ---- */

/* Move by move, so that the answer has what was found before the time was over. */
static int find_moves(const plb_table *table, const plb_limits *limits, played_line *line,
                      plb_message *message) {
    double end = seconds_now() + limits->seconds;
    plb_limits rest = *limits;
    uint64_t x = line->x, o = line->o;
    for (;;) {
        plb_best best;
        if (limits->seconds > 0) rest.seconds = end - seconds_now();
        line->incomplete = rest.seconds < 0;
        if (line->incomplete) return PLB_OK;
        int error = plb_find_best(table, x, o, &rest, &best, message);
        line->incomplete = !error && !best.exact;
        if (error || line->incomplete || best.count == 0) return error;
        line->played.moves[line->played.count++] = best.moves[0];
        error = plb_play(table, &best.moves[0], &x, &o, message);
        if (error) return error;
    }
}

static int find_line(const plb_table *table, const asked_position *asked, const plb_limits *limits,
                     json_writer *to, bool *final, plb_message *message) {
    played_line line = {.x = asked->x, .o = asked->o};
    plb_answer value;
    int error = plb_probe(table, line.x, line.o, &value, message);
    line.value = value.value;
    if (!error) error = find_moves(table, limits, &line, message);
    if (!error) error = play_line(table, &line, message);
    if (error) return error;
    put_line(to, table, &line);
    *final = !line.incomplete;
    return PLB_OK;
}

void answer_line(const route_call *call, http_answer *answer) {
    if (call->table->info->player)
        answer_problem(answer, PROBLEM_NOT_KNOWN, "a strategy has no distances, and so no lines");
    else
        ask(call, "line", find_line, answer);
}
