/* SPDX-License-Identifier: MIT
 *
 * The folder of an unfinished build: its label, its lock, and its files.
 *
 *     FILE.part/game          the label: what is being built, with which parameters, and a random
 *                             number that identifies the build; written before all other files
 *              /game.tmp      a label that is not complete yet
 *              /lock          locked by the process that builds
 *              /reach.NN      scratch files of ply NN (scratch_file.h); also values.NN, table.NN
 *              /values.NN.PP  the same of part PP of a large ply, except the first part
 *              /reach.NN.tmp  an unsaved scratch file, of no use to another process
 *              /table         the unfinished file of the table
 *              /shard         the unfinished shard
 *
 * A folder with any other file is refused. Files are deleted only if they have one of these names
 * and the folder has a complete label. The journal (journal.h) determines which scratch files are
 * needed and when they are saved.
 */
#pragma once

#include "builder/ply_parts.h"
#include "tables/message.h"

/* Kinds of scratch files. */
typedef enum plb_scratch_kind {
    PLB_SCRATCH_REACH,
    PLB_SCRATCH_VALUES,
    PLB_SCRATCH_TABLE,
    PLB_SCRATCH_KINDS
} plb_scratch_kind;

/* Identifies a scratch file. The part is 0 for reach files, and for plies with one part. */
typedef struct plb_scratch_file {
    plb_scratch_kind kind;
    int ply, part;
} plb_scratch_file;

enum { PLB_LABEL_TEXT = 512, PLB_NAME_TEXT = 24 };

typedef struct plb_build_folder {
    char *path;                 /* FILE.part */
    int files;                  /* file descriptor of the folder; -1: not open */
    int lock;                   /* file descriptor of the lock; -1: not held */
    char label[PLB_LABEL_TEXT]; /* one line, with the number of the build */
} plb_build_folder;

/* Words of a label: before the format versions; of builds with shards. */
#define PLB_LABEL_VERSIONS " format "
#define PLB_LABEL_SHARDS " shards"

/* Make or reenter the folder of an output and lock it.
 *
 * label  [in]  what is being built, with which parameters and versions, one line of up to 400 bytes
 * force  [in]  discard an unfinished build
 *
 * Errors: PLB_EBUSY, PLB_EARGUMENT (the folder is on another file system than the output),
 * PLB_EOTHERGAME (another build), PLB_ENOTTABLE (files of another program), PLB_ECORRUPT (scratch
 * files without a complete label), PLB_ENOMEM, those of errno. Free with plb_build_folder_leave. */
int plb_build_folder_enter(const char *output, const char *label, bool force,
                           plb_build_folder *folder, plb_message *message);

/* Release the lock. With `remove` delete the folder and its files; errors are ignored. */
void plb_build_folder_leave(plb_build_folder *folder, bool remove);

/* Enter the folder that a killed run of this build has left, or remove it. false: there is none, or
 * it cannot be entered (locked, of another build). */
bool plb_build_folder_enter_leftover(const char *output, const char *label,
                                     plb_build_folder *folder);
void plb_build_folder_remove_leftover(const char *output, const char *label);

/* The name of a scratch file, saved or unsaved. */
void plb_build_folder_name(plb_scratch_file file, bool saved, char name[PLB_NAME_TEXT]);

/* Names of the unfinished files. */
#define PLB_UNNAMED_TABLE "table"
#define PLB_UNNAMED_SHARD "shard"

/* A set of scratch files. */
typedef struct plb_scratch_set {
    uint32_t parts[PLB_SCRATCH_KINDS][PLB_MAX_CELLS + 1]; /* bit masks of parts */
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

/* Find the first file of a set from *file on, by kind, ply and part; false: none. To visit all:
 *
 *     for (plb_scratch_file file = {0}; plb_scratch_set_find(set, &file); file.part++) */
bool plb_scratch_set_find(const plb_scratch_set *set, plb_scratch_file *file);

/* The files in the folder, besides label and lock. */
typedef struct plb_folder_files {
    plb_scratch_set saved, unsaved;
    bool table;        /* an unfinished table or shard */
    char foreign[256]; /* the name of another program's file; empty: none */
} plb_folder_files;

/* Errors: those of errno, PLB_ENOMEM. */
int plb_build_folder_list(const plb_build_folder *folder, plb_folder_files *listing,
                          plb_message *message);

/* Delete a file, if it exists. Errors: those of errno. */
int plb_build_folder_delete(const plb_build_folder *folder, const char *name, plb_message *message);

/* Rename a file; a file with the new name is replaced. Errors: those of errno. */
int plb_build_folder_rename(const plb_build_folder *folder, const char *from, const char *to,
                            plb_message *message);

/* Sync the content of a file, or with NULL the folder. Errors: those of errno. */
int plb_build_folder_sync(const plb_build_folder *folder, const char *name, plb_message *message);

/* Call a function for each folder `OUTPUT.rankN.part` beside an output, in any order. */
typedef void plb_visit_rank(void *context, int rank, const char *output);
void plb_build_folder_visit_ranks(const char *output, plb_visit_rank *visit, void *context);

/* The disk space of the folder of an output, 0 if it does not exist. And the disk space that a
 * build can take: its folder, the folders of other ranks whose labels begin with `label` (only with
 * shards; otherwise NULL), and what is free; 0 if unknown. */
double plb_build_folder_bytes(const char *output);
double plb_build_folder_max_bytes(const char *output, const char *label);

/* Open the folder that contains a path; sync and close it. Errors: those of errno, PLB_ENOMEM (only
 * when opening). */
int plb_build_folder_open_parent(const char *path, int *folder, plb_message *message);
int plb_build_folder_sync_parent(int folder, const char *path, plb_message *message);
