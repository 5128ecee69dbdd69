/* SPDX-License-Identifier: MIT
 *
 * Answers as jansson has them.
 */
#include "tools/answers/json_answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

/* Has there been no memory for a part of an object? jansson leaves it out and goes on, even where
 * it reads a text: of that a character. */
static _Thread_local bool lacks_part;

static void *allocate(size_t size) {
    void *block = malloc(size);
    if (!block) lacks_part = true;
    return block;
}

__attribute__((constructor)) static void watch_memory(void) {
    json_set_alloc_funcs(allocate, free);
}

/* ---- parts ---- */

json_t *json_of_dtm(int dtm) {
    return dtm == PLB_NO_DTM ? json_null() : json_integer(dtm);
}

json_t *json_of_player(char player) {
    return player ? json_stringn(&player, 1) : json_null();
}

json_t *json_of_board(const plb_table *table, uint64_t x, uint64_t o) {
    char board[PLB_BOARD_TEXT];
    return plb_format_board(table, x, o, board) == PLB_OK ? json_string(board) : json_null();
}

/* ---- tables ---- */

double bits_per_position(const plb_table_info *info) {
    return info->positions ? 8.0 * (double)info->size_bytes / (double)info->positions : 0;
}

json_t *json_of_info(const plb_table *table, plb_value first_player) {
    const plb_table_info *info = plb_info(table);
    return json_pack(
        "{s:s, s:i, s:i, s:i, s:i, s:b, s:b, s:b, s:s, s:s, s:I, s:i, s:I, s:f, s:s, s:I, s:i, "
        "s:s, s:s, s:s?, s:s?, s:o, s:s}",
        "spec", info->spec, "width", info->width, "height", info->height, "cells", info->cells, "k",
        info->k, "gravity", info->gravity, "misere", info->misere, "cylinder", info->cylinder,
        "first_player", plb_value_text(first_player), "values", info->values, "positions",
        (json_int_t)info->positions, "symmetries", info->symmetries, "size_bytes",
        (json_int_t)info->size_bytes, "bits_per_position", bits_per_position(info), "index",
        info->index, "entries", (json_int_t)info->entries, "block_entries", info->block_entries,
        "compression", info->compression, "builder", info->builder, "player", info->player, "claim",
        info->claim, "look_ahead_plies",
        info->player ? json_integer(info->look_ahead) : json_null(), "id", info->id);
}

static json_t *json_of_counts(const plb_table *table, const uint64_t counts[]) {
    json_t *list = json_array();
    for (int plies = 0; plies <= plb_info(table)->cells; plies++)
        if (counts[plies])
            json_array_append_new(list, json_pack("{s:i, s:I}", "dtm_plies", plies, "positions",
                                                  (json_int_t)counts[plies]));
    return list;
}

static json_t *json_of_longest(const plb_table *table, const plb_longest *longest) {
    if (longest->plies == PLB_NO_DTM) return json_null();
    return json_pack("{s:i, s:o}", "dtm_plies", longest->plies, "position",
                     json_of_board(table, longest->x, longest->o));
}

/* Distances of a ply, or null. */
static json_t *json_of_distances(const plb_table *table, int ply) {
    plb_ply_distances d;
    if (plb_distance_stats(table, ply, &d) != PLB_OK) return json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "wins", json_of_counts(table, d.wins), "losses",
                     json_of_counts(table, d.losses), "longest_win",
                     json_of_longest(table, &d.longest_win), "longest_loss",
                     json_of_longest(table, &d.longest_loss));
}

json_t *json_of_stats(const plb_table *table) {
    json_t *plies = json_array();
    plb_ply_stats s;
    for (int ply = 0; plb_stats(table, ply, &s) == PLB_OK; ply++)
        json_array_append_new(
            plies, json_pack("{s:i, s:I, s:I, s:I, s:I, s:I, s:o}", "ply", ply, "total",
                             (json_int_t)s.total, "terminal", (json_int_t)s.terminal, "won",
                             (json_int_t)s.won, "drawn", (json_int_t)s.drawn, "lost",
                             (json_int_t)s.lost, "distances", json_of_distances(table, ply)));
    return json_pack("{s:s, s:o}", "spec", plb_info(table)->spec, "plies", plies);
}

/* ---- errors, printing ---- */

json_t *json_of_text(const char *text) {
    json_t *string = json_string(text);
    if (string) return string;
    char *copy = strdup(text);
    for (char *c = copy; c && *c; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    string = copy ? json_string(copy) : json_null();
    free(copy);
    return string;
}

const char *error_name(int error) {
#define NAME(name, number, text) \
    if (error == (number)) return #name;
    PLB_ERRORS(NAME)
#undef NAME
    return NULL;
}

json_t *json_of_error(const char *text, int error, const plb_message *message) {
    return json_pack("{s:o, s:i, s:o, s:s?}", "position", json_of_text(text), "error", error,
                     "message", json_of_text(message->text), "code", error_name(error));
}

enum { LINE_FLAGS = JSON_COMPACT | JSON_REAL_PRECISION(10) };

json_t *read_json(const char *bytes, size_t size, size_t flags, json_error_t *where,
                  bool *lacks_memory) {
    lacks_part = false;
    json_t *read = json_loadb(bytes, size, flags, where);
    *lacks_memory = lacks_part;
    if (lacks_part) {
        json_decref(read);
        read = NULL;
    }
    lacks_part = false;
    return read;
}

/* The text of an object, which is given up; NULL: there was no memory for all of it. */
static char *format_object(json_t *object) {
    char *text = object && !lacks_part ? json_dumps(object, LINE_FLAGS) : NULL;
    json_decref(object);
    if (lacks_part) {
        free(text);
        text = NULL;
    }
    lacks_part = false;
    return text;
}

char *format_json_line(json_t *object, size_t *size) {
    char *text = format_object(object);
    if (!text) return NULL;
    size_t length = strlen(text);
    char *line = realloc(text, length + 2);
    if (!line) {
        free(text);
        return NULL;
    }
    memcpy(line + length, "\n", 2);
    *size = length + 1;
    return line;
}

void put_built(json_writer *to, const char *key, json_t *object) {
    char *text = format_object(object);
    put_written(to, key, text);
    free(text);
}

/* In one piece: jansson would write token by token. */
void print_json_line(json_t *object) {
    size_t size = 0;
    char *line = format_json_line(object, &size);
    fputs(line ? line : "null\n", stdout);
    free(line);
}
