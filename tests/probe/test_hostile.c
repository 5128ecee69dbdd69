/* SPDX-License-Identifier: MIT
 *
 * Damaged tables and arbitrary text: every answer is right or an error; there is no wrong value and
 * no crash.
 *
 * A table is damaged in many ways. After each it is opened, and positions are probed whose values
 * the oracle knows. This happens in a child process, so that the parent survives a crash or an
 * endless loop, and can report the damage. Seeds are fixed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/plybase.h"
#include "tables/format/block_layout.h"
#include "tables/format/meta.h"
#include "tables/games/symmetry.h"
#include "tables/store/store_writer.h"
#include "tests/support/positions.h"
#include "tests/support/support.h"

enum { PAGE = 4096, SECONDS = 20, LONGEST_TEXT = 300, VERY_LONG = 1 << 20 };

/* A game whose table is so small that each byte can be changed, and one with more pages. */
static const oracle_game small_game = {ORACLE_CONNECT, 3, 3, 3, true, true};
static const oracle_game larger_game = {ORACLE_CONNECT, 4, 4, 4, false, false};

typedef struct victim {
    const char *path;    /* of the table */
    const char *damaged; /* the file that is damaged: the table or its only shard */
    oracle solved;
    plb_query *expected; /* [count] positions with their values */
    plb_query *queries;  /* [count] scratch */
    size_t count;
    uint8_t *file; /* its content before the damage */
    size_t size;
    int descriptor;
    uint64_t random;
} victim;

/* Shared by child and parent. */
typedef struct progress {
    char damage[160];                   /* the current one, followed by the failed check */
    long tried, refused, partly, sound; /* partly: opened, then some answers were errors */
} progress;

static progress *shared;

typedef enum damaged_file { TABLE, MANIFEST, SHARD } damaged_file;

static void build_shards(const char *spec, const char *path) {
    plb_build_options options = support_build_options(path, NULL, 1);
    options.shards = options.force = true;
    assert_int_equal(support_run_build(spec, &options, NULL, NULL), PLB_OK);
}

/* Build a table, and solve its game. One position in `stride` will be probed. */
static void make_victim_of(void **state, const oracle_game *game, size_t stride, damaged_file kind,
                           victim *v) {
    char spec[ORACLE_TEXT];
    oracle_spec_text(game, spec);
    memset(v, 0, sizeof *v);
    v->path = support_path(state, "victim.plb");
    v->random = support_seed(spec, 20250211);
    v->damaged = kind == SHARD ? support_path(state, "victim.plb.0") : v->path;
    if (kind == TABLE)
        support_build(spec, v->path, NULL, 1);
    else
        build_shards(spec, v->path);
    v->file = support_read_file(v->damaged, &v->size);
    v->descriptor = open(v->damaged, O_RDWR);
    assert_true(v->descriptor >= 0 && oracle_solve(game, &v->solved));
    v->expected = calloc(v->solved.count, sizeof *v->expected);
    v->queries = calloc(v->solved.count, sizeof *v->queries);
    assert_true(v->expected && v->queries);
    for (size_t p = 0; p < v->solved.count; p += stride) {
        plb_query *query = &v->expected[v->count++];
        positions_bits(game, v->solved.positions[p].board, &query->x, &query->o);
        query->answer.value = v->solved.positions[p].value;
        query->answer.over = v->solved.positions[p].over;
    }
}

static void make_victim(void **state, const oracle_game *game, size_t stride, victim *v) {
    make_victim_of(state, game, stride, TABLE, v);
}

static void free_victim(victim *v) {
    close(v->descriptor);
    oracle_free(&v->solved);
    free(v->expected);
    free(v->queries);
    free(v->file);
}

/* ---- probing, in the child ---- */

/* If the condition does not hold, end the child; the parent reports what. */
static void require(bool holds, const char *what) {
    if (holds) return;
    size_t length = strlen(shared->damage);
    snprintf(shared->damage + length, sizeof shared->damage - length, ": %s", what);
    _exit(1);
}

static bool is_sentence(const plb_message *why) {
    size_t length = strnlen(why->text, sizeof why->text);
    return length > 0 && length < sizeof why->text;
}

static bool is_refusal(int error) {
    return error == PLB_ENOTTABLE || error == PLB_EVERSION || error == PLB_EUNFINISHED ||
           error == PLB_ECORRUPT || error == PLB_EIO;
}

