/* SPDX-License-Identifier: MIT
 *
 * What the public header shares with the rest of the project: errors, values, limits, and
 * statistics of a ply. Programs include plybase.h, which includes this header.
 */
#ifndef PLB_TABLES_VOCABULARY_H
#define PLB_TABLES_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/version.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PLB_API __attribute__((visibility("default")))

/* The version of the headers as one increasing number, 200 for 0.2.0, and as text. CMake writes its
 * parts, PLB_VERSION_MAJOR, PLB_VERSION_MINOR and PLB_VERSION_PATCH. */
#define PLB_VERSION (PLB_VERSION_MAJOR * 10000 + PLB_VERSION_MINOR * 100 + PLB_VERSION_PATCH)
#define PLB_VERSION_WORDS(major, minor, patch) #major "." #minor "." #patch
#define PLB_VERSION_EXPAND(major, minor, patch) PLB_VERSION_WORDS(major, minor, patch)
#define PLB_VERSION_TEXT PLB_VERSION_EXPAND(PLB_VERSION_MAJOR, PLB_VERSION_MINOR, PLB_VERSION_PATCH)

/* Every error: name, pinned number, text. */
#define PLB_ERRORS(X)                                                      \
    X(PLB_OK, 0, "no error")                                               \
    X(PLB_EARGUMENT, -1, "an argument is out of range")                    \
    X(PLB_ENOMEM, -2, "out of memory")                                     \
    X(PLB_EIO, -3, "input or output failed")                               \
    X(PLB_ENOTFOUND, -4, "no such file")                                   \
    X(PLB_EPERMISSION, -5, "permission denied")                            \
    X(PLB_ENOSPACE, -6, "the disk is full")                                \
    X(PLB_ENOTTABLE, -7, "not a Plybase table")                            \
    X(PLB_EVERSION, -8, "a table of another format version")               \
    X(PLB_EUNFINISHED, -9, "the table is not finished")                    \
    X(PLB_ECORRUPT, -10, "the table is damaged")                           \
    X(PLB_ESPEC, -11, "not a game specification")                          \
    X(PLB_EOTHERGAME, -12, "the table of another game")                    \
    X(PLB_ETOOBIG, -13, "the board is too big")                            \
    X(PLB_EINTERRUPTED, -14, "interrupted")                                \
    X(PLB_EBUSY, -15, "another process is building this table")            \
    X(PLB_ESYNTAX, -20, "the position is malformed")                       \
    X(PLB_EBOARD, -21, "a position of another board")                      \
    X(PLB_ECOUNTS, -22, "impossible piece counts")                         \
    X(PLB_EFLOATING, -23, "a stone floats in the air")                     \
    X(PLB_EOVER, -24, "the position continues after the end of the game")  \
    X(PLB_EUNREACHABLE, -25, "no sequence of moves leads to the position") \
    X(PLB_EMOVE, -26, "the move cannot be played")                         \
    X(PLB_EUNKNOWN, -27, "the answer is not known")

#define PLB_ERROR_NAME(name, number, text) name = (number),
typedef enum plb_error { PLB_ERRORS(PLB_ERROR_NAME) } plb_error;
#undef PLB_ERROR_NAME

/* A value, for the player to move. */
typedef enum plb_value { PLB_LOSS = -1, PLB_DRAW = 0, PLB_WIN = 1 } plb_value;

enum {
    PLB_MAX_CELLS = 64,
    PLB_MAX_MOVES = 128,       /* moves of a position of any game; one cell may have several */
    PLB_BOARD_TEXT = 192,      /* bytes for any board as text, with the final zero */
    PLB_MOVE_TEXT = 16,        /* bytes for any move as text, with the final zero */
    PLB_OUTCOME_TEXT = 32,     /* bytes for any value with its distance, with the final zero */
    PLB_PICTURE_WORDS = 96,    /* bytes for the words of a picture, with the final zero */
    PLB_PICTURE_SVG = 1 << 15, /* bytes for any picture, with the final zero */
    PLB_NO_DTM = -1,           /* no distance: a draw, or the table has none */
};

/* One sentence about a failure. */
typedef struct plb_message {
    char text[320];
} plb_message;

/* The text of an error code, never NULL. Static storage. */
PLB_API const char *plb_error_text(int error);

/* "win", "draw" or "loss"; "no value" for any other number. Static storage. */
PLB_API const char *plb_value_text(plb_value value);

/* One ply: counts of reachable positions. won and lost are for the first player, and include
 * terminal positions, in which a group is complete. total = won + drawn + lost. */
typedef struct plb_ply_stats {
    uint64_t total, terminal, won, drawn, lost;
    uint64_t reserved[3];
} plb_ply_stats;

/* A position with the greatest distance among those of its ply and value. */
typedef struct plb_longest {
    int plies; /* its distance, 1 or more; PLB_NO_DTM: there is none, and x and o are 0 */
    uint8_t reserved[4];
    uint64_t x, o;
} plb_longest;

/* One ply: the number of reachable positions by distance, without draws. wins[d] and losses[d] are
 * those that the player to move wins or loses in d plies; terminal positions have distance 0.
 * longest_win and longest_loss are positions in which the game is not over; if there are several,
 * the first one in the order of the table's index. */
typedef struct plb_ply_distances {
    uint64_t wins[PLB_MAX_CELLS + 1], losses[PLB_MAX_CELLS + 1];
    plb_longest longest_win, longest_loss;
    uint64_t reserved[8];
} plb_ply_distances;

/* The cursor of a listing of the positions of a ply (plb_list_positions). To begin, set ply, and
 * everything else to 0. */
typedef struct plb_listing {
    int ply;
    bool done; /* out: there are no more */
    uint8_t reserved[3];
    uint64_t slab, element, rank; /* used by the library */
} plb_listing;

/* The content of a cell. */
typedef struct plb_cell {
    char player;  /* 'x' or 'o': who placed it; 0: the cell is empty */
    char text[7]; /* to be shown: "x", "o", a number; "" if the cell is empty */
} plb_cell;

/* A legal move and its value. */
typedef struct plb_move {
    int column, row;          /* from 0 on; row 0 is the bottom one */
    plb_value value;          /* for the player who makes the move */
    int dtm;                  /* plies to the end of the game after the move, or PLB_NO_DTM */
    char text[PLB_MOVE_TEXT]; /* "4" with gravity, "b3" without, "5@b3" with numbers */
    int number;               /* the number that is placed, in games of numbers; else 0 */
    uint8_t reserved[4];
} plb_move;

#ifdef __cplusplus
}
#endif
#endif
