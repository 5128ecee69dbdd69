/* SPDX-License-Identifier: MIT
 *
 * Scratch files. Small records are collected in a buffer, so that a million slabs do not need a
 * million system calls.
 */
#include "builder/scratch/scratch_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    BUFFER_BYTES = 1 << 20,
    FILE_MODE = 0644,
};
static const uint64_t scratch_magic =
    0x0048435441524353ULL + ((uint64_t)('0' + PLB_SCRATCH_FORMAT) << 56);

typedef struct entry {
    uint64_t offset, size, hash;
} entry;
_Static_assert(sizeof(entry) == PLB_SCRATCH_ENTRY_BYTES, "the header says so");

typedef struct foot {
    uint64_t magic, records;
    uint64_t directory; /* offset of the directory */
    uint64_t label_bytes, notes_bytes;
    uint64_t hash; /* of directory, label, notes and the fields above */
} foot;

struct plb_scratch {
    char *path;
    int file;
    bool is_complete;
    entry *directory;
    char *label;    /* [foot.label_bytes + 1] with a terminating zero */
    uint8_t *notes; /* [foot.notes_bytes + 1] */
    foot foot;
    pthread_mutex_t lock; /* guards the fields below */
    uint64_t end;         /* offset of the next record */
    uint8_t *buffer;      /* [buffered] the bytes before `end` that are not written yet */
    size_t buffered;
};

static int fail_memory(const char *path, plb_message *message) {
    return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
}

/* A scratch file with space for its directory. */
static plb_scratch *new_scratch(const char *path, const char *label, uint64_t records) {
    plb_scratch *scratch = calloc(1, sizeof *scratch);
    if (!scratch) return NULL;
    scratch->file = -1;
    pthread_mutex_init(&scratch->lock, NULL);
    scratch->foot.magic = scratch_magic;
    scratch->foot.records = records;
    scratch->foot.label_bytes = strlen(label);
    scratch->path = strdup(path);
    scratch->label = strdup(label);
    scratch->directory = calloc(records + 1, sizeof *scratch->directory);
    if (!scratch->path || !scratch->label || !scratch->directory) {
        plb_scratch_close(scratch);
        return NULL;
    }
    return scratch;
}

void plb_scratch_close(plb_scratch *scratch) {
    if (!scratch) return;
    if (scratch->file >= 0) close(scratch->file);
    if (scratch->file >= 0 && !scratch->is_complete && scratch->path) unlink(scratch->path);
    pthread_mutex_destroy(&scratch->lock);
    free(scratch->path);
    free(scratch->label);
    free(scratch->notes);
    free(scratch->directory);
    free(scratch->buffer);
    free(scratch);
}

int plb_scratch_create(const char *path, const char *label, uint64_t records, plb_scratch **scratch,
                       plb_message *message) {
    plb_scratch *made = new_scratch(path, label, records);
    if (!made) return fail_memory(path, message);
    made->buffer = malloc(BUFFER_BYTES);
    int error = made->buffer ? PLB_OK : fail_memory(path, message);
    if (!error) {
        made->file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
        if (made->file < 0) error = plb_fail_errno(message, errno, "cannot create", path);
    }
    return PLB_HAND_OVER(error, made, scratch, plb_scratch_close);
}

