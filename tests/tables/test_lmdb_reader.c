/* SPDX-License-Identifier: MIT
 *
 * plb_lmdb_check against damaged files: what it reports of them is within them, and what it lets
 * pass a store reads without a crash.
 *
 * A shape is a store of a certain form. Its file is damaged in many ways, one after the other;
 * after each way the file is checked, and if it passes, read completely. All this happens in a
 * child process, so that a crash or an endless loop is a result: the parent then names the way.
 * Seeds are fixed.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tables/store/lmdb_reader.h"
#include "tables/store/store_writer.h"
#include "tests/support/support.h"

enum { PAGE = 4096, METAS = 2, PLIES = 3, TEXTS = 3, MANY = 20000, SECONDS = 10 };

typedef struct shape {
    const char *name;
    int segments; /* of each ply */
    int min_bytes, max_bytes;
    size_t map_bytes;
    int each_byte; /* ways to damage each byte in use; 0: only random bytes */
} shape;

static const shape SHAPES[] = {
    {"empty plies", 0, 0, 0, 0, 4},
    {"few small segments", 4, 1, 60, 0, 4},
    {"a branch", 12, 100, 1500, 0, 1},
    {"large segments", 8, 1, 60000, 1 << 18, 1},
    {"thousands of small segments", 2000, 20, 60, 0, 0},
    {"a tree of three levels", 300, 1000, 1300, 0, 0},
    {"thousands of segments of all sizes", 700, 1, 9000, 1 << 16, 0},
};
enum { SHAPES_COUNT = sizeof SHAPES / sizeof *SHAPES };

static const char *const TEXT_NAMES[TEXTS] = {"spec", "builder", "rules"};

/* What the child reports to the parent. */
typedef struct progress {
    char way[160];              /* the current damage, in words */
    long tried, passed, unread; /* unread: passed, then reading gave an error */
} progress;

static char path[64];
static progress *told;
static uint64_t random_state;

static uint64_t random_below(uint64_t bound) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % bound;
}

/* ---- a store and its file ---- */

static size_t segment_bytes(const shape *of, int ply, int number) {
    uint64_t mixed = (ply * 1000003ULL + number + 1) * 0x9E3779B97F4A7C15ULL >> 40;
    return of->min_bytes + mixed % (of->max_bytes - of->min_bytes + 1);
}

static void put_ply(plb_store_writer *store, const shape *of, int ply) {
    static uint8_t bytes[1 << 16];
    plb_ply_stats stats = {.total = ply, .drawn = ply};
    for (int s = 0; s < of->segments; s++) {
        memset(bytes, s + 1, sizeof bytes);
        size_t size = segment_bytes(of, ply, s);
        assert_int_equal(plb_store_put_segment(store, ply, s, bytes, size, NULL), PLB_OK);
    }
    assert_int_equal(plb_store_put_stats(store, ply, &stats, NULL), PLB_OK);
}

static void make_store(const shape *of) {
    plb_store_writer *store;
    unlink(path);
    assert_int_equal(plb_store_create(path, "a table", of->map_bytes, &store, NULL), PLB_OK);
    for (int t = 0; t < TEXTS; t++)
        assert_int_equal(plb_store_put_record(store, TEXT_NAMES[t], "some text", 9, NULL), PLB_OK);
    for (int ply = 0; ply < PLIES; ply++) put_ply(store, of, ply);
    assert_int_equal(plb_store_finish(store, NULL), PLB_OK);
}

/* Read the file; the caller frees. */
static uint8_t *load_file(size_t *size) {
    struct stat file;
    int descriptor = open(path, O_RDONLY);
    assert_int_equal(fstat(descriptor, &file), 0);
    uint8_t *bytes = malloc(file.st_size);
    assert_int_equal(read(descriptor, bytes, file.st_size), file.st_size);
    close(descriptor);
    *size = file.st_size;
    return bytes;
}

static bool is_tree_page(const uint8_t *file, size_t page) {
    const uint8_t *bytes = file + page * PAGE;
    uint64_t number;
    memcpy(&number, bytes, sizeof number);
    return page >= METAS && number == page && (bytes[10] == 1 || bytes[10] == 2);
}

/* Meta pages and pages of trees, also of those no longer in use. */
static size_t list_pages(const uint8_t *file, size_t size, size_t *pages) {
    size_t count = 0;
    for (size_t page = 0; page < size / PAGE && count < MANY; page++)
        if (page < METAS || is_tree_page(file, page)) pages[count++] = page;
    return count;
}

/* ---- reading, in the child ---- */

static volatile uint8_t sink;

/* What the check reports: values that are within the file. */
static int see_database(void *context, const uint8_t *name, size_t size) {
    (void)context;
    for (size_t c = 0; c < size; c++) sink += name[c];
    return PLB_OK;
}

