/* SPDX-License-Identifier: MIT
 *
 * Measures proofs by pairing against a table:
 *
 *     plybase-measure-pairings TABLE [SAMPLES [STEPS [CHART.svg]]]
 *
 * The claim: a player does not win (in misere play: does not lose). plb_prove_pairing is called for
 * both players of every position of the table, or of SAMPLES random positions per ply if SAMPLES is
 * not 0, with STEPS as its limit (100,000). Prints a line for each ply: of how many players of
 * unfinished games the claim is true by the table, which shares of these were proven by pairs, by
 * configurations, or not, and how many searches ended at the limit. Exit status 1: a proof
 * contradicts the table.
 */
#include <stdio.h>
#include <stdlib.h>

#include "probe/plybase.h"
#include "tables/index/index.h"
#include "tools/answers/chart.h"
#include "tools/terminal/console.h"
#include "tools/verify/verifier.h"

enum { LISTED = 4096 /* positions per call */, SEED = 1 };

enum { BY_PAIRS, BY_CONFIGURATIONS, NOT_PROVEN, RESULTS };

enum { ALL = PLB_MAX_CELLS + 1 }; /* in place of a ply: all plies */

typedef struct survey {
    const plb_table *table;
    const plb_table_info *info;
    uint64_t samples, steps;
    uint64_t of[RESULTS][ALL + 1], undecided[ALL + 1], wrong; /* [ply] */
} survey;

static int ask_player(survey *s, const plb_query *q, char player, bool moves) {
    plb_proof proof = {0};
    plb_proof_question question = {.player = player, .steps = s->steps};
    int error = plb_prove_pairing(s->info->spec, q->x, q->o, &question, &proof, NULL);
    int ply = __builtin_popcountll(q->x | q->o);
    if (error) return error;
    plb_value own = moves ? q->answer.value : (plb_value)-q->answer.value;
    bool is_true = s->info->misere ? own != PLB_LOSS : own != PLB_WIN;
    bool has_configuration = proof.count > 0 && proof.parts[0].groups[2] != 0;
    if (!is_true) {
        if (proof.verdict == PLB_PROVEN) {
            char board[PLB_BOARD_TEXT] = "";
            plb_format_board(s->table, q->x, q->o, board);
            fprintf(stderr, "%s: proven for %c, but not true by the table\n", board, player);
            s->wrong++;
        }
    } else if (!q->answer.over) {
        int result = proof.verdict != PLB_PROVEN ? NOT_PROVEN
                     : has_configuration         ? BY_CONFIGURATIONS
                                                 : BY_PAIRS;
        s->of[result][ply]++;
        s->of[result][ALL]++;
        s->undecided[ply] += proof.verdict == PLB_NOT_FOUND;
        s->undecided[ALL] += proof.verdict == PLB_NOT_FOUND;
    }
    return PLB_OK;
}

static int ask_position(survey *s, uint64_t x, uint64_t o) {
    plb_query q = {.x = x, .o = o};
    int error = plb_probe(s->table, x, o, &q.answer, NULL);
    bool x_moves = __builtin_popcountll(x) == __builtin_popcountll(o);
    if (!error) error = ask_player(s, &q, 'x', x_moves);
    if (!error) error = ask_player(s, &q, 'o', !x_moves);
    return error;
}

static int survey_all(survey *s, int ply) {
    static uint64_t x[LISTED], o[LISTED];
    plb_listing listing = {.ply = ply};
    int error = PLB_OK;
    while (!error && !listing.done) {
        size_t count = 0;
        error = plb_list_positions(s->table, &listing, LISTED, x, o, &count);
        for (size_t i = 0; i < count && !error; i++) error = ask_position(s, x[i], o[i]);
    }
    return error;
}

