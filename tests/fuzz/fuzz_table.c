/* SPDX-License-Identifier: MIT
 *
 * Arbitrary bytes as the file of a table: plb_open refuses it, or every query is answered
 * with a value or an error. Each input is tried as it is, and then with the hashes of its
 * records corrected, so that damage gets past them. test_hostile.c checks that values are right:
 * here hashes are forged.
 *
 * The hashes are found without LMDB, on leaf pages:
 *
 *     [number 8][- 2][kind 2][lower 2][upper 2][offsets of nodes, 2 each].. nodes
 *     node: [size of value 4][flags 2][size of key 2][key][value]
 */
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "probe/plybase.h"
#include "tests/fuzz/fuzz.h"

enum {
    PAGE = 4096,
    PAGE_HEADER = 16,
    NODE_HEADER = 8,
    LEAF = 2, /* kind of a page */
    HASH_BYTES = 8,
    BLOCK_KEY = 10,
    DIRECTORY = 4, /* bytes, of a segment with one block, as in all seeds */
    STONES = 6,    /* all colourings of so many cells are probed */
    COLOURINGS = 729,
};

/* ---- correct the hashes ---- */

static uint16_t get16(const uint8_t *from) {
    return from[0] | from[1] << 8;
}

static uint32_t get32(const uint8_t *from) {
    return get16(from) | (uint32_t)get16(from + 2) << 16;
}

/* A record in a page. */
typedef struct node {
    uint8_t *key, *value;
    size_t key_size, size;
} node;

static void put_hash(uint8_t *hash, const node *n, const uint8_t *bytes, size_t size,
                     uint64_t identity) {
    uint64_t seed = XXH3_64bits_withSeed(n->key, n->key_size, identity);
    XXH64_canonicalFromHash((XXH64_canonical_t *)hash, XXH3_64bits_withSeed(bytes, size, seed));
}

/* A record of meta or stats ends with its hash, a block begins with it. */
static void repair_node(const node *n, uint64_t *identity) {
    if (n->key_size != BLOCK_KEY) {
        if (n->size >= HASH_BYTES)
            put_hash(n->value + n->size - HASH_BYTES, n, n->value, n->size - HASH_BYTES, *identity);
        return;
    }
    if (n->size <= DIRECTORY + HASH_BYTES) return;
    size_t end = get32(n->value);
    uint8_t *hash = n->value + DIRECTORY;
    if (end > HASH_BYTES && end <= n->size - DIRECTORY)
        put_hash(hash, n, hash + HASH_BYTES, end - HASH_BYTES, *identity);
}

/* The hash of the description is the identity. */
static void find_identity(const node *n, uint64_t *identity) {
    static const char name[] = "description";
    if (n->key_size == strlen(name) && memcmp(n->key, name, n->key_size) == 0 &&
        n->size >= HASH_BYTES)
        *identity = XXH3_64bits(n->value, n->size - HASH_BYTES);
}

typedef void visit(const node *n, uint64_t *identity);

static void visit_node(uint8_t *page, size_t offset, visit *act, uint64_t *identity) {
    if (offset > PAGE - NODE_HEADER) return;
    uint8_t *at = page + offset;
    size_t room = PAGE - NODE_HEADER - offset;
    node n = {.key = at + NODE_HEADER, .key_size = get16(at + 6), .size = get32(at)};
    if (get16(at + 4) != 0 || n.key_size > room || n.size > room - n.key_size) return;
    n.value = n.key + n.key_size;
    act(&n, identity);
}

static void visit_nodes(uint8_t *file, size_t size, visit *act, uint64_t *identity) {
    for (uint8_t *page = file; page + PAGE <= file + size; page += PAGE) {
        if (get16(page + 10) != LEAF) continue;
        size_t lower = get16(page + 12);
        for (size_t at = PAGE_HEADER; at + 2 <= lower && at + 2 <= PAGE; at += 2)
            visit_node(page, get16(page + at), act, identity);
    }
}

static void repair_hashes(uint8_t *file, size_t size) {
    uint64_t identity = 0;
    visit_nodes(file, size, find_identity, &identity);
    visit_nodes(file, size, repair_node, &identity);
}

/* ---- queries ---- */

static bool is_value(int value) {
    return value == PLB_WIN || value == PLB_DRAW || value == PLB_LOSS;
}

/* The two bitboards of a position whose cells are the digits of a number in base 3. */
static void stones_of(int number, uint64_t *x, uint64_t *o) {
    *x = *o = 0;
    for (int cell = 0; cell < STONES; cell++, number /= 3) {
        *x |= (uint64_t)(number % 3 == 1) << cell;
        *o |= (uint64_t)(number % 3 == 2) << cell;
    }
}

static void probe(const plb_table *table, uint64_t x, uint64_t o) {
    plb_answer answer;
    plb_message why;
    memset(&why, 0xff, sizeof why);
    int error = plb_probe(table, x, o, &answer, &why);
    FUZZ_REQUIRE(error ? fuzz_is_sentence(&why) : is_value(answer.value));
    plb_move moves[PLB_MAX_MOVES];
    int count = 0;
    if (error || plb_moves(table, x, o, moves, &count, NULL)) return;
    FUZZ_REQUIRE(answer.over == (count == 0));
    for (int m = 0; m < count; m++) FUZZ_REQUIRE(is_value(moves[m].value));
}

static void probe_many(const plb_table *table) {
    static plb_query queries[COLOURINGS];
    for (int n = 0; n < COLOURINGS; n++) stones_of(n, &queries[n].x, &queries[n].o);
    FUZZ_REQUIRE(plb_probe_many(table, queries, COLOURINGS) == PLB_OK);
    for (int n = 0; n < COLOURINGS; n++)
        FUZZ_REQUIRE(queries[n].error || is_value(queries[n].answer.value));
}

static void probe_all(const plb_table *table) {
    const plb_table_info *info = plb_info(table);
    FUZZ_REQUIRE(info->cells == info->width * info->height && info->cells <= PLB_MAX_CELLS);
    for (int ply = -1; ply <= info->cells + 1; ply++) {
        plb_ply_stats s = {0};
        bool exists = plb_stats(table, ply, &s) == PLB_OK;
        FUZZ_REQUIRE(exists == (ply >= 0 && ply <= info->cells));
        FUZZ_REQUIRE(s.total == s.won + s.drawn + s.lost && s.terminal <= s.total);
    }
    for (int n = 0; n < COLOURINGS; n++) {
        uint64_t x, o;
        stones_of(n, &x, &o);
        probe(table, x, o);
    }
    probe_many(table);
}

static void try_file(const uint8_t *bytes, size_t size) {
    int file = memfd_create("fuzz_table", 0);
    FUZZ_REQUIRE(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    plb_table *table = NULL;
    plb_message why;
    memset(&why, 0xff, sizeof why);
    int error = plb_open(path, &table, &why);
    FUZZ_REQUIRE(error ? fuzz_is_sentence(&why) && !table : table != NULL);
    if (!error) probe_all(table);
    plb_close(table);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_file(data, size);
    uint8_t *repaired = fuzz_copy(data, size);
    repair_hashes(repaired, size);
    try_file(repaired, size);
    free(repaired);
    return 0;
}
