/* SPDX-License-Identifier: MIT
 *
 * Plybase: answer positions of solved placement games from their endgame tables.
 *
 * This is the whole public interface, with the vocabulary that it includes. A table is a file,
 * `SPEC.plb`, written by `plybase build SPEC`; with --shards its values are in files beside it.
 *
 *     plb_table *table;
 *     plb_message why;
 *     if (plb_open("connect-5x5-k4.plb", &table, &why) != PLB_OK) errx(1, "%s", why.text);
 *     plb_answer answer;
 *     plb_probe(table, 0, 0, &answer, NULL);          // the empty board
 *     printf("%s\n", plb_value_text(answer.value));   // for the player to move
 *     plb_close(table);
 *
 * Positions. A position is two 64-bit numbers, x and o. In games of stones they are bitboards, of
 * the first and of the second player: bit `column * height + row`, from the left and from the
 * bottom. In games of numbers (`numeric-3x3`) o is the bitboard of the occupied cells, and x has
 * four bits for each cell, from bit 4 * cell on: the number less 1, plus N^2/2 for numbers of the
 * second player if both have the same numbers; 0 for an empty cell. x is to move if both have moved
 * equally often, else o.
 *
 * Text. Rows from the top, `/` between rows, `x`, `o`, a number for a run of empty cells: the empty
 * 7x6 board is `7/7/7/7/7/7`. In games of numbers `,` separates cells, and `.` is an empty one:
 * `2,.,9/.,5,./.,.,.`.
 *
 * Errors. What can fail returns PLB_OK or a negative code of the list below; the numbers do not
 * change. Out-parameters are written only on success, and a `plb_message *`, which may be NULL, on
 * failure only: one sentence that names what is wrong and what would be right. If any other pointer
 * is NULL the error is PLB_EARGUMENT; functions without errors say what they return. The library
 * never prints, never exits and has no mutable globals.
 *
 * Files. The file of a table stays open, and values are read when they are needed; nothing is
 * mapped. All that is read is compared with a checksum of this table: if an open file is cut short,
 * overwritten or damaged, probes that read the changed part fail with PLB_ECORRUPT or PLB_EIO, and
 * others give right answers. Replace a table by renaming another file to its path, as `plybase
 * build --force` does, or remove it: open tables continue with the old file. With --shards the
 * manifest is renamed last: until then the old one does not open (PLB_ECORRUPT).
 *
 * Memory. Each thread that probes at the same time, and each context, uses at most 32 MiB for
 * blocks. A table uses 24 bytes for each segment of its file (about 2^20 index entries) and a bit
 * for each set of cells. If the index is "keys", as in all games of numbers, the first export,
 * sample or listing enumerates the positions of its plies and of those before them, which the table
 * keeps: 16 bytes each, up to symmetry. The cursor of an export keeps the rows of its last call.
 *
 * ABI. Programs built for one SOVERSION of the library work with later versions of it. Handles are
 * opaque. Structs that the caller provides have fixed sizes and offsets; a new field takes reserved
 * space, which is 0 until then (plb_limits: set it to 0). plb_table_info grows at its end.
 *
 * Threads. Any number of threads may call every function below but plb_close on one table at the
 * same time. Any number of processes may open one file, and one process several times. A child of a
 * fork may use the tables and contexts that were open, and closes its own copies of them; memory
 * that a call of another thread was using is lost to it.
 */
#ifndef PLYBASE_H
#define PLYBASE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Errors, values, limits; installed as plybase_vocabulary.h beside this header. */
#include "tables/vocabulary.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that is linked, as PLB_VERSION_TEXT. Static storage. */
PLB_API const char *plb_version(void);

typedef struct plb_table plb_table;

/* What a table is. Strings are owned by the table and live as long as it. */
typedef struct plb_table_info {
    const char *spec;         /* canonical name of the game, such as "connect-5x5-k4-misere" */
    const char *builder;      /* name and version of the program that built it */
    const char *values;       /* "wdl", or "dtm": distances too */
    const char *compression;  /* such as "zstd-3" */
    int width, height, cells; /* board */
    int k;                    /* stones of a group */
    bool gravity, misere, cylinder;
    int symmetries;      /* order of the symmetry group */
    int block_entries;   /* entries of a block, at most */
    uint64_t size_bytes; /* of the file */
    uint64_t positions;  /* reachable, all plies */
    uint64_t entries;    /* of the index, all plies */
    const char *goal;    /* what a player completes: "4 in a row", "a square" */
    const char *index;   /* "slabs", or "keys": its entries are the positions that are stored */
    int largest_number;  /* that a player places, in games of numbers; else 0 */
    /* For a strategy, otherwise NULL and 0: its player, "first" or "second"; what he reaches at
     * least, "win" or "draw"; how many plies its rules look ahead. Then values is "strategy", and
     * positions and entries count what is stored, up to symmetry. */
    const char *player, *claim;
    int look_ahead;
    /* 16 hexadecimal digits, the XXH3-64 of all that is stored, wherever in the file: the same for
     * a table that the same builder makes again. In a file of more than 32 MiB only 32 MiB of
     * values, spread over it, are read for the id, so that an edited file may keep it; `plybase
     * serve` reads all. */
    const char *id;
} plb_table_info;

