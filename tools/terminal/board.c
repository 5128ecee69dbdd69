/* SPDX-License-Identifier: MIT
 *
 * Boards as characters, row by row from the top.
 */
#include "tools/terminal/board.h"

#include <stdio.h>
#include <string.h>

/* Characters of the longest text of a cell, such as `8'`; with stones 1. */
static int widest_cell(const plb_table_info *info, const plb_cell cells[PLB_MAX_CELLS]) {
    int widest = 1;
    for (int cell = 0; cell < info->cells; cell++) {
        int width = (int)strlen(cells[cell].text);
        if (width > widest) widest = width;
    }
    return widest;
}

static void draw_cell(const plb_cell *cell, int width, bool colour) {
    if (colour && cell->player)
        printf(" \033[1;%dm%*s\033[0m", cell->player == 'x' ? 31 : 34, width, cell->text);
    else
        printf(" %*s", width, cell->player ? cell->text : ".");
}

char board_column_label(const plb_table_info *info, int column) {
    if (!info->gravity) return (char)('a' + column % 26);
    return (char)(column < 9 ? '1' + column : 'a' + column - 9);
}

void draw_board(const plb_table *table, uint64_t x, uint64_t o, bool colour) {
    const plb_table_info *info = plb_info(table);
    plb_cell cells[PLB_MAX_CELLS];
    if (plb_read_cells(table, x, o, cells) != PLB_OK) return;
    int width = widest_cell(info, cells);
    for (int row = info->height - 1; row >= 0; row--) {
        printf(info->gravity ? "   " : "%3d", row + 1);
        for (int column = 0; column < info->width; column++)
            draw_cell(&cells[column * info->height + row], width, colour);
        putchar('\n');
    }
    fputs("   ", stdout);
    for (int column = 0; column < info->width; column++)
        printf(" %*c", width, board_column_label(info, column));
    putchar('\n');
}

size_t format_csv_board(const plb_table *table, uint64_t x, uint64_t o, char text[CSV_BOARD_TEXT]) {
    char board[PLB_BOARD_TEXT];
    plb_format_board(table, x, o, board);
    const char *quote = strchr(board, ',') ? "\"" : "";
    return (size_t)snprintf(text, CSV_BOARD_TEXT, "%s%s%s", quote, board, quote);
}

char side_to_move(const plb_table *table, uint64_t x, uint64_t o) {
    plb_state state = {.to_move = 'x'};
    plb_find_state(table, x, o, &state, NULL);
    return state.to_move;
}

const char *bound_words(int bound) {
    return bound > 0 ? "at least a " : bound < 0 ? "at most a " : "";
}

char *format_outcome(plb_value value, int dtm, char text[32]) {
    if (dtm <= 0)
        snprintf(text, 32, "%s", plb_value_text(value));
    else
        snprintf(text, 32, "%s in %d %s", plb_value_text(value), dtm, dtm == 1 ? "ply" : "plies");
    return text;
}
