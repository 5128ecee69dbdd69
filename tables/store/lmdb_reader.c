/* SPDX-License-Identifier: MIT
 *
 * A traversal of the pages of an LMDB file, as LMDB 0.9 writes them on a 64-bit little-endian
 * machine. tables/FORMAT.md, section 1, draws the pages, nodes and records.
 *
 * Everything is checked before it is used. Page numbers are compared with the size of the file
 * before they are multiplied.
 *
 * Source: LMDB 0.9.24, mdb.c: the structures, mdb_env_read_header, mdb_page_search_root,
 * mdb_node_search, mdb_node_read and mdb_dbi_open, which are what a reader runs.
 */
#include "tables/store/lmdb_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tables/bits.h"

enum {
    PAGE_NUMBER = 0,
    PAGE_PAD = 8,
    PAGE_FLAGS = 10,
    PAGE_LOWER = 12,
    PAGE_COUNT = 12, /* of a big value */
    PAGE_UPPER = 14,
    PAGE_HEADER = 16,
    NODE_DATA_BYTES = 0,
    NODE_FLAGS = 4,
    NODE_KEY_SIZE = 6,
    NODE_HEADER = 8,
    RECORD_PAD = 0,
    RECORD_FLAGS = 4,
    RECORD_DEPTH = 6,
    RECORD_BRANCHES = 8,
    RECORD_LEAVES = 16,
    RECORD_BIG_PAGES = 24,
    RECORD_ENTRIES = 32,
    RECORD_ROOT = 40,
    RECORD_BYTES = 48,
    META_MAGIC = 16,
    META_VERSION = 20,
    META_MAP_BYTES = 32,
    META_PAGE_BYTES = 40,
    META_FREE = 40,
    META_MAIN = 88,
    META_LAST_PAGE = 136,
    META_TRANSACTION = 144,
    META_END = 152,
};

enum { IS_BRANCH = 1, IS_LEAF = 2, IS_BIG = 4, IS_META = 8 }; /* page flags */
enum { NODE_PLAIN = 0, NODE_BIG = 1, NODE_DATABASE = 2 };     /* node flags */

enum {
    META_PAGES = 2,
    VERSION = 1,
    MIN_PAGE_BYTES = 512,
    MAX_PAGE_BYTES = 32768, /* of LMDB */
    MAX_KEY_BYTES = 511,    /* of LMDB */
    MAX_DEPTH = 32,         /* of LMDB's cursors */
    POINTER_BYTES = 2,
};

static const uint32_t MAGIC = 0xBEEFC0DE;
static const uint64_t NO_PAGE = UINT64_MAX;        /* root of an empty tree */
static const uint64_t MAX_MAP_BYTES = 1ULL << 44;  /* more may not fit in the address space */
static const uint64_t MAX_FILE_PAGES = 1ULL << 44; /* their bytes fit 64 bits */

typedef struct checker {
    const plb_input_file *input;
    const plb_lmdb_visitor *visitor;
    plb_message *message;
    uint32_t page_bytes;
    uint64_t pages;  /* of the file, by its meta page */
    uint8_t *used;   /* [pages bits] pages that were met */
    uint8_t *levels; /* a page for each level of the main tree, then of the tree below it */
} checker;

typedef struct tree {
    int depth;
    int first_level;                               /* of the root, in checker.levels */
    uint64_t branches, leaves, big_pages, entries; /* found so far */
    uint8_t key[MAX_KEY_BYTES];
    size_t key_size;   /* of key, which is the last one met */
    bool key_is_bound; /* key is from a branch: the next one may be equal */
} tree;

/* ---- errors ---- */

static int fail_foreign(const checker *check) {
    return plb_fail(check->message, PLB_ENOTTABLE, "%s is not a Plybase table", check->input->path);
}

static int fail_short(const checker *check, uint64_t needed) {
    return plb_fail(check->message, PLB_ECORRUPT,
                    "%s is cut short: it has %llu bytes and should have %llu", check->input->path,
                    (unsigned long long)check->input->size_bytes, (unsigned long long)needed);
}

static int fail_page(const checker *check, uint64_t page, const char *what) {
    return plb_fail(check->message, PLB_ECORRUPT, "%s is damaged: page %llu %s", check->input->path,
                    (unsigned long long)page, what);
}

/* ---- the file ---- */

static int read_file(const checker *check, uint64_t offset, uint8_t *bytes, size_t size) {
    return plb_input_file_read(check->input, (plb_extent){offset, size}, bytes, check->message);
}

