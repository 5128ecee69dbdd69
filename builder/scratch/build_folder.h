/* SPDX-License-Identifier: MIT
 *
 * The folder in which a table is built: which build it belongs to, which process uses it, what is
 * in it.
 *
 *     FILE.part/game          the label: what is being built, with which parameters, and a
 *                             random number that no other build has; there before the others
 *              /game.tmp      one that is not written completely
 *              /lock          locked by the process that builds
 *              /reach.NN      scratch files of ply NN (scratch_file.h); so values.NN, table.NN
 *              /values.NN.PP  .. which on big plies have parts: this is one after the first
 *              /reach.NN.tmp  one that is not saved: useless to another process
 *              /table         the file in the making
 *              /shard         .. and that with the segments, if they are in one of their own
 *
 * Nothing else may be there: a folder with any other file is refused, and only files of these
 * names in a folder with a whole label are ever deleted. Which scratch files a build needs and
 * when one is saved is the journal's business (journal.h).
 */
#ifndef PLB_BUILDER_SCRATCH_BUILD_FOLDER_H
#define PLB_BUILDER_SCRATCH_BUILD_FOLDER_H

#include "builder/ply_parts.h"
#include "tables/message.h"

/* Kinds of scratch files. */
typedef enum plb_scratch_kind {
    PLB_SCRATCH_REACH,
    PLB_SCRATCH_VALUES,
    PLB_SCRATCH_TABLE,
    PLB_SCRATCH_KINDS
} plb_scratch_kind;

/* A scratch file: of a part of a ply; those of kinds and plies that have no parts are part 0. */
typedef struct plb_scratch_file {
    plb_scratch_kind kind;
    int ply, part;
} plb_scratch_file;

enum { PLB_LABEL_TEXT = 512, PLB_NAME_TEXT = 24 };

typedef struct plb_build_folder {
    char *path;                 /* FILE.part */
    int files;                  /* file descriptor of the folder, -1 when not open */
    int lock;                   /* that of the lock, -1 when not held */
    char label[PLB_LABEL_TEXT]; /* one line, with the number of the build */
} plb_build_folder;

/* In a label: before the versions of formats; and where ranks keep their segments. */
#define PLB_LABEL_VERSIONS " format "
#define PLB_LABEL_SHARDS " shards"

/* Make or reenter the folder of an output and lock it.
 *
 * label  [in]  what is being built, with which parameters and versions, one line of up to 400 bytes
 * force  [in]  discard what another or the same build left there
 *
 * Errors: PLB_EBUSY, PLB_EARGUMENT (the folder is on another file system than the output),
 * PLB_EOTHERGAME (the build of something else), PLB_ENOTTABLE (there are files
 * that no build has made), PLB_ECORRUPT (scratch files without a whole label), PLB_ENOMEM, those
 * of errno. Free with plb_build_folder_leave. */
int plb_build_folder_enter(const char *output, const char *label, bool force,
                           plb_build_folder *folder, plb_message *message);

/* Give up the lock; `remove` deletes the folder and what is in it, as far as it can be. */
void plb_build_folder_leave(plb_build_folder *folder, bool remove);

/* Enter the folder of a build that was killed, if there is one and it was this build; false: it was
 * not. Or remove it. */
bool plb_build_folder_enter_leftover(const char *output, const char *label,
                                     plb_build_folder *folder);
void plb_build_folder_remove_leftover(const char *output, const char *label);

/* Name of a scratch file, saved or not. */
void plb_build_folder_name(plb_scratch_file file, bool saved, char name[PLB_NAME_TEXT]);

/* The files in the making. */
#define PLB_UNNAMED_TABLE "table"
#define PLB_UNNAMED_SHARD "shard"

/* A set of scratch files: for each kind and ply a bit for each part. */
typedef struct plb_scratch_set {
    uint32_t parts[PLB_SCRATCH_KINDS][PLB_MAX_CELLS + 1];
} plb_scratch_set;

static inline bool plb_scratch_set_has(const plb_scratch_set *set, plb_scratch_file file) {
    return set->parts[file.kind][file.ply] >> file.part & 1;
}
static inline void plb_scratch_set_add(plb_scratch_set *set, plb_scratch_file file) {
    set->parts[file.kind][file.ply] |= 1U << file.part;
}
static inline void plb_scratch_set_remove(plb_scratch_set *set, plb_scratch_file file) {
    set->parts[file.kind][file.ply] &= ~(1U << file.part);
}

/* The first file of a set from *file on, by kind, ply and part; false: there is none. All of them:
 *
 *     for (plb_scratch_file file = {0}; plb_scratch_set_find(set, &file); file.part++) */
bool plb_scratch_set_find(const plb_scratch_set *set, plb_scratch_file *file);

/* What is in the folder, besides label and lock. */
typedef struct plb_folder_files {
    plb_scratch_set saved, unsaved;
    bool table;        /* a file in the making */
    char foreign[256]; /* the name of a file that no build has made; empty: there is none */
} plb_folder_files;

/* Errors: those of errno, PLB_ENOMEM. */
int plb_build_folder_list(const plb_build_folder *folder, plb_folder_files *listing,
                          plb_message *message);

/* Delete a file, if it is there. Errors: those of errno. */
int plb_build_folder_delete(const plb_build_folder *folder, const char *name, plb_message *message);

/* Name a file anew; what has the new name is replaced. Errors: those of errno. */
int plb_build_folder_rename(const plb_build_folder *folder, const char *from, const char *to,
                            plb_message *message);

/* Have a file's content on the disk, or with NULL the names of all files in the folder. Errors:
 * those of errno. */
int plb_build_folder_sync(const plb_build_folder *folder, const char *name, plb_message *message);

/* Visit the folders `OUTPUT.rankN` of unfinished builds that are beside an output, in no order. */
typedef void plb_visit_rank(void *context, int rank, const char *output);
void plb_build_folder_visit_ranks(const char *output, plb_visit_rank *visit, void *context);

/* The bytes that the folder of an output takes on its disk, 0 if there is none; and those that a
 * build may take, which are these, those of the folders of other ranks there whose labels begin
 * with label (of a build whose ranks keep their segments; NULL: of others), and what is free, 0 if
 * unknown. */
double plb_build_folder_bytes(const char *output);
double plb_build_folder_max_bytes(const char *output, const char *label);

/* Open the folder of a path; have the names in it on the disk, and close it. Errors: those of
 * errno, PLB_ENOMEM (only when opening). */
int plb_build_folder_open_parent(const char *path, int *folder, plb_message *message);
int plb_build_folder_sync_parent(int folder, const char *path, plb_message *message);

#endif
