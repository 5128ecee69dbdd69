/* SPDX-License-Identifier: MIT
 *
 * The part of pthread.h that the probe library uses, for a single thread.
 */
#pragma once

typedef int pthread_once_t;
#define PTHREAD_ONCE_INIT 0

static inline int pthread_once(pthread_once_t *once, void (*work)(void)) {
    if (!*once) work();
    *once = 1;
    return 0;
}

typedef int pthread_mutex_t;
#define pthread_mutex_init(mutex, attributes) ((void)(mutex))
#define pthread_mutex_lock(mutex) ((void)(mutex))
#define pthread_mutex_unlock(mutex) ((void)(mutex))
#define pthread_mutex_destroy(mutex) ((void)(mutex))
