/* SPDX-License-Identifier: MIT
 *
 * Scratch files. Small items are gathered in a buffer, so that a million slabs are not a million
 * system calls.
 */
#include "builder/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    BUFFER_BYTES = 1 << 20,
    SMALL_BYTES = 1 << 15, /* an item whose reading costs more than the system call */
    FILE_MODE = 0644,
};
static const uint64_t spool_magic = 0x324C4F4F5053424CULL; /* "LBSPOOL2" */

typedef struct entry {
    uint64_t offset, size, hash;
} entry;

typedef struct foot {
    uint64_t notes[PLB_SPOOL_NOTES];
    uint64_t magic, items, directory; /* directory: its offset */
    uint64_t hash;                    /* of the directory and of all above */
} foot;

struct plb_spool {
    char *path, *unfinished; /* unfinished: NULL once the file has its name */
    int file;
    entry *directory;
    uint8_t *loaded; /* the items, if they are held in memory */
    foot foot;
    pthread_mutex_t lock; /* guards what is below */
    uint64_t end;         /* of what was given an offset */
    uint8_t *buffer;      /* what stands before `end` and is not written yet */
    size_t buffered;
};

static plb_spool *new_spool(const char *path) {
    plb_spool *spool = calloc(1, sizeof *spool);
    if (!spool) return NULL;
    spool->file = -1;
    pthread_mutex_init(&spool->lock, NULL);
    spool->path = strdup(path);
    if (!spool->path) {
        plb_spool_close(spool);
        return NULL;
    }
    return spool;
}

void plb_spool_close(plb_spool *spool) {
    if (!spool) return;
    if (spool->file >= 0) close(spool->file);
    if (spool->unfinished) unlink(spool->unfinished);
    pthread_mutex_destroy(&spool->lock);
    free(spool->path);
    free(spool->unfinished);
    free(spool->directory);
    free(spool->loaded);
    free(spool->buffer);
    free(spool);
}

int plb_spool_create(const char *path, uint64_t items, plb_spool **spool, plb_message *message) {
    plb_spool *made = new_spool(path);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    made->foot.items = items;
    made->directory = calloc(items + 1, sizeof *made->directory);
    made->buffer = malloc(BUFFER_BYTES);
    if (!made->directory || !made->buffer || asprintf(&made->unfinished, "%s.tmp", path) < 0) {
        made->unfinished = NULL;
        plb_spool_close(made);
        return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    }
    made->file = open(made->unfinished, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, FILE_MODE);
    if (made->file < 0) {
        int error = plb_fail_errno(message, errno, "cannot create", made->unfinished);
        plb_spool_close(made);
        return error;
    }
    *spool = made;
    return PLB_OK;
}

static int write_at(plb_spool *spool, const void *bytes, size_t size, uint64_t offset,
                    plb_message *message) {
    const uint8_t *from = bytes;
    while (size > 0) {
        ssize_t written = pwrite(spool->file, from, size, offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0)
            return plb_fail_errno(message, errno, "cannot write scratch file", spool->path);
        from += written;
        offset += written;
        size -= written;
    }
    return PLB_OK;
}

