/* SPDX-License-Identifier: MIT
 *
 * Reports of commands as JSON: what a search, a verification, a count or a forecast found. Each
 * function prints one object as a line to the standard output.
 */
#ifndef PLB_TOOLS_ANSWERS_JSON_REPORTS_H
#define PLB_TOOLS_ANSWERS_JSON_REPORTS_H

#include "builder/forecast/forecast.h"
#include "tables/count/position_count.h"
#include "tools/search/forward_search.h"
#include "tools/search/number_search.h"
#include "tools/verify/strategy_check.h"
#include "tools/verify/verifier.h"

/* What a forward search found of a position. */
typedef struct searched_position {
    const char *spec; /* NULL: is not told */
    const char *board;
    char to_move;
    const forward_search_result *result;
    double seconds;
    bool has_distance; /* it was asked for */
} searched_position;

void print_json_search(const searched_position *searched);

/* Whether a player of a game of numbers can force a win. */
typedef struct answered_question {
    const char *board;
    char to_move;
    const char *question; /* who shall win: first, second */
    int by;               /* ply; 0: whenever */
    int depths;           /* of the result that are told */
    const number_result *result;
    double seconds;
} answered_question;

void print_json_question(const answered_question *question);

/* A verification and what it was asked to do. */
typedef struct verification {
    const verify_report *report;
    int error;                  /* that it ended with */
    const plb_message *message; /* of the error */
    uint64_t search_nodes, seed;
    const char *file_digest; /* "": the file could not be read */
} verification;

void print_json_verification(const verification *verification);

/* A strategy that was written. */
typedef struct written_strategy {
    const char *spec, *player, *claim, *choice;
    int look_ahead;
    uint64_t positions, size_bytes, nodes;
    int longest_plies; /* of the longest game */
    double seconds;
} written_strategy;

void print_json_strategy(const written_strategy *strategy);

/* What the check of a strategy found; message: of the error, or NULL. */
void print_json_strategy_check(const strategy_report *report, int error, const plb_message *message,
                               double seconds);

/* A strategy that has a name, for one player of a board. */
typedef struct named_strategy_answer {
    const char *name, *player, *claim, *theorem, *rule;
    int most_plies;
} named_strategy_answer;

/* Those of a board, [count]. */
void print_json_strategy_list(const char *spec, const named_strategy_answer *list, int count);

/* What was found by playing one against every line. */
typedef struct walked_strategy_answer {
    const char *spec;
    named_strategy_answer strategy;
    bool holds;
    uint64_t positions, immune_positions; /* immune: against one who cannot lose; 0: not asked */
    int longest_plies;
    const char *line, *why; /* where it fails; NULL: it holds */
    double seconds;
} walked_strategy_answer;

void print_json_walked_strategy(const walked_strategy_answer *walked);

/* Who wins misere Connect-3 in a ring of odd width, in the form of print_json_search. */
void print_json_ring(int width, bool second_wins, uint64_t nodes, double seconds);

/* A forecast, and what follows from it for a bound on memory. */
typedef struct forecast_answer {
    const char *spec;
    const plb_forecast *forecast;
    int plies, threads;
    bool fits; /* into memory and disk; else it has no time */
    double memory_bytes, held_bytes, scratch_bytes, seconds;
} forecast_answer;

void print_json_forecast(const forecast_answer *answer);

/* The counts of a board. */
typedef struct counted_board {
    const char *spec;
    const plb_position_counts *counts;
    uint64_t published; /* the total as others have published it; 0: none is */
    double seconds;     /* of processor time */
} counted_board;

/* The sums, and with `plies` the counts of each ply. */
void print_json_counts(const counted_board *board, bool plies);

#endif
