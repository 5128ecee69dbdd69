/* SPDX-License-Identifier: MIT
 *
 * Finds set matchings by depth-first search. If the remaining sets have no pairing, it takes the
 * set with the fewest free cells and tries to serve it by every placement of a configuration, those
 * that save most cells first, then by every pair. After a pair it need not look for a pairing
 * again: there is none.
 *
 * A placement begins with one group in the set to be served. The other groups follow, always the
 * one with the most markers that have a cell already.
 */
#include "tables/proofs/set_matching.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tables/array.h"
#include "tables/stop.h"

/* ---- configurations ----
 *
 * In the order of the table in the paper. In a cycle the corners come first, then the markers of
 * the sides; the side a-b has no marker of its own. */

static const plb_configuration configurations[] = {
    {"Triangle", "ab adc bec", "ab"},
    {"Square", "ab aed bfc cgd", "ab"},
    {"C5", "ab bfc cgd dhe eia", "ab"},
    {"C6", "ab bgc chd die ejf fka", "ab"},
    {"C7", "ab bhc cid dje ekf flg gma", "ab"},
    {"C8", "ab bic cjd dke elf fmg gnh hoa", "ab"},
    {"Triangle/Line", "ab adc bec dfe", "ab"},
    {"Square/Line", "ab aed bfc cgd ehf", "ab"},
    {"C5/Line", "ab bfc cgd dhe eia fji", "ab"},
    {"C6/Line", "ab bgc chd die ejf fka glk", "ab"},
    {"C7/Line", "ab bhc cid dje ekf flg gma hnm", "ab"},
    {"C8/Line", "ab bic cjd dke elf fmg gnh hoa ipo", "ab"},
    {"BiTriangle", "ab adc agf bec bhf", "ab"},
    {"BiTriangleX", "ab adc aef bec bgf", "ab"},
    {"FlatStar", "abc adg bdf beh ceg fgh", "bg"},
    {"BiTriangle/Line", "ab adc agf bec bhf dei", "ab"},
    {"BiTriangle/BiLine", "ab adc agf bec bhf dei ghj", "ab"},
    {"BiTriangleX/Line", "ab adc aef bec bgf dgh", "ab"},
    {"FlatStar/Line", "abc adg bdf beh bg ceg fgh", "bg"},
    {"TriTriangleX", "ab adc aef aih bec bgf bjh", "ab"},
};
enum { CONFIGURATIONS = sizeof configurations / sizeof configurations[0] };

const plb_configuration *plb_configuration_at(int number) {
    return number >= 0 && number < CONFIGURATIONS ? &configurations[number] : NULL;
}

int plb_configuration_read(const plb_configuration *configuration,
                           uint32_t groups[PLB_MAX_CONFIGURATION_GROUPS]) {
    int count = 1;
    groups[0] = 0;
    for (const char *c = configuration->groups; *c; c++) {
        if (*c == ' ')
            groups[count++] = 0;
        else
            groups[count - 1] |= 1U << (*c - 'a');
    }
    return count;
}

int plb_configuration_markers(const plb_configuration *configuration) {
    char last = 'a';
    for (const char *c = configuration->groups; *c; c++)
        if (*c > last) last = *c;
    return last - 'a' + 1;
}

/* ---- set matchings ---- */

enum {
    WORDS = PLB_MAX_SETS / 64,
    SHAPES = 64,         /* configurations, at most */
    PAIRING_STEPS = 400, /* step limit of a pairing below the root */
};

/* A subset of the family, as a bit mask of indices of sets. */
typedef struct numbers {
    uint64_t words[WORDS];
} numbers;

/* A configuration, with bit masks of markers. */
typedef struct shape {
    int number, markers, groups;
    uint32_t group[PLB_MAX_CONFIGURATION_GROUPS];
    uint32_t shared; /* markers in several groups */
} shape;

/* A configuration on cells. */
typedef struct placement {
    uint64_t cells;
    numbers served; /* sets that it serves and that were not served before */
    int gain;       /* cells saved, compared with a pair for each of these sets */
    plb_part part;
} placement;

