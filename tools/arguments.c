/* SPDX-License-Identifier: MIT */
#include "tools/arguments.h"

#include "tools/command.h"

static error_t parse_file(int key, char *value, struct argp_state *state) {
    const char **file = state->input;
    switch (key) {
        case ARGP_KEY_ARG:
            if (*file) argp_error(state, "one FILE only, '%s' is one too many", value);
            *file = value;
            return 0;
        case ARGP_KEY_END:
            if (!*file) argp_error(state, "which FILE?");
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

const struct argp file_argument_parser = {.parser = parse_file};
const struct argp_child file_argument_child[] = {{&file_argument_parser, 0, NULL, 0}, {0}};

uint64_t take_count(const char *option, const char *text, uint64_t least, uint64_t most,
                    struct argp_state *state) {
    uint64_t count = 0;
    if (!parse_count(text, least, most, &count))
        argp_error(state, "--%s %s: a number from %llu to %llu is needed", option, text,
                   (unsigned long long)least, (unsigned long long)most);
    return count;
}
