/* SPDX-License-Identifier: MIT
 *
 * Scratch files. Small items are gathered in a buffer, so that a million slabs are not a million
 * system calls.
 */
#include "builder/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    BUFFER_BYTES = 1 << 20,
    SMALL_BYTES = 1 << 15, /* an item whose reading costs more than the system call */
    FILE_MODE = 0644,
};
static const uint64_t spool_magic =
    0x004C4F4F5053424CULL + ((uint64_t)('0' + PLB_SPOOL_FORMAT) << 56);

typedef struct entry {
    uint64_t offset, size, hash;
} entry;

typedef struct foot {
    uint64_t magic, items;
    uint64_t directory; /* its offset */
    uint64_t identity_bytes, notes_bytes;
    uint64_t hash; /* of directory, identity, notes and all above */
} foot;

struct plb_spool {
    char *path;
    int file;
    bool is_complete;
    entry *directory;
    char *identity;  /* foot.identity_bytes and a zero */
    uint8_t *notes;  /* foot.notes_bytes and one more */
    uint8_t *loaded; /* the items, if they are held in memory */
    foot foot;
    pthread_mutex_t lock; /* guards what is below */
    uint64_t end;         /* of what was given an offset */
    uint8_t *buffer;      /* what stands before `end` and is not written yet */
    size_t buffered;
};

static int fail_memory(const char *path, plb_message *message) {
    return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
}

/* A spool with room for its directory. */
static plb_spool *new_spool(const char *path, const char *identity, uint64_t items) {
    plb_spool *spool = calloc(1, sizeof *spool);
    if (!spool) return NULL;
    spool->file = -1;
    pthread_mutex_init(&spool->lock, NULL);
    spool->foot.magic = spool_magic;
    spool->foot.items = items;
    spool->foot.identity_bytes = strlen(identity);
    spool->path = strdup(path);
    spool->identity = strdup(identity);
    spool->directory = calloc(items + 1, sizeof *spool->directory);
    if (!spool->path || !spool->identity || !spool->directory) {
        plb_spool_close(spool);
        return NULL;
    }
    return spool;
}

void plb_spool_close(plb_spool *spool) {
    if (!spool) return;
    if (spool->file >= 0) close(spool->file);
    if (spool->file >= 0 && !spool->is_complete && spool->path) unlink(spool->path);
    pthread_mutex_destroy(&spool->lock);
    free(spool->path);
    free(spool->identity);
    free(spool->notes);
    free(spool->directory);
    free(spool->loaded);
    free(spool->buffer);
    free(spool);
}

int plb_spool_create(const char *path, const char *identity, uint64_t items, plb_spool **spool,
                     plb_message *message) {
    plb_spool *made = new_spool(path, identity, items);
    if (!made) return fail_memory(path, message);
    made->buffer = malloc(BUFFER_BYTES);
    int error = made->buffer ? PLB_OK : fail_memory(path, message);
    if (!error) {
        made->file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
        if (made->file < 0) error = plb_fail_errno(message, errno, "cannot create", path);
    }
    if (error)
        plb_spool_close(made);
    else
        *spool = made;
    return error;
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
    const foot *f = &spool->foot;
    uint64_t hash = XXH3_64bits(spool->directory, f->items * sizeof *spool->directory);
    hash = XXH3_64bits_withSeed(spool->identity, f->identity_bytes, hash);
    hash = XXH3_64bits_withSeed(spool->notes, f->notes_bytes, hash);
    return XXH3_64bits_withSeed(f, offsetof(foot, hash), hash);
}

/* What stands before the foot, in this order. */
typedef struct ending_part {
    void *bytes;
    size_t size;
} ending_part;
enum { ENDING_PARTS = 3 };

static void list_ending(plb_spool *spool, ending_part parts[ENDING_PARTS]) {
    const foot *f = &spool->foot;
    parts[0] = (ending_part){spool->directory, f->items * sizeof *spool->directory};
    parts[1] = (ending_part){spool->identity, f->identity_bytes};
    parts[2] = (ending_part){spool->notes, f->notes_bytes};
}

static int write_ending(plb_spool *spool, plb_message *message) {
    ending_part parts[ENDING_PARTS];
    uint64_t at = spool->foot.directory;
    int error = PLB_OK;
    list_ending(spool, parts);
    for (int p = 0; p < ENDING_PARTS && !error; p++) {
        error = write_at(spool, parts[p].bytes, parts[p].size, at, message);
        at += parts[p].size;
    }
    return error ? error : write_at(spool, &spool->foot, sizeof spool->foot, at, message);
}

int plb_spool_commit(plb_spool *spool, const void *notes, size_t notes_bytes,
                     plb_message *message) {
    spool->notes = malloc(notes_bytes + 1);
    if (!spool->notes) return fail_memory(spool->path, message);
    if (notes_bytes) memcpy(spool->notes, notes, notes_bytes);
    int error = flush_buffer(spool, message);
    spool->foot.notes_bytes = notes_bytes;
    spool->foot.directory = spool->end;
    spool->foot.hash = hash_of_ending(spool);
    if (!error) error = write_ending(spool, message);
    if (error) return error;
    free(spool->buffer);
    spool->buffer = NULL;
    spool->is_complete = true;
    return PLB_OK;
}

