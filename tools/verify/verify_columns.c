/* SPDX-License-Identifier: MIT
 *
 * The record of columns: is it the automaton of the board? It is proved, however it was made.
 */
#include <stdlib.h>

#include "tables/format/automaton_record.h"
#include "tables/reach/automaton_proof.h"
#include "tools/verify/verify_checks.h"

static int prove(verifier *v, const plb_column_automaton *columns, plb_message *message) {
    plb_automaton_proof proof;
    int error = plb_automaton_proof_make(columns, v->options->stop, &proof);
    if (error) return plb_fail(message, error, "%s", plb_error_text(error));
    int refutations = proof.refutations;
    plb_automaton_proof_free(&proof);
    if (refutations == 0) return PLB_OK;
    return plb_fail(message, PLB_ECORRUPT, "the record %s tells wrongly which columns can arise",
                    PLB_RECORD_COLUMNS);
}

void verify_columns(verifier *v) {
    const plb_game *game = &v->space.game;
    plb_column_board board = {game->width, game->height, game->k};
    plb_column_automaton columns;
    plb_message why;
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (verify_is_stopped(v) || !plb_store_has_record(v->store, PLB_RECORD_COLUMNS)) return;
    int error = plb_store_get_record(v->store, PLB_RECORD_COLUMNS, &bytes, &size, &why);
    if (!error)
        error =
            plb_automaton_record_decode(board, plb_store_identity(v->store), bytes, size, &columns);
    free(bytes);
    if (!error) {
        error = prove(v, &columns, &why);
        plb_column_automaton_free(&columns);
    } else {
        plb_fail(&why, error, "the record %s is not in its form", PLB_RECORD_COLUMNS);
    }
    if (error && error != PLB_EINTERRUPTED) verify_fail(v, -1, error, &why);
}
