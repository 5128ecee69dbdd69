/* SPDX-License-Identifier: MIT
 *
 * Is every block of the table there and as written, and can the counts be right?
 */
#include <stdlib.h>
#include <string.h>

#include "tables/format/block_layout.h"
#include "tables/format/hash_records.h"
#include "tools/verify/verify_checks.h"

/* ---- blocks ---- */

typedef struct block_reader {
    const plb_block_layout *cut;
    int ply;
    plb_block_reader *block_reader;
    uint64_t *planes;
    XXH3_state_t *hash; /* of what a segment holds */
    uint64_t stored;    /* blocks that are not empty */
} block_reader;

static void open_reader(verifier *v, block_reader *r) {
    r->planes = malloc(plb_block_codec_most_words(v->file->codec) * sizeof *r->planes);
    r->hash = XXH3_createState();
    if (plb_block_reader_open(v->file->codec, &r->block_reader) || !r->planes || !r->hash)
        verify_fail_memory(v);
}

static void close_reader(block_reader *r) {
    plb_block_reader_close(r->block_reader);
    XXH3_freeState(r->hash);
    free(r->planes);
}

/* Add to the digest of a segment: how many words a block has, and the words of its planes. */
static void hash_block(const block_reader *r, uint64_t words) {
    XXH3_128bits_update(r->hash, &words, sizeof words);
    XXH3_128bits_update(r->hash, r->planes, words * sizeof *r->planes);
}

/* Read every block of a segment; an empty one is right as long as nobody needs a value of it. */
static int check_blocks(const verifier *v, block_reader *r, uint64_t number,
                        const plb_segment *segment, plb_message *why) {
    uint64_t first = number * r->cut->blocks_per_segment;
    for (uint64_t b = 0; b < segment->blocks; b++) {
        bool stored = plb_segment_has_block(segment, b);
        int error = stored ? plb_block_reader_unpack_block(r->block_reader, segment, b, r->ply,
                                                           first, r->planes)
                           : 0;
        if (error)
            return plb_fail(why, error, "%s is damaged: block %llu of ply %d is not as written",
                            v->path, (unsigned long long)(first + b), r->ply);
        hash_block(r, stored ? plb_block_codec_words(v->file->codec, r->ply, first + b) : 0);
        r->stored += stored;
    }
    return PLB_OK;
}

static void check_segment(verifier *v, block_reader *r, uint64_t number) {
    uint8_t *bytes = NULL;
    plb_segment segment = {.blocks = plb_block_layout_blocks(r->cut, number)};
    plb_message why;
    uint64_t first = number * r->cut->blocks_per_segment;
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
    plb_block_layout cut;
    XXH128_canonical_t *digests;   /* [segments] */
    uint64_t next;                 /* segment that no thread has taken */
    _Atomic uint64_t read, stored; /* blocks */
} ply_segments;

static void check_segments(void *context, int thread) {
    ply_segments *p = context;
    block_reader reader = {.cut = &p->cut, .ply = p->ply};
    (void)thread;
    open_reader(p->v, &reader);
    for (uint64_t segment; verify_take(p->v, &p->next, p->cut.segments, &segment);) {
        check_segment(p->v, &reader, segment);
        XXH128_canonicalFromHash(&p->digests[segment], XXH3_128bits_digest(reader.hash));
        p->read += plb_block_layout_blocks(&p->cut, segment);
        verify_advance(p->v, 1);
    }
    p->stored += reader.stored;
    close_reader(&reader);
}

void verify_blocks(verifier *v, int ply) {
    ply_segments p = {
        .v = v,
        .ply = ply,
        .cut = plb_block_layout_ply(&v->file->space.index, ply, v->file->meta.block_entries)};
    p.digests = calloc(p.cut.segments, sizeof *p.digests);
    if (!p.digests) verify_fail_memory(v);
    verify_begin_ply(v, VERIFY_BLOCKS, ply, p.cut.segments);
    plb_threads_run(&v->threads, check_segments, &p);
    if (!v->error) {
        v->contents[ply] = XXH3_128bits(p.digests, p.cut.segments * sizeof *p.digests);
        v->report->ply[ply].blocks = p.read;
        v->report->ply[ply].stored = p.stored;
    }
    free(p.digests);
    verify_end_ply(v);
}

