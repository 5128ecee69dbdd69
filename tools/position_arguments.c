/* SPDX-License-Identifier: MIT
 *
 * Arguments that name positions.
 */
#include "tools/position_arguments.h"

static error_t parse_option(int key, char *value, struct argp_state *state) {
    position_arguments *a = state->input;
    switch (key) {
        case 'm':
            a->moves = true;
            return 0;
        case 'j':
            a->json = true;
            return 0;
        case ARGP_KEY_ARG:
            if (a->source) return ARGP_ERR_UNKNOWN; /* the rest comes as ARGP_KEY_ARGS */
            a->source = value;
            return 0;
        case ARGP_KEY_ARGS:
            a->positions = state->argv + state->next;
            a->count = state->argc - state->next;
            return 0;
        case ARGP_KEY_END:
            if (!a->count)
                argp_error(state, "%s needed", a->source ? "a POSITION is" : "two arguments are");
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"moves", 'm', NULL, 0, "positions are sequences of moves, not boards", 0},
    {"json", 'j', NULL, 0, "print one JSON object per position", 0},
    {0}};
const struct argp position_arguments_parser = {.options = options, .parser = parse_option};
