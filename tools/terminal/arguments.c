/* SPDX-License-Identifier: MIT
 *
 * getopt_long reads the arguments, with tables made from the rows. It prints no messages; those
 * here also say what would be right.
 */
#include "tools/terminal/arguments.h"

#include <assert.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/terminal/console.h"

/* A row, and the field where its value goes. */
typedef struct bound_row {
    const argument_row *row;
    char *to;
    bool given; /* the option was given */
} bound_row;

typedef struct parser {
    const char *command;
    const command_syntax *syntax;
    bound_row rows[MAX_ROWS]; /* [count], with those of included structs */
    int count;
    char letters[3 * MAX_ROWS + 4]; /* for getopt_long */
    struct option options[MAX_ROWS + 2];
} parser;

void fail_usage(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprint_error(format, arguments);
    va_end(arguments);
    exit(EXIT_USAGE);
}

bool resembles(const char *given, const char *known) {
    enum { MAX = 24 };
    int row[MAX + 1] = {0}, m = (int)strlen(known), n = (int)strlen(given);
    if (m > MAX || n > MAX) return false;
    for (int k = 0; k <= m; k++) row[k] = k; /* edits from nothing to k letters of `known` */
    for (int g = 0; g < n; g++) {
        int diagonal = row[0]++;
        for (int k = 0; k < m; k++) {
            int best = diagonal + ((given[g] | 0x20) != (known[k] | 0x20));
            diagonal = row[k + 1];
            if (best > row[k] + 1) best = row[k] + 1;
            if (best > diagonal + 1) best = diagonal + 1;
            row[k + 1] = best;
        }
    }
    return row[m] <= (m < 4 ? 1 : 2) && row[m] < m - 1;
}

/* ---- rows ---- */

static void bind_rows(parser *p, const argument_row *rows, char *to) {
    for (const argument_row *row = rows; row->kind != ROW_END; row++) {
        if (row->kind == ROW_INCLUDED)
            bind_rows(p, row->rows, to + row->offset);
        else
            p->rows[p->count++] = (bound_row){.row = row, .to = to + row->offset};
        assert(p->count <= MAX_ROWS);
    }
}

static bound_row *find_option(parser *p, int letter) {
    for (int r = 0; r < p->count; r++)
        if (p->rows[r].row->letter == letter && letter) return &p->rows[r];
    return NULL;
}

/* ---- options ---- */

/* The name of an option in other programs, and its name here. */
static const char *const other_names[][2] = {{"dtm", "values=dtm"},
                                             {"j", "threads"},
                                             {"jobs", "threads"},
                                             {"out", "output"},
                                             {"port", "listen"}};

/* The option that the user probably meant by an unknown one, perhaps with a value; or NULL. */
static const char *guess_option(const parser *p, const char *given) {
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(given, "="), given);
    for (size_t n = 0; n < sizeof other_names / sizeof *other_names; n++)
        for (int r = 0; r < p->count && strcmp(name, other_names[n][0]) == 0; r++) {
            const char *here = other_names[n][1];
            const argument_row *row = p->rows[r].row;
            if (row->letter && strncmp(here, row->name, strlen(row->name)) == 0) return here;
        }
    for (int r = 0; r < p->count; r++)
        if (p->rows[r].row->letter && resembles(name, p->rows[r].row->name))
            return p->rows[r].row->name;
    return NULL;
}

/* Report an argument that getopt_long has refused. why: what it returned, '?' or ':'. optopt is the
 * letter of a short option, or of a long one whose value is wrong or missing; otherwise 0. */
static _Noreturn void fail_option(parser *p, int why, const char *argument) {
    const bound_row *known = find_option(p, optopt);
    char letter[3] = {'-', (char)optopt, 0}, meant[256];
    if (known && why == ':')
        fail_usage("--%s needs a value: --%s=%s", known->row->name, known->row->name,
                   known->row->value);
    if (known || optopt == 'h')
        fail_usage("%s: this option takes no value: --%s", argument,
                   known ? known->row->name : "help");
    /* The long options of which the argument is a prefix, joined by "or". */
    size_t length = strcspn(argument, "=");
    *meant = 0;
    for (int r = 0; r < p->count && !optopt; r++) {
        const argument_row *row = p->rows[r].row;
        if (!row->letter || length < 3 || strncmp(row->name, argument + 2, length - 2) != 0)
            continue;
        size_t used = strlen(meant);
        snprintf(meant + used, sizeof meant - used, "%s--%s", used ? " or " : "", row->name);
    }
    if (*meant) fail_usage("%s may mean %s", argument, meant);
    const char *guess = guess_option(p, optopt ? letter + 1 : argument + 2);
    fail_usage("there is no option %s; %s%s%s%s --help lists them", optopt ? letter : argument,
               guess ? "did you mean --" : "", guess ? guess : "", guess ? "? " : "", p->command);
}

int find_choice(const char *words, const char *text) {
    size_t length = strlen(text);
    for (int number = 0; *words; number++) {
        size_t word = strcspn(words, ", ");
        if (word == length && memcmp(words, text, length) == 0) return number;
        words += word + strspn(words + word, ", ");
        if (strncmp(words, "or ", strlen("or ")) == 0) words += strlen("or ");
    }
    return -1;
}

