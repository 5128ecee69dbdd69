/* SPDX-License-Identifier: MIT
 *
 * Opens and verifies a table.
 */
#pragma once

#include <string.h>

#include "probe/plybase.h"
#include "tables/message.h"
#include "tools/verify/verifier.h"

/* verify_table of a file. Errors: also those of plb_open; PLB_ENOTTABLE: it is a strategy. */
static inline int verify_file(const char *path, const verify_options *options,
                              verify_report *report, plb_message *message) {
    plb_table *table = NULL;
    plb_message why = {""};
    memset(report, 0, sizeof *report);
    int error = plb_open(path, &table, &why);
    if (error == PLB_ECORRUPT)
        report->finding = (verify_finding){.kind = VERIFY_DAMAGE, .message = why, .ply = -1};
    if (!error && plb_info(table)->player)
        error = plb_fail(&why, PLB_ENOTTABLE, "%s is a strategy", path);
    if (!error) error = verify_table(table, options, report, &why);
    plb_close(table);
    if (error && message) *message = why;
    return error;
}
