/* SPDX-License-Identifier: MIT */
#include "tools/search/plain_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIDE = 4 }; /* of a board of numbers */

static int bit_of(const plain_game *g, int column, int row) {
    return column * g->height + row;
}

static int cells_of(const plain_game *g) {
    return g->width * g->height;
}

/* ---- groups ---- */

static void add_group(plain_game *g, uint64_t group) {
    for (int i = 0; i < g->group_count; i++)
        if (g->groups[i] == group) return;
    g->groups[g->group_count++] = group;
}

/* k cells from a start on in one direction; 0: the run leaves the board or meets a cell twice. */
static uint64_t find_run(const plain_game *g, int column, int row, const int step[2]) {
    uint64_t run = 0;
    for (int count = 0; count < g->k; count++) {
        if (row < 0 || row >= g->height || column >= g->width) return 0;
        uint64_t cell = 1ULL << bit_of(g, column, row);
        if (run & cell) return 0;
        run |= cell;
        column += step[0];
        row += step[1];
        if (g->cylinder && column == g->width) column = 0;
    }
    return run;
}

static void add_runs(plain_game *g) {
    static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int column = 0; column < g->width; column++)
        for (int row = 0; row < g->height; row++)
            for (int d = 0; d < 4; d++) {
                uint64_t run = find_run(g, column, row, directions[d]);
                if (run) add_group(g, run);
            }
}

static void add_squares(plain_game *g) {
    for (int left = 0; left < g->width; left++)
        for (int right = left + 1; right < g->width; right++)
            for (int bottom = 0; bottom < g->height; bottom++) {
                int top = bottom + right - left;
                if (top < g->height)
                    add_group(g, 1ULL << bit_of(g, left, bottom) |
                                     1ULL << bit_of(g, right, bottom) |
                                     1ULL << bit_of(g, left, top) | 1ULL << bit_of(g, right, top));
            }
}

static void add_lines_of_numbers(plain_game *g) {
    int n = g->width;
    uint64_t up = 0, down = 0;
    for (int i = 0; i < n; i++) {
        uint64_t row = 0, column = 0;
        for (int j = 0; j < n; j++) {
            row |= 1ULL << bit_of(g, j, i);
            column |= 1ULL << bit_of(g, i, j);
        }
        up |= 1ULL << bit_of(g, i, i);
        down |= 1ULL << bit_of(g, i, n - 1 - i);
        add_group(g, row);
        add_group(g, column);
    }
    add_group(g, up);
    add_group(g, down);
}

static int compare_groups(const void *a, const void *b) {
    uint64_t g = *(const uint64_t *)a, h = *(const uint64_t *)b;
    return (g > h) - (g < h);
}

/* ---- specs ---- */

static const struct {
    const char *name;
    bool has_k, gravity, numbers;
    void (*add_groups)(plain_game *g);
} families[] = {{"connect", true, true, false, add_runs},
                {"mnk", true, false, false, add_runs},
                {"square", false, false, false, add_squares},
                {"numeric", false, false, true, add_lines_of_numbers}};
enum { FAMILIES = sizeof families / sizeof families[0] };

/* Parse the suffix of a spec of numbers. */
static bool read_numbers(const char *rest, plain_game *g) {
    static const char digits[] = "123456789abcdefg";
    if (g->width != g->height || g->width < 2 || g->width > MAX_SIDE) return false;
    int cells = cells_of(g);
    g->each = strcmp(rest, "-each") == 0;
    g->target = g->width * ((g->each ? cells / 2 : cells) + 1) / 2;
    for (int tile = 0; tile < cells; tile++) {
        bool first = g->each                           ? tile < cells / 2
                     : strncmp(rest, "-first", 6) == 0 ? strchr(rest + 6, digits[tile]) != NULL
                                                       : tile % 2 == 0;
        if (first) g->first_numbers |= 1u << tile;
    }
    return true;
}

/* ---- symmetries ---- */

static void try_symmetry(plain_game *g, const uint8_t image[PLAIN_CELLS]) {
    uint64_t seen = 0;
    for (int bit = 0; bit < cells_of(g); bit++) seen |= 1ULL << image[bit];
    bool is_permutation = __builtin_popcountll(seen) == cells_of(g);
    if (g->symmetry_count == PLAIN_MAX_SYMMETRIES || !is_permutation) return;
    /* It must map groups to groups; with gravity also columns to columns and rows to themselves. */
    for (int bit = 0; bit < cells_of(g) && g->gravity; bit++) {
        int above = bit % g->height, column = image[bit] / g->height;
        if (image[bit] % g->height != above || column != image[bit - above] / g->height) return;
    }
    for (int i = 0; i < g->group_count; i++) {
        uint64_t moved = 0;
        for (int bit = 0; bit < cells_of(g); bit++)
            if (g->groups[i] >> bit & 1) moved |= 1ULL << image[bit];
        if (!bsearch(&moved, g->groups, g->group_count, sizeof moved, compare_groups)) return;
    }
    for (int s = 0; s < g->symmetry_count; s++)
        if (memcmp(g->symmetries[s], image, cells_of(g)) == 0) return;
    memcpy(g->symmetries[g->symmetry_count++], image, cells_of(g));
}

