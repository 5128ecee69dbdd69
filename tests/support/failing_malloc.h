/* SPDX-License-Identifier: MIT
 *
 * An allocator that fails on demand. A program that is linked with failing_malloc.c has
 * its malloc and all of that family, so that liblmdb, libzstd and what the C
 * library allocates (strdup, asprintf, fopen, opendir) are covered too.
 */
#ifndef TESTS_FAILING_MALLOC_H
#define TESTS_FAILING_MALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From now on the nth allocation fails, counted from 1; with for_good all that follow fail too. */
void failing_malloc_arm(uint64_t nth, bool for_good);

/* Allocations succeed again. True if one has failed since failing_malloc_arm. */
bool failing_malloc_disarm(void);

/* Blocks that are allocated now, in the whole program. */
int64_t failing_malloc_live(void);

/* From now on aligned_alloc, which planes come from, fails beyond so many bytes. Returns the most
 * that it was asked for since the last call. */
size_t failing_malloc_bound(size_t bytes);

#endif
