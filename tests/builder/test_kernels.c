/* SPDX-License-Identifier: MIT
 *
 * Kernels: each set of kernels agrees with a naive computation, word by word, on random slabs and
 * planes; pull is the inverse of push.
 */
#include "builder/planes/kernels.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builder/buffer.h"
#include "tables/bits.h"
#include "tables/cpu_dispatch.h"
#include "tests/support/words.h"

static const char *const specs[] = {
    "connect-5x4-k4", "connect-4x5-k3-cylinder", "connect-5x4-k2", "mnk-5x4-k3", "mnk-5x4-k1",
    "square-5x4",     "connect-5x4-k6"};
enum { SPECS = sizeof specs / sizeof specs[0], MAX_STONES = 17, TRIALS = 6, RUNS = 3 };

/* A move on a random set of cells: the step makes the child of the parent. */
typedef struct random_move {
    plb_game game;
    plb_slab parent, child, fringe;
    plb_step step;
} random_move;

static random_move make_move(const char *spec, int stones, uint64_t *random) {
    random_move m = {.game = support_game(spec), .step.colour = stones % 2 == 0};
    uint64_t occupied = words_random_set(&m.game, stones, random);
    uint64_t cells = plb_game_playable(&m.game, occupied);
    uint64_t skip = support_random_below(random, plb_popcount(cells));
    for (; skip > 0; skip--) cells &= cells - 1;
    m.step.stone = plb_slab_stone(occupied, plb_lowest(cells));
    m.parent = words_shape(&m.game, occupied, PLB_LIVE);
    plb_block_set part = m.game.misere || support_random(random) & 1 ? PLB_LIVE : PLB_UNDECIDED;
    m.child = words_shape(&m.game, occupied | (cells & -cells), part);
    m.fringe = words_shape(&m.game, occupied | (cells & -cells), PLB_FRINGE);
    return m;
}

static void free_move(random_move *m) {
    plb_slab_free(&m->parent);
    plb_slab_free(&m->child);
    plb_slab_free(&m->fringe);
}

/* Runs of blocks that cover a slab: [0, a), [a, b), [b, all), some of them empty. */
static void split_in_runs(const plb_slab *slab, plb_block_range runs[RUNS], uint64_t *random) {
    uint64_t a = support_random_below(random, slab->blocks + 1);
    uint64_t b = a + support_random_below(random, slab->blocks - a + 1);
    runs[0] = (plb_block_range){0, a};
    runs[1] = (plb_block_range){a, b};
    runs[2] = (plb_block_range){b, slab->blocks};
}

typedef void move_check(const plb_kernels *kernels, const random_move *m, uint64_t *random);

static void for_every_move(uint64_t seed, move_check *check) {
    uint64_t random = support_seed("moves and planes", seed);
    for (const plb_kernels *const *kernels = support_kernels(); *kernels; kernels++)
        for (int s = 0; s < SPECS; s++)
            for (int stones = 0; stones <= MAX_STONES; stones++)
                for (int trial = 0; trial < TRIALS; trial++) {
                    random_move m = make_move(specs[s], stones, &random);
                    check(*kernels, &m, &random);
                    free_move(&m);
                }
}

static void assert_no_bit_outside(const plb_slab *slab, const uint64_t *plane) {
    for (size_t block = 0; block < slab->blocks; block++) {
        uint64_t bits = plb_masks_block_bits(slab->low, plb_slab_low_ones(slab, block));
        if (bits % 64) assert_int_equal(plane[slab->start[block + 1] - 1] >> (bits % 64), 0);
    }
}

static void assert_bit(const plb_kernels *kernels, const random_move *m, const char *what,
                       uint64_t word, bool found, bool expected) {
    if (found == expected) return;
    char spec[PLB_SPEC_TEXT];
    plb_game_format(&m->game, spec);
    fail_msg("%s kernels, %s, occupied %llx, stone %d: %s of word %llx is %d", kernels->name, spec,
             (unsigned long long)m->parent.occupied, m->step.stone, what, (unsigned long long)word,
             found);
}

/* ---- pull ---- */

typedef struct pull_case {
    unsigned missing; /* code of a move into a missing block */
    plb_planes child, parent, before;
} pull_case;

/* A random code of a draw without a round, or of a win of one player with a round. */
static unsigned random_code(int planes, uint64_t *random) {
    unsigned result = (unsigned)support_random_below(random, 3);
    unsigned rounds = (unsigned)support_random(random) & ((1u << planes) - 4);
    return result == 2 ? 0 : 1u << result | rounds;
}

