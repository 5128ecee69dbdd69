/* SPDX-License-Identifier: MIT
 *
 * Loaded before the C library, with failing_malloc.c: the allocation that PLYBASE_FAILS_AT numbers
 * fails, counted from the start of the program.
 */
#include <stdlib.h>

#include "tests/support/failing_malloc.h"

__attribute__((constructor)) static void arm(void) {
    const char *nth = getenv("PLYBASE_FAILS_AT");
    if (nth) failing_malloc_arm(strtoull(nth, NULL, 10), false);
}
