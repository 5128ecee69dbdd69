/* SPDX-License-Identifier: MIT
 *
 * The verifier: compares a finished table with everything else that is known of its game.
 *
 *     rules      the rules by which the program builds and probes are those of a second, plain
 *                implementation (tools/search/plain_game.h)
 *     blocks     every block is there and as written, and there is nothing else in the file; the
 *                counts of each ply are possible, and where the board can be counted exactly
 *                (tables/count/position_count.h) those of the board
 *     values     the value of a position, and in a table with distances its distance, follow from
 *                those of its children, by the rules: of every position of plies that are checked
 *                whole, which are also counted and compared with the statistics; of others at
 *                entries drawn in each block, and at the longest that the statistics name
 *     searches   positions are solved again by forward search, by that second implementation
 *     published  the value of the empty board and the number of positions, where a paper or
 *                another program has them
 *
 * Plies are checked from the last one down, so that what a value follows from was checked before.
 * It stops at the first error. Must not know: how tables are built.
 */
#ifndef PLB_TOOLS_VERIFY_VERIFIER_H
#define PLB_TOOLS_VERIFY_VERIFIER_H

#include <signal.h>

#include "tables/count/position_count.h"
#include "tables/format/outcome_code.h"
#include "tables/games/game_spec.h"
#include "tables/index/enumerate.h"
#include "tools/verify/digest.h"

typedef enum verify_phase {
    VERIFY_BLOCKS,
    VERIFY_COUNTING,  /* positions of the board, without visiting them */
    VERIFY_POSITIONS, /* are enumerated, of tables of keys */
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
    uint64_t whole_entries;            /* plies are checked whole, from the smallest on, as long as
                                         they have no more entries in all; UINT64_MAX: every ply */
    double count_seconds;              /* processor time that counting the positions of the board
                                          may take: where it is estimated to be more, those without
                                          a group are counted alone, or none */
    uint64_t blocks;                   /* of each other ply, from which entries are drawn: where it
                                          has more, one of each stretch of them; 0: no limit */
    uint64_t samples;                  /* entries checked in each of those blocks */
    uint64_t searches;                 /* positions of a ply to be searched */
    uint64_t search_nodes;             /* budget of each; 0: no limit */
    size_t search_bytes;               /* table of known positions, for each thread */
    uint64_t seed;                     /* of the samples */
    int threads;                       /* at least 1 */
    const volatile sig_atomic_t *stop; /* set it to interrupt; NULL: never */
    void (*report)(void *context, const verify_progress *progress); /* NULL: no reports; */
    void *context;                                                  /* one thread at a time */
} verify_options;

/* What was wrong. */
typedef enum verify_kind {
    VERIFY_GOOD,
    VERIFY_RULES,     /* the rules of this program are not those of the game */
    VERIFY_DAMAGE,    /* a record is missing or not as written */
    VERIFY_COUNTS,    /* the statistics of a ply */
    VERIFY_CHILDREN,  /* a value or distance does not follow from the children */
    VERIFY_SEARCH,    /* a value or distance is not what forward search proves */
    VERIFY_PUBLISHED, /* an outcome is not the published one */
    VERIFY_REWRITTEN, /* all is right, but another program has written the pages of the file */
} verify_kind;

/* The name of a kind, for programs: "good", "damage" and so on. Static storage. */
const char *verify_kind_text(verify_kind kind);

typedef struct verify_finding {
    verify_kind kind;
    plb_message message;           /* one sentence with all of it */
    int ply;                       /* -1 where it is about no ply */
    char position[PLB_BOARD_TEXT]; /* a board, or "" where it is about none */
    plb_outcome stored, expected;  /* only with a position, and not for damage; without a distance
                                      where none is stored, or none known */
} verify_finding;

typedef struct verify_ply {
    uint64_t blocks;   /* read and as written */
    uint64_t stored;   /* of these, blocks in which anything is stored */
    uint64_t judged;   /* of these, blocks of which a win or a loss was checked, or all */
    uint64_t checked;  /* positions, symmetric ones once, whose values follow from the children */
    bool whole;        /* these were all, and the statistics are right */
    uint64_t proved;   /* positions of which a search proved all that the table says */
    uint64_t unproved; /* searches that ran out of nodes */
} verify_ply;