static int read_at(const plb_spool *spool, void *bytes, size_t size, uint64_t offset,
                   plb_message *message) {
    uint8_t *to = bytes;
    while (size > 0) {
        ssize_t got = pread(spool->file, to, size, offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return plb_fail_errno(message, errno, "cannot read scratch file", spool->path);
        if (got == 0)
            return plb_fail(message, PLB_ECORRUPT, "scratch file %s is cut short", spool->path);
        to += got;
        offset += got;
        size -= got;
    }
    return PLB_OK;
}

/* Write the buffer out; the lock is held. */
static int flush_buffer(plb_spool *spool, plb_message *message) {
    int error =
        write_at(spool, spool->buffer, spool->buffered, spool->end - spool->buffered, message);
    spool->buffered = 0;
    return error;
}

int plb_spool_put(plb_spool *spool, uint64_t item, const void *bytes, size_t size,
                  plb_message *message) {
    entry *e = &spool->directory[item];
    e->size = size;
    e->hash = XXH3_64bits(bytes, size);
    int error = PLB_OK;
    pthread_mutex_lock(&spool->lock);
    bool small = size < BUFFER_BYTES / 4;
    if (!small || spool->buffered + size > BUFFER_BYTES) error = flush_buffer(spool, message);
    e->offset = spool->end;
    spool->end += size;
    if (small && size > 0) { /* bytes may be NULL */
        memcpy(spool->buffer + spool->buffered, bytes, size);
        spool->buffered += size;
    }
    pthread_mutex_unlock(&spool->lock);
    return error || small ? error : write_at(spool, bytes, size, e->offset, message);
}

static uint64_t hash_of_ending(const plb_spool *spool) {
    uint64_t directory =
        XXH3_64bits(spool->directory, spool->foot.items * sizeof *spool->directory);
    return XXH3_64bits_withSeed(&spool->foot, offsetof(foot, hash), directory);
}

int plb_spool_commit(plb_spool *spool, const uint64_t notes[PLB_SPOOL_NOTES],
                     plb_message *message) {
    int error = flush_buffer(spool, message);
    size_t directory_bytes = spool->foot.items * sizeof *spool->directory;
    memcpy(spool->foot.notes, notes, sizeof spool->foot.notes);
    spool->foot.magic = spool_magic;
    spool->foot.directory = spool->end;
    spool->foot.hash = hash_of_ending(spool);
    if (!error) error = write_at(spool, spool->directory, directory_bytes, spool->end, message);
    if (!error)
        error = write_at(spool, &spool->foot, sizeof spool->foot, spool->end + directory_bytes,
                         message);
    if (!error && rename(spool->unfinished, spool->path) != 0)
        error = plb_fail_errno(message, errno, "cannot name scratch file", spool->path);
    if (error) return error;
    free(spool->unfinished);
    free(spool->buffer);
    spool->unfinished = NULL;
    spool->buffer = NULL;
    return PLB_OK;
}

static int fail_damaged(const plb_spool *spool, plb_message *message) {
    return plb_fail(message, PLB_ECORRUPT, "scratch file %s is damaged", spool->path);
}

static int read_ending(plb_spool *spool, plb_message *message) {
    off_t size = lseek(spool->file, 0, SEEK_END);
    if (size < (off_t)sizeof(foot)) return fail_damaged(spool, message);
    int error = read_at(spool, &spool->foot, sizeof spool->foot, size - sizeof(foot), message);
    if (error) return error;
    uint64_t items = spool->foot.items, directory_bytes = items * sizeof *spool->directory;
    if (spool->foot.magic != spool_magic || items > (uint64_t)size / sizeof(entry) ||
        spool->foot.directory + directory_bytes + sizeof(foot) != (uint64_t)size)
        return fail_damaged(spool, message);
    spool->directory = malloc(directory_bytes + 1);
    if (!spool->directory)
        return plb_fail(message, PLB_ENOMEM, "out of memory for %s", spool->path);
    error = read_at(spool, spool->directory, directory_bytes, spool->foot.directory, message);
    if (!error && hash_of_ending(spool) != spool->foot.hash) error = fail_damaged(spool, message);
    return error;
}

int plb_spool_open(const char *path, plb_spool **spool, plb_message *message) {
    plb_spool *made = new_spool(path);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    made->file = open(path, O_RDONLY | O_CLOEXEC);
    int error = made->file < 0 ? plb_fail_errno(message, errno, "cannot open", path)
                               : read_ending(made, message);
    if (error) {
        plb_spool_close(made);
        return error;
    }
    *spool = made;
    return PLB_OK;
}

int plb_spool_load(plb_spool *spool, uint64_t most_bytes, plb_message *message) {
    uint64_t bytes = spool->foot.directory; /* the items end where the directory begins */
    if (bytes > most_bytes || bytes / (spool->foot.items + 1) > SMALL_BYTES) return PLB_OK;
    uint8_t *loaded = malloc(bytes + 1);
    if (!loaded) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", spool->path);
    int error = read_at(spool, loaded, bytes, 0, message);
    if (error)
        free(loaded);
    else
        spool->loaded = loaded;
    return error;
}

uint64_t plb_spool_items(const plb_spool *spool) {
    return spool->foot.items;
}

uint64_t plb_spool_note(const plb_spool *spool, int note) {
    return spool->foot.notes[note];
}

uint64_t plb_spool_bytes(const plb_spool *spool) {
    return spool->foot.directory;
}

uint64_t plb_spool_size_bytes(const plb_spool *spool, uint64_t item) {
    return spool->directory[item].size;
}

int plb_spool_get(const plb_spool *spool, uint64_t item, void *bytes, plb_message *message) {
    const entry *e = &spool->directory[item];
    int error = PLB_OK;
    if (!spool->loaded)
        error = read_at(spool, bytes, e->size, e->offset, message);
    else if (e->size > 0) /* bytes may be NULL */
        memcpy(bytes, spool->loaded + e->offset, e->size);
    if (!error && XXH3_64bits(bytes, e->size) != e->hash) error = fail_damaged(spool, message);
    return error;
}
