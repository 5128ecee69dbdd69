/* SPDX-License-Identifier: MIT
 *
 * Error codes, their texts, and the one place where errno is translated.
 */
#include "tables/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *plb_error_text(int error) {
    switch (error) {
#define ERROR_TEXT(name, number, text) \
    case number:                       \
        return text;
        PLB_ERRORS(ERROR_TEXT)
#undef ERROR_TEXT
        default:
            return "unknown error";
    }
}

const char *plb_value_text(plb_value value) {
    switch (value) {
        case PLB_WIN:
            return "win";
        case PLB_DRAW:
            return "draw";
        case PLB_LOSS:
            return "loss";
        default:
            return "no value";
    }
}

int plb_fail(plb_message *message, int error, const char *format, ...) {
    if (message) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message->text, sizeof message->text, format, arguments);
        va_end(arguments);
    }
    return error;
}

int plb_error_of_errno(int number) {
    switch (number) {
        case ENOENT:
        case ENOTDIR:
            return PLB_ENOTFOUND;
        case EACCES:
        case EPERM:
        case EROFS:
            return PLB_EPERMISSION;
        case ENOSPC:
        case EDQUOT:
        case EFBIG:
            return PLB_ENOSPACE;
        case ENOMEM:
            return PLB_ENOMEM;
        default:
            return PLB_EIO;
    }
}

int plb_fail_errno(plb_message *message, int number, const char *doing, const char *path) {
    return plb_fail(message, plb_error_of_errno(number), "%s %s: %s", doing, path,
                    strerror(number));
}
