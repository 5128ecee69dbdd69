/* SPDX-License-Identifier: MIT
 *
 * Plybase: answer positions of solved placement games from their endgame tables.
 *
 * This header, with the one that it includes, is the whole public interface. A table is a file,
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
 * Positions. A position is two 64-bit numbers, x and o. In games of stones they are the bitboards
 * of the first and of the second player: a cell is bit `column * height + row`; column 0 is the
 * left one, row 0 the bottom one. In games of numbers (`numeric-3x3`) o is the bitboard of the
 * occupied cells, and x has four bits for each cell, from bit 4 * cell on: the number less 1, and 0
 * for an empty cell. If both players have the same numbers, N^2/2 is added to those of the second
 * player. x is to move if both have moved equally often, else o.
 *
 * Text. Rows from the top, `/` between rows, `x`, `o`, a number for a run of empty cells: the empty
 * 7x6 board is `7/7/7/7/7/7`. In games of numbers `,` separates cells, and `.` is an empty one:
 * `2,.,9/.,5,./.,.,.`.
 *
 * Errors. A function that can fail returns PLB_OK or a negative code of the list below; the numbers
 * do not change. Out-parameters are written only on success, and a `plb_message *`, which may be
 * NULL, only on failure: one sentence that says what is wrong and what would be right. If any other
 * pointer is NULL the error is PLB_EARGUMENT; functions without errors say what they return. The
 * library never prints, never exits and has no mutable globals.
 *
 * Files. The file of a table stays open, and values are read when they are needed; nothing is
 * mapped. Everything that is read is compared with a checksum of this table. If an open file is cut
 * short, overwritten or damaged, probes that read the changed part fail with PLB_ECORRUPT or
 * PLB_EIO, and others give right answers. To replace a table, rename another file to its path, as
 * `plybase build --force` does: open tables continue with the old file, also after it is removed.
 * With --shards the manifest is renamed last: until then the old one does not open (PLB_ECORRUPT).
 *
 * Memory. Each thread that probes at the same time, and each context, uses at most 32 MiB for
 * blocks. A table uses 24 bytes for each segment of its file (about 2^20 index entries) and a bit
 * for each set of cells. If the index is "keys", as in all games of numbers, the first export,
 * sample or listing enumerates the positions of its plies and of those before them; the table keeps
 * them, 16 bytes for each up to symmetry. The cursor of an export keeps the rows of its last call.
 *
 * ABI. A program that was built for a SOVERSION of the library works with all later versions of
 * that SOVERSION. Handles are opaque. Structs that the caller provides have fixed sizes and
 * offsets; a new field takes reserved space, which is 0 until then (set it to 0 in plb_limits).
 * plb_table_info grows at its end.
 *
 * Threads. Any number of threads may call every function below except plb_close on one table at the
 * same time. Any number of processes may open one file, and one process several times. After a fork
 * the child may use the tables and contexts that were open, and closes its own copies of them;
 * memory that a call of another thread was using at the fork is lost in the child.
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
    const char *values;       /* "wdl", or "dtm": with distances */
    const char *compression;  /* such as "zstd-3" */
    int width, height, cells; /* board */
    int k;                    /* stones of a group */
    bool gravity, misere, cylinder;
    int symmetries;      /* order of the symmetry group */
    int block_entries;   /* maximum entries of a block */
    uint64_t size_bytes; /* of the file, with its shards */
    uint64_t positions;  /* reachable positions of all plies */
    uint64_t entries;    /* index entries of all plies */
    const char *goal;    /* what a player completes: "4 in a row", "a square" */
    const char *index;   /* "slabs", or "keys": its entries are the positions that are stored */
    int largest_number;  /* the largest number of a game of numbers; else 0 */
    /* Of a strategy, else NULL and 0: its player, "first" or "second"; what he reaches at least,
     * "win" or "draw"; how many plies its rules look ahead. Then the member `values` is "strategy",
     * and positions and entries are the number of stored positions, up to symmetry. */
    const char *player, *claim;
    int look_ahead;
    /* 16 hexadecimal digits: the XXH3-64 of the content. A table that the same builder makes again
     * has the same id. If a file has more than 32 MiB, only 32 MiB of its values, spread over the
     * file, are read for the id, so an edited file may have the same one; `plybase serve` reads all
     * values. */
    const char *id;
} plb_table_info;

