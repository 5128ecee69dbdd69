/* SPDX-License-Identifier: MIT
 *
 * A walk over the pages of an LMDB file, as LMDB 0.9 writes them on a 64-bit machine, numbers in
 * the machine's byte order; byte offsets above the fields:
 *
 *     page     0        8     10      12      14      16
 *              [number] [pad] [flags] [lower] [upper] [pointer 0] [pointer 1] ..free.. [nodes]
 *              lower: where free space begins; upper: where it ends; pointers (16 bits): where
 *              in the page the nodes begin, in the order of their keys
 *     big      [number] [pad] [flags] [   pages     ] [bytes of one value, over all its pages]
 *
 *     node     0            4        6          8
 *     in leaf  [data bytes] [flags ] [key size] [key] [data, or page number of a big one]
 *     branch   [child page: 48 bits] [key size] [key]         the key of node 0 is not used
 *
 *     record   0     4       6       8        16     24         32        40
 *              [pad] [flags] [depth] [branch] [leaf] [overflow] [entries] [root page]     48 bytes
 *
 *     meta     16      20        24        32         40     88     136         144
 *              [magic] [version] [address] [map size] [free] [main] [last page] [transaction]
 *              free, main: records; the pad of free is the page size
 *
 * Pages 0 and 1 are meta pages. The newer of them counts; its main tree maps names to records,
 * whose trees map keys to values.
 *
 * Pages are read, not mapped, so that a bad disk, or a file that is cut short meanwhile, is an
 * error and not a signal. Nothing is used before it has been checked; page numbers are compared
 * with the file's size before they are multiplied.
 *
 * Source: LMDB 0.9.24, mdb.c: the structures, mdb_env_read_header, mdb_page_search_root,
 * mdb_node_search, mdb_node_read and mdb_dbi_open, which are what a reader runs.
 */
#include "tables/page_check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PAGE_NUMBER = 0,
    PAGE_FLAGS = 10,
    PAGE_LOWER = 12,
    PAGE_UPPER = 14,
    PAGE_HEADER = 16,
    NODE_DATA_BYTES = 0,
    NODE_FLAGS = 4,
    NODE_KEY_SIZE = 6,
    NODE_HEADER = 8,
    RECORD_FLAGS = 4,
    RECORD_DEPTH = 6,
    RECORD_ENTRIES = 32,
    RECORD_ROOT = 40,
    RECORD_BYTES = 48,
    META_MAGIC = 16,
    META_VERSION = 20,
    META_MAP_BYTES = 32,
    META_PAGE_BYTES = 40,
    META_MAIN = 88,
    META_LAST_PAGE = 136,
    META_TRANSACTION = 144,
    META_END = 152,
};

enum { IS_BRANCH = 1, IS_LEAF = 2, IS_META = 8 };         /* page flags */
enum { NODE_PLAIN = 0, NODE_BIG = 1, NODE_DATABASE = 2 }; /* node flags */

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
static const uint64_t MAX_MAP_BYTES = 1ULL << 44;  /* for more, address space may not suffice */
static const uint64_t MAX_FILE_PAGES = 1ULL << 44; /* times the page size fits 64 bits */

typedef struct checker {
    const char *path;
    plb_message *message;
    int file;
    uint64_t size_bytes;
    uint32_t page_bytes;
    uint64_t pages;  /* that LMDB may use: numbers are less */
    uint8_t *used;   /* a bit per page */
    uint8_t *levels; /* a page for each level of the main tree, then of the tree below it */
} checker;

typedef struct tree {
    int depth;
    int first_level;  /* where in checker.levels the root is kept */
    uint64_t entries; /* found so far */
    uint8_t key[MAX_KEY_BYTES];
    size_t key_size;   /* of the key that came last */
    bool key_is_bound; /* it came from a branch: the next may be equal */
} tree;

static uint16_t get16(const uint8_t *from) {
    uint16_t number;
    memcpy(&number, from, sizeof number);
    return number;
}

static uint32_t get32(const uint8_t *from) {
    uint32_t number;
    memcpy(&number, from, sizeof number);
    return number;
}

static uint64_t get64(const uint8_t *from) {
    uint64_t number;
    memcpy(&number, from, sizeof number);
    return number;
}

/* ---- errors ---- */

static int fail_foreign(const checker *check) {
    return plb_fail(check->message, PLB_ENOTTABLE, "%s is not a Plybase table", check->path);
}

