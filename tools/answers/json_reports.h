/* SPDX-License-Identifier: MIT
 *
 * Whole answers as JSON objects, as json_answers.h has them, that are not a table's: what a search,
 * a verification and a forecast found. Every function returns a new reference, or NULL when memory
 * does not suffice.
 */
#ifndef PLB_TOOLS_ANSWERS_JSON_REPORTS_H
#define PLB_TOOLS_ANSWERS_JSON_REPORTS_H

#include "builder/forecast/forecast.h"
#include "tools/answers/json_answers.h"
#include "tools/search/forward_search.h"
#include "tools/search/number_search.h"
#include "tools/verify/strategy_check.h"
#include "tools/verify/verifier.h"

/* What a forward search found of a position. */
typedef struct searched_position {
    const char *board;
    char to_move;
    const forward_search_result *result;
    double seconds;
    bool has_distance; /* it was asked for */
} searched_position;

json_t *json_of_search(const searched_position *searched);

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

json_t *json_of_question(const answered_question *question);

/* A verification and what it was asked to do. */
typedef struct verification {
    const verify_report *report;
    int error;                  /* that it ended with */
    const plb_message *message; /* of the error */
    uint64_t search_nodes, seed;
    const char *file_digest; /* "": the file could not be read */
} verification;

json_t *json_of_verification(const verification *verification);

/* A strategy that was written. */
typedef struct written_strategy {
    const char *spec, *player, *claim, *choice;
    int look_ahead;
    uint64_t positions, size_bytes, nodes;
    int longest_plies; /* of the longest game */
    double seconds;
} written_strategy;

json_t *json_of_strategy(const written_strategy *strategy);

/* What the checker found of a strategy; message: of the error, or NULL. */
json_t *json_of_checked_strategy(const strategy_report *report, int error,
                                 const plb_message *message, double seconds);

/* A strategy that has a name, for one player of a board. */
typedef struct named_strategy_answer {
    const char *name, *player, *claim, *theorem, *rule;
    int most_plies;
} named_strategy_answer;

json_t *json_of_named_strategy(const named_strategy_answer *strategy);

/* Those of a board; takes the list. */
json_t *json_of_strategy_list(const char *spec, json_t *list);

/* What came of playing one against every line. */
typedef struct walked_strategy_answer {
    const char *spec;
    named_strategy_answer strategy;
    bool holds;
    uint64_t positions, immune_positions; /* immune: of an opponent who cannot lose; 0: not asked */
    int longest_plies;
    const char *line, *why; /* where it fails; NULL: it holds */
    double seconds;
} walked_strategy_answer;

json_t *json_of_walked_strategy(const walked_strategy_answer *walked);

/* Who wins misere Connect-3 in a ring of odd width, as json_of_search has it. */
json_t *json_of_ring(int width, bool second_wins, uint64_t nodes, double seconds);

/* A forecast, and what follows from it within a bound on memory. */
typedef struct forecast_answer {
    const char *spec;
    const plb_forecast *forecast;
    int plies, threads;
    double memory_bytes, held_bytes, scratch_bytes, seconds;
} forecast_answer;

json_t *json_of_forecast(const forecast_answer *answer);

#endif
