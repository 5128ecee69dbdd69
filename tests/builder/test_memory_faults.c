/* SPDX-License-Identifier: MIT
 *
 * Fault injection in the allocator: one allocation fails, then a later one (support_next_fault),
 * and so on until a run makes fewer; then the same with all later allocations failing, too. Each
 * call succeeds or returns PLB_ENOMEM, leaks nothing, writes no out-parameter on failure, and
 * damages no file: a build without faults resumes and builds the same bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/plybase.h"
#include "tables/count/position_count.h"
#include "tests/support/failing_malloc.h"
#include "tests/support/positions.h"
#include "tests/support/support.h"

/* One run with a fault. */
typedef struct trial {
    void **state;
    uint64_t nth;
    bool for_good;
    const void *context; /* of the function that runs */
} trial;

/* Returns whether an allocation has failed. */
typedef bool trial_run(const trial *t);

/* Try all faults; a run must make more than min_allocations. */
static void try_faults(void **state, trial_run *run, const void *context,
                       uint64_t min_allocations) {
    for (int for_good = 0; for_good < 2; for_good++) {
        trial t = {.state = state, .nth = 1, .for_good = for_good, .context = context};
        while (run(&t)) t.nth = support_next_fault(for_good ? t.nth + 2 : t.nth);
        assert_true(t.nth > min_allocations);
    }
}

static void assert_clean(int error, const plb_message *why, const trial *t) {
    if (error && error != PLB_ENOMEM)
        fail_msg("allocation %llu%s: error %d: %s", (unsigned long long)t->nth,
                 t->for_good ? " and all after it" : "", error, why->text);
    if ((why->text[0] != 0) != (error != PLB_OK))
        fail_msg("allocation %llu: error %d and message '%s'", (unsigned long long)t->nth, error,
                 why->text);
}

static void assert_no_leak(int64_t live_before, const trial *t) {
    int64_t leaked = failing_malloc_live() - live_before;
    if (leaked)
        fail_msg("allocation %llu%s: %lld blocks leaked", (unsigned long long)t->nth,
                 t->for_good ? " and all after it" : "", (long long)leaked);
}

/* ---- builds ---- */

/* A build, and the files that exist when it begins. */
typedef struct scenario {
    const char *spec;
    int stop_at;            /* the report at which an earlier run was interrupted; 0: none */
    const char *existing;   /* the game of a table at the output path, or NULL */
    const char *unfinished; /* the game of an unfinished build at the output path, or NULL */
    bool force;
    plb_reach_way reach;
    bool holds_planes; /* there is memory for planes */
} scenario;

static void interrupt(const char *spec, const char *output, int stop_at) {
    support_stopper s = {.calls_left = stop_at};
    plb_build_options options = support_build_options(output, NULL, 1);
    options.stop = &s.stop;
    options.report = support_count_down;
    options.context = &s;
    assert_int_equal(support_run_build(spec, &options, NULL, NULL), PLB_EINTERRUPTED);
}

static void set_up(const scenario *s, const char *output) {
    if (s->stop_at) interrupt(s->spec, output, s->stop_at);
    if (s->unfinished) interrupt(s->unfinished, output, 20);
    if (s->existing) support_build(s->existing, output, NULL, 1);
}

/* Build with a fault. Returns the error code. */
static int build_with_fault(const trial *t, const scenario *s, const char *output, bool *failed) {
    plb_space space;
    support_open_space(s->spec, &space);
    plb_build_options options = support_build_options(output, NULL, 1);
    plb_message why = {.text = ""};
    plb_built built = {.existed = true};
    options.budget = plb_budget_of_spare(s->holds_planes ? 8 << 20 : 0);
    options.save_seconds = 1e9;
    options.force = s->force;
    options.slabs.reach = s->reach;
    int64_t live = failing_malloc_live();
    failing_malloc_arm(t->nth, t->for_good);
    int error = plb_build(&space, &options, &built, &why);
    *failed = failing_malloc_disarm();
    assert_no_leak(live, t);
    if (error != PLB_EOTHERGAME) assert_clean(error, &why, t);
    assert_int_equal(built.existed, error != PLB_OK);
    plb_space_close(&space);
    return error;
}

/* The path of the table that is built without faults. */
static const char *expected_table(void **state, const char *spec) {
    const char *path = support_path(state, spec);
    if (!support_exists(path)) support_build(spec, path, NULL, 1);
    return path;
}

