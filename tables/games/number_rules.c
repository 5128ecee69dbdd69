/* SPDX-License-Identifier: MIT */
#include "tables/games/number_rules.h"

#include <stdio.h>
#include <string.h>
#ifdef __SSSE3__
#include <tmmintrin.h>
#endif

#include "tables/binomial.h"
#include "tables/games/notation.h"
#include "tables/games/symmetry.h"

static const char digits[] = "123456789abcdefg"; /* of -firstDIGITS */

/* ---- specs ---- */

static uint32_t tiles_below(int count) {
    return (uint32_t)plb_low_bits(count);
}

static uint32_t odd_numbers(int tiles) {
    return 0x55555555u & tiles_below(tiles);
}

/* Parse the digits of -firstDIGITS. */
static int read_split(const char *text, plb_game *game, plb_message *message) {
    int tiles = game->width * game->width, last = -1, count = 0;
    for (; *text; text++, count++) {
        const char *digit = strchr(digits, *text);
        int tile = digit ? (int)(digit - digits) : tiles;
        if (tile >= tiles || tile <= last)
            return plb_fail(message, PLB_ESPEC,
                            "after -first come the numbers of the first player in ascending order, "
                            "each one of %.*s",
                            tiles, digits);
        game->tiles[0] |= 1u << tile;
        last = tile;
    }
    if (count == (tiles + 1) / 2) return PLB_OK;
    return plb_fail(message, PLB_ESPEC,
                    "-first is followed by %d numbers: on %dx%d the first player has %d of the %d",
                    count, game->width, game->width, (tiles + 1) / 2, tiles);
}

static int read_suffix(const char *rest, plb_game *game, plb_message *message) {
    int tiles = game->width * game->width;
    if (strstr(rest, "-first") && strstr(rest, "-each"))
        return plb_fail(message, PLB_ESPEC,
                        "-first and -each do not go together: with -each both players have the "
                        "same numbers");
    if (strncmp(rest, "-first", 6) == 0) return read_split(rest + 6, game, message);
    game->each = strcmp(rest, "-each") == 0;
    game->tiles[0] = game->each ? tiles_below(tiles / 2) : odd_numbers(tiles);
    if (game->each && tiles % 2)
        return plb_fail(message, PLB_ESPEC,
                        "-each needs an even number of cells: a board of 2x2 or 4x4");
    if (!*rest || game->each) return PLB_OK;
    return plb_fail(message, PLB_ESPEC,
                    "'%.40s' is not a suffix of games of numbers: they are -firstDIGITS and -each",
                    rest);
}

int plb_numbers_read_rest(const char *rest, plb_game *game, plb_message *message) {
    int size = game->width;
    if (size != game->height || size < 2 || size > 4)
        return plb_fail(message, PLB_ESPEC,
                        "the board of a game of numbers is square, with 2, 3 or 4 rows");
    int error = read_suffix(rest, game, message), tiles = size * size;
    game->tiles[1] = tiles_below(tiles) & ~game->tiles[0];
    game->target = size * ((game->each ? tiles / 2 : tiles) + 1) / 2;
    game->k = size;
    return error;
}

void plb_numbers_format_rest(const plb_game *game, char *text) {
    *text = 0;
    if (game->each) {
        sprintf(text, "-each");
    } else if (game->tiles[0] != odd_numbers(game->cells)) {
        text += sprintf(text, "-first");
        for (uint32_t tiles = game->tiles[0]; tiles; tiles &= tiles - 1)
            *text++ = digits[plb_lowest(tiles)];
        *text = 0;
    }
}

/* ---- positions ---- */

uint32_t plb_numbers_played(plb_position p) {
    uint32_t tiles = 0;
    for (uint64_t cells = p.o; cells; cells &= cells - 1)
        tiles |= 1u << plb_numbers_tile(p, plb_lowest(cells));
    return tiles;
}

/* The sum of the numbers on some cells. Empty cells have tile 0, so the loop need not skip them and
 * has no branch that can be mispredicted. */
