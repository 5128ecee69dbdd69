/* SPDX-License-Identifier: MIT */
#include "tools/search/open_groups.h"

#include "tables/bits.h"

/* ---- questions without a horizon ---- */

static const uint64_t one = 1ULL << 62; /* the weight 1 */

/* Without gravity: an open group of a player has the weight 2^-(missing stones).
 *
 * Normal play (Erdos and Selfridge, On a combinatorial game, 1973): if the opponent always takes
 * the cell with the greatest weight, the sum of the weights never rises from one of his turns to
 * the next. If it is below 1 at his turn, the player completes nothing. A move of the player at
 * most doubles the sum. Misere: the player himself takes the cell with the least weight, and the
 * opponent's reply removes at least what that added. Only the last move of the game has no reply,
 * and may double the sum. */
static bool never_completes(const search_rules *rules, const uint64_t stones[2], int player,
                            bool may_double) {
    const uint64_t limit = may_double ? one / 2 : one;
    uint64_t sum = 0;
    for (int g = 0; g < rules->group_count && sum < limit; g++) {
        if (rules->groups[g] & stones[!player]) continue;
        int missing = plb_popcount(rules->groups[g] & ~stones[player]);
        sum += one >> (missing < 62 ? missing : 62); /* rounded up */
    }
    return sum < limit;
}

/* Is it certain that the player never completes a group: in normal play because the opponent can
 * prevent it, in misere play because the player can avoid it? */
static bool is_harmless(const search_rules *rules, const uint64_t stones[2], int ply, int player) {
    if (rules->gravity) {
        for (int g = 0; g < rules->group_count; g++)
            if (!(rules->groups[g] & stones[!player])) return false; /* an open group */
        return true;
    }
    bool moves_now = player == (ply & 1), moves_last = player != (rules->cells & 1);
    return never_completes(rules, stones, player, rules->misere ? moves_last : moves_now);
}

/* With gravity and an even number of empty cells in every column, the player not to move can always
 * answer in the same column. This fixes who gets which cell. Does it keep the mover's score below
 * the bound? (If both complete a group, it is not known who is first.)
 *
 * A player who completes nothing on the full board completes nothing by a horizon either. But if a
 * player completes a group, the mover decides when, so this proves no loss by a horizon. */
static bool follow_up_refutes(const open_groups *open, const uint64_t stones[2], int mover,
                              int bound) {
    const search_rules *rules = open->rules;
    uint64_t occupied = stones[0] | stones[1], empty = rules->board & ~occupied;
    if (bound < 0 || !rules->gravity || (search_playable(rules, occupied) & open->even_gaps))
        return false;
    uint64_t leader = stones[mover] | (empty & ~open->even_gaps);
    uint64_t follower = stones[!mover] | (empty & open->even_gaps);
    uint64_t must_not = rules->misere ? follower : leader;
    if (search_has_group(rules, must_not)) return false;
    return bound == 0 ? search_has_group(rules, rules->misere ? leader : follower) : true;
}

/* ---- questions with a horizon ----
 *
 * A group is in reach if its player can complete it by the horizon when the opponent does not
 * hinder him: he has enough moves for the missing cells, and both players together have enough to
 * fill the cells below. The arguments of is_harmless hold for any family of groups, so that only
 * groups in reach count. */

typedef struct prospects {
    uint64_t cells;  /* empty cells of the groups in reach */
    uint64_t weight; /* of these groups, as in never_completes; not added up further once it is 1 */
} prospects;

static prospects find_prospects(const open_groups *open, const uint64_t stones[2], int player,
                                int moves, int plies) {
    const search_rules *rules = open->rules;
    uint64_t occupied = stones[0] | stones[1];
    prospects found = {0, 0};
    for (int g = 0; g < rules->group_count; g++) {
        uint64_t missing = rules->groups[g] & ~stones[player];
        if (missing & stones[!player]) continue;
        int count = plb_popcount(missing);
        if (count > moves || plb_popcount(open->supports[g] & ~occupied) > plies) continue;
        found.cells |= missing;
        if (found.weight < one) found.weight += one >> count;
    }
    return found;
}

/* is_harmless by the horizon of a limited question. Inlining would slow down other questions. */
__attribute__((noinline)) static bool is_harmless_by_horizon(const open_groups *open,
                                                             const uint64_t stones[2], int ply,
                                                             int bound, int player) {
    const search_rules *rules = open->rules;
    int plies = question_horizon(rules, bound) - ply;
    bool moves_now = player == (ply & 1), moves_last = player != (rules->cells & 1);
    prospects p = find_prospects(open, stones, player, (plies + moves_now) / 2, plies);
    if (!p.cells) return true;
    if (!rules->gravity && p.weight < ((rules->misere ? moves_last : moves_now) ? one / 2 : one))
        return true;
    if (!rules->misere) return false;
    /* A player must complete a group only when all of his moves do. Before that, all empty cells
     * are filled but those of his groups in reach and, with gravity, those above them. */
    uint64_t empty = rules->board & ~(stones[0] | stones[1]), reach = p.cells;
    for (uint64_t above = rules->gravity ? reach : 0; above; reach |= above)
        above = above << 1 & empty & ~rules->bottom & ~reach;
    return plb_popcount(empty & ~reach) >= plies;
}

/* ---- any question ---- */

bool open_groups_answer(const open_groups *open, const uint64_t stones[2], int ply, int bound,
                        bool *reached) {
    int mover = ply & 1;
    int completer = question_mover_completes(open->rules, bound) ? mover : !mover;
    *reached = bound <= 0;
    if (question_is_limited(bound) ? is_harmless_by_horizon(open, stones, ply, bound, completer)
                                   : is_harmless(open->rules, stones, ply, completer))
        return true;
    *reached = false;
    return follow_up_refutes(open, stones, mover, bound);
}

/* ---- beginning ---- */

void open_groups_begin(const search_rules *rules, open_groups *open) {
    *open = (open_groups){.rules = rules};
    for (int cell = 0; cell < rules->cells; cell++)
        if ((rules->height - 1 - cell % rules->height) % 2 == 0) open->even_gaps |= 1ULL << cell;
    for (int g = 0; g < rules->group_count; g++)
        open->supports[g] = rules->gravity
                                ? plb_fill_below(rules->groups[g], rules->bottom, rules->height)
                                : rules->groups[g];
}