/* The value of one position. */
typedef struct plb_answer {
    plb_value value; /* for the player to move */
    int dtm;         /* plies to the end of the game, or PLB_NO_DTM */
    bool over;       /* a group is complete or the board is full: there are no moves */
    int8_t bound; /* 0: this is the value; 1, -1: a strategy knows it is at least, at most this */
    uint8_t reserved[6];
} plb_answer;

/* Open a finished table for probing.
 *
 * path   [in]   the file, or the manifest of its shards
 * table  [out]  to be closed with plb_close
 *
 * Errors:  PLB_ENOTFOUND, PLB_EPERMISSION, PLB_ENOTTABLE, PLB_EVERSION, PLB_EUNFINISHED (its
 *          build is under way or was interrupted), PLB_ECORRUPT (cut short, or not consistent;
 *          a shard is missing or not the right one), PLB_EIO, PLB_ENOMEM.
 * Cost:    reads the directory of the table, and up to 32 MiB of its values for the id; all of a
 *          strategy. Keeps one descriptor, and one for each shard.  */
PLB_API int plb_open(const char *path, plb_table **table, plb_message *message);

/* Close a table and free all that belongs to it. NULL is allowed. No other call may be under
 * way. */
PLB_API void plb_close(plb_table *table);

/* What the table is. The result is owned by the table; NULL for NULL. */
PLB_API const plb_table_info *plb_info(const plb_table *table);

/* Counts and distances of a ply, in [0, cells]. Errors: PLB_EARGUMENT for another ply;
 * PLB_EUNKNOWN: a strategy counts nothing, and a table may have no distances. */
PLB_API int plb_stats(const plb_table *table, int ply, plb_ply_stats *stats);
PLB_API int plb_distance_stats(const plb_table *table, int ply, plb_ply_distances *distances);

/* What a table takes. */
typedef struct plb_usage {
    uint64_t cached_bytes; /* of memory for decompressed blocks, of all threads and contexts */
    uint64_t blocks_read;  /* since it was opened */
    uint64_t held_bytes;   /* about, while it is open: index, moves of a strategy, kept positions */
    uint64_t reserved[5];
} plb_usage;

/* Errors: none but PLB_EARGUMENT. A strategy has no blocks. */
PLB_API int plb_find_usage(const plb_table *table, plb_usage *usage);

/* Free the decompressed blocks that no context and no call under way holds, so that many open
 * tables take less memory. They are read again when they are needed. NULL is allowed. */
PLB_API void plb_trim(const plb_table *table);

/* Value of a position.
 *
 * Errors:  PLB_EBOARD (a bit beyond the board), PLB_ECOUNTS (overlapping stones or counts that no
 *          alternation gives), PLB_EFLOATING, PLB_EOVER, PLB_EUNREACHABLE: the position is refused;
 *          PLB_EUNKNOWN: a search did not find out whether it can be reached, within 60 ms for each
 *          stone that may have been the last (no such position is known); PLB_ECORRUPT: a block
 *          does not match its checksum, or the file was cut short; PLB_EIO; PLB_ENOMEM.
 * Cost:    decompresses one block if the position is stored, otherwise those of the positions after
 *          its moves, and after forced replies to these. */
PLB_API int plb_probe(const plb_table *table, uint64_t x, uint64_t o, plb_answer *answer,
                      plb_message *message);

/* What one thread needs for many probes: a decompressor and a cache. A probe with a context takes
 * no lock and, once its block is cached, allocates nothing. */
typedef struct plb_context plb_context;

/* Make a context, for one thread at a time; the table must outlive it. Errors: PLB_ENOMEM. */
PLB_API int plb_context_open(const plb_table *table, plb_context **context);

/* Close a context. NULL is allowed. */
PLB_API void plb_context_close(plb_context *context);