/* The value of one position. */
typedef struct plb_answer {
    plb_value value; /* for the player to move */
    int dtm;         /* plies to the end of the game, or PLB_NO_DTM */
    bool over;       /* a group is complete or the board is full: there are no moves */
    int8_t bound;    /* 0: the value is exact; 1: a strategy's lower bound; -1: an upper bound */
    uint8_t reserved[6];
} plb_answer;

/* Open a finished table for probing.
 *
 * path   [in]   the file, or the manifest of its shards
 * table  [out]  the caller closes it with plb_close
 *
 * Errors:  PLB_ENOTFOUND, PLB_EPERMISSION, PLB_ENOTTABLE, PLB_EVERSION, PLB_EUNFINISHED (its
 *          build is running or was interrupted), PLB_ECORRUPT (cut short, or inconsistent; a shard
 *          is missing or belongs to another table), PLB_EIO, PLB_ENOMEM.
 * Cost:    reads the directory of the table, and up to 32 MiB of its values for the id; a strategy
 *          is read completely. Keeps one descriptor, and one for each shard.  */
PLB_API int plb_open(const char *path, plb_table **table, plb_message *message);

/* Close a table and free everything that belongs to it. NULL is allowed. No other call on the table
 * may be running. */
PLB_API void plb_close(plb_table *table);

/* The description of a table, which owns it. NULL for NULL. */
PLB_API const plb_table_info *plb_info(const plb_table *table);

/* Counts and distances of a ply in [0, cells]. Errors: PLB_EARGUMENT for another ply; PLB_EUNKNOWN:
 * the table is a strategy, which has no counts, or has no distances. */
PLB_API int plb_stats(const plb_table *table, int ply, plb_ply_stats *stats);
PLB_API int plb_distance_stats(const plb_table *table, int ply, plb_ply_distances *distances);

/* The memory that a table uses. */
typedef struct plb_usage {
    uint64_t cached_bytes; /* decompressed blocks, of all threads and contexts */
    uint64_t blocks_read;  /* number of blocks read since the table was opened */
    uint64_t held_bytes;   /* about, while it is open: index, moves of a strategy, kept positions */
    uint64_t reserved[5];
} plb_usage;

/* Find the memory that a table uses. Errors: only PLB_EARGUMENT. A strategy has no blocks. */
PLB_API int plb_find_usage(const plb_table *table, plb_usage *usage);

/* Free the decompressed blocks that no context and no running call uses, so that many open tables
 * use less memory. They are read again when they are needed. NULL is allowed. */
PLB_API void plb_trim(const plb_table *table);

/* Find the value of a position.
 *
 * Errors:  PLB_EBOARD (a bit beyond the board), PLB_ECOUNTS (overlapping stones, or counts that are
 *          impossible when players alternate), PLB_EFLOATING, PLB_EOVER, PLB_EUNREACHABLE: the
 *          position is refused; PLB_EUNKNOWN: a search did not decide whether it can be reached,
 *          within 60 ms for each stone that may have been the last (no such position is known);
 *          PLB_ECORRUPT: a block does not match its checksum, or the file was cut short; PLB_EIO;
 *          PLB_ENOMEM.
 * Cost:    decompresses one block if the position is stored, otherwise those of the positions after
 *          its moves, and after forced replies to these. Large tables of Connect-k: if at most 15
 *          cells are empty, 12 on some boards, the first three questions about a block that is not
 *          cached are answered by search, if a short one is enough; not in misere play or on a
 *          cylinder. */
PLB_API int plb_probe(const plb_table *table, uint64_t x, uint64_t o, plb_answer *answer,
                      plb_message *message);

/* Per-thread state for many probes: a decompressor and a cache. A probe with a context takes no
 * lock and, if its block is cached, allocates no memory. */
typedef struct plb_context plb_context;

/* Make a context. Only one thread at a time may use it; the table must outlive it.
 * Errors: PLB_ENOMEM. */
PLB_API int plb_context_open(const plb_table *table, plb_context **context);

/* Close a context. NULL is allowed. */
PLB_API void plb_context_close(plb_context *context);

/* plb_probe with a context and its table. */
PLB_API int plb_context_probe(plb_context *context, uint64_t x, uint64_t o, plb_answer *answer,
                              plb_message *message);

