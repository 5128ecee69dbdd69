/* SPDX-License-Identifier: MIT
 *
 * The verifier: compares a finished table with all that is known of its game.
 *
 *     rules      the rules by which the program builds and probes are those of a second,
 *                independent implementation (tools/search/plain_game.h)
 *     blocks     every block is as written, and the file contains nothing else; the counts of each
 *                ply are possible, and those of the board if it can be counted exactly
 *                (tables/count/position_count.h)
 *     values     values and distances follow from those of the children. In plies that are checked
 *                whole this is checked for every position, and all are counted and compared with
 *                the statistics. In other plies it is checked for entries drawn in blocks, and for
 *                the longest wins and losses of the statistics
 *     searches   positions are solved again by forward search, with the independent rules
 *     published  the value of the empty board and the number of positions, if a paper or another
 *                program states them
 *
 * Plies are checked from the last one down, so that the children of a position were checked before
 * it. The first error ends the verification. Must not know: how tables are built.
 */
#pragma once

#include <signal.h>

#include "probe/plybase.h"
#include "tables/count/position_count.h"
#include "tables/format/outcome_code.h"
#include "tables/games/game_spec.h"
#include "tables/index/enumerate.h"
#include "tools/verify/digest.h"

typedef enum verify_phase {
    VERIFY_BLOCKS,
    VERIFY_COUNTING,  /* counts the positions of the board, without visiting them */
    VERIFY_POSITIONS, /* enumerates positions, for tables of keys */
    VERIFY_VALUES,
    VERIFY_SEARCHES,
} verify_phase;

typedef struct verify_progress {
    verify_phase phase;
    int ply;
    bool ply_done;
    uint64_t done, total; /* segments, plies, chunks or positions of the ply */
} verify_progress;

typedef struct verify_options {
    uint64_t whole_entries; /* plies are checked whole, from the smallest on, while the sum of their
                               entries is at most this; UINT64_MAX: all plies */
    double count_seconds;   /* limit of processor time to count the board. If the forecast is more,
                               only positions without a group are counted, or none */
    uint64_t blocks;       /* limit of blocks of each other ply from which entries are drawn. If the
                              ply has more, one of each stretch is taken; 0: no limit */
    uint64_t samples;      /* entries checked in each of these blocks */
    uint64_t searches;     /* positions of each ply that are searched */
    uint64_t search_nodes; /* node budget of each search; 0: no limit */
    size_t search_bytes;   /* of the transposition table of each thread */
    uint64_t seed;         /* of all random choices */
    int threads;           /* at least 1 */
    const volatile sig_atomic_t *stop; /* nonzero: the verification ends soon; or NULL */
    /* Called by one thread at a time, or NULL. */
    void (*report)(void *context, const verify_progress *progress);
    void *context;
} verify_options;

typedef enum verify_kind {
    VERIFY_GOOD,
    VERIFY_RULES,     /* the rules of this program are not those of the game */
    VERIFY_DAMAGE,    /* a record is missing or not as written */
    VERIFY_COUNTS,    /* the statistics of a ply are wrong */
    VERIFY_CHILDREN,  /* a value or distance does not follow from the children */
    VERIFY_SEARCH,    /* a value or distance is not what forward search proves */
    VERIFY_PUBLISHED, /* a value or number is not the published one */
    VERIFY_REWRITTEN, /* all is right, but another program has written the pages of the file */
} verify_kind;

/* The name of a kind in JSON: "good", "damage" and so on. Static storage. */
const char *verify_kind_text(verify_kind kind);

typedef struct verify_finding {
    verify_kind kind;
    plb_message message;           /* a complete sentence */
    int ply;                       /* -1 if it is not about a ply */
    char position[PLB_BOARD_TEXT]; /* a board; "" if it is not about a position */
    plb_outcome stored, expected;  /* only with a position, and not for damage; without a distance
                                      if none is stored or known */
} verify_finding;

