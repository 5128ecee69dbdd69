/* SPDX-License-Identifier: MIT
 *
 * Directories of segments: whether they are sound, and where they say that a block is.
 */
#include "tables/store/segment.h"

#include "tables/bits.h"
#include "tables/byte_order.h"

enum {
    GROUP = PLB_SEGMENT_GROUP,
    GROUP_BYTES = PLB_SEGMENT_GROUP_BYTES,
    BITS_BYTES = PLB_SEGMENT_BITS_BYTES,
    END_BYTES = PLB_SEGMENT_END_BYTES,
};

uint64_t plb_segment_checksum(const plb_block_name *name, const uint8_t *payload, size_t size) {
    uint8_t key[PLB_BLOCK_KEY];
    plb_checksum_block_key(name->ply, name->number, key);
    return plb_checksum(name->identity, key, sizeof key, payload, size);
}

uint64_t plb_segment_groups(uint64_t blocks) {
    return plb_divide_up(blocks, GROUP);
}

/* ---- checking ---- */

/* Groups whose bits and numbers fit each other; how many blocks they have. */
static bool groups_are_sound(const plb_segment *segment, uint64_t *stored) {
    *stored = 0;
    for (uint64_t g = 0; g < plb_segment_groups(segment->blocks); g++) {
        const uint8_t *group = segment->bytes + g * GROUP_BYTES;
        uint64_t bits = plb_get64(group), left = segment->blocks - g * GROUP;
        if (plb_get32(group + BITS_BYTES) != *stored) return false;
        if (left < GROUP && bits >> left) return false;
        *stored += plb_popcount(bits);
    }
    return true;
}

static bool ends_are_sound(const uint8_t *ends, uint64_t count) {
    for (uint64_t b = 0; b < count; b++)
        if (plb_get32(ends + b * END_BYTES) > plb_get32(ends + (b + 1) * END_BYTES)) return false;
    return true;
}

bool plb_segment_is_sound(const plb_segment *segment) {
    uint64_t size = segment->size, groups = plb_segment_groups(segment->blocks) * GROUP_BYTES,
             stored;
    if (size == 0) return true;
    if (groups > size || !groups_are_sound(segment, &stored)) return false;
    const uint8_t *ends = segment->bytes + groups;
    uint64_t directory = groups + (stored + 1) * END_BYTES;
    return directory <= size && ends_are_sound(ends, stored) && plb_get32(ends) == directory &&
           plb_get32(ends + stored * END_BYTES) == size;
}

bool plb_segment_has_block(const plb_segment *segment, uint64_t block) {
    return segment->size > 0 &&
           plb_get64(segment->bytes + block / GROUP * GROUP_BYTES) >> block % GROUP & 1;
}

/* ---- finding a block ---- */

static int read_next(plb_block_search *search, uint64_t offset, uint64_t size) {
    search->where = (plb_extent){offset, size};
    return offset + size <= search->segment.size ? PLB_OK : PLB_ECORRUPT;
}

int plb_segment_search(const plb_segment *segment, uint64_t block, plb_block_search *search) {
    *search = (plb_block_search){.segment = *segment, .block = block};
    return read_next(search, block / GROUP * GROUP_BYTES, GROUP_BYTES);
}

static int find(plb_block_search *search, uint64_t begin, uint64_t end) {
    search->is_found = true;
    return begin <= end ? read_next(search, begin, end - begin) : PLB_ECORRUPT;
}

/* From the bits of its group: where the ends of the block are. */
static int search_group(plb_block_search *search, const uint8_t *group) {
    uint64_t bits = plb_get64(group), bit = search->block % GROUP;
    uint64_t before = plb_get32(group + BITS_BYTES) + plb_popcount(bits & plb_low_bits((int)bit));
    search->has_group = true;
    if (!(bits >> bit & 1)) return find(search, 0, 0);
    return read_next(search,
                     plb_segment_groups(search->segment.blocks) * GROUP_BYTES + before * END_BYTES,
                     2 * END_BYTES);
}

int plb_segment_search_on(plb_block_search *search, const uint8_t *bytes) {
    if (!search->has_group) return search_group(search, bytes);
    return find(search, plb_get32(bytes), plb_get32(bytes + END_BYTES));
}

int plb_segment_find_block(const plb_segment *segment, uint64_t block, plb_extent *where) {
    plb_block_search search;
    int error = plb_segment_search(segment, block, &search);
    while (!error && !search.is_found)
        error = plb_segment_search_on(&search, segment->bytes + search.where.offset);
    *where = search.where;
    return error;
}
