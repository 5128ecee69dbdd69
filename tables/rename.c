/* SPDX-License-Identifier: MIT */
#include "tables/rename.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* NFS repeats a request whose answer was lost, and then reports that the name exists already. */
static bool is_linked(const char *from, const char *to) {
    struct stat one, other;
    return lstat(from, &one) == 0 && lstat(to, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

int plb_rename(const char *from, const char *to, bool replaces) {
    struct stat there;
    if (replaces) return rename(from, to);
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1; /* the file system has such a rename */
    if (link(from, to) == 0 || (errno == EEXIST && is_linked(from, to))) {
        unlink(from); /* if this fails, the file has two names */
        return 0;
    }
    /* A folder, or no links here. Any other failure of link is one of rename, too. */
    if (lstat(to, &there) != 0) return errno == ENOENT ? rename(from, to) : -1;
    errno = EEXIST;
    return -1;
}