/* Returns the number of errors among the answers; the others must be right. */
static size_t probe_positions(const victim *v, const plb_table *table) {
    size_t errors = 0;
    memcpy(v->queries, v->expected, v->count * sizeof *v->queries);
    for (size_t p = 0; p < v->count; p++) v->queries[p].answer = (plb_answer){.value = PLB_DRAW};
    require(plb_probe_many(table, v->queries, v->count) == PLB_OK, "no answers");
    for (size_t p = 0; p < v->count; p++) {
        const plb_query *query = &v->queries[p], *expected = &v->expected[p];
        errors += query->error != PLB_OK;
        require(query->error == PLB_OK || query->error == PLB_ECORRUPT, "a strange error");
        require(query->error || (query->answer.value == expected->answer.value &&
                                 query->answer.over == expected->answer.over),
                "a wrong value");
    }
    return errors;
}

static void check_stats(const victim *v, const plb_table *table) {
    for (int ply = 0; ply <= v->solved.cells; ply++) {
        const oracle_counts *c = &v->solved.plies[ply];
        plb_ply_stats s;
        require(plb_stats(table, ply, &s) == PLB_OK, "no counts");
        require(s.total == c->total && s.terminal == c->terminal && s.won == c->won &&
                    s.drawn == c->drawn && s.lost == c->lost,
                "wrong counts");
    }
}

static void try_file(const victim *v) {
    plb_table *table = NULL;
    plb_message why = {""};
    alarm(SECONDS);
    shared->tried++;
    int error = plb_open(v->path, &table, &why);
    if (error) {
        require(is_refusal(error) && is_sentence(&why) && !table, "a strange refusal");
        shared->refused++;
        return;
    }
    check_stats(v, table);
    size_t errors = probe_positions(v, table);
    shared->partly += errors > 0;
    shared->sound += errors == 0;
    plb_close(table);
}

/* ---- damage, in the child ---- */

static void write_at(const victim *v, size_t offset, const void *bytes, size_t size) {
    require(pwrite(v->descriptor, bytes, size, offset) == (ssize_t)size, "cannot write");
}

static void restore(const victim *v) {
    require(ftruncate(v->descriptor, v->size) == 0, "cannot restore");
    write_at(v, 0, v->file, v->size);
}

static void change_byte(const victim *v, size_t offset, uint8_t value) {
    if (value == v->file[offset]) return;
    snprintf(shared->damage, sizeof shared->damage, "byte %zu is %u", offset, value);
    write_at(v, offset, &value, 1);
    try_file(v);
    write_at(v, offset, v->file + offset, 1);
}

/* The inside of a run of zeros is most likely unused: less is tried there. */
static bool is_among_zeros(const victim *v, size_t offset) {
    return offset >= 8 && offset + 8 < v->size &&
           !memcmp(v->file + offset - 8, "\0\0\0\0\0\0\0", 8) &&
           !memcmp(v->file + offset, "\0\0\0\0\0\0\0", 8);
}

static void change_each_byte(victim *v) {
    for (size_t b = 0; b < v->size; b++) {
        uint8_t old = v->file[b];
        if (!support_has_turn((unsigned)b, 3)) continue;
        change_byte(v, b, old ^ 1 << b % 8);
        if (is_among_zeros(v, b)) continue;
        change_byte(v, b, old + 1);
        change_byte(v, b, old ^ 0xff);
        change_byte(v, b, support_random(&v->random));
    }
}

/* Cut the file at quarters of pages. */
static void cut_everywhere(victim *v) {
    for (size_t length = 0; length < v->size; length += PAGE / 4) {
        long refused = shared->refused;
        snprintf(shared->damage, sizeof shared->damage, "cut to %zu bytes", length);
        require(ftruncate(v->descriptor, length) == 0, "cannot cut");
        try_file(v);
        require(shared->refused == refused + 1, "it was opened");
        restore(v);
    }
}

static void fill_page(victim *v, uint8_t page[PAGE], int way) {
    size_t other = support_random_below(&v->random, v->size / PAGE);
    if (way == 2) memcpy(page, v->file + other * PAGE, PAGE);
    for (size_t b = 0; b < PAGE && way != 2; b++) page[b] = way ? support_random(&v->random) : 0;
}

/* Zeros, random bytes or another page, in place of a page or of its end. */
static void change_pages(victim *v, int rounds) {
    for (int round = 0; round < rounds; round++) {
        uint8_t page[PAGE];
        size_t number = support_random_below(&v->random, v->size / PAGE);
        size_t from = round % 2 ? support_random_below(&v->random, PAGE) : 0;
        fill_page(v, page, round % 3);
        snprintf(shared->damage, sizeof shared->damage, "page %zu from byte %zu, way %d, round %d",
                 number, from, round % 3, round);
        write_at(v, number * PAGE + from, page + from, PAGE - from);
        try_file(v);
        write_at(v, number * PAGE, v->file + number * PAGE, PAGE);
    }
}

