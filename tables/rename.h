/* SPDX-License-Identifier: MIT
 *
 * How a finished file gets its name: also where file systems cannot do it in one step, no file of
 * another process is replaced unnoticed.
 */
#pragma once

#include <stdbool.h>

/* Rename a file or a folder. Without `replaces` it fails with EEXIST if anything has the new name.
 * Where the file system has no such rename and no hard links (folders have none anywhere), it is
 * asked before a plain rename; a file or an empty folder that is made between these two calls is
 * replaced.
 *
 * Returns 0, or -1 with errno, as rename does. */
int plb_rename(const char *from, const char *to, bool replaces);