static int fail_short(const checker *check, uint64_t needed) {
    return plb_fail(check->message, PLB_ECORRUPT,
                    "%s is cut short: it has %llu bytes and should have %llu", check->path,
                    (unsigned long long)check->size_bytes, (unsigned long long)needed);
}

static int fail_page(const checker *check, uint64_t page, const char *what) {
    return plb_fail(check->message, PLB_ECORRUPT, "%s is damaged: page %llu %s", check->path,
                    (unsigned long long)page, what);
}

/* ---- the file ---- */

/* Without waiting, in case that it is a pipe. */
static int open_file(checker *check) {
    struct stat file;
    check->file = open(check->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (check->file < 0 || fstat(check->file, &file) != 0)
        return plb_fail_errno(check->message, errno, "cannot open", check->path);
    if (!S_ISREG(file.st_mode))
        return plb_fail(check->message, PLB_ENOTTABLE, "%s is %s, not a Plybase table", check->path,
                        S_ISDIR(file.st_mode) ? "a directory" : "not a regular file");
    check->size_bytes = file.st_size;
    return PLB_OK;
}

static int read_file(const checker *check, uint64_t offset, uint8_t *bytes, size_t size) {
    while (size > 0) {
        ssize_t got = pread(check->file, bytes, size, offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return plb_fail_errno(check->message, errno, "cannot read", check->path);
        if (got == 0) return fail_short(check, offset + size);
        bytes += got;
        offset += got;
        size -= got;
    }
    return PLB_OK;
}

/* Take pages for one use. */
static int use_pages(checker *check, uint64_t first, uint64_t count) {
    if (first >= check->pages || count > check->pages - first)
        return fail_page(check, first, "is beyond the last one");
    for (uint64_t page = first; page < first + count; page++) {
        uint8_t *byte = &check->used[page / 8], bit = 1 << page % 8;
        if (*byte & bit) return fail_page(check, page, "is used twice");
        *byte |= bit;
    }
    return PLB_OK;
}

/* ---- meta pages ---- */

static bool is_meta(const uint8_t *meta) {
    return get16(meta + PAGE_FLAGS) & IS_META && get32(meta + META_MAGIC) == MAGIC &&
           get32(meta + META_VERSION) == VERSION;
}

/* Bytes that the file should have, by a meta page; 0 if that is impossible. */
static uint64_t needed_bytes(const checker *check, const uint8_t *meta) {
    uint64_t last = get64(meta + META_LAST_PAGE);
    if (last < META_PAGES - 1 || last >= MAX_FILE_PAGES) return 0;
    return (last + 1) * check->page_bytes;
}

static int read_first_meta(checker *check, uint8_t meta[META_END]) {
    uint64_t least = META_PAGES * 4096;
    uint64_t there = check->size_bytes < META_END ? check->size_bytes : META_END;
    int error = read_file(check, 0, meta, there);
    if (error) return error;
    if (there < META_END)
        return there >= META_VERSION && get32(meta + META_MAGIC) == MAGIC ? fail_short(check, least)
                                                                          : fail_foreign(check);
    if (!is_meta(meta)) return fail_foreign(check);
    uint32_t size = check->page_bytes = get32(meta + META_PAGE_BYTES);
    if (size < MIN_PAGE_BYTES || size > MAX_PAGE_BYTES || size & (size - 1))
        return fail_page(check, 0, "has an impossible page size");
    return PLB_OK;
}

static int read_second_meta(const checker *check, const uint8_t *first, uint8_t meta[META_END]) {
    uint64_t needed = needed_bytes(check, first), least = META_PAGES * check->page_bytes;
    if (check->size_bytes < least) return fail_short(check, needed ? needed : least);
    int error = read_file(check, check->page_bytes, meta, META_END);
    if (error) return error;
    if (!is_meta(meta)) return fail_page(check, 1, "is not a meta page");
    if (get32(meta + META_PAGE_BYTES) != check->page_bytes)
        return fail_page(check, 1, "has another page size");
    return PLB_OK;
}

/* What the meta page in use says of the file. LMDB maps as many bytes as are said there. */
static int check_extent(checker *check, const uint8_t *meta, int page) {
    uint64_t needed = needed_bytes(check, meta);
    if (!needed) return fail_page(check, page, "has an impossible last page");
    if (check->size_bytes < needed) return fail_short(check, needed);
    if (get64(meta + META_MAP_BYTES) > MAX_MAP_BYTES)
        return fail_page(check, page, "has an impossible map size");
    check->pages = needed / check->page_bytes;
    return PLB_OK;
}

/* Copy the main database's record; *page is the meta page that has it. LMDB's choice between the
 * two is by transaction only, whatever else they say. */
static int read_metas(checker *check, uint8_t main_record[RECORD_BYTES], int *page) {
    uint8_t metas[META_PAGES][META_END] = {0};
    int error = read_first_meta(check, metas[0]);
    if (!error) error = read_second_meta(check, metas[0], metas[1]);
    if (error) return error;
    *page = get64(metas[0] + META_TRANSACTION) < get64(metas[1] + META_TRANSACTION);
    memcpy(main_record, metas[*page] + META_MAIN, RECORD_BYTES);
    return check_extent(check, metas[*page], *page);
}

/* ---- trees ---- */

/* The default order of LMDB. */
static int compare_keys(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size) {
    int order = memcmp(a, b, a_size < b_size ? a_size : b_size);
    return order ? order : (a_size > b_size) - (a_size < b_size);
}

/* The keys of a tree come from left to right. A key of a branch is a bound: it is greater than
 * those before it and not greater than those behind it. */
static int check_key(const checker *check, tree *in, uint64_t page, const uint8_t *node,
                     bool is_bound) {
    const uint8_t *key = node + NODE_HEADER;
    size_t size = get16(node + NODE_KEY_SIZE);
    if (size == 0 || size > MAX_KEY_BYTES)
        return fail_page(check, page, "has a key of impossible length");
    int order = compare_keys(in->key, in->key_size, key, size);
    if (order > 0 || (order == 0 && !in->key_is_bound))
        return fail_page(check, page, "has keys out of order");
    memcpy(in->key, key, size);
    in->key_size = size;
    in->key_is_bound = is_bound;
    return PLB_OK;
}

/* LMDB returns the bytes behind the header of the first page and does not look at the header, so
 * neither is it read here: that would be a read from the disk for each value of the table. */
static int check_big_value(checker *check, uint64_t first, uint64_t data_bytes) {
    uint64_t bytes = PAGE_HEADER + data_bytes;
    return use_pages(check, first, (bytes + check->page_bytes - 1) / check->page_bytes);
}

static int check_tree(checker *check, const uint8_t *record, uint64_t page, const tree *above);

/* `room` bytes of the page are behind the node's header. Only the main tree, which is that at
 * the first level, has databases, and it has nothing else. */
static int check_leaf_node(checker *check, tree *in, uint64_t page, const uint8_t *node,
                           size_t room) {
    uint64_t data_bytes = get32(node + NODE_DATA_BYTES);
    int flags = get16(node + NODE_FLAGS);
    size_t key_size = get16(node + NODE_KEY_SIZE);
    const uint8_t *data = node + NODE_HEADER + key_size;
    bool is_main = in->first_level == 0;
    if (key_size > room || (flags == NODE_BIG ? sizeof(uint64_t) : data_bytes) > room - key_size)
        return fail_page(check, page, "has a record beyond its end");
    if (is_main && flags == NODE_PLAIN)
        return plb_fail(check->message, PLB_ENOTTABLE,
                        "%s is not a Plybase table: it holds other records", check->path);
    if (is_main ? flags != NODE_DATABASE : flags != NODE_PLAIN && flags != NODE_BIG)
        return fail_page(check, page, "has a record of another kind");
    if (is_main && data_bytes != RECORD_BYTES)
        return fail_page(check, page, "has a database of impossible size");
    int error = check_key(check, in, page, node, false);
    in->entries++;
    if (error) return error;
    return is_main             ? check_tree(check, data, page, in)
           : flags == NODE_BIG ? check_big_value(check, get64(data), data_bytes)
                               : PLB_OK;
}

static int check_page(checker *check, tree *in, uint64_t page, int level);

static int check_branch_node(checker *check, tree *in, uint64_t page, const uint8_t *node,
                             size_t room, bool is_first, int level) {
    if (get16(node + NODE_KEY_SIZE) > room)
        return fail_page(check, page, "has a key beyond its end");
    int error = is_first ? PLB_OK : check_key(check, in, page, node, true);
    uint64_t child = get32(node) | (uint64_t)get16(node + NODE_FLAGS) << 32;
    return error ? error : check_page(check, in, child, level + 1);
}

/* LMDB aborts at a branch with less than two children. */
static int check_header(const checker *check, const uint8_t *bytes, uint64_t page, int kind) {
    unsigned lower = get16(bytes + PAGE_LOWER), upper = get16(bytes + PAGE_UPPER);
    unsigned least = kind == IS_BRANCH ? 2 : 1;
    if (get64(bytes + PAGE_NUMBER) != page) return fail_page(check, page, "has another number");
    if (get16(bytes + PAGE_FLAGS) != kind)
        return fail_page(check, page, kind == IS_BRANCH ? "is not a branch" : "is not a leaf");
    if (lower % POINTER_BYTES || lower < PAGE_HEADER + least * POINTER_BYTES || lower > upper ||
        upper > check->page_bytes)
        return fail_page(check, page, "has impossible bounds");
    return PLB_OK;
}

static int check_node(checker *check, tree *in, uint64_t page, const uint8_t *bytes, int index,
                      int level) {
    unsigned at = get16(bytes + PAGE_HEADER + index * POINTER_BYTES);
    if (at % POINTER_BYTES || at < get16(bytes + PAGE_UPPER) ||
        at + NODE_HEADER > check->page_bytes)
        return fail_page(check, page, "has a record outside of it");
    size_t room = check->page_bytes - at - NODE_HEADER;
    return level + 1 == in->depth
               ? check_leaf_node(check, in, page, bytes + at, room)
               : check_branch_node(check, in, page, bytes + at, room, index == 0, level);
}

/* The depth of a tree is at most MAX_DEPTH, and so is that of the recursion. */
static int check_page(checker *check, tree *in, uint64_t page, int level) {
    uint8_t *bytes = check->levels + (size_t)(in->first_level + level) * check->page_bytes;
    int error = use_pages(check, page, 1);
    if (!error) error = read_file(check, page * check->page_bytes, bytes, check->page_bytes);
    if (!error)
        error = check_header(check, bytes, page, level + 1 == in->depth ? IS_LEAF : IS_BRANCH);
    if (error) return error;
    int nodes = (get16(bytes + PAGE_LOWER) - PAGE_HEADER) / POINTER_BYTES;
    for (int n = 0; n < nodes && !error; n++) error = check_node(check, in, page, bytes, n, level);
    return error;
}

/* Check the tree of a record, which is in a page; above is NULL for the main tree. Flags would
 * mean another order of keys, or several values of a key; Plybase has neither. */
static int check_tree(checker *check, const uint8_t *record, uint64_t page, const tree *above) {
    tree in = {.depth = get16(record + RECORD_DEPTH),
               .first_level = above ? above->depth : 0,
               .key_is_bound = true};
    uint64_t root = get64(record + RECORD_ROOT);
    if (get16(record + RECORD_FLAGS) != 0)
        return fail_page(check, page, "has a database of another kind");
    if (in.depth > MAX_DEPTH || (in.depth == 0) != (root == NO_PAGE))
        return fail_page(check, page, "has a database of impossible depth");
    int error = in.depth ? check_page(check, &in, root, 0) : PLB_OK;
    if (!error && in.entries != get64(record + RECORD_ENTRIES))
        error = fail_page(check, page, "has a database with a wrong number of entries");
    return error;
}

static int walk_trees(checker *check, const uint8_t *main_record, int meta_page) {
    check->used = calloc(check->pages / 8 + 1, 1);
    check->levels = malloc((size_t)2 * MAX_DEPTH * check->page_bytes);
    if (!check->used || !check->levels)
        return plb_fail(check->message, PLB_ENOMEM, "out of memory for %s", check->path);
    int error = use_pages(check, 0, META_PAGES);
    return error ? error : check_tree(check, main_record, meta_page, NULL);
}

int plb_page_check(const char *path, plb_message *message) {
    checker check = {.path = path, .message = message, .file = -1};
    uint8_t main_record[RECORD_BYTES];
    int meta_page = 0;
    int error = open_file(&check);
    if (!error) error = read_metas(&check, main_record, &meta_page);
    if (!error) error = walk_trees(&check, main_record, meta_page);
    free(check.used);
    free(check.levels);
    if (check.file >= 0) close(check.file);
    return error;
}
