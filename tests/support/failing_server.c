/* SPDX-License-Identifier: MIT
 *
 * For LD_PRELOAD, with failing_malloc.c: allocation number PLYBASE_FAILS_AT of the program fails.
 */
#include <stdlib.h>

#include "tests/support/failing_malloc.h"

__attribute__((constructor)) static void arm(void) {
    const char *nth = getenv("PLYBASE_FAILS_AT");
    if (nth) failing_malloc_arm(strtoull(nth, NULL, 10), false);
}
