/* SPDX-License-Identifier: MIT
 *
 * Mutants: copies of good files in which some bytes of one record are changed, with valid
 * checksums. A mutant is refused with a sentence, or it answers with values or errors. If the
 * verifier calls it good, its values are those of the original.
 *
 *     test_mutants [MUTANTS [SEED [FOLDER]]]      2,000, with a fixed seed; with a folder they
 *                                                 are only written there, as mutant-N.plb
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/table.h"
#include "tables/bits.h"
#include "tables/store/checksum.h"
#include "tables/store/segment.h"
#include "tables/store/store_writer.h"
#include "tests/support/flaw.h"
#include "tests/support/strategies.h"
#include "tests/support/verify_file.h"
#include "tools/verify/verifier.h"

enum { MAX_ITEMS = 200, POSITIONS = 600, SECONDS = 60 };

static uint64_t mutants = 2000, seed = 20260917;
static const char *folder;

/* ---- a file as its records ---- */

/* A record with a name, the statistics of a ply (no name, no blocks), or a segment. */
typedef struct item {
    char name[PLB_RECORD_NAME];
    int ply;
    uint64_t first_block, blocks; /* of a segment; blocks 0: none */
    uint8_t *bytes;
    size_t size;
} item;

typedef struct seed_file {
    const char *label, *path;
    bool is_strategy, is_large; /* large: few mutants are verified */
    char description[PLB_DESCRIPTION_TEXT];
    item items[MAX_ITEMS];
    int count, head; /* head: bytes of `columns` before its segment */
    plb_query expected[POSITIONS];
    size_t positions;
} seed_file;

static item *add_item(seed_file *s) {
    assert_true(s->count < MAX_ITEMS);
    return &s->items[s->count++];
}

static void read_records(seed_file *s, const plb_store *store) {
    const char *name;
    for (size_t r = 0; (name = plb_store_record_name(store, r)); r++) {
        if (plb_store_is_own_record(name)) continue;
        item *i = add_item(s);
        strcpy(i->name, name);
        assert_int_equal(plb_store_get_record(store, name, &i->bytes, &i->size, NULL), PLB_OK);
    }
}

static void read_stats(seed_file *s, const plb_store *store, int ply) {
    plb_ply_stats stats;
    item *i = add_item(s);
    *i = (item){.ply = ply, .bytes = calloc(1, sizeof stats), .size = 5 * sizeof(uint64_t)};
    assert_int_equal(plb_store_get_stats(store, ply, &stats, NULL), PLB_OK);
    memcpy(i->bytes, &stats, i->size);
}

/* Read all items in the order of writing: the statistics of a ply follow its segments. */
static void read_items(seed_file *s, const plb_table *table) {
    const plb_store *store = table->file.store;
    const plb_table_file *file = plb_table_find_file(table);
    uint64_t count;
    const plb_stored_segment *segments = plb_store_segments(store, &count);
    strcpy(s->description, plb_store_description(store));
    read_records(s, store);
    for (int ply = 0; ply <= plb_info(table)->cells; ply++) {
        uint64_t number = 0;
        for (uint64_t n = 0; n < count; n++) {
            if (segments[n].ply != ply) continue;
            item *i = add_item(s);
            *i = (item){.ply = ply, .first_block = segments[n].first_block, .blocks = 1};
            if (file) {
                plb_block_layout cut = layout_of(file, ply);
                i->blocks = plb_block_layout_blocks(&cut, number++);
            }
            assert_int_equal(
                plb_store_get_segment(store, ply, i->first_block, &i->bytes, &i->size, NULL),
                PLB_OK);
        }
        read_stats(s, store, ply);
    }
    s->head = (plb_info(table)->width + 3) * 4;
}

/* Choose some positions of each ply, and probe them in the original. */
static void read_positions(seed_file *s, const plb_table *table, const plb_table *whole) {
    int cells = plb_info(whole)->cells, most = POSITIONS / (cells + 1);
    for (int ply = 0; ply <= cells; ply++) {
        plb_listing listing = {.ply = ply};
        uint64_t x[POSITIONS], o[POSITIONS];
        size_t count = 0;
        while (!listing.done && !count)
            assert_int_equal(plb_list_positions(whole, &listing, most, x, o, &count), PLB_OK);
        for (size_t p = 0; p < count; p++)
            s->expected[s->positions++] = (plb_query){.x = x[p], .o = o[p]};
    }
    assert_int_equal(plb_probe_many(table, s->expected, s->positions), PLB_OK);
}