typedef struct search {
    const uint64_t *sets;
    numbers with_cell[PLB_MAX_CELLS]; /* [cell] sets that contain it */
    shape shapes[SHAPES];
    int shape_count;
    const plb_matching_limits *limits;
    uint64_t steps;
    bool aborted;   /* by the step limit, the stop flag or an error */
    bool uncertain; /* a pairing was undecided, so that finding nothing proves nothing */
    int error;
    placement *placements; /* a stack: those of the nodes on the current path */
    int used, capacity;
    plb_set_matching *path; /* parts on the current path */
} search;

/* The state of a node. */
typedef struct rest {
    uint64_t free; /* cells */
    numbers unserved;
    int configurations; /* that may still be placed */
} rest;

static void add_number(numbers *n, int i) {
    n->words[i / 64] |= 1ULL << (i % 64);
}

static int count_numbers(const numbers *n) {
    int count = 0;
    for (int w = 0; w < WORDS; w++) count += plb_popcount(n->words[w]);
    return count;
}

/* The first number from i on; -1: there is none. */
static int next_number(const numbers *n, int i) {
    for (; i < PLB_MAX_SETS; i = (i / 64 + 1) * 64) {
        uint64_t word = n->words[i / 64] >> (i % 64);
        if (word) return i + plb_lowest(word);
    }
    return -1;
}

/* Those of the sets `among` that contain all of these cells. */
static numbers find_containing(const search *s, numbers among, uint64_t cells) {
    for (; cells; cells &= cells - 1)
        for (int w = 0; w < WORDS; w++) among.words[w] &= s->with_cell[plb_lowest(cells)].words[w];
    return among;
}

/* Count a step; false if the search is aborted. */
static bool may_go_on(search *s) {
    bool at_limit = s->limits->steps && s->steps >= s->limits->steps;
    if (at_limit || s->error || plb_is_stopped(s->limits->stop)) s->aborted = true;
    s->steps += !s->aborted;
    return !s->aborted;
}

/* ---- placements ---- */

/* An unfinished placement. */
typedef struct placing {
    search *search;
    const shape *shape;
    const rest *rest;
    uint64_t free;   /* cells without a marker */
    uint32_t placed; /* bit mask of the markers that have a cell */
    unsigned done;   /* bit mask of the groups that have a set */
    int set_of[PLB_MAX_CONFIGURATION_GROUPS];
    numbers of_groups; /* sets that have a group */
    plb_part part;
} placing;

static uint64_t cells_of_markers(const placing *p, uint32_t markers) {
    uint64_t cells = 0;
    for (; markers; markers &= markers - 1) cells |= 1ULL << p->part.cells[plb_lowest(markers)];
    return cells;
}

/* Store a finished placement, unless it serves only one set: a pair serves it as well. */
static void keep_placement(const placing *p) {
    numbers served = {0};
    for (int g = 0; g < p->shape->groups; g++) {
        numbers more =
            find_containing(p->search, p->rest->unserved, cells_of_markers(p, p->shape->group[g]));
        for (int w = 0; w < WORDS; w++) served.words[w] |= more.words[w];
    }
    int count = count_numbers(&served);
    search *s = p->search;
    if (count <= 1) return;
    if (!PLB_ARRAY_EXTEND(s->placements, s->used, s->capacity)) {
        s->error = PLB_ENOMEM;
        return;
    }
    uint64_t cells = cells_of_markers(p, (uint32_t)plb_low_bits(p->shape->markers));
    s->placements[s->used++] = (placement){cells, served, 2 * count - p->shape->markers, p->part};
}

static void place_next_group(placing *p);

/* Place these markers on cells of a set in every way; each time, go on with the next group. */
static void place_markers(placing *p, uint64_t set, uint32_t markers) {
    if (!markers) {
        place_next_group(p);
        return;
    }
    uint32_t marker = markers & -markers;
    for (uint64_t left = set & p->free; left && may_go_on(p->search); left &= left - 1) {
        uint64_t cell = left & -left;
        p->part.cells[plb_lowest(marker)] = plb_lowest(cell);
        p->free &= ~cell;
        p->placed |= marker;
        place_markers(p, set, markers & ~marker);
        p->placed &= ~marker;
        p->free |= cell;
    }
}

/* Place a group in a set, if this has enough free cells: only the shared markers for now, which
 * restrict the sets of the other groups. */