/* One of many positions, and its answer. */
typedef struct plb_query {
    uint64_t x, o;     /* in */
    int error;         /* out: PLB_OK, or why the position was refused, as by plb_probe */
    plb_answer answer; /* out, written if error is PLB_OK */
} plb_query;

/* Answer many positions: queries is an array of [count]. They are looked up in the order of their
 * blocks, so that each block is decompressed about once; the array keeps its order. If one position
 * is refused, its query has the error, and the others are answered. Errors: PLB_ENOMEM: nothing was
 * answered. Cost: 32 bytes of memory per query during the call. */
PLB_API int plb_probe_many(const plb_table *table, plb_query *queries, size_t count);

/* Many positions as columns: one array per field, for example for numpy. dtms and bounds may be
 * NULL; without bounds "at least a draw" looks like a draw. */
typedef struct plb_columns {
    const uint64_t *x, *o;  /* in   [count] */
    int8_t *values;         /* out  [count] a plb_value; 0 after an error */
    int16_t *dtms;          /* out  [count] as in plb_answer; PLB_NO_DTM after an error */
    int8_t *errors;         /* out  [count] PLB_OK, or why the position was refused */
    int threads;            /* in   maximum, including the calling one; 0 and 1: only this one */
    uint8_t reserved[4];    /* 0 */
    int8_t *bounds;         /* out  [count] as in plb_answer; 0 after an error */
    uint64_t reserved_word; /* 0 */
} plb_columns;

/* As plb_probe_many, with several threads if there are many positions; the threads end before it
 * returns. Errors: PLB_ENOMEM: nothing was written. */
PLB_API int plb_probe_columns(const plb_table *table, const plb_columns *columns, size_t count);

/* As plb_probe, for a position as text. Errors: also PLB_ESYNTAX; PLB_EBOARD for another size. */
PLB_API int plb_probe_text(const plb_table *table, const char *board, plb_answer *answer,
                           plb_message *message);

/* Find all legal moves of a position with their values, best first: wins from fast to slow, draws,
 * losses from slow to fast; equal moves by column, then by row. Only the first *count elements are
 * written, none if the game is over. Errors: those of plb_probe. */
PLB_API int plb_moves(const plb_table *table, uint64_t x, uint64_t o, plb_move moves[PLB_MAX_MOVES],
                      int *count, plb_message *message);

/* The number of best moves: those of plb_moves that are as good as the first one. 0 for NULL. */
PLB_API int plb_count_best(const plb_move *moves, int count);

/* A position with its value and all of its moves. */
typedef struct plb_analysis {
    plb_answer answer;
    int count;                     /* legal moves; 0 if the game is over */
    int best;                      /* the first `best` moves are the best ones */
    plb_move moves[PLB_MAX_MOVES]; /* in the order of plb_moves */
} plb_analysis;

/* plb_probe, plb_moves and plb_count_best in one. Errors: those of plb_probe. */
PLB_API int plb_analyse(const plb_table *table, uint64_t x, uint64_t o, plb_analysis *analysis,
                        plb_message *message);

/* ---- playing: these functions use the rules, not the values of the table ---- */

/* The state of a game. */
typedef struct plb_state {
    char to_move; /* 'x' or 'o'; if the game is over, the player who would be to move */
    char winner;  /* 'x' or 'o'; 0: a draw, or the game is not over */
    bool over;    /* a group is complete or the board is full */
    uint8_t ply;  /* moves since the empty board */
    uint8_t reserved[4];
    uint64_t groups; /* the cells of all complete groups, bit column * height + row; 0: none */
} plb_state;

/* Find the state of the game in a position. In misere play the groups are the loser's.
 * Errors: those of plb_probe about positions. */
PLB_API int plb_find_state(const plb_table *table, uint64_t x, uint64_t o, plb_state *state,
                           plb_message *message);

/* Play a move: one that the library has written, or one with column, row and, in games of numbers,
 * number; all other fields 0. value, dtm and text are ignored. After an error x and o are
 * unchanged. Errors: those of plb_probe about positions; PLB_EMOVE: off the board, not playable, or
 * the game is over. */
PLB_API int plb_play(const plb_table *table, const plb_move *move, uint64_t *x, uint64_t *o,
                     plb_message *message);