/* ---- a mutant ---- */

static const uint64_t edge_numbers[] = {
    0, 1, 2, 63, 64, 0xFF, 0x7FFF, 0xFFFF, 1 << 20, 0x7FFFFFFF, 0xFFFFFFFF, 1ULL << 62, UINT64_MAX};

/* Change some bytes of a record, or its size. */
static void mutate(item *i, uint64_t *random) {
    size_t at = i->size ? support_random_below(random, i->size) : 0, left = i->size - at;
    size_t width = 1ULL << support_random_below(random, 4);
    uint64_t number =
        edge_numbers[support_random_below(random, sizeof edge_numbers / sizeof *edge_numbers)];
    switch (support_random_below(random, i->size ? 8 : 1)) {
        case 0: /* longer */
            i->bytes = realloc(i->bytes, i->size + width);
            assert_non_null(i->bytes);
            memset(i->bytes + i->size, (int)number, width);
            i->size += width;
            break;
        case 1: /* shorter */
            i->size = at;
            break;
        case 2:
            i->bytes[at] ^= (uint8_t)(1 << support_random_below(random, 8));
            break;
        case 3:
            i->bytes[at] = (uint8_t)(i->bytes[at] + (support_random(random) & 2) - 1);
            break;
        case 4: /* a number, little-endian */
            at = at / width * width;
            memcpy(i->bytes + at, &number, width < i->size - at ? width : i->size - at);
            break;
        case 5: /* big-endian */
            at = at / width * width;
            if (width <= i->size - at) plb_put_number(i->bytes + at, number, (int)width);
            break;
        case 6: /* copy a part to another place */
            width = support_random_below(random, left + 1);
            memmove(i->bytes + at, i->bytes + support_random_below(random, at + 1), width);
            break;
        default: /* random bytes */
            for (size_t b = at; b < i->size && b < at + width; b++)
                i->bytes[b] = (uint8_t)support_random(random);
    }
}

/* Write valid checksums of the blocks of a segment that its directory can find. */
static void seal(uint64_t identity, int ply, uint64_t first, plb_segment segment, uint8_t *bytes) {
    if (segment.size < PLB_SEGMENT_GROUP_BYTES * ((segment.blocks + 63) / 64)) return;
    for (uint64_t b = 0; b < segment.blocks; b++) {
        plb_extent where;
        uint8_t key[PLB_BLOCK_KEY];
        if (!plb_segment_has_block(&segment, b) || plb_segment_find_block(&segment, b, &where) ||
            where.size < PLB_CHECKSUM_BYTES)
            continue;
        plb_checksum_block_key(ply, first + b, key);
        plb_put_number(
            bytes + where.offset,
            plb_checksum(identity, key, sizeof key, bytes + where.offset + PLB_CHECKSUM_BYTES,
                         where.size - PLB_CHECKSUM_BYTES),
            PLB_CHECKSUM_BYTES);
    }
}

static int write_item(const seed_file *s, const item *i, uint64_t identity, plb_store_writer *to) {
    if (i->blocks) {
        seal(identity, i->ply, i->first_block, (plb_segment){i->bytes, i->size, i->blocks},
             i->bytes);
        return plb_store_put_segment(to, i->ply, i->first_block, i->bytes, i->size, NULL);
    }
    if (*i->name) {
        if (strcmp(i->name, "columns") == 0 && i->size > (size_t)s->head)
            seal(identity, 0, 0, (plb_segment){i->bytes + s->head, i->size - s->head, 1},
                 i->bytes + s->head);
        return plb_store_put_record(to, i->name, i->bytes, i->size, NULL);
    }
    plb_ply_stats stats = {0};
    memcpy(&stats, i->bytes, i->size < sizeof stats ? i->size : sizeof stats);
    return plb_store_put_stats(to, i->ply, &stats, NULL);
}

