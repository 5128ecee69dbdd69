/* SPDX-License-Identifier: MIT
 *
 * Text from a file that is to be shown to somebody.
 */
#ifndef PLB_TABLES_PLAIN_TEXT_H
#define PLB_TABLES_PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Is a text of `size` bytes UTF-8 (RFC 3629) without control characters? Then a terminal shows it
 * and does nothing else. */
bool plb_text_is_plain(const char *text, size_t size);

#endif