static int sum_of_cells(const plb_game *game, plb_position p, uint64_t cells) {
    int sum = plb_popcount(cells & p.o); /* tile t is number t + 1, with -each (t & mask) + 1 */
    int mask = game->each ? game->cells / 2 - 1 : PLB_MAX_TILES - 1;
    for (; cells; cells &= cells - 1) sum += plb_numbers_tile(p, plb_lowest(cells)) & mask;
    return sum;
}

uint32_t plb_numbers_complete(const plb_game *game, plb_position p) {
    uint32_t complete = 0;
    for (int g = 0; g < game->group_count; g++)
        if ((game->groups[g] & ~p.o) == 0 && sum_of_cells(game, p, game->groups[g]) == game->target)
            complete |= 1u << g;
    return complete;
}

static bool is_over(const plb_game *game, plb_position p) {
    return p.o == game->board || plb_numbers_complete(game, p);
}

static plb_value final_value(const plb_game *game, plb_position p) {
    return plb_numbers_complete(game, p) ? PLB_LOSS : PLB_DRAW;
}

static uint64_t complete_groups(const plb_game *game, plb_position p) {
    uint64_t cells = 0;
    for (uint32_t groups = plb_numbers_complete(game, p); groups; groups &= groups - 1)
        cells |= game->groups[plb_lowest(groups)];
    return cells;
}

/* ---- can it arise? ---- */

static int check_tiles(const plb_game *game, plb_position p, plb_message *message) {
    uint32_t seen = 0;
    for (uint64_t cells = p.o; cells; cells &= cells - 1) {
        int tile = plb_numbers_tile(p, plb_lowest(cells));
        if (seen >> tile & 1)
            return plb_fail(message, PLB_ECOUNTS, "the number %d of %c is on the board twice",
                            plb_numbers_value(game, tile), game->tiles[0] >> tile & 1 ? 'x' : 'o');
        seen |= 1u << tile;
    }
    int x = plb_popcount(seen & game->tiles[0]), o = plb_popcount(seen & game->tiles[1]);
    if (x == o || x == o + 1) return PLB_OK;
    return plb_fail(message, PLB_ECOUNTS,
                    "impossible counts: %d numbers of x and %d of o; x moves first, so x has as "
                    "many on the board as o or one more",
                    x, o);
}

/* Any order of moves is legal in which a number that completes all complete lines comes last. */
static int check(const plb_game *game, const plb_column_automaton *columns, plb_position p,
                 plb_message *message) {
    (void)columns;
    int error = check_tiles(game, p, message);
    if (error) return error;
    uint32_t complete = plb_numbers_complete(game, p), last = game->tiles[!plb_numbers_mover(p)];
    uint64_t shared = p.o;
    if (!complete) return PLB_OK;
    for (; complete; complete &= complete - 1) shared &= game->groups[plb_lowest(complete)];
    for (; shared; shared &= shared - 1)
        if (last >> plb_numbers_tile(p, plb_lowest(shared)) & 1) return PLB_OK;
    return plb_fail(message, PLB_EOVER,
                    "the position continues after the end of the game: no last move completes "
                    "every line that sums to %d",
                    game->target);
}

/* ---- moves ---- */

static int move_of(int tile, int cell) {
    return tile * PLB_MAX_CELLS + cell;
}

static plb_position play(plb_position p, int move) {
    return plb_numbers_put(p, move / PLB_MAX_CELLS, plb_move_cell(move));
}

static int list_moves(const plb_game *game, plb_position p, uint64_t cells,
                      int moves[PLB_MAX_MOVES]) {
    uint32_t all = game->tiles[plb_numbers_mover(p)] & ~plb_numbers_played(p);
    int count = 0;
    for (cells &= game->board & ~p.o; cells; cells &= cells - 1)
        for (uint32_t tiles = all; tiles; tiles &= tiles - 1)
            moves[count++] = move_of(plb_lowest(tiles), plb_lowest(cells));
    return count;
}

/* ---- static values (static_value.h) ----
 *
 * The missing sum of a line is the target less the numbers on it. If one cell is empty, a player
 * who has this number left completes the line there. If two are empty, and a player puts number v
 * on one of them, the other player completes the line if he has the missing sum less v. */

