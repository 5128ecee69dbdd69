/* SPDX-License-Identifier: MIT
 *
 * A disk that fails on demand, and that can lose its power. A program that is linked with
 * watched_disk.c has its open, pwrite, fsync, rename and all of that family, so that what liblmdb
 * calls is covered too. Only what happens under one folder is watched, and by one thread.
 *
 * A cut of the power: from the call at which it happens on, nothing reaches the disk any more. What
 * was not synced before may be lost or not, each file and each name for itself:
 *
 *     content of a file   as it was when the file was synced last, or now, or a part of that
 *     name of a file      as it was when its folder was synced last, or now; renaming is atomic
 */
#ifndef TESTS_WATCHED_DISK_H
#define TESTS_WATCHED_DISK_H

#include <stdbool.h>
#include <stdint.h>

/* Watch a folder, which is empty; NULL: none. */
void watched_disk_begin(const char *folder);

/* ---- failures ---- */

typedef enum disk_call {
    DISK_OPEN,
    DISK_READ,
    DISK_WRITE,
    DISK_SYNC,
    DISK_RENAME,
    DISK_DELETE,
    DISK_FOLDER, /* made, listed, removed */
    DISK_LOCK,
    DISK_MAP,
    DISK_CALLS
} disk_call;

const char *disk_call_name(disk_call call);

/* From now on the nth call of a kind fails with an errno value, counted from 1; with for_good all
 * of that kind that follow fail too. */
void watched_disk_arm(disk_call call, uint64_t nth, int number, bool for_good);

/* Calls succeed again. True if one has failed since watched_disk_arm. */
bool watched_disk_disarm(void);

/* ---- power ---- */

/* Cut the power at the nth call that changes anything, counted from watched_disk_begin; the program
 * does not notice. */
void watched_disk_cut_at(uint64_t nth);

/* Was it cut? */
bool watched_disk_is_cut(void);

/* Calls that changed anything since watched_disk_begin. */
uint64_t watched_disk_changes(void);

typedef enum disk_loss {
    DISK_LOSES_ALL,     /* that was not synced */
    DISK_LOSES_CONTENT, /* names are as they were last, contents as they were synced */
    DISK_LOSES_SOME,    /* of either, by chance */
    DISK_LOSSES
} disk_loss;

/* Make the folder what it is after the cut, and watch it no more. */
void watched_disk_restore(disk_loss loss, uint64_t *random);

#endif