/* If not even the folder of scratch files could be read, a second build removes it. */
static void remove_rest(const char *spec, const char *output) {
    plb_build_options options = support_build_options(output, NULL, 1);
    plb_built built = {.existed = false};
    assert_int_equal(support_run_build(spec, &options, &built, NULL), PLB_OK);
    assert_true(built.existed);
}

static bool try_build(const trial *t) {
    const scenario *s = t->context;
    const char *output = support_path(t->state, "table");
    const char *expected = expected_table(t->state, s->spec);
    bool failed;
    set_up(s, output);
    int error = build_with_fault(t, s, output, &failed);
    if (!error) {
        support_assert_same_files(output, expected);
    } else if (s->existing) {
        support_assert_same_files(output, expected_table(t->state, s->existing));
        assert_int_equal(unlink(output), 0);
    } else {
        assert_false(support_exists(output));
    }
    if (error) support_build(s->spec, output, NULL, 1);
    support_assert_same_files(output, expected);
    if (support_exists(support_path(t->state, "table.part"))) remove_rest(s->spec, output);
    assert_false(support_exists(support_path(t->state, "table.part")));
    assert_int_equal(unlink(output), 0);
    return failed;
}

static void try_builds(void **state, scenario s) {
    expected_table(state, s.spec);
    if (s.existing) expected_table(state, s.existing);
    for (int holds = 0; holds < 2; holds++) {
        s.holds_planes = holds;
        try_faults(state, try_build, &s, 50);
    }
}

static void a_build_survives_every_fault(void **state) {
    try_builds(state, (scenario){.spec = "connect-3x3-k3"});
    try_builds(state, (scenario){.spec = "mnk-2x2-k2-misere"});
    try_builds(state, (scenario){.spec = "connect-3x2-k2", .reach = PLB_REACH_BY_COLUMNS});
}

/* The earlier run was interrupted early, late, at the last of 14 reports (two for each ply), and in
 * a forward pass. */
static void a_resumed_build_survives_every_fault(void **state) {
    try_builds(state, (scenario){.spec = "mnk-3x2-k2", .stop_at = 3});
    try_builds(state, (scenario){.spec = "mnk-3x2-k2", .stop_at = 8});
    try_builds(state, (scenario){.spec = "mnk-3x2-k2", .stop_at = 14});
    try_builds(state, (scenario){.spec = "connect-3x2-k2", .stop_at = 9});
}

static void a_build_by_keys_survives_every_fault(void **state) {
    try_builds(state, (scenario){.spec = "numeric-2x2"});
    try_builds(state, (scenario){.spec = "numeric-2x2-each", .stop_at = 5});
    try_builds(state, (scenario){.spec = "numeric-2x2", .stop_at = 18});
}

/* Forecasts are made from samples, so a slab may need more memory than there is. */
static void a_slab_that_lacks_memory_is_solved_in_pieces(void **state) {
    const char *output = support_path(state, "table"),
               *expected = expected_table(state, "connect-5x5-k4");
    plb_build_options options = support_build_options(output, NULL, 1);
    options.budget = plb_budget_of_spare(0);
    failing_malloc_bound(SIZE_MAX);
    assert_int_equal(support_run_build("connect-5x5-k4", &options, NULL, NULL), PLB_OK);
    assert_int_equal(unlink(output), 0);
    failing_malloc_bound(failing_malloc_bound(SIZE_MAX) - 1);
    int error = support_run_build("connect-5x5-k4", &options, NULL, NULL);
    failing_malloc_bound(SIZE_MAX);
    assert_int_equal(error, PLB_OK);
    support_assert_same_files(output, expected);
}

/* Slabs that are large enough to be compressed, in the plies below the ninth of fourteen. */
static void a_build_of_large_slabs_survives_every_fault(void **state) {
    scenario s = {.spec = "connect-7x2-k4", .stop_at = 42};
    expected_table(state, s.spec);
    try_faults(state, try_build, &s, 50);
}

static void a_forced_build_survives_every_fault(void **state) {
    try_builds(state,
               (scenario){.spec = "mnk-2x2-k2", .existing = "connect-3x2-k2", .force = true});
}

/* ---- files of others ---- */

