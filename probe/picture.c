/* SPDX-License-Identifier: MIT
 *
 * A board as SVG, with the values of its moves. Discs, signs and labels are readable in print and
 * without colours. The document refers to no other file.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "probe/table.h"
#include "tables/games/notation.h"

enum {
    SIDE = 60, /* of a cell, in pixels */
    RADIUS = 22,
    MARGIN = 36,
    TOP = 6, /* above the board */
    FONT = 24,
    MIN_WIDTH = 320,   /* if there is a line of words */
    WORDS_HEIGHT = 36, /* of this line */
};
static const char ink[] = "#1d232b";

/* A picture that is being drawn. `found` is empty if values are not shown. */
typedef struct drawing {
    const plb_table *table;
    uint64_t x, o;
    plb_state state;
    plb_analysis found;
    plb_picture *to;
    size_t used; /* of to->svg */
    int left;    /* of the board, in the picture */
} drawing;

__attribute__((format(printf, 2, 3))) static void put(drawing *d, const char *format, ...) {
    va_list arguments;
    size_t room = sizeof d->to->svg - d->used;
    va_start(arguments, format);
    int length = vsnprintf(d->to->svg + d->used, room, format, arguments);
    va_end(arguments);
    d->used += plb_min((uint64_t)length, room - 1);
}

/* Coordinates of the middle of a cell, from the top left of the picture. */
static int middle_x(const drawing *d, int column) {
    return d->left + MARGIN + SIDE * column + SIDE / 2;
}
static int middle_y(const drawing *d, int row) {
    return TOP + SIDE * (d->table->info.height - 1 - row) + SIDE / 2;
}

static void put_text(drawing *d, int x, int y, const char *colour, const char *text) {
    put(d, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", x, y + FONT / 3, colour, text);
}

static void draw_cells(drawing *d) {
    int height = d->table->info.height;
    plb_cell cells[PLB_MAX_CELLS];
    plb_read_cells(d->table, d->x, d->o, cells);
    for (int cell = 0; cell < d->table->info.cells; cell++) {
        int x = middle_x(d, cell / height), y = middle_y(d, cell % height);
        bool is_x = cells[cell].player == 'x';
        put(d,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
            "stroke=\"#c9ced6\"/>\n",
            x - SIDE / 2, y - SIDE / 2, SIDE, SIDE);
        if (!cells[cell].player) continue;
        put(d,
            "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\" stroke=\"%s\" "
            "stroke-width=\"%d\"/>\n",
            x, y, RADIUS, is_x ? "#7457cf" : "#f2b91f", ink, d->state.groups >> cell & 1 ? 6 : 2);
        put_text(d, x, y, is_x ? "#fff" : ink, cells[cell].text);
    }
}

/* Moves are sorted, best first: a cell shows its best move. */
static void draw_values(drawing *d) {
    static const char signs[] = "-=+";
    static const char *const colours[] = {"#a33b00", "#55606e", "#0b5fa5"};
    uint64_t drawn = 0;
    for (int m = 0; m < d->found.count; m++) {
        const plb_move *move = &d->found.moves[m];
        int cell = move->column * d->table->info.height + move->row, value = (int)move->value + 1;
        char text[16];
        if (drawn >> cell & 1) continue;
        drawn |= 1ULL << cell;
        snprintf(text, sizeof text, "%c", signs[value]);
        if (move->dtm != PLB_NO_DTM) snprintf(text + 1, sizeof text - 1, "%d", move->dtm);
        put_text(d, middle_x(d, move->column), middle_y(d, move->row), colours[value], text);
    }
}

/* Draw the names of columns and, if moves name rows, their numbers. */
static void draw_labels(drawing *d) {
    const plb_game *game = &d->table->file.space.game;
    char text[PLB_MOVE_TEXT];
    for (int column = 0; column < game->width; column++) {
        plb_notation_format_move(game, plb_game_cell(game, column, 0), text);
        if (!game->gravity) text[strcspn(text, "1")] = 0;
        put_text(d, middle_x(d, column), TOP + SIDE * game->height + FONT, ink, text);
    }
    for (int row = 0; row < game->height && !game->gravity; row++) {
        snprintf(text, sizeof text, "%d", row + 1);
        put_text(d, d->left + MARGIN / 2, middle_y(d, row), ink, text);
    }
}

char *plb_format_outcome(plb_value value, int dtm, char text[PLB_OUTCOME_TEXT]) {
    const char *name = plb_value_text(value);
    if (!text) return NULL;
    if (dtm <= 0)
        snprintf(text, PLB_OUTCOME_TEXT, "%s", name);
    else
        snprintf(text, PLB_OUTCOME_TEXT, "%s in %d %s", name, dtm, dtm == 1 ? "ply" : "plies");
    return text;
}

static void describe(const drawing *d, char words[PLB_PICTURE_WORDS]) {
    const plb_answer *answer = &d->found.answer;
    char outcome[PLB_OUTCOME_TEXT];
    if (d->state.over && d->state.winner)
        snprintf(words, PLB_PICTURE_WORDS, "%c has won", d->state.winner);
    else if (d->state.over)
        snprintf(words, PLB_PICTURE_WORDS, "a draw");
    else if (d->to->bare)
        snprintf(words, PLB_PICTURE_WORDS, "%c to move", d->state.to_move);
    else
        snprintf(words, PLB_PICTURE_WORDS, "%c to move: %s%s", d->state.to_move,
                 answer->bound > 0   ? "at least a "
                 : answer->bound < 0 ? "at most a "
                                     : "",
                 plb_format_outcome(answer->value, answer->dtm, outcome));
}

int plb_draw(const plb_table *table, uint64_t x, uint64_t o, plb_picture *picture,
             plb_message *message) {
    drawing d = {.table = table, .x = x, .o = o, .to = picture};
    if (PLB_REJECT_NULL(message, table, picture)) return PLB_EARGUMENT;
    int error = plb_find_state(table, x, o, &d.state, message);
    if (!error && !picture->bare) error = plb_analyse(table, x, o, &d.found, message);
    if (error) return error;
    int board_width = SIDE * table->info.width + 2 * MARGIN;
    picture->width = board_width;
    picture->height = TOP + SIDE * table->info.height + 2 * FONT;
    if (!picture->wordless && picture->width < MIN_WIDTH) picture->width = MIN_WIDTH;
    d.left = (picture->width - board_width) / 2;
    int words_y = picture->height + WORDS_HEIGHT / 3;
    if (!picture->wordless) picture->height += WORDS_HEIGHT;
    describe(&d, picture->words);
    put(&d,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"%d\" "
        "text-anchor=\"middle\">\n<title>%s: %s</title>\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
        picture->width, picture->height, picture->width, picture->height, FONT, table->info.spec,
        picture->words, picture->width, picture->height);
    draw_cells(&d);
    draw_values(&d);
    draw_labels(&d);
    if (!picture->wordless) put_text(&d, picture->width / 2, words_y, ink, picture->words);
    put(&d, "</svg>\n");
    return PLB_OK;
}
