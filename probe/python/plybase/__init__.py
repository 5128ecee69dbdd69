# SPDX-License-Identifier: MIT
"""Answers positions of solved placement games from their endgame tables.

    import plybase

    with plybase.open("connect-6x5-k4.plb") as table:
        table.probe_wdl(moves="4453")           # 1, 0 or -1 for the player to move
        table.probe_wdl("6/6/6/6/2xo2")         # the same for a board
        [str(move) for move in table.best_moves(moves="44")]
        table.find_best(moves="4453", seconds=10).dtm   # plies to the end of the game
        table.find_resistance(moves="44").replies       # how likely the opponent is to err
        table.probe_many(x=xs, o=os).value      # arrays of numpy in, arrays out
        [move.mistake for move in table.annotate("4453")]       # what each move of a game cost
        table.winner(moves="12121212")          # by the rules
        table.picture(moves="4453")             # SVG, with the value of every move
        for position in table.positions(ply=3): ...     # all positions, with values
        table.export(range(2, 5), where="win").array()  # plies 2 to 4, for numpy
        for row in table.sample(1000, seed=1): ...      # a random sample
        file.writelines(table.export(8).lines("uci"))   # as text: csv, uci, pons

        for line in plybase.read_list("positions.txt", table, input="pons"): ...

        board = plybase.Board(table)            # shown as a picture by notebooks
        board.push("4"); board.push(board.legal_moves[0]); board.pop()
        board.turn, board.outcome()             # "o", None

    with plybase.open_tables("folder") as tables:
        tables["connect-6x5-k4"].probe_wdl((0, 0))

A position is the text of a board, such as "6/6/6/6/2xo2", or a pair of bitboards (x, o), or
anything with integers x and o, such as a row of an export in numpy; or, as moves="4453", a
sequence of moves from the empty board. In a bitboard, bit column * height + row is a cell; column 0
is the left one, row 0 the bottom one. In games of numbers o has the occupied cells, and x has four
bits for each cell (plybase.h). The side to move follows from the counts.

Methods named probe_* raise an exception if there is no answer; methods named get_* return a default
for a position that is refused or a distance that is missing. A damaged table raises an exception in
both.

A value is for the side to move: 1 a win, 0 a draw, -1 a loss. A distance is in plies to the end of
the game when the winner plays as fast as possible and the loser as slowly; it is 0 if the game is
over, and None for a draw. A table that was built with `--values dtm` contains the distances, and
all methods are fast. With any other table, probe_dtm raises MissingDistances; find_best and
mainline search for distances, with or without limits. Ctrl-C ends a search or an export. Exceptions
are in plybase.errors; all are PlybaseErrors, and also builtin exceptions where one fits.

Several threads may use a table at the same time. A copy of it (copy, pickle, a process of a pool)
opens the file again.

The package calls the shared library libplybase.so.1: that of the environment variable
PLYBASE_LIBRARY, else one that the system finds, else one beside the package, with the command
`plybase` in PATH (../lib), or in ~/.local/lib.
"""
from typing import Union as _Union
import os as _os

from .answers import (
    Annotation as Annotation, Answer as Answer, AtLeast as AtLeast, AtMost as AtMost,
    Answers as Answers, Best as Best, Cell as Cell, Listed as Listed, Longest as Longest,
    Move as Move, PlyDistances as PlyDistances, PlyStats as PlyStats, Replies as Replies,
    Resistance as Resistance, Row as Row, State as State, TableInfo as TableInfo,
)
from .binding import shared_library as _shared_library
from .board import Board as Board
from .errors import (
    CorruptTable as CorruptTable, IllegalMove as IllegalMove, IllegalPosition as IllegalPosition,
    LibraryNotFound as LibraryNotFound, MalformedPosition as MalformedPosition,
    MissingDistances as MissingDistances, NotATable as NotATable, OtherVersion as OtherVersion,
    OutOfMemory as OutOfMemory, PlybaseError as PlybaseError, PositionError as PositionError,
    SearchStopped as SearchStopped, TableError as TableError, TableNotFound as TableNotFound,
    TablePermission as TablePermission, UnfinishedTable as UnfinishedTable,
    UnreachablePosition as UnreachablePosition, WrongBoard as WrongBoard,
)
from .lists import ListLine as ListLine, read_list as read_list
from .positions import Bitboards as Bitboards, Position as Position
from .rows import Rows as Rows
from .table import Path as _Path, Table
from .tables import Tables

# What help(plybase) describes in full; exceptions and tuples of answers are in errors and answers.
__all__ = ["Board", "Table", "Tables", "open", "open_tables", "read_list"]


def __getattr__(name: str) -> str:
    """__version__ is the version of the library."""
    if name == "__version__":
        try:
            return bytes(_shared_library().plb_version()).decode()
        except LibraryNotFound as problem:
            raise AttributeError(str(problem)) from problem
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def open(path: _Path) -> Table:
    """Open a finished table. Its `close`, or the end of a `with`, closes it.

    Raises TableNotFound, TablePermission, NotATable, OtherVersion, UnfinishedTable (its build is
    running or was interrupted), CorruptTable, TableError, OutOfMemory or LibraryNotFound.
    """
    return Table(path)


def open_tables(directory: _Union[str, _os.PathLike[str]]) -> Tables:
    """Open all tables of a directory with Tables.add_directory: tables["connect-5x5-k4"]."""
    tables = Tables()
    try:
        tables.add_directory(directory)
    except BaseException:
        tables.close()
        raise
    return tables
