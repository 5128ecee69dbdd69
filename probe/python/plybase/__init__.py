# SPDX-License-Identifier: MIT
"""Answers positions of solved placement games from their endgame tables.

    import plybase

    with plybase.open("connect-6x5-k4.plb") as table:
        table.probe_wdl(moves="4453")           # 1, 0 or -1 for the player to move
        table.probe_wdl("6/6/6/6/2xo2")         # the same for a board
        [str(move) for move in table.best_moves(moves="44")]
        table.find_best(moves="4453", seconds=10).dtm   # plies to the end of the game

A position is the text of a board, such as "6/6/6/6/2xo2", or a pair of bitboards (x, o), or, as
moves="4453", a sequence of moves from the empty board. In a bitboard, bit column * height + row is
a cell; column 0 is the left one, row 0 the bottom one. The side to move follows from the counts.

What is named probe_* raises an exception where there is no answer; what is named get_* returns a
default for a position that is refused or a distance that is missing. A table that is damaged raises
in both: its answers are not to be passed over.

A value is for the side to move: 1 a win, 0 a draw, -1 a loss. A distance is in plies to the end of
the game when the winner plays as fast as possible and the loser as slowly; a position that is over
has the distance 0, a draw has none: None. A table that was built with `--values dtm` holds the
distances, and everything answers at once. With any other table, probe_dtm raises MissingDistances;
find_best and mainline search for distances, with limits or as long as it takes. Ctrl-C ends a
search.

The package calls the shared library libplybase.so.0: that of the environment variable
PLYBASE_LIBRARY, else an installed one, else one beside the package.
"""
import os as _os
from typing import Union as _Union

from .errors import (
    CorruptTable,
    IllegalMove,
    IllegalPosition,
    LibraryNotFound,
    MalformedPosition,
    MissingDistances,
    NotATable,
    OtherVersion,
    OutOfMemory,
    PlybaseError,
    PositionError,
    SearchStopped,
    TableError,
    TableNotFound,
    TablePermission,
    UnfinishedTable,
    UnreachablePosition,
    WrongBoard,
)
from .table import Answer, Best, Bitboards, Move, PlyStats, Position, Table, TableInfo

__all__ = [
    "Answer",
    "Best",
    "Bitboards",
    "CorruptTable",
    "IllegalMove",
    "IllegalPosition",
    "LibraryNotFound",
    "MalformedPosition",
    "MissingDistances",
    "Move",
    "NotATable",
    "OtherVersion",
    "OutOfMemory",
    "PlyStats",
    "PlybaseError",
    "Position",
    "PositionError",
    "SearchStopped",
    "Table",
    "TableError",
    "TableInfo",
    "TableNotFound",
    "TablePermission",
    "UnfinishedTable",
    "UnreachablePosition",
    "WrongBoard",
    "open",
]


def open(path: "_Union[str, bytes, _os.PathLike[str], _os.PathLike[bytes]]") -> Table:
    """Open a finished table, to be closed by its `close` or at the end of a `with`.

    Raises TableNotFound, TablePermission, NotATable, OtherVersion, UnfinishedTable (its build is
    under way or was interrupted), CorruptTable, TableError, OutOfMemory or LibraryNotFound.
    """
    return Table(path)
