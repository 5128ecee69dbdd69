/* SPDX-License-Identifier: MIT
 *
 * The probe library as a module of WebAssembly. It has one table; questions are text, answers JSON.
 *
 * A call: the host writes the input into the buffer that input() returns, calls a function, and
 * reads the line of JSON at the address that it returns. status() is then 0, or an error of the
 * library, and the line describes the problem as the service does. The module imports a clock, and
 * functions that read the file of the table, from the host.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "probe/export_rows.h"
#include "probe/table.h"
#include "tables/bits.h"
#include "tables/store/input_file.h"
#include "tools/answers/position_query.h"
#include "tools/terminal/console.h"

/* ---- imports: an implementation of tables/store/input_file.h, and the clock ---- */

#define FROM_HOST(name) __attribute__((import_module("host"), import_name(name)))

/* Sizes and offsets are doubles, as in JavaScript: exact up to 2^53. */
FROM_HOST("size") double host_size(void);
FROM_HOST("read")
int host_read(double offset, size_t size, void *bytes); /* 0: failure */
FROM_HOST("seconds") double host_seconds(void);

double seconds_now(void) {
    return host_seconds();
}

int plb_input_file_open(const char *path, plb_input_file *input, plb_message *message) {
    plb_input_file made = {.file = 0, .path = strdup(path), .size_bytes = (uint64_t)host_size()};
    if (!made.path) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    *input = made;
    return PLB_OK;
}

bool plb_input_file_exists(const char *path) {
    (void)path;
    return false;
}

char *plb_input_file_follow(const char *path) {
    (void)path;
    return NULL;
}

void plb_input_file_close(plb_input_file *input) {
    free(input->path);
    *input = (plb_input_file){.file = -1};
}

int plb_input_file_read(const plb_input_file *input, plb_extent extent, void *bytes,
                        plb_message *message) {
    if (extent.offset > input->size_bytes || extent.size > input->size_bytes - extent.offset)
        return plb_fail(message, PLB_ECORRUPT, "%s is cut short: it should have %llu bytes or more",
                        input->path, (unsigned long long)(extent.offset + extent.size));
    if (extent.size && !host_read((double)extent.offset, plb_size(extent.size), bytes))
        return plb_fail(message, PLB_EIO, "cannot read %s", input->path);
    return PLB_OK;
}

/* ---- exports ---- */

#define TO_HOST(name) __attribute__((export_name(name)))

static plb_table *table;
static int status;
static char *line;     /* the last answer */
static uint8_t *input; /* of the next call */

TO_HOST("input") uint8_t *allocate_input(size_t size) {
    free(input);
    return input = malloc(size + 1);
}

TO_HOST("status") int find_status(void) {
    return status;
}

/* Finish an answer; after an error, replace it by a description of the problem. */
static const char *finish(json_writer *found, int error, const plb_message *message,
                          const char *parameter) {
    size_t size;
    status = error;
    if (error) {
        drop_json(found);
        *found = begin_json_object();
        put_text(found, "detail", message->text);
        put_text(found, "code", error_name(error));
        put_text(found, "parameter", parameter);
    }
    close_object(found);
    free(line);
    line = take_json_line(found, &size);
    if (!line) status = PLB_ENOMEM;
    return line ? line : "{\"detail\":\"out of memory\",\"code\":\"PLB_ENOMEM\"}";
}

/* Open the table. Input: its name, for messages. Answer: {"spec"}. */
TO_HOST("open") const char *open_table(void) {
    json_writer w = begin_json_object();
    plb_message message = {""};
    plb_close(table);
    table = NULL;
    int error = plb_table_load((const char *)input, NULL, &table, &message);
    if (!error) put_word(&w, "spec", plb_info(table)->spec);
    return finish(&w, error, &message, NULL);
}

/* Decompress the input, a zstd frame whose content has a known size. The content becomes the input.
 * NULL: it is not a valid frame. */
TO_HOST("unpack") const uint8_t *unpack(size_t size, size_t content) {
    uint8_t *to = malloc(content + 1);
    if (!to || ZSTD_decompress(to, content, input, size) != content) {
        free(to);
        return NULL;
    }
    free(input);
    return input = to;
}

enum { HAS_BOARD = 1, HAS_MOVES = 2 };
enum { POSITION, BEST, LINE, GAME };

/* Answer a question about a position. Input: a board and moves, each ending with a zero byte.
 * given: which of them are set (HAS_BOARD, HAS_MOVES). skips_missing: the answer may be wrong, but
 * one call reads all blocks that it needs (plb_lookup_skip_missing). */
TO_HOST("ask") const char *ask(int what, int given, double seconds, int skips_missing) {
    static query_handler *const handlers[] = {query_position, query_best, query_line, query_game};
    const char *board = (const char *)input, *moves = board + strlen(board) + 1;
    position_query query;
    plb_limits limits = {.seconds = seconds};
    plb_message message = {""};
    json_writer w = begin_json_object();
    bool is_final;
    int error = read_position_query(table, given & HAS_BOARD ? board : NULL,
                                    given & HAS_MOVES ? moves : NULL, &query, &message);
    if (!error && what == LINE && plb_info(table)->player)
        error = plb_fail(&message, PLB_EUNKNOWN, "a strategy has no distances, and so no lines");
    if (table->lookup) plb_lookup_skip_missing(table->lookup, skips_missing);
    if (!error) error = handlers[what](table, &query, &limits, &w, &is_final, &message);
    return finish(&w, error, &message, query.parameter);
}

static bool take_row(void *context, const plb_export_row *row) {
    *(plb_export_row *)context = *row;
    return true;
}

/* Draw a random position of a ply. */
TO_HOST("sample") const char *draw_sample(int ply, double seed) {
    const plb_export_options options = {
        .first_ply = ply, .end_ply = ply + 1, .samples = 1, .seed = (uint64_t)seed};
    plb_export_source source;
    plb_export_row row = {.x = 0};
    uint64_t done;
    plb_answer answer;
    plb_message message = {""};
    json_writer w = begin_json_object();
    if (table->lookup) plb_lookup_skip_missing(table->lookup, false);
    int error = plb_export_init(table, &options, &source, &message);
    if (!error)
        error = plb_export_run(&source, 0, &(plb_export_taker){take_row, &row}, &done, &message);
    if (!error) error = plb_probe(table, row.x, row.o, &answer, &message);
    if (!error) {
        open_list(&w, "positions");
        open_object(&w, NULL);
        put_probed(&w, table, row.x, row.o, &answer);
        close_object(&w);
        close_list(&w);
    }
    return finish(&w, error, &message, "ply");
}
