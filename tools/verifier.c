/* SPDX-License-Identifier: MIT
 *
 * The verifier. It looks at the table twice: as a user of the public library, who is told values,
 * and as its file, of which every block is read. Invariant: the first thing that goes wrong, in
 * whatever thread, is kept in `error`, and all threads leave their loops.
 */
#include "tools/verifier.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/cut.h"
#include "tables/meta.h"
#include "tables/notation.h"
#include "tables/scale.h"
#include "tables/segment.h"
#include "tools/board.h"
#include "tools/forward_search.h"
#include "tools/published.h"
#include "tools/sample.h"

/* A ply of so few places for each sample is taken whole. */
enum { PLACES_PER_SAMPLE = 16 };

typedef struct verifier {
    const plb_verify_options *options;
    plb_verify_report *report;
    plb_message *message;
    const char *path;
    plb_table *table; /* values, as a user is told them */
    plb_store *store; /* what is in the file */
    plb_meta meta;
    plb_game game;
    plb_symmetry symmetry;
    plb_index index;
    plb_scale scale;
    plb_search **searches; /* [threads] */
    _Atomic int error;
    plb_verify_progress progress;
} verifier;

const char *plb_verify_kind_text(plb_verify_kind kind) {
    static const char *const names[] = {"good",     "damage", "counts",
                                        "children", "search", "published"};
    return names[kind];
}

/* ---- what goes wrong, and how far it is ---- */

static void stop_with(verifier *v, int error, const plb_message *message,
                      const plb_verify_finding *finding) {
#pragma omp critical(verifier)
    if (!v->error) {
        if (finding) v->report->finding = *finding;
        if (v->message) *v->message = *message;
        v->error = error;
    }
}

static bool is_stopped(verifier *v) {
    if (!v->error && v->options->stop && *v->options->stop) {
        plb_message why;
        plb_fail(&why, PLB_EINTERRUPTED, "interrupted");
        stop_with(v, PLB_EINTERRUPTED, &why, NULL);
    }
    return v->error;
}

/* A call failed: for want of memory, or because the table is damaged. */
static void fail_with(verifier *v, int ply, int error, const plb_message *message) {
    plb_verify_finding finding = {.kind = PLB_VERIFY_DAMAGE, .message = *message, .ply = ply};
    stop_with(v, error, message, error == PLB_ECORRUPT ? &finding : NULL);
}

static void fail_memory(verifier *v) {
    plb_message why;
    plb_fail(&why, PLB_ENOMEM, "out of memory to verify %s", v->path);
    stop_with(v, PLB_ENOMEM, &why, NULL);
}

static void find_wrong_counts(verifier *v, int ply, const plb_message *message) {
    plb_verify_finding finding = {.kind = PLB_VERIFY_COUNTS, .message = *message, .ply = ply};
    stop_with(v, PLB_ECORRUPT, message, &finding);
}

static bool is_same(plb_outcome a, plb_outcome b) {
    return a.value == b.value && a.dtm == b.dtm;
}

static void find_wrong_outcome(verifier *v, plb_verify_kind kind, plb_position position,
                               plb_outcome stored, plb_outcome expected) {
    static const char *const reasons[] = {[PLB_VERIFY_CHILDREN] = "follows from its children",
                                          [PLB_VERIFY_SEARCH] = "is what forward search proves",
                                          [PLB_VERIFY_PUBLISHED] = "is the published outcome"};
    char said[32], right[32];
    plb_verify_finding f = {
        .kind = kind, .ply = plb_position_ply(position), .stored = stored, .expected = expected};
    plb_notation_format_board(&v->game, position, f.position);
    plb_fail(&f.message, PLB_ECORRUPT, "position %s: the table says %s, but %s %s", f.position,
             format_outcome(stored.value, stored.dtm, said),
             format_outcome(expected.value, expected.dtm, right), reasons[kind]);
    stop_with(v, PLB_ECORRUPT, &f.message, &f);
}

/* A position could not be answered though it can arise. */
static void find_no_answer(verifier *v, plb_position position, int error,
                           const plb_message *message) {
    plb_verify_finding f = {.kind = PLB_VERIFY_DAMAGE, .ply = plb_position_ply(position)};
    plb_notation_format_board(&v->game, position, f.position);
    plb_fail(&f.message, PLB_ECORRUPT, "position %s: %.120s", f.position, message->text);
    stop_with(v, error == PLB_ENOMEM ? error : PLB_ECORRUPT, &f.message,
              error == PLB_ENOMEM ? NULL : &f);
}