static void change_random_bytes(victim *v, int rounds) {
    for (int round = 0; round < rounds; round++) {
        snprintf(shared->damage, sizeof shared->damage, "random bytes, round %d", round);
        for (uint64_t n = 1 + support_random_below(&v->random, 5); n > 0; n--) {
            uint8_t value = support_random(&v->random);
            write_at(v, support_random_below(&v->random, v->size), &value, 1);
        }
        try_file(v);
        restore(v);
    }
}

static void damage_small(victim *v) {
    change_each_byte(v);
    cut_everywhere(v);
    change_pages(v, 1000);
    change_random_bytes(v, 1000);
}

static void damage_larger(victim *v) {
    cut_everywhere(v);
    change_pages(v, 600);
    change_random_bytes(v, 600);
}

static void damage_some(victim *v) {
    for (size_t b = 0; b < v->size; b++)
        if (support_has_turn((unsigned)b, 7)) change_byte(v, b, v->file[b] ^ 1 << b % 8);
    cut_everywhere(v);
    change_pages(v, 300);
    change_random_bytes(v, 300);
}

/* ---- text, in the child ---- */

/* Random bytes, or random characters of valid text. */
static void fill_text(victim *v, char *text, size_t length) {
    static const char valid[] = "xo/0123456789 ,abcmnkconnect-square-7x6-k4-misere-cylinder";
    bool any = support_random_below(&v->random, 2);
    for (size_t c = 0; c < length; c++)
        text[c] = any ? (char)(1 + support_random_below(&v->random, 255))
                      : valid[support_random_below(&v->random, sizeof valid - 1)];
    text[length] = 0;
}

static void try_spec(const char *text) {
    plb_game game;
    plb_message why = {""};
    int error = plb_game_parse(text, &game, &why);
    require(error == PLB_OK || (error == PLB_ESPEC && is_sentence(&why)), "a strange answer");
}

static void try_position(const plb_table *table, const char *text) {
    uint64_t x, o;
    plb_answer answer;
    plb_message why = {""};
    int error = plb_probe_text(table, text, &answer, &why);
    require(error == PLB_OK || is_sentence(&why), "no reason");
    why.text[0] = 0;
    error = plb_parse_moves(table, text, &x, &o, &why);
    require(error ? is_sentence(&why) : plb_probe(table, x, o, &answer, NULL) == PLB_OK,
            "no reason, or moves to nowhere");
}

static void try_text(const plb_table *table, const char *text) {
    alarm(SECONDS);
    shared->tried++;
    try_spec(text);
    try_position(table, text);
}

static void try_texts(victim *v) {
    plb_table *table;
    char *text = malloc(VERY_LONG + 1);
    require(text && plb_open(v->path, &table, NULL) == PLB_OK, "cannot begin");
    for (int round = 0; round < 200000; round++) {
        snprintf(shared->damage, sizeof shared->damage, "text of round %d", round);
        fill_text(v, text, support_random_below(&v->random, round % 2 ? 12 : LONGEST_TEXT));
        try_text(table, text);
    }
    for (const char *c = "x3/-a, \xff"; *c; c++) {
        snprintf(shared->damage, sizeof shared->damage, "a very long text of %c", *c);
        memset(text, *c, VERY_LONG);
        text[VERY_LONG] = 0;
        try_text(table, text);
    }
    plb_close(table);
    free(text);
}

static void try_bitboards(victim *v) {
    plb_table *table;
    require(plb_open(v->path, &table, NULL) == PLB_OK, "cannot begin");
    for (int round = 0; round < 200000; round++) {
        uint64_t some = round % 4 ? 0xffff : ~0ULL, x = support_random(&v->random) & some;
        uint64_t o = support_random(&v->random) & some & (round % 3 ? ~x : ~0ULL);
        plb_answer answer;
        plb_message why = {""};
        shared->tried++;
        snprintf(shared->damage, sizeof shared->damage, "x %#llx, o %#llx", (unsigned long long)x,
                 (unsigned long long)o);
        int error = plb_probe(table, x, o, &answer, &why);
        require(error != PLB_ECORRUPT && (error == PLB_OK || is_sentence(&why)), "no reason");
    }
    plb_close(table);
}

/* ---- descriptions of huge games, in the child ---- */