/* As plb_probe, with the context's table. */
PLB_API int plb_context_probe(plb_context *context, uint64_t x, uint64_t o, plb_answer *answer,
                              plb_message *message);

/* A position to be answered together with others, and its answer. */
typedef struct plb_query {
    uint64_t x, o;     /* in */
    int error;         /* out: PLB_OK, or why the position was refused, as by plb_probe */
    plb_answer answer; /* out, written when error is PLB_OK */
} plb_query;

/* Answer many positions: [count] queries, which keep their places. They are looked up in the order
 * of their blocks, so that each block is decompressed about once. An error of a position is in its
 * query only. Errors: PLB_ENOMEM, and then nothing was answered. Cost: 32 bytes of memory per query
 * while it runs. */
PLB_API int plb_probe_many(const plb_table *table, plb_query *queries, size_t count);

/* Many positions as columns, one array per field, for array languages. dtms and bounds may be NULL;
 * without bounds "at least a draw" looks like a draw. */
typedef struct plb_columns {
    const uint64_t *x, *o;  /* in   [count] */
    int8_t *values;         /* out  [count] a plb_value; 0 where there is an error */
    int16_t *dtms;          /* out  [count] as in an answer; PLB_NO_DTM where there is an error */
    int8_t *errors;         /* out  [count] PLB_OK, or why the position was refused */
    int threads;            /* in   to be used at most, this one included; 0 and 1: this one */
    uint8_t reserved[4];    /* 0 */
    int8_t *bounds;         /* out  [count] as in an answer; 0 where there is an error */
    uint64_t reserved_word; /* 0 */
} plb_columns;

/* As plb_probe_many, with several threads if there is enough to do; they have ended when it
 * returns. Errors: PLB_ENOMEM, and then nothing was written. */
PLB_API int plb_probe_columns(const plb_table *table, const plb_columns *columns, size_t count);

/* As plb_probe, for a position as text; PLB_ESYNTAX and PLB_EBOARD say what is wrong in it. */
PLB_API int plb_probe_text(const plb_table *table, const char *board, plb_answer *answer,
                           plb_message *message);

/* Every legal move of a position with its value, best first: wins from fast to slow, draws, losses
 * from slow to fast; among equals by column, then by row. The first *count are written, none where
 * the game is over. Errors: those of plb_probe. */
PLB_API int plb_moves(const plb_table *table, uint64_t x, uint64_t o, plb_move moves[PLB_MAX_MOVES],
                      int *count, plb_message *message);

/* How many of the moves of plb_moves are as good as the first: the best ones. 0 for NULL. */
PLB_API int plb_count_best(const plb_move *moves, int count);

/* A position with its value and all of its moves. */
typedef struct plb_analysis {
    plb_answer answer;
    int count;                     /* legal moves; 0 when the game is over */
    int best;                      /* how many of the first are the best ones */
    plb_move moves[PLB_MAX_MOVES]; /* as plb_moves orders them */
} plb_analysis;

/* plb_probe, plb_moves and plb_count_best in one. Errors: those of plb_probe. */
PLB_API int plb_analyse(const plb_table *table, uint64_t x, uint64_t o, plb_analysis *analysis,
                        plb_message *message);

/* ---- playing, by the rules alone ---- */

/* How a game stands. */
typedef struct plb_state {
    char to_move; /* 'x' or 'o'; when the game is over, who would be to move */
    char winner;  /* 'x' or 'o'; 0 for nobody: a draw, or the game is not over */
    bool over;    /* a group is complete or the board is full */
    uint8_t ply;  /* moves since the empty board */
    uint8_t reserved[4];
    uint64_t groups; /* the cells of all complete groups, bit column * height + row; 0: none */
} plb_state;

/* How the game stands in a position. In misere play the groups are the loser's.
 * Errors: those of plb_probe about positions. */
PLB_API int plb_find_state(const plb_table *table, uint64_t x, uint64_t o, plb_state *state,
                           plb_message *message);

/* Play a move: one of the library, or with column, row and, in games of numbers, number set and the
 * rest 0; value, dtm and text are ignored. After an error x and o are unchanged. Errors: those of
 * plb_probe about positions; PLB_EMOVE: off the board, not playable, or the game is over. */
PLB_API int plb_play(const plb_table *table, const plb_move *move, uint64_t *x, uint64_t *o,
                     plb_message *message);

/* Play moves as text, in the notation of plb_parse_moves, from any position.
 * Errors: those of plb_probe about positions, and of plb_parse_moves. */
