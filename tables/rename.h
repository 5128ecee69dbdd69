/* SPDX-License-Identifier: MIT
 *
 * How a finished file gets its name: also where file systems cannot do it in one step, no file of
 * another process is replaced unnoticed.
 */
#ifndef PLB_TABLES_RENAME_H
#define PLB_TABLES_RENAME_H

#include <stdbool.h>

/* Rename a file or a folder. Without `replaces` it fails with EEXIST if anything has the new name.
 * A file system that has neither such a rename nor hard links is asked before a plain rename; there
 * a file is replaced if it is made between these two calls.
 *
 * Returns 0, or -1 with errno, as rename does. */
int plb_rename(const char *from, const char *to, bool replaces);

#endif
