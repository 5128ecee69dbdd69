/* SPDX-License-Identifier: MIT
 *
 * Checks that arguments of the public functions are not NULL.
 */
#ifndef PLB_PROBE_ARGUMENT_CHECK_H
#define PLB_PROBE_ARGUMENT_CHECK_H

#include "tables/message.h"

/* PLB_EARGUMENT, and a message, if one of the pointers is NULL; else PLB_OK. */
#define PLB_REJECT_NULL(message, ...)                                                    \
    plb_reject_null(message, __func__, #__VA_ARGS__, (const void *const[]){__VA_ARGS__}, \
                    sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *))

/* names: of all pointers, in one text. */
static inline int plb_reject_null(plb_message *message, const char *function, const char *names,
                                  const void *const *given, size_t count) {
    for (size_t g = 0; g < count; g++)
        if (!given[g]) {
            plb_fail(message, PLB_EARGUMENT, "NULL was given to %s, which needs: %s", function,
                     names);
            return PLB_EARGUMENT;
        }
    return PLB_OK;
}

#endif
