/* SPDX-License-Identifier: MIT
 *
 * The record of columns: is it the automaton of the board? It is proved, however it was made.
 */
#include "tables/reach/automaton_proof.h"
#include "tools/verify/verify_checks.h"

void verify_columns(verifier *v) {
    const plb_column_automaton *columns = v->file->space.columns;
    plb_automaton_proof proof;
    plb_message why;
    if (verify_is_stopped(v) || !plb_store_has_record(v->file->store, PLB_RECORD_COLUMNS)) return;
    if (!columns) {
        plb_fail(&why, PLB_ECORRUPT, "the record %s is not one of this game", PLB_RECORD_COLUMNS);
        verify_fail(v, -1, PLB_ECORRUPT, &why);
        return;
    }
    int error = plb_automaton_proof_make(columns, v->options->stop, &proof);
    if (error == PLB_EINTERRUPTED) return;
    if (error) {
        plb_fail(&why, error, "%s", plb_error_text(error));
    } else {
        if (proof.refutations)
            error =
                plb_fail(&why, PLB_ECORRUPT, "the record %s tells wrongly which columns can arise",
                         PLB_RECORD_COLUMNS);
        plb_automaton_proof_free(&proof);
    }
    if (error) verify_fail(v, -1, error, &why);
}