typedef struct verify_ply {
    uint64_t blocks;   /* blocks that are as written */
    uint64_t stored;   /* of these, blocks that are not empty */
    uint64_t judged;   /* of these, blocks in which a win or a loss was checked; or all */
    uint64_t checked;  /* positions, up to symmetry, whose values follow from the children */
    bool whole;        /* these were all positions, and the statistics are right */
    uint64_t proved;   /* positions for which a search proved all that the table says */
    uint64_t unproved; /* searches that ran out of nodes */
} verify_ply;

/* The probability that a run like this one finds an error. All are 1 if every ply is checked whole.
 *
 * value  A lower bound if one stored value is wrong, whichever it is. For a ply that is checked
 *        whole it is 1. In any other ply one block of each stretch of R blocks is drawn uniformly;
 *        R is 1 if the ply has at most options.blocks blocks. A block of B entries is cut into
 *        S = min(samples, B) strata of almost equal size, and one entry of each is drawn uniformly.
 *        So a value is compared with what follows from the next moves with probability
 *        1 / (R * entries of its stratum) >= 1 / (R ceil(B / S)). The error is found if the values
 *        of the children are right. `value` is the minimum of all plies. Of w wrong values of one
 *        ply at least one is found with a probability of at least 1 - (1 - value)^w if they lie in
 *        different strata, or if R > 1 in different stretches; if R = 1, of at least
 *        1 - exp(-w value) in any case: one draw from m entries with v wrong ones misses with the
 *        probability 1 - v / m <= exp(-v / m).
 * block  One random block that is not empty has every win and loss exchanged: the share of these
 *        blocks in which this run has checked a win or a loss.
 * row    One random row of the statistics, with its distances, is wrong: the share of the rows that
 *        were counted again. */
typedef struct verify_chances {
    double value, block, row;
} verify_chances;

/* The digest of the contents of a table does not depend on their compression. It is the XXH3-128 of
 *
 *     spec, values         texts, each with a final zero byte
 *     block positions      8 bytes, big-endian, like all numbers in this list
 *     for each ply         total, terminal, won, drawn, lost; digest of its blocks, 16 bytes:
 *                          XXH3-128 of the digests of its segments
 *     keys                 the records of keys, if there are any (meta.h), by ply and slab
 *     distances            the record of that name, if there is one
 *
 * The digest of a segment is the XXH3-128 of, for each of its blocks, the number of words of its
 * planes (0 if it is empty) and these words, 8 bytes each, little-endian. Digests are hashed in
 * canonical form. */

typedef struct verify_report {
    char spec[PLB_SPEC_TEXT];
    plb_value_kind values;
    int plies; /* 0 if the table was not opened */
    verify_ply ply[PLB_MAX_CELLS + 1];
    bool countable;            /* the positions of the board can be counted exactly */
    plb_compared exact_counts; /* which counts were compared with that */
    verify_chances chances;
    char contents[DIGEST_TEXT];  /* digest of the contents; "" if not all was read */
    plb_outcome empty_board;     /* for the first player */
    const char *published_value; /* source of the published value; NULL if not compared */
    const char *published_total; /* source of the published number of positions, or NULL */
    verify_finding finding;
} verify_report;

/* Verify an open table, which is not a strategy.
 *
 * report  [out]  written in any case, also after an error
 *
 * Errors: PLB_ECORRUPT: report->finding says what is wrong; PLB_EINTERRUPTED; PLB_ENOMEM.
 * Cost:   reads the whole file; 2 microseconds for each entry of a ply that is checked whole, 0.2
 *         for each sample. The positions of a table of keys are enumerated in memory, 16 bytes for
 *         each up to symmetry, so all of its plies are checked whole. */
int verify_table(const plb_table *table, const verify_options *options, verify_report *report,
                 plb_message *message);

/* ---- random positions, as the verifier draws them for its searches ---- */

/* Draw a position of a ply; the same seed, ply and number give the same position on any machine.
 *
 * The position is drawn uniformly from the entries of the enumeration, which must have begun the
 * ply. If hardly any entry can arise, it is the end of a random game instead, which is not uniform.
 * False: none was found, most likely there is none. Cost: at most a few thousand tries.
 * Threads: safe.  */
bool sample_draw(const plb_enumeration *enumeration, int ply, uint64_t seed, uint64_t number,
                 plb_position *position);
