/* SPDX-License-Identifier: MIT */
#include "tables/store/checksum.h"

#include <string.h>
#include <xxhash.h>

#include "tables/bits.h"

uint64_t plb_checksum_identity(const char *description) {
    /* XXH3_64bits would be inlined as well. */
    return XXH3_64bits_withSeed(description, strlen(description), 0);
}

uint64_t plb_checksum(uint64_t identity, const void *key, size_t key_size, const void *bytes,
                      size_t size) {
    uint64_t seed = XXH3_64bits_withSeed(key, key_size, identity);
    return XXH3_64bits_withSeed(bytes, size, seed);
}

void plb_checksum_block_key(int ply, uint64_t block, uint8_t key[PLB_BLOCK_KEY]) {
    plb_put_number(plb_put_number(key, ply, PLB_PLY_KEY), block, PLB_BLOCK_KEY - PLB_PLY_KEY);
}
