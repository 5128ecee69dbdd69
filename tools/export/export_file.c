/* SPDX-License-Identifier: MIT
 *
 * Rows as CSV (RFC 4180, lines ended as on Unix; no field needs quotes but boards with commas) and
 * as NPY (format version 1.0, "NEP 1 -- A Simple File Format for NumPy Arrays").
 */
#include "tools/export/export_file.h"

#include <string.h>

#include "tools/terminal/board.h"

/* ---- CSV ---- */

static size_t write_csv_header(uint64_t rows, char bytes[EXPORT_HEADER_BYTES]) {
    (void)rows;
    return stpcpy(bytes, "position,ply,to_move,value,dtm,best_moves\n") - bytes;
}

/* A move and a blank. */
static char *write_move(const plb_game *game, int made, char *to) {
    plb_move move;
    game->rules->to_public_move(game, made, &move);
    to = stpcpy(to, move.text);
    *to++ = ' ';
    return to;
}

static size_t write_csv_row(const plb_export_source *export, const plb_export_row *row,
                            char bytes[EXPORT_ROW_BYTES]) {
    char *to = bytes;
    to += format_csv_board(export->table, row->x, row->o, to);
    to += sprintf(to, ",%d,%c,%s,", row->ply, plb_ply_x_moves(row->ply) ? 'x' : 'o',
                  plb_value_text(row->value));
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

/* The header is padded with blanks, as the format has it, so that it can be written again when the
 * number of rows is known. Its size is a multiple of 64: the records are aligned in a mapping. */
static size_t write_npy_header(uint64_t rows, char bytes[EXPORT_HEADER_BYTES]) {
    enum { MAGIC = 10, SIZE = EXPORT_HEADER_BYTES - MAGIC };
    static const char magic[MAGIC] = {(char)0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)SIZE, 0};
    memcpy(bytes, magic, MAGIC);
    int length =
        snprintf(bytes + MAGIC, SIZE,
                 "{'descr': [('x', '<u8'), ('o', '<u8'), ('ply', '|u1'), ('value', '|i1'), "
                 "('dtm', '<i2'), ('best', '<u8')], 'fortran_order': False, 'shape': (%llu,), }",
                 (unsigned long long)rows);
    memset(bytes + MAGIC + length, ' ', SIZE - length);
    bytes[EXPORT_HEADER_BYTES - 1] = '\n';
    return EXPORT_HEADER_BYTES;
}

static char *put_little_endian(uint64_t number, int size, char *to) {
    for (int byte = 0; byte < size; byte++) *to++ = (char)(number >> (8 * byte));
    return to;
}

static size_t write_npy_row(const plb_export_source *export, const plb_export_row *row,
                            char bytes[EXPORT_ROW_BYTES]) {
    (void)export;
    char *to = put_little_endian(row->x, 8, bytes);
    to = put_little_endian(row->o, 8, to);
    to = put_little_endian((uint64_t)row->ply, 1, to);
    to = put_little_endian((uint64_t)row->value, 1, to);
    to = put_little_endian((uint64_t)row->dtm, 2, to);
    to = put_little_endian(row->best, 8, to);
    return to - bytes;
}

/* ---- lists of other programs ---- */

static size_t write_no_header(uint64_t rows, char bytes[EXPORT_HEADER_BYTES]) {
    (void)rows;
    (void)bytes;
    return 0;
}

/* Cells column by column, each from the bottom, which is the order of the bits; and the value for
 * the first player. */
static size_t write_uci_row(const plb_export_source *export, const plb_export_row *row,
                            char bytes[EXPORT_ROW_BYTES]) {
    char *to = bytes;
    for (int bit = 0; bit < export->game->cells; bit++) {
        *to++ = row->x >> bit & 1 ? 'x' : row->o >> bit & 1 ? 'o' : 'b';
        *to++ = ',';
    }
    plb_value value = plb_ply_x_moves(row->ply) ? row->value : (plb_value)-row->value;
    return stpcpy(stpcpy(to, plb_value_text(value)), "\n") - bytes;
}

/* A game that leads to a position with gravity, as columns from 1: the last moves are taken back
 * one by one, each so that the position before it can arise and its game goes on. False: there is
 * none. */
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
                             char bytes[EXPORT_ROW_BYTES]) {
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

static const export_format formats[] = {{"csv", write_csv_header, write_csv_row},
                                        {"npy", write_npy_header, write_npy_row},
                                        {"uci", write_no_header, write_uci_row},
                                        {"pons", write_no_header, write_pons_row}};
enum { FORMATS = sizeof formats / sizeof *formats };

void export_format_narrow(const export_format *format, plb_export_options *options) {
    if (format->write_row == write_pons_row) {
        if (options->stage < PLB_STAGE_OPEN) options->stage = PLB_STAGE_OPEN;
        if (options->first_ply < 1) options->first_ply = 1; /* no moves would be no column */
    }
    if (format->write_row != write_uci_row) return;
    options->stage = PLB_STAGE_QUIET;
    options->canonical = true;
}

bool parse_export_format(const char *name, void *to) {
    for (int f = 0; f < FORMATS; f++)
        if (strcmp(name, formats[f].name) == 0) {
            *(const export_format **)to = &formats[f];
            return true;
        }
    return false;
}

const export_format *export_format_of(const char *path) {
    size_t length = strlen(path);
    if (strcmp(path, "-") == 0) return &formats[0];
    const char *dot = length > 4 ? path + length - 4 : "";
    return strcmp(dot, ".csv") == 0 ? &formats[0] : strcmp(dot, ".npy") == 0 ? &formats[1] : NULL;
}

/* ---- files ---- */

int export_format_check(const export_format *format, const plb_table *table, plb_message *message) {
    const plb_table_info *info = plb_info(table);
    const plb_game *game = &plb_table_find_file(table)->space.game;
    bool is_uci = format->write_row == write_uci_row, is_pons = format->write_row == write_pons_row;
    if ((is_uci || is_pons) && game->tiles[0])
        return plb_fail(message, PLB_EARGUMENT,
                        "--format %s is for games of stones, and %s is not one", format->name,
                        info->spec);
    if (is_pons && !info->gravity)
        return plb_fail(message, PLB_EARGUMENT,
                        "--format pons writes moves as columns; %s has no gravity", info->spec);
    if (is_pons && strcmp(info->values, "dtm") != 0)
        return plb_fail(message, PLB_EARGUMENT,
                        "--format pons writes distances, which this table has not: build it with "
                        "--values dtm");
    return PLB_OK;
}

int export_write_header(const export_format *format, uint64_t rows, output_file *file,
                        plb_message *message) {
    char header[EXPORT_HEADER_BYTES];
    return output_file_add(file, header, format->write_header(rows, header), message);
}

int export_finish(const export_format *format, uint64_t rows, output_file *file,
                  plb_message *message) {
    bool rewound = false;
    int error = output_file_rewind(file, &rewound, message);
    if (!error && rewound) error = export_write_header(format, rows, file, message);
    return error ? error : output_file_finish(file, message);
}
