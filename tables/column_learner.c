/* SPDX-License-Identifier: MIT
 *
 * Learning the automaton of columns.
 *
 * Each state has columns that lead to it, its access. An arrow (state, word) leads to the state of
 * the next layer whose access answers the questions in that layer's tree as the arrow's columns do.
 * Where two columns read in either order lead to different states, a completion that tells these
 * apart shows that one of the two middle states stands for two: such counterexamples are found
 * without a question, and nearly all states are.
 */
#include "tables/column_learner.h"

#include <stdlib.h>
#include <string.h>

#include "tables/vocabulary.h"

enum { NONE = -1, SAMPLED_WORDS = 512 };

static const uint16_t *access_of(const plb_learner *l, int layer, int state) {
    return l->layers[layer].access + (size_t)state * layer;
}

static const uint16_t *completion_of(const plb_learner *l, int layer, int number) {
    return l->layers[layer].completion + (size_t)number * (l->automaton->width - layer);
}

static int moved_words(const plb_learner *l) {
    return (l->automaton->words.count + 63) / 64;
}

static uint64_t *moved_of(const plb_learner *l, int layer, int state) {
    return l->layers[layer].moved + (size_t)state * moved_words(l);
}

/* ---- questions ---- */

/* Have the access of a state, one column more (or PLB_NO_WORD) and a completion an order? */
static bool ask(plb_learner *l, int layer, int state, int word, const uint16_t *completion) {
    uint16_t columns[PLB_MOST_COLUMNS];
    int count = layer, width = l->automaton->width;
    memcpy(columns, access_of(l, layer, state), layer * sizeof *columns);
    if (word != PLB_NO_WORD) columns[count++] = (uint16_t)word;
    memcpy(columns + count, completion, (width - count) * sizeof *columns);
    return plb_column_order_exists(&l->order, columns, width);
}

/* The state, as far as is known, that an arrow of a layer leads to. */
static int sift(plb_learner *l, int layer, int state, int word) {
    const plb_learner_layer *to = &l->layers[layer + 1];
    int node = 0;
    while (to->tree[node].child[0] != NONE)
        node = to->tree[node].child[ask(l, layer, state, word,
                                        completion_of(l, layer + 1, to->tree[node].item))];
    return to->tree[node].item;
}

/* ---- room ---- */

static int grow(void *array, int64_t count, size_t size) {
    void **at = array, *grown = realloc(*at, (count ? count : 1) * size);
    if (!grown) return PLB_ENOMEM;
    *at = grown;
    return PLB_OK;
}

/* Room for one state, one completion and two nodes more. */
static int make_room(plb_learner *l, int layer) {
    plb_learner_layer *a = &l->layers[layer];
    plb_column_layer *b = &l->automaton->layers[layer];
    int width = l->automaton->width, words = layer < width ? l->automaton->words.count : 0;
    int error = PLB_OK;
    if (b->states == PLB_MOST_STATES) return PLB_ETOOBIG;
    if (b->states == a->state_room) {
        int64_t room = 2 * (int64_t)a->state_room + 8;
        if (grow(&a->access, room * layer, sizeof *a->access) ||
            grow(&a->leaf, room, sizeof *a->leaf) ||
            grow(&a->arrivals, room, sizeof *a->arrivals) ||
            grow(&a->moved, room * moved_words(l), sizeof *a->moved) ||
            grow(&a->link, room * words, sizeof *a->link) ||
            grow(&b->next, room * words, sizeof *b->next))
            return PLB_ENOMEM;
        a->state_room = (int)room;
    }
    if (a->completions == a->completion_room) {
        a->completion_room = 2 * a->completion_room + 8;
        error = grow(&a->completion, (int64_t)a->completion_room * (width - layer),
                     sizeof *a->completion);
    }
    if (!error && a->nodes + 2 > a->node_room) {
        a->node_room = 2 * a->node_room + 8;
        error = grow(&a->tree, a->node_room, sizeof *a->tree);
    }
    return error;
}

/* ---- states ---- */

static void point_arrow(plb_learner *l, int layer, int64_t arrow, int to) {
    plb_learner_layer *next = &l->layers[layer + 1];
    l->automaton->layers[layer].next[arrow] = (uint16_t)to;
    l->layers[layer].link[arrow] = next->arrivals[to];
    next->arrivals[to] = arrow;
}

/* The arrows that leave a state. */
static int point_arrows(plb_learner *l, int layer, int state) {
    int words = l->automaton->words.count;
    if (layer == l->automaton->width) return PLB_OK;
    for (int word = 0; word < words; word++)
        point_arrow(l, layer, (int64_t)state * words + word, sift(l, layer, state, word));
    return l->stop && *l->stop ? PLB_EINTERRUPTED : PLB_OK;
}

/* A state at a leaf; there must be room. access: columns, [layer]. */
static int put_state(plb_learner *l, int layer, const uint16_t *access, int leaf) {
    plb_learner_layer *a = &l->layers[layer];
    int state = l->automaton->layers[layer].states++;
    memmove(a->access + (size_t)state * layer, access, layer * sizeof *access);
    a->leaf[state] = leaf;
    a->arrivals[state] = NONE;
    a->tree[leaf].item = state;
    memset(moved_of(l, layer, state), 0xff, moved_words(l) * sizeof *a->moved);
    return state;
}

