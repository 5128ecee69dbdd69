/* SPDX-License-Identifier: MIT
 *
 * Checksums. They show that bytes are those that were written, in this table and in this place.
 *
 *     identity        = XXH3-64(description)                     of the table, see meta.h
 *     seed of a key   = XXH3-64(key, seeded with the identity)
 *     checksum        = XXH3-64(bytes, seeded with the seed of their key)
 *
 * The key of a block is the key of a segment that begins with this block. Data of another table, or
 * of another key of this table, has a wrong checksum. Must not know: files, what is hashed.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    PLB_CHECKSUM_BYTES = 8, /* in a file, big-endian */
    PLB_PLY_KEY = 2,        /* bytes of the key of a ply: its number, big-endian */
    PLB_BLOCK_KEY = 10,     /* bytes of the key of a block: its ply, then its number in 8 bytes */
};

uint64_t plb_checksum_identity(const char *description);

uint64_t plb_checksum(uint64_t identity, const void *key, size_t key_size, const void *bytes,
                      size_t size);

void plb_checksum_block_key(int ply, uint64_t block, uint8_t key[PLB_BLOCK_KEY]);