PLB_API int plb_play_text(const plb_table *table, const char *text, uint64_t *x, uint64_t *o,
                          plb_message *message);

/* List the next positions of a ply that can arise, each once, in an order that is always the same:
 * at most `room`, which is at least 1, to x and o of that size. A call looks at some ten thousand
 * entries of the index at most: *count may be less than room, even 0, before listing->done.
 *
 * Errors:  PLB_EARGUMENT for a ply outside [0, cells] or a listing that no call has written;
 *          PLB_ENOMEM; PLB_EUNKNOWN: the table is a strategy; PLB_ECORRUPT: it has keys, which are
 *          not those of its positions.
 * Cost:    checks every colouring of the cells that may be occupied. With keys: see Memory. */
PLB_API int plb_list_positions(const plb_table *table, plb_listing *listing, size_t room,
                               uint64_t *x, uint64_t *o, size_t *count);

/* ---- positions in bulk ----
 *
 * All positions of a table or of some plies with their values, in the order of the table, or some
 * drawn at random, as `plybase export` writes them:
 *
 *     plb_export *cursor;
 *     const plb_row *rows;
 *     size_t count;
 *     const plb_export_options options = {.samples = 1000, .seed = 1};
 *     int error = plb_export_open(table, &options, &cursor, &why);
 *     while (!error && !(error = plb_export_next(cursor, &rows, &count, &why)) && rows)
 *         for (size_t r = 0; r < count; r++) use(&rows[r]);
 *     plb_export_close(cursor);
 */

/* Which positions, by the state of the game. */
typedef enum plb_export_stage {
    PLB_STAGE_ALL,
    PLB_STAGE_OPEN,  /* the game is not over */
    PLB_STAGE_QUIET, /* the game is not over, and no stone of either player would complete a group;
                        only in games of stones */
} plb_export_stage;

/* Bit of a value in plb_export_options.values. */
#define PLB_VALUE_BIT(value) (1U << ((value) + 1))

/* Which positions. Zeros: all. */
typedef struct plb_export_options {
    int first_ply, end_ply; /* [first_ply, end_ply); end_ply 0: every ply from the first one on */
    bool canonical;         /* one position of each class of symmetric ones */
    uint8_t reserved[3];    /* 0 */
    plb_export_stage stage;
    unsigned values;         /* for the player to move: sum of PLB_VALUE_BIT; 0: all */
    uint8_t reserved_too[4]; /* 0 */
    uint64_t samples;        /* rows to draw; 0: all there are */
    uint64_t seed;           /* of the sample; a longer sample begins with the rows of a shorter */
    /* NULL, or what a signal handler or a thread sets to another number than 0: the call under way
     * ends soon with PLB_EINTERRUPTED. */
    const volatile sig_atomic_t *stop;
    const char *format;     /* of text, below; NULL: csv. It is read by plb_export_open alone, and
                               narrows the rows of plb_export_next, too */
    uint64_t reserved_word; /* 0 */
} plb_export_options;

/* A position with its value. */
typedef struct plb_row {
    uint64_t x, o;
    uint64_t best; /* the cells of the best moves, bit column * height + row; 0: the game is over */
    int16_t dtm;   /* plies to the end of the game, or PLB_NO_DTM */
    int8_t value;  /* a plb_value, for the player to move */
    uint8_t ply;
    uint8_t reserved[4];
} plb_row;

typedef struct plb_export plb_export;

/* Begin an export or a random sample, exactly uniform over the rows of the export, with repetition.
 * options NULL: all positions. The cursor is to be closed; one thread at a time may use it, and the
 * table must stay open meanwhile. Errors: PLB_EARGUMENT (plies that the board does not have;
 * another stage than those above, or values with other bits; a sample of plies without positions,
 * or without one of these values; quiet positions of a game of numbers; a format that there is not,
 * or that cannot have this table), PLB_ENOTTABLE (a strategy), PLB_ECORRUPT, PLB_ENOMEM,
 * PLB_EINTERRUPTED. */
PLB_API int plb_export_open(const plb_table *table, const plb_export_options *options,
                            plb_export **cursor, plb_message *message);

/* The next rows, some thousands, or none where few are wanted. They belong to the cursor until its
 * next call; NULL: there are no more. Errors: PLB_ENOMEM, PLB_EIO, PLB_EINTERRUPTED; PLB_ECORRUPT:
 * the table does not answer a position that can arise, or has counted others; PLB_ENOTFOUND: of
 * 131,072 positions that were drawn for one row none was wanted. The cursor has then not moved. */
