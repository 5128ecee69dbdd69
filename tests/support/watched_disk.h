/* SPDX-License-Identifier: MIT
 *
 * A disk that fails on demand, or lacks features, and a simulated power cut. A program that is
 * linked with watched_disk.c gets its open, pwrite, fsync, rename and similar functions, so that
 * calls of liblmdb are covered too. Only one folder is watched, for a program with one thread.
 *
 * After a power cut no call reaches the disk. Changes that were not synced before may be lost or
 * not, independently for each file and each name:
 *
 *     content of a file   as last synced, or as it is now, or now in a first part only
 *     name of a file      as when its folder was last synced, or as it is now; rename is atomic
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Watch an empty folder; NULL: watch none. */
void watched_disk_begin(const char *folder);

/* ---- failures ---- */

typedef enum disk_call {
    DISK_OPEN,
    DISK_READ,
    DISK_WRITE,
    DISK_SYNC,
    DISK_RENAME, /* rename, link */
    DISK_DELETE,
    DISK_FOLDER, /* mkdir, opendir, rmdir */
    DISK_LOCK,
    DISK_MAP,
    DISK_CALLS
} disk_call;

const char *disk_call_name(disk_call call);

/* Let the nth call of a kind from now on, counted from 1, fail with errno `number`. for_good: all
 * later calls of that kind fail too. */
void watched_disk_arm(disk_call call, uint64_t nth, int number, bool for_good);

/* Let calls succeed again. True: one has failed since watched_disk_arm. */
bool watched_disk_disarm(void);

/* ---- other file systems ---- */

/* What the file system lacks (an overlay: the exchange with a file of a lower layer); answers to
 * link may also be lost, as those of NFS: it succeeds, but the repeated request finds the name. */
enum {
    DISK_NO_UNNAMED = 1,
    DISK_NO_NEW_NAME = 2,
    DISK_NO_LINK = 4,
    DISK_LOSES_ANSWER = 8,
    DISK_NO_EXCHANGE = 16
};
void watched_disk_lack(unsigned features);

/* ---- power ---- */

/* Cut the power at the nth call that changes the disk, counted from watched_disk_begin. The program
 * does not notice. */
void watched_disk_cut_at(uint64_t nth);

bool watched_disk_is_cut(void);

/* Number of calls that changed the disk since watched_disk_begin. */
uint64_t watched_disk_changes(void);

typedef enum disk_loss {
    DISK_LOSES_ALL,     /* names and contents are as last synced */
    DISK_LOSES_CONTENT, /* names are as at the cut, contents as last synced */
    DISK_LOSES_SOME,    /* each name and content is chosen at random */
    DISK_LOSSES
} disk_loss;

/* Bring the folder into its state after the cut, and stop watching it. */
void watched_disk_restore(disk_loss loss, uint64_t *random);
