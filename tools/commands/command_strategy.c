/* SPDX-License-Identifier: MIT
 *
 * `plybase strategy`: how a player wins, or at least draws, whatever the opponent does: written
 * from what a table or a search knows, or by a rule that has a name.
 */
#include <string.h>

#include "tools/commands/commands.h"
#include "tools/commands/strategy_commands.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"

enum {
    DEFAULT_LOOK_AHEAD = 5,
    DEFAULT_WIDTH = 3,
};

static bool read_player(const char *text, void *to) {
    *(int *)to = plb_strategy_player_parse(text);
    return *(int *)to >= 0;
}

static bool read_choice(const char *text, void *to) {
    for (strategy_choice c = CHOOSE_FIRST; c <= CHOOSE_FEWEST; c++)
        if (strcmp(text, strategy_choice_text(c)) == 0) {
            *(strategy_choice *)to = c;
            return true;
        }
    return false;
}

static const argument_row rows[] = {
    OPERAND("SPEC|FILE", strategy_arguments, source, NULL),
    OPERANDS("NAME", strategy_arguments, names, 0),
    TEXT('o', "output", "OUT", strategy_arguments, output, "the file to write"),
    WORD('p', "player", "PLAYER", strategy_arguments, player, read_player, "first or second",
         "whose strategy: first or second (default: who wins)"),
    WORD('c', "choose", "WAY", strategy_arguments, choice, read_choice, "first, forcing or fewest",
         "which of the moves that keep the claim: first, forcing or fewest (fewest)"),
    NUMBER('w', "width", "N", strategy_arguments, width, 1, PLB_MAX_MOVES,
           "moves of a position that fewest compares (3)"),
    NUMBER('l', "look-ahead", "PLIES", strategy_arguments, look_ahead, 1, PLB_MOST_LOOK_AHEAD,
           "leave out what looking so far ahead finds, an odd number (5)"),
    SIZE('M', "memory", strategy_arguments, memory_bytes,
         "memory for positions, such as 512M (of a search 256M, by NAME 1G)"),
    FLAG('v', "verify", strategy_arguments, verify, "play the strategy of NAME against every line"),
    FLAG('f', "force", strategy_arguments, force,
         "replace OUT; try NAME where no theorem speaks of it"),
    JSON(strategy_arguments, json),
    {0}};
static const command_syntax syntax = {
    .operands = "SPEC|FILE [NAME]",
    .purpose =
        "Write a complete strategy: for every position that can arise when one player follows it, "
        "with him to move, the move by which he wins, or gets at least a draw.",
    .details =
        "FILE is a table, as written by `plybase build`, of any game; SPEC is a game of numbers, "
        "such as numeric-4x4, of which a search finds the moves, or with a NAME one of misere "
        "Connect-k, such as connect-7x6-k4-misere. The claim is a win if the player "
        "can force one, else a draw; a player who can force neither has no strategy.\n\nPositions "
        "that are images of each other are stored once. Where a rule gives the move nothing is "
        "stored: by looking a few plies ahead (a group that can be completed, two threats at once, "
        "with 5 plies more), where all moves but one lose at once, and for a draw where the "
        "opponent cannot win any more.\n\nOf the moves that keep the claim, first takes the first "
        "one, forcing the one that leaves the opponent the fewest moves, and fewest compares the "
        "most forcing ones and takes the one that adds the fewest positions to those that are "
        "stored already: it takes longer and writes less.\n\nOUT appears when it is complete; "
        "after an interruption nothing is written, and an OUT that was there stays as it was. "
        "Then it is played against every move of the opponent, as `plybase verify OUT` does "
        "again; probe, best and play take OUT like a table.\n\nWith the SPEC of a misere Connect-k "
        "alone the strategies are listed that the theory has for the board: who plays them, what "
        "they reach, after how many plies at most, and by which theorem of R. Steele and D. B. "
        "Larremore, Misere Connect Four is Solved. A NAME is one of take-even, delayed-take-even, "
        "take-other, tally, canonical and on-top, or delayed-as-written, which fails on some "
        "boards. With --verify it is played against every line, with all moves that the rule "
        "allows, and `holds: N positions, longest game L plies` is printed (positions are those "
        "with the opponent to move), or `fails after LINE: why`, and then the exit status is 1.",
    .rows = rows};

/* ---- the command ---- */

int command_strategy(int argc, char **argv) {
    strategy_arguments a = {.player = BOTH_PLAYERS,
                            .choice = CHOOSE_FEWEST,
                            .look_ahead = DEFAULT_LOOK_AHEAD,
                            .width = DEFAULT_WIDTH};
    parse_arguments(argc, argv, &syntax, &a);
    /* What rows cannot say. */
    bool is_named = a.names.count > 0;
    if (a.names.count > 1)
        fail_usage("one NAME at a time: '%.40s' is one too many", a.names.items[1]);
    if (is_named && is_strategy_source_file(a.source))
        fail_usage("a NAME goes with a SPEC, such as connect-7x6-k4-misere, not with a file");
    if (a.verify && !is_named) fail_usage("--verify needs the NAME of a strategy");
    if (a.verify && a.output) fail_usage("--verify and -o exclude each other: OUT is checked");
    if (!a.output && !is_named &&
        (is_strategy_source_file(a.source) || strncmp(a.source, "numeric", strlen("numeric")) == 0))
        fail_usage("an output is needed: -o OUT, such as -o numeric-4x4-second.plb");
    if (a.look_ahead % 2 == 0)
        fail_usage("--look-ahead %d: a player wins with a move of his own, so the number is odd",
                   a.look_ahead);
    if (!a.output) return end_output(show_named_strategies(&a));
    require_table_name(a.output, "strategy");
    return end_output(write_strategy_file(&a));
}