/* ---- contents ---- */

static void hash_number(XXH3_state_t *hash, uint64_t number) {
    XXH64_canonical_t bytes;
    XXH64_canonicalFromHash(&bytes, number);
    XXH3_128bits_update(hash, &bytes, sizeof bytes);
}

static void hash_ply(const verifier *v, int ply, XXH3_state_t *hash) {
    XXH128_canonical_t digest;
    plb_ply_stats s;
    plb_stats(v->table, ply, &s);
    const uint64_t counts[] = {s.total, s.terminal, s.won, s.drawn, s.lost};
    for (int c = 0; c < 5; c++) hash_number(hash, counts[c]);
    XXH128_canonicalFromHash(&digest, v->contents[ply]);
    XXH3_128bits_update(hash, &digest, sizeof digest);
}

/* Of a table that has them. */
static void hash_distances(verifier *v, XXH3_state_t *hash) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    plb_message why;
    if (!plb_store_has_record(v->file->store, PLB_RECORD_DISTANCES)) return;
    int error = plb_store_get_record(v->file->store, PLB_RECORD_DISTANCES, &bytes, &size, &why);
    if (error)
        verify_fail(v, -1, error, &why);
    else
        XXH3_128bits_update(hash, bytes, size);
    free(bytes);
}

/* Of a table of keys: the sets that number its positions. */
static void hash_keys(verifier *v, int ply, XXH3_state_t *hash) {
    char name[PLB_RECORD_NAME];
    for (uint64_t slab = 0; !v->error; slab++) {
        uint8_t *bytes = NULL;
        size_t size = 0;
        plb_message why;
        plb_hash_record_name(ply, slab, name);
        if (!plb_store_has_record(v->file->store, name)) return;
        int error = plb_store_get_record(v->file->store, name, &bytes, &size, &why);
        if (error)
            verify_fail(v, ply, error, &why);
        else
            XXH3_128bits_update(hash, bytes, size);
        free(bytes);
    }
}

void verify_contents(verifier *v) {
    XXH3_state_t *hash = XXH3_createState();
    if (!hash) {
        verify_fail_memory(v);
        return;
    }
    XXH3_128bits_reset(hash);
    XXH3_128bits_update(hash, v->file->meta.spec, strlen(v->file->meta.spec) + 1);
    const char *values = plb_value_kind_text(v->file->meta.values);
    XXH3_128bits_update(hash, values, strlen(values) + 1);
    hash_number(hash, v->file->meta.block_entries);
    for (int ply = 0; ply <= v->game->cells; ply++) hash_ply(v, ply, hash);
    for (int ply = 0; ply <= v->game->cells; ply++) hash_keys(v, ply, hash);
    hash_distances(v, hash);
    if (!v->error) digest_format(XXH3_128bits_digest(hash), v->report->contents);
    XXH3_freeState(hash);
}

/* ---- counts ---- */

/* Can the statistics of a ply be right? Who completed a group has won, or lost in misere play;
 * a full board without a group is drawn. */
static bool counts_are_possible(const verifier *v, int ply, const plb_ply_stats *s) {
    uint64_t of_last_mover = !plb_ply_x_moves(ply) != v->game->misere ? s->won : s->lost;
    return s->total == s->won + s->drawn + s->lost && s->terminal <= of_last_mover &&
           s->total <= plb_enumeration_most_positions(v->file->positions, ply) &&
           (ply > 0 || (s->total == 1 && s->terminal == 0)) &&
           (ply < v->game->cells || s->drawn == s->total - s->terminal);
}

void verify_counts(verifier *v) {
    bool ended = false; /* in all positions of an earlier ply */
    for (int ply = 0; ply <= v->game->cells && !verify_is_stopped(v); ply++) {
        plb_ply_stats s;
        plb_message why;
        int error = plb_store_get_stats(v->file->store, ply, &s, &why);
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
