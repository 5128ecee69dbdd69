/* SPDX-License-Identifier: MIT */
#include "tools/terminal/board.h"

#include <stdio.h>
#include <string.h>

/* With gravity the text of the move, otherwise the letter of the column. */
static char column_label(const plb_table_info *info, int column) {
    if (!info->gravity) return (char)('a' + column % 26);
    return (char)(column < 9 ? '1' + column : 'a' + column - 9);
}

void draw_board(const plb_table *table, uint64_t x, uint64_t o, bool colour) {
    const plb_table_info *info = plb_info(table);
    plb_cell cells[PLB_MAX_CELLS];
    if (plb_read_cells(table, x, o, cells) != PLB_OK) return;
    int width = 1; /* of the longest text of a cell, such as `8'` */
    for (int cell = 0; cell < info->cells; cell++) {
        int length = (int)strlen(cells[cell].text);
        if (length > width) width = length;
    }
    for (int row = info->height - 1; row >= 0; row--) {
        printf(info->gravity ? "   " : "%3d", row + 1);
        for (int column = 0; column < info->width; column++) {
            const plb_cell *cell = &cells[column * info->height + row];
            if (colour && cell->player)
                printf(" \033[1;%dm%*s\033[0m", cell->player == 'x' ? 31 : 34, width, cell->text);
            else
                printf(" %*s", width, cell->player ? cell->text : ".");
        }
        putchar('\n');
    }
    fputs("   ", stdout);
    for (int column = 0; column < info->width; column++)
        printf(" %*c", width, column_label(info, column));
    putchar('\n');
}

char side_to_move(const plb_table *table, uint64_t x, uint64_t o) {
    plb_state state = {.to_move = 'x'};
    plb_find_state(table, x, o, &state, NULL);
    return state.to_move;
}

int stones_on_board(const plb_table *table, uint64_t x, uint64_t o) {
    plb_state state = {.ply = 0};
    plb_find_state(table, x, o, &state, NULL);
    return state.ply;
}

char *format_bounded(plb_value value, const plb_bounds *bounds, char text[64]) {
    if (bounds->least == bounds->most) return plb_format_outcome(value, bounds->least, text);
    snprintf(text, 64, "%s in %d to %d plies", plb_value_text(value), bounds->least, bounds->most);
    return text;
}

/* ---- boards in a frame ----
 *
 * A cell is a mark, a piece (stone or number) or value, a mark and a blank: 4 characters, or 5 if
 * numbers take two. */

enum { VALUE_TEXT = 16 };

/* Characters of a piece: 1 for a stone, up to 2 for a number and its prime. */
static int piece_width(const plb_table_info *info) {
    bool primes = info->largest_number && info->largest_number < info->cells;
    return 1 + (info->largest_number > 9) + primes;
}

static const char bold[] = "\033[1m", dim[] = "\033[2m";
static const char colour_of_x[] = "\033[1;31m", colour_of_o[] = "\033[1;34m";

/* Print text in a colour, if the style has colours, and reset it. */
static void print_coloured(const char *colour, const char *text, frame_style style) {
    if (style.colour)
        printf("%s%s\033[0m", colour, text);
    else
        fputs(text, stdout);
}

const char *player_disc(char player, frame_style style) {
    if (!style.unicode) return player == 'x' ? "x" : "o";
    return player == 'x' ? "●" : "○";
}

static void draw_edge(const board_picture *p, bool is_top, frame_style style) {
    int cell_width = piece_width(p->info) + 3;
    printf("    %s", !style.unicode ? "+" : is_top ? "┌" : "└");
    for (int c = 0; c < cell_width * p->info->width + 1; c++)
        fputs(style.unicode ? "─" : "-", stdout);
    puts(!style.unicode ? "+" : is_top ? "┐" : "┘");
}

/* The move to a cell, or with gravity to its column. NULL: none in picture->moves. */
static const plb_move *find_move(const board_picture *p, int column, int row) {
    for (int m = 0; m < p->count; m++)
        if (p->moves[m].column == column && (p->info->gravity || p->moves[m].row == row))
            return &p->moves[m];
    return NULL;
}

/* Draw the value of a move in three characters: `+5 `, ` = `, `-17`; ` + ` if the move ends the
 * game or its distance is unknown. */
static void draw_value(const board_picture *p, const plb_move *move, frame_style style) {
    char text[VALUE_TEXT], sign = "-=+"[move->value + 1];
    if (move->dtm > 0)
        snprintf(text, sizeof text, "%c%-2d", sign, move->dtm);
    else
        snprintf(text, sizeof text, " %c ", sign);
    bool is_best = move->value == p->moves[0].value && move->dtm == p->moves[0].dtm;
    print_coloured(is_best ? bold : dim, text, style);
}

static void draw_cell(const board_picture *p, int column, int row, frame_style style) {
    int cell = column * p->info->height + row;
    const plb_move *move = p->info->gravity ? NULL : find_move(p, column, row);
    if (p->cells[cell].player) {
        char player = p->cells[cell].player, text[16];
        const char *piece =
            p->info->largest_number ? p->cells[cell].text : player_disc(player, style);
        uint64_t bit = 1ULL << cell;
        const char *marks = p->groups & bit ? "[]" : p->last & bit ? "()" : "  ";
        snprintf(text, sizeof text, "%c%s%c", marks[0], piece, marks[1]);
        print_coloured(player == 'x' ? colour_of_x : colour_of_o, text, style);
        if (p->info->largest_number) printf("%*s", piece_width(p->info) - (int)strlen(piece), "");
    } else {
        if (move)
            draw_value(p, move, style);
        else
            print_coloured(dim, style.unicode ? " · " : " . ", style);
        printf("%*s", piece_width(p->info) - 1, "");
    }
    putchar(' ');
}

void draw_framed_board(const board_picture *picture, frame_style style) {
    draw_edge(picture, true, style);
    for (int row = picture->info->height - 1; row >= 0; row--) {
        const char *side = style.unicode ? "│" : "|";
        if (picture->info->gravity)
            printf("    %s ", side);
        else
            printf("%3d %s ", row + 1, side);
        for (int column = 0; column < picture->info->width; column++)
            draw_cell(picture, column, row, style);
        puts(side);
    }
    draw_edge(picture, false, style);
    fputs("      ", stdout);
    for (int column = 0; column < picture->info->width; column++)
        printf(" %c%*s", column_label(picture->info, column), piece_width(picture->info) + 1, "");
    putchar('\n');
    if (picture->count && picture->info->gravity) {
        fputs("      ", stdout);
        for (int column = 0; column < picture->info->width; column++) {
            const plb_move *move = find_move(picture, column, 0);
            if (move)
                draw_value(picture, move, style);
            else
                fputs("   ", stdout);
            putchar(' ');
        }
        putchar('\n');
    }
}