static void place_group(placing *p, int group, int set) {
    uint32_t markers = p->shape->group[group] & ~p->placed;
    if (plb_popcount(p->search->sets[set] & p->free) < plb_popcount(markers)) return;
    numbers before = p->of_groups;
    p->done |= 1U << group;
    p->set_of[group] = set;
    add_number(&p->of_groups, set);
    place_markers(p, p->search->sets[set], markers & p->shape->shared);
    p->of_groups = before;
    p->done &= ~(1U << group);
}

static void place_next_group(placing *p) {
    int group = -1, most = -1;
    for (int g = 0; g < p->shape->groups; g++) {
        int placed = plb_popcount(p->shape->group[g] & p->placed);
        if (p->done >> g & 1 || placed <= most) continue;
        most = placed;
        group = g;
    }
    if (group < 0) { /* all groups have sets: place the next marker that is not shared */
        uint32_t left = plb_low_bits(p->shape->markers) & ~p->placed, marker = left & -left;
        if (!left) {
            keep_placement(p);
            return;
        }
        for (group = 0; !(p->shape->group[group] & marker);) group++;
        place_markers(p, p->search->sets[p->set_of[group]], marker);
        return;
    }
    numbers others;
    for (int w = 0; w < WORDS; w++) others.words[w] = ~p->of_groups.words[w];
    uint64_t cells = cells_of_markers(p, p->shape->group[group] & p->placed);
    others = find_containing(p->search, others, cells);
    for (int set = next_number(&others, 0); set >= 0; set = next_number(&others, set + 1))
        place_group(p, group, set);
}

static int compare_placements(const void *a, const void *b) {
    const placement *p = a, *q = b;
    if (p->gain != q->gain) return p->gain < q->gain ? 1 : -1;
    if (p->cells != q->cells) return p->cells < q->cells ? -1 : 1;
    return memcmp(&p->served, &q->served, sizeof p->served);
}

/* Push all placements of a configuration that serve a set onto the stack. */
static void list_placements(search *s, const rest *r, const shape *shape, int set) {
    int first = s->used;
    placing p = {.search = s, .shape = shape, .rest = r, .free = r->free};
    p.part.configuration = shape->number;
    p.part.count = shape->markers;
    for (int g = 0; g < shape->groups; g++) place_group(&p, g, set);
    /* sort the new ones, and remove equivalent ones */
    int kept = first;
    if (s->used == first) return;
    qsort(s->placements + first, s->used - first, sizeof *s->placements, compare_placements);
    for (int i = first; i < s->used; i++)
        if (i == first || compare_placements(&s->placements[i], &s->placements[kept - 1]) != 0)
            s->placements[kept++] = s->placements[i];
    s->used = kept;
}

/* ---- the search ---- */

static void add_part(search *s, plb_part part) {
    s->path->parts[s->path->count++] = part;
}

static plb_part part_of_pair(uint64_t pair) {
    plb_part part = {.configuration = PLB_A_PAIR, .count = 2};
    part.cells[0] = plb_lowest(pair);
    part.cells[1] = plb_lowest(pair & (pair - 1));
    return part;
}

static bool serve_by_pairs(search *s, const rest *r, uint64_t steps) {
    uint64_t sets[PLB_MAX_SETS];
    int count = 0;
    plb_pairing pairing;
    for (int i = next_number(&r->unserved, 0); i >= 0; i = next_number(&r->unserved, i + 1))
        sets[count++] = s->sets[i] & r->free;
    count = plb_pairing_reduce(sets, count);
    plb_pairing_limits limits = {steps, s->limits->stop};
    plb_pairing_answer answer = plb_pairing_find(sets, count, &limits, &pairing, NULL);
    if (answer == PLB_PAIRING_UNDECIDED) s->uncertain = true;
    if (answer != PLB_PAIRING_FOUND) return false;
    for (int i = 0; i < pairing.count; i++) add_part(s, part_of_pair(pairing.pairs[i]));
    return true;
}

static bool serve(search *s, const rest *r, bool may_be_paired);

static rest without(const rest *r, uint64_t cells, const numbers *served) {
    rest left = *r;
    left.free &= ~cells;
    for (int w = 0; w < WORDS; w++) left.unserved.words[w] &= ~served->words[w];
    return left;
}

