/* SPDX-License-Identifier: MIT
 *
 * libedit does the editing and keeps the history.
 */
#include "tools/terminal/line_input.h"

#include <editline/readline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tables/games/notation.h"

bool terminal_has_escapes(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

bool terminal_takes_colour(void) {
    const char *none = getenv("NO_COLOR");
    return terminal_has_escapes() && !(none && *none);
}

line_input open_line_input(void) {
    line_input input = {.prompts = isatty(STDIN_FILENO)};
    input.edits = input.prompts && terminal_has_escapes();
    if (input.edits) using_history();
    return input;
}

void close_line_input(line_input *input) {
    if (input->edits) clear_history();
    free(input->line);
}

char *read_line(line_input *input, const char *prompt) {
    if (input->prompts && !input->edits) fputs(prompt, stdout);
    if (fflush(stdout) != 0) return NULL;
    char *line = NULL;
    if (input->edits) {
        free(input->line);
        line = input->line = readline(prompt);
        if (line && *line) add_history(line);
    } else if (getline(&input->line, &input->capacity, stdin) >= 0) {
        input->line[strcspn(input->line, "\n")] = 0;
        line = input->line + (plb_notation_skip_mark(input->line) - input->line);
    }
    if (!line && input->prompts) putchar('\n');
    return line;
}