static bool try_to_take_over(const trial *t) {
    static const scenario rival = {.spec = "mnk-3x2-k2", .unfinished = "connect-3x3-k3"};
    const char *output = support_path(t->state, "table");
    const char *expected = expected_table(t->state, rival.unfinished);
    bool failed;
    set_up(&rival, output);
    int error = build_with_fault(t, &rival, output, &failed);
    assert_true(error == PLB_EOTHERGAME || error == PLB_ENOMEM);
    support_build(rival.unfinished, output, NULL, 1);
    support_assert_same_files(output, expected);
    assert_int_equal(unlink(output), 0);
    return failed;
}

static void no_fault_damages_the_build_of_another_game(void **state) {
    expected_table(state, "connect-3x3-k3");
    try_faults(state, try_to_take_over, NULL, 5);
}

static bool try_to_replace(const trial *t) {
    static const char thesis[] = "my thesis, the only copy\n";
    const char *output = support_path(t->state, "thesis");
    size_t size;
    support_write_file(output, thesis, strlen(thesis));
    plb_space space;
    support_open_space("mnk-3x2-k2", &space);
    plb_build_options options = support_build_options(output, NULL, 1);
    options.force = true;
    plb_built built;
    failing_malloc_arm(t->nth, t->for_good);
    int error = plb_build(&space, &options, &built, NULL);
    bool failed = failing_malloc_disarm();
    assert_true(error == PLB_ENOTTABLE || error == PLB_ENOMEM);
    uint8_t *bytes = support_read_file(output, &size);
    assert_int_equal(size, strlen(thesis));
    assert_memory_equal(bytes, thesis, size);
    free(bytes);
    plb_space_close(&space);
    return failed;
}

static void no_fault_replaces_a_file_that_is_no_table(void **state) {
    try_faults(state, try_to_replace, NULL, 2);
}

static bool try_to_find(const trial *t) {
    plb_space space;
    support_open_space("mnk-3x2-k2", &space);
    plb_build_options options = support_build_options(support_path(t->state, "table"), NULL, 1);
    plb_message why = {.text = ""};
    plb_built built = {.existed = false};
    int64_t live = failing_malloc_live();
    failing_malloc_arm(t->nth, t->for_good);
    int error = plb_build(&space, &options, &built, &why);
    bool failed = failing_malloc_disarm();
    assert_no_leak(live, t);
    assert_clean(error, &why, t);
    assert_int_equal(built.existed, error == PLB_OK);
    plb_space_close(&space);
    return failed;
}

static void a_finished_table_survives_every_fault(void **state) {
    const char *output = support_path(state, "table"),
               *expected = expected_table(state, "mnk-3x2-k2");
    support_build("mnk-3x2-k2", output, NULL, 1);
    try_faults(state, try_to_find, NULL, 5);
    support_assert_same_files(output, expected);
}

/* ---- counting ---- */

static plb_count_board counted_board; /* by try_to_count */

static bool try_to_count(const trial *t) {
    const plb_count_board board = counted_board;
    plb_position_counts counts;
    plb_message why = {.text = ""};
    int64_t live = failing_malloc_live();
    failing_malloc_arm(t->nth, t->for_good);
    int error = plb_position_count(&board, &(plb_count_work){.threads = 1}, &counts, &why);
    bool failed = failing_malloc_disarm();
    assert_clean(error, &why, t);
    if (!error) {
        const plb_ply_count *expected = t->context;
        assert_true(counts.all.total == expected->total &&
                    counts.all.terminal == expected->terminal);
        plb_position_counts_free(&counts);
    }
    assert_no_leak(live, t);
    return failed;
}

static void survive_every_fault(void **state, plb_count_board board) {
    plb_position_counts counts;
    counted_board = board;
    assert_int_equal(plb_position_count(&board, &(plb_count_work){.threads = 1}, &counts, NULL),
                     PLB_OK);
    try_faults(state, try_to_count, &counts.all, 30);
    plb_position_counts_free(&counts);
}

/* By a sweep, and by sets of the words of four and of five columns. */
static void a_count_survives_every_fault(void **state) {
    survive_every_fault(state, (plb_count_board){.width = 4, .height = 3, .k = 3});
    survive_every_fault(state, (plb_count_board){.width = 4, .height = 2, .k = 4});
    survive_every_fault(state, (plb_count_board){.width = 5, .height = 2, .k = 4});
}

/* ---- probing ---- */

