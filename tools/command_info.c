/* SPDX-License-Identifier: MIT
 *
 * `plybase info`: what a table is.
 */
#include <jansson.h>
#include <stdio.h>

#include "tools/arguments.h"
#include "tools/command.h"

typedef struct arguments {
    const char *file;
    bool json;
} arguments;

static error_t parse_option(int key, char *value, struct argp_state *state) {
    (void)value;
    arguments *a = state->input;
    switch (key) {
        case ARGP_KEY_INIT:
            state->child_inputs[0] = &a->file;
            return 0;
        case 'j':
            a->json = true;
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {{"json", 'j', NULL, 0, "print one JSON object", 0},
                                             {0}};
static const struct argp parser = {options,
                                   parse_option,
                                   "FILE",
                                   "Tell what a table is: game, size, how it is stored.",
                                   file_argument_child,
                                   NULL,
                                   NULL};

static double bits_per_position(const plb_table_info *info) {
    return info->positions ? 8.0 * info->size_bytes / info->positions : 0;
}

static void print_text(const plb_table_info *info, plb_value value) {
    char count[32], bytes[32];
    printf("game         %s\n", info->spec);
    printf("board        %d columns, %d rows, %d cells%s%s%s\n", info->width, info->height,
           info->cells, info->gravity ? ", gravity" : "", info->cylinder ? ", cylinder" : "",
           info->misere ? ", misere" : "");
    printf("first player %s\n", plb_value_text(value));
    printf("positions    %s\n", format_count(info->positions, count));
    printf("symmetries   %d\n", info->symmetries);
    printf("values       %s\n", info->values);
    printf("size         %s, %.3f bits per position\n", format_bytes(info->size_bytes, bytes),
           bits_per_position(info));
    printf("entries      %s\n", format_count(info->stored, count));
    printf("blocks       of %d entries, %s\n", info->block_positions, info->compression);
    printf("builder      %s\n", info->builder);
}

static void print_json(const plb_table_info *info, plb_value value) {
    json_t *object = json_pack(
        "{s:s, s:i, s:i, s:i, s:i, s:b, s:b, s:b, s:s, s:s, s:I, s:i, s:I, s:f, s:I, s:i, s:s, "
        "s:s}",
        "spec", info->spec, "width", info->width, "height", info->height, "cells", info->cells, "k",
        info->k, "gravity", info->gravity, "misere", info->misere, "cylinder", info->cylinder,
        "first_player", plb_value_text(value), "values", info->values, "positions",
        (json_int_t)info->positions, "symmetries", info->symmetries, "size_bytes",
        (json_int_t)info->size_bytes, "bits_per_position", bits_per_position(info), "entries",
        (json_int_t)info->stored, "block_entries", info->block_positions, "compression",
        info->compression, "builder", info->builder);
    json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(object);
}

int command_info(int argc, char **argv) {
    arguments a = {0};
    argp_parse(&parser, argc, argv, 0, NULL, &a);
    plb_table *table = open_table(a.file);
    if (!table) return EXIT_FAILED;
    plb_answer empty;
    plb_message message;
    int status = EXIT_GOOD;
    if (plb_probe(table, 0, 0, &empty, &message) != PLB_OK)
        status = complain("%s: %s", a.file, message.text);
    else
        (a.json ? print_json : print_text)(plb_info(table), empty.value);
    plb_close(table);
    return end_output(status);
}
