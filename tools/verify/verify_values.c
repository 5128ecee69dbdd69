/* SPDX-License-Identifier: MIT
 *
 * Do values and distances follow from those of the children, and are the statistics right? In plies
 * that are not checked whole, random entries of random blocks are checked. The chances of finding
 * an error are derived in verifier.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/format/block_layout.h"
#include "tables/format/distance_record.h"
#include "tables/games/static_value.h"
#include "tables/store/segment.h"
#include "tools/verify/verify_checks.h"

/* ---- statistics of distances ---- */

static plb_position position_of(const verifier *v, const plb_longest *longest) {
    plb_position position = {0, 0};
    v->game->rules->from_words(v->game, longest->x, longest->o, &position, NULL);
    return position;
}

/* Keep the longer one; of two with the same length the one that the enumeration visits first. */
static void keep_longest(const verifier *v, const plb_longest *found, plb_longest *longest) {
    bool goes_before = found->plies > longest->plies;
    if (found->plies == longest->plies && found->plies != PLB_NO_DTM)
        goes_before = plb_enumeration_goes_before(v->file->positions, position_of(v, found),
                                                  position_of(v, longest));
    if (goes_before) *longest = *found;
}

static void report_longest(verifier *v, int ply, plb_value value, const plb_longest *stated) {
    char board[PLB_BOARD_TEXT];
    plb_format_board(v->table, stated->x, stated->o, board);
    verify_report_counts(
        v, ply,
        "ply %d: the statistics say that %s is the first %s in %d plies, the longest; it is not",
        ply, board, plb_value_text(value), stated->plies);
}

static bool is_same_longest(const plb_longest *a, const plb_longest *b) {
    return a->plies == b->plies && a->x == b->x && a->o == b->o;
}

static void compare_distances(verifier *v, int ply, const plb_ply_distances *counted) {
    plb_ply_distances stated;
    if (plb_distance_stats(v->table, ply, &stated) != PLB_OK) return;
    for (int plies = 0; plies <= v->game->cells && !v->error; plies++) {
        uint64_t stated_count = plb_distance_count(v->game, &stated, plies);
        uint64_t counted_count = plb_distance_count(v->game, counted, plies);
        if (stated_count == counted_count) continue;
        verify_report_counts(
            v, ply,
            "ply %d: the statistics say that %llu positions end after %d plies; counted were %llu",
            ply, (unsigned long long)stated_count, plies, (unsigned long long)counted_count);
    }
    if (!is_same_longest(&stated.longest_win, &counted->longest_win))
        report_longest(v, ply, PLB_WIN, &stated.longest_win);
    if (!is_same_longest(&stated.longest_loss, &counted->longest_loss))
        report_longest(v, ply, PLB_LOSS, &stated.longest_loss);
}

static void check_longest(verifier *v, int ply, plb_value value, const plb_longest *stated) {
    plb_answer answer;
    plb_message why;
    if (stated->plies == PLB_NO_DTM) return;
    int error = plb_probe(v->table, stated->x, stated->o, &answer, &why);
    if (error == PLB_ENOMEM || error == PLB_EIO)
        verify_fail(v, ply, error, &why);
    else if (error || answer.value != value || answer.dtm != stated->plies)
        report_longest(v, ply, value, stated);
}

/* ---- values ---- */

/* The outcome of a finished game, or of the best move. */
static int outcome_from_children(verifier *v, plb_position position, plb_outcome *outcome,
                                 plb_message *message) {
    plb_move moves[PLB_MAX_MOVES];
    int count = 0;
    uint64_t x, o;
    plb_rules_to_words(v->game, position, &x, &o);
    int error = plb_moves(v->table, x, o, moves, &count, message);
    if (error) return error;
    if (plb_rules_is_over(v->game, position)) {
        plb_value value = plb_rules_final_value(v->game, position);
        bool has_distance = v->file->coding.values == PLB_DTM && value != PLB_DRAW;
        *outcome = (plb_outcome){value, has_distance ? 0 : PLB_NO_DTM};
        return PLB_OK;
    }
    for (int m = 0; m < count; m++) {
        plb_outcome after = {(plb_value)-moves[m].value, moves[m].dtm};
        plb_outcome by_move = plb_outcome_before_move(after);
        if (m == 0 || plb_outcome_is_better(by_move, *outcome)) *outcome = by_move;
    }
    return PLB_OK;
}

/* Does the outcome of a position, written to *outcome, follow from those of its children? */
static bool verify_position(verifier *v, plb_position position, plb_outcome *outcome) {
    plb_message why;
    plb_outcome expected = {PLB_DRAW, PLB_NO_DTM};
    if (!verify_probe(v, position, outcome)) return false;
    int error = outcome_from_children(v, position, &expected, &why);
    if (error)
        verify_report_no_answer(v, position, error, &why);
    else if (!verify_is_same(*outcome, expected))
        verify_report_outcome(v, VERIFY_CHILDREN, position, *outcome, expected);
    else
        return true;
    return false;
}