/* Mark pages as used, each at most once. */
static int use_pages(checker *check, uint64_t first, uint64_t count) {
    if (first >= check->pages || count > check->pages - first)
        return fail_page(check, first, "is beyond the last one");
    for (uint64_t page = first, end = first + count; page < end;) {
        uint8_t *byte = &check->used[page / 8];
        bool whole = page % 8 == 0 && end - page >= 8;
        uint8_t bits = whole ? 0xff : 1 << page % 8;
        if (*byte & bits) return fail_page(check, page, "is used twice");
        *byte |= bits;
        page += whole ? 8 : 1;
    }
    return PLB_OK;
}

/* Report bytes [begin, end), counted from the beginning of a page, as unused. */
static int report_unused(const checker *check, uint64_t page, uint64_t begin, uint64_t end) {
    const plb_lmdb_visitor *visitor = check->visitor;
    if (!visitor->unused || begin == end) return PLB_OK;
    plb_extent bytes = {page * check->page_bytes + begin, end - begin};
    return visitor->unused(visitor->context, bytes);
}

/* ---- meta pages ---- */

static bool is_meta(const uint8_t *meta) {
    return plb_get16(meta + PAGE_FLAGS) & IS_META && plb_get32(meta + META_MAGIC) == MAGIC &&
           plb_get32(meta + META_VERSION) == VERSION;
}

/* Bytes that the file must have according to a meta page; 0 if its last page is impossible. */
static uint64_t needed_bytes(const checker *check, const uint8_t *meta) {
    uint64_t last = plb_get64(meta + META_LAST_PAGE);
    if (last < META_PAGES - 1 || last >= MAX_FILE_PAGES) return 0;
    return (last + 1) * check->page_bytes;
}

/* Check the sizes in the meta page that is valid. LMDB maps as many bytes as its map size says. */
static int check_extent(checker *check, const uint8_t *meta, int page) {
    uint64_t needed = needed_bytes(check, meta);
    if (!needed) return fail_page(check, page, "has an impossible last page");
    if (check->input->size_bytes < needed) return fail_short(check, needed);
    if (plb_get64(meta + META_MAP_BYTES) > MAX_MAP_BYTES)
        return fail_page(check, page, "has an impossible map size");
    check->pages = needed / check->page_bytes;
    return PLB_OK;
}

/* Read both meta pages. *newer is the valid one: the one with the higher transaction, as LMDB has
 * it. */
static int read_metas(checker *check, uint8_t metas[META_PAGES][META_END], int *newer) {
    const uint8_t *first = metas[0];
    uint64_t size_bytes = plb_min(check->input->size_bytes, META_END);
    int error = read_file(check, 0, metas[0], (size_t)size_bytes);
    if (error) return error;
    if (size_bytes < META_END)
        return size_bytes >= META_VERSION && plb_get32(first + META_MAGIC) == MAGIC
                   ? fail_short(check, META_PAGES * 4096)
                   : fail_foreign(check);
    if (!is_meta(first)) return fail_foreign(check);
    uint32_t size = check->page_bytes = plb_get32(first + META_PAGE_BYTES);
    if (size < MIN_PAGE_BYTES || size > MAX_PAGE_BYTES || size & (size - 1))
        return fail_page(check, 0, "has an impossible page size");
    uint64_t needed = needed_bytes(check, first), min_bytes = META_PAGES * size;
    if (check->input->size_bytes < min_bytes) return fail_short(check, needed ? needed : min_bytes);
    error = read_file(check, size, metas[1], META_END);
    if (error) return error;
    if (!is_meta(metas[1])) return fail_page(check, 1, "is not a meta page");
    if (plb_get32(metas[1] + META_PAGE_BYTES) != size)
        return fail_page(check, 1, "has another page size");
    *newer = plb_get64(first + META_TRANSACTION) < plb_get64(metas[1] + META_TRANSACTION);
    return PLB_OK;
}

/* ---- trees ---- */

/* Check that the keys of a tree ascend. A key of a branch is a bound: it is greater than the keys
 * before it, and at most equal to those after it. */
static int check_key(const checker *check, tree *in, uint64_t page, const uint8_t *node,
                     bool is_bound) {
    const uint8_t *key = node + NODE_HEADER;
    size_t size = plb_get16(node + NODE_KEY_SIZE);
    if (size == 0 || size > MAX_KEY_BYTES)
        return fail_page(check, page, "has a key of impossible length");
    int order = memcmp(in->key, key, in->key_size < size ? in->key_size : size);
    if (!order) order = (in->key_size > size) - (in->key_size < size); /* as LMDB has it */
    if (order > 0 || (order == 0 && !in->key_is_bound))
        return fail_page(check, page, "has keys out of order");
    memcpy(in->key, key, size);
    in->key_size = size;
    in->key_is_bound = is_bound;
    return PLB_OK;
}

