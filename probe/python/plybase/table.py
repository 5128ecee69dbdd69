# SPDX-License-Identifier: MIT
"""A table and its answers.

A Table holds the library's handle until it is closed. The library does not change a table that is
open, so any number of threads may ask one Table at once; none may be asking while it is closed.
"""
import os
from ctypes import byref, c_int, c_uint64, c_void_p, create_string_buffer
from types import TracebackType
from typing import Callable, Iterable, List, NamedTuple, Optional, Tuple, Type, TypeVar, Union

from . import library as lib
from . import search
from .errors import (
    IllegalMove,
    MalformedPosition,
    MissingDistances,
    PositionError,
    WrongBoard,
    error_of,
)

Bitboards = Tuple[int, int]
Position = Union[str, Bitboards]
_Default = TypeVar("_Default")


class TableInfo(NamedTuple):
    """What a table is."""

    spec: str  # canonical name of the game, such as "connect-5x5-k4-misere"
    builder: str  # name and version of the program that built it
    values: str  # "wdl", or "dtm": distances too
    compression: str  # such as "zstd-3"
    width: int
    height: int
    cells: int
    k: int  # stones of a group in a row; 4 for square
    gravity: bool
    misere: bool
    cylinder: bool
    symmetries: int  # order of the symmetry group
    block_positions: int  # consecutive indices of a block, at most
    size_bytes: int  # of the file
    positions: int  # reachable, all plies
    stored: int  # index entries, all plies


class PlyStats(NamedTuple):
    """Reachable positions of a ply. Won and lost are the first player's."""

    total: int
    terminal: int
    won: int
    drawn: int
    lost: int


class Answer(NamedTuple):
    """The value of a position, for the player to move."""

    wdl: int  # 1, 0 or -1
    dtm: Optional[int]  # plies to the end of the game; None for a draw or without distances
    over: bool  # a group is complete or the board is full


class Move(NamedTuple):
    """A legal move and what it leads to, for the player who makes it. str() is its notation."""

    text: str  # "4" with gravity, else "b3"
    column: int  # from 0
    row: int  # from 0, the bottom one
    wdl: int  # 1, 0 or -1
    dtm: Optional[int]  # plies to the end of the game after the move; None as in an Answer

    def __str__(self) -> str:
        return self.text


class Best(NamedTuple):
    """The best that the player to move can do, and what finding it has cost."""

    value: int  # 1, 0 or -1
    least: Optional[int]  # plies to the end of the game, at least; None for a draw
    most: Optional[int]  # at most; equal when the distance is known
    exact: bool  # distance and moves are known; else a limit was reached
    moves: List[Move]  # exact: all that keep value and distance; else the most promising ones
    nodes: int  # positions that the search looked at; 0 where none was needed
    seconds: float  # that it took

    @property
    def dtm(self) -> Optional[int]:
        """Plies to the end of the game; None for a draw, or while the bounds differ."""
        return self.least if self.least == self.most else None


def _distance(dtm: int) -> Optional[int]:
    return None if dtm == lib.NO_DTM else dtm


def _answer_of(answer: lib.Answer) -> Answer:
    return Answer(answer.value, _distance(answer.dtm), answer.over)


def _move_of(move: lib.Move) -> Move:
    return Move(move.text.decode(), move.column, move.row, move.value, _distance(move.dtm))


def _best_of(best: lib.Best) -> Best:
    bounds, moves = best.bounds, [_move_of(move) for move in best.moves[: best.count]]
    least, most = (bounds.least, bounds.most) if best.value else (None, None)
    return Best(best.value, least, most, best.exact, moves, bounds.nodes, bounds.seconds)


def _encode(text: str) -> bytes:
    """Bytes for the library, whose strings end at a zero."""
    if "\0" in text:
        raise MalformedPosition(f"{text!r} is not a position: it holds a zero byte", -20)
    return text.encode("utf-8", "replace")