/* The counts of a ply, by one thread or by all. */
typedef struct tally {
    verifier *verifier;
    uint64_t checked;
    plb_ply_stats counts;
    plb_ply_distances distances;
} tally;

static tally begin_tally(verifier *v) {
    return (tally){.verifier = v,
                   .distances.longest_win.plies = PLB_NO_DTM,
                   .distances.longest_loss.plies = PLB_NO_DTM};
}

/* Check a position, and count it `count` times, for its symmetric images. */
static bool visit_position(void *context, plb_position position, uint64_t count) {
    tally *t = context;
    plb_outcome outcome;
    const verifier *v = t->verifier;
    if (!verify_position(t->verifier, position, &outcome)) return false;
    bool is_won = outcome.value == PLB_WIN;
    int of_x = plb_rules_x_to_move(v->game, position) ? outcome.value : -outcome.value;
    *(of_x > 0 ? &t->counts.won : of_x < 0 ? &t->counts.lost : &t->counts.drawn) += count;
    t->counts.total += count;
    if (v->game->rules->complete_groups(v->game, position)) t->counts.terminal += count;
    t->checked++;
    if (outcome.dtm == PLB_NO_DTM) return true;
    plb_ply_distances *d = &t->distances;
    (is_won ? d->wins : d->losses)[outcome.dtm] += count;
    plb_longest found = {.plies = outcome.dtm};
    plb_rules_to_words(v->game, position, &found.x, &found.o);
    if (outcome.dtm) keep_longest(v, &found, is_won ? &d->longest_win : &d->longest_loss);
    return true;
}

static void format_counts(const plb_ply_stats *s, char text[120]) {
    snprintf(text, 120, "%llu positions, %llu terminal, %llu won, %llu drawn, %llu lost",
             (unsigned long long)s->total, (unsigned long long)s->terminal,
             (unsigned long long)s->won, (unsigned long long)s->drawn, (unsigned long long)s->lost);
}

static void compare_counts(verifier *v, int ply, const plb_ply_stats *counted) {
    plb_ply_stats stored;
    char stated[120], found[120];
    plb_stats(v->table, ply, &stored);
    if (memcmp(&stored, counted, sizeof stored) == 0) return;
    format_counts(&stored, stated);
    format_counts(counted, found);
    verify_report_counts(v, ply, "ply %d: the statistics say %s; counted were %s", ply, stated,
                         found);
}

/* The chunks of a ply that is checked whole; threads take them one by one. */
typedef struct ply_chunks {
    verifier *v;
    int ply;
    uint64_t next, count; /* next: the first that no thread has taken */
    tally sum;            /* guarded by the verifier's lock */
} ply_chunks;

static void check_chunks(void *context, int thread) {
    ply_chunks *p = context;
    tally t = begin_tally(p->v);
    (void)thread;
    for (uint64_t chunk; verify_take(p->v, &p->next, p->count, &chunk);) {
        plb_enumeration_chunk(p->v->file->positions, p->ply, chunk, visit_position, &t);
        verify_advance(p->v, 1);
    }
    pthread_mutex_lock(&p->v->lock);
    p->sum.checked += t.checked;
    p->sum.counts.total += t.counts.total;
    p->sum.counts.terminal += t.counts.terminal;
    p->sum.counts.won += t.counts.won;
    p->sum.counts.drawn += t.counts.drawn;
    p->sum.counts.lost += t.counts.lost;
    const verifier *v = p->sum.verifier;
    const plb_ply_distances *more = &t.distances;
    plb_ply_distances *counts = &p->sum.distances;
    for (int plies = 0; plies <= v->game->cells; plies++) {
        counts->wins[plies] += more->wins[plies];
        counts->losses[plies] += more->losses[plies];
    }
    keep_longest(v, &more->longest_win, &counts->longest_win);
    keep_longest(v, &more->longest_loss, &counts->longest_loss);
    pthread_mutex_unlock(&p->v->lock);
}

/* ---- samples of a ply ---- */

/* Per-thread state. */
typedef struct sampler {
    verifier *v;
    const plb_block_layout *layout;
    int ply;
    uint64_t random, checked;
    bool judged; /* a win or a loss of the block was checked */
} sampler;

/* One block of each stretch of this many blocks is drawn. */
static uint64_t stretch_blocks(const verifier *v, const plb_block_layout *layout) {
    uint64_t blocks = layout->segments * layout->blocks_per_segment,
             max_blocks = v->options->blocks;
    return max_blocks ? plb_max(1, plb_divide_up(blocks, max_blocks)) : 1;
}

/* A different seed for every part of a ply. */
static uint64_t seed_of_part(const verifier *v, int ply, uint64_t number) {
    uint64_t state = v->options->seed;
    return plb_next_random(&state) ^ ((uint64_t)ply << 58 | number);
}

/* Check a random entry of [begin, end) in a block, if it has a value that is stored. */
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