static void store_value(bound_row *bound, const char *given) {
    const argument_row *row = bound->row;
    if (bound->given) fail_usage("--%s is given twice", row->name);
    bound->given = true;
    void *to = bound->to;
    if (!given) given = row->implied ? row->implied : ""; /* a flag has no value */
    const char *text = *given ? given : "''"; /* an empty value is valid for ROW_TEXT only */
    switch (row->kind) {
        case ROW_FLAG:
            *(bool *)to = true;
            break;
        case ROW_TEXT:
            *(const char **)to = given;
            break;
        case ROW_CHOICE: {
            int choice = find_choice(row->expected, text);
            if (choice < 0) fail_usage("--%s %s: %s is needed", row->name, text, row->expected);
            *(int *)to = choice;
            break;
        }
        case ROW_PARSED:
            if (!row->parse(text, to))
                fail_usage("--%s %s: %s is needed", row->name, text, row->expected);
            break;
        default: {
            uint64_t count = 0;
            char range[64] = "on", min[32], max[32];
            if (row->max < MAX_NODES)
                snprintf(range, sizeof range, "to %s", format_count(row->max, max));
            if (!parse_written_count(text, &count) || count < row->min || count > row->max)
                fail_usage("--%s %s: a number from %s %s is needed", row->name, text,
                           format_count(row->min, min), range);
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

/* Print a text that begins at a column, wrapped at LINE_END; further lines are indented. Line ends
 * in the text are kept. */
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

static void print_option(char letter, const char *name, const char *value, bool is_optional,
                         const char *help) {
    int column = printf("  -%c, --%s%s%s%s%s", letter, name, is_optional ? "[" : "",
                        value ? "=" : "", value ? value : "", is_optional ? "]" : "");
    if (column >= HELP_COLUMN - 1) {
        putchar('\n');
        column = 0;
    }
    printf("%*s", HELP_COLUMN - column, "");
    print_wrapped(help, HELP_COLUMN, HELP_COLUMN);
}

static void print_help(const parser *p) {
    const command_syntax *syntax = p->syntax;
    printf("Usage: %s [OPTION...]%s%s\n", p->command, *syntax->operands ? " " : "",
           syntax->operands);
    print_wrapped(syntax->purpose, 0, 0);
    putchar('\n');
    for (int r = 0; r < p->count; r++) {
        const argument_row *row = p->rows[r].row;
        if (row->letter) print_option(row->letter, row->name, row->value, row->implied, row->help);
    }
    print_option('h', "help", NULL, false, "show this help and exit");
    if (!syntax->details) return;
    putchar('\n');
    print_wrapped(syntax->details, 0, 0);
}

static void take_options(parser *p, int argc, char **argv) {
    opterr = 0;
    /* Refuse a long option with one dash: getopt would read -ply as option p with the value ly. */
    for (int a = 1; a < argc && strcmp(argv[a], "--") != 0; a++) {
        size_t length = strcspn(argv[a], "=");
        if (length < 4 || argv[a][0] != '-' || argv[a][1] == '-') continue;
        for (int r = 0; r < p->count; r++) {
            const argument_row *row = p->rows[r].row;
            if (row->letter && strlen(row->name) == length - 1 &&
                strncmp(row->name, argv[a] + 1, length - 1) == 0)
                fail_usage("%s: an option of several letters has two dashes: -%s", argv[a],
                           argv[a]);
        }
    }
    for (;;) {
        int letter = getopt_long(argc, argv, p->letters, p->options, NULL);
        if (letter == -1) return;
        if (letter == 'h') {
            print_help(p);
            exit(end_output(EXIT_GOOD));
        }
        if (letter == '?' || letter == ':') fail_option(p, letter, argv[optind - 1]);
        store_value(find_option(p, letter), optarg);
    }
}

/* ---- operands ---- */

/* Name the missing operands, those from row `first` on, and the value that the last one before it
 * got. */
static _Noreturn void fail_missing(const parser *p, int first) {
    char missing[256] = "", taken[256] = "";
    int count = 0;
    for (int r = first; r < p->count; r++) {
        const argument_row *row = p->rows[r].row;
        bool list = row->kind == ROW_OPERANDS;
        if (list ? row->min == 0 : row->kind != ROW_OPERAND) continue;
        snprintf(missing + strlen(missing), sizeof missing - strlen(missing), "%s%s %s%s%s",
                 count++ ? " and " : "", list ? "at least one" : "a", row->name,
                 row->help ? " " : "", row->help ? row->help : "");
    }
    for (int r = 0; r < first; r++)
        if (p->rows[r].row->kind == ROW_OPERAND)
            snprintf(taken, sizeof taken, " (%s is %.100s)", p->rows[r].row->name,
                     *(char **)p->rows[r].to);
    fail_usage("%s %s needed: %s %s%s", missing, count > 1 ? "are" : "is", p->command,
               p->syntax->operands, taken);
}

void parse_arguments(int argc, char **argv, const command_syntax *syntax, void *arguments) {
    parser p = {.command = argv[0], .syntax = syntax};
    bind_rows(&p, syntax->rows, arguments);
    struct option *option = p.options;
    char *letters = stpcpy(p.letters, ":h"); /* with `:`, getopt returns ':' for a missing value */
    for (int r = 0; r < p.count; r++) {
        const argument_row *row = p.rows[r].row;
        if (!row->letter) continue;
        int takes = !row->value    ? no_argument
                    : row->implied ? optional_argument
                                   : required_argument;
        *option++ = (struct option){row->name, takes, NULL, row->letter};
        *letters++ = row->letter;
        for (int colon = 0; colon < takes; colon++) *letters++ = ':';
    }
    *option = (struct option){"help", no_argument, NULL, 'h'};
    take_options(&p, argc, argv);
    char **operands = argv + optind;
    int count = argc - optind;
    for (int r = 0; r < p.count; r++) {
        row_kind kind = p.rows[r].row->kind;
        if (kind != ROW_OPERAND && kind != ROW_OPERANDS) continue;
        if (count == 0 && kind == ROW_OPERANDS && p.rows[r].row->min == 0) continue;
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
        fail_usage("'%s' is one argument too many: %s%s%s", *operands, p.command,
                   *p.syntax->operands ? " " : "", p.syntax->operands);
}