/* The numbers that a player has left: bit v for number v. */
static uint64_t values_left(const plb_game *game, uint32_t played, int player) {
    uint64_t left = game->tiles[player] & ~played;
    return (game->each ? (left | left >> game->cells / 2) & plb_low_bits(game->cells / 2) : left)
           << 1;
}

/* The lines of a position, seen from the player to move. */
typedef struct line_summary {
    uint64_t own, other;                /* numbers left to the mover, and to the opponent: bit v */
    uint64_t reversed;                  /* `other` with bit 63 - v for number v */
    bool complete, wins;                /* a line is complete; the mover can complete one */
    uint64_t threats;                   /* cells where the opponent could complete a line */
    uint64_t unsafe[PLB_MAX_TILES + 1]; /* [cell] numbers after which the opponent can complete a
                                           line; the last entry is for no cell */
} line_summary;

/* Without branches, which would be mispredicted. Nobody has number 0. */
static void add_line(line_summary *o, uint64_t empty, int missing) {
    int count = plb_popcount(empty), value = missing > 0 ? missing : 0;
    uint64_t one = -(uint64_t)(count == 1), two = -(uint64_t)(count == 2);
    uint64_t none = 1ULL << PLB_MAX_TILES, answered = two & o->reversed >> (63 - value);
    o->complete |= (count == 0) & (missing == 0);
    o->wins |= one & o->own >> value & 1;
    o->threats |= one & -(o->other >> value & 1) & empty;
    o->unsafe[plb_lowest(empty | none)] |= answered;
    o->unsafe[plb_lowest((empty & (empty - 1)) | none)] |= answered;
}

/* The cells with a move after which the opponent cannot win immediately. Any number blocks a
 * threat. */
static uint64_t safe_cells(const line_summary *o, uint64_t empty) {
    uint64_t safe = 0;
    if (o->threats & (o->threats - 1)) return 0;
    for (uint64_t cells = o->threats ? o->threats : empty; cells; cells &= cells - 1)
        if (o->own & ~o->unsafe[plb_lowest(cells)]) safe |= cells & -cells;
    return safe;
}

static plb_static_result static_value(const plb_game *game, plb_position p) {
    uint32_t played = plb_numbers_played(p);
    int mover = plb_numbers_mover(p);
    line_summary o = {.own = values_left(game, played, mover),
                      .other = values_left(game, played, !mover)};
    for (uint64_t values = o.other; values; values &= values - 1)
        o.reversed |= 1ULL << (63 - plb_lowest(values));
    for (int g = 0; g < game->group_count; g++)
        add_line(&o, game->groups[g] & ~p.o, game->target - sum_of_cells(game, p, game->groups[g]));
    if (o.complete) return plb_static_decided(PLB_LOSS, 0);
    if (p.o == game->board) return plb_static_decided(PLB_DRAW, 0);
    if (o.wins) return plb_static_decided(PLB_WIN, 1);
    return plb_static_safe_moves(safe_cells(&o, game->board & ~p.o), 2);
}

/* Every empty cell of a line takes a ply, and the winner makes the last one. */
static int least_plies(const plb_game *game, plb_position p, bool x_wins) {
    uint64_t left = values_left(game, plb_numbers_played(p), !x_wins);
    bool odd = (plb_numbers_mover(p) == 0) == x_wins;
    int least = PLB_NEVER, left_plies = game->cells - plb_numbers_ply(p);
    for (int g = 0; g < game->group_count; g++) {
        int missing = game->target - sum_of_cells(game, p, game->groups[g]);
        int plies = plb_popcount(game->groups[g] & ~p.o);
        if (!plies || missing <= 0) continue;
        if (plies == 1 && !(left >> missing & 1)) continue;
        plies += plies % 2 != odd;
        if (plies < least && plies <= left_plies) least = plies;
    }
    return least;
}

/* Why a move is refused; NULL: it is legal. */
static const char *refusal(const plb_game *game, plb_position p, int tile, int cell) {
    if (is_over(game, p)) return "the game is over";
    if (p.o >> cell & 1) return "the cell is taken";
    if (plb_numbers_played(p) >> tile & 1) return "the number was played before";
    if (!(game->tiles[plb_numbers_mover(p)] >> tile & 1)) return "the number is the opponent's";
    return NULL;
}

