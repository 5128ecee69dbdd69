/* SPDX-License-Identifier: MIT
 *
 * Arguments of the public functions that must not be NULL.
 */
#ifndef PLB_PROBE_ARGUMENT_CHECK_H
#define PLB_PROBE_ARGUMENT_CHECK_H

#include "tables/message.h"

/* PLB_OK, or PLB_EARGUMENT with a sentence, if one of the pointers that follow is NULL. */
#define PLB_GIVEN(message, ...)                                                          \
    plb_check_given(message, __func__, #__VA_ARGS__, (const void *const[]){__VA_ARGS__}, \
                    sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *))

/* names: those of all pointers in one text. */
static inline int plb_check_given(plb_message *message, const char *function, const char *names,
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