/* The number of pages of a big value: one that has pages of its own. */
static uint64_t big_pages(const checker *check, uint64_t data_bytes) {
    return (PAGE_HEADER + data_bytes + check->page_bytes - 1) / check->page_bytes;
}

/* Find the bytes of a big value. LMDB does not read the header of its first page. Here it is read
 * only if unused bytes are reported, because that takes a read from the disk for each value. */
static int find_big_value(checker *check, uint64_t first, uint64_t data_bytes, plb_extent *value) {
    uint8_t header[PAGE_HEADER];
    uint64_t bytes = PAGE_HEADER + data_bytes, pages = big_pages(check, data_bytes);
    *value = (plb_extent){first * check->page_bytes + PAGE_HEADER, data_bytes};
    int error = use_pages(check, first, pages);
    if (error || !check->visitor->unused) return error;
    error = read_file(check, first * check->page_bytes, header, sizeof header);
    if (!error) error = report_unused(check, first, PAGE_PAD, PAGE_FLAGS);
    if (!error &&
        (plb_get64(header + PAGE_NUMBER) != first || plb_get16(header + PAGE_FLAGS) != IS_BIG ||
         plb_get32(header + PAGE_COUNT) != pages))
        error = fail_page(check, first, "does not begin a value");
    return error ? error : report_unused(check, first, bytes, pages * check->page_bytes);
}

static int check_tree(checker *check, const uint8_t *record, uint64_t page, const tree *above);

/* The main tree has only databases; the other trees have none. */
static int check_leaf_kind(const checker *check, bool is_main, uint64_t page, const uint8_t *node) {
    int flags = plb_get16(node + NODE_FLAGS);
    if (is_main && flags == NODE_PLAIN)
        return plb_fail(check->message, PLB_ENOTTABLE,
                        "%s is not a Plybase table: it holds other records", check->input->path);
    if (is_main ? flags != NODE_DATABASE : flags != NODE_PLAIN && flags != NODE_BIG)
        return fail_page(check, page, "has a record of another kind");
    if (is_main && plb_get32(node + NODE_DATA_BYTES) != RECORD_BYTES)
        return fail_page(check, page, "has a database of impossible size");
    return PLB_OK;
}

/* Check the node at offset `at` of a leaf. */
static int check_leaf_node(checker *check, tree *in, uint64_t page, const uint8_t *bytes,
                           unsigned at) {
    const uint8_t *node = bytes + at;
    size_t room = check->page_bytes - at - NODE_HEADER, key_size = plb_get16(node + NODE_KEY_SIZE);
    uint64_t data_bytes = plb_get32(node + NODE_DATA_BYTES);
    bool is_main = in->first_level == 0, is_big = plb_get16(node + NODE_FLAGS) == NODE_BIG;
    if (key_size > room || (is_big ? sizeof(uint64_t) : data_bytes) > room - key_size)
        return fail_page(check, page, "has a record beyond its end");
    int error = check_leaf_kind(check, is_main, page, node);
    if (!error) error = check_key(check, in, page, node, false);
    if (error) return error;
    in->entries++;
    if (is_big) in->big_pages += big_pages(check, data_bytes);
    const plb_lmdb_visitor *visitor = check->visitor;
    plb_lmdb_record record = {.key = node + NODE_HEADER, .key_size = key_size};
    const uint8_t *data = record.key + key_size;
    if (is_main) { /* a record of the tree at the first level: a database */
        if (visitor->database) error = visitor->database(visitor->context, record.key, key_size);
        return error ? error : check_tree(check, data, page, in);
    }
    if (is_big)
        error = find_big_value(check, plb_get64(data), data_bytes, &record.value);
    else
        record.value = (plb_extent){page * check->page_bytes + (data - bytes), data_bytes};
    if (!error && visitor->record) error = visitor->record(visitor->context, &record);
    return error;
}

static int check_page(checker *check, tree *in, uint64_t page, int level);