static plb_planes random_outcomes(const plb_slab *slab, int planes, uint64_t *random) {
    plb_planes made = words_new_planes(slab, planes);
    uint64_t word = words_first(slab);
    do {
        int64_t bit = words_bit(slab, word);
        unsigned code = random_code(planes, random);
        if (bit >= 0) words_set_code(&made, bit, code);
    } while ((word = words_next(slab, word)));
    return made;
}

/* Order of codes for x: by value, then by round. */
static int worth_for_x(unsigned code) {
    int rounds = (int)(code >> PLB_ROUND);
    return code & 1 ? 1000 + rounds : code & 2 ? -1000 + rounds : 0;
}

static unsigned better_for(unsigned b, unsigned one, unsigned other) {
    bool first = worth_for_x(one) > worth_for_x(other);
    return (first == (b == 1)) ? one : other;
}

/* Check the code of a word of the parent. A word that has a group may have any code. */
static void assert_pulled(const plb_kernels *kernels, const random_move *m, const pull_case *c,
                          uint64_t word) {
    int64_t bit = words_bit(&m->parent, word);
    if (bit < 0 || words_has_group(&m->parent, word, 0, 0) ||
        words_has_group(&m->parent, word, 1, 0))
        return;
    int64_t child = words_bit(&m->child, plb_insert_bit(word, m->step.stone, m->step.colour));
    unsigned reply = child < 0 ? c->missing : words_get_code(&c->child, child);
    unsigned expected = better_for(m->step.colour, words_get_code(&c->before, bit), reply);
    for (int i = 0; i < c->parent.count; i++) {
        char what[40];
        snprintf(what, sizeof what, "plane %d of %d", i, c->parent.count);
        assert_bit(kernels, m, what, word, words_get(plb_planes_get(&c->parent, i), bit),
                   expected >> i & 1);
    }
}

/* A move that completes a group either ends the game with the best that can happen to the mover,
 * or, in misere play, with the worst. */
static unsigned random_missing(int planes, uint64_t *random) {
    unsigned rounds = (1u << planes) - 4;
    return support_random(random) & 1 ? 1 | rounds : 2;
}

static pull_case make_pull_case(const random_move *m, int planes, uint64_t *random) {
    pull_case c = {.missing = random_missing(planes, random),
                   .child = random_outcomes(&m->child, planes, random),
                   .parent = random_outcomes(&m->parent, planes, random),
                   .before = words_new_planes(&m->parent, planes)};
    memcpy(c.before.words, c.parent.words, planes * m->parent.words * sizeof(uint64_t));
    return c;
}

static void free_pull_case(pull_case *c) {
    free(c->child.words);
    free(c->parent.words);
    free(c->before.words);
}

static void check_pull(const plb_kernels *kernels, const random_move *m, uint64_t *random) {
    int planes = PLB_ROUND + (int)support_random_below(random, PLB_PLANES - PLB_ROUND + 1);
    pull_case c = make_pull_case(m, planes, random);
    plb_block_range runs[RUNS];
    split_in_runs(&m->parent, runs, random);
    for (int r = 0; r < RUNS; r++) kernels->pull(m->step, runs[r], &c.child, c.missing, &c.parent);
    uint64_t word = words_first(&m->parent);
    do assert_pulled(kernels, m, &c, word);
    while ((word = words_next(&m->parent, word)));
    for (int i = 0; i < planes; i++)
        assert_no_bit_outside(&m->parent, plb_planes_get(&c.parent, i));
    free_pull_case(&c);
}

static void pull_agrees_word_by_word(void **state) {
    (void)state;
    for_every_move(20240711, check_pull);
}

/* ---- merge ---- */

static void check_merge(const plb_kernels *kernels, const random_move *m, uint64_t *random) {
    int planes = PLB_ROUND + (int)support_random_below(random, PLB_PLANES - PLB_ROUND + 1);
    pull_case c = make_pull_case(m, planes, random);
    plb_planes other = random_outcomes(&m->parent, planes, random);
    plb_block_range runs[RUNS];
    split_in_runs(&m->parent, runs, random);
    for (int r = 0; r < RUNS; r++) kernels->merge(m->step.colour, runs[r], &other, &c.parent);
    uint64_t word = words_first(&m->parent);
    do {
        int64_t bit = words_bit(&m->parent, word);
        if (bit >= 0)
            assert_int_equal(words_get_code(&c.parent, bit),
                             better_for(m->step.colour, words_get_code(&c.before, bit),
                                        words_get_code(&other, bit)));
    } while ((word = words_next(&m->parent, word)));
    for (int i = 0; i < planes; i++)
        assert_no_bit_outside(&m->parent, plb_planes_get(&c.parent, i));
    free(other.words);
    free_pull_case(&c);
}

