/* SPDX-License-Identifier: MIT
 *
 * An allocator that fails on demand. A program that is linked with failing_malloc.c gets its malloc
 * and similar functions, so that allocations of liblmdb, libzstd and the C library (strdup,
 * asprintf, fopen, opendir) are covered too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Let the nth allocation from now on, counted from 1, fail. for_good: all later ones fail too. */
void failing_malloc_arm(uint64_t nth, bool for_good);

/* Let allocations succeed again. True: one has failed since failing_malloc_arm. */
bool failing_malloc_disarm(void);

/* Number of blocks of the whole program that are allocated now. */
int64_t failing_malloc_live(void);

/* From now on aligned_alloc, which allocates planes, fails for more bytes than this. Returns the
 * largest size that it was called with since the last call. */
size_t failing_malloc_bound(size_t bytes);
