/* SPDX-License-Identifier: MIT
 *
 * `plybase info`: describes tables. `plybase games`: lists the games.
 */
#include <stdio.h>

#include "tables/games/game_spec.h"
#include "tools/answers/table_answers.h"
#include "tools/commands/commands.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/console.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/quantity.h"
#include "tools/verify/digest.h"

typedef struct arguments {
    operand_list files;
    const char *folder;
    bool json, digest;
} arguments;

static const argument_row rows[] = {
    OPERANDS("FILE", arguments, files, 1),
    FLAG('d', "digest", arguments, digest,
         "also print the XXH3-128 of the whole file, as xxhsum -H2 does"),
    JSON(arguments, json),
    TABLES(arguments, folder),
    {0}};
static const command_syntax syntax = {
    .operands = "FILE...",
    .purpose = "Describe tables: game, size, how it is stored.",
    .details =
        "The line \"first player\" has the value of the empty board. Values are wdl (win, draw, "
        "loss) or dtm (also plies to the end of the game). Symmetries are the ways to turn or "
        "mirror the board; of symmetric positions the table stores one. An index of slabs has an "
        "entry for every colouring of every set of cells that can be occupied, whether or not it "
        "can arise; an index of keys has an entry for each stored position. A block is compressed "
        "and read as a whole. For a strategy the player, his claim and the number of its positions "
        "are printed.",
    .rows = rows};

/* digest: "" without --digest. */
static void print_text(const plb_table *table, plb_value value, const char *digest) {
    char count[32], bytes[32];
    const plb_table_info *info = plb_info(table);
    printf("game         %s\n", info->spec);
    printf("board        %d columns, %d rows, %d cells%s%s%s\n", info->width, info->height,
           info->cells, info->gravity ? ", gravity" : "", info->cylinder ? ", cylinder" : "",
           info->misere ? ", misere" : "");
    format_count(info->positions, count);
    if (info->player)
        printf(
            "strategy     of the %s player, who %s\npositions    %s are stored\n"
            "look ahead   %d plies\n",
            info->player, *info->claim == 'w' ? "wins" : "gets at least a draw", count,
            info->look_ahead);
    else
        printf("first player %s\npositions    %s\n", plb_value_text(value), count);
    printf("symmetries   %d\n", info->symmetries);
    if (!info->player) printf("values       %s\n", info->values);
    printf("size         %s", format_bytes(info->size_bytes, bytes));
    if (info->player)
        putchar('\n');
    else
        printf(", %.3f bits per position\nindex        %s, %s entries\n", bits_per_position(info),
               info->index, format_count(info->entries, count));
    printf("blocks       of %d %s, %s\n", info->block_entries,
           info->player ? "positions" : "entries", info->compression);
    printf("builder      %s\n", info->builder);
    if (*digest) printf("xxh128       %s\n", digest);
}

static int show_table(const arguments *a, const char *path, bool first) {
    char found[TABLE_NAME];
    path = find_table(path, a->folder, true, found);
    plb_table *table = open_table(path, a->folder);
    plb_answer empty;
    plb_message message;
    XXH128_hash_t bytes;
    char digest[DIGEST_TEXT] = "";
    int status = EXIT_GOOD;
    if (!table) return EXIT_FAILED;
    if (!first && !a->json) putchar('\n');
    int error = a->digest ? digest_file(path, &bytes, &message) : PLB_OK;
    if (a->digest && !error) digest_format(bytes, digest);
    if (error)
        status = print_error("%s", message.text);
    else if (plb_probe(table, 0, 0, &empty, &message) != PLB_OK)
        status = print_error("%s: %s", path, message.text);
    else if (a->json) {
        json_writer w = begin_json_object();
        put_info(&w, table, empty.value);
        if (*digest) put_word(&w, "file_xxh128", digest);
        print_json_object(&w);
    } else
        print_text(table, empty.value, digest);
    plb_close(table);
    return status;
}

int command_info(int argc, char **argv) {
    arguments a = {.json = false};
    int status = EXIT_GOOD;
    parse_arguments(argc, argv, &syntax, &a);
    for (int f = 0; f < a.files.count; f++)
        if (show_table(&a, a.files.items[f], f == 0) != EXIT_GOOD) status = EXIT_FAILED;
    return end_output(status);
}

/* ---- games ---- */

static const argument_row no_rows[] = {{0}};
static const command_syntax games_syntax = {
    .operands = "",
    .purpose = "List the games that can be solved, as the specs that name them.",
    .details =
        "With -misere the player who completes a group loses; with -cylinder the left and the "
        "right column are adjacent. Both may be used, in any order. A board has at most 64 cells; "
        "`plybase plan SPEC` forecasts what its build needs.",
    .rows = no_rows};

int command_games(int argc, char **argv) {
    parse_arguments(argc, argv, &games_syntax, NULL);
    const plb_family *family;
    for (int f = 0; (family = plb_family_at(f)); f++)
        printf("%-35s  %s\n", family->form, family->help);
    return end_output(EXIT_GOOD);
}
