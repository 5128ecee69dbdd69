/* SPDX-License-Identifier: MIT
 *
 * Digests: XXH3-128 in xxHash's canonical form, as `xxhsum -H2 FILE` prints them. They distinguish
 * tables and find damage. They do not protect against forgery, because XXH3 is not cryptographic.
 */
#pragma once

#include <xxhash.h>

#include "tables/message.h"

enum { DIGEST_TEXT = 33 }; /* bytes, with the final zero */

/* Format a digest as 32 hexadecimal digits. */
void digest_format(XXH128_hash_t digest, char text[DIGEST_TEXT]);

/* The digest of a file. Errors: those of plb_input_file_open and _read; PLB_ENOMEM. */
int digest_file(const char *path, XXH128_hash_t *digest, plb_message *message);