static int format_tile(const plb_game *game, int tile, char *text) {
    bool prime = game->each && tile >= game->cells / 2;
    return sprintf(text, "%d%s", plb_numbers_value(game, tile), prime ? "'" : "");
}

static void format_move(const plb_game *game, int tile, int cell, char text[PLB_MOVE_TEXT]) {
    text += format_tile(game, tile, text);
    sprintf(text, "@%c%d", 'a' + plb_game_column(game, cell), plb_game_row(game, cell) + 1);
}

static int from_public_move(const plb_game *game, plb_position p, const plb_move *from, int *move,
                            plb_message *message) {
    bool second = game->each && plb_numbers_mover(p) == 1;
    bool on_board = from->column >= 0 && from->column < game->width && from->row >= 0 &&
                    from->row < game->height && from->number >= 1 &&
                    from->number <= game->cells / (second ? 2 : 1);
    if (!on_board)
        return plb_fail(message, PLB_EMOVE,
                        "number %d to column %lld, row %lld: the %dx%d board has no such move",
                        from->number, from->column + 1LL, from->row + 1LL, game->width,
                        game->height);
    int tile = from->number - 1 + (second ? game->cells / 2 : 0);
    int cell = plb_game_cell(game, from->column, from->row);
    const char *why = refusal(game, p, tile, cell);
    char text[PLB_MOVE_TEXT];
    format_move(game, tile, cell, text);
    *move = move_of(tile, cell);
    return why ? plb_fail(message, PLB_EMOVE, "move %s cannot be played: %s", text, why) : PLB_OK;
}

static void to_public_move(const plb_game *game, int move, plb_move *to) {
    int cell = plb_move_cell(move), tile = move / PLB_MAX_CELLS;
    to->column = plb_game_column(game, cell);
    to->row = plb_game_row(game, cell);
    to->number = plb_numbers_value(game, tile);
    format_move(game, tile, cell, to->text);
}

/* ---- symmetry ---- */

/* The tiles of an image, whose occupied cells are already known. With vectors, a byte for each
 * cell: map its tile, then move it to the image of the cell, then clear the empty cells. */
static inline uint64_t map_tiles(const plb_symmetry *symmetry, int element, plb_position p,
                                 uint64_t image_cells) {
    const uint8_t *tiles = symmetry->tiles[element];
#ifdef __SSSE3__
    const uint8_t *from = symmetry->image[symmetry->inverse[element]];
    const __m128i bits = _mm_set1_epi64x((long long)0x8040201008040201);
    __m128i pairs = _mm_cvtsi64_si128((long long)p.x);
    __m128i cells = _mm_set_epi64x((long long)((image_cells >> 8) * 0x0101010101010101),
                                   (long long)((image_cells & 255) * 0x0101010101010101));
    __m128i bytes =
        _mm_and_si128(_mm_unpacklo_epi8(pairs, _mm_srli_epi64(pairs, 4)), _mm_set1_epi8(15));
    bytes = _mm_shuffle_epi8(_mm_loadu_si128((const void *)tiles), bytes);
    bytes = _mm_shuffle_epi8(bytes, _mm_loadu_si128((const void *)from));
    bytes = _mm_and_si128(bytes, _mm_cmpeq_epi8(_mm_and_si128(cells, bits), bits));
    bytes = _mm_packus_epi16(_mm_maddubs_epi16(bytes, _mm_set1_epi16(0x1001)), bytes);
    return (uint64_t)_mm_cvtsi128_si64(bytes);
#else
    (void)image_cells;
    uint64_t image = 0;
    for (uint64_t cells = p.o; cells; cells &= cells - 1) {
        int cell = plb_lowest(cells);
        image |= (uint64_t)tiles[plb_numbers_tile(p, cell)] << (4 * symmetry->image[element][cell]);
    }
    return image;
#endif
}

static plb_position map(const plb_symmetry *symmetry, int element, plb_position p) {
    uint64_t o = plb_symmetry_map(symmetry, element, p.o);
    return (plb_position){map_tiles(symmetry, element, p, o), o};
}