static int check_branch_node(checker *check, tree *in, uint64_t page, const uint8_t *bytes,
                             unsigned at, int level) {
    const uint8_t *node = bytes + at;
    size_t key_size = plb_get16(node + NODE_KEY_SIZE), key = at + NODE_HEADER;
    bool is_first = plb_get16(bytes + PAGE_HEADER) == at;
    if (key_size > check->page_bytes - key)
        return fail_page(check, page, "has a key beyond its end");
    int error = is_first ? report_unused(check, page, key, key + key_size)
                         : check_key(check, in, page, node, true);
    uint64_t child = plb_get32(node) | (uint64_t)plb_get16(node + NODE_FLAGS) << 32;
    return error ? error : check_page(check, in, child, level + 1);
}

/* LMDB aborts at a branch with fewer than two children. */
static int check_header(const checker *check, const uint8_t *bytes, uint64_t page, int kind) {
    unsigned lower = plb_get16(bytes + PAGE_LOWER), upper = plb_get16(bytes + PAGE_UPPER);
    unsigned min_nodes = kind == IS_BRANCH ? 2 : 1;
    if (plb_get64(bytes + PAGE_NUMBER) != page) return fail_page(check, page, "has another number");
    if (plb_get16(bytes + PAGE_FLAGS) != kind)
        return fail_page(check, page, kind == IS_BRANCH ? "is not a branch" : "is not a leaf");
    if (lower % POINTER_BYTES || lower < PAGE_HEADER + min_nodes * POINTER_BYTES || lower > upper ||
        upper > check->page_bytes)
        return fail_page(check, page, "has impossible bounds");
    return PLB_OK;
}

/* The size of a node that was checked. */
static size_t node_bytes(const uint8_t *node, bool is_leaf) {
    size_t size = NODE_HEADER + plb_get16(node + NODE_KEY_SIZE);
    if (!is_leaf) return size;
    bool is_big = plb_get16(node + NODE_FLAGS) == NODE_BIG;
    return size + (is_big ? sizeof(uint64_t) : plb_get32(node + NODE_DATA_BYTES));
}

/* Nodes begin at even offsets. */
static size_t even(size_t bytes) {
    return bytes + bytes % 2;
}

static unsigned node_at(const uint8_t *bytes, int index) {
    return plb_get16(bytes + PAGE_HEADER + index * POINTER_BYTES);
}

static int check_node(checker *check, tree *in, uint64_t page, const uint8_t *bytes, int index,
                      int level) {
    unsigned at = node_at(bytes, index);
    if (at % POINTER_BYTES || at < plb_get16(bytes + PAGE_UPPER) ||
        at + NODE_HEADER > check->page_bytes)
        return fail_page(check, page, "has a record outside of it");
    bool is_leaf = level + 1 == in->depth;
    int error = is_leaf ? check_leaf_node(check, in, page, bytes, at)
                        : check_branch_node(check, in, page, bytes, at, level);
    if (error) return error;
    size_t size = node_bytes(bytes + at, is_leaf);
    return report_unused(check, page, at + size, at + even(size));
}

/* The recursion is at most as deep as a tree: MAX_DEPTH. */
static int check_page(checker *check, tree *in, uint64_t page, int level) {
    uint8_t *bytes = check->levels + (size_t)(in->first_level + level) * check->page_bytes;
    int error = use_pages(check, page, 1);
    if (!error) error = read_file(check, page * check->page_bytes, bytes, check->page_bytes);
    if (!error)
        error = check_header(check, bytes, page, level + 1 == in->depth ? IS_LEAF : IS_BRANCH);
    if (error) return error;
    unsigned lower = plb_get16(bytes + PAGE_LOWER), upper = plb_get16(bytes + PAGE_UPPER);
    int nodes = (int)(lower - PAGE_HEADER) / POINTER_BYTES;
    bool is_leaf = level + 1 == in->depth;
    *(is_leaf ? &in->leaves : &in->branches) += 1;
    error = report_unused(check, page, PAGE_PAD, PAGE_FLAGS);
    if (!error) error = report_unused(check, page, lower, upper);
    size_t filled = 0;
    for (int n = 0; n < nodes && !error; n++) {
        error = check_node(check, in, page, bytes, n, level);
        if (!error) filled += even(node_bytes(bytes + node_at(bytes, n), is_leaf));
    }
    if (!error && filled != check->page_bytes - upper)
        error = fail_page(check, page, "has gaps between its records");
    return error;
}

/* Check the tree of a record, which is in `page`; above is NULL for the main tree. Flags would mean
 * another order of keys, or several values per key; Plybase has neither. */