static void begin_ply(verifier *v, plb_verify_phase phase, int ply, uint64_t total) {
    v->progress = (plb_verify_progress){.phase = phase, .ply = ply, .total = total};
}

static void advance(verifier *v, uint64_t done) {
#pragma omp critical(verifier)
    {
        v->progress.done += done;
        if (v->options->report) v->options->report(v->options->context, &v->progress);
    }
}

static void end_ply(verifier *v) {
    if (v->error) return;
    v->progress.ply_done = true;
    advance(v, 0);
}

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
    if (plb_unpacker_open(&r->unpacker) || !r->planes) fail_memory(v);
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
    if (error) fail_with(v, ply, error, &why);
}

static void check_blocks_of_ply(verifier *v, int ply) {
    plb_cut cut = plb_cut_ply(&v->index, ply, v->meta.block_positions);
    uint64_t blocks = 0;
    begin_ply(v, PLB_VERIFY_BLOCKS, ply, cut.segments);
#pragma omp parallel num_threads(v->options->threads) reduction(+ : blocks)
    {
        block_reader reader = {0};
        open_reader(v, &reader);
#pragma omp for schedule(dynamic)
        for (uint64_t segment = 0; segment < cut.segments; segment++) {
            if (is_stopped(v)) continue;
            check_segment(v, &reader, &cut, ply, segment);
            blocks += plb_cut_blocks(&cut, segment);
            advance(v, 1);
        }
        close_reader(&reader);
    }
    if (!v->error) v->report->ply[ply].blocks = blocks;
    end_ply(v);
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

static void check_counts(verifier *v) {
    bool ended = false; /* no position of an earlier ply goes on */
    for (int ply = 0; ply <= v->game.cells && !is_stopped(v); ply++) {
        plb_ply_stats s;
        plb_message why;
        int error = plb_store_get_stats(v->store, ply, &s, &why);
        if (error) fail_with(v, ply, error, &why);
        if (!error && (!counts_are_possible(v, ply, &s) || (ended && s.total))) {
            plb_fail(&why, PLB_ECORRUPT, "the counts of ply %d cannot be right", ply);
            find_wrong_counts(v, ply, &why);
        }
        ended = s.total == s.terminal;
    }
}

/* ---- values and children ---- */

static uint64_t bits_of(const verifier *v, uint64_t cells) {
    return plb_game_bits_of_cells(&v->game, cells);
}

static plb_outcome outcome_of(const plb_answer *answer) {
    return (plb_outcome){answer->value, answer->dtm};
}

/* Is a the better outcome for the player who has it? Of wins the faster one, of losses the slower;
 * without distances all wins are equal. */
static bool is_better(plb_outcome a, plb_outcome b) {
    if (a.value != b.value) return a.value > b.value;
    return a.value == PLB_WIN ? a.dtm < b.dtm : a.dtm > b.dtm;
}

static plb_outcome final_outcome(const verifier *v, plb_position position) {
    plb_value value = plb_rules_final_value(&v->game, position);
    bool has_distance = v->scale.values == PLB_DTM && value != PLB_DRAW;
    return (plb_outcome){value, has_distance ? 0 : PLB_NO_DTM};
}

/* What a move gives to the player who makes it. */
static plb_outcome outcome_of_move(const plb_move *move) {
    return (plb_outcome){move->value, move->dtm == PLB_NO_DTM ? PLB_NO_DTM : move->dtm + 1};
}

/* What a finished game or the best move gives to the player to move. */
static int outcome_from_children(verifier *v, plb_position position, plb_outcome *outcome,
                                 plb_message *message) {
    plb_move moves[PLB_MAX_MOVES];
    int count = 0;
    int error =
        plb_moves(v->table, bits_of(v, position.x), bits_of(v, position.o), moves, &count, message);
    if (error) return error;
    if (plb_rules_is_over(&v->game, position)) {
        *outcome = final_outcome(v, position);
        return PLB_OK;
    }
    for (int m = 0; m < count; m++) {
        plb_outcome by_move = outcome_of_move(&moves[m]);
        if (m == 0 || is_better(by_move, *outcome)) *outcome = by_move;
    }
    return PLB_OK;
}

/* Is what the table says of a position the outcome that follows from its children? */
static bool check_position(verifier *v, plb_position position, plb_value *value) {
    plb_answer answer;
    plb_message why;
    plb_outcome expected = {PLB_DRAW, PLB_NO_DTM};
    int error = plb_probe(v->table, bits_of(v, position.x), bits_of(v, position.o), &answer, &why);
    if (!error) error = outcome_from_children(v, position, &expected, &why);
    if (error) {
        find_no_answer(v, position, error, &why);
        return false;
    }
    *value = answer.value;
    if (is_same(outcome_of(&answer), expected)) return true;
    find_wrong_outcome(v, PLB_VERIFY_CHILDREN, position, outcome_of(&answer), expected);
    return false;
}

/* What one thread has seen of a ply. */
typedef struct tally {
    verifier *verifier;
    uint64_t occupied, orbit; /* of the slab under way: its cells, and how often it is there */
    uint64_t checked;
    plb_ply_stats counts;
} tally;

static void count_position(tally *t, plb_position position, plb_value value) {
    const verifier *v = t->verifier;
    uint64_t occupied = plb_position_occupied(position);
    if (occupied != t->occupied || !t->orbit) {
        t->occupied = occupied;
        t->orbit = plb_symmetry_orbit_size(&v->symmetry, occupied);
    }
    int of_x = plb_position_x_to_move(position) ? value : -value;
    uint64_t *count = of_x > 0 ? &t->counts.won : of_x < 0 ? &t->counts.lost : &t->counts.drawn;
    *count += t->orbit;
    t->counts.total += t->orbit;
    if (plb_game_has_group(&v->game, plb_position_last(position))) t->counts.terminal += t->orbit;
    t->checked++;
}

static bool visit_position(void *context, plb_position position) {
    tally *t = context;
    plb_value value;
    if (!check_position(t->verifier, position, &value)) return false;
    count_position(t, position, value);
    return true;
}

static void add_tally(tally *sum, const tally *t) {
    sum->checked += t->checked;
    sum->counts.total += t->counts.total;
    sum->counts.terminal += t->counts.terminal;
    sum->counts.won += t->counts.won;
    sum->counts.drawn += t->counts.drawn;
    sum->counts.lost += t->counts.lost;
}

static void format_counts(const plb_ply_stats *s, char text[120]) {
    snprintf(text, 120, "%llu positions, %llu terminal, %llu won, %llu drawn, %llu lost",
             (unsigned long long)s->total, (unsigned long long)s->terminal,
             (unsigned long long)s->won, (unsigned long long)s->drawn, (unsigned long long)s->lost);
}

static void compare_counts(verifier *v, int ply, const plb_ply_stats *counted) {
    plb_ply_stats stored;
    plb_message why;
    char said[120], found[120];
    plb_stats(v->table, ply, &stored);
    if (memcmp(&stored, counted, sizeof stored) == 0) return;
    format_counts(&stored, said);
    format_counts(counted, found);
    plb_fail(&why, PLB_ECORRUPT, "ply %d: the statistics say %s; counted were %s", ply, said,
             found);
    find_wrong_counts(v, ply, &why);
}

/* Check and count every position of a ply. */
static void check_whole_ply(verifier *v, int ply) {
    uint64_t parts = plb_sample_parts(&v->index, ply);
    tally sum = {0};
    begin_ply(v, PLB_VERIFY_VALUES, ply, parts);
#pragma omp parallel num_threads(v->options->threads)
    {
        tally t = {.verifier = v};
#pragma omp for schedule(dynamic, 4)
        for (uint64_t part = 0; part < parts; part++) {
            if (is_stopped(v)) continue;
            plb_sample_visit(&v->index, ply, part, visit_position, &t);
            advance(v, 1);
        }
#pragma omp critical(verifier)
        add_tally(&sum, &t);
    }
    v->report->ply[ply].checked = sum.checked;
    if (!v->error) compare_counts(v, ply, &sum.counts);
    v->report->ply[ply].whole = !v->error;
}

static void check_samples(verifier *v, int ply) {
    uint64_t samples = v->options->samples, checked = 0;
    begin_ply(v, PLB_VERIFY_VALUES, ply, samples);
#pragma omp parallel for num_threads(v->options->threads) schedule(dynamic) reduction(+ : checked)
    for (uint64_t s = 0; s < samples; s++) {
        plb_position position;
        plb_value value;
        if (is_stopped(v)) continue;
        if (plb_sample_draw(&v->index, ply, v->options->seed, s, &position))
            checked += check_position(v, position, &value);
        advance(v, 1);
    }
    v->report->ply[ply].checked = checked;
}

static bool is_small(const verifier *v, int ply, uint64_t samples) {
    return plb_index_size(&v->index, ply) / PLACES_PER_SAMPLE <= samples;
}

static void check_values_of_ply(verifier *v, int ply) {
    if (v->options->all || is_small(v, ply, v->options->samples))
        check_whole_ply(v, ply);
    else
        check_samples(v, ply);
    end_ply(v);
}

/* ---- searches ---- */

static void open_searches(verifier *v) {
    v->searches = calloc(v->options->threads, sizeof *v->searches); /* NOLINT: pointers */
    int error = v->searches ? PLB_OK : PLB_ENOMEM;
    for (int t = 0; t < v->options->threads && !error; t++)
        error = plb_search_open(&v->game, v->options->search_bytes, &v->searches[t]);
    if (error) fail_memory(v);
}

static void close_searches(verifier *v) {
    for (int t = 0; v->searches && t < v->options->threads; t++) plb_search_close(v->searches[t]);
    free(v->searches);
    v->searches = NULL;
}

/* What a search proves of a position, held against the table; false where that is different. */
static bool compare_search(verifier *v, plb_position position, const plb_search_result *result) {
    plb_answer answer;
    plb_message why;
    int error = plb_probe(v->table, bits_of(v, position.x), bits_of(v, position.o), &answer, &why);
    if (error) {
        find_no_answer(v, position, error, &why);
        return false;
    }
    plb_outcome stored = outcome_of(&answer), proved = {result->value, result->dtm};
    if (result->proved ? is_same(stored, proved) : stored.value == proved.value) return true;
    find_wrong_outcome(v, PLB_VERIFY_SEARCH, position, stored, proved);
    return false;
}

/* Search a position; true if all that the table says of it was proved. */
static bool search_position(verifier *v, plb_position position) {
    plb_search *search = v->searches[omp_get_thread_num()];
    uint64_t budget = v->options->search_nodes;
    plb_search_result result;
    if (v->scale.values == PLB_DTM)
        plb_search_distance(search, position, budget, v->options->stop, &result);
    else
        plb_search_solve(search, position, budget, v->options->stop, &result);
    bool agrees = !result.value_proved || compare_search(v, position, &result);
    return agrees && result.proved;
}

/* Some positions of a ply. */
typedef struct selection {
    plb_position *positions; /* [room] */
    uint64_t count, room;
} selection;

static bool add_position(void *context, plb_position position) {
    selection *s = context;
    if (s->count < s->room) s->positions[s->count++] = position;
    return true;
}

/* Bring `first` positions, drawn without repetition, to the front. */
static void shuffle(selection *s, uint64_t first, uint64_t seed) {
    for (uint64_t i = 0; i < first && i < s->count; i++) {
        uint64_t j = i + plb_next_random(&seed) % (s->count - i);
        plb_position swap = s->positions[i];
        s->positions[i] = s->positions[j];
        s->positions[j] = swap;
    }
}

/* The positions to be searched: of a small ply `wanted` distinct ones, or all. */
static bool select_positions(const verifier *v, int ply, uint64_t wanted, selection *s) {
    bool small = is_small(v, ply, wanted);
    s->room = small ? plb_index_size(&v->index, ply) : wanted;
    s->positions = malloc((s->room + 1) * sizeof *s->positions);
    if (!s->positions) return false;
    for (uint64_t part = 0; small && part < plb_sample_parts(&v->index, ply); part++)
        plb_sample_visit(&v->index, ply, part, add_position, s);
    for (uint64_t n = 0; !small && n < wanted; n++)
        s->count += plb_sample_draw(&v->index, ply, v->options->seed, n, &s->positions[s->count]);
    shuffle(s, wanted, v->options->seed + ply);
    s->count = plb_min(s->count, wanted);
    return true;
}

/* Threads take turns, so that which thread searches what does not hang on the clock. */
static void search_ply(verifier *v, int ply) {
    selection chosen = {0};
    uint64_t proved = 0, unproved = 0;
    if (!select_positions(v, ply, v->options->searches, &chosen)) fail_memory(v);
    begin_ply(v, PLB_VERIFY_SEARCHES, ply, chosen.count);
#pragma omp parallel for num_threads(v->options->threads) schedule(static, 1) \
    reduction(+ : proved, unproved)
    for (uint64_t s = 0; s < chosen.count; s++) {
        if (is_stopped(v)) continue;
        bool good = search_position(v, chosen.positions[s]);
        proved += good;
        unproved += !good && !is_stopped(v);
        advance(v, 1);
    }
    free(chosen.positions);
    v->report->ply[ply].proved = proved;
    v->report->ply[ply].unproved = unproved;
    end_ply(v);
}

/* ---- published outcomes ---- */

static void check_empty_board(verifier *v) {
    const plb_position empty = {0, 0};
    plb_answer answer;
    plb_message why;
    plb_outcome expected = {PLB_DRAW, PLB_NO_DTM}; /* a distance is published nowhere */
    const char *source = plb_published_value(&v->game, &expected.value);
    int error = plb_probe(v->table, 0, 0, &answer, &why);
    if (error)
        find_no_answer(v, empty, error, &why);
    else if (source && answer.value != expected.value)
        find_wrong_outcome(v, PLB_VERIFY_PUBLISHED, empty, outcome_of(&answer), expected);
    if (v->error) return;
    v->report->empty_board = outcome_of(&answer);
    v->report->published_value = source;
}

static void check_total(verifier *v) {
    const char *source;
    uint64_t expected = plb_published_total(&v->game, &source);
    uint64_t stored = plb_info(v->table)->positions;
    if (!expected || v->error) return;
    plb_verify_finding f = {.kind = PLB_VERIFY_PUBLISHED, .ply = -1};
    plb_fail(&f.message, PLB_ECORRUPT,
             "the statistics have %llu positions; published are %llu (%s)",
             (unsigned long long)stored, (unsigned long long)expected, source);
    if (stored != expected) stop_with(v, PLB_ECORRUPT, &f.message, &f);
    v->report->published_total = source;
}

/* ---- the whole ---- */

static int make_scale(verifier *v) {
    plb_values values;
    if (!plb_scale_parse(v->meta.values, &values))
        return plb_fail(v->message, PLB_ECORRUPT, "%s is damaged: it tells '%s'", v->path,
                        v->meta.values);
    v->scale = plb_scale_make(&v->game, values);
    return PLB_OK;
}

static int open_verifier(verifier *v) {
    int error = plb_open(v->path, &v->table, v->message);
    if (!error) error = plb_store_open(v->path, &v->store, v->message);
    if (!error) error = plb_meta_read(v->store, &v->meta, v->message);
    if (!error) error = plb_game_parse(v->meta.spec, &v->game, v->message);
    if (!error) error = make_scale(v);
    if (!error && plb_symmetry_init(&v->game, &v->symmetry))
        error = plb_fail(v->message, PLB_ENOMEM, "out of memory to verify %s", v->path);
    if (!error) error = plb_index_init(&v->game, &v->symmetry, &v->index, v->message);
    if (error) return error;
    plb_game_format(&v->game, v->report->spec);
    v->report->values = v->scale.values;
    v->report->plies = v->game.cells + 1;
    return PLB_OK;
}

static void close_verifier(verifier *v) {
    close_searches(v);
    plb_index_free(&v->index);
    plb_symmetry_free(&v->symmetry);
    plb_game_free(&v->game);
    plb_store_close(v->store);
    plb_close(v->table);
}

static void check_plies(verifier *v, void (*check)(verifier *v, int ply)) {
    for (int ply = v->game.cells; ply >= 0 && !is_stopped(v); ply--) check(v, ply);
}

static void check_table(verifier *v) {
    check_plies(v, check_blocks_of_ply);
    check_counts(v);
    check_plies(v, check_values_of_ply);
    open_searches(v);
    check_plies(v, search_ply);
    if (!is_stopped(v)) check_empty_board(v);
    if (!is_stopped(v)) check_total(v);
}

int plb_verify_table(const char *path, const plb_verify_options *options, plb_verify_report *report,
                     plb_message *message) {
    plb_message own = {""};
    verifier v = {.options = options, .report = report, .path = path};
    v.message = message ? message : &own;
    memset(report, 0, sizeof *report);
    int error = open_verifier(&v);
    if (error == PLB_ECORRUPT)
        report->finding =
            (plb_verify_finding){.kind = PLB_VERIFY_DAMAGE, .message = *v.message, .ply = -1};
    if (!error) {
        check_table(&v);
        error = v.error;
    }
    close_verifier(&v);
    return error;
}