/* How likely a run like this one is to find that a table is wrong. All are 1 when every ply is
 * checked whole.
 *
 * value  One stored value is wrong, whichever it is: at least this. In a ply that is checked whole
 *        it is 1. In any other one block of each stretch of R blocks is drawn, uniformly; R is 1
 *        where the ply has no more blocks than are to be looked at. A block of B entries is cut
 *        into S = min(samples, B) strata, as equal as can be, and of each one entry is checked,
 *        drawn uniformly: a value that is stored at an entry is compared with what follows from
 *        the next moves with probability 1 / (R * entries of its stratum) >= 1 / (R ceil(B / S)).
 *        Where the values of later plies, from which that follows, are right, the error is found.
 *        This is the least of all plies. Of w wrong values of one ply at least one is found with
 *        a probability of at least 1 - (1 - value)^w if they lie in different strata, or
 *        stretches where R > 1; where R = 1, of at least 1 - exp(-w value) in any case: one of m
 *        entries with v wrong ones is missed with 1 - v / m <= exp(-v / m).
 * block  One block that holds values, drawn at random from all such blocks, has every win and loss
 *        exchanged: the share of those in which this very run has checked a win or a loss.
 * row    One row of the statistics, distances among them, drawn at random, is wrong: the share of
 *        those that were counted again. */
typedef struct verify_chances {
    double value, block, row;
} verify_chances;

/* The digest of what a table holds, however it is compressed, is the XXH3-128 of
 *
 *     spec, values         texts, each with a zero byte after its end
 *     block positions      8 bytes, big-endian; so are all numbers up to the last line
 *     for each ply         total, terminal, won, drawn, lost; digest of its blocks, 16 bytes:
 *                          XXH3-128 of the digests of its segments
 *     keys                 in tables of keys their records (meta.h), by ply and slab
 *     distances            the record of that name, if there is one
 *
 * and that of a segment the XXH3-128 of, for each of its blocks, the number of words of its planes
 * (0 where nothing is stored) and these words, 8 bytes each, little-endian. Digests in digests are
 * in canonical form. */

typedef struct verify_report {
    char spec[PLB_SPEC_TEXT];
    plb_value_kind values;
    int plies; /* 0 if the table could not even be opened */
    verify_ply ply[PLB_MAX_CELLS + 1];
    bool countable;            /* the positions of such a board can be counted exactly */
    plb_compared exact_counts; /* what of all plies was compared with that */
    verify_chances chances;
    char contents[DIGEST_TEXT];  /* the digest of what is stored; "" if not all was read */
    plb_outcome empty_board;     /* for the first player */
    const char *published_value; /* where that is published; NULL if not compared */
    const char *published_total; /* the same for the number of positions */
    verify_finding finding;
} verify_report;

/* Verify a table.
 *
 * report  [out]  written in any case, as far as it went
 *
 * Errors: PLB_ECORRUPT: report->finding says what is wrong; those of plb_open: it is no finished
 *         table; PLB_EINTERRUPTED; PLB_ENOMEM.
 * Cost:   reads the whole file; two microseconds for each entry of a ply that is checked whole, a
 *         fifth of one for each sample. The positions of a table of keys are enumerated in memory,
 *         16 bytes for each up to symmetry, and so all of its plies are checked whole. */
int verify_table(const char *path, const verify_options *options, verify_report *report,
                 plb_message *message);

/* ---- positions at random, as the verifier draws those that are searched ---- */

/* Draw a position of a ply; the same seed, ply and number give the same one on any machine.
 *
 * Positions are drawn uniformly, with repetition, from the entries of an enumeration, which has
 * begun the ply. Where hardly any entry is one that can arise, the end of a random game is taken
 * instead, which is not uniform. False: none was found, most likely there is none. Cost: at most a
 * few thousand tries.  Threads: safe.  */
bool sample_draw(const plb_enumeration *enumeration, int ply, uint64_t seed, uint64_t number,
                 plb_position *position);

#endif