static bool serve_by_configuration(search *s, const rest *r, const shape *shape, int set) {
    int first = s->used;
    bool served = false;
    list_placements(s, r, shape, set);
    for (int i = first; i < s->used && !served && may_go_on(s); i++) {
        rest left = without(r, s->placements[i].cells, &s->placements[i].served);
        left.configurations--;
        add_part(s, s->placements[i].part);
        served = serve(s, &left, true);
        if (!served) s->path->count--;
    }
    s->used = first;
    return served;
}

static bool serve_by_pair(search *s, const rest *r, int set) {
    uint64_t cells = s->sets[set] & r->free;
    for (uint64_t left = cells; left; left &= left - 1)
        for (uint64_t second = left & (left - 1); second; second &= second - 1) {
            uint64_t pair = (left & -left) | (second & -second);
            numbers served = find_containing(s, r->unserved, pair);
            rest after = without(r, pair, &served);
            if (!may_go_on(s)) return false;
            add_part(s, part_of_pair(pair));
            if (serve(s, &after, false)) return true;
            s->path->count--;
        }
    return false;
}

static bool serve(search *s, const rest *r, bool may_be_paired) {
    if (!count_numbers(&r->unserved)) return true;
    if (may_be_paired && serve_by_pairs(s, r, PAIRING_STEPS)) return true;
    /* The set that is not served with the fewest free cells. */
    int set = 0, fewest = PLB_MAX_CELLS + 1;
    for (int i = next_number(&r->unserved, 0); i >= 0; i = next_number(&r->unserved, i + 1)) {
        int cells = plb_popcount(s->sets[i] & r->free);
        if (cells < fewest) {
            fewest = cells;
            set = i;
        }
    }
    if (r->configurations == 0 || plb_popcount(s->sets[set] & r->free) < 2) return false;
    for (int n = 0; n < s->shape_count; n++)
        if (serve_by_configuration(s, r, &s->shapes[n], set)) return true;
    return serve_by_pair(s, r, set);
}

/* Sort by the number of cells saved, descending; then by the number of markers. */
static int compare_shapes(const void *a, const void *b) {
    const shape *p = a, *q = b;
    int gain_p = 2 * p->groups - p->markers, gain_q = 2 * q->groups - q->markers;
    return gain_p != gain_q ? gain_q - gain_p : p->markers - q->markers;
}

/* Move configurations to the front; a stable sort. */
static plb_set_matching in_order(const plb_set_matching *parts) {
    plb_set_matching ordered = {0};
    for (int pairs = 0; pairs < 2; pairs++)
        for (int i = 0; i < parts->count; i++)
            if ((parts->parts[i].configuration == PLB_A_PAIR) == pairs)
                ordered.parts[ordered.count++] = parts->parts[i];
    return ordered;
}

int plb_set_matching_find(const uint64_t *sets, int count, const plb_matching_limits *limits,
                          plb_pairing_answer *answer, plb_set_matching *found) {
    if (count < 0 || count > PLB_MAX_SETS) return PLB_EARGUMENT;
    plb_set_matching path = {0};
    search s = {.sets = sets, .limits = limits, .path = &path};
    rest all = {.configurations = limits->configurations}; /* all sets unserved, all cells free */
    const plb_configuration *c;
    while (s.shape_count < SHAPES && (c = plb_configuration_at(s.shape_count))) {
        shape *to = &s.shapes[s.shape_count];
        uint32_t once = 0;
        to->number = s.shape_count++;
        to->markers = plb_configuration_markers(c);
        to->groups = plb_configuration_read(c, to->group);
        for (int g = 0; g < to->groups; g++) {
            to->shared |= once & to->group[g];
            once |= to->group[g];
        }
    }
    qsort(s.shapes, s.shape_count, sizeof *s.shapes, compare_shapes);
    for (int i = 0; i < count; i++) {
        all.free |= sets[i];
        add_number(&all.unserved, i);
        for (uint64_t left = sets[i]; left; left &= left - 1)
            add_number(&s.with_cell[plb_lowest(left)], i);
    }
    bool served = serve_by_pairs(&s, &all, limits->steps) || serve(&s, &all, false);
    free(s.placements);
    if (s.error) return s.error;
    *answer = served                     ? PLB_PAIRING_FOUND
              : s.aborted || s.uncertain ? PLB_PAIRING_UNDECIDED
                                         : PLB_PAIRING_NONE;
    if (served) *found = in_order(&path);
    return PLB_OK;
}