static int survey_samples(survey *s, int ply) {
    plb_space space = {0};
    plb_enumeration *enumeration = NULL;
    int error = plb_space_open(s->info->spec, &space, NULL);
    if (!error) error = plb_enumeration_open(&space, NULL, &enumeration, NULL);
    if (!error) error = plb_enumeration_begin(enumeration, ply, NULL, NULL);
    for (uint64_t i = 0; i < s->samples && !error; i++) {
        plb_position p;
        uint64_t x, o;
        if (!sample_draw(enumeration, ply, SEED, i, &p)) break;
        plb_rules_to_words(&space.game, p, &x, &o);
        error = ask_position(s, x, o);
    }
    plb_enumeration_close(enumeration);
    plb_space_close(&space);
    return error;
}

static double percent(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_line(const survey *s, int ply) {
    uint64_t all = 0;
    for (int r = 0; r < RESULTS; r++) all += s->of[r][ply];
    printf(ply == ALL ? "  all" : "%5d", ply);
    printf(" %11llu", (unsigned long long)all);
    for (int r = 0; r < RESULTS; r++) printf(" %8.2f", percent(s->of[r][ply], all));
    printf(" %11llu\n", (unsigned long long)s->undecided[ply]);
    fflush(stdout);
}

static int survey_plies(survey *s) {
    int error = PLB_OK;
    printf("  ply      claims  pairs %%  conf. %%   open %%   undecided\n");
    for (int ply = 0; ply <= s->info->cells && !error; ply++) {
        error = s->samples ? survey_samples(s, ply) : survey_all(s, ply);
        if (!error) print_line(s, ply);
    }
    if (error) return error;
    print_line(s, ALL);
    printf("%llu contradictions\n", (unsigned long long)s->wrong);
    return PLB_OK;
}

static bool draw_chart(const survey *s, const char *path) {
    char title[160];
    snprintf(title, sizeof title, "%s: players who %s, proven by pairing", s->info->spec,
             s->info->misere ? "do not lose" : "cannot win");
    const chart_series series[] = {{"pairs", s->of[BY_PAIRS]},
                                   {"matching", s->of[BY_CONFIGURATIONS]},
                                   {"neither", s->of[NOT_PROVEN]}};
    const chart_panel panels[] = {{CHART_SHARES, "share of these players"}};
    const chart_drawing chart = {.title = title,
                                 .subtitle = s->samples ? "by pairs, by set matching, or not; "
                                                          "both players of random positions"
                                                        : "by pairs, by set matching, or not; "
                                                          "both players of all positions",
                                 .x_label = "ply (stones on the board)",
                                 .points = s->info->cells + 1,
                                 .series = series,
                                 .series_count = RESULTS,
                                 .panels = panels,
                                 .panel_count = 1};
    FILE *to = fopen(path, "w");
    if (!to) return false;
    chart_write(&chart, to);
    bool good = !ferror(to);
    return fclose(to) == 0 && good;
}

static uint64_t read_count(int argc, char **argv, int argument, uint64_t otherwise) {
    return argc > argument ? strtoull(argv[argument], NULL, 10) : otherwise;
}

int main(int argc, char **argv) {
    plb_table *table = NULL;
    plb_message message;
    if (argc < 2) {
        fprintf(stderr, "usage: %s TABLE [SAMPLES [STEPS [CHART.svg]]]\n", argv[0]);
        return EXIT_USAGE;
    }
    if (plb_open(argv[1], &table, &message) != PLB_OK) {
        fprintf(stderr, "%s: %s\n", argv[0], message.text);
        return EXIT_FAILED;
    }
    static survey s;
    s = (survey){.table = table,
                 .info = plb_info(table),
                 .samples = read_count(argc, argv, 2, 0),
                 .steps = read_count(argc, argv, 3, 100000)};
    int error = survey_plies(&s);
    if (error) fprintf(stderr, "%s: %s\n", argv[0], plb_error_text(error));
    bool good = !error && s.wrong == 0 && (argc < 5 || draw_chart(&s, argv[4]));
    plb_close(table);
    return good ? EXIT_GOOD : EXIT_FAILED;
}
