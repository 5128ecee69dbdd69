/* SPDX-License-Identifier: MIT */
#include "tools/answers/table_answers.h"

#include <string.h>

#include "tables/games/game_spec.h"
#include "tables/games/number_rules.h"
#include "tools/answers/json_positions.h"

double bits_per_position(const plb_table_info *info) {
    return info->positions ? 8.0 * (double)info->size_bytes / (double)info->positions : 0;
}

static void put_summary(json_writer *to, const plb_table_info *info, plb_value first_player) {
    put_number(to, "width", info->width);
    put_number(to, "height", info->height);
    put_number(to, "k", info->k);
    put_flag(to, "gravity", info->gravity);
    put_flag(to, "misere", info->misere);
    put_flag(to, "cylinder", info->cylinder);
    put_word(to, "first_player", plb_value_text(first_player));
    put_word(to, "values", info->values);
    put_count(to, "positions", info->positions);
    put_word(to, "id", info->id);
}

void put_listed(json_writer *to, const plb_table_info *info, plb_value first_player) {
    put_summary(to, info, first_player);
    put_number(to, "largest_number", info->largest_number);
}

void put_info(json_writer *to, const plb_table *table, plb_value first_player) {
    const plb_table_info *info = plb_info(table);
    put_word(to, "spec", info->spec);
    put_summary(to, info, first_player);
    put_number(to, "cells", info->cells);
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
    put_known(to, "look_ahead_plies", info->player, info->look_ahead);
}

/* ---- pieces ---- */

/* The numbers of one player or of both, as text. If both have the same ones, those of o are written
 * with a prime. */
typedef struct number_list {
    int count;
    char text[PLB_MAX_TILES][16];
} number_list;

static number_list list_numbers(const plb_table_info *info, bool of_x, bool of_o) {
    plb_game game;
    number_list list = {.count = 0};
    if (plb_game_parse(info->spec, &game, NULL) != PLB_OK) return list;
    for (int tile = 0; tile < game.cells; tile++) {
        bool is_of_o = game.tiles[1] >> tile & 1;
        if (is_of_o ? of_o : of_x)
            snprintf(list.text[list.count++], sizeof *list.text, "%d%s",
                     plb_numbers_value(&game, tile), game.each && is_of_o ? "'" : "");
    }
    return list;
}

static void put_numbers(json_writer *to, const char *key, const plb_table_info *info, bool of_x,
                        bool of_o) {
    number_list list = list_numbers(info, of_x, of_o);
    open_list(to, key);
    for (int n = 0; n < list.count; n++) put_word(to, NULL, list.text[n]);
    close_list(to);
}

/* ---- rules ---- */

enum { SENTENCE = 512, NUMBERS_TEXT = 96 };

/* "1, 3 and 5" */
static void join_numbers(const number_list *list, char text[NUMBERS_TEXT]) {
    size_t used = 0;
    *text = 0;
    for (int n = 0; n < list->count && used < NUMBERS_TEXT; n++)
        used += snprintf(text + used, NUMBERS_TEXT - used, "%s%s",
                         n == 0                ? ""
                         : n + 1 < list->count ? ", "
                                               : " and ",
                         list->text[n]);
}

static void put_rules(json_writer *to, const plb_table_info *info) {
    char placing[SENTENCE], winning[SENTENCE], of_x[NUMBERS_TEXT], of_o[NUMBERS_TEXT];
    const char *end = info->misere ? "loses" : "wins";
    if (info->largest_number) {
        number_list x = list_numbers(info, true, false), o = list_numbers(info, false, true);
        join_numbers(&x, of_x);
        join_numbers(&o, of_o);
        snprintf(placing, SENTENCE,
                 "Two players in turn write a number on an empty cell of a board of %d columns and "
                 "%d rows, each number once: x, who begins, has %s, o has %s.",
                 info->width, info->height, of_x, of_o);
        /* The sum of a row is the sum of all numbers, divided by the number of rows. */
        snprintf(winning, SENTENCE,
                 "The player who completes a row, a column or a main diagonal with the sum %d %s, "
                 "also with numbers of the other player.",
                 info->height * (info->largest_number + 1) / 2, end);
    } else {
        snprintf(placing, SENTENCE,
                 "Two players, x first, in turn put a stone on %s of a %s of %d columns and %d "
                 "rows%s.",
                 info->gravity ? "the lowest empty cell of a column" : "any empty cell",
                 info->cylinder ? "cylinder" : "board", info->width, info->height,
                 info->cylinder ? ", whose left and right columns are neighbours" : "");
        snprintf(winning, SENTENCE, "The player who completes %s %s.", info->goal, end);
    }
    open_list(to, "rules");
    put_text(to, NULL, placing);
    put_text(to, NULL, winning);
    put_word(to, NULL, "If the board is full before that, the game is drawn.");
    close_list(to);
}

void put_description(json_writer *to, const plb_table *table, plb_value first_player) {
    const plb_table_info *info = plb_info(table);
    put_info(to, table, first_player);
    put_text(to, "goal", info->goal);
    put_number(to, "largest_number", info->largest_number);
    put_board(to, "empty", table, 0, 0);
    /* pieces: all that can be on a cell; numbers: those of each player, null in games of stones. */
    if (info->largest_number) {
        put_numbers(to, "pieces", info, true, true);
        open_object(to, "numbers");
        put_numbers(to, "x", info, true, false);
        put_numbers(to, "o", info, false, true);
        close_object(to);
    } else {
        open_list(to, "pieces");
        put_word(to, NULL, "x");
        put_word(to, NULL, "o");
        close_list(to);
        put_null(to, "numbers");
    }
    put_rules(to, info);
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

void put_stats(json_writer *to, const plb_table *table) {
    plb_ply_stats s;
    plb_ply_distances d;
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
        if (plb_distance_stats(table, ply, &d) == PLB_OK) {
            open_object(to, "distances");
            put_distance_counts(to, "wins", table, d.wins);
            put_distance_counts(to, "losses", table, d.losses);
            put_longest(to, "longest_win", table, &d.longest_win);
            put_longest(to, "longest_loss", table, &d.longest_loss);
            close_object(to);
        } else {
            put_null(to, "distances");
        }
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

void print_count_row(const count_columns *c, int ply, const plb_big_count counts[]) {
    char text[PLB_COUNT_TEXT];
    if (ply < 0)
        printf("%*s", PLY_COLUMN, "all");
    else
        printf("%*d", PLY_COLUMN, ply);
    for (int i = 0; i < c->count; i++)
        printf("%*s", c->width[i], plb_format_big_count(counts[i], c->separator, text));
    putchar('\n');
}
