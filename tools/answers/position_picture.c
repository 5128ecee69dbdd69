/* SPDX-License-Identifier: MIT */
#include "tools/answers/position_picture.h"

#include <stdio.h>

#include "tools/terminal/board.h"

enum { SIDE = 60, RADIUS = 22, MARGIN = 36, FONT = PICTURE_FONT }; /* in its units */

int find_picture(const plb_table *table, uint64_t x, uint64_t o, bool bare,
                 position_picture *picture, plb_message *message) {
    *picture = (position_picture){.table = table, .x = x, .o = o, .bare = bare};
    int error = plb_analyse(table, x, o, &picture->found, message);
    return error ? error : plb_find_state(table, x, o, &picture->state, message);
}

void find_picture_size(const plb_table *table, int *width, int *height) {
    const plb_table_info *info = plb_info(table);
    *width = SIDE * info->width + 2 * MARGIN;
    *height = SIDE * info->height + 2 * FONT;
}

/* Where things are: the middle of a cell, from the top left. */
static int middle_x(int column) {
    return MARGIN + SIDE * column + SIDE / 2;
}
static int middle_y(const plb_table_info *info, int row) {
    return SIDE * (info->height - 1 - row) + SIDE / 2;
}

void draw_text(FILE *to, int x, int y, const char *colour, const char *text) {
    fprintf(to, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", x, y + FONT / 3, colour, text);
}

static void draw_stones(FILE *to, const position_picture *p) {
    const plb_table_info *info = plb_info(p->table);
    plb_cell cells[PLB_MAX_CELLS];
    plb_read_cells(p->table, p->x, p->o, cells);
    for (int cell = 0; cell < info->cells; cell++) {
        int column = cell / info->height, row = cell % info->height;
        bool is_x = cells[cell].player == 'x';
        if (!cells[cell].player) continue;
        fprintf(to,
                "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\" stroke=\"#1d232b\" "
                "stroke-width=\"%d\"/>\n",
                middle_x(column), middle_y(info, row), RADIUS, is_x ? "#7457cf" : "#f2b91f",
                p->state.groups >> cell & 1 ? 6 : 2);
        draw_text(to, middle_x(column), middle_y(info, row), is_x ? "#fff" : "#1d232b",
                  cells[cell].text);
    }
}

/* Moves come best first; a cell gets its best one. */
static void draw_values(FILE *to, const plb_table_info *info, const plb_analysis *found) {
    static const char signs[] = "-=+";
    static const char *const colours[] = {"#a33b00", "#55606e", "#0b5fa5"};
    uint64_t drawn = 0;
    for (int m = 0; m < found->count; m++) {
        const plb_move *move = &found->moves[m];
        int cell = move->column * info->height + move->row, value = (int)move->value + 1;
        char text[16];
        if (drawn >> cell & 1) continue;
        drawn |= 1ULL << cell;
        snprintf(text, sizeof text, "%c", signs[value]);
        if (move->dtm != PLB_NO_DTM) snprintf(text + 1, sizeof text - 1, "%d", move->dtm);
        draw_text(to, middle_x(move->column), middle_y(info, move->row), colours[value], text);
    }
}

static void draw_labels(FILE *to, const plb_table_info *info) {
    char text[16];
    for (int column = 0; column < info->width; column++) {
        snprintf(text, sizeof text, "%c", board_column_label(info, column));
        draw_text(to, middle_x(column), SIDE * info->height + FONT, "#1d232b", text);
    }
    for (int row = 0; row < info->height && !info->gravity; row++) {
        snprintf(text, sizeof text, "%d", row + 1);
        draw_text(to, MARGIN / 2, middle_y(info, row), "#1d232b", text);
    }
}

void describe_picture(const position_picture *p, char text[PICTURE_WORDS]) {
    const plb_state *state = &p->state;
    const plb_answer *answer = &p->found.answer;
    char outcome[32];
    if (state->over && state->winner)
        snprintf(text, PICTURE_WORDS, "%c has won", state->winner);
    else if (state->over)
        snprintf(text, PICTURE_WORDS, "a draw");
    else if (p->bare)
        snprintf(text, PICTURE_WORDS, "%c to move", state->to_move);
    else
        snprintf(text, PICTURE_WORDS, "%c to move: %s%s", state->to_move,
                 bound_words(answer->bound), format_outcome(answer->value, answer->dtm, outcome));
}

void draw_position(FILE *to, const position_picture *p) {
    const plb_table_info *info = plb_info(p->table);
    for (int cell = 0; cell < info->cells; cell++)
        fprintf(to,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
                "stroke=\"#c9ced6\"/>\n",
                middle_x(cell / info->height) - SIDE / 2,
                middle_y(info, cell % info->height) - SIDE / 2, SIDE, SIDE);
    draw_stones(to, p);
    if (!p->bare) draw_values(to, info, &p->found);
    draw_labels(to, info);
}

void begin_drawing(FILE *to, int left, int width, int height, const char *spec, const char *words) {
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"%d 0 %d %d\" font-family=\"sans-serif\" font-size=\"%d\" "
            "text-anchor=\"middle\">\n<title>%s: %s</title>\n"
            "<rect x=\"%d\" width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            width, height, left, width, height, FONT, spec, words, left, width, height);
}