static int see_record(void *context, const plb_lmdb_record *record) {
    const plb_input_file *input = context;
    const plb_extent *value = &record->value;
    for (size_t b = 0; b < record->key_size; b++) sink += record->key[b];
    if (value->offset > input->size_bytes || value->size > input->size_bytes - value->offset)
        abort();
    return PLB_OK;
}

static int check_file(const char *name, plb_message *message) {
    plb_input_file input;
    uint64_t used_bytes = 0;
    int error = plb_input_file_open(name, &input, message);
    if (error) return error;
    const plb_lmdb_visitor visitor = {
        .database = see_database, .record = see_record, .context = &input};
    error = plb_lmdb_check(&input, &visitor, &used_bytes, message);
    if (!error && used_bytes > input.size_bytes) abort();
    plb_input_file_close(&input);
    return error;
}

static int read_segment(const plb_store *store, int ply, uint64_t number) {
    uint8_t *bytes = NULL;
    size_t size;
    int error = plb_store_get_segment(store, ply, number, &bytes, &size, NULL);
    for (size_t b = 0; !error && b < size; b += 512) sink += bytes[b];
    if (!error && size > 0) sink += bytes[size - 1];
    free(bytes);
    return error;
}

static int read_text(const plb_store *store, const char *name) {
    uint8_t *bytes = NULL;
    size_t size;
    int error = plb_store_get_record(store, name, &bytes, &size, NULL);
    free(bytes);
    return error;
}

/* Every record, and some that are not there. */
static bool read_records(const plb_store *store, const shape *of) {
    int errors = 0;
    plb_ply_stats stats;
    for (int t = 0; t < TEXTS; t++) errors += read_text(store, TEXT_NAMES[t]) != 0;
    for (int ply = 0; ply < PLIES; ply++) {
        errors += plb_store_get_stats(store, ply, &stats, NULL) != 0;
        for (int s = 0; s < of->segments; s++) errors += read_segment(store, ply, s) != 0;
        read_segment(store, ply, UINT64_MAX);
    }
    read_text(store, "zzz");
    plb_store_get_stats(store, PLIES, &stats, NULL);
    return errors == 0;
}

static bool read_store(const shape *of) {
    plb_store *store;
    if (plb_store_open(path, &store, NULL) != PLB_OK) return false;
    bool complete = read_records(store, of);
    plb_store_close(store);
    return complete;
}

/* ---- damage, in the child ---- */

typedef struct victim {
    const shape *of;
    int descriptor;
    const uint8_t *file; /* as written */
    size_t size;
    size_t pages[MANY], pages_count; /* metas and trees */
} victim;

static bool passes_check(void) {
    plb_message message = {""};
    int error = check_file(path, &message);
    if (error && !strstr(message.text, path)) abort();
    return error == PLB_OK;
}

static void try_file(const victim *on) {
    alarm(SECONDS);
    told->tried++;
    if (!passes_check()) return;
    told->passed++;
    told->unread += !read_store(on->of);
}

static void write_at(const victim *on, size_t offset, const uint8_t *bytes, size_t size) {
    if (pwrite(on->descriptor, bytes, size, offset) != (ssize_t)size) abort();
}

static void restore(const victim *on, size_t offset, size_t size) {
    write_at(on, offset, on->file + offset, size);
}

static void change_byte(const victim *on, size_t offset, uint8_t value) {
    if (value == on->file[offset]) return;
    snprintf(told->way, sizeof told->way, "byte %zu of page %zu is %u", offset % PAGE,
             offset / PAGE, value);
    write_at(on, offset, &value, 1);
    try_file(on);
    restore(on, offset, 1);
}

static uint8_t new_value(uint8_t old, int way) {
    switch (way) {
        case 0:
            return old ^ 0xff;
        case 1:
            return old + 1;
        case 2:
            return 0;
        default:
            return random_below(256);
    }
}

/* Is a byte unused: after the fields of a meta page, or between pointers and nodes? */
static bool is_free_space(const victim *on, size_t page, size_t byte) {
    uint16_t bounds[2];
    memcpy(bounds, on->file + page * PAGE + 12, sizeof bounds);
    return page < METAS ? byte >= 152 : byte >= bounds[0] && byte < bounds[1];
}

/* Damage the bytes of each page that support_next_fault selects. */
static void change_each_byte(const victim *on) {
    for (size_t p = 0; p < on->pages_count && on->of->each_byte; p++)
        for (uint64_t fault = support_next_fault(0); fault <= PAGE;
             fault = support_next_fault(fault)) {
            size_t b = fault - 1, offset = on->pages[p] * PAGE + b;
            int ways = is_free_space(on, on->pages[p], b) ? b % 2 == 0 : on->of->each_byte;
            for (int way = 0; way < ways; way++)
                change_byte(on, offset, new_value(on->file[offset], (way + b / 2) % 4));
        }
}

