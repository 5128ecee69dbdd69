/* SPDX-License-Identifier: MIT
 *
 * Rows as CSV (RFC 4180, lines ended as on Unix; no field needs quotes but boards with commas), as
 * NPY (format version 1.0, "NEP 1 -- A Simple File Format for NumPy Arrays"), and as lines of other
 * programs.
 */
#include <stdio.h>
#include <string.h>

#include "probe/export_rows.h"
#include "tables/array.h"

/* ---- CSV ---- */

static size_t write_csv_header(uint64_t rows, char bytes[PLB_EXPORT_HEADER]) {
    (void)rows;
    return stpcpy(bytes, "position,ply,to_move,value,dtm,best_moves\n") - bytes;
}

/* Write a move and a blank. Returns the address after them. */
static char *write_move(const plb_game *game, int made, char *to) {
    plb_move move;
    game->rules->to_public_move(game, made, &move);
    to = stpcpy(to, move.text);
    *to++ = ' ';
    return to;
}

static size_t write_csv_row(const plb_export_source *export, const plb_export_row *row,
                            char bytes[PLB_ROW_TEXT]) {
    char board[PLB_BOARD_TEXT], *to = bytes;
    plb_format_board(export->table, row->x, row->o, board);
    const char *quote = strchr(board, ',') ? "\"" : "";
    to += sprintf(to, "%s%s%s,%d,%c,%s,", quote, board, quote, row->ply,
                  plb_ply_x_moves(row->ply) ? 'x' : 'o', plb_value_text(row->value));
    if (row->dtm != PLB_NO_DTM) to += sprintf(to, "%d", row->dtm);
    *to++ = ',';
    /* Moves by column, then by row: the order of the bits; then by number. */
    const char *begin = to;
    bool has_tiles = export->game->tiles[0];
    uint64_t best = row->best;
    for (; best; best &= best - 1) {
        int bit = plb_lowest(best);
        int cell =
            plb_game_cell(export->game, bit / export->game->height, bit % export->game->height);
        if (!has_tiles) to = write_move(export->game, cell, to);
        for (uint32_t tiles = has_tiles ? row->tiles[bit] : 0; tiles; tiles &= tiles - 1)
            to = write_move(export->game, plb_lowest(tiles) * PLB_MAX_CELLS + cell, to);
    }
    to = to > begin ? to - 1 : to;
    *to++ = '\n';
    return to - bytes;
}

/* ---- NPY ---- */

/* The header is padded with blanks, as the format allows, so that it can be rewritten when the
 * number of rows is known. Its size is a multiple of 64, so that mapped records are aligned. */
static size_t write_npy_header(uint64_t rows, char bytes[PLB_EXPORT_HEADER]) {
    enum { MAGIC = 10, SIZE = PLB_EXPORT_HEADER - MAGIC };
    static const char magic[MAGIC] = {(char)0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)SIZE, 0};
    memcpy(bytes, magic, MAGIC);
    int length =
        snprintf(bytes + MAGIC, SIZE,
                 "{'descr': [('x', '<u8'), ('o', '<u8'), ('ply', '|u1'), ('value', '|i1'), "
                 "('dtm', '<i2'), ('best', '<u8')], 'fortran_order': False, 'shape': (%llu,), }",
                 (unsigned long long)rows);
    memset(bytes + MAGIC + length, ' ', SIZE - length);
    bytes[PLB_EXPORT_HEADER - 1] = '\n';
    return PLB_EXPORT_HEADER;
}

static size_t write_npy_row(const plb_export_source *export, const plb_export_row *row,
                            char bytes[PLB_ROW_TEXT]) {
    (void)export;
    const struct __attribute__((packed)) {
        uint64_t x, o;
        uint8_t ply;
        int8_t value;
        int16_t dtm;
        uint64_t best;
    } record = {row->x,   row->o, (uint8_t)row->ply, (int8_t)row->value, (int16_t)row->dtm,
                row->best};
    memcpy(bytes, &record, sizeof record);
    return sizeof record;
}

/* ---- lists of other programs ---- */

static size_t write_no_header(uint64_t rows, char bytes[PLB_EXPORT_HEADER]) {
    (void)rows;
    (void)bytes;
    return 0;
}

/* Cells column by column, each from the bottom, which is the order of the bits; then the value for
 * x. */
static size_t write_uci_row(const plb_export_source *export, const plb_export_row *row,
                            char bytes[PLB_ROW_TEXT]) {
    char *to = bytes;
    for (int bit = 0; bit < export->game->cells; bit++) {
        *to++ = row->x >> bit & 1 ? 'x' : row->o >> bit & 1 ? 'o' : 'b';
        *to++ = ',';
    }
    plb_value value = plb_ply_x_moves(row->ply) ? row->value : (plb_value)-row->value;
    return stpcpy(stpcpy(to, plb_value_text(value)), "\n") - bytes;
}

