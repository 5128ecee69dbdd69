/* SPDX-License-Identifier: MIT
 *
 * The arguments of a command as rows of a table: its operands (FILE, SPEC, POSITION...) in their
 * order, and its options. A row has the allowed values, the text for --help, and the field of the
 * command's struct in which the value is stored. A field whose option is not given keeps its value.
 */
#ifndef PLB_TOOLS_TERMINAL_ARGUMENTS_H
#define PLB_TOOLS_TERMINAL_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_THREADS = 1024, MAX_ROWS = 32 };

/* Of searches: a number that is never reached. */
#define MAX_NODES (1ULL << 62)

typedef enum row_kind {
    ROW_END,
    ROW_OPERAND,     /* const char * */
    ROW_OPERANDS,    /* operand_list, the last operand of a command */
    ROW_FLAG,        /* bool */
    ROW_TEXT,        /* const char * */
    ROW_COUNT,       /* uint64_t */
    ROW_GIVEN_COUNT, /* given_count */
    ROW_NUMBER,      /* int */
    ROW_SIZE,        /* double, bytes; see parse_size */
    ROW_SECONDS,     /* double */
    ROW_WORD,        /* what `parse` stores */
    ROW_CHOICE,      /* int or an enumeration: which of the words that are right, from 0 */
    ROW_INCLUDED,    /* the field, with rows of its own */
} row_kind;

typedef struct argument_row argument_row;
struct argument_row {
    row_kind kind;
    char letter;       /* of an option, distinct in a command; h is --help */
    const char *name;  /* of an option without dashes, of an operand in capitals */
    const char *value; /* of an option that takes one: its name in the help */
    const char *help;  /* of an operand: an example, to follow its name, or NULL */
    size_t offset;
    uint64_t least, most; /* of counts and numbers; least of a list: 0 or 1 operands */
    bool (*parse)(const char *text, void *to);
    const char
        *needed; /* of a word: which are right; of a choice: as in `first, forcing or fewest` */
    const char *alone; /* what an option without its value means; NULL: it needs one */
    const argument_row *rows;
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

/* The offset of a field, if it has the type of the row, which takes no parentheses. */
/* NOLINTNEXTLINE(bugprone-macro-parentheses) */
#define ROW_FIELD(type, field, kind) _Generic(((type *)0)->field, kind : offsetof(type, field))

#define OPERAND(name_, type, field, example)                     \
    {                                                            \
        .kind = ROW_OPERAND, .name = (name_), .help = (example), \
        .offset = ROW_FIELD(type, field, const char *)           \
    }
#define OPERANDS(name_, type, field, least_)                                                   \
    {                                                                                          \
        .kind = ROW_OPERANDS, .name = (name_), .offset = ROW_FIELD(type, field, operand_list), \
        .least = (least_)                                                                      \
    }
#define OPTION(kind_, letter_, name_, value_, offset_, help_)                                      \
    .kind = (kind_), .letter = (letter_), .name = (name_), .value = (value_), .offset = (offset_), \
    .help = (help_)
#define FLAG(letter, name, type, field, help) \
    { OPTION(ROW_FLAG, letter, name, NULL, ROW_FIELD(type, field, bool), help) }
#define TEXT(letter, name, value, type, field, help) \
    { OPTION(ROW_TEXT, letter, name, value, ROW_FIELD(type, field, const char *), help) }
#define COUNT(letter, name, value, type, field, least_, most_, help)                    \
    {                                                                                   \
        OPTION(ROW_COUNT, letter, name, value, ROW_FIELD(type, field, uint64_t), help), \
            .least = (least_), .most = (most_)                                          \
    }
#define COUNT_IF_GIVEN(letter, name, value, type, field, least_, most_, help)                    \
    {                                                                                            \
        OPTION(ROW_GIVEN_COUNT, letter, name, value, ROW_FIELD(type, field, given_count), help), \
            .least = (least_), .most = (most_)                                                   \
    }
#define NUMBER(letter, name, value, type, field, least_, most_, help)               \
    {                                                                               \
        OPTION(ROW_NUMBER, letter, name, value, ROW_FIELD(type, field, int), help), \
            .least = (least_), .most = (most_)                                      \
    }
#define SIZE(letter, name, type, field, help) \
    { OPTION(ROW_SIZE, letter, name, "SIZE", ROW_FIELD(type, field, double), help) }
#define SECONDS(letter, name, type, field, help) \
    { OPTION(ROW_SECONDS, letter, name, "SECONDS", ROW_FIELD(type, field, double), help) }
#define WORD(letter, name, value, type, field, parse_, needed_, help)                           \
    {                                                                                           \
        OPTION(ROW_WORD, letter, name, value, offsetof(type, field), help), .parse = (parse_),  \
                                                                            .needed = (needed_) \
    }

/* The same, and the value may be left out, which means `alone_`. */
#define WORD_OR_ALONE(letter, name, value, type, field, parse_, needed_, alone_, help) \
    {                                                                                  \
        OPTION(ROW_WORD, letter, name, value, offsetof(type, field), help),            \
            .parse = (parse_), .needed = (needed_), .alone = (alone_)                  \
    }

#define CHOICE(letter, name, value, type, field, words, help) \
    { OPTION(ROW_CHOICE, letter, name, value, offsetof(type, field), help), .needed = (words) }

/* Rows of a struct that is part of the command's, and rows of the same struct. */
#define INCLUDED(rows_, type, field) \
    { .kind = ROW_INCLUDED, .rows = (rows_), .offset = offsetof(type, field) }
#define ALL_OF(rows_) \
    { .kind = ROW_INCLUDED, .rows = (rows_) }

/* An option that many commands have. */
#define THREADS(type, field)                                 \
    NUMBER('t', "threads", "N", type, field, 1, MAX_THREADS, \
           "threads that work (default: one per processor)")
#define JSON(type, field) FLAG('j', "json", type, field, "print one JSON object")

typedef struct command_syntax {
    const char *operands;     /* as in `FILE POSITION...` */
    const char *purpose;      /* the first paragraph of the help */
    const char *details;      /* what follows the options, or NULL */
    const argument_row *rows; /* to one of kind ROW_END */
} command_syntax;

/* Fill in the command's struct from argv, in which an option stands once at most, whose first item
 * is the command's full name, such as `plybase build`. Prints the help and ends the process with 0
 * where that is asked for; ends it with EXIT_USAGE and one sentence where something is wrong or
 * missing. */
void parse_arguments(int argc, char **argv, const command_syntax *syntax, void *arguments);

/* Which of some words, as in `first, forcing or fewest`, is a text? -1: none of them. */
int find_choice(const char *words, const char *text);

/* May a word be a slip for another one? By one edit, or two if it is not short; case is none. */
bool resembles(const char *given, const char *known);

/* End the process as parse_arguments does: for mistakes that rows cannot describe. */
_Noreturn void fail_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