static plb_position min_image(const plb_symmetry *symmetry, const uint8_t *elements, int count,
                              plb_position p) {
    plb_position min = map(symmetry, elements[0], p);
    for (int i = 1; i < count; i++)
        min.x = plb_min(min.x, map_tiles(symmetry, elements[i], p, min.o));
    return min;
}

/* The smallest image. */
static plb_position representative(const plb_symmetry *symmetry, plb_position p) {
    plb_position least = p;
    for (int element = 1; element < symmetry->order; element++) {
        plb_position image = map(symmetry, element, p);
        if (image.o < least.o || (image.o == least.o && image.x < least.x)) least = image;
    }
    return least;
}

/* ---- public words: cells are numbered column * height + row ---- */

static int from_words(const plb_game *game, uint64_t x, uint64_t o, plb_position *position,
                      plb_message *message) {
    plb_position p = {0, 0};
    bool known = (o & ~plb_low_bits(game->cells)) == 0;
    for (int bit = 0; bit < PLB_MAX_TILES; bit++) {
        int tile = (int)(x >> (4 * bit)) & 15;
        if (bit < game->cells && o >> bit & 1)
            p = plb_numbers_put(p, tile,
                                plb_game_cell(game, bit / game->height, bit % game->height));
        known &= o >> bit & 1 ? tile < game->cells : tile == 0;
    }
    if (!known)
        return plb_fail(message, PLB_EBOARD, "the two words are no position of a %dx%d board",
                        game->width, game->height);
    *position = p;
    return PLB_OK;
}

static void to_words(const plb_game *game, plb_position p, uint64_t *x, uint64_t *o) {
    *x = *o = 0;
    for (uint64_t cells = p.o; cells; cells &= cells - 1) {
        int cell = plb_lowest(cells);
        int bit = plb_game_column(game, cell) * game->height + plb_game_row(game, cell);
        *x |= (uint64_t)plb_numbers_tile(p, cell) << (4 * bit);
        *o |= 1ULL << bit;
    }
}

/* ---- text ---- */

/* Parse a number; with -each, a prime means that it is o's. Returns the tile; -1: there is none. */
static int read_tile(const plb_game *game, const char **next) {
    int value = 0, count = 0, largest = game->each ? game->cells / 2 : game->cells;
    while (**next >= '0' && **next <= '9' && count++ < 3) value = 10 * value + *(*next)++ - '0';
    bool prime = game->each && **next == '\'';
    if (prime) ++*next;
    if (value < 1 || value > largest) return -1;
    return value - 1 + (prime ? largest : 0);
}

static int fail_tile(const plb_game *game, const char *text, const char *at, plb_message *message) {
    int largest = game->each ? game->cells / 2 : game->cells;
    char primes[32] = "";
    if (game->each) snprintf(primes, sizeof primes, ", or 1' to %d' of o", largest);
    return plb_fail(message, PLB_EBOARD,
                    "'%.80s': there is no number of the game at character %d: these are 1 to %d%s",
                    text, (int)(at - text) + 1, largest, primes);
}

static int fail_board(const plb_game *game, const char *text, plb_message *message) {
    return plb_fail(message, PLB_ESYNTAX,
                    "'%.80s' is not a position: write %d rows from the top, separated by /; a row "
                    "has %d cells, separated by commas; a cell is `.` or a number",
                    text, game->height, game->width);
}

static int parse_board(const plb_game *game, const char *text, plb_position *position,
                       plb_message *message) {
    plb_position p = {0, 0};
    text = plb_notation_skip_mark(text);
    const char *next = text + strspn(text, " ");
    for (int i = 0; i < game->cells; i++) {
        int column = i % game->width, row = game->height - 1 - i / game->width;
        char end = i == game->cells - 1 ? '\0' : column == game->width - 1 ? '/' : ',';
        const char *begin = next;
        if (*next == '.') {
            next++;
        } else {
            int tile = read_tile(game, &next);
            if (next == begin) return fail_board(game, text, message);
            if (tile < 0) return fail_tile(game, text, begin, message);
            p = plb_numbers_put(p, tile, plb_game_cell(game, column, row));
        }
        if (!end) break;
        if (*next++ != end) return fail_board(game, text, message);
    }
    if (strchr(" \t", *next) && !plb_notation_is_end(next))
        return plb_notation_fail_field(text, next, message);
    if (!plb_notation_is_end(next)) return fail_board(game, text, message);
    *position = p;
    return PLB_OK;
}

