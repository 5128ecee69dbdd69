/* SPDX-License-Identifier: MIT */
#include "tools/play/game_dialogue.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- output ---- */

/* Draw the board, with moves and their values if `count` is not 0. */
static void draw(const game_dialogue *d, uint64_t groups, const plb_move *moves, int count) {
    const game_session *s = &d->session;
    const plb_table_info *info = plb_info(s->table);
    const plb_move *last = s->count ? &s->moves[s->count - 1] : NULL;
    plb_cell cells[PLB_MAX_CELLS];
    plb_read_cells(s->table, s->x, s->o, cells);
    board_picture picture = {.info = info,
                             .cells = cells,
                             .last = last ? 1ULL << (last->column * info->height + last->row) : 0,
                             .groups = groups,
                             .moves = moves,
                             .count = count};
    if (d->is_framed)
        draw_framed_board(&picture, d->style);
    else
        draw_board(s->table, s->x, s->o, d->style.colour);
}

/* Draw the board, and say so if the game is over. */
static int show(game_dialogue *d, plb_message *message) {
    const game_session *s = &d->session;
    plb_state state;
    int error = plb_find_state(s->table, s->x, s->o, &state, message);
    if (error) return error;
    draw(d, state.groups, NULL, 0);
    if (state.over)
        printf("The game is over: %s.\n", !state.winner               ? "a draw"
                                          : state.winner == s->person ? "you win"
                                                                      : "I win");
    return PLB_OK;
}

/* After a change: if it is the table's turn, it makes a move. Then draw the board; on a terminal
 * also the board before that move. */
static int continue_game(game_dialogue *d, plb_message *message) {
    game_session *s = &d->session;
    plb_state state;
    plb_move chosen;
    int error = plb_find_state(s->table, s->x, s->o, &state, message);
    if (!error && !state.over && state.to_move != s->person) {
        if (d->is_framed && s->count) draw(d, 0, NULL, 0);
        error = choose_move(s, &chosen, message);
        if (error) return error;
        if (s->guide) d->reasons[s->count] = s->guide->explain(s->guide->context, s, &chosen);
        session_play(s, &chosen);
        printf("I play %s.\n", chosen.text);
    }
    return error ? error : show(d, message);
}

/* Format a side: `x`, on a terminal with its disc. */
static char *name_side(const game_dialogue *d, char side, char text[DIALOGUE_SIDE]) {
    bool has_disc = d->is_framed && d->style.unicode;
    snprintf(text, DIALOGUE_SIDE, has_disc ? "%c %s" : "%c", side, player_disc(side, d->style));
    return text;
}

char *dialogue_prompt(const game_dialogue *d, char text[DIALOGUE_PROMPT]) {
    char side[DIALOGUE_SIDE];
    snprintf(text, DIALOGUE_PROMPT, "%s> ", name_side(d, d->session.person, side));
    return text;
}

/* ---- hint and analyse ---- */

static int answer_hint(game_dialogue *d, plb_message *message) {
    plb_resistance found;
    const plb_best *best = &found.best;
    char text[64];
    if (d->session.guide) {
        /* A guide explains its last move, but knows no move for the person. */
        const game_session *s = &d->session;
        int last = s->count - (session_is_persons_turn(s) ? 1 : 2);
        if (last >= 0)
            printf("I played %s: %s.\n", s->moves[last].text, d->reasons[last]);
        else
            puts(s->guide->introduction);
        return PLB_OK;
    }
    int error = advice_best(&d->session, 1, &found, message);
    if (error) return error;
    if (!best->count) {
        puts("The game is over: there is no move.");
        return PLB_OK;
    }
    printf("Best is %s: %s", best->moves[0].text, format_bounded(best->value, &best->bounds, text));
    if (found.plies && found.replies[0].worse)
        printf("; %d of %d replies lose value", found.replies[0].worse, found.replies[0].count);
    puts(".");
    return PLB_OK;
}

static int answer_analysis(game_dialogue *d, plb_message *message) {
    plb_move moves[PLB_MAX_MOVES];
    plb_resistance found;
    char text[64];
    if (d->session.guide) {
        puts("I follow a rule and know no values; hint says why I moved.");
        return PLB_OK;
    }
    int count = 0, error = advice_best(&d->session, 1, &found, message);
    if (!error) error = advice_moves(&d->session, moves, &count, message);
    if (error) return error;
    if (!count) {
        puts("The game is over: there is no move.");
        return PLB_OK;
    }
    if (d->is_framed) draw(d, 0, moves, count);
    printf("%c to move: %s\n", d->session.person,
           format_bounded(found.best.value, &found.best.bounds, text));
    if (d->is_framed)
        puts("(+ wins, = draws, - loses, then the plies to the end; the best moves are bright)");
    bool is_listed = !d->is_framed || plb_info(d->session.table)->largest_number;
    for (int m = 0; m < count && is_listed; m++)
        printf("  %-4s %s\n", moves[m].text,
               plb_format_outcome(moves[m].value, moves[m].dtm, text));
    return PLB_OK;
}

/* ---- the other commands ---- */