static void merge_agrees_word_by_word(void **state) {
    (void)state;
    for_every_move(20240715, check_merge);
}

/* ---- push ---- */

/* Push to live blocks or to the fringe. */
static void push_naively(const random_move *m, const plb_slab *child, const uint64_t *from,
                         uint64_t *to) {
    uint64_t word = words_first(&m->parent);
    do {
        int64_t bit = words_bit(&m->parent, word);
        int64_t child_bit = words_bit(child, plb_insert_bit(word, m->step.stone, m->step.colour));
        if (bit >= 0 && child_bit >= 0 && words_get(from, bit)) words_set(to, child_bit);
    } while ((word = words_next(&m->parent, word)));
}

static void check_push_to(const plb_kernels *kernels, const random_move *m, const plb_slab *child,
                          uint64_t *random) {
    uint64_t *from = words_random_plane(&m->parent, random);
    uint64_t *to = words_random_plane(child, random), *expected = words_new_plane(child);
    memcpy(expected, to, child->words * sizeof *to);
    plb_planes parent = {&m->parent, 1, from}, reached = {child, 1, to};
    plb_block_range runs[RUNS];
    split_in_runs(child, runs, random);
    for (int r = 0; r < RUNS; r++) kernels->push(m->step, runs[r], &parent, &reached);
    push_naively(m, child, from, expected);
    if (memcmp(to, expected, child->words * sizeof *to) != 0)
        assert_bit(kernels, m, "a pushed plane", 0, true, false);
    free(from);
    free(to);
    free(expected);
}

static void check_push(const plb_kernels *kernels, const random_move *m, uint64_t *random) {
    check_push_to(kernels, m, &m->child, random);
    check_push_to(kernels, m, &m->fringe, random);
}

static void push_agrees_word_by_word(void **state) {
    (void)state;
    for_every_move(20240712, check_push);
}

static void check_push_and_pull(const plb_kernels *kernels, const random_move *m,
                                uint64_t *random) {
    int wins = m->step.colour ? PLB_X_WINS : PLB_O_WINS;
    plb_planes from = {&m->parent, 1, words_random_plane(&m->parent, random)};
    plb_planes there = words_new_planes(&m->child, PLB_ROUND);
    plb_planes to = words_new_planes(&m->parent, PLB_ROUND);
    plb_planes pushed = {&m->child, 1, plb_planes_get(&there, wins)};
    const uint64_t *back = plb_planes_get(&to, wins);
    kernels->push(m->step, (plb_block_range){0, m->child.blocks}, &from, &pushed);
    kernels->pull(m->step, (plb_block_range){0, m->parent.blocks}, &there, 1u << !wins, &to);
    uint64_t word = words_first(&m->parent);
    do {
        int64_t bit = words_bit(&m->parent, word);
        if (bit >= 0 &&
            words_bit(&m->child, plb_insert_bit(word, m->step.stone, m->step.colour)) >= 0)
            assert_bit(kernels, m, "the plane that was pulled", word, words_get(back, bit),
                       words_get(from.words, bit));
    } while ((word = words_next(&m->parent, word)));
    free(from.words);
    free(there.words);
    free(to.words);
}

static void pull_inverts_push(void **state) {
    (void)state;
    for_every_move(20240713, check_push_and_pull);
}

/* ---- lines ---- */

/* Is some stone in all complete groups? True if there are none. */
static bool has_common_stone(const uint64_t *groups, int count, uint64_t same) {
    uint64_t common = ~0ULL;
    for (int g = 0; g < count; g++)
        if ((groups[g] & ~same) == 0) common &= groups[g];
    return common != 0;
}

static bool has_any(const uint64_t *groups, int count, uint64_t same) {
    for (int g = 0; g < count; g++)
        if ((groups[g] & ~same) == 0) return true;
    return false;
}