class Table:
    """An open table."""

    def __init__(self, path: "Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]") -> None:
        self._handle: Optional[c_void_p] = None
        name = os.fsencode(path)
        if b"\0" in name:
            raise ValueError("embedded null byte")
        handle, why = c_void_p(), lib.Message()
        self._library = lib.library()
        lib.check(self._library.plb_open(name, byref(handle), byref(why)), why)
        self._handle = handle
        self.info = self._read_info()

    # ---- ends ----

    def close(self) -> None:
        """Free the table. A closed table answers nothing; closing it again is allowed."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._library.plb_close(handle)

    def __enter__(self) -> "Table":
        self._open_handle()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()

    def __repr__(self) -> str:
        return f"<plybase.Table {self.info.spec}{'' if self._handle else ', closed'}>"

    def _open_handle(self) -> c_void_p:
        if self._handle is None:
            raise ValueError("the table is closed")
        return self._handle

    # ---- what it is ----

    def _read_info(self) -> TableInfo:
        info = self._library.plb_info(self._open_handle()).contents
        fields = (getattr(info, name) for name in TableInfo._fields)
        return TableInfo(*(f.decode() if isinstance(f, bytes) else f for f in fields))

    def stats(self) -> List[PlyStats]:
        """Counts of every ply; a ply is the number of stones."""
        rows = []
        for ply in range(self.info.cells + 1):
            row = lib.Stats()
            lib.check_code(self._library.plb_stats(self._open_handle(), ply, byref(row)))
            rows.append(PlyStats(*(getattr(row, name) for name in PlyStats._fields)))
        return rows

    # ---- positions ----

    def bitboards(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> Bitboards:
        """The stones (x, o) of a position. Its form is checked, not whether it can arise."""
        if (position is None) == (moves is None):
            raise TypeError("one position is needed: a board, bitboards (x, o), or moves=...")
        if moves is not None:
            return self._parse(self._library.plb_parse_moves, moves)
        if isinstance(position, str):
            return self._parse(self._library.plb_parse_board, position)
        return self._check_bits(position)

    def board(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> str:
        """A position as the text of its board."""
        x, o = self.bitboards(position, moves=moves)
        self._probe_bits(x, o)
        text = create_string_buffer(lib.BOARD_TEXT)
        lib.check_code(self._library.plb_format_board(self._open_handle(), x, o, text))
        return text.value.decode()

    def _parse(self, function, text: str) -> Bitboards:  # type: ignore[no-untyped-def]
        if not isinstance(text, str):
            raise TypeError(f"a position as text is a str, not {type(text).__name__}")
        x, o, why = c_uint64(), c_uint64(), lib.Message()
        error = function(self._open_handle(), _encode(text), byref(x), byref(o), byref(why))
        lib.check(error, why)
        return x.value, o.value

    def _check_bits(self, position: object) -> Bitboards:
        if not isinstance(position, (tuple, list)) or len(position) != 2:
            raise TypeError(f"a position is a board as str or a pair (x, o), not {position!r}")
        x, o = position
        if not isinstance(x, int) or not isinstance(o, int):
            raise TypeError(f"bitboards are numbers, not {position!r}")
        if (x | o) >> 64:  # ctypes would drop those bits silently; the library sees the others
            size = f"{self.info.width}x{self.info.height}"
            raise WrongBoard(f"a stone lies beyond the {size} board", -21)
        return x, o

    # ---- answers ----

    def _probe_bits(self, x: int, o: int) -> Answer:
        answer, why = lib.Answer(), lib.Message()
        lib.check(
            self._library.plb_probe(self._open_handle(), x, o, byref(answer), byref(why)), why
        )
        return _answer_of(answer)

    def probe(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> Answer:
        """All that the table knows of a position. Raises as probe_wdl does."""
        return self._probe_bits(*self.bitboards(position, moves=moves))

    def probe_wdl(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> int:
        """1 for a win, 0 for a draw, -1 for a loss of the player to move.

        Raises a PositionError (MalformedPosition, WrongBoard, IllegalPosition, IllegalMove,
        UnreachablePosition) for a position that is refused, CorruptTable or OutOfMemory.
        """
        return self.probe(position, moves=moves).wdl

    def get_wdl(
        self,
        position: Optional[Position] = None,
        default: Optional[_Default] = None,
        *,
        moves: Optional[str] = None,
    ) -> Union[int, Optional[_Default]]:
        """As probe_wdl, but the default for a position that is refused."""
        try:
            return self.probe_wdl(position, moves=moves)
        except PositionError:
            return default

    def probe_dtm(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> Optional[int]:
        """Plies to the end of the game when both play their best: the winner as fast as possible,
        the loser as slowly. 0 where it is over, None for a draw; probe_wdl tells who wins.

        Raises as probe_wdl does, and MissingDistances, for a draw too, where the table has no
        distances; find_best searches for them.
        """
        dtm = self.probe(position, moves=moves).dtm
        if self.info.values != "dtm":
            raise MissingDistances(
                f"this table of {self.info.spec} holds {self.info.values}, no distances; "
                "find_best searches for them"
            )
        return dtm

    def get_dtm(
        self,
        position: Optional[Position] = None,
        default: Optional[_Default] = None,
        *,
        moves: Optional[str] = None,
    ) -> Union[int, Optional[_Default]]:
        """As probe_dtm, but the default for a position that is refused or where the table has no
        distances. A draw is neither: None."""
        try:
            return self.probe_dtm(position, moves=moves)
        except (PositionError, MissingDistances):
            return default

    # ---- many ----

    def _query_many(self, boards: List[Bitboards]):  # type: ignore[no-untyped-def]
        queries = (lib.Query * len(boards))()
        for query, (x, o) in zip(queries, boards):
            query.x, query.o = x, o
        lib.check_code(self._library.plb_probe_many(self._open_handle(), queries, len(boards)))
        return queries

    def probe_many(self, positions: Iterable[Position]) -> List[int]:
        """Values of many positions, in their order, looked up in the order of the table.

        Much faster than one by one where they are spread over a big table. Raises as probe_wdl
        does where one of them is refused.
        """
        boards = [self.bitboards(position) for position in positions]
        queries = self._query_many(boards)
        for query in queries:
            if query.error:
                self._probe_bits(query.x, query.o)  # raises, with the library's message
                lib.check_code(query.error)
        return [query.answer.value for query in queries]

    def get_many(
        self, positions: Iterable[Position], default: Optional[_Default] = None
    ) -> List[Union[int, Optional[_Default]]]:
        """As probe_many, but the default in the place of every position that is refused."""
        boards: List[Optional[Bitboards]] = []
        for position in positions:
            try:
                boards.append(self.bitboards(position))
            except PositionError:
                boards.append(None)
        queries = iter(self._query_many([board for board in boards if board is not None]))
        return [default if board is None else self._value_or(next(queries), default)
                for board in boards]

    @staticmethod
    def _value_or(query: lib.Query, default: Optional[_Default]) -> Union[int, Optional[_Default]]:
        if not query.error:
            return int(query.answer.value)
        problem = error_of(query.error, lib.error_text(query.error))
        if isinstance(problem, PositionError):
            return default
        raise problem

    # ---- moves ----

    def moves(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> List[Move]:
        """Every legal move, best first: wins, draws, losses; where the table has distances, wins
        from fast to slow and losses from slow to fast; among equals by column, then by row.
        A game that is over has none. Raises as probe_wdl does."""
        return self._moves_of(*self.bitboards(position, moves=moves))

    def best_moves(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> List[Move]:
        """The moves that are as good as the best one, in the order of `moves`; [] when the game is
        over. Raises as probe_wdl does.

        With distances in the table: the fastest wins, or all draws, or the slowest losses. Without:
        all that keep the value, fast and slow alike; the fast ones are find_best(...).moves.
        """
        found = self.moves(position, moves=moves)
        return [move for move in found if (move.wdl, move.dtm) == (found[0].wdl, found[0].dtm)]

    def find_best(
        self,
        position: Optional[Position] = None,
        *,
        moves: Optional[str] = None,
        nodes: Optional[int] = None,
        seconds: Optional[float] = None,
        memory_bytes: Optional[int] = None,
    ) -> Best:
        """Value, distance in plies and best moves of a position, from any table.

        With distances in the table, and for a draw, that is as fast as best_moves. Otherwise a
        search finds the distance, quick near the end of the game and perhaps long near its
        beginning. It gives up after so many nodes (positions looked at) or seconds, and then the
        result is not `exact`: `least` and `most` are proven, and the value is known. It keeps what
        is proven in so many bytes of memory (64 MiB). Ctrl-C, or whatever a signal handler raises,
        ends it. Raises as probe_wdl does.
        """
        x, o = self.bitboards(position, moves=moves)
        handle, best, why = self._open_handle(), lib.Best(), lib.Message()
        limits = search.make_limits(nodes, seconds, memory_bytes)

        def find() -> int:
            error = self._library.plb_find_best(
                handle, x, o, byref(limits), byref(best), byref(why)
            )
            return int(error)

        lib.check(self._search(find, limits), why)
        return _best_of(best)

    def mainline(
        self,
        position: Optional[Position] = None,
        *,
        moves: Optional[str] = None,
        nodes: Optional[int] = None,
        seconds: Optional[float] = None,
        memory_bytes: Optional[int] = None,
    ) -> List[Move]:
        """One optimal line to the end of the game: in turn the first of each player's best moves.
        The winner wins as fast as possible, the loser loses as slowly.

        With distances in the table it is there at once, otherwise it is searched for, as find_best
        does. The limits are those of find_best, together for the whole line. Raises as probe_wdl
        does, and SearchStopped when a limit was reached before the line was found.
        """
        x, o = self.bitboards(position, moves=moves)
        handle, why = self._open_handle(), lib.Message()
        line, count = (lib.Move * lib.MAX_MOVES)(), c_int()
        limits = search.make_limits(nodes, seconds, memory_bytes)

        def find() -> int:
            error = self._library.plb_find_line(
                handle, x, o, byref(limits), line, byref(count), byref(why)
            )
            return int(error)

        lib.check(self._search(find, limits), why)
        return [_move_of(move) for move in line[: count.value]]

    def _search(self, find: Callable[[], int], limits: lib.Limits) -> int:
        return find() if self.info.values == "dtm" else search.run(find, limits)

    def push(self, position: Position, move: Union[Move, str]) -> Bitboards:
        """The position after a legal move, given as a Move or by its notation."""
        x, o = self.bitboards(position)
        for legal in self._moves_of(x, o):
            if legal.text == str(move):
                return self._play(x, o, legal)
        raise IllegalMove(f"{move} is no legal move of {self.board((x, o))}", -26)

    def _play(self, x: int, o: int, move: Move) -> Bitboards:
        stone = 1 << (move.column * self.info.height + move.row)
        x_to_move = bin(x).count("1") == bin(o).count("1")
        return (x | stone, o) if x_to_move else (x, o | stone)

    def _moves_of(self, x: int, o: int) -> List[Move]:
        found, count, why = (lib.Move * lib.MAX_MOVES)(), c_int(), lib.Message()
        error = self._library.plb_moves(
            self._open_handle(), x, o, found, byref(count), byref(why)
        )
        lib.check(error, why)
        return [_move_of(move) for move in found[: count.value]]
