/* SPDX-License-Identifier: MIT
 *
 * Helpers of the tests: temporary folders, files, tables, reproducible random numbers. A helper
 * that fails ends its test.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the headers above. */
#include <cmocka.h>

#include "builder/build.h"
#include "builder/planes/kernels.h"
#include "tables/store/store.h"

/* ---- random numbers ---- */

/* Print the seed of a test, so that a failure can be reproduced. Returns the seed. */
uint64_t support_seed(const char *what, uint64_t seed);

/* The next number of a sequence (splitmix64), and one in [0, below). */
uint64_t support_random(uint64_t *state);
uint64_t support_random_below(uint64_t *state, uint64_t below);

/* The step of a loop over many similar cases: 1, or `sanitized` in a build with sanitizers, which
 * is five to twenty times slower. */
int support_step(int sanitized);

/* The number of the fault to try after the nth, counted from 1. PLYBASE_FAULTS=FIRST/STEP in the
 * environment (default: 1/13) selects each of the first STEP faults, then every STEP-th, such that
 * the numbers are FIRST modulo STEP. */
uint64_t support_next_fault(uint64_t nth);

/* Should the long case `number` run? One in `period` does; FIRST of PLYBASE_FAULTS selects which.
 * With 1/1 all run. */
bool support_has_turn(unsigned number, unsigned period);

/* ---- folders and files ---- */

enum { SUPPORT_PATH = 256 };

/* Setup and teardown of a test: *state is the path of a new empty folder (char *). */
int support_enter_folder(void **state);
int support_leave_folder(void **state);

/* Put the folders of tests in memory if possible, for tests with thousands of builds, which would
 * wait for the disk. If TMPDIR is set, it is used instead. */
void support_use_memory(void);

#define SUPPORT_IN_FOLDER(test) \
    cmocka_unit_test_setup_teardown(test, support_enter_folder, support_leave_folder)

/* The path of a file in the folder of a test, valid for seven further calls. */
const char *support_path(void **state, const char *name);

bool support_exists(const char *path);
int support_count_files(void **state);

/* The bytes of a file; the caller frees them. */
uint8_t *support_read_file(const char *path, size_t *size);
void support_write_file(const char *path, const void *bytes, size_t size);
void support_copy_file(const char *from, const char *to);
void support_assert_same_files(const char *path, const char *other);

/* Invert the bits of a mask in the byte at an offset. */
void support_flip_bits(const char *path, size_t offset, uint8_t mask);

/* ---- games and tables ---- */

plb_game support_game(const char *spec);

/* Open the space of a game; close it with plb_space_close. */
void support_open_space(const char *spec, plb_space *space);

/* The same with an index of this kind. */
void support_open_kind(const char *spec, plb_index_kind kind, plb_space *space);

/* Options of a build without reports. kernels: NULL for the best. */
plb_build_options support_build_options(const char *output, const plb_kernels *kernels,
                                        int threads);

/* Build a table, or resume its build. built: NULL if it is not needed. Returns the error code. */
int support_run_build(const char *spec, const plb_build_options *options, plb_built *built,
                      plb_message *why);

/* Build a new table: with these values, and with wdl. */
void support_build_values(const char *spec, plb_value_kind values, const char *output,
                          const plb_kernels *kernels, int threads);
void support_build(const char *spec, const char *output, const plb_kernels *kernels, int threads);

/* Open the store of a table, which must exist. */
plb_store *support_open_store(const char *path);

/* A `report` callback of a build that interrupts it after `calls_left` calls. */
typedef struct support_stopper {
    int calls_left;
    volatile sig_atomic_t stop;
} support_stopper;

void support_count_down(void *stopper, const plb_progress *progress);

/* The kernel sets that this machine can run, terminated by NULL. */
const plb_kernels *const *support_kernels(void);

/* Check an error code; if it is not the expected one, print both and the message. */
void support_expect(int error, int expected, const char *what, const plb_message *message);
