/* SPDX-License-Identifier: MIT */
#include "tools/commands/stats_picture.h"

#include <stdlib.h>
#include <string.h>

#include "tables/message.h"
#include "tools/answers/chart.h"
#include "tools/terminal/quantity.h"

bool stats_picture_may_be(const char *path) {
    size_t length = strlen(path);
    return strcmp(path, "-") == 0 || (length > 4 && strcmp(path + length - 4, ".svg") == 0);
}

enum { WON, DRAWN, LOST };

/* Counts of every ply, and what they sum up to. */
typedef struct counts {
    uint64_t plies[3][PLB_MAX_CELLS + 1], sums[3];
    int ply_count;
} counts;

static void take_counts(const plb_table *table, counts *c) {
    plb_ply_stats s;
    *c = (counts){0};
    for (; plb_stats(table, c->ply_count, &s) == PLB_OK; c->ply_count++) {
        const uint64_t of_ply[3] = {[WON] = s.won, [DRAWN] = s.drawn, [LOST] = s.lost};
        for (int v = 0; v < 3; v++) {
            c->plies[v][c->ply_count] = of_ply[v];
            c->sums[v] += of_ply[v];
        }
    }
}

static void draw(const plb_table *table, FILE *to) {
    counts c;
    char title[256], subtitle[256], number[4][32];
    take_counts(table, &c);
    snprintf(title, sizeof title, "%.200s: %s positions", plb_info(table)->spec,
             format_count(plb_info(table)->positions, number[3]));
    snprintf(subtitle, sizeof subtitle, "won by the first player %s, drawn %s, lost %s",
             format_count(c.sums[WON], number[WON]), format_count(c.sums[DRAWN], number[DRAWN]),
             format_count(c.sums[LOST], number[LOST]));
    const chart_series series[] = {
        {"won", c.plies[WON]}, {"drawn", c.plies[DRAWN]}, {"lost", c.plies[LOST]}};
    const chart_panel panels[] = {{CHART_SHARES, "share of positions"}, {CHART_LOG, "positions"}};
    const chart_drawing chart = {.title = title,
                                 .subtitle = subtitle,
                                 .x_label = "ply (stones on the board)",
                                 .points = c.ply_count,
                                 .series = series,
                                 .series_count = 3,
                                 .panels = panels,
                                 .panel_count = 2};
    chart_write(&chart, to);
}

/* The whole document, to be freed by the caller; NULL when memory does not suffice. */
static char *draw_in_memory(const plb_table *table, size_t *size) {
    char *bytes = NULL;
    FILE *memory = open_memstream(&bytes, size);
    if (!memory) return NULL;
    draw(table, memory);
    bool good = !ferror(memory);
    good = fclose(memory) == 0 && good;
    if (good) return bytes;
    free(bytes);
    return NULL;
}

int write_stats_picture(const plb_table *table, const char *path, bool force,
                        plb_message *message) {
    output_file file;
    size_t size = 0;
    char *bytes = draw_in_memory(table, &size);
    if (!bytes) return plb_fail(message, PLB_ENOMEM, "out of memory for the picture");
    int error = output_file_open(path, force, &file, message);
    if (!error) error = output_file_add(&file, bytes, size, message);
    if (!error) error = output_file_finish(&file, message);
    output_file_close(&file);
    free(bytes);
    return error;
}