static int undo(game_dialogue *d, plb_message *message) {
    int taken = session_undo(&d->session);
    if (!taken) {
        puts("There is no move of yours to take back.");
        return PLB_OK;
    }
    printf("%d %s taken back.\n", taken, taken == 1 ? "move" : "moves");
    return continue_game(d, message);
}

static int swap(game_dialogue *d, plb_message *message) {
    if (plb_info(d->session.table)->player) {
        printf("I know moves of the %s player alone.\n", plb_info(d->session.table)->player);
        return PLB_OK;
    }
    d->session.person = d->session.person == 'x' ? 'o' : 'x';
    printf("You are %c now.\n", d->session.person);
    return continue_game(d, message);
}

static int start_again(game_dialogue *d, plb_message *message) {
    session_restart(&d->session);
    return dialogue_begin(d, message);
}

/* Print the moves as `--moves` reads them, after the first board if one was given. */
static int answer_moves(game_dialogue *d, plb_message *message) {
    (void)message;
    const game_session *s = &d->session;
    const char *before = d->moves ? d->moves : "";
    if (d->board) printf("after %s: ", d->board);
    if (!*before && !s->count) fputs("no moves yet", stdout);
    fputs(before, stdout);
    for (int m = 0; m < s->count; m++) {
        bool apart = plb_info(s->table)->largest_number && (m || *before);
        printf("%s%s", apart ? "," : "", s->moves[m].text);
    }
    putchar('\n');
    return PLB_OK;
}

static int quit(game_dialogue *d, plb_message *message) {
    (void)message;
    d->is_done = true;
    return PLB_OK;
}

static int answer_help(game_dialogue *d, plb_message *message);

typedef struct command {
    const char *name, *help;
    int (*act)(game_dialogue *d, plb_message *message);
} command;

static const command commands[] = {
    {"hint", "a best move; of a strategy by rule, why it moved", answer_hint},
    {"analyse", "every move with its value, best first", answer_analysis},
    {"undo", "take back your last move and my reply", undo},
    {"swap", "change sides: I move now", swap},
    {"new", "start again", start_again},
    {"board", "draw the board again", show},
    {"moves", "the moves so far", answer_moves},
    {"help", "this list, also ?", answer_help},
    {"quit", "end, as the end of input does", quit},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int answer_help(game_dialogue *d, plb_message *message) {
    (void)message;
    char names[SESSION_NAMES];
    printf("Moves are %s. Commands, which may be shortened:\n",
           session_name_moves(plb_info(d->session.table), names));
    for (int c = 0; c < COMMANDS; c++) printf("  %-8s %s\n", commands[c].name, commands[c].help);
    return PLB_OK;
}

/* ---- one line ---- */

/* Find the command that begins with a text. NULL: there is none, or there are several. */
static const command *find_command(const char *text, bool *several) {
    const command *found = NULL;
    *several = false;
    if (strcmp(text, "?") == 0) text = "help";
    for (int c = 0; c < COMMANDS; c++) {
        if (strncmp(commands[c].name, text, strlen(text)) != 0) continue;
        *several = found != NULL;
        found = &commands[c];
    }
    return *several ? NULL : found;
}

int dialogue_answer(game_dialogue *d, char *line, plb_message *message) {
    /* Remove blanks at both ends, and convert to lower case. */
    while (isspace((unsigned char)*line)) line++;
    size_t length = strlen(line);
    while (length && isspace((unsigned char)line[length - 1])) length--;
    line[length] = 0;
    for (char *c = line; *c; c++) *c = (char)tolower((unsigned char)*c);
    plb_move move;
    if (!*line) return PLB_OK;
    int error = session_find_move(&d->session, line, &move, message);
    if (error == PLB_ESYNTAX) {
        char names[SESSION_NAMES];
        bool several;
        const command *found = find_command(line, &several);
        if (found) return found->act(d, message);
        if (several)
            printf("'%s' is short for several commands; help lists them.\n", line);
        else
            printf(
                "'%.40s' is neither a move nor a command; moves are %s, help lists the commands.\n",
                line, session_name_moves(plb_info(d->session.table), names));
        return PLB_OK;
    }
    if (error == PLB_EMOVE) {
        puts(message->text);
        return PLB_OK;
    }
    if (error) return error;
    session_play(&d->session, &move);
    return continue_game(d, message);
}

int dialogue_begin(game_dialogue *d, plb_message *message) {
    const plb_table_info *info = plb_info(d->session.table);
    char names[SESSION_NAMES], sides[2][DIALOGUE_SIDE], side = d->session.person;
    printf("%s: the player who completes %s %s. You are %s, I am %s.\n", info->spec, info->goal,
           info->misere ? "loses" : "wins", name_side(d, side, sides[0]),
           name_side(d, side == 'x' ? 'o' : 'x', sides[1]));
    printf("Moves are %s; help lists the commands.\n", session_name_moves(info, names));
    if (d->session.guide) puts(d->session.guide->introduction);
    char level[LEVEL_TEXT];
    if (d->session.choice.level) printf("%s\n", describe_level(&d->session, level));
    return continue_game(d, message);
}