static int check_tree(checker *check, const uint8_t *record, uint64_t page, const tree *above) {
    tree in = {.depth = plb_get16(record + RECORD_DEPTH),
               .first_level = above ? above->depth : 0,
               .key_is_bound = true};
    uint64_t root = plb_get64(record + RECORD_ROOT);
    if (plb_get32(record + RECORD_PAD) != 0 || plb_get16(record + RECORD_FLAGS) != 0)
        return fail_page(check, page, "has a database of another kind");
    if (in.depth > MAX_DEPTH || (in.depth == 0) != (root == NO_PAGE))
        return fail_page(check, page, "has a database of impossible depth");
    int error = in.depth ? check_page(check, &in, root, 0) : PLB_OK;
    if (!error && in.entries != plb_get64(record + RECORD_ENTRIES))
        error = fail_page(check, page, "has a database with a wrong number of entries");
    if (!error && (in.branches != plb_get64(record + RECORD_BRANCHES) ||
                   in.leaves != plb_get64(record + RECORD_LEAVES) ||
                   in.big_pages != plb_get64(record + RECORD_BIG_PAGES)))
        error = fail_page(check, page, "has a database with a wrong number of pages");
    return error;
}

int plb_lmdb_check(const plb_input_file *input, const plb_lmdb_visitor *visitor,
                   uint64_t *used_bytes, plb_message *message) {
    checker check = {.input = input, .visitor = visitor, .message = message};
    uint8_t metas[META_PAGES][META_END] = {{0}};
    int newer = 0, error = read_metas(&check, metas, &newer);
    if (!error) error = check_extent(&check, metas[newer], newer);
    if (error) return error;
    check.used = calloc(plb_size(check.pages / 8 + 1), 1);
    check.levels = malloc((size_t)2 * MAX_DEPTH * check.page_bytes);
    error = check.used && check.levels
                ? use_pages(&check, 0, META_PAGES)
                : plb_fail(message, PLB_ENOMEM, "out of memory for %s", input->path);
    for (int page = 0; page < META_PAGES && !error; page++)
        error = report_unused(&check, page, META_END, check.page_bytes);
    if (!error) error = check_tree(&check, metas[newer] + META_MAIN, newer, NULL);
    /* Pages that the traversal has not met are unused. */
    for (uint64_t page = 0; visitor->unused && page < check.pages && !error; page++)
        if (!(check.used[page / 8] >> page % 8 & 1))
            error = report_unused(&check, page, 0, check.page_bytes);
    free(check.used);
    free(check.levels);
    if (!error) *used_bytes = check.pages * check.page_bytes;
    return error;
}

/* ---- the meta pages of a finished file ---- */

/* Read both meta pages, and make what they should be: copies of the newer one, with their own page
 * numbers and an empty free list. */
static int make_metas(checker *check, uint8_t metas[META_PAGES][META_END],
                      uint8_t right[META_PAGES][META_END]) {
    int newer = 0, error = read_metas(check, metas, &newer);
    if (error) return error;
    for (uint64_t page = 0; page < META_PAGES; page++) {
        uint8_t *meta = right[page], *record = meta + META_FREE;
        memcpy(meta, metas[newer], META_END);
        memcpy(meta + PAGE_NUMBER, &page, sizeof page);
        memset(record + RECORD_DEPTH, 0, RECORD_BYTES - RECORD_DEPTH);
        memcpy(record + RECORD_ROOT, &NO_PAGE, sizeof NO_PAGE);
    }
    return PLB_OK;
}

int plb_lmdb_check_metas(const plb_input_file *input, plb_message *message) {
    checker check = {.input = input, .message = message};
    uint8_t metas[META_PAGES][META_END] = {{0}}, right[META_PAGES][META_END];
    int error = make_metas(&check, metas, right);
    if (error || memcmp(metas, right, sizeof metas) == 0) return error;
    return plb_fail(message, PLB_ECORRUPT,
                    "%s was rewritten by another program, such as mdb_copy: page %d is not as a "
                    "finished table has it",
                    input->path, memcmp(metas[0], right[0], META_END) == 0);
}

int plb_lmdb_write_metas(const plb_input_file *input, int file, plb_message *message) {
    checker check = {.input = input, .message = message};
    uint8_t metas[META_PAGES][META_END] = {{0}}, right[META_PAGES][META_END];
    int error = make_metas(&check, metas, right);
    for (int page = 0; page < META_PAGES && !error; page++)
        if (pwrite(file, right[page], META_END, (off_t)page * check.page_bytes) != META_END)
            error = plb_fail_errno(message, errno, "cannot write", input->path);
    return error;
}
