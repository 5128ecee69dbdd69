/* SPDX-License-Identifier: MIT
 *
 * Rows as CSV (RFC 4180, lines ended as on Unix; no field ever needs quotes) and as NPY (format
 * version 1.0, "NEP 1 -- A Simple File Format for NumPy Arrays").
 */
#include "tools/export_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tables/notation.h"
#include "tools/board.h"

/* ---- CSV ---- */

static size_t write_csv_header(uint64_t rows, char bytes[PLB_EXPORT_HEADER_BYTES]) {
    (void)rows;
    return stpcpy(bytes, "position,ply,to_move,value,dtm,best_moves\n") - bytes;
}

/* Moves by column, then by row: the order of the bits. */
static char *write_moves(const plb_game *game, uint64_t best, char *to) {
    for (bool first = true; best; best &= best - 1, first = false) {
        char text[PLB_MOVE_TEXT];
        int bit = plb_lowest(best);
        int cell = plb_game_cell(game, bit / game->height, bit % game->height);
        plb_notation_format_move(game, cell, text);
        if (!first) *to++ = ' ';
        to = stpcpy(to, text);
    }
    return to;
}

static size_t write_csv_row(const plb_export *export, const plb_export_row *row,
                            char bytes[PLB_EXPORT_ROW_BYTES]) {
    char *to = bytes;
    plb_format_board(export->table, row->x, row->o, to);
    to += strlen(to);
    to += sprintf(to, ",%d,%c,%s,", row->ply, side_to_move(row->x, row->o),
                  plb_value_text(row->value));
    if (row->dtm != PLB_NO_DTM) to += sprintf(to, "%d", row->dtm);
    *to++ = ',';
    to = write_moves(&export->game, row->best, to);
    *to++ = '\n';
    return to - bytes;
}

/* ---- NPY ---- */

/* The header is padded with blanks, as the format has it, so that it can be written again when the
 * number of rows is known. Its size is a multiple of 64: the records are aligned in a mapping. */
static size_t write_npy_header(uint64_t rows, char bytes[PLB_EXPORT_HEADER_BYTES]) {
    enum { MAGIC = 10, SIZE = PLB_EXPORT_HEADER_BYTES - MAGIC };
    static const char magic[MAGIC] = {(char)0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)SIZE, 0};
    memcpy(bytes, magic, MAGIC);
    int length =
        snprintf(bytes + MAGIC, SIZE,
                 "{'descr': [('x', '<u8'), ('o', '<u8'), ('ply', '|u1'), ('value', '|i1'), "
                 "('dtm', '<i2'), ('best', '<u8')], 'fortran_order': False, 'shape': (%llu,), }",
                 (unsigned long long)rows);
    memset(bytes + MAGIC + length, ' ', SIZE - length);
    bytes[PLB_EXPORT_HEADER_BYTES - 1] = '\n';
    return PLB_EXPORT_HEADER_BYTES;
}

static char *put_little_endian(uint64_t number, int size, char *to) {
    for (int byte = 0; byte < size; byte++) *to++ = (char)(number >> (8 * byte));
    return to;
}

static size_t write_npy_row(const plb_export *export, const plb_export_row *row,
                            char bytes[PLB_EXPORT_ROW_BYTES]) {
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

static const plb_export_format formats[] = {{".csv", write_csv_header, write_csv_row},
                                            {".npy", write_npy_header, write_npy_row}};

const plb_export_format *plb_export_format_of(const char *path) {
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

static int fail_writing(const plb_export_file *file, plb_message *message) {
    return plb_fail_errno(message, errno, "cannot write",
                          file->temporary ? file->path : "the output");
}

static int check_path(const char *path, bool force, plb_message *message) {
    struct stat there;
    if (stat(path, &there) != 0) return PLB_OK; /* if it cannot be made, that is told later */
    if (!S_ISREG(there.st_mode))
        return plb_fail(message, PLB_EARGUMENT, "%.200s exists and is not a file", path);
    if (!force) return plb_fail(message, PLB_EARGUMENT, "%.200s exists; --force replaces it", path);
    return PLB_OK;
}

/* A new file has the permissions that the user's mask leaves; mkstemp leaves fewer. */
static int allow_others(int descriptor) {
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(descriptor, 0666 & ~mask);
}

static int create_temporary(plb_export_file *file, plb_message *message) {
    if (asprintf(&file->temporary, "%s.XXXXXX", file->path) < 0) {
        file->temporary = NULL;
        return plb_fail(message, PLB_ENOMEM, "out of memory for %.200s", file->path);
    }
    int descriptor = mkstemp(file->temporary);
    if (descriptor < 0) {
        int number = errno;
        free(file->temporary);
        file->temporary = NULL;
        return plb_fail_errno(message, number, "cannot create", file->path);
    }
    if (allow_others(descriptor) == 0) file->stream = fdopen(descriptor, "w");
    if (file->stream) return PLB_OK;
    int error = fail_writing(file, message);
    close(descriptor);
    return error;
}

static int add_header(plb_export_file *file, uint64_t rows, plb_message *message) {
    char header[PLB_EXPORT_HEADER_BYTES];
    size_t size = file->format->write_header(rows, header);
    return plb_export_file_add(file, header, size, message);
}

int plb_export_file_open(const char *path, bool force, plb_export_file *file,
                         plb_message *message) {
    *file = (plb_export_file){.path = path, .format = plb_export_format_of(path)};
    if (!file->format)
        return plb_fail(message, PLB_EARGUMENT, "%.200s ends neither in .csv nor in .npy", path);
    int error = PLB_OK;
    if (strcmp(path, "-") == 0) {
        file->stream = stdout;
    } else {
        error = check_path(path, force, message);
        if (!error) error = create_temporary(file, message);
    }
    return error ? error : add_header(file, 0, message);
}

int plb_export_file_add(plb_export_file *file, const char *bytes, size_t size,
                        plb_message *message) {
    return fwrite(bytes, 1, size, file->stream) == size ? PLB_OK : fail_writing(file, message);
}

/* What can fail late fails before the file has its name. */
static int settle_on_disk(plb_export_file *file, plb_message *message) {
    bool good = fflush(file->stream) == 0 && fsync(fileno(file->stream)) == 0;
    if (!good) return fail_writing(file, message);
    good = fclose(file->stream) == 0;
    file->stream = NULL;
    return good ? PLB_OK : fail_writing(file, message);
}

int plb_export_file_finish(plb_export_file *file, uint64_t rows, plb_message *message) {
    if (!file->temporary) return fflush(stdout) == 0 ? PLB_OK : fail_writing(file, message);
    if (fseek(file->stream, 0, SEEK_SET) != 0) return fail_writing(file, message);
    int error = add_header(file, rows, message);
    if (!error) error = settle_on_disk(file, message);
    if (!error && rename(file->temporary, file->path) != 0) error = fail_writing(file, message);
    if (error) return error;
    free(file->temporary);
    file->temporary = NULL;
    return PLB_OK;
}

void plb_export_file_close(plb_export_file *file) {
    if (file->stream && file->stream != stdout) fclose(file->stream);
    if (file->temporary) unlink(file->temporary);
    free(file->temporary);
    *file = (plb_export_file){0};
}
