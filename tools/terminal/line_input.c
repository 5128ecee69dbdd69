/* SPDX-License-Identifier: MIT
 *
 * libedit does the editing and keeps the history. It is loaded only when it is needed: it and the
 * three libraries that it needs would slow down the start of every command.
 */
#include "tools/terminal/line_input.h"

#include <dlfcn.h>
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

static void load_editor(line_input *input) {
    void *library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL); /* Debian's name */
    if (!library) library = dlopen("libedit.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    *(void **)&input->add_history = dlsym(library, "add_history");
    if (input->add_history) *(void **)&input->edit = dlsym(library, "readline");
}

line_input open_line_input(void) {
    line_input input = {.prompts = isatty(STDIN_FILENO)};
    if (input.prompts && terminal_has_escapes()) load_editor(&input);
    return input;
}

void close_line_input(line_input *input) {
    free(input->line);
}

char *read_line(line_input *input, const char *prompt) {
    if (input->prompts && !input->edit) fputs(prompt, stdout);
    if (fflush(stdout) != 0) return NULL;
    char *line = NULL;
    if (input->edit) {
        free(input->line);
        line = input->line = input->edit(prompt);
        if (line && *line) input->add_history(line);
    } else if (getline(&input->line, &input->capacity, stdin) >= 0) {
        input->line[strcspn(input->line, "\n")] = 0;
        line = input->line + (plb_notation_skip_mark(input->line) - input->line);
    }
    if (!line && input->prompts) putchar('\n');
    return line;
}
