/* SPDX-License-Identifier: MIT
 *
 * Processes and threads probe one table concurrently, while another process builds; and readers
 * open a table before its build ends. Children are forked before this process has threads, and
 * report by their exit status.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/plybase.h"
#include "tests/support/open_table.h"
#include "tests/support/positions.h"
#include "tests/support/support.h"

enum { PROCESSES = 8, THREADS = 8, BATCH = 1000 };

static const oracle_game read_game = {ORACLE_CONNECT, 4, 4, 4, false, false};
static const char read_spec[] = "connect-4x4-k4", built_spec[] = "connect-4x4-k3";

/* All positions of the table, with the answers that the parent got before the others began. */
typedef struct known {
    size_t count;
    plb_query *queries; /* [count] with their answers */
} known;

/* Probe the positions together and each alone, and compare both with the oracle. */
static known probe_positions(const char *path) {
    oracle solved;
    plb_table *table = support_open_table(path);
    assert_true(oracle_solve(&read_game, &solved));
    known k = {solved.count, calloc(solved.count, sizeof *k.queries)};
    assert_non_null(k.queries);
    for (size_t p = 0; p < k.count; p++)
        positions_bits(&read_game, solved.positions[p].board, &k.queries[p].x, &k.queries[p].o);
    assert_int_equal(plb_probe_many(table, k.queries, k.count), PLB_OK);
    for (size_t p = 0; p < k.count; p++) {
        plb_answer alone;
        assert_int_equal(plb_probe(table, k.queries[p].x, k.queries[p].o, &alone, NULL), PLB_OK);
        assert_int_equal(alone.value, k.queries[p].answer.value);
        assert_int_equal(alone.value, solved.positions[p].value);
    }
    plb_close(table);
    oracle_free(&solved);
    return k;
}

/* ---- a reader ---- */

typedef struct reader {
    pthread_t thread;
    const plb_table *table;
    const known *known;
    int number;   /* of the thread: decides where it begins and how it probes */
    size_t wrong; /* answers */
} reader;

static bool is_right(const plb_query *expected, int error, const plb_answer *answer) {
    return !error && answer->value == expected->answer.value &&
           answer->over == expected->answer.over;
}

static void read_each(reader *r) {
    size_t count = r->known->count, begin = count / THREADS * r->number;
    for (size_t p = 0; p < count; p++) {
        const plb_query *expected = &r->known->queries[(begin + p) % count];
        plb_answer answer;
        int error = plb_probe(r->table, expected->x, expected->o, &answer, NULL);
        r->wrong += !is_right(expected, error, &answer);
    }
}

static void read_batch(reader *r, size_t first) {
    plb_query batch[BATCH];
    size_t count = r->known->count - first < BATCH ? r->known->count - first : BATCH;
    for (size_t q = 0; q < count; q++)
        batch[q] = (plb_query){
            .x = r->known->queries[first + q].x, .o = r->known->queries[first + q].o, .error = 1};
    r->wrong += plb_probe_many(r->table, batch, count) != PLB_OK;
    for (size_t q = 0; q < count; q++)
        r->wrong += !is_right(&r->known->queries[first + q], batch[q].error, &batch[q].answer);
}

static void read_batches(reader *r) {
    size_t batches = (r->known->count + BATCH - 1) / BATCH;
    for (size_t b = 0; b < batches; b++)
        read_batch(r, (b + batches / THREADS * r->number) % batches * BATCH);
}

static void *run_reader(void *argument) {
    reader *r = argument;
    if (r->number % 2)
        read_batches(r);
    else
        read_each(r);
    return NULL;
}

/* A process of readers. Returns the number of wrong answers. */
static size_t read_with_threads(const char *path, const known *k) {
    reader readers[THREADS];
    size_t wrong = 0;
    plb_table *table = NULL;
    if (plb_open(path, &table, NULL) != PLB_OK) return 1;
    for (int t = 0; t < THREADS; t++) {
        readers[t] = (reader){.table = table, .known = k, .number = t};
        if (pthread_create(&readers[t].thread, NULL, run_reader, &readers[t]) != 0) abort();
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(readers[t].thread, NULL);
        wrong += readers[t].wrong;
    }
    plb_close(table);
    return wrong;
}

