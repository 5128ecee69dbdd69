/* SPDX-License-Identifier: MIT
 *
 * How a failure is reported inside the project: an error code and one sentence.
 */
#pragma once

#include "tables/vocabulary.h"

/* Write a sentence into message (NULL is allowed) and return error, so that a failing function
 * can end with `return plb_fail(message, PLB_ESPEC, "...", ...)`. Bytes that are not plain text
 * (plb_text_is_plain) become ?. If the sentence is too long, the middle of its longest words, such
 * as paths, becomes "...". The arguments may point into the message. */
int plb_fail(plb_message *message, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The end of a function that makes an object: give it to the caller, or close it after an error.
 * The value is the error. */
#define PLB_HAND_OVER(error, made, to, close) \
    ({                                        \
        int error_ = (error);                 \
        if (error_)                           \
            close(made);                      \
        else                                  \
            *(to) = (made);                   \
        error_;                               \
    })

/* PLB_EARGUMENT, and a message, if one of the pointers, the arguments of a public function, is
 * NULL; else PLB_OK. */
#define PLB_REJECT_NULL(message, ...)                                                    \
    plb_reject_null(message, __func__, #__VA_ARGS__, (const void *const[]){__VA_ARGS__}, \
                    sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *))
int plb_reject_null(plb_message *message, const char *function, const char *names,
                    const void *const *given, size_t count);

/* The error code of an errno value. */
int plb_error_of_errno(int number);

/* Write "<doing> <path>: <system's text>" for an errno value and return its error code. An
 * empty path is shown as ''. */
int plb_fail_errno(plb_message *message, int number, const char *doing, const char *path);

/* ---- text from a file or a command line that is to be shown ---- */

/* Decode the UTF-8 character (RFC 3629) at the beginning of a text of `size` bytes, at least one.
 * Returns the number of its bytes, or 0 if it is malformed. */
size_t plb_text_character(const char *text, size_t size, uint32_t *code);

/* Is a text of `size` bytes UTF-8 without control characters? Then it is safe on a terminal. */
bool plb_text_is_plain(const char *text, size_t size);

/* Replace every byte that is malformed or a part of a control character by ?. */
void plb_text_make_plain(char *text);
