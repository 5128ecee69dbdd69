/* SPDX-License-Identifier: MIT
 *
 * The arguments of a command, as an array of rows: its operands (FILE, SPEC, POSITION...) in their
 * order, and its options. A row has the allowed values, the text for --help, and the field of the
 * command's struct that gets the value. If an option is not given, its field keeps its value.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/terminal/quantity.h"

enum { MAX_THREADS = 1024, MAX_ROWS = 32 };

#define MAX_NODES (1ULL << 62) /* a node limit that no search reaches */

typedef enum row_kind {
    ROW_END,
    ROW_OPERAND,     /* const char * */
    ROW_OPERANDS,    /* operand_list, the last operand of a command */
    ROW_FLAG,        /* bool */
    ROW_TEXT,        /* const char * */
    ROW_COUNT,       /* uint64_t */
    ROW_GIVEN_COUNT, /* given_count */
    ROW_NUMBER,      /* int */
    ROW_PARSED,      /* what the callback `parse` stores */
    ROW_CHOICE,      /* int or an enumeration: the number of the word in `expected`, from 0 */
    ROW_INCLUDED,    /* a struct with rows of its own */
} row_kind;

typedef struct argument_row argument_row;
struct argument_row {
    row_kind kind;
    char letter;       /* short option, distinct in a command; h is --help; 0: an operand */
    const char *name;  /* long option without dashes, or an operand in capitals */
    const char *value; /* name of the option's value in the help; NULL: it takes none */
    const char *help;  /* operand: NULL, or an example that follows its name in messages */
    size_t offset;     /* of the field in the command's struct */
    uint64_t min, max; /* of a count or number; min of ROW_OPERANDS: operands needed, 0 or 1 */
    bool (*parse)(const char *text, void *to); /* false: the text is not valid */
    const char *expected; /* valid values, for messages; of a choice, `first, forcing or fewest` */
    const char *implied;  /* value of the option if none is given; NULL: it needs one */
    const argument_row *rows; /* of ROW_INCLUDED */
};

/* One or more operands. */
typedef struct operand_list {
    char **items; /* [count] */
    int count;
} operand_list;

/* A count, and whether its option was given. */
typedef struct given_count {
    uint64_t count;
    bool given;
} given_count;

/* The offset of a field; does not compile if the field has another type than the row. */
/* NOLINTNEXTLINE(bugprone-macro-parentheses) */
#define ROW_FIELD(type, field, kind) _Generic(((type *)0)->field, kind : offsetof(type, field))

#define ARGUMENT(kind_, letter_, name_, value_, help_, ...)                                        \
    {                                                                                              \
        .kind = (kind_), .letter = (letter_), .name = (name_), .value = (value_), .help = (help_), \
        __VA_ARGS__                                                                                \
    }
#define OPERAND(name, type, field, example) \
    ARGUMENT(ROW_OPERAND, 0, name, NULL, example, .offset = ROW_FIELD(type, field, const char *))
#define OPERANDS(name, type, field, min_)                                                       \
    ARGUMENT(ROW_OPERANDS, 0, name, NULL, NULL, .offset = ROW_FIELD(type, field, operand_list), \
             .min = (min_))
#define FLAG(letter, name, type, field, help) \
    ARGUMENT(ROW_FLAG, letter, name, NULL, help, .offset = ROW_FIELD(type, field, bool))
#define TEXT(letter, name, value, type, field, help) \
    ARGUMENT(ROW_TEXT, letter, name, value, help, .offset = ROW_FIELD(type, field, const char *))
#define COUNT(letter, name, value, type, field, min_, max_, help)                              \
    ARGUMENT(ROW_COUNT, letter, name, value, help, .offset = ROW_FIELD(type, field, uint64_t), \
             .min = (min_), .max = (max_))
#define COUNT_IF_GIVEN(letter, name, value, type, field, min_, max_, help) \
    ARGUMENT(ROW_GIVEN_COUNT, letter, name, value, help,                   \
             .offset = ROW_FIELD(type, field, given_count), .min = (min_), .max = (max_))
#define NUMBER(letter, name, value, type, field, min_, max_, help)                         \
    ARGUMENT(ROW_NUMBER, letter, name, value, help, .offset = ROW_FIELD(type, field, int), \
             .min = (min_), .max = (max_))
#define SIZE(letter, name, type, field, help)                                                  \
    ARGUMENT(ROW_PARSED, letter, name, "SIZE", help, .offset = ROW_FIELD(type, field, double), \
             .parse = parse_size, .expected = "a size such as 512M or 8G")
#define SECONDS(letter, name, type, field, help)                                                  \
    ARGUMENT(ROW_PARSED, letter, name, "SECONDS", help, .offset = ROW_FIELD(type, field, double), \
             .parse = parse_seconds, .expected = "a time in seconds such as 10 or 0.5")
#define PARSED(letter, name, value, type, field, parse_, expected_, help)            \
    ARGUMENT(ROW_PARSED, letter, name, value, help, .offset = offsetof(type, field), \
             .parse = (parse_), .expected = (expected_))

/* The same, but the value may be left out: then it is `implied_`. */
#define PARSED_OR_IMPLIED(letter, name, value, type, field, parse_, expected_, implied_, help) \
    ARGUMENT(ROW_PARSED, letter, name, value, help, .offset = offsetof(type, field),           \
             .parse = (parse_), .expected = (expected_), .implied = (implied_))

#define CHOICE(letter, name, value, type, field, words, help)                        \
    ARGUMENT(ROW_CHOICE, letter, name, value, help, .offset = offsetof(type, field), \
             .expected = (words))

/* Include the rows of a struct that is a field of the command's; and rows of the same struct. */
#define INCLUDED(rows_, type, field) \
    { .kind = ROW_INCLUDED, .rows = (rows_), .offset = offsetof(type, field) }
#define ALL_OF(rows_) \
    { .kind = ROW_INCLUDED, .rows = (rows_) }

/* Options that many commands have. */
#define THREADS(type, field)                                 \
    NUMBER('t', "threads", "N", type, field, 1, MAX_THREADS, \
           "number of threads (default: one per processor)")
#define JSON(type, field) FLAG('j', "json", type, field, "print one JSON object")

typedef struct command_syntax {
    const char *operands;     /* as in `FILE POSITION...` */
    const char *purpose;      /* the first paragraph of the help */
    const char *details;      /* what follows the options, or NULL */
    const argument_row *rows; /* to one of kind ROW_END */
} command_syntax;

/* Parse argv into the command's struct. argv[0] is the full name of the command, such as `plybase
 * build`. For --help, print the help and exit with 0. For a wrong, repeated or missing argument,
 * print one sentence and exit with EXIT_USAGE. */
void parse_arguments(int argc, char **argv, const command_syntax *syntax, void *arguments);

/* The number of a word in a list such as `first, forcing or fewest`, from 0; -1: it has no such. */
int find_choice(const char *words, const char *text);

/* Is a word probably a misspelling of another one? They differ by one edit, or by two if `known`
 * has four letters or more. Case is ignored. */
bool resembles(const char *given, const char *known);

/* Print one sentence and exit with EXIT_USAGE, for mistakes that rows cannot describe. */
_Noreturn void fail_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