/* ---- a builder beside them ---- */

/* Build a table again and again until the readers are done. Returns the number of failed builds. */
static int build_repeatedly(const char *path, const atomic_bool *done) {
    plb_build_options options = support_build_options(path, NULL, 2);
    int failed = 0;
    options.force = true;
    do failed += support_run_build(built_spec, &options, NULL, NULL) != PLB_OK;
    while (!*done);
    return failed;
}

/* Open the table that is built, until the readers are done: it is always complete, the old or the
 * new one. Returns the number of failures. */
static int open_repeatedly(const char *path, const atomic_bool *done) {
    int wrong = 0;
    do {
        plb_table *table = NULL;
        plb_answer answer;
        wrong += plb_open(path, &table, NULL) != PLB_OK ||
                 plb_probe(table, 0, 0, &answer, NULL) != PLB_OK || answer.value != PLB_WIN;
        plb_close(table);
    } while (!*done);
    return wrong;
}

static bool succeeds(pid_t child) {
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void processes_and_threads_read_while_another_builds(void **state) {
    const char *path = support_path(state, read_spec), *beside = support_path(state, built_spec);
    support_build(read_spec, path, NULL, 1);
    support_build(built_spec, beside, NULL, 1);
    known k = probe_positions(path);
    atomic_bool *done =
        mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(done != MAP_FAILED);
    pid_t builder = fork(), opener = -1, readers[PROCESSES];
    if (builder == 0) _exit(build_repeatedly(beside, done) != 0);
    opener = fork();
    if (opener == 0) _exit(open_repeatedly(beside, done) != 0);
    for (int p = 0; p < PROCESSES; p++)
        if ((readers[p] = fork()) == 0) _exit(read_with_threads(path, &k) != 0);
    int good = 0;
    for (int p = 0; p < PROCESSES; p++) good += succeeds(readers[p]);
    *done = true; /* also after a failure: the other processes wait for it */
    bool builder_is_good = succeeds(builder), opener_is_good = succeeds(opener);
    assert_int_equal(good, PROCESSES);
    assert_true(builder_is_good && opener_is_good);
    munmap(done, sizeof *done);
    free(k.queries);
}

/* ---- readers before the end of a build ---- */

static void assert_unfinished(const char *path) {
    plb_table *table = NULL;
    plb_message why = {.text = ""};
    support_expect(plb_open(path, &table, &why), PLB_EUNFINISHED, path, &why);
    assert_null(table);
    assert_non_null(strstr(why.text, path));
    assert_non_null(strstr(why.text, "not finished"));
}

typedef struct listener {
    const char *path;
    int calls, stop_at; /* stop_at: the call at which the build is stopped; 0: never */
    volatile sig_atomic_t stop;
} listener;

static void listen(void *context, const plb_progress *progress) {
    (void)progress;
    listener *l = context;
    assert_unfinished(l->path);
    if (++l->calls == l->stop_at) l->stop = 1;
}

static int build_watched(const char *path, listener *l) {
    plb_build_options options = support_build_options(path, NULL, 1);
    options.report = listen;
    options.context = l;
    options.stop = &l->stop;
    return support_run_build(built_spec, &options, NULL, NULL);
}

static void a_table_is_unfinished_until_its_build_ends(void **state) {
    const char *path = support_path(state, "table");
    listener l = {.path = path};
    assert_int_equal(build_watched(path, &l), PLB_OK);
    assert_true(l.calls > 2 * 2 * 17); /* two passes over 17 plies, two reports each */
    plb_close(support_open_table(path));
}

static void a_table_stays_unfinished_when_its_build_stops(void **state) {
    const char *path = support_path(state, "table");
    int error, runs = 0;
    do {
        listener l = {.path = path, .stop_at = 5};
        error = build_watched(path, &l);
        if (error) assert_unfinished(path);
        runs++;
    } while (error == PLB_EINTERRUPTED);
    assert_int_equal(error, PLB_OK);
    assert_true(runs > 10);
    plb_close(support_open_table(path));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(processes_and_threads_read_while_another_builds), /* forks */
        SUPPORT_IN_FOLDER(a_table_is_unfinished_until_its_build_ends),
        SUPPORT_IN_FOLDER(a_table_stays_unfinished_when_its_build_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
