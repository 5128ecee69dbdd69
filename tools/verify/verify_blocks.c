/* SPDX-License-Identifier: MIT
 *
 * Checks of the file. Is every block as written? Are the statistics of all plies possible, and
 * those of the board? Is the record of columns the automaton of the board? That is proved, without
 * the code that makes the automaton.
 */
#include <math.h>
#include <stdlib.h>

#include "tables/format/block_layout.h"
#include "tables/reach/automaton_proof.h"
#include "tools/verify/verify_checks.h"

typedef struct block_reader {
    const plb_block_layout *layout;
    int ply;
    plb_block_reader *block_reader;
    uint64_t *planes;
    XXH3_state_t *hash; /* digest of a segment */
    uint64_t stored;    /* blocks that are not empty */
} block_reader;

/* Read every block of a segment. An empty block is not an error here; a probe of it may fail. */
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
                            plb_store_path(v->file->store), (unsigned long long)(first + b),
                            r->ply);
        /* The digest contains the number of words of the block, and the words of its planes. */
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
    XXH3_128bits_reset(r->hash); /* a damaged segment gets a digest, too */
    int error = plb_store_get_segment(v->file->store, r->ply, first, &bytes, &segment.size, &why);
    segment.bytes = bytes;
    if (!error && !plb_segment_is_sound(&segment))
        error =
            plb_fail(&why, PLB_ECORRUPT,
                     "%s is damaged: the segment at block %llu of ply %d has no sound directory",
                     plb_store_path(v->file->store), (unsigned long long)first, r->ply);
    if (!error) error = check_blocks(v, r, number, &segment, &why);
    free(bytes);
    if (error) verify_fail(v, r->ply, error, &why);
}

/* The segments of a ply; threads take them one by one. */
typedef struct ply_segments {
    verifier *v;
    int ply;
    plb_block_layout layout;
    XXH128_canonical_t *digests;   /* [segments] */
    uint64_t next;                 /* the first that no thread has taken */
    _Atomic uint64_t read, stored; /* blocks */
} ply_segments;

static void check_segments(void *context, int thread) {
    ply_segments *p = context;
    block_reader reader = {.layout = &p->layout, .ply = p->ply};
    (void)thread;
    reader.planes = malloc(plb_block_codec_max_words(p->v->file->codec) * sizeof *reader.planes);
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

/* ---- counts ---- */

/* Can the statistics of a ply be right? A player who completes a group wins, or loses in misere
 * play; a full board without a group is drawn. */
static bool counts_are_possible(const verifier *v, int ply, const plb_ply_stats *s) {
    uint64_t of_last_mover = !plb_ply_x_moves(ply) != v->game->misere ? s->won : s->lost;
    return s->total == s->won + s->drawn + s->lost && s->terminal <= of_last_mover &&
           s->total <= plb_enumeration_max_positions(v->file->positions, ply) &&
           (ply > 0 || (s->total == 1 && s->terminal == 0)) &&
           (ply < v->game->cells || s->drawn == s->total - s->terminal);
}

void verify_counts(verifier *v) {
    bool ended = false; /* all positions of the ply before are terminal */
    for (int ply = 0; ply <= v->game->cells && !verify_is_stopped(v); ply++) {
        plb_ply_stats s;
        plb_message why;
        int error = plb_store_get_stats(v->file->store, ply, &s, &why);
        if (error) {
            verify_fail(v, ply, error, &why);
            return;
        }
        if (!counts_are_possible(v, ply, &s) || (ended && s.total))
            verify_report_counts(v, ply, "the counts of ply %d cannot be right", ply);
        ended = s.total == s.terminal;
    }
}

void verify_exact_counts(verifier *v) {
    plb_ply_stats stats[PLB_MAX_CELLS + 1];
    plb_count_board board;
    plb_message why;
    int wrong = -1;
    if (verify_is_stopped(v)) return;
    v->report->countable = plb_count_check_find_board(v->game, &board) &&
                           plb_position_count_seconds(&board) < HUGE_VAL;
    if (!plb_count_check_find_quick(v->game, v->options->count_seconds, &board)) return;
    verify_begin_ply(v, VERIFY_COUNTING, 0, 1);
    verify_advance(v, 0);
    for (int ply = 0; ply <= v->game->cells; ply++) plb_stats(v->table, ply, &stats[ply]);
    int error =
        plb_count_check_compare(&board, stats, v->options->threads, v->options->stop, &wrong, &why);
    if (!error)
        v->report->exact_counts = PLB_COMPARED_ALL;
    else if (error == PLB_ECORRUPT)
        verify_report_counts(v, wrong, "%s", why.text);
    else if (error == PLB_ETOOBIG)
        v->report->countable = false;
    else if (error != PLB_EINTERRUPTED) /* an interruption is found by verify_is_stopped */
        verify_fail(v, -1, error, &why);
}

/* ---- columns ---- */

void verify_columns(verifier *v) {
    const plb_column_automaton *columns = v->file->space.columns;
    plb_message why;
    if (verify_is_stopped(v) || !columns) return;
    int error = plb_automaton_proof_check(columns, v->options->stop);
    if (!error || error == PLB_EINTERRUPTED) return;
    if (error == PLB_ECORRUPT)
        plb_fail(&why, error, "the record %s is wrong: it is not the automaton of this board",
                 PLB_RECORD_COLUMNS);
    else
        plb_fail(&why, error, "%s", plb_error_text(error));
    verify_fail(v, -1, error, &why);
}
