/* SPDX-License-Identifier: MIT
 *
 * Configurations of set matching: the claims of the header are checked by naive searches that know
 * only the words of the groups.
 */
#include "tables/proofs/set_matching.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"

/* Sets of markers of one configuration: bit i for the letter 'a' + i. */
typedef struct family {
    const char *name;
    int markers, count;
    unsigned groups[2 * PLB_MAX_CONFIGURATION_GROUPS], main;
} family;

static family read_family(const plb_configuration *c) {
    family f = {.name = c->name, .count = 1};
    for (const char *t = c->groups; *t; t++) {
        if (*t == ' ') f.count++;
        if (*t == ' ') continue;
        f.groups[f.count - 1] |= 1U << (*t - 'a');
        if (*t - 'a' + 1 > f.markers) f.markers = *t - 'a' + 1;
    }
    for (const char *t = c->main; *t; t++) f.main |= 1U << (*t - 'a');
    return f;
}

enum { MAX_FAMILIES = 64 };
static family families[MAX_FAMILIES];
static int family_count;

static void read_families(void) {
    for (; plb_configuration_at(family_count) && family_count < MAX_FAMILIES; family_count++)
        families[family_count] = read_family(plb_configuration_at(family_count));
}

static family family_named(const char *name) {
    int n = 0;
    while (n < family_count && strcmp(families[n].name, name) != 0) n++;
    assert_true(n < family_count);
    return families[n];
}

#define FOR_EACH(f) for (const family *f = families; f < families + family_count; f++)

/* ---- pairings, by exhaustive search ---- */

/* Can each group from number g on that has no marker of `blocked` get a pair of markers of `left`,
 * with all pairs disjoint? */
static bool has_own_pairs(const family *f, int g, unsigned blocked, unsigned left) {
    if (g == f->count) return true;
    if (f->groups[g] & blocked) return has_own_pairs(f, g + 1, blocked, left);
    for (int a = 0; a < f->markers; a++)
        for (int b = a + 1; b < f->markers; b++) {
            unsigned pair = 1U << a | 1U << b;
            if ((pair & f->groups[g] & left) == pair &&
                has_own_pairs(f, g + 1, blocked, left & ~pair))
                return true;
        }
    return false;
}

/* The same for groups that are not in `done`, without blocked markers; one pair may serve several
 * groups. */
static bool has_pairs(const family *f, unsigned done, unsigned left) {
    int g = 0;
    while (g < f->count && done >> g & 1) g++;
    if (g == f->count) return true;
    for (int a = 0; a < f->markers; a++)
        for (int b = a + 1; b < f->markers; b++) {
            unsigned pair = 1U << a | 1U << b, served = done;
            if ((pair & f->groups[g] & left) != pair) continue;
            for (int h = g; h < f->count; h++)
                served |= (unsigned)((f->groups[h] & pair) == pair) << h;
            if (has_pairs(f, served, left & ~pair)) return true;
        }
    return false;
}

/* ---- games on the markers, by exhaustive search ---- */

/* A game of two players, the owner of the groups and the blocker. The cells are the markers, and
 * perhaps a free cell. */
typedef struct contest {
    const family *family;
    unsigned board;
    bool owner_avoids;  /* misere play: the owner, too, wants every group blocked */
    signed char *known; /* by state (base 3): 1: all groups get blocked, -1: not, 0: unknown */
} contest;

static bool is_blocked(const contest *c, unsigned owner, unsigned other, bool *complete) {
    bool all = true;
    for (int g = 0; g < c->family->count; g++) {
        unsigned group = c->family->groups[g];
        all = all && (group & other);
        if (!(group & ~owner)) *complete = true;
    }
    return all;
}

static size_t state_of(unsigned owner, unsigned other) {
    size_t state = 0;
    for (int i = 17; i >= 0; i--) state = state * 3 + (owner >> i & 1) + 2 * (other >> i & 1);
    return state;
}

/* Are all groups blocked in the end? The owner of the groups moves if owner_moves. */
static bool ends_blocked(const contest *c, unsigned owner, unsigned other, bool owner_moves) {
    bool complete = false;
    if (is_blocked(c, owner, other, &complete)) return true;
    if (complete) return false;
    signed char *known = &c->known[state_of(owner, other)];
    if (*known) return *known > 0;
    bool wants = owner_moves == c->owner_avoids, found = !wants;
    for (unsigned empty = c->board & ~(owner | other); empty && found != wants;
         empty &= empty - 1) {
        unsigned cell = empty & -empty;
        found = ends_blocked(c, owner_moves ? owner | cell : owner,
                             owner_moves ? other : other | cell, !owner_moves);
    }
    *known = found ? 1 : -1;
    return found;
}

/* The same from a new game, in which the owner may have stones already. */
static bool contest_ends_blocked(const family *f, int free_cells, bool owner_avoids,
                                 bool owner_moves, unsigned owner) {
    size_t states = 1;
    int cells = f->markers + free_cells;
    for (int i = 0; i < cells; i++) states *= 3;
    contest c = {f, (1U << cells) - 1, owner_avoids, calloc(states, 1)};
    assert_non_null(c.known);
    bool blocked = ends_blocked(&c, owner, 0, owner_moves);
    free(c.known);
    return blocked;
}

/* ---- the claims ---- */