/* Play moves as text, in the notation of plb_parse_moves, from any position.
 * Errors: those of plb_probe about positions, and of plb_parse_moves. */
PLB_API int plb_play_text(const plb_table *table, const char *text, uint64_t *x, uint64_t *o,
                          plb_message *message);

/* List the next positions of a ply that can arise, each once, in a fixed order. x and o are arrays
 * of [room], at least 1; *count positions are written. A call tests at most some ten thousand
 * entries of the index, so *count may be less than room, even 0, before listing->done.
 *
 * Errors:  PLB_EARGUMENT for a ply outside [0, cells] or a listing that no call has written;
 *          PLB_ENOMEM; PLB_EUNKNOWN: the table is a strategy; PLB_ECORRUPT: its keys do not match
 *          its positions.
 * Cost:    checks every colouring of every set of occupied cells. With keys: see Memory. */
PLB_API int plb_list_positions(const plb_table *table, plb_listing *listing, size_t room,
                               uint64_t *x, uint64_t *o, size_t *count);

/* ---- positions in bulk ----
 *
 * All positions of a table, or of some plies, with their values in the order of the table; or a
 * random sample of them. `plybase export` writes the same:
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

/* Which positions to export, by the state of the game. */
typedef enum plb_export_stage {
    PLB_STAGE_ALL,
    PLB_STAGE_OPEN,  /* the game is not over */
    PLB_STAGE_QUIET, /* the game is not over, and no stone of either player would complete a group;
                        only in games of stones */
} plb_export_stage;

/* The bit of a value in plb_export_options.values. */
#define PLB_VALUE_BIT(value) (1U << ((value) + 1))

