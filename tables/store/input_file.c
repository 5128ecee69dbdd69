/* SPDX-License-Identifier: MIT */
#include "tables/store/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tables/array.h"

int plb_input_file_open(const char *path, plb_input_file *input, plb_message *message) {
    plb_input_file made = {.file = -1, .path = strdup(path)};
    struct stat file;
    int error = PLB_OK;
    if (!made.path) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    /* O_NONBLOCK: opening a pipe must not wait for a writer. */
    made.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (made.file < 0 || fstat(made.file, &file) != 0)
        error = plb_fail_errno(message, errno, "cannot open", path);
    else if (!S_ISREG(file.st_mode))
        error = plb_fail(message, PLB_ENOTTABLE, "%s is %s, not a Plybase table", path,
                         S_ISDIR(file.st_mode) ? "a directory" : "not a regular file");
    else
        made.size_bytes = file.st_size;
    if (error)
        plb_input_file_close(&made);
    else
        *input = made;
    return error;
}

bool plb_input_file_exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

char *plb_input_file_follow(const char *path) {
    char first;
    return readlink(path, &first, 1) < 0 ? NULL : realpath(path, NULL);
}

void plb_input_file_close(plb_input_file *input) {
    if (input->file >= 0) close(input->file);
    free(input->path);
    *input = (plb_input_file){.file = -1};
}

int plb_input_file_read(const plb_input_file *input, plb_extent extent, void *bytes,
                        plb_message *message) {
    uint8_t *to = bytes;
    plb_read_log *log = input->log;
    if (log && PLB_ARRAY_EXTEND(log->reads, log->count, log->capacity))
        log->reads[log->count++] = extent;
    else if (log)
        log->is_incomplete = true;
    while (extent.size > 0) {
        ssize_t got = pread(input->file, to, plb_size(extent.size), extent.offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return plb_fail_errno(message, errno, "cannot read", input->path);
        if (got == 0) {
            return plb_fail(message, PLB_ECORRUPT,
                            "%s is cut short: it should have %llu bytes or more", input->path,
                            (unsigned long long)(extent.offset + extent.size));
        }
        to += got;
        extent.offset += got;
        extent.size -= got;
    }
    return PLB_OK;
}