static void check_lines_of(const plb_kernels *kernels, const random_move *m, const uint64_t *groups,
                           int count, unsigned b, uint64_t *random, bool common) {
    uint64_t *plane = words_random_plane(&m->child, random); /* to be overwritten */
    uint64_t *run_words = malloc((m->child.words + PLB_BLOCK_WORDS) * sizeof *run_words);
    plb_block_range runs[RUNS];
    split_in_runs(&m->child, runs, random);
    for (int r = 0; r < RUNS; r++) {
        (common ? kernels->common_stone : kernels->lines)(&m->child, runs[r], groups, count, b,
                                                          run_words);
        if (!m->child.blocks) continue;
        memcpy(plane + plb_slab_range_start(&m->child, runs[r]), run_words,
               plb_slab_range_words(&m->child, runs[r]) * sizeof *plane);
    }
    free(run_words);
    uint64_t word = words_first(&m->child);
    do {
        int64_t bit = words_bit(&m->child, word);
        if (bit >= 0)
            assert_bit(kernels, m, common ? "a common stone" : "a line", word,
                       words_get(plane, bit),
                       (common ? has_common_stone : has_any)(groups, count, b ? word : ~word));
    } while ((word = words_next(&m->child, word)));
    if (!common) assert_no_bit_outside(&m->child, plane);
    free(plane);
}

/* The groups of the game, and random sets of one to four stones. */
static void check_lines(const plb_kernels *kernels, const random_move *m, uint64_t *random) {
    uint64_t sets[8];
    int count = (int)support_random_below(random, 9);
    for (int s = 0; s < count; s++) {
        sets[s] = 0;
        for (int stone = 0; stone < 4; stone++)
            sets[s] |= 1ULL << support_random_below(random, m->child.stones);
    }
    for (unsigned b = 0; b < 2; b++) {
        for (int common = 0; common < 2; common++) {
            check_lines_of(kernels, m, m->child.groups, m->child.group_count, b, random, common);
            check_lines_of(kernels, m, sets, count, b, random, common);
        }
    }
}

/* Random sets of one to four stones, at least one of them low. */
static void check_ungrouped(const plb_kernels *kernels, const random_move *m, uint64_t *random) {
    uint64_t sets[8];
    uint64_t *plane = malloc((m->child.words + PLB_BLOCK_WORDS) * sizeof *plane);
    int count = (int)support_random_below(random, 9);
    for (int s = 0; s < count; s++) {
        sets[s] = 1ULL << support_random_below(random, m->child.low);
        for (int stone = 0; stone < 3; stone++)
            sets[s] |= 1ULL << support_random_below(random, m->child.stones);
    }
    kernels->ungrouped(&m->child, (plb_block_range){0, m->child.blocks}, sets, count, plane);
    uint64_t word = words_first(&m->child);
    do {
        int64_t bit = words_bit(&m->child, word);
        if (bit >= 0)
            assert_bit(kernels, m, "no group", word, words_get(plane, bit),
                       !has_any(sets, count, word) && !has_any(sets, count, ~word));
    } while ((word = words_next(&m->child, word)));
    assert_no_bit_outside(&m->child, plane);
    free(plane);
}

static void ungrouped_positions_agree_word_by_word(void **state) {
    (void)state;
    for_every_move(20240715, check_ungrouped);
}

static void lines_agree_word_by_word(void **state) {
    (void)state;
    for_every_move(20240714, check_lines);
}

static void best_kernels_are_supported(void **state) {
    (void)state;
    assert_int_equal(plb_kernels_best() == &plb_kernels_portable, !plb_has_avx2());
}

/* Kernels may read one word after those that are allocated: it is initialized. */
static void the_word_after_allocated_ones_is_initialized(void **state) {
    (void)state;
    plb_word_stack stack = {.top = 0};
    mallopt(M_PERTURB, 0xa5);
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* mapped blocks are not perturbed */
    /* Sizes up to several cache lines. */
    for (size_t count = 1; count < 40; count++) {
        const uint64_t *words = plb_word_stack_take(&stack, count);
        assert_non_null(words);
        assert_int_equal(words[count], 0);
    }
    plb_word_stack_close(&stack);
    mallopt(M_PERTURB, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_kernels_are_supported),
        cmocka_unit_test(lines_agree_word_by_word),
        cmocka_unit_test(ungrouped_positions_agree_word_by_word),
        cmocka_unit_test(pull_agrees_word_by_word),
        cmocka_unit_test(merge_agrees_word_by_word),
        cmocka_unit_test(push_agrees_word_by_word),
        cmocka_unit_test(pull_inverts_push),
        cmocka_unit_test(the_word_after_allocated_ones_is_initialized),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
