/* SPDX-License-Identifier: MIT
 *
 * `plybase play`: a person or a program plays against a table or a strategy by rule. Each line of
 * input has one answer.
 */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "probe/table.h"
#include "tables/bits.h"
#include "tables/message.h"
#include "tables/strategies/strategy_file.h"
#include "tools/commands/commands.h"
#include "tools/commands/strategy_commands.h"
#include "tools/play/game_dialogue.h"
#include "tools/play/game_protocol.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/board.h"
#include "tools/terminal/console.h"
#include "tools/terminal/line_input.h"
#include "tools/terminal/operands.h"

typedef enum colouring { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } colouring;

typedef struct arguments {
    const char *file, *folder, *moves, *board, *strategy;
    bool first, second; /* the side of the person; neither: the side to move */
    bool protocol;      /* for programs */
    given_count seed;   /* if given, choose at random among equal moves */
    int level;          /* 1 to LEVELS; 0: not given */
    colouring colour;
} arguments;

static const argument_row rows[] = {
    OPERAND("FILE|SPEC", arguments, file, NULL),
    TEXT('s', "strategy", "NAME", arguments, strategy,
         "play against the strategy of this name on the board of SPEC"),
    TEXT('m', "moves", "MOVES", arguments, moves, "begin after these moves"),
    TEXT('b', "board", "BOARD", arguments, board, "begin at this board"),
    FLAG('1', "first", arguments, first, "you are x (default: you are to move)"),
    FLAG('2', "second", arguments, second, "you are o"),
    NUMBER('l', "level", "N", arguments, level, 1, LEVELS,
           "err on purpose, often at 1, seldom at 9; at 10, or without it: never"),
    FLAG('p', "protocol", arguments, protocol,
         "for programs: each line is a command and has one line as its answer"),
    COUNT_IF_GIVEN('r', "seed", "N", arguments, seed, 0, UINT64_MAX,
                   "choose at random among equal moves, with this seed"),
    CHOICE('c', "color", "WHEN", arguments, colour, "auto, always or never",
           "colour: auto, always or never (auto: on a terminal)"),
    TABLES(arguments, folder),
    {0}};
static const command_syntax syntax = {
    .operands = "FILE|SPEC",
    .purpose = "Play against a table or a strategy.",
    .details =
        "Enter a move: a column such as 4 with gravity, otherwise a cell such as b3, in games of "
        "numbers a number and a cell such as 5@b3. Or enter one of the commands that `help` lists: "
        "hint, analyse, undo, swap and others. The table never plays a move that is worse than "
        "another, unless it has a --level; among equally good moves it plays the one after which "
        "most replies lose value (see best --resist). A strategy plays for its own player. With "
        "--strategy the opponent is one of the strategies that `plybase strategy SPEC` lists, and "
        "hint says why it made its move. The end of the standard input ends the game.\n\nWith "
        "--level N the table errs on purpose: if some of its moves give up a win or a draw, it "
        "plays a random one of these, 10 - N times in 10: at level 1 nine times in ten, at 5 every "
        "second time, at 9 once in ten, at 10 never. It says so when the game begins, with "
        "--protocol on stderr. --seed also makes its mistakes repeatable. A strategy does not "
        "err.\n\nWith --protocol, which is for programs, nothing is drawn. Each line is a command, "
        "and has one line as its answer. The answer begins with the word of the command, or is "
        "`error` and a sentence; after an error nothing has changed. DISTANCE is - if it does not "
        "exist or is unknown.\n\n" PROTOCOL_HELP "\n\nBOARD is written " BOARD_HELP
        "; MOVES are those from the empty board: " MOVES_HELP ".",
    .rows = rows};

/* ---- a game ---- */

static int run_dialogue(game_dialogue *d, bool by_protocol) {
    plb_message message;
    line_input input = open_line_input();
    char *line, prompt[DIALOGUE_PROMPT], level[LEVEL_TEXT];
    int error = by_protocol ? PLB_OK : dialogue_begin(d, &message);
    bool is_done = false;
    if (by_protocol && d->session.choice.level)
        print_error("%s", describe_level(&d->session, level)); /* stdout has only answers */
    while (by_protocol && !is_done && (line = read_line(&input, "")))
        is_done = !protocol_answer(&d->session, line);
    while (!by_protocol && !error && !d->is_done &&
           (line = read_line(&input, dialogue_prompt(d, prompt))))
        error = dialogue_answer(d, line, &message);
    close_line_input(&input);
    if (error) return report_error(error, &message);
    if (ferror(stdin)) return print_error("cannot read the standard input: %s", strerror(errno));
    return EXIT_GOOD;
}

/* Set the position where the game begins, which must be one that can arise, and the side of the
 * person. A strategy plays for its own player. */
static int set_up(game_session *s, const arguments *a, plb_message *message) {
    plb_answer answer;
    const char *player = plb_info(s->table)->player;
    char other = player && strcmp(player, "first") == 0 ? 'o' : 'x';
    int error = PLB_OK;
    if (a->moves)
        error = plb_parse_moves(s->table, a->moves, &s->start_x, &s->start_o, message);
    else if (a->board)
        error = plb_parse_board(s->table, a->board, &s->start_x, &s->start_o, message);
    if (!error && !s->guide) error = plb_probe(s->table, s->start_x, s->start_o, &answer, message);
    s->person = a->first    ? 'x'
                : a->second ? 'o'
                : player    ? other
                            : side_to_move(s->table, s->start_x, s->start_o);
    if (!error && player && s->person != other)
        error = plb_fail(message, PLB_EARGUMENT,
                         "the strategy is that of the %s player: you are the other one", player);
    session_restart(s);
    return error;
}

