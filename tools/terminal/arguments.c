/* SPDX-License-Identifier: MIT
 *
 * Arguments are read by getopt_long, whose tables are made from the rows; what it refuses is
 * reported in sentences of our own, which name what would be right.
 */
#include "tools/terminal/arguments.h"

#include <assert.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/terminal/console.h"
#include "tools/terminal/quantity.h"

/* Rows of a command, with those of its parts, and where their values go. */
typedef struct bound_row {
    const argument_row *row;
    char *to;
} bound_row;

typedef struct parser {
    const char *command;
    const command_syntax *syntax;
    bound_row rows[MOST_ROWS]; /* [count] */
    int count;
    char letters[2 * MOST_ROWS + 4]; /* for getopt_long */
    struct option options[MOST_ROWS + 2];
} parser;

void fail_usage(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprint_error(format, arguments);
    va_end(arguments);
    exit(EXIT_USAGE);
}

/* ---- rows ---- */

static void bind_rows(parser *p, const argument_row *rows, char *to) {
    for (const argument_row *row = rows; row->kind != ROW_END; row++) {
        if (row->kind == ROW_INCLUDED)
            bind_rows(p, row->rows, to + row->offset);
        else
            p->rows[p->count++] = (bound_row){row, to + row->offset};
        assert(p->count <= MOST_ROWS);
    }
}

static const bound_row *find_option(const parser *p, int letter) {
    for (int r = 0; r < p->count; r++)
        if (p->rows[r].row->letter == letter && letter) return &p->rows[r];
    return NULL;
}

/* ---- options ---- */

/* The long options that begin with what stands after the dashes, as a sentence has them. */
static bool list_meant(const parser *p, const char *argument, char text[256]) {
    size_t length = strcspn(argument, "=");
    *text = 0;
    for (int r = 0; r < p->count; r++) {
        const argument_row *row = p->rows[r].row;
        if (!row->letter || length < 3 || strncmp(row->name, argument + 2, length - 2) != 0)
            continue;
        size_t used = strlen(text);
        snprintf(text + used, 256 - used, "%s--%s", used ? " or " : "", row->name);
    }
    return *text;
}

/* getopt_long has refused an argument: why is '?' or ':'; optopt is the letter of an option that
 * is known by its letter or whose value is wrong, else 0. */
static _Noreturn void fail_option(const parser *p, int why, const char *argument) {
    const bound_row *known = find_option(p, optopt);
    char letter[3] = {'-', (char)optopt, 0}, meant[256];
    if (known && why == ':')
        fail_usage("--%s needs a value: --%s=%s", known->row->name, known->row->name,
                   known->row->value);
    if (known || optopt == 'h')
        fail_usage("%s: this option takes no value: --%s", argument,
                   known ? known->row->name : "help");
    if (!optopt && list_meant(p, argument, meant)) fail_usage("%s may mean %s", argument, meant);
    fail_usage("there is no option %s; %s --help lists them", optopt ? letter : argument,
               p->command);
}

static void store_value(const bound_row *bound, const char *given) {
    const argument_row *row = bound->row;
    void *to = bound->to;
    const char *text = given && !*given ? "''" : given; /* an empty value is none but of a text */
    switch (row->kind) {
        case ROW_FLAG:
            *(bool *)to = true;
            break;
        case ROW_TEXT:
            *(const char **)to = given;
            break;
        case ROW_SIZE:
            if (!parse_size(text, to))
                fail_usage("--%s %s: a size such as 512M or 8G is needed", row->name, text);
            break;
        case ROW_SECONDS:
            if (!parse_seconds(text, to))
                fail_usage("--%s %s: a time in seconds such as 10 or 0.5 is needed", row->name,
                           text);
            break;
        case ROW_WORD:
            if (!row->parse(text, to))
                fail_usage("--%s %s: %s is needed", row->name, text, row->needed);
            break;
        default: {
            uint64_t count = 0;
            char range[64] = "on";
            if (row->most < MOST_NODES)
                snprintf(range, sizeof range, "to %llu", (unsigned long long)row->most);
            if (!parse_count(text, row->least, row->most, &count))
                fail_usage("--%s %s: a number from %llu %s is needed", row->name, text,
                           (unsigned long long)row->least, range);
            if (row->kind == ROW_NUMBER)
                *(int *)to = (int)count;
            else if (row->kind == ROW_COUNT)
                *(uint64_t *)to = count;
            else
                *(given_count *)to = (given_count){count, true};
        }
    }
}

/* ---- help ---- */

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

static void print_help(const char *command, const command_syntax *syntax, const bound_row *rows,
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

static void show_help(const parser *p) {
    print_help(p->command, p->syntax, p->rows, p->count);
    exit(end_output(EXIT_GOOD));
}

static void take_options(parser *p, int argc, char **argv) {
    opterr = 0;
    for (;;) {
        int letter = getopt_long(argc, argv, p->letters, p->options, NULL);
        if (letter == -1) return;
        if (letter == 'h') show_help(p);
        if (letter == '?' || letter == ':') fail_option(p, letter, argv[optind - 1]);
        store_value(find_option(p, letter), optarg);
    }
}

/* ---- operands ---- */

/* Name the operands that are missing. */
static _Noreturn void fail_missing(const parser *p, int first) {
    char missing[256] = "";
    int count = 0;
    for (int r = first; r < p->count; r++) {
        const argument_row *row = p->rows[r].row;
        bool list = row->kind == ROW_OPERANDS;
        if (list ? row->least == 0 : row->kind != ROW_OPERAND) continue;
        snprintf(missing + strlen(missing), sizeof missing - strlen(missing), "%s%s %s%s%s",
                 count++ ? " and " : "", list ? "at least one" : "a", row->name,
                 row->help ? " " : "", row->help ? row->help : "");
    }
    fail_usage("%s %s needed: %s %s", missing, count > 1 ? "are" : "is", p->command,
               p->syntax->operands);
}

void parse_arguments(int argc, char **argv, const command_syntax *syntax, void *arguments) {
    parser p = {.command = argv[0], .syntax = syntax};
    bind_rows(&p, syntax->rows, arguments);
    struct option *option = p.options;
    char *letters = stpcpy(p.letters, ":h"); /* `:`: a missing value is not an unknown option */
    for (int r = 0; r < p.count; r++) {
        const argument_row *row = p.rows[r].row;
        if (!row->letter) continue;
        *option++ = (struct option){row->name, row->value ? required_argument : no_argument, NULL,
                                    row->letter};
        *letters++ = row->letter;
        if (row->value) *letters++ = ':';
    }
    *option = (struct option){"help", no_argument, NULL, 'h'};
    take_options(&p, argc, argv);
    char **operands = argv + optind;
    int count = argc - optind;
    for (int r = 0; r < p.count; r++) {
        row_kind kind = p.rows[r].row->kind;
        if (kind != ROW_OPERAND && kind != ROW_OPERANDS) continue;
        if (count == 0 && kind == ROW_OPERANDS && p.rows[r].row->least == 0) continue;
        if (count == 0) fail_missing(&p, r);
        if (kind == ROW_OPERAND) {
            *(char **)p.rows[r].to = *operands++;
            count--;
        } else {
            *(operand_list *)p.rows[r].to = (operand_list){operands, count};
            count = 0;
        }
    }
    if (count)
        fail_usage("'%s' is one argument too many: %s %s", *operands, p.command,
                   p.syntax->operands);
}