static void format_board(const plb_game *game, plb_position p, char text[PLB_BOARD_TEXT]) {
    for (int row = game->height - 1; row >= 0; row--)
        for (int column = 0; column < game->width; column++) {
            int cell = plb_game_cell(game, column, row);
            if (p.o >> cell & 1)
                text += format_tile(game, plb_numbers_tile(p, cell), text);
            else
                *text++ = '.';
            *text++ = column < game->width - 1 ? ',' : row ? '/' : '\0';
        }
}

static void read_cells(const plb_game *game, plb_position p, plb_cell cells[PLB_MAX_CELLS]) {
    for (int bit = 0; bit < game->cells; bit++) {
        int cell = plb_game_cell(game, bit / game->height, bit % game->height);
        cells[bit] = (plb_cell){.player = 0};
        if (!(p.o >> cell & 1)) continue;
        int tile = plb_numbers_tile(p, cell);
        cells[bit].player = game->tiles[0] >> tile & 1 ? 'x' : 'o';
        format_tile(game, tile, cells[bit].text);
    }
}

/* Parse a cell such as b3; -1: there is no cell of the board. */
static int read_cell(const plb_game *game, const char **next) {
    int column = (**next | 32) - 'a';
    int row = column >= 0 && column < game->width ? (*next)[1] - '1' : -1;
    if (row < 0 || row >= game->height) return -1;
    *next += 2;
    return plb_game_cell(game, column, row);
}

static int read_move(const plb_game *game, plb_position p, const char *text, const char **next,
                     int *move, plb_message *message) {
    const char *begin = *next;
    int at = (int)(begin - text) + 1, tile = read_tile(game, next), cell = -1;
    if (*next != begin && tile < 0) return fail_tile(game, text, begin, message);
    if (*next != begin && *(*next)++ == '@') cell = read_cell(game, next);
    if (cell < 0)
        return plb_fail(message, PLB_ESYNTAX,
                        "'%.80s': no move at character %d; moves are a number, @ and a cell, such "
                        "as 1@a1",
                        text, at);
    const char *why = refusal(game, p, tile, cell);
    if (why)
        return plb_fail(message, PLB_EMOVE, "'%.80s': move %.*s at character %d: %s", text,
                        (int)(*next - begin), begin, at, why);
    *move = move_of(tile, cell);
    return PLB_OK;
}

/* ---- the table ---- */

/* The ways to choose the numbers of each player, times the ways to place them. */
static double fillings(const plb_game *game, int ply) {
    int x = plb_ply_ones(ply), o = ply - x;
    double count = (double)plb_binomial[plb_popcount(game->tiles[0])][x] *
                   (double)plb_binomial[plb_popcount(game->tiles[1])][o];
    for (int n = 2; n <= ply; n++) count *= n;
    return count;
}

/* A line of `width` cells is full on ply `width` at the earliest. */
static int first_end(const plb_game *game) {
    return game->width - (game->width % 2 == 0);
}

const plb_rules plb_rules_of_numbers = {
    .ply = plb_numbers_ply,
    .check = check,
    .is_over = is_over,
    .final_value = final_value,
    .complete_groups = complete_groups,
    .static_value = static_value,
    .fillings = fillings,
    .first_end = first_end,
    .least_plies = least_plies,
    .list_moves = list_moves,
    .play = play,
    .add_symmetries = plb_numbers_add_symmetries,
    .map = map,
    .min_image = min_image,
    .representative = representative,
    .from_words = from_words,
    .to_words = to_words,
    .from_public_move = from_public_move,
    .to_public_move = to_public_move,
    .read_cells = read_cells,
    .parse_board = parse_board,
    .format_board = format_board,
    .read_move = read_move,
};
