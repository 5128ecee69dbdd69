/* SPDX-License-Identifier: MIT
 *
 * An engine that plays from a table, with a search. A table of values knows who wins, but not how
 * fast: the engine looks some plies ahead for the end of the game, through moves that keep the
 * value. Among equal moves it plays the one after which the largest share of the replies is a
 * mistake.
 *
 *     table_engine FILE [PLIES]       PLIES to look ahead; 6 if not given
 *
 * Each line of its input is a position: the moves from the empty board, such as 4453. For each it
 * prints a line: the move, the value, and the plies to the end of the game, `-` if it sees no end.
 */
#include <plybase.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { END = 1000 }; /* an end after n plies scores END - n, a win without an end in sight 1 */

typedef struct engine {
    plb_table *table;
    int horizon; /* plies to look ahead */
    int error;   /* of the last call that failed; then scores are invalid */
    plb_message why;
} engine;

static bool analyse(engine *e, uint64_t x, uint64_t o, plb_analysis *found) {
    int error = plb_analyse(e->table, x, o, found, &e->why);
    if (error) e->error = error;
    return !error;
}

/* The score of a position for the player to move, by alpha-beta search. */
static int search(engine *e, uint64_t x, uint64_t o, int ply, int alpha, int beta) {
    plb_analysis found;
    if (!analyse(e, x, o, &found)) return 0;
    int value = found.answer.value, best = -END;
    if (found.answer.over) return value * (END - ply);
    if (value == PLB_DRAW || ply == e->horizon) return value; /* from the table */
    for (int m = 0; m < found.best && best < beta && !e->error; m++) {
        uint64_t next_x = x, next_o = o;
        plb_play(e->table, &found.moves[m], &next_x, &next_o, NULL);
        int score = -search(e, next_x, next_o, ply + 1, -beta, -(best > alpha ? best : alpha));
        if (score > best) best = score;
    }
    return best;
}

/* The share of the moves of a position that are mistakes. */
static double share_of_mistakes(engine *e, uint64_t x, uint64_t o) {
    plb_analysis found;
    int mistakes = 0;
    if (!analyse(e, x, o, &found) || found.count == 0) return 0;
    for (int m = 0; m < found.count; m++) mistakes += found.moves[m].value < found.answer.value;
    return (double)mistakes / found.count;
}

/* Choose a move and print it. Returns 0, or an error, which e->why explains. */
static int answer(engine *e, const char *played) {
    plb_analysis found;
    uint64_t x, o;
    e->error = plb_parse_moves(e->table, played, &x, &o, &e->why);
    if (e->error || !analyse(e, x, o, &found)) return e->error;
    if (found.answer.over) {
        printf("-\t%s\t0\n", plb_value_text(found.answer.value));
        return 0;
    }
    int chosen = 0, best = -END;
    double most_mistakes = -1;
    for (int m = 0; m < found.best && !e->error; m++) {
        uint64_t next_x = x, next_o = o;
        plb_play(e->table, &found.moves[m], &next_x, &next_o, NULL);
        int score = -search(e, next_x, next_o, 1, -END, END);
        double mistakes = share_of_mistakes(e, next_x, next_o);
        if (score > best || (score == best && mistakes > most_mistakes)) {
            chosen = m;
            best = score;
            most_mistakes = mistakes;
        }
    }
    if (e->error) return e->error;
    printf("%s\t%s\t", found.moves[chosen].text, plb_value_text(found.answer.value));
    if (abs(best) > 1)
        printf("%d\n", END - abs(best));
    else
        printf("-\n");
    return 0;
}

int main(int argc, char **argv) {
    engine e = {.horizon = argc > 2 ? atoi(argv[2]) : 6};
    char line[512];
    int status = 0;
    if (argc < 2 || argc > 3 || e.horizon < 1) {
        fprintf(stderr, "Usage: table_engine FILE [PLIES]\n");
        return 2;
    }
    if (plb_open(argv[1], &e.table, &e.why) != PLB_OK) {
        fprintf(stderr, "table_engine: %s\n", e.why.text);
        return 1;
    }
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (answer(&e, line) != 0) {
            printf("error\t%s\n", e.why.text);
            status = 1;
        }
        fflush(stdout); /* another program may be waiting */
    }
    plb_close(e.table);
    return status;
}
