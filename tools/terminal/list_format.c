/* SPDX-License-Identifier: MIT */
#include "tools/terminal/list_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/message.h"

bool parse_list_format(const char *text, void *to) {
    if (plb_list_has_moves(text, false) < 0) return false;
    *(const char **)to = text;
    return true;
}

int list_format_read(const char *format, int width, int height, char *line, list_line *read,
                     plb_message *message) {
    int error = plb_read_list_line(format, width, height, line, &read->of, message);
    read->line = line;
    read->as_given = line + read->of.begin;
    line[read->of.end] = 0;
    return error;
}

/* ---- what a list expects ---- */

int pons_score(const list_outcome *known) {
    int left = known->cells - known->ply - known->dtm;
    return (int)known->value * (known->dtm == PLB_NO_DTM ? 1 : left / 2 + 1);
}

bool list_column_agrees(const char *format, const list_line *line, int column,
                        const list_outcome *known, plb_message *message) {
    size_t length = 0;
    const char *text = plb_list_column(line->line, line->of.rest, column, &length);
    bool scores = strcmp(format, "pons") == 0, of_x = strcmp(format, "uci") == 0;
    int right = (int)known->value;
    if (of_x && known->ply % 2) right = -right;
    char word[16], known_text[16], *end;
    snprintf(word, sizeof word, "%.*s", (int)length, text ? text : "");
    snprintf(known_text, sizeof known_text, "%s%s", plb_value_text((plb_value)right),
             of_x ? " for x" : "");
    if (length == 0) {
        plb_fail(message, PLB_ESYNTAX, "there is no column %d; the answer is %s", column,
                 known_text);
        return false;
    }
    long given = strtol(word, &end, 10);
    bool number = !*end && length < sizeof word;
    if (number && scores) {
        right = pons_score(known);
        if (known->dtm == PLB_NO_DTM) given = (given > 0) - (given < 0);
    }
    for (plb_value v = PLB_LOSS; v <= PLB_WIN && !number; v++)
        if (strcasecmp(word, plb_value_text(v)) == 0) given = v, number = true;
    if (!number || (!scores && labs(given) > 1))
        plb_fail(message, PLB_ESYNTAX, "column %d, '%s', is no %s; the answer is %s", column, word,
                 scores ? "score" : "win, draw, loss, 1, 0 or -1", known_text);
    else if (given != right && scores && known->dtm != PLB_NO_DTM)
        plb_fail(message, PLB_OK, "the list says %s, the answer is %s, a score of %d", word,
                 known_text, right);
    else if (given != right)
        plb_fail(message, PLB_OK, "the list says %s, the answer is %s", word, known_text);
    else
        return true;
    return false;
}