/* A valid file with a description and empty statistics, and no segments. */
static void forge(const char *path, const char *spec) {
    plb_space space;
    plb_store_writer *store;
    plb_meta meta = {
        .format = PLB_FORMAT_VERSION, .values = PLB_WDL, .level = 3, .builder = "test"};
    unlink(path);
    require(plb_space_begin(spec, &space, NULL) == PLB_OK, "not a game");
    snprintf(meta.spec, sizeof meta.spec, "%s", spec);
    meta.symmetries = space.symmetry.order;
    meta.block_entries = PLB_SEGMENT_ENTRIES;
    require(plb_meta_create(&meta, path, false, &store, NULL) == PLB_OK, "no file");
    for (int ply = 0; ply <= space.game.cells; ply++)
        require(plb_store_put_stats(store, ply, &(plb_ply_stats){0}, NULL) == PLB_OK, "no counts");
    require(plb_store_finish(store, NULL) == PLB_OK, "no file");
    plb_space_close(&space);
}

/* The indices of these games would take minutes and gigabytes. */
static void try_huge_games(victim *v) {
    static const char *const specs[] = {"mnk-17x2-k3", "square-6x5", "connect-32x1-k4",
                                        "connect-8x8-k4", "mnk-8x8-k5"};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        plb_table *table;
        snprintf(shared->damage, sizeof shared->damage, "%s", specs[s]);
        forge(v->path, specs[s]);
        alarm(1);
        shared->tried++;
        require(plb_open(v->path, &table, NULL) == PLB_ECORRUPT, "a strange answer");
    }
}

/* ---- tests ---- */

static int prepare(void **state) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED ? -1 : support_enter_folder(state);
}

static int clean(void **state) {
    munmap(shared, sizeof *shared);
    return support_leave_folder(state);
}

#define HOSTILE(test) cmocka_unit_test_setup_teardown(test, prepare, clean)

/* Remove the handlers of cmocka: in the child they would turn a crash into a failed test and go on.
 */
static void let_signals_kill(void) {
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGABRT};
    for (size_t s = 0; s < sizeof signals / sizeof *signals; s++) signal(signals[s], SIG_DFL);
}

static void run_child(victim *v, void (*work)(victim *v)) {
    pid_t child = fork();
    if (child == 0) {
        let_signals_kill();
        work(v);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status != 0) fail_msg("%s: status %#x", shared->damage, status);
    print_message("%ld tried, %ld refused, %ld answered in part, %ld as if sound\n", shared->tried,
                  shared->refused, shared->partly, shared->sound);
}

static void damaged_bytes_give_no_wrong_answer(void **state) {
    victim v;
    make_victim(state, &small_game, 1, &v);
    run_child(&v, damage_small);
    /* Free space, and the header of an unused page, may hold anything. */
    assert_true(shared->refused > 1000 && shared->partly > 50);
    free_victim(&v);
}

static void damaged_pages_give_no_wrong_answer(void **state) {
    victim v;
    make_victim(state, &larger_game, 17, &v);
    run_child(&v, damage_larger);
    assert_true(shared->refused > 100 && shared->partly > 10);
    free_victim(&v);
}

static void damaged_shards_give_no_wrong_answer(void **state) {
    for (damaged_file kind = MANIFEST; kind <= SHARD; kind++) {
        victim v;
        make_victim_of(state, &small_game, 1, kind, &v);
        run_child(&v, damage_some);
        assert_true(shared->refused > 300 && shared->sound > 200);
        unlink(v.path);
        free_victim(&v);
        memset(shared, 0, sizeof *shared);
    }
}

static void arbitrary_text_is_handled(void **state) {
    victim v;
    make_victim(state, &larger_game, 17, &v);
    run_child(&v, try_texts);
    free_victim(&v);
}

static void arbitrary_bitboards_are_handled(void **state) {
    victim v;
    make_victim(state, &larger_game, 17, &v);
    run_child(&v, try_bitboards);
    free_victim(&v);
}

static void a_small_file_of_a_huge_game_is_refused_at_once(void **state) {
    victim v = {.path = support_path(state, "victim.plb")};
    run_child(&v, try_huge_games);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        HOSTILE(damaged_bytes_give_no_wrong_answer),
        HOSTILE(damaged_pages_give_no_wrong_answer),
        HOSTILE(damaged_shards_give_no_wrong_answer),
        HOSTILE(arbitrary_text_is_handled),
        HOSTILE(arbitrary_bitboards_are_handled),
        HOSTILE(a_small_file_of_a_huge_game_is_refused_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
