/* SPDX-License-Identifier: MIT */
#include "tools/commands/strategy_commands.h"

#include <stdio.h>

#include "tables/format/meta.h"
#include "tools/answers/json_reports.h"
#include "tools/terminal/console.h"
#include "tools/terminal/interrupts.h"
#include "tools/terminal/progress_line.h"
#include "tools/terminal/quantity.h"
#include "tools/verify/strategy_entries.h"

bool is_strategy_file(const char *path) {
    plb_store *store = NULL;
    bool found = plb_store_open(path, &store, NULL) == PLB_OK && plb_meta_is_strategy(store);
    plb_store_close(store);
    return found;
}

void show_checked_strategy(void *context, const strategy_progress *p) {
    const display *d = context;
    char count[32];
    if (display_is_due(d))
        show_line(context, "ply %2d  %5.1f %%", p->ply, 100.0 * (double)p->done / (double)p->total);
    else if (!d->terminal && p->done == 0)
        fprintf(stderr, "checking ply %2d  %18s positions\n", p->ply,
                format_count(p->total, count));
}

static int check(const char *path, int threads, bool quiet, strategy_report *report,
                 plb_message *message) {
    plb_table *table = NULL;
    display d = begin_display();
    const strategy_check_options o = {.threads = threads,
                                      .stop = catch_interrupts(),
                                      .report = quiet ? NULL : show_checked_strategy,
                                      .context = &d};
    int error = plb_open(path, &table, message);
    if (!error) error = verify_strategy(table, &o, report, message);
    clear_display(&d);
    plb_close(table);
    return error;
}

int verify_strategy_file(const char *path, int threads, bool json, bool quiet) {
    strategy_report report = {.positions = 0};
    plb_message message;
    double begun = seconds_now();
    int error = check(path, threads, quiet, &report, &message);
    bool found = error == PLB_ECORRUPT && *report.fault.text;
    if (json) {
        print_json_strategy_check(&report, error, &message, seconds_now() - begun);
    } else if (!error && !quiet) {
        char text[3][32];
        bool wins = report.claim[0] == 'w';
        printf("%s: good\n", report.spec);
        printf("  claim      the %s player %s\n", report.player,
               wins ? "wins" : "gets at least a draw");
        printf("  positions  %s with the %s player to move, up to symmetry; %s are stored\n",
               format_count(report.positions, text[0]), report.player,
               format_count(report.stored, text[1]));
        printf("  replies    %s of the opponent were tried\n",
               format_count(report.replies, text[2]));
        printf("  longest    %d plies\n", report.longest);
    } else if (found) {
        printf("%s: wrong\n  %s\n", report.spec, report.fault.text);
        if (*report.position) {
            printf("  see        plybase probe %s %s\n", path, report.position);
        } else {
            printf("  after      %s\n", *report.line ? report.line : "no moves");
            printf("  see        plybase probe %s --moves '%s'\n", path, report.line);
        }
    }
    if (error == PLB_EINTERRUPTED) {
        print_error("interrupted; what was checked so far is right");
        return end_output(interrupted_status());
    }
    if (error && !found) print_error("%s", message.text);
    return end_output(error ? EXIT_FAILED : EXIT_GOOD);
}
