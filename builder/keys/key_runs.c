/* SPDX-License-Identifier: MIT */
#include "builder/keys/key_runs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "builder/scratch/scratch_file.h"
#include "tables/array.h"
#include "tables/bits.h"

enum { FILE_MODE = 0600, CHUNK = 1 << 14 /* positions per read */ };

struct plb_key_run {
    plb_position *positions;      /* NULL: in the file */
    uint64_t offset;              /* offset in the file, in bytes */
    uint64_t first[PLB_GRID + 1]; /* first position of each cell, and the end */
    uint64_t checks[PLB_GRID];    /* checksum of each cell: the sum of hashes */
};

void plb_key_runs_open(plb_key_runs *runs, const char *folder) {
    *runs = (plb_key_runs){.file = -1, .path = folder};
    pthread_mutex_init(&runs->lock, NULL);
}

void plb_key_runs_close(plb_key_runs *runs) {
    if (!runs->path) return;
    for (size_t r = 0; r < runs->count; r++) free(runs->runs[r].positions);
    free(runs->runs);
    if (runs->file >= 0) close(runs->file);
    pthread_mutex_destroy(&runs->lock);
    *runs = (plb_key_runs){.file = -1};
}

/* ---- adding ---- */

/* Make a run from a set: sort its positions by cells of the grid (counting sort). */
static int sort_positions(const plb_position_set *set, plb_key_run *run) {
    uint64_t next[PLB_GRID];
    run->positions = malloc((set->count + 1) * sizeof *run->positions);
    if (!run->positions) return PLB_ENOMEM;
    for (uint64_t at = 0; at < set->capacity; at++)
        if (set->slots[at].x | set->slots[at].o)
            run->first[plb_key_bucket(plb_position_hash(set->slots[at]), PLB_GRID) + 1]++;
    for (int cell = 0; cell < PLB_GRID; cell++) {
        run->first[cell + 1] += run->first[cell];
        next[cell] = run->first[cell];
    }
    for (uint64_t at = 0; at < set->capacity; at++) {
        if (!(set->slots[at].x | set->slots[at].o)) continue;
        plb_key_hash hash = plb_position_hash(set->slots[at]);
        uint64_t cell = plb_key_bucket(hash, PLB_GRID);
        run->positions[next[cell]++] = set->slots[at];
        run->checks[cell] += hash.low;
    }
    return PLB_OK;
}

/* Move the positions of a run to the end of the file. */
static int spill_run(plb_key_runs *runs, plb_key_run *run, plb_message *message) {
    size_t size = run->first[PLB_GRID] * sizeof *run->positions;
    pthread_mutex_lock(&runs->lock);
    if (runs->file < 0) runs->file = open(runs->path, O_TMPFILE | O_RDWR | O_CLOEXEC, FILE_MODE);
    int number = runs->file < 0 ? errno : 0;
    run->offset = runs->end;
    runs->end += size;
    pthread_mutex_unlock(&runs->lock);
    if (number)
        return plb_fail_errno(message, number, "cannot create a file without a name in",
                              runs->path);
    number = plb_scratch_write_bytes(runs->file, run->positions, size, run->offset);
    free(run->positions);
    run->positions = NULL;
    return number ? plb_fail_errno(message, number, "cannot write in", runs->path) : PLB_OK;
}

int plb_key_runs_add(plb_key_runs *runs, plb_position_set *set, bool spill, plb_message *message) {
    plb_key_run *run = calloc(1, sizeof *run);
    int error = run ? sort_positions(set, run) : PLB_ENOMEM;
    plb_position_set_clear(set);
    if (!error && spill) error = spill_run(runs, run, message);
    if (!error) {
        pthread_mutex_lock(&runs->lock);
        if (PLB_ARRAY_EXTEND(runs->runs, runs->count, runs->capacity)) {
            runs->runs[runs->count++] = *run;
            runs->positions += run->first[PLB_GRID];
        } else {
            error = PLB_ENOMEM;
        }
        pthread_mutex_unlock(&runs->lock);
    }
    if (error && run) free(run->positions);
    free(run);
    return error == PLB_ENOMEM ? plb_fail(message, error, "out of memory for positions") : error;
}

/* ---- gathering ---- */

uint64_t plb_key_runs_count(const plb_key_runs *runs, uint64_t bucket, uint64_t buckets) {
    uint64_t cells = PLB_GRID / buckets, count = 0;
    for (size_t r = 0; r < runs->count; r++)
        count += runs->runs[r].first[(bucket + 1) * cells] - runs->runs[r].first[bucket * cells];
    return count;
}

/* The gathered positions, and the sum of their hashes. */
typedef struct gathering {
    plb_position_set *set;
    uint64_t check;
} gathering;

static int add_all(gathering *g, const plb_position *positions, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        plb_key_hash hash = plb_position_hash(positions[i]);
        g->check += hash.low;
        if (plb_position_set_add(g->set, positions[i], hash)) return PLB_ENOMEM;
    }
    return PLB_OK;
}

/* Read the positions [first, last) of a run from the file, and gather them. */
static int gather_spilled(const plb_key_runs *runs, const plb_key_run *run, uint64_t first,
                          uint64_t last, gathering *g, plb_message *message) {
    plb_position *chunk = calloc(CHUNK, sizeof *chunk);
    int error = chunk ? PLB_OK : PLB_ENOMEM;
    while (first < last && !error) {
        uint64_t count = plb_min(CHUNK, last - first);
        int number = plb_scratch_read_bytes(runs->file, chunk, count * sizeof *chunk,
                                            run->offset + first * sizeof *chunk);
        if (number)
            error = plb_fail_errno(message, number == ENODATA ? EIO : number, "cannot read in",
                                   runs->path);
        else
            error = add_all(g, chunk, count);
        first += count;
    }
    free(chunk);
    return error;
}

int plb_key_runs_gather(const plb_key_runs *runs, uint64_t bucket, uint64_t buckets,
                        plb_position_set *set, plb_message *message) {
    uint64_t cells = PLB_GRID / buckets;
    int error = PLB_OK;
    for (size_t r = 0; r < runs->count && !error; r++) {
        const plb_key_run *run = &runs->runs[r];
        uint64_t first = run->first[bucket * cells], last = run->first[(bucket + 1) * cells];
        gathering g = {.set = set};
        if (run->positions)
            error = add_all(&g, run->positions + first, last - first);
        else
            error = gather_spilled(runs, run, first, last, &g, message);
        for (uint64_t c = bucket * cells; c < (bucket + 1) * cells; c++) g.check -= run->checks[c];
        if (!error && g.check)
            error = plb_fail(message, PLB_EIO, "positions read from a file in %s have changed",
                             runs->path);
    }
    return error == PLB_ENOMEM ? plb_fail(message, error, "out of memory for positions") : error;
}