/* Mostly a byte of the header or the first pointers, where damage does most; or any byte. */
static size_t random_offset(const victim *on) {
    size_t page = on->pages[random_below(on->pages_count)];
    size_t within[] = {16, 64, 160, PAGE};
    return page * PAGE + random_below(within[random_below(4)]);
}

static void change_random_bytes(const victim *on) {
    for (int round = 0; round < 2000; round++) {
        if (!support_has_turn(round, 2)) continue;
        size_t offset = random_offset(on);
        change_byte(on, offset, new_value(on->file[offset], random_below(4)));
    }
}

/* Change several 16-bit numbers at once: to 0, a small or a large one, or one from elsewhere. */
static void change_random_fields(const victim *on) {
    for (int round = 0; round < 1000; round++) {
        if (!support_has_turn(round, 2)) continue;
        size_t offsets[4];
        int count = 2 + random_below(3);
        for (int f = 0; f < count; f++) {
            size_t other = random_offset(on) & ~1ULL;
            uint16_t value[] = {0, random_below(300), 0xffff - random_below(20), on->file[other]};
            offsets[f] = random_offset(on) & ~1ULL;
            write_at(on, offsets[f], (const uint8_t *)&value[random_below(4)], 2);
        }
        snprintf(told->way, sizeof told->way, "fields, round %d", round);
        try_file(on);
        for (int f = 0; f < count; f++) restore(on, offsets[f], 2);
    }
}

/* Write garbage from some byte to the end of a page; the header may be kept. */
static void fill_pages(const victim *on) {
    uint8_t garbage[PAGE];
    for (int round = 0; round < 500; round++) {
        size_t page = on->pages[random_below(on->pages_count)];
        size_t keep[] = {0, 10, 16, 152, random_below(PAGE)}, from = keep[random_below(5)];
        for (size_t b = 0; b < PAGE; b++) garbage[b] = random_below(256);
        snprintf(told->way, sizeof told->way, "garbage from byte %zu of page %zu, round %d", from,
                 page, round);
        write_at(on, page * PAGE + from, garbage, PAGE - from);
        try_file(on);
        restore(on, page * PAGE, PAGE);
    }
}

/* Copy a page over another one. keep_number: keep the page number of the other, which is valid. */
static void copy_page(const victim *on, size_t from, size_t to, bool keep_number) {
    size_t skip = keep_number ? 8 : 0;
    write_at(on, to * PAGE + skip, on->file + from * PAGE + skip, PAGE - skip);
}

static void swap_pages(const victim *on) {
    for (int round = 0; round < 500; round++) {
        size_t a = on->pages[random_below(on->pages_count)];
        size_t b = random_below(4) ? on->pages[random_below(on->pages_count)]
                                   : random_below(on->size / PAGE);
        bool keep_number = round % 2, only_copy = round % 4 < 2;
        snprintf(told->way, sizeof told->way, "pages %zu, %zu swapped, round %d", a, b, round);
        copy_page(on, b, a, keep_number);
        if (!only_copy) copy_page(on, a, b, keep_number);
        try_file(on);
        restore(on, a * PAGE, PAGE);
        restore(on, b * PAGE, PAGE);
    }
}

static void damage_all(const shape *of) {
    static victim on;
    on.of = of;
    on.file = load_file(&on.size);
    on.pages_count = list_pages(on.file, on.size, on.pages);
    on.descriptor = open(path, O_WRONLY);
    change_each_byte(&on);
    change_random_bytes(&on);
    change_random_fields(&on);
    fill_pages(&on);
    swap_pages(&on);
    snprintf(told->way, sizeof told->way, "nothing");
    if (!passes_check() || !read_store(of)) abort(); /* all has been restored */
    free((void *)on.file);
    close(on.descriptor);
}

/* ---- tests ---- */

static int prepare(void **state) {
    (void)state;
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    snprintf(path, sizeof path, "plb-page-check-%d.plb", (int)getpid());
    return told == MAP_FAILED;
}

static int clean(void **state) {
    (void)state;
    unlink(path);
    return munmap(told, sizeof *told);
}

static void sound_files_pass(void **state) {
    (void)state;
    for (int s = 0; s < SHAPES_COUNT; s++) {
        make_store(&SHAPES[s]);
        plb_message message = {""};
        int error = check_file(path, &message);
        if (error) fail_msg("%s: %s", SHAPES[s].name, message.text);
        assert_true(read_store(&SHAPES[s]));
    }
}

static int check_length(off_t length, const char *says) {
    plb_message message = {""};
    assert_int_equal(truncate(path, length), 0);
    int error = check_file(path, &message);
    if (!strstr(message.text, says)) fail_msg("%lld: %s", (long long)length, message.text);
    return error;
}

