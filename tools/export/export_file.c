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

static size_t write_csv_row(const export_source *export, const export_row *row,
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

static size_t write_npy_row(const export_source *export, const export_row *row,
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

/* ---- formats ---- */

static const export_format formats[] = {{".csv", write_csv_header, write_csv_row},
                                        {".npy", write_npy_header, write_npy_row}};

const export_format *export_format_of(const char *path) {
    size_t length = strlen(path);
    if (strcmp(path, "-") == 0) return &formats[0];
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        size_t ending = strlen(formats[f].ending);
        if (length > ending && strcmp(path + length - ending, formats[f].ending) == 0)
            return &formats[f];
    }
    return NULL;
}

/* ---- files ---- */

static int add_header(export_file *file, uint64_t rows, plb_message *message) {
    char header[EXPORT_HEADER_BYTES];
    size_t size = file->format->write_header(rows, header);
    return output_file_add(&file->output, header, size, message);
}

int export_file_open(const char *path, bool force, export_file *file, plb_message *message) {
    *file = (export_file){.format = export_format_of(path)};
    if (!file->format)
        return plb_fail(message, PLB_EARGUMENT, "%s ends neither in .csv nor in .npy", path);
    return output_file_open(path, force, &file->output, message);
}

int export_file_begin(export_file *file, plb_message *message) {
    return add_header(file, 0, message);
}

int export_file_add(export_file *file, const char *bytes, size_t size, plb_message *message) {
    return output_file_add(&file->output, bytes, size, message);
}

int export_file_finish(export_file *file, uint64_t rows, plb_message *message) {
    bool rewound = false;
    int error = output_file_rewind(&file->output, &rewound, message);
    if (!error && rewound) error = add_header(file, rows, message);
    return error ? error : output_file_finish(&file->output, message);
}

void export_file_close(export_file *file) {
    output_file_close(&file->output);
}
