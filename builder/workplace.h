/* SPDX-License-Identifier: MIT
 *
 * The folder in which a table is built: which build it belongs to, who holds it, what is in it.
 *
 *     FILE.part/game          the claim: what is being built, with which parameters, and a random
 *                             number that no other build has; there before all that follows
 *              /lock          held by the process that builds
 *              /reach.NN      scratch files of ply NN (spool.h); so are values.NN and table.NN
 *              /reach.NN.tmp  one that is not saved: of no use to another process
 *              /table         the file in the making
 *
 * Nothing else may be there: a folder with any other file is refused, and only files of these
 * names in a folder with a whole claim are ever deleted. Which scratch files a build needs and
 * when one is saved is the journal's business (journal.h).
 */
#ifndef PLB_BUILDER_WORKPLACE_H
#define PLB_BUILDER_WORKPLACE_H

#include "tables/message.h"

/* Kinds of scratch files. */
typedef enum plb_scratch_kind {
    PLB_SCRATCH_REACH,
    PLB_SCRATCH_VALUES,
    PLB_SCRATCH_TABLE,
    PLB_SCRATCH_KINDS
} plb_scratch_kind;

enum { PLB_CLAIM_TEXT = 512, PLB_NAME_TEXT = 24 };

typedef struct plb_workplace {
    char *folder;               /* FILE.part */
    int files;                  /* file descriptor of the folder, -1 when not open */
    int lock;                   /* that of the lock, -1 when not held */
    char claim[PLB_CLAIM_TEXT]; /* one line, with the number of the build */
} plb_workplace;

/* Make or reenter the folder of an output and lock it.
 *
 * claim  [in]  what is being built, with which parameters, one line of at most 400 bytes
 * force  [in]  discard what another or the same build left there
 *
 * Errors: PLB_EBUSY, PLB_EOTHERGAME (the build of something else), PLB_ENOTTABLE (there are files
 * that no build has made), PLB_ECORRUPT (scratch files without a whole claim), PLB_ENOMEM, those of
 * errno. Free with plb_workplace_leave. */
int plb_workplace_enter(const char *output, const char *claim, bool force, plb_workplace *place,
                        plb_message *message);

/* Give up the lock; `remove` deletes the folder and what is in it, as far as it can be. */
void plb_workplace_leave(plb_workplace *place, bool remove);

/* Delete what a build that ended after its table had its name has left, if it was this one. */
void plb_workplace_sweep(const char *output, const char *claim);

/* Name of a scratch file, saved or not. */
void plb_workplace_name(plb_scratch_kind kind, int ply, bool saved, char name[PLB_NAME_TEXT]);

/* The file in the making. */
#define PLB_UNNAMED_TABLE "table"

/* What is in the folder. */
typedef struct plb_folder_files {
    bool saved[PLB_SCRATCH_KINDS][PLB_MAX_CELLS + 1], unsaved[PLB_SCRATCH_KINDS][PLB_MAX_CELLS + 1];
    bool claim, unsaved_claim, lock, table;
    char foreign[256]; /* the name of a file that no build has made; empty: there is none */
} plb_folder_files;

/* Errors: those of errno, PLB_ENOMEM. */
int plb_workplace_list(const plb_workplace *place, plb_folder_files *listing, plb_message *message);

/* Delete a file, if it is there. Errors: those of errno. */
int plb_workplace_delete(const plb_workplace *place, const char *name, plb_message *message);

/* Name a file anew; what has the new name is replaced. Errors: those of errno. */
int plb_workplace_rename(const plb_workplace *place, const char *from, const char *to,
                         plb_message *message);

/* Have a file's content on the disk, or with NULL the names of all files in the folder. Errors:
 * those of errno. */
int plb_workplace_sync(const plb_workplace *place, const char *name, plb_message *message);

/* The bytes that the folder of an output takes on its disk; 0 if there is none. */
double plb_workplace_bytes(const char *output);

/* Open the folder of a path; have the names in it on the disk, and close it. Errors: those of
 * errno, PLB_ENOMEM (only when opening). */
int plb_workplace_open_parent(const char *path, int *folder, plb_message *message);
int plb_workplace_sync_parent(int folder, const char *path, plb_message *message);

#endif