int plb_spool_fail_damaged(const plb_spool *spool, plb_message *message) {
    return plb_fail(message, PLB_ECORRUPT, "scratch file %s is damaged", spool->path);
}

/* Read what stands before the foot; the foot has been found to fit the file. */
static int read_ending(plb_spool *spool, plb_message *message) {
    ending_part parts[ENDING_PARTS];
    uint64_t at = spool->foot.directory;
    int error = PLB_OK;
    list_ending(spool, parts);
    for (int p = 0; p < ENDING_PARTS && !error; p++) {
        error = read_at(spool, parts[p].bytes, parts[p].size, at, message);
        at += parts[p].size;
    }
    if (error) return error;
    return hash_of_ending(spool) == spool->foot.hash ? PLB_OK
                                                     : plb_spool_fail_damaged(spool, message);
}

/* Does a foot fit a file of a size? */
static bool fits(const foot *f, uint64_t size) {
    uint64_t ending = sizeof *f;
    if (f->magic != spool_magic || size < ending) return false;
    if (f->items > size / sizeof(entry) || f->identity_bytes > size || f->notes_bytes > size)
        return false;
    ending += f->items * sizeof(entry) + f->identity_bytes + f->notes_bytes;
    return size >= ending && f->directory == size - ending;
}

/* Is this the spool that was asked for? Its hash has been found right. */
static int check_identity(const plb_spool *spool, const char *identity, uint64_t items,
                          plb_message *message) {
    if (strcmp(spool->identity, identity) != 0)
        return plb_fail(message, PLB_ECORRUPT, "scratch file %s is not its own: it is '%.90s'",
                        spool->path, spool->identity);
    if (spool->foot.items != items)
        return plb_fail(message, PLB_ECORRUPT, "scratch file %s has %llu items, not %llu",
                        spool->path, (unsigned long long)spool->foot.items,
                        (unsigned long long)items);
    for (uint64_t item = 0; item < items; item++) {
        const entry *e = &spool->directory[item];
        if (e->offset > spool->foot.directory || e->size > spool->foot.directory - e->offset)
            return plb_spool_fail_damaged(spool, message);
    }
    return PLB_OK;
}

/* Read the foot and make room for what stands before it. */
static int read_foot(plb_spool *spool, plb_message *message) {
    struct stat status;
    if (fstat(spool->file, &status) != 0)
        return plb_fail_errno(message, errno, "cannot read scratch file", spool->path);
    uint64_t size = status.st_size;
    if (size < sizeof(foot)) return plb_spool_fail_damaged(spool, message);
    foot found;
    int error = read_at(spool, &found, sizeof found, size - sizeof found, message);
    if (error) return error;
    if (!fits(&found, size)) return plb_spool_fail_damaged(spool, message);
    spool->foot = found;
    free(spool->identity);
    free(spool->directory);
    spool->identity = calloc(1, found.identity_bytes + 1);
    spool->notes = calloc(1, found.notes_bytes + 1);
    spool->directory = calloc(found.items + 1, sizeof *spool->directory);
    return spool->identity && spool->notes && spool->directory ? PLB_OK
                                                               : fail_memory(spool->path, message);
}

int plb_spool_open(const char *path, const char *identity, uint64_t items, plb_spool **spool,
                   plb_message *message) {
    plb_spool *made = new_spool(path, "", 0);
    if (!made) return fail_memory(path, message);
    made->is_complete = true;
    made->file = open(path, O_RDONLY | O_CLOEXEC);
    int error = made->file < 0 ? plb_fail_errno(message, errno, "cannot open", path)
                               : read_foot(made, message);
    if (!error) error = read_ending(made, message);
    if (!error) error = check_identity(made, identity, items, message);
    if (error)
        plb_spool_close(made);
    else
        *spool = made;
    return error;
}

int plb_spool_load(plb_spool *spool, uint64_t most_bytes, plb_message *message) {
    uint64_t bytes = spool->foot.directory; /* the items end where the directory begins */
    if (bytes > most_bytes || bytes / (spool->foot.items + 1) > SMALL_BYTES) return PLB_OK;
    uint8_t *loaded = malloc(bytes + 1);
    if (!loaded) return fail_memory(spool->path, message);
    int error = read_at(spool, loaded, bytes, 0, message);
    if (error)
        free(loaded);
    else
        spool->loaded = loaded;
    return error;
}

const void *plb_spool_notes(const plb_spool *spool, size_t *size) {
    if (size) *size = spool->foot.notes_bytes;
    return spool->notes;
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
    if (!error && XXH3_64bits(bytes, e->size) != e->hash)
        error = plb_spool_fail_damaged(spool, message);
    return error;
}