PLB_API int plb_export_next(plb_export *cursor, const plb_row **rows, size_t *count,
                            plb_message *message);

/* The next rows as bytes without a 0 at the end, instead of plb_export_next, and how many they are.
 * Formats, which leave out positions that their lists do not have:
 *
 *     csv    columns position,ply,to_move,value,dtm,best_moves, after a header line
 *     npy    records x, o, ply, value, dtm, best for numpy, after a header
 *     uci    lines of the UCI Connect-4 data set; quiet positions, one of each symmetric class;
 *            games of stones
 *     pons   moves and score; the game is not over, and ply 0 is left out; games with gravity,
 *            tables with distances
 *
 * The text belongs to the cursor until its next call; NULL: there are no more. Errors: those of
 * plb_export_next. */
PLB_API int plb_export_next_text(plb_export *cursor, const char **text, size_t *size, size_t *count,
                                 plb_message *message);

/* What a file with this number of rows begins with: of uci and pons nothing. Its size does not
 * depend on the number, so that it can be written again. Errors: PLB_EARGUMENT. */
enum { PLB_EXPORT_HEADER = 256 };
PLB_API int plb_export_header(const plb_export *cursor, uint64_t count,
                              char header[PLB_EXPORT_HEADER], size_t *size);

/* NULL is allowed. */
PLB_API void plb_export_close(plb_export *cursor);

/* ---- strategies ----
 *
 * A strategy, written by `plybase strategy`, is opened and asked like a table. It has the moves
 * with which one player reaches its claim, a win or at least a draw, from the empty board, whatever
 * the opponent does. It answers positions that can arise when this player follows it, from which
 * simple rules reach the claim, or of the opponent from which every move leads to one of these; for
 * others the error is PLB_EUNKNOWN. If its player is to move, plb_moves gives the move of the
 * strategy, or PLB_EUNKNOWN if it knows the value alone. It has no distances, counts, lists and
 * best lines. */

/* The move of a strategy in a position that arises when its player follows it, and in which he is
 * to move. In other positions it may also give a move, but this move need not reach the claim.
 * Errors: those of plb_probe about positions; PLB_EUNKNOWN: the opponent is to move, the game is
 * over, there is no move, or the table is no strategy. Cost: microseconds to milliseconds. */
PLB_API int plb_strategy_move(const plb_table *table, uint64_t x, uint64_t o, plb_move *move,
                              plb_message *message);

/* ---- proofs by pairing, by the rules alone ----
 *
 * In games of stones without gravity disjoint parts of the empty cells can prove that a player
 * cannot complete a group, so that he does not win, or in misere play that he never has to, so that
 * he does not lose; whoever is to move. A group is
 * open for a player if it has no stone of the other one. Each open group contains the two cells of
 * a pair, or the cells of a group of a configuration (J. W. H. M. Uiterwijk, Set Matching): a
 * player who answers each move inside its part gets a cell of every group. In misere play there is
 * at most one configuration, and only for the player who does not place the last stone of a full
 * board. */

typedef enum plb_verdict {
    PLB_PROVEN = 1,
    PLB_NO_PROOF = 0,  /* there is none of this kind */
    PLB_NOT_FOUND = -1 /* none was found in as many steps as were allowed */
} plb_verdict;

/* What is asked about a position. */
typedef struct plb_proof_question {
    char player;         /* 'x' or 'o': who cannot, or need not, complete a group */
    bool pairs_only;     /* no configurations */
    uint8_t reserved[6]; /* 0 */
    uint64_t steps;      /* partial proofs to look at, at most; 0: any number */
    uint64_t reserved_words[2];
} plb_proof_question;

/* A pair or a configuration. */
typedef struct plb_proof_part {
    char name[24];     /* "pair", "Triangle", "FlatStar/Line" .. */
    char groups[40];   /* words of markers, such as "ab adc bec"; of a pair "ab" */
    int count;         /* of markers */
    uint8_t cells[16]; /* [count] where the markers a, b .. lie: column * height + row */
    uint8_t reserved[12];
} plb_proof_part;

typedef struct plb_proof {
    plb_verdict verdict;
    int open_groups; /* of the player */
    int count;       /* parts; 0 when nothing was proven, or no group is open */
    uint8_t reserved[20];
    plb_proof_part parts[PLB_MAX_CELLS / 2];
} plb_proof;