static void cut_files_fail(void **state) {
    (void)state;
    for (int s = 0; s < SHAPES_COUNT; s++) {
        struct stat file;
        make_store(&SHAPES[s]);
        assert_int_equal(stat(path, &file), 0);
        off_t length = file.st_size - 1;
        for (; length > PAGE; length -= length % PAGE == PAGE - 1 ? 1000 : PAGE - 1000 - 1)
            assert_int_equal(check_length(length, "should have"), PLB_ECORRUPT);
    }
}

static void cut_metas_fail(void **state) {
    (void)state;
    make_store(&SHAPES[1]);
    for (int length = 2 * PAGE - 1; length >= 20; length -= length > 200 ? 97 : 1)
        assert_int_equal(check_length(length, "cut short"), PLB_ECORRUPT);
    for (int length = 19; length >= 0; length--)
        assert_int_equal(check_length(length, "is not a Plybase table"), PLB_ENOTTABLE);
}

static void other_files_fail(void **state) {
    (void)state;
    plb_message message;
    assert_int_equal(check_file("/tmp", &message), PLB_ENOTTABLE);
    assert_non_null(strstr(message.text, "/tmp is a directory"));
    assert_int_equal(check_file("/dev/null", &message), PLB_ENOTTABLE);
    assert_non_null(strstr(message.text, "not a regular file"));
    assert_int_equal(check_file("/nonexistent", &message), PLB_ENOTFOUND);
    assert_int_equal(check_file("/etc/passwd", NULL), PLB_ENOTTABLE);
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(check_file(path, NULL), PLB_ENOTTABLE);
}

/* One change, and the words of the error. */
typedef struct blow {
    size_t offset;
    const char *bytes;
    size_t size;
    const char *says;
} blow;

static void damage_is_named(void **state) {
    (void)state;
    static const blow BLOWS[] = {
        {16, "x", 1, "is not a Plybase table"},
        {40, "\0\3", 2, "page 0 has an impossible page size"},
        {PAGE + 16, "x", 1, "page 1 is not a meta page"},
        {PAGE + 41, "\x20", 1, "page 1 has another page size"},
        {39, "\1", 1, "page 0 has an impossible map size"},
        {143, "\1", 1, "page 0 has an impossible last page"},
        {138, "\1", 1, "should have 2"},
        {92, "\4", 1, "page 0 has a database of another kind"},
        {94, "\2", 1, "is not a branch"},
        {128, "\1", 1, "page 1 is used twice"},
        {130, "\1", 1, "is beyond the last one"},
        {120, "\4", 1, "page 0 has a database with a wrong number of entries"},
    };
    make_store(&SHAPES[1]);
    victim on = {.descriptor = open(path, O_WRONLY)};
    on.file = load_file(&on.size);
    for (size_t b = 0; b < sizeof BLOWS / sizeof *BLOWS; b++) {
        plb_message message = {""};
        write_at(&on, BLOWS[b].offset, (const uint8_t *)BLOWS[b].bytes, BLOWS[b].size);
        assert_int_not_equal(check_file(path, &message), PLB_OK);
        if (!strstr(message.text, BLOWS[b].says)) fail_msg("%s: %s", BLOWS[b].says, message.text);
        restore(&on, BLOWS[b].offset, BLOWS[b].size);
    }
    free((void *)on.file);
    close(on.descriptor);
}

/* cmocka would take a crash of the child for the end of the child's test, and continue. */
static void let_signals_kill(void) {
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGABRT};
    for (size_t s = 0; s < sizeof signals / sizeof *signals; s++) signal(signals[s], SIG_DFL);
}

static void run_child(const shape *of) {
    pid_t child = fork();
    if (child == 0) {
        let_signals_kill();
        damage_all(of);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status != 0) fail_msg("%s, %s: status %#x", of->name, told->way, status);
}

static void damage_is_no_crash(void **state) {
    (void)state;
    for (int s = 0; s < SHAPES_COUNT; s++) {
        memset(told, 0, sizeof *told);
        random_state = 0x9E3779B97F4A7C15ULL + s;
        make_store(&SHAPES[s]);
        run_child(&SHAPES[s]);
        print_message("%s: %ld tried, %ld passed the check, %ld of them not read\n", SHAPES[s].name,
                      told->tried, told->passed, told->unread);
        assert_true(told->tried > 1000 && told->passed < told->tried);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_files_pass), cmocka_unit_test(cut_files_fail),
        cmocka_unit_test(cut_metas_fail),   cmocka_unit_test(other_files_fail),
        cmocka_unit_test(damage_is_named),  cmocka_unit_test(damage_is_no_crash),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