/* A table, and the positions that a session probes. */
typedef struct session {
    const char *path;
    const oracle *solved;
    const plb_query *questions; /* [solved->count] */
    plb_query *queries;         /* [solved->count] scratch */
} session;

/* Bytes that a call must leave alone when it fails. */
enum { PATTERN = 0xA5 };

static bool is_untouched(const void *bytes, size_t size) {
    const uint8_t *b = bytes;
    for (size_t i = 0; i < size; i++)
        if (b[i] != PATTERN) return false;
    return true;
}

/* A failed assertion needs memory to print its message. */
#define CHECK(condition)                           \
    do {                                           \
        if (!(condition)) failing_malloc_disarm(); \
        assert_true(condition);                    \
    } while (0)

static bool is_clean(int error, const plb_message *why) {
    return (error == PLB_OK || error == PLB_ENOMEM) && (why->text[0] != 0) == (error != PLB_OK);
}

static bool is_answered(const plb_answer *answer, int error, const oracle_position *expected) {
    if (error) return is_untouched(answer, sizeof *answer);
    return (int)answer->value == expected->value && answer->over == expected->over;
}

static void probe_each(const session *s, const plb_table *table) {
    for (size_t p = 0; p < s->solved->count; p++) {
        plb_answer answer;
        plb_message why = {.text = ""};
        memset(&answer, PATTERN, sizeof answer);
        int error = plb_probe(table, s->questions[p].x, s->questions[p].o, &answer, &why);
        CHECK(is_clean(error, &why));
        CHECK(is_answered(&answer, error, &s->solved->positions[p]));
    }
}

static void list_moves(const session *s, const plb_table *table) {
    for (size_t p = 0; p < s->solved->count; p += 7) {
        plb_move moves[PLB_MAX_MOVES];
        plb_message why = {.text = ""};
        int count = -1;
        memset(moves, PATTERN, sizeof moves);
        int error = plb_moves(table, s->questions[p].x, s->questions[p].o, moves, &count, &why);
        CHECK(is_clean(error, &why));
        CHECK(!error || (count == -1 && is_untouched(moves, sizeof moves)));
        CHECK(error || (count == 0) == s->solved->positions[p].over);
        CHECK(error || !count || (int)moves[0].value == s->solved->positions[p].value);
    }
}

static void find_best(const session *s, const plb_table *table) {
    const plb_limits limits = {.memory_bytes = 4096};
    for (size_t p = 0; p < s->solved->count; p += 31) {
        plb_best best;
        plb_line line;
        plb_message why = {.text = ""};
        int dtm = s->solved->positions[p].dtm;
        memset(&best, PATTERN, sizeof best);
        memset(&line, PATTERN, sizeof line);
        int error =
            plb_find_best(table, s->questions[p].x, s->questions[p].o, &limits, &best, &why);
        CHECK(is_clean(error, &why));
        CHECK(error ? is_untouched(&best, sizeof best) : dtm < 0 || best.bounds.least == dtm);
        why.text[0] = 0;
        error = plb_find_line(table, s->questions[p].x, s->questions[p].o, &limits, &line, &why);
        CHECK(is_clean(error, &why));
        CHECK(error ? is_untouched(&line, sizeof line) : dtm < 0 || line.count == dtm);
    }
}

static void probe_by_context(const session *s, const plb_table *table) {
    plb_context *none = (plb_context *)s,
                *context = none; /* any address that is not of a context */
    int error = plb_context_open(table, &context);
    CHECK(error == PLB_OK || (error == PLB_ENOMEM && context == none));
    for (size_t p = 0; p < s->solved->count && !error; p++) {
        plb_answer answer;
        plb_message why = {.text = ""};
        memset(&answer, PATTERN, sizeof answer);
        int refused =
            plb_context_probe(context, s->questions[p].x, s->questions[p].o, &answer, &why);
        CHECK(is_clean(refused, &why));
        CHECK(is_answered(&answer, refused, &s->solved->positions[p]));
    }
    if (!error) plb_context_close(context);
}