static int play(plb_table *table, const session_guide *guide, const arguments *a) {
    setlocale(LC_CTYPE, "");
    game_dialogue dialogue = {
        .session = {.table = table,
                    .guide = guide,
                    .choice = {.is_random = a->seed.given,
                               .level = a->level % LEVELS,
                               .random = a->seed.given ? a->seed.count : (uint64_t)time(NULL)}},
        .board = a->board,
        .moves = a->moves,
        .is_framed = terminal_has_escapes(),
        .style = {.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
                  .colour = a->colour == COLOUR_AUTO ? terminal_takes_colour()
                                                     : a->colour == COLOUR_ALWAYS}};
    plb_message message;
    int error = set_up(&dialogue.session, a, &message);
    if (!error && a->level && plb_info(table)->player)
        error = plb_fail(&message, PLB_EARGUMENT,
                         "a strategy does not err on purpose: leave --level out");
    return error ? report_error(error, &message) : run_dialogue(&dialogue, a->protocol);
}

/* ---- a named strategy as the opponent ---- */

typedef struct rule_player {
    const plb_game *game;
    const named_strategy *strategy;
    int player;       /* 0 or 1 */
    plb_table *table; /* of the session */
} rule_player;

/* In the public library the rules of a game belong to a table. So the session gets a strategy
 * without stored moves: it has the claim, and answers all that needs no values. */
static int open_rules(rule_player *p, plb_value claim, plb_message *message) {
    char spec[PLB_SPEC_TEXT];
    plb_game_format(p->game, spec);
    int error = plb_table_of_game(spec, &p->table, message);
    if (error) return error;
    p->table->kind = &plb_table_of_strategy;
    p->table->claim = (plb_strategy_claim){p->player, claim, 1};
    p->table->info.player = plb_strategy_player_text(p->player);
    p->table->strategy = calloc(1, sizeof *p->table->strategy);
    return p->table->strategy ? PLB_OK : plb_fail(message, PLB_ENOMEM, "out of memory for a rule");
}

static int read_turn(const rule_player *p, const game_session *session, strategy_turn *turn,
                     plb_message *message) {
    const plb_game *g = p->game;
    *turn = (strategy_turn){.game = g, .player = p->player, .last = -1};
    if (session->count) {
        const plb_move *last = &session->moves[session->count - 1];
        turn->last = plb_game_cell(g, last->column, last->row);
    }
    return g->rules->from_words(g, session->x, session->o, &turn->position, message);
}

static int list_moves(void *context, const game_session *session, plb_move moves[PLB_MAX_MOVES],
                      int *count, plb_message *message) {
    const rule_player *p = context;
    strategy_turn turn;
    int error = read_turn(p, session, &turn, message);
    if (error) return error;
    *count = 0;
    for (uint64_t cells = p->strategy->moves(&turn); cells; cells &= cells - 1) {
        plb_move *move = &moves[(*count)++];
        *move = (plb_move){.dtm = PLB_NO_DTM};
        p->game->rules->to_public_move(p->game, plb_lowest(cells), move);
    }
    return *count ? PLB_OK
                  : plb_fail(message, PLB_EUNKNOWN, "the rule of %s has no move here",
                             p->strategy->name);
}

static const char *explain(void *context, const game_session *session, const plb_move *move) {
    const rule_player *p = context;
    strategy_turn turn;
    if (read_turn(p, session, &turn, NULL)) return "it follows the rule";
    /* cppcheck-suppress returnDanglingLifetime; what is returned is a static text */
    return p->strategy->reason(&turn, plb_game_cell(p->game, move->column, move->row));
}

static int play_strategy(const arguments *a) {
    plb_game game;
    plb_message message;
    int error, status = read_game(a->file, &game);
    if (status) return status;
    const named_strategy *strategy = require_named_strategy(a->strategy);
    named_player who = {.wanted = a->first ? 1 : a->second ? 0 : BOTH_PLAYERS};
    error = find_named_player(&game, strategy, &who, &message);
    const strategy_terms *terms = &who.terms;
    rule_player player = {.game = &game, .strategy = strategy, .player = who.player};
    if (!error) error = open_rules(&player, terms->reaches, &message);
    if (error) {
        status = report_error(error, &message);
    } else {
        char introduction[512];
        snprintf(introduction, sizeof introduction, "My rule is %s: %s. %s by ply %d (%s).",
                 strategy->name, strategy->rule,
                 terms->reaches == PLB_WIN ? "It wins" : "It does not lose, and the game ends",
                 terms->most_plies, terms->theorem);
        const session_guide guide = {list_moves, explain, introduction, &player};
        status = play(player.table, &guide, a);
    }
    plb_close(player.table);
    return status;
}

/* ---- the command ---- */

int command_play(int argc, char **argv) {
    arguments a = {0};
    parse_arguments(argc, argv, &syntax, &a);
    if (a.first && a.second) fail_usage("--first and --second exclude each other");
    if (a.protocol && (a.first || a.second))
        fail_usage("--protocol has no sides: leave --first and --second out");
    if (a.moves && a.board) fail_usage("--moves and --board exclude each other");
    if (a.strategy && (a.moves || a.board))
        fail_usage("--strategy begins at the empty board: leave out --moves and --board");
    if (a.strategy) return end_output(play_strategy(&a));
    plb_table *table = open_table(a.file, a.folder);
    if (!table) return EXIT_FAILED;
    int status = play(table, NULL, &a);
    plb_close(table);
    return end_output(status);
}
