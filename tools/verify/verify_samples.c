/* SPDX-License-Identifier: MIT
 *
 * Samples of the plies that are not checked whole: blocks are drawn, and in each of them entries;
 * what is stored there must follow from the children. The chances of finding an error; verifier.h
 * derives them.
 */
#include <stdlib.h>

#include "tables/format/block_layout.h"
#include "tables/games/static_value.h"
#include "tables/store/segment.h"
#include "tools/verify/verify_checks.h"

/* What one thread looks at. */
typedef struct sampler {
    verifier *v;
    const plb_block_layout *layout;
    int ply;
    uint64_t random, checked;
    bool judged; /* a win or a loss of the block was checked */
} sampler;

/* ---- which blocks ---- */

/* The length of the stretches of blocks from each of which one is drawn. */
static uint64_t stretch_blocks(const verifier *v, const plb_block_layout *layout) {
    uint64_t blocks = layout->segments * layout->blocks_per_segment, most = v->options->blocks;
    return most ? plb_max(1, plb_divide_up(blocks, most)) : 1;
}

/* Repeatable, and different for every part of a ply. */
static uint64_t seed_of_part(const verifier *v, int ply, uint64_t number) {
    uint64_t state = v->options->seed;
    return plb_next_random(&state) ^ ((uint64_t)ply << 58 | number);
}

/* The block that is drawn of a stretch, which may be beyond the last one. */
static uint64_t draw_block(const verifier *v, int ply, uint64_t stretch, uint64_t blocks) {
    uint64_t state = seed_of_part(v, ply, stretch);
    return stretch * blocks + plb_random_below(&state, blocks);
}

/* ---- entries of a block ---- */

/* Check one of the entries [begin, end) of a block, each as likely as any other, if a value is
 * stored there. */
static void check_one(sampler *s, uint64_t block, uint64_t begin, uint64_t end) {
    const plb_space *space = &s->v->file->space;
    plb_outcome outcome = {PLB_DRAW, PLB_NO_DTM};
    plb_block_address at = {s->ply, block, begin + plb_random_below(&s->random, end - begin)};
    plb_position position = plb_index_unrank(&space->index, plb_block_layout_entry(s->layout, at));
    if (plb_rules_static_value(s->v->game, position).kind != PLB_QUIET ||
        plb_space_check(space, position, NULL) != PLB_OK)
        return;
    s->checked += verify_position(s->v, position, &outcome);
    s->judged |= outcome.value != PLB_DRAW;
}

/* Check one entry of each stratum; then more of the block until a win or a loss was checked, if one
 * can be stored. */
static void sample_block(sampler *s, uint64_t block, bool is_stored) {
    enum { MORE = 16 }; /* times as many entries */
    uint64_t entries = plb_block_layout_block_entries(s->layout, block);
    uint64_t strata = plb_min(s->v->options->samples, entries);
    uint64_t state = seed_of_part(s->v, s->ply, block / s->layout->blocks_per_segment);
    s->random = plb_next_random(&state) ^ block % s->layout->blocks_per_segment;
    s->judged = false;
    for (uint64_t stratum = 0; stratum < strata && !s->v->error; stratum++)
        check_one(s, block, entries * stratum / strata, entries * (stratum + 1) / strata);
    uint64_t more = plb_min(MORE * strata, entries);
    for (uint64_t n = 0; n < more && is_stored && !s->judged && !s->v->error; n++)
        check_one(s, block, 0, entries);
}

/* A segment of which blocks are drawn; it is read with the first of them. */
typedef struct drawn_segment {
    uint64_t first; /* its first block, by number in the ply */
    plb_segment segment;
    uint8_t *bytes;
    bool is_read;
} drawn_segment;

static void read_segment(const sampler *s, drawn_segment *d) {
    plb_message why;
    if (d->is_read) return;
    int error = plb_store_get_segment(s->v->file->store, s->ply, d->first, &d->bytes,
                                      &d->segment.size, &why);
    d->segment.bytes = d->bytes;
    d->is_read = true;
    if (error) verify_fail(s->v, s->ply, error, &why);
}

/* Returns the blocks of which a win or a loss was checked. */
static uint64_t sample_segment(sampler *s, uint64_t number) {
    drawn_segment d = {.first = number * s->layout->blocks_per_segment};
    uint64_t blocks = plb_block_layout_blocks(s->layout, number), judged = 0;
    uint64_t length = stretch_blocks(s->v, s->layout);
    d.segment.blocks = blocks;
    for (uint64_t n = d.first / length; n * length < d.first + blocks; n++) {
        uint64_t block = draw_block(s->v, s->ply, n, length) - d.first;
        if (block >= blocks) continue; /* it is one of another segment, perhaps the one before */
        read_segment(s, &d);
        if (verify_is_stopped(s->v)) break;
        sample_block(s, d.first + block, plb_segment_has_block(&d.segment, block));
        judged += s->judged;
    }
    free(d.bytes);
    return judged;
}

/* The segments of a ply, which threads take one by one. */
typedef struct ply_samples {
    verifier *v;
    int ply;
    plb_block_layout layout;
    uint64_t next;                    /* segment that no thread has taken */
    _Atomic uint64_t checked, judged; /* entries; blocks */
} ply_samples;

static void sample_segments(void *context, int thread) {
    ply_samples *p = context;
    sampler s = {.v = p->v, .layout = &p->layout, .ply = p->ply};
    (void)thread;
    for (uint64_t segment; verify_take(p->v, &p->next, p->layout.segments, &segment);) {
        p->judged += sample_segment(&s, segment);
        verify_advance(p->v, 1);
    }
    p->checked += s.checked;
}

void verify_samples(verifier *v, int ply) {
    if (!plb_static_value_is_stored_ply(ply)) return;
    ply_samples p = {
        .v = v,
        .ply = ply,
        .layout = plb_block_layout_ply(&v->file->space.index, ply, v->file->meta.block_entries)};
    verify_begin_ply(v, VERIFY_VALUES, ply, p.layout.segments);
    plb_threads_run(&v->threads, sample_segments, &p);
    v->report->ply[ply].checked = p.checked;
    v->report->ply[ply].judged = p.judged;
    verify_end_ply(v);
}

/* ---- what would have been seen ---- */

static double value_chance(const verifier *v, int ply) {
    plb_block_layout layout =
        plb_block_layout_ply(&v->file->space.index, ply, v->file->meta.block_entries);
    uint64_t entries =
        plb_min(layout.block_entries, plb_enumeration_entries(v->file->positions, ply));
    if (v->whole[ply]) return 1;
    if (!v->options->samples) return 0;
    uint64_t stratum = plb_divide_up(entries, plb_min(v->options->samples, entries));
    return 1.0 / ((double)stratum * (double)stretch_blocks(v, &layout));
}

void verify_find_chances(verifier *v) {
    verify_chances *chances = &v->report->chances;
    uint64_t stored = 0, judged = 0, counted = 0;
    chances->value = 1;
    for (int ply = 0; ply <= v->game->cells; ply++) {
        const verify_ply *p = &v->report->ply[ply];
        if (p->stored && value_chance(v, ply) < chances->value)
            chances->value = value_chance(v, ply);
        stored += p->stored;
        judged += p->judged;
        counted += p->whole;
    }
    chances->block = stored ? (double)judged / (double)stored : 1;
    chances->row = (double)counted / (v->game->cells + 1);
}