/* Try two permutations, of columns and of rows; on square boards also after a transposition. */
static void try_permutations(plain_game *g, const int *columns, const int *rows) {
    int exchanges = g->width == g->height ? 1 : 0;
    for (int exchange = 0; exchange <= exchanges; exchange++) {
        uint8_t image[PLAIN_CELLS] = {0};
        for (int c = 0; c < g->width; c++)
            for (int r = 0; r < g->height; r++)
                image[bit_of(g, c, r)] = (uint8_t)(exchange ? bit_of(g, columns[r], rows[c])
                                                            : bit_of(g, columns[c], rows[r]));
        try_symmetry(g, image);
    }
}

/* Mirror images, and all rotations of the columns, which are symmetries of a cylinder only. */
static void try_turns(plain_game *g) {
    int columns[PLAIN_CELLS] = {0}, rows[PLAIN_CELLS] = {0};
    for (int turn = 0; turn < g->width; turn++)
        for (int way = 0; way < 4; way++) {
            for (int c = 0; c < g->width; c++)
                columns[c] = ((way & 1 ? g->width - 1 - c : c) + turn) % g->width;
            for (int r = 0; r < g->height; r++) rows[r] = way & 2 ? g->height - 1 - r : r;
            try_permutations(g, columns, rows);
        }
}

/* Any permutation, the same for rows and columns, rows also reversed: boards of numbers have more
 * symmetries than a rectangle. columns[0..count) is the permutation so far. */
static void try_shuffles(plain_game *g, int *columns, int count) {
    int rows[PLAIN_CELLS] = {0};
    if (count < g->width) {
        for (int c = 0; c < g->width; c++) {
            int before = 0;
            while (before < count && columns[before] != c) before++;
            columns[count] = c;
            if (before == count) try_shuffles(g, columns, count + 1);
        }
        return;
    }
    try_permutations(g, columns, columns);
    for (int r = 0; r < g->height; r++) rows[r] = g->height - 1 - columns[r];
    try_permutations(g, columns, rows);
}

bool plain_read(const char *spec, plain_game *game) {
    int columns[PLAIN_CELLS] = {0}, width, height, length = 0, f = 0;
    char family[16];
    memset(game, 0, sizeof *game);
    if (sscanf(spec, "%15[a-z]-%2dx%2d%n", family, &width, &height, &length) != 3) return false;
    if (width < 1 || height < 1 || width * height > PLAIN_CELLS) return false;
    while (f < FAMILIES && strcmp(family, families[f].name) != 0) f++;
    if (f == FAMILIES) return false;
    const char *rest = spec + length;
    game->width = width;
    game->height = height;
    game->gravity = families[f].gravity;
    game->numbers = families[f].numbers;
    game->misere = strstr(rest, "-misere") != NULL;
    game->cylinder = strstr(rest, "-cylinder") != NULL;
    if (families[f].has_k && sscanf(rest, "-k%d", &game->k) != 1) return false;
    if (game->numbers && !read_numbers(rest, game)) return false;
    families[f].add_groups(game);
    qsort(game->groups, game->group_count, sizeof *game->groups, compare_groups);
    try_turns(game);
    if (game->numbers) try_shuffles(game, columns, 0);
    return true;
}

/* ---- positions ---- */

static uint64_t occupied(const plain_game *g, plain_position p) {
    return g->numbers ? p.o : p.x | p.o;
}

int plain_ply(const plain_game *game, plain_position position) {
    return __builtin_popcountll(occupied(game, position));
}

static int tile_at(plain_position p, int bit) {
    return (int)(p.x >> (4 * bit)) & 15;
}

static bool is_first_to_move(const plain_game *g, plain_position p) {
    return plain_ply(g, p) % 2 == 0;
}

static bool is_playable(const plain_game *g, plain_position p, int bit) {
    uint64_t taken = occupied(g, p);
    if (taken >> bit & 1) return false;
    return !g->gravity || bit % g->height == 0 || (taken >> (bit - 1) & 1);
}