/* Look for a proof in a position that can arise in a game without gravity and without numbers, such
 * as "mnk-4x4-k4". Errors: PLB_ESPEC, also for games in which a pairing proves nothing; those of
 * plb_probe about positions; PLB_EARGUMENT for another player; PLB_ENOMEM. That nothing is proven
 * is no error. Cost: microseconds where pairs suffice, else some 50 ms for a million steps. */
PLB_API int plb_prove_pairing(const char *spec, uint64_t x, uint64_t o,
                              const plb_proof_question *question, plb_proof *proof,
                              plb_message *message);

/* ---- distances ----
 *
 * A distance is the number of plies to the end of the game if the winner plays as fast and the
 * loser as slowly as possible; 0 at the end of the game. A draw has none. A table built with
 * `--values dtm` stores distances; with any other one a search finds them by its values. */

/* What is known of a distance, and what finding it has cost. */
typedef struct plb_bounds {
    int least, most; /* plies; equal when the distance is known */
    uint64_t nodes;  /* positions looked at */
    double seconds;
    uint64_t reserved;
} plb_bounds;

/* When a search gives up. Zeros: never. */
typedef struct plb_limits {
    uint64_t nodes;        /* positions to look at, at most; 0: any number */
    double seconds;        /* 0: any time */
    uint64_t memory_bytes; /* of the search's own cache; 0: 64 MiB */
    /* Called from the searching thread when bounds have narrowed, and now and then between; false
     * stops the search. Along a line the bounds are those of the position that is being looked at.
     * NULL: no reports. */
    bool (*report)(void *context, const plb_bounds *bounds);
    void *context;
    uint64_t reserved[4]; /* 0 */
} plb_limits;

/* The best that the player to move can do. */
typedef struct plb_best {
    plb_value value;
    plb_bounds bounds; /* 0 and 0 for a draw */
    bool exact; /* distance, if any, and moves are known; else a limit was reached, or the table is
                   a strategy */
    uint8_t reserved[3];
    int count; /* best moves that were found; 0 when the game is over */
    /* exact: all moves that keep value and distance, in the order of plb_moves; else the most
     * promising of those that keep the value. */
    plb_move moves[PLB_MAX_MOVES];
} plb_best;

/* Value, exact distance and best moves of a position. limits may be NULL. Errors: those of
 * plb_probe; reaching a limit is no error, but best->exact is false then. Cost: with distances in
 * the table, or for a draw, that of plb_moves; else a search. For a strategy the value is that of
 * its move, which reaches the claim but may be less than the value of the position; the bounds are
 * those of any game on this board. */
PLB_API int plb_find_best(const plb_table *table, uint64_t x, uint64_t o, const plb_limits *limits,
                          plb_best *best, plb_message *message);

/* ---- resistance ----
 *
 * After which of several moves with the same value and distance does the opponent err most easily?
 * Resistance is the probability that he makes a mistake that costs a win or a draw, if all of his
 * moves are equally likely. Let him be to move in position P, and v be its value for him:
 *
 *     share(P, 1) = number of his moves whose value is less than v / number of his moves
 *     share(P, d) = mean over his moves r of: 1 if the value of r is less than v, else the greatest
 *                   share(P', d - 2) of the positions P' after r and a move of ours that keeps the
 *                   value; 0 if the game is over then
 *
 * A share is 0 if he has no move, or has lost already: distances have no effect. Every share is
 * rounded to 9 decimals. */

enum { PLB_MAX_RESIST = 15 }; /* plies that are looked ahead, at most */

/* The opponent's replies to a move. */
typedef struct plb_replies {
    int count, worse; /* his moves; those that leave him a lower value than he has */
    double share;     /* share(position after the move, plies), 0 to 1 */
    uint64_t reserved[2];
} plb_replies;

/* Best moves by resistance. */
typedef struct plb_resistance {
    /* in: to look ahead, odd, at most PLB_MAX_RESIST; 0: find best alone. out: those of the shares,
     * fewer where a limit was reached; 0 where best.exact is false: nothing is known of replies. */
    int plies;
    plb_best best; /* out; plies > 0: moves by share, the greatest first, then as by plb_moves */
    plb_replies replies[PLB_MAX_MOVES]; /* out  [best.count] plies > 0: to each best move */
} plb_resistance;

/* plb_find_best, and how much each of the best moves resists. limits, which may be NULL, are of
 * both together, and never keep from looking 1 ply ahead. An error leaves resistance as it was.
 *
 * Errors:  those of plb_find_best; PLB_EARGUMENT for another number of plies; PLB_EUNKNOWN: plies
 *          are asked of a strategy, which does not know the values of all replies.
 * Cost:    for 1 ply that of plb_moves for each best move; for each 2 plies more, times the number
 *          of replies and our moves that keep the value: without gravity 3 plies may take seconds.
 *          A node is a position whose moves are looked at; best.bounds has the sum. */
