/* SPDX-License-Identifier: MIT */
#include "tools/terminal/table_names.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tables/games/game.h"
#include "tables/games/game_spec.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/console.h"

static const char ending[] = ".plb";

static bool ends_as_table(const char *text) {
    size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

/* The canonical spec of a game from its spec or from the usual name of its table. */
static bool find_spec(const char *text, char spec[PLB_SPEC_TEXT]) {
    char stem[PLB_SPEC_TEXT];
    plb_game game;
    size_t length = strlen(text);
    if (ends_as_table(text)) length -= strlen(ending);
    if (length >= sizeof stem) return false;
    memcpy(stem, text, length);
    stem[length] = 0;
    if (plb_game_parse(stem, &game, NULL) != PLB_OK) return false;
    plb_game_format(&game, spec);
    plb_game_free(&game);
    return true;
}

int explain_spec(const char *text, int error, plb_message *message) {
    char spec[PLB_SPEC_TEXT];
    if (error == PLB_ESPEC && ends_as_table(text) && find_spec(text, spec))
        return plb_fail(message, error, "%s is the name of a table; here a game is needed: %s",
                        text, spec);
    return error;
}

void suggest_table(const char *path, plb_message *message) {
    char spec[PLB_SPEC_TEXT], table[PLB_SPEC_TEXT + sizeof ending];
    if (!find_spec(path, spec)) return;
    snprintf(table, sizeof table, "%s%s", spec, ending);
    if (access(table, F_OK) != 0)
        plb_fail(message, PLB_ENOTFOUND, "there is no table %s here; `plybase build %s` makes it",
                 table, spec);
    else
        plb_fail(message, PLB_ENOTFOUND, "%s is the name of a game; its table is the file %s", path,
                 table);
}

plb_table *open_table(const char *path) {
    plb_table *table = NULL;
    plb_message message;
    int error = plb_open(path, &table, &message);
    if (error == PLB_ENOTFOUND) suggest_table(path, &message);
    if (error) print_error("%s", message.text);
    return table;
}

plb_table *open_whole_table(const char *path) {
    plb_table *table = open_table(path);
    if (!table || !plb_info(table)->player) return table;
    print_error(
        "%s is a strategy, which has neither counts nor lists of positions: probe, best, play, "
        "info and verify take it",
        path);
    plb_close(table);
    return NULL;
}

void require_table_name(const char *output, const char *spec) {
    struct stat there;
    if (!output) return;
    size_t length = strlen(output);
    bool exists = stat(output, &there) == 0, folder = exists && S_ISDIR(there.st_mode);
    if (!exists && lstat(output, &there) == 0)
        fail_usage("-o %s is a symbolic link to nothing: the file is needed that it should lead to",
                   output);
    if (length == 0) fail_usage("-o '': a file is needed, such as -o %s%s", spec, ending);
    if (strcmp(output, "-") == 0)
        fail_usage(
            "-o -: a table cannot go to the standard output; a file is needed, such as -o "
            "%s%s",
            spec, ending);
    if (folder || output[length - 1] == '/')
        fail_usage("-o %s is a folder: a file is needed, such as -o %s%s%s%s", output, output,
                   output[length - 1] == '/' ? "" : "/", spec, ending);
}
