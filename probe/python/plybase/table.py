# SPDX-License-Identifier: MIT
"""A table and its answers.

A Table has the library's handle until it is closed. Any number of threads may use a Table at the
same time; after another thread has closed it they get a ValueError. A copy, also one that pickle
makes in another process, opens the file again.
"""
import operator
import os
from array import array
from ctypes import byref, c_int, c_uint64, c_void_p, create_string_buffer
from typing import Any, Iterable, Iterator, List, Optional, Tuple, Type, TypeVar, Union, overload

from . import binding
from . import search
from .answers import (
    Annotation, Answer, Answers, Best, Cell, Listed, Move, PlyDistances, PlyStats, Resistance,
    State, TableInfo, annotation_of, answer_of, best_of, cell_of, distance, distances_of, move_of,
    resistance_of, state_of,
)
from .errors import IllegalMove, MissingDistances, NotATable
from .errors import PositionError, SearchStopped, WrongBoard
from .handle import Handle
from .many import columns_of, first_error, list_positions, probe_columns, read_arrays
from .positions import Bitboards, Position, each_of, encode_text, pair_of_numbers
from .rows import Rows, make_options

Path = Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]
_Default = TypeVar("_Default")


class Table:
    """An open table."""

    def __init__(self, path: Path) -> None:
        name = os.fsencode(path)
        if b"\0" in name:
            raise ValueError("embedded null byte")
        self.path = os.path.abspath(os.fsdecode(name))
        table, why = c_void_p(), binding.Message()
        self._library = binding.shared_library()
        error = self._library.plb_open(name, byref(table), byref(why))
        binding.check(error, why, os.fsdecode(name))
        self._handle = Handle(table, self._library.plb_close)
        self.info = self._read_info()

    # ---- closing and copying ----

    def close(self) -> None:
        """Close the table; it is freed when no thread is in a call on it. A closed table still has
        its `info` and `path`; closing it again is allowed."""
        self._handle.close()

    def __reduce__(self) -> Tuple[Type["Table"], Tuple[str]]:
        """A copy, also in another process, opens the file again."""
        with self._handle:
            return type(self), (self.path,)

    def __enter__(self) -> "Table":
        with self._handle:
            return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            self._handle.close()

    def __repr__(self) -> str:
        return f"<plybase.Table {self.info.spec}{', closed' if self._handle.closed else ''}>"

    # ---- description and statistics ----

    def _read_info(self) -> TableInfo:
        with self._handle as table:
            info = self._library.plb_info(table).contents
            fields = [getattr(info, name) for name in TableInfo._fields]
        return TableInfo(*(f.decode("utf-8", "replace") if isinstance(f, bytes) else f
                           for f in fields))

    def stats(self) -> List[PlyStats]:
        """The counts of each ply, from 0 on. Raises NotATable for a strategy."""
        if self.info.player:
            raise NotATable("a strategy has no counts of positions")
        rows = []
        for ply in range(self.info.cells + 1):
            row = binding.Stats()
            with self._handle as table:
                binding.check_code(self._library.plb_stats(table, ply, byref(row)))
            rows.append(PlyStats(*(getattr(row, name) for name in PlyStats._fields)))
        return rows

    def distance_stats(self) -> List[PlyDistances]:
        """The positions of each ply by distance. Raises MissingDistances if the table has none,
        NotATable for a strategy."""
        if self.info.player:
            raise NotATable("a strategy has no statistics of distances")
        rows = []
        for ply in range(self.info.cells + 1):
            row = binding.Distances()
            with self._handle as table:
                code = self._library.plb_distance_stats(table, ply, byref(row))
            if code == binding.UNKNOWN:
                raise MissingDistances(
                    f"this table of {self.info.spec} holds no statistics of distances; "
                    "one that is built with --values dtm does"
                )
            binding.check_code(code)
            rows.append(distances_of(row))
        return rows

    # ---- positions ----

    def bitboards(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> Bitboards:
        """The bitboards (x, o) of a position. Its form is checked, not whether it can arise."""
        if (position is None) == (moves is None):
            raise TypeError("one position is needed: a board, bitboards (x, o), or moves=...")
        if moves is not None:
            return self._parse(encode_text(moves, "moves are a str such as '4453'"), True)
        if isinstance(position, str):
            return self._parse(encode_text(position, "a board is a str"), False)
        return self._check_bits(position)

    def board(self, position: Optional[Position] = None, *, moves: Optional[str] = None) -> str:
        """A position as the text of its board."""
        x, o = self.bitboards(position, moves=moves)
        self.state((x, o))  # refuses a position that cannot arise
        text = create_string_buffer(binding.BOARD_TEXT)
        with self._handle as table:
            binding.check_code(self._library.plb_format_board(table, x, o, text))
        return text.value.decode()

    def cells(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> List[Cell]:
        """The content of each cell of a position; the index of a cell is column * height + row."""
        x, o = self.bitboards(position, moves=moves)
        found = (binding.Cell * binding.MAX_CELLS)()
        with self._handle as table:
            error = self._library.plb_read_cells(table, x, o, found)
        if error:
            self.state((x, o))  # raises an exception that says what is wrong
        binding.check_code(error)
        return [cell_of(cell) for cell in found[: self.info.cells]]

    def picture(
        self,
        position: Optional[Position] = None,
        *,
        moves: Optional[str] = None,
        bare: bool = False,
    ) -> str:
        """A position as an SVG document: the board with the value of every move, and the state of
        the game in words; bare: without values. `plybase picture` draws the same. Raises as
        probe_wdl does."""
        x, o = self.bitboards(position, moves=moves)
        picture = binding.Picture(bare=bare)
        self._call("plb_draw", x, o, byref(picture))
        return str(picture.svg.decode())

    def _parse(self, text: bytes, as_moves: bool) -> Bitboards:
        parsers, x, o = ("plb_parse_board", "plb_parse_moves"), c_uint64(), c_uint64()
        try:
            self._call(parsers[as_moves], text, byref(x), byref(o))
        except PositionError as refusal:
            if as_moves and not any(sign in b"/xXoO" for sign in text):
                raise  # digits are not meant as a board, even if a board of one row has them
            parse_other = getattr(self._library, parsers[not as_moves])
            with self._handle as table:
                if not text or parse_other(table, text, byref(x), byref(o), None):
                    raise
            hint = ("is a board, not a list of moves: leave out moves=" if as_moves
                    else "is a list of moves, not a board: did you mean moves=...?")
            raise type(refusal)(f"{text.decode()!r:.80} {hint}", refusal.code) from None
        return x.value, o.value

    def _check_bits(self, position: object) -> Bitboards:
        x, o = pair_of_numbers(position)
        if (x | o) >> 64:  # ctypes would drop these bits silently; the library checks the others
            size = f"{self.info.width}x{self.info.height}"
            raise WrongBoard(f"a stone lies beyond the {size} board", -21)
        return x, o

    # ---- answers ----

    def _probe_bits(self, x: int, o: int) -> Answer:
        answer = binding.Answer()
        self._call("plb_probe", x, o, byref(answer))
        return answer_of(answer)

    def probe(self, position: Optional[Position] = None, *, moves: Optional[str] = None) -> Answer:
        """Value and distance of a position. Raises as probe_wdl does."""
        return self._probe_bits(*self.bitboards(position, moves=moves))

    def probe_wdl(self, position: Optional[Position] = None, *, moves: Optional[str] = None) -> int:
        """1 for a win, 0 for a draw, -1 for a loss of the player to move.

        Raises a PositionError (MalformedPosition, WrongBoard, IllegalPosition, IllegalMove,
        UnreachablePosition) for a position that is refused, SearchStopped for one that a strategy
        does not answer, CorruptTable or OutOfMemory.
        """
        return self.probe(position, moves=moves).value

    def get_wdl(
        self,
        position: Optional[Position] = None,
        default: Optional[_Default] = None,
        *,
        moves: Optional[str] = None,
    ) -> Union[int, Optional[_Default]]:
        """As probe_wdl, but returns the default for a position that is refused, or that a strategy
        does not answer."""
        try:
            return self.probe_wdl(position, moves=moves)
        except (PositionError, SearchStopped):
            return default

    def probe_dtm(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> Optional[int]:
        """Plies to the end of the game if the winner plays as fast as possible and the loser as
        slowly. 0 if the game is over, None for a draw; probe_wdl tells who wins.

        Raises as probe_wdl does, and MissingDistances, also for a draw, if the table has no
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
        """As probe_dtm, but returns the default for a position that is refused, or if the table has
        no distances. For a draw it returns None."""
        try:
            return self.probe_dtm(position, moves=moves)
        except (PositionError, MissingDistances, SearchStopped):
            return default

    # ---- many ----

    @overload
    def probe_many(self, positions: Iterable[Position]) -> List[int]: ...

    @overload
    def probe_many(self, *, moves: Iterable[str]) -> List[int]: ...

    @overload
    def probe_many(self, *, x: Any, o: Any) -> Answers: ...

    def probe_many(
        self,
        positions: Optional[Iterable[Position]] = None,
        *,
        moves: Optional[Iterable[str]] = None,
        x: Any = None,
        o: Any = None,
    ) -> Union[List[int], Answers]:
        """Values of many positions, in the order of the argument; they are looked up in the order
        of the table.

        Takes positions, or sequences of moves, and returns a list of values; or x and o, two arrays
        of 8-byte integers (of numpy, array('Q') or a memoryview), and returns Answers, which are
        arrays, too: by far the fastest. If a position is refused, it raises as probe_wdl does; the
        exception has its `index`.
        """
        with_arrays = x is not None or o is not None
        if with_arrays:
            columns = read_arrays(positions, moves, x, o)
        else:
            columns = self._read_list(positions, moves)
        found = self._probe_columns(*columns)
        index = first_error(found)
        if index is not None:
            self._refuse(columns[0][index], columns[1][index], index)
        return found if with_arrays else found.value.tolist()

    @overload
    def get_many(
        self, positions: Iterable[Position], default: Optional[_Default] = ...
    ) -> List[Union[int, Optional[_Default]]]: ...

    @overload
    def get_many(
        self, *, moves: Iterable[str], default: Optional[_Default] = ...
    ) -> List[Union[int, Optional[_Default]]]: ...

    @overload
    def get_many(self, *, x: Any, o: Any) -> Answers: ...

    def get_many(
        self,
        positions: Optional[Iterable[Position]] = None,
        default: Optional[_Default] = None,
        *,
        moves: Optional[Iterable[str]] = None,
        x: Any = None,
        o: Any = None,
    ) -> Union[List[Union[int, Optional[_Default]]], Answers]:
        """As probe_many, but with the default for each position that is refused, or that a strategy
        does not answer. With arrays, Answers has its error, and the value 0."""
        if x is not None or o is not None:
            return self._probe_columns(*read_arrays(positions, moves, x, o))
        boards: List[Optional[Bitboards]] = []
        for item in each_of(positions, moves):
            try:
                boards.append(self.bitboards(**item))
            except PositionError:
                boards.append(None)
        there = [board for board in boards if board is not None]
        found = self._probe_columns(*columns_of(there))
        answers = zip(found.value, found.error)
        values = iter([default if error else value for value, error in answers])
        return [default if board is None else next(values) for board in boards]

    def _read_list(
        self, positions: Optional[Iterable[Position]], moves: Optional[Iterable[str]]
    ) -> Tuple["array[int]", "array[int]"]:
        boards = []
        for index, item in enumerate(each_of(positions, moves)):
            try:
                boards.append(self.bitboards(**item))
            except PositionError as refusal:
                raise refusal.at(index) from None
        return columns_of(boards)

    def _probe_columns(self, x: "array[int]", o: "array[int]") -> Answers:
        with self._handle as table:
            return probe_columns(table, x, o)

    def _refuse(self, x: int, o: int, index: int) -> None:
        try:
            self._probe_bits(x, o)
        except PositionError as refusal:
            raise refusal.at(index) from None

    def positions(self, ply: int) -> Iterator[Listed]:
        """All positions of a ply that can arise, each once, with their values, in a fixed order.
        They are looked up during the iteration, some thousands at a time.

        Raises ValueError if there is no such ply, NotATable for a strategy, CorruptTable or
        OutOfMemory.
        """
        ply = operator.index(ply)
        if not 0 <= ply <= self.info.cells:
            raise ValueError(f"there is no ply {ply}: {self.info.spec} has 0 to {self.info.cells}")
        if self.info.player:
            raise NotATable("a strategy has no list of positions")
        return self._list(binding.Listing(ply=ply))

    def _list(self, listing: binding.Listing) -> Iterator[Listed]:
        while not listing.done:
            with self._handle as table:
                x, o = list_positions(table, listing)
                found = probe_columns(table, x, o)
            for row in zip(x, o, found.value, found.dtm):
                yield Listed(row[0], row[1], row[2], distance(row[3]))

    def export(
        self,
        ply: Union[None, int, range] = None,
        *,
        where: Optional[str] = None,
        canonical: bool = False,
    ) -> Rows:
        """Positions with value, distance and best moves, in the order of the table: all of them, or
        those of a ply or of a range of plies, such as range(2, 5). Iterate over them, or convert
        them to an array of numpy, table.export(8).array(), or to text:
        table.export(8).lines("csv").

        where: "win", "draw" or "loss", for the player to move; or "quiet": the game is not over,
        and no stone of either player would complete a group. canonical: one of each class of
        symmetric positions. `plybase export` writes the same rows. Raises ValueError for an unknown
        word or ply; the iteration raises CorruptTable, NotATable for a strategy, or OutOfMemory.
        Ctrl-C ends it.
        """
        return Rows(self, make_options(self.info, ply, where, canonical))

    def sample(
        self,
        count: int,
        seed: int = 1,
        *,
        ply: Union[None, int, range] = None,
        where: Optional[str] = None,
        canonical: bool = False,
    ) -> Rows:
        """A random sample of `count` rows of export, exactly uniform and with repetition. The same
        seed gives the same rows on every machine, also with `plybase export --sample`; a longer
        sample begins with the shorter one. Raises as export does; the iteration also raises
        ValueError if no position of the plies has the value, or if none of 131,072 positions drawn
        for one row was wanted."""
        count, seed = operator.index(count), operator.index(seed)
        if not 1 <= count < 1 << 64 or not 0 <= seed < 1 << 64:
            raise ValueError(
                f"count is 1 to 2**64 - 1 and seed 0 to 2**64 - 1, not {count} and {seed}"
            )
        options = make_options(self.info, ply, where, canonical)
        options.samples, options.seed = count, seed
        return Rows(self, options)

    # ---- the rules ----

    def state(self, position: Optional[Position] = None, *, moves: Optional[str] = None) -> State:
        """The state of the game. Raises as probe_wdl does."""
        x, o = self.bitboards(position, moves=moves)
        state = binding.State()
        self._call("plb_find_state", x, o, byref(state))
        return state_of(state)

    def to_move(self, position: Optional[Position] = None, *, moves: Optional[str] = None) -> str:
        """The player to move, "x" or "o"; if the game is over, the one who would be to move."""
        return self.state(position, moves=moves).to_move

    def is_over(self, position: Optional[Position] = None, *, moves: Optional[str] = None) -> bool:
        """Is a group complete, or the board full?"""
        return self.state(position, moves=moves).over

    def winner(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> Optional[str]:
        """The winner, "x" or "o"; None for a draw, or if the game is not over."""
        return self.state(position, moves=moves).winner

    def push(self, position: Position, move: Union[Move, str]) -> Bitboards:
        """The position after a legal move, or after several in the notation of moves. Raises
        IllegalMove, MalformedPosition, or as probe_wdl does."""
        before = self.bitboards(position)
        x, o = c_uint64(before[0]), c_uint64(before[1])
        if isinstance(move, Move) and (move.column | move.row | (move.number or 0)) >> 31:
            size = f"{self.info.width}x{self.info.height}"  # ctypes would drop bits silently
            raise IllegalMove(f"{move} lies beyond the {size} board", -26)
        if isinstance(move, Move):
            played = binding.Move(column=move.column, row=move.row, number=move.number or 0)
            self._call("plb_play", byref(played), byref(x), byref(o))
        else:
            text = encode_text(move, "a move is a Move or a str such as '4'")
            self._call("plb_play_text", text, byref(x), byref(o))
        return x.value, o.value

    # ---- moves ----

    def moves(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> List[Move]:
        """All legal moves, best first: wins, draws, losses; if the table has distances, wins from
        fast to slow and losses from slow to fast; equal moves by column, then by row. [] if the
        game is over. Raises as probe_wdl does."""
        x, o = self.bitboards(position, moves=moves)
        found, count = (binding.Move * binding.MAX_MOVES)(), c_int()
        self._call("plb_moves", x, o, found, byref(count))
        return [move_of(move) for move in found[: count.value]]

    def best_moves(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> List[Move]:
        """The best moves, in the order of `moves`; [] if the game is over. Raises as probe_wdl
        does.

        With distances in the table: the fastest wins, or all draws, or the slowest losses. Without
        distances: all moves that keep the value; find_best(...).moves also keep the distance.
        """
        found = self.moves(position, moves=moves)
        return [move for move in found if (move.value, move.dtm) == (found[0].value, found[0].dtm)]

    def annotate(self, moves: str, position: Optional[Position] = None) -> List[Annotation]:
        """The value of each move of a game, and what it cost. The game begins with the empty board,
        or with a position; it need not be over. Raises as probe_wdl does."""
        x, o = (0, 0) if position is None else self.bitboards(position)
        text = encode_text(moves, "moves are a str such as '4453'")
        line = binding.Line()
        self._call("plb_read_moves", text, x, o, byref(line))
        found = (binding.Annotation * max(line.count, 1))()
        self._call("plb_annotate", x, o, byref(line), found)
        return [annotation_of(found[m]) for m in range(line.count)]

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

        With distances in the table, and for a draw, it is as fast as best_moves. Otherwise a search
        finds the distance; this is fast near the end of the game, and may take long near its
        beginning. The search stops after `nodes` positions or after `seconds`; then the result is
        not `exact`: `least` and `most` are proven bounds, and the value is known. Its cache has
        memory_bytes, 64 MiB by default. Ctrl-C, or an exception of a signal handler, ends it.
        Raises as probe_wdl does.
        """
        x, o = self.bitboards(position, moves=moves)
        best = binding.Best()
        limits = search.make_limits(nodes, seconds, memory_bytes)
        self._search("plb_find_best", x, o, limits, best)
        return best_of(best)

    def find_resistance(
        self,
        position: Optional[Position] = None,
        *,
        moves: Optional[str] = None,
        plies: int = 1,
        nodes: Optional[int] = None,
        seconds: Optional[float] = None,
        memory_bytes: Optional[int] = None,
    ) -> Resistance:
        """find_best, and how likely the opponent is to err after each of the best moves: the move
        after which most of his replies cost him a win or a draw comes first. Distances have no
        effect.

        plies: the look-ahead, an odd number up to 15. 1 is as fast as moves; without gravity 3 may
        take seconds. The limits are those of find_best, for both together. Raises as probe_wdl
        does, ValueError for another number of plies, and SearchStopped for a strategy, which does
        not have the values of all replies.
        """
        x, o = self.bitboards(position, moves=moves)
        plies = operator.index(plies)
        if plies not in range(1, 16, 2):
            raise ValueError(f"plies are an odd number from 1 to 15, not {plies}")
        found = binding.Resistance(plies=plies)
        limits = search.make_limits(nodes, seconds, memory_bytes)
        self._search("plb_find_resistance", x, o, limits, found, is_long=plies > 1)
        return resistance_of(found)

    def mainline(
        self,
        position: Optional[Position] = None,
        *,
        moves: Optional[str] = None,
        nodes: Optional[int] = None,
        seconds: Optional[float] = None,
        memory_bytes: Optional[int] = None,
    ) -> List[Move]:
        """One optimal line to the end of the game: each player plays the first of his best moves.
        The winner wins as fast as possible, the loser loses as slowly.

        With distances in the table it is fast, otherwise a search finds it, as in find_best. The
        limits are those of find_best, for the whole line. Raises as probe_wdl does, and
        SearchStopped if a limit was reached before the line was found.
        """
        x, o = self.bitboards(position, moves=moves)
        line = binding.Line()
        limits = search.make_limits(nodes, seconds, memory_bytes)
        self._search("plb_find_line", x, o, limits, line)
        return [move_of(move) for move in line.moves[: line.count]]

    # ---- calls of the library ----

    def _call(self, name: str, *arguments: Any) -> None:
        """Call a function of the library with this table, the arguments and a message."""
        why = binding.Message()
        with self._handle as table:
            error = getattr(self._library, name)(table, *arguments, byref(why))
        binding.check(error, why)

    def _search(
        self, name: str, x: int, o: int, limits: binding.Limits, found: Any, is_long: bool = False
    ) -> None:
        """The same for a function that may search. A signal ends the search."""
        function, why = getattr(self._library, name), binding.Message()
        with self._handle as table:

            def find() -> int:
                return int(function(table, x, o, byref(limits), byref(found), byref(why)))

            is_quick = self.info.values == "dtm" and not is_long
            error = find() if is_quick else search.run_search(find, limits)
        binding.check(error, why)
