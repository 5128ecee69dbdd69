/* SPDX-License-Identifier: MIT
 *
 * plb_game_parse on arbitrary text: it gives a game that equals the one parsed from its canonical
 * spec, or PLB_ESPEC with a sentence, and does not change the game.
 */
#include "tables/games/game.h"
#include "tables/games/game_spec.h"
#include "tests/fuzz/fuzz.h"

static bool is_same(const plb_game *a, const plb_game *b) {
    return a->family == b->family && a->width == b->width && a->height == b->height &&
           a->k == b->k && a->misere == b->misere && a->cylinder == b->cylinder &&
           a->gravity == b->gravity && a->cells == b->cells && a->board == b->board &&
           a->bottom == b->bottom && a->group_count == b->group_count &&
           memcmp(a->groups, b->groups, a->group_count * sizeof *a->groups) == 0;
}

static void require_sound(const plb_game *game) {
    FUZZ_REQUIRE(game->cells == game->width * game->height && game->cells <= PLB_MAX_CELLS);
    for (int g = 0; g < game->group_count; g++) {
        FUZZ_REQUIRE(game->groups[g] && (game->groups[g] & ~game->board) == 0);
        FUZZ_REQUIRE(g == 0 || game->groups[g - 1] < game->groups[g]);
    }
    for (int cell = 0; cell < game->cells; cell++)
        FUZZ_REQUIRE(plb_game_cell(game, plb_game_column(game, cell), plb_game_row(game, cell)) ==
                     cell);
}

static void require_round_trip(const plb_game *game) {
    plb_game again;
    char spec[PLB_SPEC_TEXT], spec_again[PLB_SPEC_TEXT];
    plb_game_format(game, spec);
    FUZZ_REQUIRE(plb_game_parse(spec, &again, NULL) == PLB_OK);
    plb_game_format(&again, spec_again);
    FUZZ_REQUIRE(strcmp(spec, spec_again) == 0 && is_same(game, &again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_copy_text(data, size);
    plb_game game, untouched;
    plb_message why;
    memset(&game, 0xff, sizeof game);
    memcpy(&untouched, &game, sizeof game);
    memset(&why, 0xff, sizeof why);
    int error = plb_game_parse(text, &game, &why);
    if (error) {
        FUZZ_REQUIRE(error == PLB_ESPEC && fuzz_is_sentence(&why));
        FUZZ_REQUIRE(memcmp(&game, &untouched, sizeof game) == 0);
    } else {
        require_sound(&game);
        require_round_trip(&game);
    }
    free(text);
    return 0;
}
