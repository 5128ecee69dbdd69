/* SPDX-License-Identifier: MIT
 *
 * Is every block of the table there and as written?
 */
#include <stdlib.h>

#include "tables/format/block_layout.h"
#include "tools/verify/verify_checks.h"

typedef struct block_reader {
    const plb_block_layout *layout;
    int ply;
    plb_block_reader *block_reader;
    uint64_t *planes;
    XXH3_state_t *hash; /* of what a segment holds */
    uint64_t stored;    /* blocks that are not empty */
} block_reader;

/* Read every block of a segment; an empty one is right as long as no value of it is needed. */
static int check_blocks(const verifier *v, block_reader *r, uint64_t number,
                        const plb_segment *segment, plb_message *why) {
    uint64_t first = number * r->layout->blocks_per_segment;
    for (uint64_t b = 0; b < segment->blocks; b++) {
        bool stored = plb_segment_has_block(segment, b);
        int error = stored ? plb_block_reader_unpack_block(r->block_reader, segment, b, r->ply,
                                                           first, r->planes)
                           : 0;
        if (error)
            return plb_fail(why, error, "%s is damaged: block %llu of ply %d is not as written",
                            v->path, (unsigned long long)(first + b), r->ply);
        /* The digest is of how many words a block has, and of the words of its planes. */
        uint64_t words = stored ? plb_block_codec_words(v->file->codec, r->ply, first + b) : 0;
        XXH3_128bits_update(r->hash, &words, sizeof words);
        XXH3_128bits_update(r->hash, r->planes, words * sizeof *r->planes);
        r->stored += stored;
    }
    return PLB_OK;
}

static void check_segment(verifier *v, block_reader *r, uint64_t number) {
    uint8_t *bytes = NULL;
    plb_segment segment = {.blocks = plb_block_layout_blocks(r->layout, number)};
    plb_message why;
    uint64_t first = number * r->layout->blocks_per_segment;
    XXH3_128bits_reset(r->hash); /* it is asked for the digest of a damaged segment, too */
    int error = plb_store_get_segment(v->file->store, r->ply, first, &bytes, &segment.size, &why);
    segment.bytes = bytes;
    if (!error && !plb_segment_is_sound(&segment))
        error =
            plb_fail(&why, PLB_ECORRUPT,
                     "%s is damaged: the segment at block %llu of ply %d has no sound directory",
                     v->path, (unsigned long long)first, r->ply);
    if (!error) error = check_blocks(v, r, number, &segment, &why);
    free(bytes);
    if (error) verify_fail(v, r->ply, error, &why);
}

/* The segments of a ply, which threads take one by one. */
typedef struct ply_segments {
    verifier *v;
    int ply;
    plb_block_layout layout;
    XXH128_canonical_t *digests;   /* [segments] */
    uint64_t next;                 /* segment that no thread has taken */
    _Atomic uint64_t read, stored; /* blocks */
} ply_segments;

static void check_segments(void *context, int thread) {
    ply_segments *p = context;
    block_reader reader = {.layout = &p->layout, .ply = p->ply};
    (void)thread;
    reader.planes = malloc(plb_block_codec_most_words(p->v->file->codec) * sizeof *reader.planes);
    reader.hash = XXH3_createState();
    if (plb_block_reader_open(p->v->file->codec, &reader.block_reader) || !reader.planes ||
        !reader.hash)
        verify_fail_memory(p->v);
    for (uint64_t segment; verify_take(p->v, &p->next, p->layout.segments, &segment);) {
        check_segment(p->v, &reader, segment);
        XXH128_canonicalFromHash(&p->digests[segment], XXH3_128bits_digest(reader.hash));
        p->read += plb_block_layout_blocks(&p->layout, segment);
        verify_advance(p->v, 1);
    }
    p->stored += reader.stored;
    plb_block_reader_close(reader.block_reader);
    XXH3_freeState(reader.hash);
    free(reader.planes);
}

void verify_blocks(verifier *v, int ply) {
    ply_segments p = {
        .v = v,
        .ply = ply,
        .layout = plb_block_layout_ply(&v->file->space.index, ply, v->file->meta.block_entries)};
    p.digests = calloc(p.layout.segments, sizeof *p.digests);
    if (!p.digests) verify_fail_memory(v);
    verify_begin_ply(v, VERIFY_BLOCKS, ply, p.layout.segments);
    plb_threads_run(&v->threads, check_segments, &p);
    if (!v->error) {
        v->contents[ply] = XXH3_128bits(p.digests, p.layout.segments * sizeof *p.digests);
        v->report->ply[ply].blocks = p.read;
        v->report->ply[ply].stored = p.stored;
    }
    free(p.digests);
    verify_end_ply(v);
}
