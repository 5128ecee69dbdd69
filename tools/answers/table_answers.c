/* SPDX-License-Identifier: MIT */
#include "tools/answers/table_answers.h"

#include <string.h>

#include "tools/answers/json_positions.h"

double bits_per_position(const plb_table_info *info) {
    return info->positions ? 8.0 * (double)info->size_bytes / (double)info->positions : 0;
}

void put_info(json_writer *to, const plb_table *table, plb_value first_player) {
    const plb_table_info *info = plb_info(table);
    put_word(to, "spec", info->spec);
    put_number(to, "width", info->width);
    put_number(to, "height", info->height);
    put_number(to, "cells", info->cells);
    put_number(to, "k", info->k);
    put_flag(to, "gravity", info->gravity);
    put_flag(to, "misere", info->misere);
    put_flag(to, "cylinder", info->cylinder);
    put_word(to, "first_player", plb_value_text(first_player));
    put_word(to, "values", info->values);
    put_count(to, "positions", info->positions);
    put_number(to, "symmetries", info->symmetries);
    put_number(to, "size_bytes", (int64_t)info->size_bytes);
    put_real(to, "bits_per_position", bits_per_position(info));
    put_word(to, "index", info->index);
    put_count(to, "entries", info->entries);
    put_number(to, "block_entries", info->block_entries);
    put_word(to, "compression", info->compression);
    put_text(to, "builder", info->builder);
    put_text(to, "player", info->player);
    put_text(to, "claim", info->claim);
    if (info->player)
        put_number(to, "look_ahead_plies", info->look_ahead);
    else
        put_null(to, "look_ahead_plies");
    put_word(to, "id", info->id);
}

/* ---- counts ---- */

static void put_distance_counts(json_writer *to, const char *key, const plb_table *table,
                                const uint64_t counts[]) {
    open_list(to, key);
    for (int plies = 0; plies <= plb_info(table)->cells; plies++) {
        if (!counts[plies]) continue;
        open_object(to, NULL);
        put_number(to, "dtm_plies", plies);
        put_count(to, "positions", counts[plies]);
        close_object(to);
    }
    close_list(to);
}

static void put_longest(json_writer *to, const char *key, const plb_table *table,
                        const plb_longest *longest) {
    if (longest->plies == PLB_NO_DTM) {
        put_null(to, key);
        return;
    }
    open_object(to, key);
    put_number(to, "dtm_plies", longest->plies);
    put_board(to, "position", table, longest->x, longest->o);
    close_object(to);
}

static void put_distances(json_writer *to, const plb_table *table, int ply) {
    plb_ply_distances d;
    if (plb_distance_stats(table, ply, &d) != PLB_OK) {
        put_null(to, "distances");
        return;
    }
    open_object(to, "distances");
    put_distance_counts(to, "wins", table, d.wins);
    put_distance_counts(to, "losses", table, d.losses);
    put_longest(to, "longest_win", table, &d.longest_win);
    put_longest(to, "longest_loss", table, &d.longest_loss);
    close_object(to);
}

void put_stats(json_writer *to, const plb_table *table) {
    plb_ply_stats s;
    put_word(to, "spec", plb_info(table)->spec);
    open_list(to, "plies");
    for (int ply = 0; plb_stats(table, ply, &s) == PLB_OK; ply++) {
        open_object(to, NULL);
        put_number(to, "ply", ply);
        put_count(to, "total", s.total);
        put_count(to, "terminal", s.terminal);
        put_count(to, "won", s.won);
        put_count(to, "drawn", s.drawn);
        put_count(to, "lost", s.lost);
        put_distances(to, table, ply);
        close_object(to);
    }
    close_list(to);
}

void write_stats_csv(const plb_table *table, FILE *to) {
    plb_ply_stats s;
    fputs("ply,total,terminal,won,drawn,lost\n", to);
    for (int ply = 0; plb_stats(table, ply, &s) == PLB_OK; ply++)
        fprintf(to, "%d,%llu,%llu,%llu,%llu,%llu\n", ply, (unsigned long long)s.total,
                (unsigned long long)s.terminal, (unsigned long long)s.won,
                (unsigned long long)s.drawn, (unsigned long long)s.lost);
}

/* ---- columns for people ---- */

count_columns print_count_headings(const char *const headings[], const plb_big_count greatest[],
                                   int count) {
    enum { SCREEN = 80 };
    count_columns c = {.count = count};
    char text[PLB_COUNT_TEXT];
    for (int tried = 0, used = SCREEN + 1; tried < 2 && used > SCREEN; tried++) {
        c.separator = tried ? 0 : ',';
        used = PLY_COLUMN;
        for (int i = 0; i < count; i++) {
            size_t width = strlen(plb_format_big_count(greatest[i], c.separator, text));
            c.width[i] = 2 + (int)(width > strlen(headings[i]) ? width : strlen(headings[i]));
            used += c.width[i];
        }
    }
    printf("%*s", PLY_COLUMN, "ply");
    for (int i = 0; i < count; i++) printf("%*s", c.width[i], headings[i]);
    putchar('\n');
    return c;
}

void print_count_row(const count_columns *c, const char *name, const plb_big_count counts[]) {
    char text[PLB_COUNT_TEXT];
    printf("%*s", PLY_COLUMN, name);
    for (int i = 0; i < c->count; i++)
        printf("%*s", c->width[i], plb_format_big_count(counts[i], c->separator, text));
    putchar('\n');
}
