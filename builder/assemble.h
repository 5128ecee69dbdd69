/* SPDX-License-Identifier: MIT
 *
 * The file of a table from the table files of all plies.
 */
#ifndef PLB_BUILDER_ASSEMBLE_H
#define PLB_BUILDER_ASSEMBLE_H

#include <signal.h>

#include "builder/journal.h"
#include "tables/index.h"
#include "tables/meta.h"

typedef struct plb_assembly {
    const plb_index *index;
    const plb_meta *meta;
    const char *output;                /* path of the file */
    const volatile sig_atomic_t *stop; /* set it to interrupt; NULL: never */
} plb_assembly;

/* Write the file in the folder of the journal, with all plies, and give it the name of the output,
 * where it outlasts whatever happens; what has that name is replaced. If an error is returned after
 * that the file is complete all the same.
 *
 * Errors: PLB_EINTERRUPTED, PLB_ENOMEM, PLB_ECORRUPT (of scratch files), those of errno. */
int plb_assemble(const plb_journal *journal, const plb_assembly *assembly, plb_message *message);

#endif
