/* SPDX-License-Identifier: MIT
 *
 * Alpha-beta. The score of a game for its winner is 1 + the number of cells that are empty at the
 * end, so a faster win has a higher score; for its loser it is minus this number. A draw has 0.
 */
#include "probe/late_search.h"

#include "tables/games/stone_rules.h"

enum {
    MAX_EMPTY = 15,      /* cells */
    MAX_EMPTY_SLOW = 12, /* on wide boards and for large k, on which a search visits more nodes */
    MAX_WIDTH = 8,       /* else the board is wide */
    MAX_K = 4,           /* else k is large */
    MAX_NODES = 1500,    /* of a search: with more, reading would have been faster */
    MIN_EMPTY_SORT = 7,  /* with fewer empty cells, sorting the moves costs more than it saves */
    MAX_COLUMNS = 64,
};

plb_late_search plb_late_search_make(const plb_game *game) {
    plb_late_search made = {.first_ply = PLB_MAX_CELLS + 1, .max_nodes = MAX_NODES};
    if (!game->gravity || game->misere || game->cylinder ||
        !drop_board_fits(game->width, game->height, game->k))
        return made;
    made.board = drop_board_make(game->width, game->height, game->k);
    bool is_slow = game->width > MAX_WIDTH || game->k > MAX_K;
    int max_empty = is_slow ? MAX_EMPTY_SLOW : MAX_EMPTY;
    made.first_ply = game->cells > max_empty ? game->cells - max_empty : 0;
    return made;
}

/* The moves to `cells`, those first after which most cells complete k in a row for the mover. */
static int sort_moves(const drop_board *b, uint64_t mine, uint64_t occupied, uint64_t cells,
                      uint64_t moves[MAX_COLUMNS]) {
    int threats[MAX_COLUMNS], count = 0;
    for (; cells; cells &= cells - 1, count++) {
        uint64_t stone = cells & -cells;
        int made = plb_popcount(drop_completing(b, mine | stone, occupied | stone)), at = count;
        for (; at > 0 && threats[at - 1] < made; at--) {
            threats[at] = threats[at - 1];
            moves[at] = moves[at - 1];
        }
        threats[at] = made;
        moves[at] = stone;
    }
    return count;
}

static int list_moves(uint64_t cells, uint64_t moves[MAX_COLUMNS]) {
    int count = 0;
    for (; cells; cells &= cells - 1) moves[count++] = cells & -cells;
    return count;
}

typedef struct running_search {
    const drop_board *board;
    int nodes_left; /* negative: the search has given up, and scores are meaningless */
} running_search;

/* The mover's score, if it lies between alpha and beta; else a bound of it on the same side. The
 * mover has the stones `mine`, and cannot win at once; `empty` cells are not occupied. */
static int find_score(running_search *s, uint64_t mine, uint64_t occupied, int empty, int alpha,
                      int beta) {
    if (--s->nodes_left < 0) return 0;
    const drop_board *b = s->board;
    uint64_t others = mine ^ occupied, cells, moves[MAX_COLUMNS];
    if (drop_is_lost(b, occupied, drop_completing(b, others, occupied), &cells)) return 1 - empty;
    if (empty <= 2) return 0;
    /* The mover wins with the third stone at best, and loses with the fourth at worst. */
    if (beta > empty - 2) beta = empty - 2;
    if (alpha < 3 - empty) alpha = 3 - empty;
    if (alpha >= beta) return alpha;
    bool sort = empty >= MIN_EMPTY_SORT && (cells & (cells - 1));
    int count = sort ? sort_moves(b, mine, occupied, cells, moves) : list_moves(cells, moves);
    for (int m = 0; m < count && alpha < beta; m++) {
        int score = -find_score(s, others, occupied | moves[m], empty - 1, -beta, -alpha);
        if (score > alpha) alpha = score;
    }
    return alpha;
}

/* Cells of a game as bits of a drop_board. */
static uint64_t to_board(const drop_board *b, const plb_game *game, uint64_t cells) {
    uint64_t bits = plb_game_bits_of_cells(game, cells), spread = 0;
    for (int column = 0; column < b->width; column++)
        spread |= (bits >> column * b->height & plb_low_bits(b->height)) << column * b->stride;
    return spread;
}

bool plb_late_search_find(const plb_late_search *search, const plb_game *game,
                          plb_position position, plb_value_kind values, plb_outcome *outcome) {
    const drop_board *b = &search->board;
    running_search running = {b, search->max_nodes};
    uint64_t mine = to_board(b, game, plb_stones_mover(position));
    uint64_t occupied = to_board(b, game, plb_stones_occupied(position));
    int empty = game->cells - plb_stones_ply(position), limit = values == PLB_DTM ? empty : 1;
    int score = find_score(&running, mine, occupied, empty, -limit, limit);
    if (running.nodes_left < 0) return false;
    int left = score > 0 ? score - 1 : -score - 1;
    *outcome = (plb_outcome){score > 0 ? PLB_WIN : score < 0 ? PLB_LOSS : PLB_DRAW, PLB_NO_DTM};
    if (score != 0 && values == PLB_DTM) outcome->dtm = empty - left;
    return true;
}
