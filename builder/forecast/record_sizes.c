/* SPDX-License-Identifier: MIT
 *
 * Values: the runs of sampled words, times factors that were fitted to the records of 42 builds.
 * Open positions: a law of their share and of the size of a record. Sampled words do not tell their
 * size, because repeated patterns are the smaller part on a cylinder, and the larger one elsewhere.
 */
#include "builder/forecast/record_sizes.h"

#include <math.h>

#include "builder/slabs/ply_model.h"
#include "builder/slabs/rank_cuts.h"
#include "builder/slabs/solve_ply.h"
#include "tables/bits.h"
#include "tables/games/static_value.h"

enum {
    WORD = 64,                  /* entries; the one before them is sampled, too */
    ENTRIES_PER_WORD = 1 << 18, /* one sampled word for this many entries, within these bounds: */
    MIN_WORDS = 12,
    MAX_WORDS = 240,
    MAX_TRIES = 50, /* for each word: most entries of late plies are not solved */
    MAX_SPAN = 4096 /* a word with more entries between that are not solved is given up */
};

/* Records of up to plain_words 64-bit words are not packed; padding of blocks to whole words
 * included, they take plain_rate bytes per entry. No record takes more. */
static const double plain_words = 64, plain_rate = 0.131;
static const double chunk_words = 0x1p15; /* in all planes together */

/* Real values take runs_factor times as much as outcomes of random games in slabs of usual_slab
 * entries, and less in larger ones, in which neighbours have more stones in common. LZ4 takes as
 * much as runs if a plane has lz4_words in a chunk; the more words, the more repeated patterns it
 * finds. */
static const double runs_factor = 1.47, usual_slab = 0x1p17, slab_power = -0.06;
static const double lz4_words = 21, lz4_power = -0.19;
/* Planes of outcomes are packed by LZ4 if runs take more than max_runs of a plane's bytes. Chunks
 * of a ply differ, so near this limit some are and some are not; the higher the power, the fewer.
 */
static const double max_runs = 1.0 / 3, limit_power = 6;

/* ---- random games ---- */

/* What is sampled, and sums over the words. */
typedef struct sampling {
    const plb_index *index;
    plb_outcome_code coding;
    plb_block_set set; /* blocks whose values are computed */
    int ply;
    uint64_t order[PLB_MAX_CELLS]; /* of this word: the games prefer cells with higher numbers */
    uint64_t words, file_bytes[PLB_PLANES], held_bytes[PLB_PLANES];
    uint64_t stored, changed; /* stored values after another one, and those that differ from it */
} sampling;

typedef struct guessed_entry {
    bool is_read; /* not all planes have values that are never read */
    bool is_won;  /* by the next move; scratch files do not store it */
    bool is_stored;
    unsigned code; /* of the outcome */
} guessed_entry;

static unsigned play_random_game(const sampling *s, plb_position p) {
    for (;;) {
        plb_static_result r = plb_static_value(s->index->game, p);
        if (r.kind == PLB_DECIDED && r.value == PLB_DRAW) return 0;
        if (r.kind == PLB_DECIDED)
            return plb_outcome_code_encode(&s->coding, plb_stones_ply(p) + r.dtm);
        int best = plb_lowest(r.cells);
        for (uint64_t cells = r.cells; cells; cells &= cells - 1)
            if (s->order[plb_lowest(cells)] > s->order[best]) best = plb_lowest(cells);
        p = plb_stones_play(p, best);
    }
}

/* Planes of live blocks also have values of positions that cannot arise: those in which the game
 * was over before, and those in which the mover has a group, which each move then seems to end. */
static guessed_entry guess_entry(const sampling *s, plb_position p) {
    const plb_game *game = s->index->game;
    bool has_all = s->set == PLB_LIVE, is_full = s->ply == game->cells;
    guessed_entry e = {.is_read = has_all};
    if (plb_game_has_group(game, plb_stones_last(p))) {
        e.code = plb_outcome_code_encode(&s->coding, s->ply);
    } else if (plb_game_has_group(game, plb_stones_mover(p))) {
        e.code = is_full ? 0 : plb_outcome_code_encode(&s->coding, s->ply + 1);
    } else if (!is_full) {
        plb_static_result r = plb_static_value(game, p);
        bool may_be_stored = r.kind == PLB_QUIET && plb_static_value_is_stored_ply(s->ply);
        bool arises = (!has_all || may_be_stored) && plb_rules_check(game, p, NULL) == PLB_OK;
        e.is_read = has_all || arises;
        e.is_won = !has_all && r.kind == PLB_DECIDED && r.dtm == 1;
        e.is_stored = may_be_stored && arises;
        if (e.is_read) e.code = play_random_game(s, p);
    }
    return e;
}

/* ---- words ---- */

/* The bytes of a word as runs; before: the bit before it. */
static unsigned count_run_bytes(uint64_t word, bool before) {
    uint64_t changes = word ^ (word << 1 | before);
    unsigned bytes = changes != 0; /* the mask of changed bytes */
    for (; changes; changes >>= 8) bytes += (changes & 0xff) != 0;
    return bytes;
}

/* Pack the planes of a word as the codec does: entries that are not read repeat the bits before;
 * two planes are folded, so that the second one repeats its bit where x wins. */
