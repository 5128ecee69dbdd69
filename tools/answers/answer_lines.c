/* SPDX-License-Identifier: MIT */
#include "tools/answers/answer_lines.h"

void write_value_columns(FILE *to, plb_value value, int dtm) {
    fprintf(to, "%s\t", plb_value_text(value));
    if (dtm == PLB_NO_DTM)
        fputs("-\t", to);
    else
        fprintf(to, "%d\t", dtm);
}

void write_moves_column(FILE *to, const plb_move *moves, int count) {
    for (int m = 0; m < count; m++) fprintf(to, m ? ",%s" : "%s", moves[m].text);
    fputs(count ? "\n" : "-\n", to);
}

void write_probed_line(FILE *to, const char *text, const plb_analysis *found) {
    fprintf(to, "%s\t", text);
    write_value_columns(to, found->answer.value, found->answer.dtm);
    write_moves_column(to, found->moves, found->best);
}

void write_error_line(FILE *to, const char *text, const plb_message *message) {
    fprintf(to, "%s\terror\t%s\n", text, message->text);
}