static int put_leaf(plb_learner_layer *a, int parent) {
    a->tree[a->nodes] = (plb_learner_node){parent, {NONE, NONE}, NONE};
    return a->nodes++;
}

static void set_moved(plb_learner *l, int layer, int64_t arrow) {
    int words = l->automaton->words.count, word = (int)(arrow % words);
    moved_of(l, layer, (int)(arrow / words))[word / 64] |= 1ULL << (word % 64);
}

/* An arrow leads elsewhere, and so, with one step more, do those that arrive at its state. */
static void mark_moved(plb_learner *l, int layer, int64_t arrow) {
    int state = (int)(arrow / l->automaton->words.count);
    set_moved(l, layer, arrow);
    for (int64_t before = l->layers[layer].arrivals[state]; before != NONE;
         before = l->layers[layer - 1].link[before])
        set_moved(l, layer - 1, before);
}

/* Point the arrows to a state at the new one where they belong there. */
static void sort_arrivals(plb_learner *l, int layer, int state, const uint16_t *completion,
                          int made, bool answer) {
    int64_t arrow = l->layers[layer].arrivals[state];
    int words = l->automaton->words.count;
    l->layers[layer].arrivals[state] = NONE;
    while (arrow != NONE) {
        int64_t next = l->layers[layer - 1].link[arrow];
        bool same = ask(l, layer - 1, (int)(arrow / words), (int)(arrow % words), completion);
        point_arrow(l, layer - 1, arrow, same == answer ? made : state);
        if (same == answer) mark_moved(l, layer - 1, arrow);
        arrow = next;
    }
}

/* Tell an arrow's columns from the state that it leads to: by a completion that has an order with
 * these columns (answer true) and not with the state's access, or the other way round. */
static int split(plb_learner *l, int layer, int from, int word, const uint16_t *completion,
                 bool answer) {
    int width = l->automaton->width, to = layer + 1;
    plb_learner_layer *a = &l->layers[to];
    int error = make_room(l, to), state = plb_column_next(l->automaton, layer, from, word);
    if (error) return error;
    uint16_t access[PLB_MOST_COLUMNS], kept[PLB_MOST_COLUMNS];
    memcpy(access, access_of(l, layer, from), layer * sizeof *access);
    access[layer] = (uint16_t)word;
    memcpy(kept, completion, (width - to) * sizeof *kept);
    memcpy(a->completion + (size_t)a->completions * (width - to), kept,
           (width - to) * sizeof *kept);
    int node = a->leaf[state], no = put_leaf(a, node), yes = put_leaf(a, node);
    a->tree[node] = (plb_learner_node){a->tree[node].parent, {no, yes}, a->completions++};
    int made = put_state(l, to, access, answer ? yes : no);
    a->leaf[state] = answer ? no : yes;
    a->tree[a->leaf[state]].item = state;
    sort_arrivals(l, to, state, kept, made, answer);
    l->splits++;
    return point_arrows(l, to, made);
}

/* ---- counterexamples ---- */

int plb_learner_correct(plb_learner *l, const uint16_t *columns) {
    const plb_column_automaton *a = l->automaton;
    int states[PLB_MOST_COLUMNS + 1], low = 0, high = a->width;
    states[0] = a->first;
    for (int i = 0; i < a->width; i++) states[i + 1] = plb_column_next(a, i, states[i], columns[i]);
    bool truth = ask(l, 0, states[0], PLB_NO_WORD, columns);
    if (truth == (states[high] == a->accepting)) return PLB_OK;
    while (high - low > 1) { /* the access up to low answers rightly, that up to high does not */
        int middle = (low + high) / 2;
        if (ask(l, middle, states[middle], PLB_NO_WORD, columns + middle) == truth)
            low = middle;
        else
            high = middle;
    }
    return split(l, low, states[low], columns[low], columns + high, truth);
}

/* A completion that tells two states of a layer apart: of the node where their ways part. */
static const uint16_t *parting(const plb_learner *l, int layer, int a, int b) {
    const plb_learner_layer *in = &l->layers[layer];
    int depth_a = 0, depth_b = 0, at = in->leaf[a], bt = in->leaf[b];
    for (int n = at; n != NONE; n = in->tree[n].parent) depth_a++;
    for (int n = bt; n != NONE; n = in->tree[n].parent) depth_b++;
    for (; depth_a > depth_b; depth_a--) at = in->tree[at].parent;
    for (; depth_b > depth_a; depth_b--) bt = in->tree[bt].parent;
    while (at != bt) at = in->tree[at].parent, bt = in->tree[bt].parent;
    return completion_of(l, layer, in->tree[at].item);
}

