/* SPDX-License-Identifier: MIT
 *
 * The naive implementation of the rules.
 */
#include "tools/search/naive_rules.h"

#include <stdio.h>
#include <string.h>

void naive_clear(naive_board board) {
    memset(board, '.', sizeof(naive_board));
}

static int index_of(const naive_rules *rules, int column, int row) {
    return row * rules->width + column;
}

bool naive_may_place(const naive_rules *rules, const naive_board board, int column, int row) {
    if (!rules->gravity) return board[index_of(rules, column, row)] == '.';
    int lowest = 0;
    while (lowest < rules->height && board[index_of(rules, column, lowest)] != '.') lowest++;
    return row == lowest;
}

/* ---- runs ---- */

static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

static bool contains(const int *cells, int count, int cell) {
    for (int i = 0; i < count; i++)
        if (cells[i] == cell) return true;
    return false;
}

/* The cells that are met from a start on, until the board ends, or a cell comes again, or there are
 * k of them; their number. */
static int walk(const naive_rules *rules, int column, int row, const int step[2],
                int cells[NAIVE_CELLS]) {
    int count = 0;
    while (count < rules->k && row >= 0 && row < rules->height && column < rules->width) {
        int cell = index_of(rules, column, row);
        if (contains(cells, count, cell)) break;
        cells[count++] = cell;
        column += step[0];
        row += step[1];
        if (rules->cylinder && column == rules->width) column = 0;
    }
    return count;
}

static void visit_runs(const naive_rules *rules, naive_visitor *visit, void *context) {
    int cells[NAIVE_CELLS];
    for (int column = 0; column < rules->width; column++)
        for (int row = 0; row < rules->height; row++)
            for (int d = 0; d < 4; d++)
                if (walk(rules, column, row, directions[d], cells) == rules->k)
                    visit(context, cells, rules->k);
}

/* ---- squares ---- */

static void visit_squares(const naive_rules *rules, naive_visitor *visit, void *context) {
    for (int left = 0; left < rules->width; left++)
        for (int right = left + 1; right < rules->width; right++)
            for (int bottom = 0; bottom < rules->height; bottom++)
                for (int top = bottom + 1; top < rules->height; top++) {
                    if (right - left != top - bottom) continue;
                    int corners[4] = {index_of(rules, left, bottom), index_of(rules, right, bottom),
                                      index_of(rules, left, top), index_of(rules, right, top)};
                    visit(context, corners, 4);
                }
}

/* ---- families ---- */

static const struct {
    const char *name;
    bool has_k, gravity;
    void (*visit_groups)(const naive_rules *rules, naive_visitor *visit, void *context);
} families[] = {{"connect", true, true, visit_runs},
                {"mnk", true, false, visit_runs},
                {"square", false, false, visit_squares}};
enum { FAMILIES = sizeof families / sizeof families[0] };

bool naive_read(const char *spec, naive_rules *rules) {
    naive_rules read = {.k = 0};
    char family[16];
    int length = 0, f = 0;
    if (sscanf(spec, "%15[a-z]-%dx%d%n", family, &read.width, &read.height, &length) != 3)
        return false;
    while (f < FAMILIES && strcmp(family, families[f].name) != 0) f++;
    if (f == FAMILIES) return false;
    if (families[f].has_k && sscanf(spec + length, "-k%d", &read.k) != 1) return false;
    read.gravity = families[f].gravity;
    read.visit_groups = families[f].visit_groups;
    read.misere = strstr(spec, "-misere") != NULL;
    read.cylinder = strstr(spec, "-cylinder") != NULL;
    *rules = read;
    return read.width > 0 && read.height > 0 && read.width * read.height <= NAIVE_CELLS;
}

/* ---- complete groups ---- */

typedef struct colour_search {
    const char *board;
    char colour;
    bool complete;
} colour_search;

static void look_at_group(void *context, const int *cells, int count) {
    colour_search *c = context;
    int own = 0;
    while (own < count && c->board[cells[own]] == c->colour) own++;
    if (own == count) c->complete = true;
}

bool naive_is_complete(const naive_rules *rules, const naive_board board, char colour) {
    colour_search search = {board, colour, false};
    rules->visit_groups(rules, look_at_group, &search);
    return search.complete;
}