/* Write the file with one item changed or left out, or with another description (which < 0). False:
 * it cannot be written. */
static bool write_mutant(const seed_file *s, int which, const char *path, uint64_t *random) {
    char text[PLB_DESCRIPTION_TEXT];
    plb_store_writer *to;
    strcpy(text, s->description);
    if (which < 0) {
        static const char letters[] = "01289-kx\n";
        char letter = letters[support_random_below(random, sizeof letters - 1)];
        text[support_random_below(random, strlen(text))] = letter;
    }
    uint64_t identity = plb_checksum_identity(text);
    unlink(path);
    assert_int_equal(plb_store_create(path, text, 1 << 20, &to, NULL), PLB_OK);
    int error = PLB_OK, drops = which >= 0 && support_random_below(random, 40) == 0;
    for (int n = 0; n < s->count && !error; n++) {
        item copy = s->items[n];
        if (n == which && drops) continue;
        copy.bytes = malloc(copy.size + 1);
        assert_non_null(copy.bytes);
        memcpy(copy.bytes, s->items[n].bytes, copy.size);
        for (uint64_t times = n == which ? 1 + support_random_below(random, 3) : 0; times; times--)
            mutate(&copy, random);
        error = write_item(s, &copy, identity, to);
        free(copy.bytes);
    }
    if (!error) return plb_store_finish(to, NULL) == PLB_OK;
    plb_store_abandon(to);
    return false;
}

/* ---- checks of a mutant ---- */

static struct { uint64_t written, opened, verified, good; } tally;

static bool verify(const seed_file *s, const plb_table *table, const char *path) {
    static const verify_options options = {
        .whole_entries = UINT64_MAX, .samples = 64, .threads = 1};
    static verify_report report;
    strategy_check_options of_strategy = {.threads = 1};
    strategy_report strategy;
    plb_message why = {""};
    tally.verified++;
    int error = s->is_strategy ? verify_strategy(table, &of_strategy, &strategy, &why)
                               : verify_file(path, &options, &report, &why);
    assert_true(error == PLB_OK || error == PLB_ECORRUPT || error == PLB_EVERSION ||
                error == PLB_ENOTTABLE);
    assert_true(!error || *why.text);
    tally.good += !error;
    return !error;
}

static void check_mutant(const seed_file *s, const char *path, uint64_t number) {
    static plb_query answered[POSITIONS];
    plb_table *table = NULL;
    plb_message why = {""};
    int error = plb_open(path, &table, &why);
    if (error) {
        assert_true(error == PLB_ECORRUPT || error == PLB_EVERSION || error == PLB_ENOTTABLE ||
                    error == PLB_EUNFINISHED || error == PLB_ETOOBIG);
        assert_true(*why.text && !table);
        return;
    }
    tally.opened++;
    memcpy(answered, s->expected, s->positions * sizeof *answered);
    assert_int_equal(plb_probe_many(table, answered, s->positions), PLB_OK);
    bool is_same_game = strcmp(plb_info(table)->spec, s->label) == 0, wrong = false;
    for (size_t p = 0; p < s->positions; p++) {
        const plb_query *a = &answered[p], *r = &s->expected[p];
        assert_true(a->error || abs(a->answer.value) <= 1);
        wrong |= !a->error && !r->error && a->answer.value != r->answer.value;
    }
    if (!s->is_large || number % 40 == 0) {
        bool is_good = verify(s, table, path);
        if (is_good && is_same_game && !s->is_strategy && wrong)
            fail_msg("%s, mutant %" PRIu64 ": good, and wrong", s->label, number);
    }
    plb_close(table);
}

/* ---- the files ---- */

static void build_seed(const char *spec, plb_value_kind values, int engine, double count_seconds,
                       const char *path) {
    plb_space space;
    plb_built built;
    plb_message why;
    plb_build_options options = support_build_options(path, NULL, 1);
    options.values = values;
    options.count_seconds = count_seconds;
    support_open_kind(spec, engine, &space);
    support_expect(plb_build(&space, &options, &built, &why), PLB_OK, spec, &why);
    plb_space_close(&space);
}