PLB_API int plb_find_resistance(const plb_table *table, uint64_t x, uint64_t o,
                                const plb_limits *limits, plb_resistance *resistance,
                                plb_message *message);

/* A sequence of moves to the end of the game. */
typedef struct plb_line {
    int count;
    plb_move moves[PLB_MAX_CELLS]; /* the first `count` are written */
} plb_line;

/* One optimal line: in turn a best move of each player (the first of plb_find_best) until the game
 * is over. Limits hold for the whole line. Errors: those of plb_probe; PLB_EUNKNOWN when a limit
 * was reached before the line was found, or the table is a strategy. */
PLB_API int plb_find_line(const plb_table *table, uint64_t x, uint64_t o, const plb_limits *limits,
                          plb_line *line, plb_message *message);

/* The moves of a text, as plb_parse_moves reads it, played from a position. Their values are not
 * looked up: value is 0 and dtm PLB_NO_DTM. Errors: those of plb_play_text. */
PLB_API int plb_read_moves(const plb_table *table, const char *text, uint64_t x, uint64_t o,
                           plb_line *line, plb_message *message);

/* A move of a game, and what it was worth. */
typedef struct plb_annotation {
    plb_move move; /* with its value and distance, as of plb_moves */
    uint64_t x, o; /* the position that it led to */
    char player;   /* 'x' or 'o': who made it */
    bool mistake;  /* its value is less than that of the position before it */
    uint8_t ply;   /* after the move */
    uint8_t reserved;
    int plies_lost; /* how many plies later the win, or earlier the loss, comes than after a best
                       move; 0 for a mistake, and where distances are not known */
    plb_analysis before; /* of the position in which it was made: its value and the best moves */
} plb_annotation;

/* The value of each move of a game, and what it cost. The game begins at x and o, and need not be
 * over; its moves are of plb_read_moves, or as of plb_play. annotations has game->count, of some 5
 * KB each, undefined after an error. Errors: those of plb_analyse and plb_play; PLB_EARGUMENT for
 * another count than 0 to 64. Cost: that of plb_analyse for each. */
PLB_API int plb_annotate(const plb_table *table, uint64_t x, uint64_t o, const plb_line *game,
                         plb_annotation *annotations, plb_message *message);

/* A position from the text of its board, as above, also with capitals and `.` for empty cells. A
 * byte order mark and white space around a text are skipped, here and by plb_parse_moves; a second
 * field is PLB_ESYNTAX. Only form and size of the board are checked: PLB_ESYNTAX, PLB_EBOARD. */
PLB_API int plb_parse_board(const plb_table *table, const char *text, uint64_t *x, uint64_t *o,
                            plb_message *message);

/* The position after a sequence of moves from the empty board. With gravity a move is a character,
 * the column `1`..`9`, then `a`..`z`; otherwise a cell such as `b3` (column letter, row from the
 * bottom), in games of numbers with the number before it, `5@b3`. With gravity and up to 9 columns
 * a cell is read as well, if the stone falls to it; with more, where `a1` may also be the columns
 * 10 and 1, it is PLB_ESYNTAX, and the columns are `a,1`. Moves follow each other directly or with
 * commas between them, `1,2` or `1, 2`; a blank without a comma does not join moves. Errors:
 * PLB_ESYNTAX, PLB_EMOVE (off the board, on a stone, after the end of the game). */
PLB_API int plb_parse_moves(const plb_table *table, const char *text, uint64_t *x, uint64_t *o,
                            plb_message *message);

/* ---- lists of other programs ----
 *
 * A position a line, then columns with blanks, tabs or commas between them. Formats:
 *
 *     plybase    positions as above, boards or moves
 *     pons       moves as above: columns from 1, cells, numbers; the next column is a score
 *     columns0   moves by columns from 0
 *     board      the cells of the rows from the top, each from the left, as in `.......xo.....`
 *     uci        the cells of the columns from the left, each from the bottom, as in `b,x,o,b`
 *
 * Cells are x, o, and `.`, `-`, `_` or b of an empty one. A byte order mark, blanks at both ends, a
 * carriage return and capitals are understood. */

/* Are positions of a format moves? 1 or 0; of plybase as `moves` says; -1: there is no such format,
 * or NULL was given. */
PLB_API int plb_list_has_moves(const char *format, bool moves);