/* The tiles that the player to move has left. */
static uint32_t tiles_left(const plain_game *g, plain_position p) {
    uint32_t all = (1u << cells_of(g)) - 1, played = 0;
    for (uint64_t bits = p.o; bits; bits &= bits - 1)
        played |= 1u << tile_at(p, __builtin_ctzll(bits));
    return (is_first_to_move(g, p) ? g->first_numbers : all & ~g->first_numbers) & ~played;
}

plain_move plain_move_to(const plain_game *g, plain_position p, int column, int row, int number) {
    int of_first = g->each && !is_first_to_move(g, p) ? cells_of(g) / 2 : 0;
    return (plain_move){bit_of(g, column, row), g->numbers ? number - 1 + of_first : 0};
}

bool plain_may_move(const plain_game *g, plain_position p, plain_move move) {
    if (move.bit < 0 || move.bit >= cells_of(g) || !is_playable(g, p, move.bit)) return false;
    return !g->numbers ||
           (move.tile >= 0 && move.tile < cells_of(g) && (tiles_left(g, p) >> move.tile & 1));
}

int plain_moves(const plain_game *g, plain_position p, plain_move moves[PLAIN_MAX_MOVES]) {
    int count = 0;
    uint32_t left = g->numbers ? tiles_left(g, p) : 1;
    for (int bit = 0; bit < cells_of(g); bit++) {
        if (!is_playable(g, p, bit)) continue;
        for (uint32_t tiles = left; tiles; tiles &= tiles - 1)
            moves[count++] = (plain_move){bit, __builtin_ctz(tiles)};
    }
    return count;
}

plain_position plain_play(const plain_game *g, plain_position p, plain_move move) {
    if (g->numbers) {
        p.x |= (uint64_t)move.tile << (4 * move.bit);
        p.o |= 1ULL << move.bit;
    } else if (is_first_to_move(g, p)) {
        p.x |= 1ULL << move.bit;
    } else {
        p.o |= 1ULL << move.bit;
    }
    return p;
}

/* ---- ends ---- */

/* The sum that a line of numbers lacks to the target. */
static int missing_of(const plain_game *g, plain_position p, uint64_t group) {
    int missing = g->target;
    for (group &= p.o; group; group &= group - 1) {
        int tile = tile_at(p, __builtin_ctzll(group));
        missing -= g->each ? tile % (cells_of(g) / 2) + 1 : tile + 1;
    }
    return missing;
}

plain_end plain_result(const plain_game *g, plain_position p) {
    bool first_moved = !is_first_to_move(g, p);
    uint64_t filled = g->numbers ? p.o : first_moved ? p.x : p.o;
    for (int i = 0; i < g->group_count; i++)
        if (!(g->groups[i] & ~filled) && (!g->numbers || missing_of(g, p, g->groups[i]) == 0))
            return first_moved != g->misere ? PLAIN_FIRST : PLAIN_SECOND;
    return plain_ply(g, p) == cells_of(g) ? PLAIN_DRAW : PLAIN_OPEN;
}

bool plain_wins_at_once(const plain_game *g, plain_position p) {
    uint64_t own = is_first_to_move(g, p) ? p.x : p.o, filled = g->numbers ? p.o : own;
    uint32_t tiles = g->numbers ? tiles_left(g, p) : 0;
    if (g->misere) return false;
    for (int i = 0; i < g->group_count; i++) {
        uint64_t missing = g->groups[i] & ~filled;
        if (!missing || (missing & (missing - 1))) continue;
        int wanted = g->numbers ? missing_of(g, p, g->groups[i]) : 0;
        bool has = !g->numbers && is_playable(g, p, __builtin_ctzll(missing));
        for (uint32_t left = tiles; left && !has; left &= left - 1) {
            int tile = __builtin_ctz(left);
            has = (g->each ? tile % (cells_of(g) / 2) : tile) + 1 == wanted;
        }
        if (has) return true;
    }
    return false;
}

/* ---- images ---- */

plain_position plain_least_image(const plain_game *game, plain_position position) {
    plain_position least = position;
    for (int s = 0; s < game->symmetry_count; s++) {
        const uint8_t *image = game->symmetries[s];
        plain_position one = {0, 0};
        for (uint64_t bits = occupied(game, position); bits; bits &= bits - 1) {
            int bit = __builtin_ctzll(bits), to = image[bit];
            if (game->numbers) one.x |= (uint64_t)tile_at(position, bit) << (4 * to);
            if (!game->numbers) one.x |= (position.x >> bit & 1) << to;
            one.o |= (position.o >> bit & 1) << to;
        }
        if (one.o < least.o || (one.o == least.o && one.x < least.x)) least = one;
    }
    return least;
}