/* Check an entry of each stratum; then, if the block is not empty, more until one is not a draw. */
static void sample_block(sampler *s, uint64_t block, bool is_stored) {
    enum { MORE = 16 }; /* at most so many times the samples */
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

/* Sample the drawn blocks of a segment, which is read before the first of them. Returns the number
 * of blocks in which a win or a loss was checked. */
static uint64_t sample_segment(sampler *s, uint64_t number) {
    uint64_t first = number * s->layout->blocks_per_segment, judged = 0;
    uint64_t length = stretch_blocks(s->v, s->layout);
    plb_segment segment = {.blocks = plb_block_layout_blocks(s->layout, number)};
    uint8_t *bytes = NULL;
    bool is_read = false;
    for (uint64_t n = first / length; n * length < first + segment.blocks; n++) {
        /* The block that is drawn from the stretch may belong to a neighbouring segment. */
        uint64_t random = seed_of_part(s->v, s->ply, n);
        uint64_t block = n * length + plb_random_below(&random, length) - first;
        if (block >= segment.blocks) continue;
        if (!is_read) {
            plb_message why;
            int error = plb_store_get_segment(s->v->file->store, s->ply, first, &bytes,
                                              &segment.size, &why);
            if (error) verify_fail(s->v, s->ply, error, &why);
            segment.bytes = bytes;
            is_read = true;
        }
        if (verify_is_stopped(s->v)) break;
        sample_block(s, first + block, plb_segment_has_block(&segment, block));
        judged += s->judged;
    }
    free(bytes);
    return judged;
}

/* The segments of a ply; threads take them one by one. */
typedef struct ply_samples {
    verifier *v;
    int ply;
    plb_block_layout layout;
    uint64_t next;                    /* the first that no thread has taken */
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

/* ---- which plies ---- */

void verify_begin_plies(verifier *v) {
    plb_message why;
    for (int ply = 0; ply <= v->game->cells && !verify_is_stopped(v); ply++) {
        verify_begin_ply(v, VERIFY_POSITIONS, ply, 1);
        int error = plb_enumeration_begin(v->file->positions, ply, v->options->stop, &why);
        if (error) verify_stop(v, error, &why, NULL);
        if (plb_enumeration_is_in_memory(v->file->positions)) verify_end_ply(v);
    }
}

/* The smallest ply that is not chosen yet; -1: none. */
static int smallest_left(const verifier *v) {
    int smallest = -1;
    for (int ply = 0; ply <= v->game->cells; ply++)
        if (!v->whole[ply] &&
            (smallest < 0 || plb_enumeration_entries(v->file->positions, ply) <
                                 plb_enumeration_entries(v->file->positions, smallest)))
            smallest = ply;
    return smallest;
}

/* Enumerated positions (of tables of keys) are all checked. */
void verify_choose_plies(verifier *v) {
    uint64_t left =
        plb_enumeration_is_in_memory(v->file->positions) ? UINT64_MAX : v->options->whole_entries;
    if (v->error) return;
    for (int ply; (ply = smallest_left(v)) >= 0 &&
                  plb_enumeration_entries(v->file->positions, ply) <= left;) {
        v->whole[ply] = true;
        if (left != UINT64_MAX) left -= plb_enumeration_entries(v->file->positions, ply);
    }
}

void verify_values(verifier *v, int ply) {
    if (v->whole[ply]) {
        /* Check and count every position of a ply. */
        ply_chunks p = {v, ply, 0, plb_enumeration_chunks(v->file->positions, ply), begin_tally(v)};
        verify_begin_ply(v, VERIFY_VALUES, ply, p.count);
        plb_threads_run(&v->threads, check_chunks, &p);
        v->report->ply[ply].checked = p.sum.checked;
        if (!v->error) compare_counts(v, ply, &p.sum.counts);
        if (!v->error) compare_distances(v, ply, &p.sum.distances);
        v->report->ply[ply].whole = !v->error;
        v->report->ply[ply].judged = v->report->ply[ply].stored;
        verify_end_ply(v);
    } else {
        /* Of the statistics of distances only the longest are checked. */
        plb_ply_distances stated;
        if (plb_distance_stats(v->table, ply, &stated) == PLB_OK) {
            check_longest(v, ply, PLB_WIN, &stated.longest_win);
            check_longest(v, ply, PLB_LOSS, &stated.longest_loss);
        }
        if (!plb_static_value_is_stored_ply(ply)) return;
        ply_samples p = {.v = v, .ply = ply};
        p.layout = plb_block_layout_ply(&v->file->space.index, ply, v->file->meta.block_entries);
        verify_begin_ply(v, VERIFY_VALUES, ply, p.layout.segments);
        plb_threads_run(&v->threads, sample_segments, &p);
        v->report->ply[ply].checked = p.checked;
        v->report->ply[ply].judged = p.judged;
        verify_end_ply(v);
    }
}

/* ---- the chances of finding an error ---- */

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

void verify_set_chances(verifier *v) {
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