static void words_are_in_order(void **state) {
    (void)state;
    FOR_EACH(f) {
        uint32_t groups[PLB_MAX_CONFIGURATION_GROUPS];
        int n = (int)(f - families);
        const plb_configuration *c = plb_configuration_at(n);
        unsigned used = 0;
        assert_int_equal(plb_configuration_read(c, groups), f->count);
        assert_int_equal(plb_configuration_markers(c), f->markers);
        for (int g = 0; g < f->count; g++) {
            assert_int_equal(groups[g], f->groups[g]);
            used |= f->groups[g];
        }
        assert_int_equal(used, (1U << f->markers) - 1);
        assert_in_range(f->markers, 2, PLB_MAX_MARKERS);
        assert_in_range(f->count, 1, PLB_MAX_CONFIGURATION_GROUPS);
    }
    assert_null(plb_configuration_at(-1));
}

static void no_pairing_does_what_a_configuration_does(void **state) {
    (void)state;
    FOR_EACH(f) {
        assert_false(has_own_pairs(f, 0, 0, ~0U));
        assert_false(has_pairs(f, 0, ~0U));
    }
}

/* Two groups share at most one marker. The number of groups has the bound of the header, which is
 * reached. */
static void groups_have_one_marker_in_common(void **state) {
    (void)state;
    bool reached = false;
    FOR_EACH(f) {
        for (int g = 0; g < f->count; g++)
            for (int h = 0; h < g; h++) {
                unsigned common = f->groups[g] & f->groups[h];
                assert_int_equal(common & (common - 1), 0);
            }
        int most = (f->markers - 2) / 2 * 2 + 1;
        assert_true(f->count <= most);
        reached = reached || f->count == most;
    }
    assert_true(reached);
}

static void a_main_marker_answers_every_first_one(void **state) {
    (void)state;
    FOR_EACH(f) {
        for (int m = 0; m < f->markers; m++) {
            unsigned first = 1U << m, answers = f->main & ~first;
            bool answered = false;
            for (; answers && !answered; answers &= answers - 1) {
                unsigned answer = answers & -answers;
                answered = has_own_pairs(f, 0, answer, ~(first | answer));
            }
            if (!answered) print_error("%s: no answer to %c\n", f->name, 'a' + m);
            assert_true(answered);
        }
    }
}

static void the_second_player_blocks_all_groups(void **state) {
    (void)state;
    FOR_EACH(f) {
        assert_true(contest_ends_blocked(f, 0, false, true, 0));
    }
}

static void every_marker_is_needed(void **state) {
    (void)state;
    FOR_EACH(f) {
        for (int m = 0; m < f->markers; m++)
            assert_false(contest_ends_blocked(f, 0, false, true, 1U << m));
    }
}

/* In misere play a configuration serves only the player who does not place the last stone. With and
 * without a free cell, both parities of the number of cells are tried. */
static void who_does_not_place_the_last_stone_avoids_all_groups(void **state) {
    (void)state;
    FOR_EACH(f) {
        for (int free_cells = 0; free_cells < 2; free_cells++) {
            bool avoider_begins = (f->markers + free_cells) % 2 == 0;
            assert_true(contest_ends_blocked(f, free_cells, true, avoider_begins, 0));
            assert_false(contest_ends_blocked(f, free_cells, true, !avoider_begins, 0));
        }
    }
}

/* Two configurations on different cells as one family. */
static family beside(const family *a, const family *b) {
    family both = *a;
    both.markers += b->markers;
    for (int g = 0; g < b->count; g++) both.groups[both.count++] = b->groups[g] << a->markers;
    return both;
}

static void two_configurations_do_not_serve_him(void **state) {
    (void)state;
    FOR_EACH(a) {
        for (const family *b = a; b < families + family_count; b++) {
            if (a->markers + b->markers > 12) continue;
            family both = beside(a, b);
            bool avoider_begins = both.markers % 2 == 0;
            assert_false(contest_ends_blocked(&both, 0, true, avoider_begins, 0));
        }
    }
}

static void markers_and_groups_are_those_of_the_paper(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int markers, groups;
    } rows[] = {{"Triangle", 5, 3},         {"Square", 7, 4},          {"Triangle/Line", 6, 4},
                {"Square/Line", 8, 5},      {"BiTriangle", 8, 5},      {"BiTriangleX", 7, 5},
                {"FlatStar", 8, 6},         {"BiTriangle/Line", 9, 6}, {"BiTriangle/BiLine", 10, 7},
                {"BiTriangleX/Line", 8, 6}, {"FlatStar/Line", 8, 7},   {"TriTriangleX", 10, 7}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        family f = family_named(rows[r].name);
        assert_int_equal(f.markers, rows[r].markers);
        assert_int_equal(f.count, rows[r].groups);
    }
    for (int n = 5; n <= 8; n++) {
        char name[] = {'C', (char)('0' + n), 0},
             line[] = {'C', (char)('0' + n), '/', 'L', 'i', 'n', 'e', 0};
        family cycle = family_named(name);
        family with_line = family_named(line);
        assert_int_equal(cycle.markers, 2 * n - 1);
        assert_int_equal(cycle.count, n);
        assert_int_equal(with_line.markers, 2 * n);
        assert_int_equal(with_line.count, n + 1);
    }
}

int main(void) {
    read_families();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_in_order),
        cmocka_unit_test(no_pairing_does_what_a_configuration_does),
        cmocka_unit_test(groups_have_one_marker_in_common),
        cmocka_unit_test(a_main_marker_answers_every_first_one),
        cmocka_unit_test(the_second_player_blocks_all_groups),
        cmocka_unit_test(every_marker_is_needed),
        cmocka_unit_test(who_does_not_place_the_last_stone_avoids_all_groups),
        cmocka_unit_test(two_configurations_do_not_serve_him),
        cmocka_unit_test(markers_and_groups_are_those_of_the_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
