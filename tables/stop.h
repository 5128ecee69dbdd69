/* SPDX-License-Identifier: MIT
 *
 * Long work regularly checks whether it should end. To end it, a signal handler or another thread
 * sets a number of type sig_atomic_t to a value other than 0.
 */
#ifndef PLB_TABLES_STOP_H
#define PLB_TABLES_STOP_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* stop: NULL means never. */
static inline bool plb_is_stopped(const volatile sig_atomic_t *stop) {
    return stop && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0;
}

#endif
