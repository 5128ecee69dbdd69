/* SPDX-License-Identifier: MIT
 *
 * The file of an open table is truncated, overwritten or replaced while threads probe it: every
 * answer is right or an error, and there is no signal. The threads probe with contexts and without
 * them, in a child process, so that a signal fails the test.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/plybase.h"
#include "tests/support/support.h"

enum { THREADS = 2, POSITIONS = 20000, ROUNDS = 12, WRONG = 3, NO_ERRORS = 4, STRANGE = 5 };

typedef struct prober {
    const plb_table *table;
    const plb_query *expected; /* [POSITIONS] */
    atomic_bool *stop;
    long answers, errors;
    int verdict; /* 0, WRONG or STRANGE */
} prober;

static bool is_expected(int error) {
    return error == PLB_ECORRUPT || error == PLB_EIO;
}

static void probe_once(prober *a, plb_context *context, const plb_query *expected) {
    plb_answer answer;
    plb_message why = {.text = ""};
    int error = context ? plb_context_probe(context, expected->x, expected->o, &answer, &why)
                        : plb_probe(a->table, expected->x, expected->o, &answer, &why);
    if (error && (!is_expected(error) || !why.text[0])) a->verdict = STRANGE;
    if (!error && answer.value != expected->answer.value) a->verdict = WRONG;
    a->errors += error != PLB_OK;
    a->answers++;
}

/* Probe all positions, again and again, each time with a new context, which reads blocks anew. */
static void *probe_repeatedly(void *context) {
    prober *a = context;
    while (!atomic_load(a->stop)) {
        plb_context *own = NULL;
        if (plb_context_open(a->table, &own)) a->verdict = STRANGE;
        for (int p = 0; p < POSITIONS && !atomic_load(a->stop); p++)
            probe_once(a, p % 3 ? own : NULL, &a->expected[p]);
        plb_context_close(own);
    }
    return NULL;
}

/* ---- changes of the file ---- */

typedef struct table_files {
    const char *path, *other;
    uint8_t *bytes; /* of the table as built */
    size_t size;
} table_files;

typedef void change(const table_files *s, int round);

static void put(const table_files *s, size_t from, size_t to) {
    int file = open(s->path, O_WRONLY);
    if (file < 0 || pwrite(file, s->bytes + from, to - from, from) != (ssize_t)(to - from))
        _exit(STRANGE);
    close(file);
}

static void cut_short(const table_files *s, int round) {
    const off_t left[] = {0, 8192, (off_t)s->size / 2 + 1};
    if (truncate(s->path, left[round % 3])) _exit(STRANGE);
    usleep(20000);
    put(s, 0, s->size);
}

static void overwrite(const table_files *s, int round) {
    int file = open(s->path, O_WRONLY);
    uint8_t noise[4096];
    memset(noise, 0x55 + round, sizeof noise);
    for (size_t at = 0; at + sizeof noise <= s->size; at += sizeof noise)
        if (pwrite(file, noise, sizeof noise, at) < 0) _exit(STRANGE);
    close(file);
    usleep(20000);
    put(s, 0, s->size);
}

/* Copy the table of another game over the file by cp, then restore it. */
static void copy_over(const table_files *s, int round) {
    char command[3 * SUPPORT_PATH];
    (void)round;
    snprintf(command, sizeof command, "cp '%s' '%s'", s->other, s->path);
    if (system(command)) _exit(STRANGE);
    usleep(20000);
    if (truncate(s->path, 0)) _exit(STRANGE);
    put(s, 0, s->size);
}

/* ---- the child ---- */

static int judge(const prober *probers) {
    long errors = 0;
    for (int t = 0; t < THREADS; t++) {
        if (probers[t].verdict) return probers[t].verdict;
        errors += probers[t].errors;
    }
    return errors ? 0 : NO_ERRORS; /* without an error, no thread met the change */
}

static int run_child(const table_files *s, const plb_query *expected, change *change_file) {
    plb_table *table;
    pthread_t threads[THREADS];
    prober probers[THREADS];
    atomic_bool stop = false;
    if (plb_open(s->path, &table, NULL)) return STRANGE;
    for (int t = 0; t < THREADS; t++) {
        probers[t] = (prober){.table = table, .expected = expected, .stop = &stop};
        if (pthread_create(&threads[t], NULL, probe_repeatedly, &probers[t])) return STRANGE;
    }
    for (int round = 0; round < ROUNDS; round++) {
        usleep(20000);
        change_file(s, round);
    }
    atomic_store(&stop, true);
    for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    plb_close(table);
    return judge(probers);
}

/* ---- tests ---- */

/* Positions of random games, with their values in the unchanged table. */
static void answer_random_positions(const char *path, plb_query *queries) {
    plb_table *table;
    uint64_t random = support_seed("positions", 20261124);
    assert_int_equal(plb_open(path, &table, NULL), PLB_OK);
    for (int p = 0; p < POSITIONS;) {
        uint64_t x = 0, o = 0;
        plb_state state = {.over = false};
        while (!state.over && p < POSITIONS) {
            plb_move move = {.column = (int)support_random_below(&random, 5)};
            while (move.row < 4 && plb_play(table, &move, &x, &o, NULL)) move.row++;
            if (move.row == 4) continue;
            assert_int_equal(plb_find_state(table, x, o, &state, NULL), PLB_OK);
            queries[p].x = x;
            queries[p++].o = o;
        }
    }
    assert_int_equal(plb_probe_many(table, queries, POSITIONS), PLB_OK);
    plb_close(table);
}

static void try_change(void **state, change *change_file) {
    plb_query *expected = calloc(POSITIONS, sizeof *expected);
    table_files s = {.path = support_path(state, "table"), .other = support_path(state, "other")};
    int status;
    support_build("connect-5x4-k4", s.path, NULL, 1);
    support_build("connect-5x4-k4-misere", s.other, NULL, 1);
    answer_random_positions(s.path, expected);
    s.bytes = support_read_file(s.path, &s.size);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGBUS, SIG_DFL); /* remove the handler of cmocka */
        signal(SIGSEGV, SIG_DFL);
        _exit(run_child(&s, expected, change_file));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status) fail_msg("status %#x", status);
    free(s.bytes);
    free(expected);
}

static void a_file_may_be_cut_short(void **state) {
    try_change(state, cut_short);
}

static void a_file_may_be_overwritten(void **state) {
    try_change(state, overwrite);
}

static void a_file_may_be_copied_over(void **state) {
    try_change(state, copy_over);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_file_may_be_cut_short),
        SUPPORT_IN_FOLDER(a_file_may_be_overwritten),
        SUPPORT_IN_FOLDER(a_file_may_be_copied_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
