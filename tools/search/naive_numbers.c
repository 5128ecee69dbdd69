/* SPDX-License-Identifier: MIT
 *
 * The naive implementation of the rules of numbers.
 */
#include "tools/search/naive_numbers.h"

#include <stdio.h>
#include <string.h>

/* A number from a digit: 1 to 9, then a = 10 to g = 16. */
static int number_of(char digit) {
    if (digit >= '1' && digit <= '9') return digit - '0';
    return digit >= 'a' && digit <= 'g' ? digit - 'a' + 10 : 0;
}

bool naive_numbers_read(const char *spec, naive_numbers *game) {
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
        bool first = split ? false : number % 2 == 1;
        for (const char *digit = rest + 6; split && *digit; digit++)
            first |= number_of(*digit) == number;
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
