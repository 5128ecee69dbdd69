/* SPDX-License-Identifier: MIT
 *
 * What tests share: folders that vanish, files as bytes, tables to order, repeatable random
 * numbers. A helper that fails ends its test.
 */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants those before it. */
#include <cmocka.h>

#include "builder/build.h"
#include "builder/planes/kernels.h"
#include "tables/store/store.h"

/* ---- random numbers ---- */

/* A seed for a test, printed, so that a failure can be looked at again. */
uint64_t support_seed(const char *what, uint64_t seed);

/* The next number of a sequence (splitmix64), and one in [0, below). */
uint64_t support_random(uint64_t *state);
uint64_t support_random_below(uint64_t *state, uint64_t below);

/* 1; in a build with sanitizers, whose code is five to twenty times as slow, `sanitized`: what goes
 * through many cases alike takes one of so many there. */
int support_step(int sanitized);

/* Of faults that are numbered from 1: the one to try after the nth. Where the environment has
 * PLYBASE_FAULTS=FIRST/STEP that is each of the first STEP, then every STEP-th, FIRST among them;
 * without it, 1/13. */
uint64_t support_next_fault(uint64_t nth);

/* Of long cases that are numbered: is it the turn of this one, as one in `most` has it? FIRST of
 * PLYBASE_FAULTS says which ones; with 1/1 it is everyone's. */
bool support_has_turn(unsigned number, unsigned most);

/* ---- folders and files ---- */

enum { SUPPORT_PATH = 256 };

/* Set up and tear down of a test: *state is the path of a new empty folder (char *). */
int support_enter_folder(void **state);
int support_leave_folder(void **state);

/* Have the folders of tests in memory, if that can be: for tests that build thousands of times,
 * each of which would wait for the disk. TMPDIR, if it is set, is used all the same. */
void support_use_memory(void);

#define SUPPORT_IN_FOLDER(test) \
    cmocka_unit_test_setup_teardown(test, support_enter_folder, support_leave_folder)

/* Path of a file in the folder of a test; one of a few buffers that are used in turn. */
const char *support_path(void **state, const char *name);

bool support_exists(const char *path);
int support_count_files(void **state);

/* The bytes of a file, to be freed by the caller. */
uint8_t *support_read_file(const char *path, size_t *size);
void support_write_file(const char *path, const void *bytes, size_t size);
void support_assert_same_files(const char *path, const char *other);

/* ---- games and tables ---- */

plb_game support_game(const char *spec);

/* Open the space of a game, to be closed with plb_space_close. */
void support_open_space(const char *spec, plb_space *space);

/* The same with a kind of index. */
void support_open_kind(const char *spec, plb_index_kind kind, plb_space *space);

/* Options of a quiet build; kernels NULL for the best. */
plb_build_options support_build_options(const char *output, const plb_kernels *kernels,
                                        int threads);

/* Build a new table: of values, or of wdl ones. */
void support_build_values(const char *spec, plb_value_kind values, const char *output,
                          const plb_kernels *kernels, int threads);
void support_build(const char *spec, const char *output, const plb_kernels *kernels, int threads);

/* Open the store of a table that is there. */
plb_store *support_open_store(const char *path);

/* A report of a build that interrupts it when it is called for the last time of calls_left. */
typedef struct support_stopper {
    int calls_left;
    volatile sig_atomic_t stop;
} support_stopper;

void support_count_down(void *stopper, const plb_progress *progress);

/* The kernel sets that this machine can run; NULL after the last. */
const plb_kernels *const *support_kernels(void);

/* Check an error code; on failure print both codes and the message. */
void support_expect(int error, int expected, const char *what, const plb_message *message);

#endif