/* Find moves that lead to a position with gravity, as columns from 1 on. The last move is taken
 * back repeatedly, so that the position before it can arise and its game is not over. False: there
 * are none. */
static bool find_moves(const plb_game *game, plb_position p, char moves[PLB_MAX_CELLS + 1]) {
    static const char names[] = "123456789abcdefghijklmnopqrstuvwxyz";
    int ply = plb_rules_ply(game, p);
    moves[ply] = 0;
    while (ply--) {
        bool found = false;
        for (int column = 0; column < game->width && !found; column++) {
            plb_position before = p;
            uint64_t *last = plb_ply_x_moves(ply) ? &before.x : &before.o;
            int row = game->height - 1;
            while (row >= 0 && !((p.x | p.o) >> plb_game_cell(game, column, row) & 1)) row--;
            if (row < 0 || !(*last >> plb_game_cell(game, column, row) & 1)) continue;
            *last &= ~(1ULL << plb_game_cell(game, column, row));
            if (plb_rules_check(game, before, NULL) != PLB_OK || plb_rules_is_over(game, before))
                continue;
            p = before;
            moves[ply] = names[column];
            found = true;
        }
        if (!found) return false;
    }
    return true;
}

static size_t write_pons_row(const plb_export_source *export, const plb_export_row *row,
                             char bytes[PLB_ROW_TEXT]) {
    uint64_t x = row->x, o = row->o;
    plb_position position;
    plb_list_known known = {row->value, row->dtm, row->ply, export->game->cells};
    if (export->game->rules->from_words(export->game, x, o, &position, NULL) != PLB_OK ||
        !find_moves(export->game, position, bytes))
        return 0;
    size_t length = strlen(bytes);
    return length + sprintf(bytes + length, " %d\n", plb_list_score(&known));
}

/* ---- formats ---- */

static const plb_row_format formats[] = {{"csv", write_csv_header, write_csv_row},
                                         {"npy", write_npy_header, write_npy_row},
                                         {"uci", write_no_header, write_uci_row},
                                         {"pons", write_no_header, write_pons_row}};
enum { FORMATS = sizeof formats / sizeof *formats };

const plb_row_format *plb_row_format_find(const char *name) {
    for (int f = 0; f < FORMATS; f++)
        if (!name || strcmp(name, formats[f].name) == 0) return &formats[f];
    return NULL;
}

int plb_row_format_choose(plb_export_source *export, plb_message *message) {
    const plb_table_info *info = plb_info(export->table);
    plb_export_options *o = &export->options;
    export->format = plb_row_format_find(o->format);
    if (!export->format)
        return plb_fail(message, PLB_EARGUMENT,
                        "there is no format '%.40s' of rows: " PLB_ROW_FORMATS " is needed",
                        o->format);
    bool is_uci = export->format->write_row == write_uci_row;
    bool is_pons = export->format->write_row == write_pons_row;
    if ((is_uci || is_pons) && export->game->tiles[0])
        return plb_fail(message, PLB_EARGUMENT,
                        "the format %s is for games of stones, and %s is not one",
                        export->format->name, info->spec);
    if (is_pons && !info->gravity)
        return plb_fail(message, PLB_EARGUMENT,
                        "the format pons writes moves as columns; %s has no gravity", info->spec);
    if (is_pons && strcmp(info->values, "dtm") != 0)
        return plb_fail(
            message, PLB_EARGUMENT,
            "the format pons writes distances, which this table does not have: build it "
            "with --values dtm");
    if (is_pons && o->end_ply == 1)
        return plb_fail(message, PLB_EARGUMENT,
                        "the format pons writes moves, and at ply 0 there are none");
    if (is_pons && o->stage == PLB_STAGE_ALL) o->stage = PLB_STAGE_OPEN;
    if (is_pons && o->first_ply == 0) o->first_ply = 1;
    if (is_uci) o->stage = PLB_STAGE_QUIET;
    if (is_uci) o->canonical = true;
    return PLB_OK;
}

bool plb_text_rows_take(void *context, const plb_export_row *row) {
    plb_text_rows *t = context;
    if (t->capacity - t->size < PLB_ROW_TEXT) {
        size_t capacity = 2 * t->capacity + PLB_ROW_TEXT;
        if (!PLB_ARRAY_RESIZE(t->text, capacity)) return false;
        t->capacity = capacity;
    }
    t->size += t->export->format->write_row(t->export, row, t->text + t->size);
    t->count++;
    return true;
}