int plb_scratch_write_bytes(int file, const void *bytes, size_t size, uint64_t offset) {
    for (const char *from = bytes; size > 0;) {
        ssize_t written = pwrite(file, from, size, (off_t)offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        from += written;
        offset += (uint64_t)written;
        size -= (size_t)written;
    }
    return 0;
}

int plb_scratch_read_bytes(int file, void *bytes, size_t size, uint64_t offset) {
    for (char *to = bytes; size > 0;) {
        ssize_t got = pread(file, to, size, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 ? errno : ENODATA;
        to += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return 0;
}

static int write_at(plb_scratch *scratch, const void *bytes, size_t size, uint64_t offset,
                    plb_message *message) {
    int number = plb_scratch_write_bytes(scratch->file, bytes, size, offset);
    if (!number) return PLB_OK;
    return plb_fail_errno(message, number, "cannot write scratch file", scratch->path);
}

static int read_at(const plb_scratch *scratch, void *bytes, size_t size, uint64_t offset,
                   plb_message *message) {
    int number = plb_scratch_read_bytes(scratch->file, bytes, size, offset);
    if (!number) return PLB_OK;
    if (number == ENODATA)
        return plb_fail(message, PLB_ECORRUPT, "scratch file %s is cut short", scratch->path);
    return plb_fail_errno(message, number, "cannot read scratch file", scratch->path);
}

/* Write the buffer. The caller holds the lock. */
static int flush_buffer(plb_scratch *scratch, plb_message *message) {
    int error = write_at(scratch, scratch->buffer, scratch->buffered,
                         scratch->end - scratch->buffered, message);
    scratch->buffered = 0;
    return error;
}

int plb_scratch_put(plb_scratch *scratch, uint64_t record, const void *bytes, size_t size,
                    plb_message *message) {
    entry *e = &scratch->directory[record];
    e->size = size;
    e->hash = XXH3_64bits(bytes, size);
    int error = PLB_OK;
    pthread_mutex_lock(&scratch->lock);
    bool small = size < BUFFER_BYTES / 4;
    if (!small || scratch->buffered + size > BUFFER_BYTES) error = flush_buffer(scratch, message);
    e->offset = scratch->end;
    scratch->end += size;
    if (small && size > 0) { /* bytes may be NULL */
        memcpy(scratch->buffer + scratch->buffered, bytes, size);
        scratch->buffered += size;
    }
    pthread_mutex_unlock(&scratch->lock);
    return error || small ? error : write_at(scratch, bytes, size, e->offset, message);
}

enum { ENDING_SECTIONS = 3 };

/* List the sections between records and foot, in this order. */
static void list_ending(plb_scratch *scratch, struct iovec sections[ENDING_SECTIONS]) {
    const foot *f = &scratch->foot;
    sections[0] = (struct iovec){scratch->directory, f->records * sizeof *scratch->directory};
    sections[1] = (struct iovec){scratch->label, f->label_bytes};
    sections[2] = (struct iovec){scratch->notes, f->notes_bytes};
}

static uint64_t hash_of_ending(plb_scratch *scratch) {
    struct iovec sections[ENDING_SECTIONS];
    uint64_t hash = 0;
    list_ending(scratch, sections);
    for (int s = 0; s < ENDING_SECTIONS; s++)
        hash = XXH3_64bits_withSeed(sections[s].iov_base, sections[s].iov_len, hash);
    return XXH3_64bits_withSeed(&scratch->foot, offsetof(foot, hash), hash);
}

/* Write the ending; or read the sections before the foot, which has been read. */
static int move_ending(plb_scratch *scratch, bool writes, plb_message *message) {
    struct iovec sections[ENDING_SECTIONS];
    uint64_t at = scratch->foot.directory;
    int error = PLB_OK;
    list_ending(scratch, sections);
    for (int s = 0; s < ENDING_SECTIONS && !error; s++) {
        void *bytes = sections[s].iov_base;
        error = writes ? write_at(scratch, bytes, sections[s].iov_len, at, message)
                       : read_at(scratch, bytes, sections[s].iov_len, at, message);
        at += sections[s].iov_len;
    }
    if (error || !writes) return error;
    return write_at(scratch, &scratch->foot, sizeof scratch->foot, at, message);
}

int plb_scratch_commit(plb_scratch *scratch, const void *notes, size_t notes_bytes,
                       plb_message *message) {
    scratch->notes = malloc(notes_bytes + 1);
    if (!scratch->notes) return fail_memory(scratch->path, message);
    if (notes_bytes) memcpy(scratch->notes, notes, notes_bytes);
    int error = flush_buffer(scratch, message);
    scratch->foot.notes_bytes = notes_bytes;
    scratch->foot.directory = scratch->end;
    scratch->foot.hash = hash_of_ending(scratch);
    if (!error) error = move_ending(scratch, true, message);
    if (error) return error;
    free(scratch->buffer);
    scratch->buffer = NULL;
    scratch->is_complete = true;
    return PLB_OK;
}

int plb_scratch_fail_damaged(const plb_scratch *scratch, plb_message *message) {
    return plb_fail(message, PLB_ECORRUPT, "scratch file %s is damaged", scratch->path);
}

/* Check label, number of records and directory. The hash is already known to be right. */
static int check_label(const plb_scratch *scratch, const char *label, uint64_t records,
                       plb_message *message) {
    if (strcmp(scratch->label, label) != 0)
        return plb_fail(message, PLB_ECORRUPT,
                        "scratch file %s is another one: its label is '%.90s'", scratch->path,
                        scratch->label);
    if (records != PLB_SCRATCH_ANY && scratch->foot.records != records)
        return plb_fail(message, PLB_ECORRUPT, "scratch file %s has %llu records, not %llu",
                        scratch->path, (unsigned long long)scratch->foot.records,
                        (unsigned long long)records);
    for (uint64_t record = 0; record < scratch->foot.records; record++) {
        const entry *e = &scratch->directory[record];
        if (e->offset > scratch->foot.directory || e->size > scratch->foot.directory - e->offset)
            return plb_scratch_fail_damaged(scratch, message);
    }
    return PLB_OK;
}

/* Read the foot and allocate the sections before it. */
static int read_foot(plb_scratch *scratch, plb_message *message) {
    struct stat status;
    if (fstat(scratch->file, &status) != 0)
        return plb_fail_errno(message, errno, "cannot read scratch file", scratch->path);
    uint64_t size = status.st_size;
    if (size < sizeof(foot)) return plb_scratch_fail_damaged(scratch, message);
    foot found;
    int error = read_at(scratch, &found, sizeof found, size - sizeof found, message);
    if (error) return error;
    bool fits = found.magic == scratch_magic && found.records <= size / sizeof(entry) &&
                found.label_bytes <= size && found.notes_bytes <= size;
    uint64_t ending =
        sizeof found + found.records * sizeof(entry) + found.label_bytes + found.notes_bytes;
    if (!fits || size < ending || found.directory != size - ending)
        return plb_scratch_fail_damaged(scratch, message);
    scratch->foot = found;
    free(scratch->label);
    free(scratch->directory);
    scratch->label = calloc(1, found.label_bytes + 1);
    scratch->notes = calloc(1, found.notes_bytes + 1);
    scratch->directory = calloc(found.records + 1, sizeof *scratch->directory);
    return scratch->label && scratch->notes && scratch->directory
               ? PLB_OK
               : fail_memory(scratch->path, message);
}

int plb_scratch_open(const char *path, const char *label, uint64_t records, plb_scratch **scratch,
                     plb_message *message) {
    plb_scratch *made = new_scratch(path, "", 0);
    if (!made) return fail_memory(path, message);
    made->is_complete = true;
    made->file = open(path, O_RDONLY | O_CLOEXEC);
    int error = made->file < 0 ? plb_fail_errno(message, errno, "cannot open", path)
                               : read_foot(made, message);
    if (!error) error = move_ending(made, false, message);
    if (!error && hash_of_ending(made) != made->foot.hash)
        error = plb_scratch_fail_damaged(made, message);
    if (!error) error = check_label(made, label, records, message);
    return PLB_HAND_OVER(error, made, scratch, plb_scratch_close);
}

const void *plb_scratch_notes(const plb_scratch *scratch, size_t *size) {
    *size = scratch->foot.notes_bytes;
    return scratch->notes;
}

uint64_t plb_scratch_bytes(const plb_scratch *scratch) {
    return scratch->foot.directory;
}

uint64_t plb_scratch_records(const plb_scratch *scratch) {
    return scratch->foot.records;
}

uint64_t plb_scratch_size_bytes(const plb_scratch *scratch, uint64_t record) {
    return scratch->directory[record].size;
}

int plb_scratch_get(const plb_scratch *scratch, uint64_t record, void *bytes,
                    plb_message *message) {
    const entry *e = &scratch->directory[record];
    int error = read_at(scratch, bytes, e->size, e->offset, message);
    if (!error && XXH3_64bits(bytes, e->size) != e->hash)
        error = plb_scratch_fail_damaged(scratch, message);
    return error;
}
