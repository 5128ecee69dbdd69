/* SPDX-License-Identifier: MIT
 *
 * How a failure is reported inside the project: an error code and one sentence.
 */
#ifndef PLB_TABLES_MESSAGE_H
#define PLB_TABLES_MESSAGE_H

#include "tables/vocabulary.h"

/* Write a sentence into message (NULL is allowed) and return error, so that a failing function
 * can end with `return plb_fail(message, PLB_ESPEC, "...", ...)`. It is one line of plain text
 * (plb_text_is_plain). Where there is no space for all of it the longest words, such as paths, lose
 * their middle, for ...; the reason stays. The arguments may have been taken from the message. */
int plb_fail(plb_message *message, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The end of a function that makes something: it goes to the caller, or after an error is closed.
 * Its value is the error. */
#define PLB_HAND_OVER(error, made, to, close) \
    ({                                        \
        int error_ = (error);                 \
        if (error_)                           \
            close(made);                      \
        else                                  \
            *(to) = (made);                   \
        error_;                               \
    })

/* The error code of an errno value. */
int plb_error_of_errno(int number);

/* Write "<doing> <path>: <system's text>" for an errno value and return its error code. An
 * empty path is shown as ''. */
int plb_fail_errno(plb_message *message, int number, const char *doing, const char *path);

/* ---- text from a file or a command line that is to be shown ---- */

/* Bytes of the character of UTF-8 (RFC 3629) with which a text of `size` bytes, at least one,
 * begins, and its code; 0: there is none. */
size_t plb_text_character(const char *text, size_t size, uint32_t *code);

/* Is a text of `size` bytes UTF-8 without control characters? Then a terminal shows it and does
 * nothing else. */
bool plb_text_is_plain(const char *text, size_t size);

/* Put ? for every byte that keeps a text from being that. */
void plb_text_make_plain(char *text);

#endif
