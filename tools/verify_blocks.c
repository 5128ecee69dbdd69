/* SPDX-License-Identifier: MIT
 *
 * Is every block of the table there and as written, and can the counts be right?
 */
#include <stdlib.h>

#include "tables/cut.h"
#include "tables/segment.h"
#include "tools/verify_parts.h"

/* ---- blocks ---- */

typedef struct block_reader {
    plb_unpacker *unpacker;
    int count; /* planes of a block */
    uint64_t *planes;
} block_reader;

static void open_reader(verifier *v, block_reader *r) {
    r->count = v->scale.planes;
    r->planes =
        malloc(r->count * plb_segment_plane_words(v->meta.block_positions) * sizeof *r->planes);
    if (plb_unpacker_open(&r->unpacker) || !r->planes) verify_fail_memory(v);
}

static void close_reader(block_reader *r) {
    plb_unpacker_close(r->unpacker);
    free(r->planes);
}

/* Read one block; an empty one is right as long as nobody needs a value of it. */
static int read_block(const block_reader *r, const plb_cut *cut, int ply, uint64_t segment,
                      uint64_t block, const uint8_t *bytes, size_t size) {
    if (!plb_segment_has_block(bytes, size, block)) return PLB_OK;
    uint64_t words = r->count * plb_segment_plane_words(plb_cut_positions(cut, segment, block));
    return plb_unpack_block(r->unpacker, bytes, size, ply, plb_cut_blocks(cut, segment),
                            segment * cut->blocks_per_segment, block, words, r->planes);
}

static int get_segment(const verifier *v, const plb_cut *cut, int ply, uint64_t segment,
                       const uint8_t **bytes, size_t *size, plb_message *message) {
    int error;
#pragma omp critical(verifier_store)
    error = plb_store_get_segment(v->store, ply, segment * cut->blocks_per_segment, bytes, size,
                                  message);
    return error;
}

static void check_segment(verifier *v, const block_reader *r, const plb_cut *cut, int ply,
                          uint64_t segment) {
    const uint8_t *bytes = NULL;
    size_t size = 0;
    plb_message why;
    uint64_t blocks = plb_cut_blocks(cut, segment), first = segment * cut->blocks_per_segment;
    int error = get_segment(v, cut, ply, segment, &bytes, &size, &why);
    if (!error && !plb_segment_is_sound(bytes, size, blocks))
        error =
            plb_fail(&why, PLB_ECORRUPT,
                     "%s is damaged: the segment at block %llu of ply %d has no sound directory",
                     v->path, (unsigned long long)first, ply);
    for (uint64_t b = 0; b < blocks && !error; b++) {
        error = read_block(r, cut, ply, segment, b, bytes, size);
        if (error)
            plb_fail(&why, error, "%s is damaged: block %llu of ply %d is not as written", v->path,
                     (unsigned long long)(first + b), ply);
    }
    if (error) verify_fail(v, ply, error, &why);
}

void verify_blocks(verifier *v, int ply) {
    plb_cut cut = plb_cut_ply(&v->index, ply, v->meta.block_positions);
    uint64_t blocks = 0;
    verify_begin_ply(v, PLB_VERIFY_BLOCKS, ply, cut.segments);
#pragma omp parallel num_threads(v->options->threads) reduction(+ : blocks)
    {
        block_reader reader = {0};
        open_reader(v, &reader);
#pragma omp for schedule(dynamic)
        for (uint64_t segment = 0; segment < cut.segments; segment++) {
            if (verify_is_stopped(v)) continue;
            check_segment(v, &reader, &cut, ply, segment);
            blocks += plb_cut_blocks(&cut, segment);
            verify_advance(v, 1);
        }
        close_reader(&reader);
    }
    if (!v->error) v->report->ply[ply].blocks = blocks;
    verify_end_ply(v);
}

/* ---- counts ---- */

/* Can the statistics of a ply be right? Who completed a group has won, or lost in misere play;
 * a full board without a group is drawn. */
static bool counts_are_possible(const verifier *v, int ply, const plb_ply_stats *s) {
    uint64_t of_last_mover = (ply % 2 == 1) != v->game.misere ? s->won : s->lost;
    uint64_t places = v->index.plies[ply].codes * v->index.plies[ply].slab_size;
    return s->total == s->won + s->drawn + s->lost && s->terminal <= of_last_mover &&
           s->total <= places && (ply > 0 || (s->total == 1 && s->terminal == 0)) &&
           (ply < v->game.cells || s->drawn == s->total - s->terminal);
}

void verify_counts(verifier *v) {
    bool ended = false; /* no position of an earlier ply goes on */
    for (int ply = 0; ply <= v->game.cells && !verify_is_stopped(v); ply++) {
        plb_ply_stats s;
        plb_message why;
        int error = plb_store_get_stats(v->store, ply, &s, &why);
        if (error) {
            verify_fail(v, ply, error, &why);
            return;
        }
        if (!counts_are_possible(v, ply, &s) || (ended && s.total)) {
            plb_fail(&why, PLB_ECORRUPT, "the counts of ply %d cannot be right", ply);
            verify_find_counts(v, ply, &why);
        }
        ended = s.total == s.terminal;
    }
}