static void add_runs(const sampling *s, const guessed_entry entries[WORD + 1], bool drops_wins,
                     uint64_t bytes[PLB_PLANES]) {
    uint64_t words[PLB_PLANES] = {0};
    unsigned bits = 0, repeated = s->coding.planes == PLB_ROUND ? 1U << PLB_O_WINS : 0;
    for (int i = WORD; i >= 0; i--) /* begin with the first entry that is read */
        if (entries[i].is_read && !(drops_wins && entries[i].is_won)) bits = entries[i].code;
    unsigned before = bits;
    for (int i = 0; i <= WORD; i++) {
        const guessed_entry *e = &entries[i];
        if (e->is_read && !(drops_wins && e->is_won))
            bits = e->code | (e->code >> PLB_X_WINS & 1 ? bits & repeated : 0);
        for (int v = 0; v < s->coding.planes && i > 0; v++)
            words[v] |= (uint64_t)(bits >> v & 1) << (i - 1);
    }
    for (int v = 0; v < s->coding.planes; v++)
        bytes[v] += count_run_bytes(words[v], before >> v & 1);
}

static void add_word(sampling *s, const guessed_entry entries[WORD + 1]) {
    const guessed_entry *last = NULL;
    for (const guessed_entry *e = entries; e <= entries + WORD; e++) {
        if (!e->is_stored) continue;
        s->stored += last != NULL;
        s->changed += last && last->code != e->code;
        last = e;
    }
    s->words++;
    add_runs(s, entries, true, s->file_bytes);
    add_runs(s, entries, false, s->held_bytes);
}

/* Sample the solved entries from a random one on. */
static void sample_word(sampling *s, uint64_t *random) {
    const plb_index *index = s->index;
    const plb_index_ply *ply = &index->plies[s->ply];
    uint64_t slab = plb_next_random(random) % ply->slabs;
    uint64_t first = plb_next_random(random) % ply->slab_size;
    uint64_t end = plb_min(ply->slab_size, first + MAX_SPAN);
    guessed_entry entries[WORD + 1];
    int count = 0;
    for (int cell = 0; cell < index->game->cells; cell++) s->order[cell] = plb_next_random(random);
    for (uint64_t rank = first; rank < end && count <= WORD; rank++) {
        plb_position p = plb_index_unrank(index, (plb_entry){s->ply, slab, rank});
        if (plb_block_kind_of(index->game, p, s->ply, s->set).solved)
            entries[count++] = guess_entry(s, p);
        else if (rank == first)
            return;
    }
    if (count > WORD) add_word(s, entries);
}

void plb_word_sample_make(const plb_index *index, plb_value_kind values, int ply,
                          plb_word_sample *sample) {
    const plb_index_ply *p = &index->plies[ply];
    uint64_t size = plb_index_size(index, ply), random = ply + 1;
    uint64_t words = plb_max(MIN_WORDS, plb_min(MAX_WORDS, size / ENTRIES_PER_WORD));
    sampling s = {.index = index,
                  .coding = plb_outcome_code_make(index->game, values),
                  .set = plb_solve_blocks(index->game, values),
                  .ply = ply};
    if (size < PLB_PREDICTED_ENTRIES) words = 0;
    for (uint64_t i = 0; i < words * MAX_TRIES && s.words < words; i++) sample_word(&s, &random);
    *sample = (plb_word_sample){.planes = s.coding.planes,
                                .has_values = s.words > 0,
                                .size_factor = pow((double)p->slab_size / usual_slab, slab_power)};
    if (s.stored > 0) sample->changes = (double)s.changed / (double)s.stored;
    for (int v = 0; v < s.coding.planes && s.words > 0; v++) {
        sample->file_runs[v] = (double)s.file_bytes[v] / (double)(s.words * WORD);
        sample->held_runs[v] = (double)s.held_bytes[v] / (double)(s.words * WORD);
    }
}

/* ---- records ---- */

/* Bytes of a plane in a chunk besides its runs: its end, its kind, and a bit mask of 8 bytes for
 * each 4,096 words. */
static double find_head_bytes(double words) {
    return 8 + 1 + 8 * fmax(1, words / 4096);
}

double plb_packed_values_bytes(const plb_word_sample *sample, double entries, bool has_wins) {
    double words = entries / 64, chunk = fmin(words, chunk_words / sample->planes), bytes = 0;
    double plain_bytes = sample->planes * entries * plain_rate;
    double factor = runs_factor * sample->size_factor;
    double lz4_factor = pow(chunk / lz4_words, lz4_power);
    if (plain_bytes <= plain_words * sizeof(uint64_t) || !sample->has_values) return plain_bytes;
    for (int v = 0; v < sample->planes; v++) {
        double rate = factor * (has_wins ? sample->held_runs[v] : sample->file_runs[v]);
        double lz4_share =
            sample->planes == PLB_ROUND ? 1 / (1 + pow(max_runs / 8 / rate, limit_power)) : 1;
        rate *= 1 - lz4_share + lz4_share * lz4_factor;
        bytes += entries * rate + words / chunk * find_head_bytes(chunk);
    }
    return fmin(bytes, plain_bytes);
}

double plb_packed_reach_bytes(const plb_game *game, double entries, double share) {
    const double min_share = 0.001; /* the smallest share that a sample can show */
    double words = entries / 64, p = fmin(fmax(share, min_share), 1 - min_share);
    double entropy = -p * log2(p) - (1 - p) * log2(1 - p);
    double rate = game->cylinder ? 0.163 * pow(words, -0.086) * pow(entropy, 0.5)
                                 : 0.042 * game->height * pow(words, -0.187) * pow(entropy, 0.58);
    bool is_plain = entries * plain_rate <= plain_words * sizeof(uint64_t);
    return entries * (is_plain ? plain_rate : fmin(rate, plain_rate));
}