static void load_seed(seed_file *s, const char *whole) {
    plb_table *table, *of_values;
    plb_message why;
    support_expect(plb_open(s->path, &table, &why), PLB_OK, s->path, &why);
    support_expect(plb_open(whole, &of_values, &why), PLB_OK, whole, &why);
    read_items(s, table);
    read_positions(s, table, of_values);
    plb_close(of_values);
    plb_close(table);
}

static void free_seed(seed_file *s) {
    for (int i = 0; i < s->count; i++) free(s->items[i].bytes);
}

/* Choose an item to change: first a random kind that the file has, then one of this kind. -1: the
 * description. */
static int choose(const seed_file *s, uint64_t *random) {
    static const char *const kinds[] = {"description", "builder", "distances", "columns",
                                        "keys-",       "model-",  "stats",     "segment"};
    for (;;) {
        const char *kind = kinds[support_random_below(random, 8)];
        int found[MAX_ITEMS], count = 0;
        if (strcmp(kind, "description") == 0) return -1;
        for (int n = 0; n < s->count; n++) {
            const item *i = &s->items[n];
            const char *name = i->blocks ? "segment" : *i->name ? i->name : "stats";
            if (strncmp(name, kind, strlen(kind)) == 0) found[count++] = n;
        }
        if (count) return found[support_random_below(random, count)];
    }
}

static void mutants_are_refused_or_found_or_right(void **state) {
    static seed_file files[] = {{.label = "connect-4x3-k3"},
                                {.label = "mnk-3x3-k3-misere"},
                                {.label = "connect-3x3-k3-cylinder"},
                                {.label = "connect-5x4-k4", .is_large = true},
                                {.label = "connect-4x4-k4", .is_strategy = true}};
    enum { FILES = sizeof files / sizeof *files };
    static char paths[FILES][SUPPORT_PATH];
    char whole[SUPPORT_PATH], path[SUPPORT_PATH];
    uint64_t random = support_seed("mutants", seed);
    for (int f = 0; f < FILES; f++) {
        files[f].path = strcpy(paths[f], support_path(state, files[f].label));
        strcpy(whole, paths[f]);
        if (f == 0) build_seed(files[f].label, PLB_DTM, PLB_SLABS, 60, paths[f]);
        if (f == 1) build_seed(files[f].label, PLB_WDL, PLB_KEYS, 0, paths[f]);
        if (f == 2) build_seed(files[f].label, PLB_DTM, PLB_KEYS, 60, paths[f]);
        if (f == 3) build_seed(files[f].label, PLB_WDL, PLB_SLABS, 60, paths[f]);
        if (files[f].is_strategy) {
            made_strategy m;
            strcat(whole, ".whole");
            build_seed(files[f].label, PLB_WDL, PLB_SLABS, 0, whole);
            extract_strategy(files[f].label, whole, (plb_strategy_claim){1, PLB_DRAW, 1},
                             CHOOSE_FIRST, &m);
            write_strategy(&m, paths[f]);
            discard_strategy(&m);
        }
        load_seed(&files[f], whole);
    }
    strcpy(path, support_path(state, "mutant.plb"));
    for (uint64_t n = 0; n < mutants; n++) {
        const seed_file *s = &files[n % FILES];
        alarm(SECONDS);
        if (folder) snprintf(path, sizeof path, "%s/mutant-%" PRIu64 ".plb", folder, n);
        if (!write_mutant(s, choose(s, &random), path, &random)) continue;
        tally.written++;
        if (!folder) check_mutant(s, path, n / FILES);
    }
    print_message("%" PRIu64 " mutants, %" PRIu64 " opened, %" PRIu64 " verified, %" PRIu64
                  " good\n",
                  tally.written, tally.opened, tally.verified, tally.good);
    assert_true(tally.written > mutants / 2 && (folder || tally.opened > mutants / 20));
    for (int f = 0; f < FILES; f++) free_seed(&files[f]);
}

int main(int argc, char **argv) {
    if (argc > 1) mutants = strtoull(argv[1], NULL, 10);
    if (argc > 2) seed = strtoull(argv[2], NULL, 10);
    if (argc > 3) folder = argv[3];
    support_use_memory();
    const struct CMUnitTest tests[] = {SUPPORT_IN_FOLDER(mutants_are_refused_or_found_or_right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