/* The format that the first line of a list looks like, in static storage. NULL: it may be a
 * position in the notation of Plybase alone, or there is no such board. moves: positions of plybase
 * would be moves. */
PLB_API const char *plb_guess_list_format(const char *line, int width, int height, bool moves);

/* A line of a list. Offsets are bytes from the beginning of the line. */
typedef struct plb_list_line {
    /* In Plybase's notation: for plb_parse_moves if plb_list_has_moves, else plb_parse_board. Where
     * letters are columns, commas are between moves; what a parser finds wrong counts them. */
    char position[2 * PLB_BOARD_TEXT];
    size_t begin, end; /* of the position as it is written in the line */
    size_t rest;       /* where the columns after it begin; the line's length: there are none */
} plb_list_line;

/* Read a line of a list, without its line end, for a board of at most PLB_MAX_CELLS cells. What
 * plb_parse_board and plb_parse_moves find wrong is left to them. Errors: PLB_EARGUMENT for another
 * format or board; PLB_ESYNTAX and PLB_EBOARD, after which read has all but the position, which is
 * empty. */
PLB_API int plb_read_list_line(const char *format, int width, int height, const char *line,
                               plb_list_line *read, plb_message *message);

/* A column of a line: 2 is the one after the position, at `rest`. It ends where *length says, and
 * may be empty between two commas. NULL: there is none. */
PLB_API const char *plb_list_column(const char *line, size_t rest, int column, size_t *length);

/* What is known of a position of a list. A bound (plb_answer.bound) is no value. */
typedef struct plb_list_known {
    plb_value value; /* for the player to move */
    int dtm;         /* plies to the end of the game, or PLB_NO_DTM */
    int ply, cells;  /* stones or numbers (plb_state.ply), and cells of the board */
} plb_list_known;

/* The score of the format pons: half the cells that are empty at the end, rounded down, plus one,
 * negative where the player to move loses, 0 of a draw; its sign where the distance is not known.
 */
PLB_API int plb_list_score(const plb_list_known *known);

/* Does a column of a line, 2 being the one after the position, agree with what is known? A value
 * does: win, draw, loss, or 1, 0, -1, in the format uci of x, as in its data set; in pons a score,
 * of which only the sign is compared where the distance is not known. 1: it agrees; 0: the message
 * says why not, also where the line has no such column. Errors: PLB_EARGUMENT for another format,
 * or a column below 2. */
PLB_API int plb_list_agrees(const char *format, const char *line, size_t rest, int column,
                            const plb_list_known *known, plb_message *message);

/* Text of a position; inverse of plb_parse_board. Errors: PLB_EARGUMENT where x and o overlap or
 * reach beyond the board. */
PLB_API int plb_format_board(const plb_table *table, uint64_t x, uint64_t o,
                             char text[PLB_BOARD_TEXT]);

/* What stands on every cell, for those who draw it: [info->cells], cell column * height + row.
 * Errors: those of plb_format_board. */
PLB_API int plb_read_cells(const plb_table *table, uint64_t x, uint64_t o,
                           plb_cell cells[PLB_MAX_CELLS]);

/* ---- pictures ---- */

/* "win in 5 plies"; without a distance, and at the end of a game (0 plies), "win". Returns text. */
PLB_API char *plb_format_outcome(plb_value value, int dtm, char text[PLB_OUTCOME_TEXT]);

/* A board as SVG, a document that needs nothing besides itself. */
typedef struct plb_picture {
    bool bare;                     /* in   without the values of moves */
    bool wordless;                 /* in   without the line of words below the board */
    uint8_t reserved[6];           /* in   0 */
    int width, height;             /* out  in pixels */
    char words[PLB_PICTURE_WORDS]; /* out  how the position stands: "x to move: win in 5 plies" */
    char svg[PLB_PICTURE_SVG];     /* out  the document; its title has the words, too */
} plb_picture;

/* Draw a position: a disc for each stone or number, with a thick rim in a complete group, and the
 * names of columns and, without gravity, rows. The cell of a move has + for a win, = for a draw, -
 * for a loss of the player who makes it, and, if the table has distances, the plies to the end of
 * the game after it; in games of numbers these are for the best number. After an error the picture
 * is unchanged. Errors: those of plb_find_state if it is bare, otherwise of plb_analyse. */
PLB_API int plb_draw(const plb_table *table, uint64_t x, uint64_t o, plb_picture *picture,
                     plb_message *message);

#ifdef __cplusplus
}
#endif
#endif