/* Which positions to export. All zeros: all positions. */
typedef struct plb_export_options {
    int first_ply, end_ply; /* [first_ply, end_ply); end_ply 0: all plies from first_ply on */
    bool canonical;         /* one position of each class of symmetric ones */
    uint8_t reserved[3];    /* 0 */
    plb_export_stage stage;
    unsigned values;         /* for the player to move: sum of PLB_VALUE_BIT; 0: all */
    uint8_t reserved_too[4]; /* 0 */
    uint64_t samples;        /* rows to draw at random; 0: export all */
    uint64_t seed;           /* of the sample; a longer sample begins with the shorter one */
    /* NULL, or a flag that a signal handler or a thread sets to another number than 0: then the
     * running call ends soon with PLB_EINTERRUPTED. */
    const volatile sig_atomic_t *stop;
    const char *format;     /* of plb_export_next_text; NULL: csv. Only plb_export_open reads it; it
                               also restricts the rows of plb_export_next */
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

/* Begin an export, or a random sample: exactly uniform over the rows of the export, with
 * repetition. options NULL: all positions. The caller closes the cursor. Only one thread at a time
 * may use it, and the table must stay open. Errors: PLB_EARGUMENT (plies that the board does not
 * have; an unknown stage or value; a sample of plies without positions, or without positions of the
 * wanted values; quiet positions of a game of numbers; an unknown format, or one that does not suit
 * the table), PLB_ENOTTABLE (a strategy), PLB_ECORRUPT, PLB_ENOMEM, PLB_EINTERRUPTED. */
PLB_API int plb_export_open(const plb_table *table, const plb_export_options *options,
                            plb_export **cursor, plb_message *message);

/* Get the next rows: some thousands, or even none. The cursor owns them until its next call. *rows
 * NULL: there are no more. Errors, after which the cursor has not moved: PLB_ENOMEM, PLB_EIO,
 * PLB_EINTERRUPTED; PLB_ECORRUPT: the table does not answer a position that can arise, or its
 * statistics have another number of positions; PLB_ENOTFOUND: none of 131,072 positions that were
 * drawn for one row was wanted. */
PLB_API int plb_export_next(plb_export *cursor, const plb_row **rows, size_t *count,
                            plb_message *message);

/* Get the next rows as `size` bytes, without a 0 at the end, instead of plb_export_next. count: the
 * number of rows. Formats, and the positions to which they are restricted:
 *
 *     csv    columns position,ply,to_move,value,dtm,best_moves, after a header line
 *     npy    records x, o, ply, value, dtm, best for numpy, after a header
 *     uci    lines of the UCI Connect-4 data set; quiet positions, one of each symmetric class;
 *            games of stones
 *     pons   moves and score; positions from ply 1 on in which the game is not over; games with
 *            gravity, tables with distances
 *
 * The cursor owns the text until its next call. *text NULL: there are no more rows. Errors: those
 * of plb_export_next. */
PLB_API int plb_export_next_text(plb_export *cursor, const char **text, size_t *size, size_t *count,
                                 plb_message *message);

/* The header of a file with `count` rows; empty for uci and pons. Its size does not depend on
 * count, so that it can be rewritten at the end. Errors: PLB_EARGUMENT. */
enum { PLB_EXPORT_HEADER = 256 };
PLB_API int plb_export_header(const plb_export *cursor, uint64_t count,
                              char header[PLB_EXPORT_HEADER], size_t *size);

/* NULL is allowed. */
PLB_API void plb_export_close(plb_export *cursor);

/* ---- strategies ----
 *
 * A strategy, written by `plybase strategy`, is opened and probed like a table. It has the moves
 * with which one player reaches its claim, a win or at least a draw, from the empty board, whatever
 * the opponent does. It answers
 *
 *   - positions that can arise when this player follows it,
 *   - positions from which simple rules reach the claim,
 *   - and positions of the opponent in which every move leads to one of these.
 *
 * For other positions the error is PLB_EUNKNOWN. If its player is to move, plb_moves gives the move
 * of the strategy, or PLB_EUNKNOWN if only the value is known. A strategy has no distances, counts,
 * listings or best lines. */

/* Find the move of a strategy in a position that arises when its player follows it, with this
 * player to move. In other positions there may be a move, too, but it need not reach the claim.
 * Errors: those of plb_probe about positions; PLB_EUNKNOWN: the opponent is to move, the game is
 * over, there is no move, or the table is not a strategy. Cost: microseconds to milliseconds. */
PLB_API int plb_strategy_move(const plb_table *table, uint64_t x, uint64_t o, plb_move *move,
                              plb_message *message);

/* ---- proofs by pairing: no table is needed ----
 *
 * In games of stones without gravity, disjoint parts of the empty cells can prove that a player
 * cannot complete a group, so that he does not win; or in misere play that he never has to complete
 * one, so that he does not lose. It does not matter who is to move. A group is open for a player if
 * it has no stone of the other one. Each open group contains the two cells of a pair, or the cells
 * of a group of a configuration (J. W. H. M. Uiterwijk, Set Matching): a player who answers each
 * move inside its part gets a cell of every group. In misere play there is at most one
 * configuration, and only for the player who does not place the last stone of a full board. */

typedef enum plb_verdict {
    PLB_PROVEN = 1,
    PLB_NO_PROOF = 0,  /* there is no proof of this kind */
    PLB_NOT_FOUND = -1 /* none was found within the steps */
} plb_verdict;

/* What to prove. */
typedef struct plb_proof_question {
    char player;         /* 'x' or 'o': the one who cannot, or need not, complete a group */
    bool pairs_only;     /* no configurations */
    uint8_t reserved[6]; /* 0 */
    uint64_t steps;      /* limit: partial proofs to try; 0: no limit */
    uint64_t reserved_words[2];
} plb_proof_question;

/* A pair or a configuration. */
typedef struct plb_proof_part {
    char name[24];     /* "pair", "Triangle", "FlatStar/Line" .. */
    char groups[40];   /* words of markers, such as "ab adc bec"; of a pair "ab" */
    int count;         /* of markers */
    uint8_t cells[16]; /* [count] cells of the markers a, b ..: column * height + row */
    uint8_t reserved[12];
} plb_proof_part;

typedef struct plb_proof {
    plb_verdict verdict;
    int open_groups; /* of the player */
    int count;       /* parts; 0 if nothing was proven, or no group is open */
    uint8_t reserved[20];
    plb_proof_part parts[PLB_MAX_CELLS / 2];
} plb_proof;

/* Look for a proof in a position that can arise in a game of stones without gravity, such as
 * "mnk-4x4-k4". Errors: PLB_ESPEC, also for games in which a pairing proves nothing; those of
 * plb_probe about positions; PLB_EARGUMENT for another player; PLB_ENOMEM. If nothing is proven, it
 * is not an error. Cost: microseconds if pairs suffice, else some 50 ms for a million steps. */
PLB_API int plb_prove_pairing(const char *spec, uint64_t x, uint64_t o,
                              const plb_proof_question *question, plb_proof *proof,
                              plb_message *message);

/* ---- distances ----
 *
 * A distance is the number of plies to the end of the game if the winner plays as fast and the
 * loser as slowly as possible; 0 at the end of the game. A draw has none. A table built with
 * `--values dtm` stores distances; with any other table a search finds them from its values. */

/* Bounds of a distance, and the cost of finding them. */
typedef struct plb_bounds {
    int least, most; /* lower and upper bound in plies; equal if the distance is known */
    uint64_t nodes;  /* positions searched */
    double seconds;
    uint64_t reserved;
} plb_bounds;

/* Limits of a search. All zeros: no limits. */
typedef struct plb_limits {
    uint64_t nodes;        /* positions to search; 0: no limit */
    double seconds;        /* 0: no limit */
    uint64_t memory_bytes; /* of the cache of the search; 0: 64 MiB */
    /* Called from the searching thread when bounds have become narrower, and from time to time;
     * false stops the search. In plb_find_line the bounds are those of the current position of the
     * line. NULL: no reports. */
    bool (*report)(void *context, const plb_bounds *bounds);
    void *context;
    uint64_t reserved[4]; /* 0 */
} plb_limits;

/* Value, distance and best moves of a position. */
typedef struct plb_best {
    plb_value value;
    plb_bounds bounds; /* 0 and 0 for a draw */
    bool exact; /* distance (if any) and moves are known; false: a limit was reached, or the table
                   is a strategy */
    uint8_t reserved[3];
    int count; /* best moves that were found; 0 if the game is over */
    /* exact: all moves that keep value and distance, in the order of plb_moves; else the most
     * promising of those that keep the value. */
    plb_move moves[PLB_MAX_MOVES];
} plb_best;

/* Find value, exact distance and best moves of a position. limits may be NULL. Errors: those of
 * plb_probe. Reaching a limit is not an error; best->exact is then false. Cost: with distances in
 * the table, or for a draw, that of plb_moves; else a search. For a strategy the value is that of
 * its move, which reaches the claim but may be less than the value of the position; the bounds are
 * those of any game on this board. */
PLB_API int plb_find_best(const plb_table *table, uint64_t x, uint64_t o, const plb_limits *limits,
                          plb_best *best, plb_message *message);

/* ---- resistance ----
 *
 * Of several moves with the same value and distance, after which one is a mistake of the opponent
 * most likely? Resistance is the probability that he makes a mistake that costs a win or a draw, if
 * all of his moves are equally likely. Let him be to move in position P, whose value for him is v:
 *
 *     share(P, 1) = number of his moves whose value is less than v / number of his moves
 *     share(P, d) = mean over his moves r of: 1 if the value of r is less than v, else the greatest
 *                   share(P', d - 2) of the positions P' after r and a move of ours that keeps the
 *                   value; 0 if the game is over then
 *
 * A share is 0 if he has no move, or if v is a loss: distances have no effect. Every share is
 * rounded to 9 decimals. */

enum { PLB_MAX_RESIST = 15 }; /* maximum of plies to look ahead */

/* The opponent's replies to a move. */
typedef struct plb_replies {
    int count, worse; /* his moves; those after which his value is lower than before */
    double share;     /* share(position after the move, plies), 0 to 1 */
    uint64_t reserved[2];
} plb_replies;

/* Best moves by resistance. */
typedef struct plb_resistance {
    /* in: plies to look ahead, odd, at most PLB_MAX_RESIST; 0: only find best. out: plies of the
     * shares, fewer if a limit was reached; 0 if best.exact is false: replies are not written. */
    int plies;
    plb_best best; /* out; plies > 0: moves by share, the greatest first, then as by plb_moves */
    plb_replies replies[PLB_MAX_MOVES]; /* out  [best.count] plies > 0: to each best move */
} plb_resistance;

/* plb_find_best, and the resistance of each best move. The limits, which may be NULL, hold for both
 * together, but 1 ply is always looked ahead. After an error *resistance is unchanged.
 *
 * Errors:  those of plb_find_best; PLB_EARGUMENT for another number of plies; PLB_EUNKNOWN: the
 *          table is a strategy, which does not have the values of all replies, and plies is not 0.
 * Cost:    1 ply: that of plb_moves for each best move. Each 2 plies more multiply this by the
 *          number of replies and of our moves that keep the value; without gravity 3 plies may take
 *          seconds. A node is a position whose moves are evaluated; best.bounds has the sum. */
PLB_API int plb_find_resistance(const plb_table *table, uint64_t x, uint64_t o,
                                const plb_limits *limits, plb_resistance *resistance,
                                plb_message *message);

/* A sequence of moves to the end of the game. */
typedef struct plb_line {
    int count;
    plb_move moves[PLB_MAX_CELLS]; /* the first `count` are written */
} plb_line;

/* Find one optimal line: each player plays the first move of plb_find_best until the game is over.
 * The limits hold for the whole line. Errors: those of plb_probe; PLB_EUNKNOWN: a limit was reached
 * before the line was found, or the table is a strategy. */
PLB_API int plb_find_line(const plb_table *table, uint64_t x, uint64_t o, const plb_limits *limits,
                          plb_line *line, plb_message *message);

/* Read moves as text, in the notation of plb_parse_moves, from a position on. They are not probed:
 * value is 0 and dtm PLB_NO_DTM. Errors: those of plb_play_text. */
PLB_API int plb_read_moves(const plb_table *table, const char *text, uint64_t x, uint64_t o,
                           plb_line *line, plb_message *message);

/* A move of a game, and its value. */
typedef struct plb_annotation {
    plb_move move; /* with its value and distance, as from plb_moves */
    uint64_t x, o; /* the position after it */
    char player;   /* 'x' or 'o': who made it */
    bool mistake;  /* its value is less than that of the position before it */
    uint8_t ply;   /* of the position after it */
    uint8_t reserved;
    int plies_lost; /* by how many plies the win comes later, or the loss earlier, than after a best
                       move; 0 for a mistake, or if distances are not known */
    plb_analysis before; /* the position before it: its value and its best moves */
} plb_annotation;

/* Find the value of each move of a game, and what it cost. The game begins at x and o, and need not
 * be over; its moves are from plb_read_moves, or as for plb_play. annotations is an array of
 * [game->count], some 5 KB each, undefined after an error. Errors: those of plb_analyse and
 * plb_play; PLB_EARGUMENT: the count is not in [0, 64]. Cost: that of plb_analyse for each move. */
PLB_API int plb_annotate(const plb_table *table, uint64_t x, uint64_t o, const plb_line *game,
                         plb_annotation *annotations, plb_message *message);

/* Read a position from the text of its board, as above, also with capitals and `.` for empty cells.
 * Here and in plb_parse_moves a byte order mark and white space around a text are skipped; a second
 * word is PLB_ESYNTAX. Only form and size of the board are checked: PLB_ESYNTAX, PLB_EBOARD. */
PLB_API int plb_parse_board(const plb_table *table, const char *text, uint64_t *x, uint64_t *o,
                            plb_message *message);

/* Find the position after a sequence of moves from the empty board. With gravity a move is one
 * character, the column `1`..`9`, then `a`..`z`; otherwise a cell such as `b3` (column letter, row
 * from the bottom), in games of numbers with the number before it, `5@b3`. With gravity and up to 9
 * columns a cell is allowed, too, if the stone falls to it. With more columns `a1` is PLB_ESYNTAX,
 * because it could be a cell or the columns 10 and 1; write these as `a,1`. Moves follow each other
 * directly or with commas between them, `1,2` or `1, 2`; a blank without a comma is not allowed
 * between moves. Errors: PLB_ESYNTAX, PLB_EMOVE (off the board, on a stone, after the end of the
 * game). */
PLB_API int plb_parse_moves(const plb_table *table, const char *text, uint64_t *x, uint64_t *o,
                            plb_message *message);

/* ---- lists of other programs ----
 *
 * Each line has a position, then columns with blanks, tabs or commas between them. Formats:
 *
 *     plybase    positions as above, boards or moves
 *     pons       moves as above: columns from 1, cells, numbers; the next column is a score
 *     columns0   moves by columns from 0
 *     board      the cells of the rows from the top, each from the left, as in `.......xo.....`
 *     uci        the cells of the columns from the left, each from the bottom, as in `b,x,o,b`
 *
 * Cells are x, o, and `.`, `-`, `_` or b for an empty one. A byte order mark, blanks at both ends,
 * a carriage return and capitals are allowed. */

/* Are the positions of a format moves? 1 or 0; for plybase the result is `moves`; -1: the format is
 * unknown or NULL. */
PLB_API int plb_list_has_moves(const char *format, bool moves);

/* Guess the format of a list from its first line. The result is in static storage. NULL: the line
 * has only a position in the notation of Plybase, or there is no such board. moves: positions in
 * the format plybase would be moves. */
PLB_API const char *plb_guess_list_format(const char *line, int width, int height, bool moves);

/* A line of a list. Offsets are bytes from the beginning of the line. */
typedef struct plb_list_line {
    /* In Plybase's notation: for plb_parse_moves if plb_list_has_moves, else for plb_parse_board.
     * On boards with more than 9 columns, columns of pons and columns0 are separated by commas; the
     * error messages of the parser count these characters, too. */
    char position[2 * PLB_BOARD_TEXT];
    size_t begin, end; /* [begin, end) is the position in the line */
    size_t rest; /* where the columns after it begin; the length of the line: there are none */
} plb_list_line;

/* Read a line of a list, without its line end, for a board of at most PLB_MAX_CELLS cells. The
 * position is converted; plb_parse_board and plb_parse_moves check it. Errors: PLB_EARGUMENT: an
 * unknown format or board; PLB_ESYNTAX and PLB_EBOARD: read->position is empty, and the other
 * fields are written. */
PLB_API int plb_read_list_line(const char *format, int width, int height, const char *line,
                               plb_list_line *read, plb_message *message);

/* Find a column of a line; column 2 is the one after the position, at `rest`. *length is its
 * length, which may be 0 between two commas. NULL: there is no such column. */
PLB_API const char *plb_list_column(const char *line, size_t rest, int column, size_t *length);

/* The answer for a position of a list. The value must be exact (plb_answer.bound is 0). */
typedef struct plb_list_known {
    plb_value value; /* for the player to move */
    int dtm;         /* plies to the end of the game, or PLB_NO_DTM */
    int ply, cells;  /* stones or numbers (plb_state.ply), and cells of the board */
} plb_list_known;

/* The score of the format pons: half the number of cells that are empty at the end, rounded down,
 * plus one; negative if the player to move loses, 0 for a draw. If the distance is not known, only
 * its sign: 1, 0 or -1. */
PLB_API int plb_list_score(const plb_list_known *known);

/* Compare a column of a line with the answer; column 2 is the one after the position. The column
 * has a value: win, draw, loss, or 1, 0, -1, which is for x in the format uci, else for the player
 * to move. In pons a number is a score; if the distance is not known, only its sign is compared.
 * Returns 1 if they agree, or 0: the message says why not, also if the line has no such column.
 * Errors: PLB_EARGUMENT: an unknown format, or a column below 2. */
PLB_API int plb_list_agrees(const char *format, const char *line, size_t rest, int column,
                            const plb_list_known *known, plb_message *message);

/* Write a position as text; the inverse of plb_parse_board. Errors: PLB_EARGUMENT: x and o overlap
 * or reach beyond the board. */
PLB_API int plb_format_board(const plb_table *table, uint64_t x, uint64_t o,
                             char text[PLB_BOARD_TEXT]);

/* Find the content of each cell, for drawing a board: cells is an array of [info->cells]; the
 * number of a cell is column * height + row. Errors: those of plb_format_board. */
PLB_API int plb_read_cells(const plb_table *table, uint64_t x, uint64_t o,
                           plb_cell cells[PLB_MAX_CELLS]);

/* ---- pictures ---- */

/* Write a value with its distance, such as "win in 5 plies"; only "win" if there is no distance or
 * the game is over (0 plies). Returns text. */
PLB_API char *plb_format_outcome(plb_value value, int dtm, char text[PLB_OUTCOME_TEXT]);

/* A board as SVG, a document that needs no other file. */
typedef struct plb_picture {
    bool bare;                     /* in   without the values of moves */
    bool wordless;                 /* in   without the line of words below the board */
    uint8_t reserved[6];           /* in   0 */
    int width, height;             /* out  in pixels */
    char words[PLB_PICTURE_WORDS]; /* out  the state of the game: "x to move: win in 5 plies" */
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
