/* SPDX-License-Identifier: MIT */
#include "tests/support/support.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tables/cpu_dispatch.h"

/* ---- random numbers ---- */

uint64_t support_seed(const char *what, uint64_t seed) {
    printf("seed of %s: %llu\n", what, (unsigned long long)seed);
    return seed;
}

uint64_t support_random(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

uint64_t support_random_below(uint64_t *state, uint64_t below) {
    return support_random(state) % below;
}

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

int support_step(int sanitized) {
    return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ? sanitized : 1;
}

/* PLYBASE_FAULTS=FIRST/STEP. */
static unsigned first = 1, step = 13;

static void read_faults(void) {
    static bool is_read;
    const char *wanted = getenv("PLYBASE_FAULTS");
    if (is_read) return;
    if (wanted) assert_int_equal(sscanf(wanted, "%u/%u", &first, &step), 2);
    printf("faults: the first %u, then every %uth from the %uth\n", step, step, first);
    assert_in_range(first, 1, step);
    is_read = true;
}

uint64_t support_next_fault(uint64_t nth) {
    read_faults();
    return nth < step ? nth + 1 : nth + step - (nth - first) % step;
}

bool support_has_turn(unsigned number, unsigned period) {
    read_faults();
    if (period > step) period = step;
    return number % period == first % period;
}

/* ---- folders and files ---- */

void support_use_memory(void) {
    if (access("/dev/shm", W_OK | X_OK) == 0) setenv("TMPDIR", "/dev/shm", 0);
}

int support_enter_folder(void **state) {
    const char *parent = getenv("TMPDIR");
    char *path = malloc(SUPPORT_PATH);
    if (!path) return -1;
    snprintf(path, SUPPORT_PATH, "%.150s/plybase-test-XXXXXX", parent ? parent : "/tmp");
    *state = path;
    if (mkdtemp(path)) return 0;
    print_error("no folder for tests, %s: %s; TMPDIR tells where\n", path, strerror(errno));
    return -1;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status, (void)type, (void)place;
    return remove(path);
}

int support_leave_folder(void **state) {
    int result = nftw(*state, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(*state);
    return result;
}

const char *support_path(void **state, const char *name) {
    static char buffers[8][SUPPORT_PATH];
    static int next;
    char *path = buffers[next++ % 8];
    snprintf(path, SUPPORT_PATH, "%s/%.80s", (const char *)*state, name);
    return path;
}

bool support_exists(const char *path) {
    return access(path, F_OK) == 0;
}

int support_count_files(void **state) {
    DIR *folder = opendir(*state);
    assert_non_null(folder);
    int count = -2; /* for . and .. */
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

uint8_t *support_read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("cannot read %s", path);
    struct stat status;
    assert_int_equal(fstat(fileno(file), &status), 0);
    uint8_t *bytes = malloc(status.st_size + 1);
    assert_non_null(bytes);
    *size = fread(bytes, 1, status.st_size, file);
    assert_int_equal(*size, status.st_size);
    fclose(file);
    return bytes;
}

void support_write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file) fail_msg("cannot write %s", path);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void support_copy_file(const char *from, const char *to) {
    size_t size;
    uint8_t *bytes = support_read_file(from, &size);
    support_write_file(to, bytes, size);
    free(bytes);
}

void support_flip_bits(const char *path, size_t offset, uint8_t mask) {
    size_t size;
    uint8_t *bytes = support_read_file(path, &size);
    assert_true(offset < size);
    bytes[offset] ^= mask;
    support_write_file(path, bytes, size);
    free(bytes);
}

void support_assert_same_files(const char *path, const char *other) {
    size_t size, other_size;
    uint8_t *bytes = support_read_file(path, &size);
    uint8_t *other_bytes = support_read_file(other, &other_size);
    if (size != other_size || memcmp(bytes, other_bytes, size) != 0)
        fail_msg("%s and %s differ", path, other);
    free(bytes);
    free(other_bytes);
}

/* ---- games and tables ---- */

plb_game support_game(const char *spec) {
    plb_game game;
    plb_message why;
    support_expect(plb_game_parse(spec, &game, &why), PLB_OK, spec, &why);
    return game;
}

void support_open_space(const char *spec, plb_space *space) {
    plb_message why;
    support_expect(plb_space_open(spec, space, &why), PLB_OK, spec, &why);
}

void support_open_kind(const char *spec, plb_index_kind kind, plb_space *space) {
    plb_message why;
    support_expect(plb_space_begin(spec, space, &why), PLB_OK, spec, &why);
    support_expect(plb_space_add_index(space, kind, &why), PLB_OK, spec, &why);
}

plb_build_options support_build_options(const char *output, const plb_kernels *kernels,
                                        int threads) {
    return (plb_build_options){.output = output, .threads = threads, .slabs.kernels = kernels};
}

int support_run_build(const char *spec, const plb_build_options *options, plb_built *built,
                      plb_message *why) {
    plb_space space;
    plb_built unused;
    support_open_space(spec, &space);
    int error = plb_build(&space, options, built ? built : &unused, why);
    plb_space_close(&space);
    return error;
}

void support_build_values(const char *spec, plb_value_kind values, const char *output,
                          const plb_kernels *kernels, int threads) {
    plb_build_options options = support_build_options(output, kernels, threads);
    options.values = values;
    plb_message why;
    plb_built built;
    support_expect(support_run_build(spec, &options, &built, &why), PLB_OK, spec, &why);
    assert_false(built.existed);
}

void support_build(const char *spec, const char *output, const plb_kernels *kernels, int threads) {
    support_build_values(spec, PLB_WDL, output, kernels, threads);
}

const plb_kernels *const *support_kernels(void) {
    static const plb_kernels *sets[3];
    sets[0] = &plb_kernels_portable;
#ifdef __x86_64__
    if (plb_has_avx2()) sets[1] = &plb_kernels_bmi2;
#endif
    return sets;
}

void support_expect(int error, int expected, const char *what, const plb_message *message) {
    if (error != expected)
        fail_msg("%s: error %d (%s), expected %d (%s): %s", what, error, plb_error_text(error),
                 expected, plb_error_text(expected), error && message ? message->text : "");
}

plb_store *support_open_store(const char *path) {
    plb_store *store = NULL;
    plb_message why;
    support_expect(plb_store_open(path, &store, &why), PLB_OK, path, &why);
    return store;
}

void support_count_down(void *stopper, const plb_progress *progress) {
    (void)progress;
    support_stopper *s = stopper;
    if (--s->calls_left == 0) s->stop = 1;
}
