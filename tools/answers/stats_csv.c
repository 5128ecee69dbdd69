/* SPDX-License-Identifier: MIT */
#include "tools/answers/stats_csv.h"

void write_stats_csv(const plb_table *table, FILE *to) {
    plb_ply_stats s;
    fputs("ply,total,terminal,won,drawn,lost\n", to);
    for (int ply = 0; plb_stats(table, ply, &s) == PLB_OK; ply++)
        fprintf(to, "%d,%llu,%llu,%llu,%llu,%llu\n", ply, (unsigned long long)s.total,
                (unsigned long long)s.terminal, (unsigned long long)s.won,
                (unsigned long long)s.drawn, (unsigned long long)s.lost);
}
