/* SPDX-License-Identifier: MIT
 *
 * Digests: XXH3-128, written as xxHash's canonical form, so that `xxhsum -H2 FILE` prints the same.
 * They distinguish tables and find damage; they are no proof against a forger, who can make two
 * files of one digest.
 */
#ifndef PLB_TOOLS_VERIFY_DIGEST_H
#define PLB_TOOLS_VERIFY_DIGEST_H

#include <xxhash.h>

#include "tables/message.h"

enum { DIGEST_TEXT = 33 }; /* bytes, with the final zero */

/* Write a digest as 32 hexadecimal digits. */
void digest_format(XXH128_hash_t digest, char text[DIGEST_TEXT]);

/* Digest of all bytes of a file. Errors: those of errno; PLB_ENOMEM. */
int digest_file(const char *path, XXH128_hash_t *digest, plb_message *message);

#endif