/* Either no query was answered, or each has its own error. */
static void probe_many(const session *s, const plb_table *table) {
    size_t count = s->solved->count;
    for (size_t p = 0; p < count; p++) {
        s->queries[p] = s->questions[p];
        s->queries[p].error = 1;
        memset(&s->queries[p].answer, PATTERN, sizeof s->queries[p].answer);
    }
    int error = plb_probe_many(table, s->queries, count);
    CHECK(error == PLB_OK || error == PLB_ENOMEM);
    for (size_t p = 0; p < count; p++) {
        const plb_query *q = &s->queries[p];
        CHECK(error ? q->error == 1 : q->error == PLB_OK || q->error == PLB_ENOMEM);
        CHECK(is_answered(&q->answer, q->error, &s->solved->positions[p]));
    }
}

/* The order changes, so that different calls get the fault. */
static void probe_all(const trial *t, const session *s, const plb_table *table) {
    if (t->nth % 4 == 0) list_moves(s, table);
    if (t->nth % 4 == 1) probe_many(s, table);
    if (t->nth % 4 == 2) find_best(s, table);
    probe_by_context(s, table);
    probe_each(s, table);
    list_moves(s, table);
    probe_many(s, table);
    find_best(s, table);
}

static bool try_session(const trial *t) {
    const session *s = t->context;
    plb_table *none = (plb_table *)s, *table = none; /* any address that is not of a table */
    plb_message why = {.text = ""};
    int64_t live = failing_malloc_live();
    failing_malloc_arm(t->nth, t->for_good);
    int error = plb_open(s->path, &table, &why);
    CHECK(is_clean(error, &why));
    CHECK((table == none) == (error != PLB_OK));
    if (!error) {
        probe_all(t, s, table);
        plb_close(table);
    }
    bool failed = failing_malloc_disarm();
    assert_no_leak(live, t);
    return failed;
}

static void check_session(void **state, const oracle_game *game) {
    char spec[ORACLE_TEXT];
    oracle solved;
    assert_true(oracle_solve(game, &solved));
    oracle_spec_text(game, spec);
    plb_query *questions = calloc(solved.count, sizeof *questions);
    plb_query *queries = calloc(solved.count, sizeof *queries);
    assert_true(questions && queries);
    for (size_t p = 0; p < solved.count; p++)
        positions_bits(game, solved.positions[p].board, &questions[p].x, &questions[p].o);
    session s = {expected_table(state, spec), &solved, questions, queries};
    try_faults(state, try_session, &s, 30);
    free(questions);
    free(queries);
    oracle_free(&solved);
}

static void a_probe_session_survives_every_fault(void **state) {
    static const oracle_game games[] = {{ORACLE_CONNECT, 3, 3, 3, false, false},
                                        {ORACLE_MNK, 3, 2, 2, false, false},
                                        {ORACLE_MNK, 3, 3, 3, true, false}};
    for (size_t g = 0; g < sizeof games / sizeof games[0]; g++) check_session(state, &games[g]);
}

static bool try_missing(const trial *t) {
    const char *output = t->context;
    plb_table *table = NULL;
    plb_message why = {.text = ""};
    failing_malloc_arm(t->nth, t->for_good);
    int error = plb_open(output, &table, &why);
    bool failed = failing_malloc_disarm();
    assert_true(error == PLB_ENOMEM || error == PLB_EUNFINISHED);
    assert_true(strlen(why.text) > 0);
    return failed;
}

static void an_unfinished_table_stays_unfinished(void **state) {
    const char *output = support_path(state, "table");
    interrupt("connect-3x3-k3", output, 20);
    try_faults(state, try_missing, output, 2);
}

/* A test that failed may have left the allocator armed. */
static int leave(void **state) {
    failing_malloc_disarm();
    return support_leave_folder(state);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, support_enter_folder, leave)

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_slab_that_lacks_memory_is_solved_in_pieces),
        IN_FOLDER(a_build_survives_every_fault),
        IN_FOLDER(a_resumed_build_survives_every_fault),
        IN_FOLDER(a_build_by_keys_survives_every_fault),
        IN_FOLDER(a_build_of_large_slabs_survives_every_fault),
        IN_FOLDER(a_forced_build_survives_every_fault),
        IN_FOLDER(no_fault_damages_the_build_of_another_game),
        IN_FOLDER(no_fault_replaces_a_file_that_is_no_table),
        IN_FOLDER(a_finished_table_survives_every_fault),
        cmocka_unit_test(a_count_survives_every_fault),
        IN_FOLDER(a_probe_session_survives_every_fault),
        IN_FOLDER(an_unfinished_table_stays_unfinished),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
