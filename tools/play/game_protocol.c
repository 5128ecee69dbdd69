/* SPDX-License-Identifier: MIT
 *
 * The table of commands. A command that changes the session works on a copy, and replaces the
 * session only on success.
 */
#include "tools/play/game_protocol.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tables/message.h"

static const char blanks[] = " \t\r\n\v\f", between_moves[] = " ,\t\r\n\v\f";

/* ---- commands ---- */

static int answer_game(game_session *s, char *rest, plb_message *message) {
    const plb_table_info *info = plb_info(s->table);
    (void)rest, (void)message;
    printf("game %s %d %d", info->spec, info->width, info->height);
    if (s->choice.level) printf(" level %d", s->choice.level);
    putchar('\n');
    return PLB_OK;
}

/* Make moves one by one, so that a strategy by rule knows the last one. */
static int play_words(game_session *s, char *rest, plb_message *message) {
    plb_state state;
    plb_move move;
    for (char *word; (word = strtok_r(rest, between_moves, &rest));) {
        int error = plb_find_state(s->table, s->x, s->o, &state, message);
        if (!error && state.over)
            error = plb_fail(message, PLB_EMOVE, "the game is over before the move %.40s", word);
        if (!error) error = session_find_move(s, word, &move, message);
        if (error) return error;
        session_play(s, &move);
    }
    return PLB_OK;
}

static int answer_position(game_session *s, char *rest, plb_message *message) {
    game_session there = *s;
    const char *board = strtok_r(rest, blanks, &rest), *moves = strtok_r(rest, blanks, &rest);
    char text[PLB_BOARD_TEXT];
    plb_state state;
    int error = PLB_OK;
    if (!board || (moves && strcmp(moves, "moves") != 0))
        return plb_fail(message, PLB_ESYNTAX,
                        "position start|BOARD [moves MOVE...] is needed, such as position start "
                        "moves %s",
                        plb_info(there.table)->gravity ? "1 2" : "a1 b2");
    session_restart(&there);
    if (strcmp(board, "start") != 0)
        error = plb_parse_board(there.table, board, &there.x, &there.o, message);
    if (!error) error = play_words(&there, rest, message);
    if (!error) error = plb_find_state(there.table, there.x, there.o, &state, message);
    if (!error) error = plb_format_board(there.table, there.x, there.o, text);
    if (error) return error;
    *s = there;
    if (state.over && !state.winner)
        printf("position %s over draw\n", text);
    else
        printf("position %s %s%c\n", text, state.over ? "over " : "",
               state.over ? state.winner : state.to_move);
    return PLB_OK;
}

static void print_value(const char *command, plb_value value, int lower, int upper) {
    printf("%s %s ", command, plb_value_text(value));
    if (value == PLB_DRAW || lower == PLB_NO_DTM)
        putchar('-');
    else
        printf(lower < upper ? "%d-%d" : "%d", lower, upper);
}

static int answer_value(game_session *s, char *rest, plb_message *message) {
    plb_answer answer;
    (void)rest;
    int error = plb_probe(s->table, s->x, s->o, &answer, message);
    if (error) return error;
    print_value("value", answer.value, answer.dtm, answer.dtm);
    puts(answer.bound ? answer.bound > 0 ? " at least" : " at most" : "");
    return PLB_OK;
}

static int answer_best(game_session *s, char *rest, plb_message *message) {
    plb_resistance found;
    const plb_best *best = &found.best;
    (void)rest;
    int error = advice_best(s, 1, &found, message);
    if (error) return error;
    if (!best->count) return plb_fail(message, PLB_EMOVE, "the game is over: there is no move");
    print_value("best", best->value, best->bounds.least, best->bounds.most);
    for (int m = 0; m < best->count; m++) printf("%c%s", m ? ',' : ' ', best->moves[m].text);
    putchar('\n');
    return PLB_OK;
}

static int answer_go(game_session *s, char *rest, plb_message *message) {
    const char *player = plb_info(s->table)->player;
    plb_move move;
    (void)rest;
    if (player && session_is_persons_turn(s))
        return plb_fail(message, PLB_EMOVE,
                        "the strategy is that of the %s player, who is not to move", player);
    int error = choose_move(s, &move, message);
    if (!error) printf("go %s\n", move.text);
    return error;
}

static int answer_quit(game_session *s, char *rest, plb_message *message) {
    (void)s, (void)rest, (void)message;
    puts("quit");
    return PLB_OK;
}

static const struct command {
    const char *name;
    /* Prints one line, or fails and prints nothing. */
    int (*answer)(game_session *s, char *rest, plb_message *message);
} commands[] = {{"game", answer_game},   {"position", answer_position},
                {"value", answer_value}, {"best", answer_best},
                {"go", answer_go},       {"quit", answer_quit}};

bool protocol_answer(game_session *session, char *line) {
    const struct command *found = NULL;
    plb_message message = {""};
    for (char *c = line; *c; c++) *c = (char)tolower((unsigned char)*c);
    const char *name = strtok_r(line, blanks, &line), *word = NULL;
    for (size_t c = 0; name && c < sizeof commands / sizeof *commands; c++)
        if (strcmp(name, commands[c].name) == 0) found = &commands[c];
    int error = PLB_OK;
    if (!found)
        error = plb_fail(&message, PLB_ESYNTAX,
                         "'%.40s' is no command: game, position, value, best, go or quit is needed",
                         name ? name : "");
    else if (found->answer != answer_position && (word = strtok_r(line, blanks, &line)))
        error = plb_fail(&message, PLB_ESYNTAX, "'%.40s' is one word too many: %s stands alone",
                         word, name);
    else
        error = found->answer(session, line, &message);
    if (error) printf("error %s\n", message.text);
    return !found || error || found->answer != answer_quit;
}
