/* SPDX-License-Identifier: MIT
 *
 * The folder in which a table is built: which build it belongs to, who holds it, and its paths.
 */
#ifndef PLB_BUILDER_WORKPLACE_H
#define PLB_BUILDER_WORKPLACE_H

#include "builder/spool.h"

typedef struct plb_workplace {
    char *folder; /* FILE.part */
    char *path;   /* the last path that plb_workplace_path made */
    int files;    /* file descriptor of the folder, -1 when not open */
    int lock;     /* that of the lock, -1 when not held */
} plb_workplace;

/* Make or reenter the folder of an output and lock it.
 *
 * claim  [in]  what is being built, with which parameters, one line
 * force  [in]  discard what another or the same build left there
 *
 * Errors: PLB_EBUSY, PLB_EOTHERGAME, PLB_ENOMEM, those of errno. Free with
 * plb_workplace_leave. */
int plb_workplace_enter(const char *output, const char *claim, bool force, plb_workplace *place,
                        plb_message *message);

/* Give up the lock; `remove` deletes the folder and what is in it. */
void plb_workplace_leave(plb_workplace *place, bool remove);

/* Delete what a build that ended after its table had its name has left, if it was this one. */
void plb_workplace_sweep(const char *output, const char *claim);

/* Path of a file in the folder: `name` or, for ply >= 0, `name.NN`. Owned by the workplace until
 * the next call; NULL when out of memory. */
const char *plb_workplace_path(plb_workplace *place, const char *name, int ply);

/* Is there such a file? */
bool plb_workplace_has(const plb_workplace *place, const char *name, int ply);

/* Delete it, if it is there. */
void plb_workplace_delete(const plb_workplace *place, const char *name, int ply);

#endif
