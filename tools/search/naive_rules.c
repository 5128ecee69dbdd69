/* SPDX-License-Identifier: MIT */
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

/* The cells that are met from a start on, until the board ends, or a cell comes again, or there are
 * k of them; their number. */
static int walk(const naive_rules *rules, int column, int row, const int step[2],
                int cells[NAIVE_CELLS]) {
    int count = 0;
    while (count < rules->k && row >= 0 && row < rules->height && column < rules->width) {
        int cell = index_of(rules, column, row);
        bool again = false;
        for (int i = 0; i < count; i++) again |= cells[i] == cell;
        if (again) break;
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

/* ---- numbers ---- */

bool naive_numbers_read(const char *spec, naive_numbers *game) {
    static const char digits[] = "0123456789abcdefg"; /* of numbers in specs */
    int width = 0, height = 0, length = 0;
    *game = (naive_numbers){.size = 0};
    if (sscanf(spec, "numeric-%dx%d%n", &width, &height, &length) != 2) return false;
    if (width != height || width < 2 || width > NAIVE_SIZE) return false;
    const char *rest = spec + length;
    bool each = strcmp(rest, "-each") == 0, split = strncmp(rest, "-first", 6) == 0;
    if (*rest && !each && !split) return false;
    game->size = width;
    game->largest = each ? width * width / 2 : width * width;
    for (int number = 1; number <= game->largest; number++) {
        bool first = split ? strchr(rest + 6, digits[number]) != NULL : number % 2 == 1;
        game->owns[0][number] = each || first;
        game->owns[1][number] = each || !first;
    }
    /* All numbers together fill N lines; -each has every one of them twice. */
    int sum = game->largest * (game->largest + 1) / 2 * (each ? 2 : 1);
    game->target = sum / width;
    return true;
}

/* The sum of a line from a cell on; 0 where it is not full. */
static int sum_line(const naive_numbers *game, int column, int row, int step_column, int step_row) {
    int sum = 0;
    for (int i = 0; i < game->size; i++) {
        int number = game->board[column + i * step_column][row + i * step_row];
        if (number == 0) return 0;
        sum += number;
    }
    return sum;
}

bool naive_numbers_is_complete(const naive_numbers *game) {
    int last = game->size - 1, target = game->target;
    for (int i = 0; i <= last; i++)
        if (sum_line(game, i, 0, 0, 1) == target || sum_line(game, 0, i, 1, 0) == target)
            return true;
    return sum_line(game, 0, 0, 1, 1) == target || sum_line(game, 0, last, 1, -1) == target;
}

bool naive_numbers_may_place(const naive_numbers *game, int number, int column, int row) {
    int mover = game->moves % 2;
    bool is_number = number >= 1 && number <= game->largest && number < NAIVE_NUMBERS;
    if (!is_number || naive_numbers_is_complete(game)) return false;
    return game->owns[mover][number] && !game->played[mover][number] &&
           game->board[column][row] == 0;
}

void naive_numbers_place(naive_numbers *game, int number, int column, int row) {
    game->played[game->moves++ % 2][number] = true;
    game->board[column][row] = number;
}
