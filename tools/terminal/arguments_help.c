/* SPDX-License-Identifier: MIT
 *
 * The help of a command, from the rows of its arguments.
 */
#include <stdio.h>
#include <string.h>

#include "tools/terminal/arguments.h"

enum { LINE_END = 79, HELP_COLUMN = 29 };

static void begin_line(int *column, int indent) {
    printf("\n%*s", indent, "");
    *column = indent;
}

/* Print words from a column on, the lines after the first one with an indent; a line end in the
 * text is kept. */
static void print_wrapped(const char *text, int column, int indent) {
    bool first = true;
    while (*text) {
        int length = (int)strcspn(text, " \n");
        if (!first && column + 1 + length > LINE_END) begin_line(&column, indent), first = true;
        column += printf(first ? "%.*s" : " %.*s", length, text);
        first = false;
        text += length;
        for (; *text == '\n'; text++) begin_line(&column, indent), first = true;
        if (*text == ' ') text++;
    }
    putchar('\n');
}

static void print_option(char letter, const char *name, const char *value, const char *help) {
    int column = printf("  -%c, --%s%s%s", letter, name, value ? "=" : "", value ? value : "");
    if (column >= HELP_COLUMN - 1) {
        putchar('\n');
        column = 0;
    }
    printf("%*s", HELP_COLUMN - column, "");
    print_wrapped(help, HELP_COLUMN, HELP_COLUMN);
}

void print_command_help(const char *command, const command_syntax *syntax, const bound_row *rows,
                        int count) {
    printf("Usage: %s [OPTION...]%s%s\n", command, *syntax->operands ? " " : "", syntax->operands);
    print_wrapped(syntax->purpose, 0, 0);
    putchar('\n');
    for (int r = 0; r < count; r++) {
        const argument_row *row = rows[r].row;
        if (row->letter) print_option(row->letter, row->name, row->value, row->help);
    }
    print_option('h', "help", NULL, "show this help and exit");
    if (!syntax->details) return;
    putchar('\n');
    print_wrapped(syntax->details, 0, 0);
}
