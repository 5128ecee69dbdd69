/* SPDX-License-Identifier: MIT
 *
 * For tests that are linked with the library.
 */
#pragma once

#include "probe/plybase.h"
#include "tests/support/support.h"

/* Open a table, which must exist. */
static inline plb_table *support_open_table(const char *path) {
    plb_table *table = NULL;
    plb_message why;
    support_expect(plb_open(path, &table, &why), PLB_OK, path, &why);
    return table;
}
