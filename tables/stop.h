/* SPDX-License-Identifier: MIT
 *
 * Long work regularly checks whether it should end: whether a time has passed, or whether a signal
 * handler or another thread has set a number of type sig_atomic_t to a value other than 0.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* stop: NULL means never. */
static inline bool plb_is_stopped(const volatile sig_atomic_t *stop) {
    return stop && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0;
}

/* Seconds of a clock, such as CLOCK_MONOTONIC or CLOCK_PROCESS_CPUTIME_ID. */
static inline double plb_clock_seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