/* Two columns that commute at a state, or a split. */
static int make_two_commute(plb_learner *l, int layer, int state, int v, int w) {
    const plb_column_automaton *a = l->automaton;
    int error = PLB_OK;
    while (!error) {
        int after_v = plb_column_next(a, layer, state, v);
        int after_w = plb_column_next(a, layer, state, w);
        int vw = plb_column_next(a, layer + 1, after_v, w);
        int wv = plb_column_next(a, layer + 1, after_w, v);
        if (vw == wv) break;
        int width = a->width;
        uint16_t rest[PLB_MOST_COLUMNS];
        memcpy(rest + 1, parting(l, layer + 2, vw, wv), (width - layer - 2) * sizeof *rest);
        rest[0] = (uint16_t)w;
        bool truth = ask(l, layer, state, v, rest);
        bool by_v = ask(l, layer + 1, after_v, PLB_NO_WORD, rest);
        if (truth != by_v) {
            error = split(l, layer, state, v, rest, truth);
        } else {
            rest[0] = (uint16_t)v;
            error = split(l, layer, state, w, rest, truth);
        }
    }
    return error;
}

/* The words of a state whose arrows may no longer commute with others: those that had moved when
 * it was taken up, and since. */
typedef struct moved_arrows {
    const plb_learner *l;
    int layer, state;
    uint64_t before[PLB_MOST_WORDS / 64];
} moved_arrows;

static uint64_t moved_word(const moved_arrows *m, int number) {
    return m->before[number] | moved_of(m->l, m->layer, m->state)[number];
}

static bool has_moved(const moved_arrows *m, int word) {
    return moved_word(m, word / 64) >> word % 64 & 1;
}

/* Take up what has moved; false: nothing has. */
static bool take_moved(const plb_learner *l, int layer, int state, moved_arrows *moved) {
    uint64_t any = 0, *marks = moved_of(l, layer, state);
    *moved = (moved_arrows){.l = l, .layer = layer, .state = state};
    for (int i = 0; i < moved_words(l); i++) {
        any |= moved->before[i] = marks[i];
        marks[i] = 0;
    }
    return any;
}

/* The first word from w on with which v is to be tried, or `end`. */
static int next_to_try(const moved_arrows *moved, int v, int w, int end) {
    if (has_moved(moved, v)) return w;
    while (w < end && !has_moved(moved, w))
        w = moved_word(moved, w / 64) ? w + 1 : (w / 64 + 1) * 64;
    return w < end ? w : end;
}

/* Where there are many words a few of them are tried with all others. */
static int make_state_commute(plb_learner *l, int layer, int state) {
    int words = l->automaton->words.count, error = PLB_OK;
    int stride = words / SAMPLED_WORDS + 1;
    moved_arrows moved;
    if (!take_moved(l, layer, state, &moved)) return PLB_OK;
    for (int v = state % stride; v < words && !error; v += stride) {
        int end = stride == 1 ? v : words;
        for (int w = next_to_try(&moved, v, 0, end); w < end && !error;
             w = next_to_try(&moved, v, w + 1, end))
            error = make_two_commute(l, layer, state, v, w);
    }
    return error;
}

int plb_learner_make_commute(plb_learner *l) {
    int error = PLB_OK, before = NONE;
    while (before != l->splits && !error) {
        before = l->splits;
        for (int layer = l->automaton->width - 2; layer >= 0 && !error; layer--)
            for (int s = 0; s < l->automaton->layers[layer].states && !error; s++)
                error = make_state_commute(l, layer, s);
    }
    return error;
}

/* ---- the first conjecture ---- */

/* One state in every layer, which has read empty columns; in the last one, also that of a single
 * stone of o, if there is room for one. */
static int begin_layer(plb_learner *l, int layer) {
    plb_learner_layer *a = &l->layers[layer];
    uint16_t access[PLB_MOST_COLUMNS] = {0};
    int width = l->automaton->width, error = make_room(l, layer);
    if (error) return error;
    int root = put_leaf(a, NONE);
    put_state(l, layer, access, root);
    if (layer < width || l->automaton->words.count == 1) return point_arrows(l, layer, 0);
    if ((error = make_room(l, layer))) return error;
    int no = put_leaf(a, root), yes = put_leaf(a, root);
    a->tree[root] = (plb_learner_node){NONE, {no, yes}, a->completions++};
    a->tree[yes].item = 0;
    a->leaf[0] = yes;
    access[0] = 1;
    put_state(l, layer, access, no);
    return PLB_OK;
}

int plb_learner_begin(plb_column_automaton *automaton, const volatile sig_atomic_t *stop,
                      plb_learner *learner) {
    *learner = (plb_learner){.automaton = automaton, .stop = stop};
    int width = automaton->width;
    learner->layers = calloc(width + 1, sizeof *learner->layers);
    int error =
        learner->layers ? plb_column_order_begin(&automaton->words, &learner->order) : PLB_ENOMEM;
    for (int layer = width; layer >= 0 && !error; layer--) error = begin_layer(learner, layer);
    return error;
}

void plb_learner_end(plb_learner *learner) {
    for (int i = 0; learner->layers && i <= learner->automaton->width; i++) {
        plb_learner_layer *a = &learner->layers[i];
        free(a->access);
        free(a->completion);
        free(a->tree);
        free(a->leaf);
        free(a->arrivals);
        free(a->link);
        free(a->moved);
    }
    free(learner->layers);
    plb_column_order_end(&learner->order);
}
