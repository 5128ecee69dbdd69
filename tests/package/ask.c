/* SPDX-License-Identifier: MIT
 *
 * A foreign program in C: `ask FILE MOVES...` prints value and best move after each sequence.
 */
#include <plybase.h>
#include <stdio.h>

static int ask(const plb_table *table, const char *moves, plb_message *why) {
    uint64_t x, o;
    plb_answer answer;
    plb_move next[PLB_MAX_MOVES];
    int count;
    int error = plb_parse_moves(table, moves, &x, &o, why);
    if (!error) error = plb_probe(table, x, o, &answer, why);
    if (!error) error = plb_moves(table, x, o, next, &count, why);
    if (!error) printf("%s %s\n", plb_value_text(answer.value), count ? next[0].text : "-");
    return error;
}

int main(int argc, char **argv) {
    plb_table *table = NULL;
    plb_message why;
    int error = argc < 2 ? PLB_EARGUMENT : plb_open(argv[1], &table, &why);
    for (int a = 2; a < argc && !error; a++) error = ask(table, argv[a], &why);
    if (error) fprintf(stderr, "%s: %s\n", plb_error_text(error), argc < 2 ? "no file" : why.text);
    plb_close(table);
    return error ? 1 : 0;
}
