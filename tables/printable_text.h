/* SPDX-License-Identifier: MIT
 *
 * Text from a file or a command line that is to be shown to somebody.
 */
#ifndef PLB_TABLES_PRINTABLE_TEXT_H
#define PLB_TABLES_PRINTABLE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Is a text of `size` bytes UTF-8 (RFC 3629) without control characters? Then a terminal shows it
 * and does nothing else. */
bool plb_text_is_plain(const char *text, size_t size);

/* Put ? for every byte that keeps a text from being that. */
void plb_text_make_plain(char *text);

#endif
