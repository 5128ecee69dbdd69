# SPDX-License-Identifier: MIT
"""A table and its answers.

A Table holds the library's handle until it is closed. The library does not change a table that is
open, so any number of threads may ask one Table at once, also while it is closed: then they get a
ValueError. A copy, also one that pickle makes in another process, opens the file again.
"""
import operator
import os
from array import array
from ctypes import byref, c_int, c_uint64, c_void_p, create_string_buffer
from typing import Any, Iterable, Iterator, List, Optional, Tuple, Type, TypeVar, Union, overload

from . import binding
from . import search
from .answers import (
    Annotation,
    Answer,
    Answers,
    Best,
    Cell,
    Listed,
    Move,
    PlyDistances,
    PlyStats,
    Resistance,
    State,
    TableInfo,
    annotation_of,
    answer_of,
    best_of,
    cell_of,
    distance,
    distances_of,
    move_of,
    resistance_of,
    state_of,
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

    # ---- ends ----

    def close(self) -> None:
        """Free the table, once no thread is in a call on it. A closed table answers nothing, but
        still has its `info` and `path`; closing it again is allowed."""
        self._handle.close()

    def __reduce__(self) -> Tuple[Type["Table"], Tuple[str]]:
        """Copies and processes open the file again, each its own table."""
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

    # ---- what it is ----

    def _read_info(self) -> TableInfo:
        with self._handle as table:
            info = self._library.plb_info(table).contents
            fields = [getattr(info, name) for name in TableInfo._fields]
        return TableInfo(*(f.decode("utf-8", "replace") if isinstance(f, bytes) else f
                           for f in fields))

    def stats(self) -> List[PlyStats]:
        """Counts of every ply; a ply is the number of stones. Raises NotATable for a strategy."""
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
        """Positions of every ply by distance. Raises MissingDistances where the table has none,
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
        """The stones (x, o) of a position. Its form is checked, not whether it can arise."""
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
        self.state((x, o))  # refuses what cannot arise
        text = create_string_buffer(binding.BOARD_TEXT)
        with self._handle as table:
            binding.check_code(self._library.plb_format_board(table, x, o, text))
        return text.value.decode()

    def cells(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> List[Cell]:
        """What stands on every cell of a position, cell column * height + row."""
        x, o = self.bitboards(position, moves=moves)
        found = (binding.Cell * binding.MAX_CELLS)()
        with self._handle as table:
            error = self._library.plb_read_cells(table, x, o, found)
        if error:
            self.state((x, o))  # which says what is wrong
        binding.check_code(error)
        return [cell_of(cell) for cell in found[: self.info.cells]]

    def picture(
        self,
        position: Optional[Position] = None,
        *,
        moves: Optional[str] = None,
        bare: bool = False,
    ) -> str:
        """A position as SVG, a document of its own: the board with the value of every move, and
        how the position stands in words; bare: without values. `plybase picture` draws the same.
        Raises as probe_wdl does."""
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
                raise  # numbers alone are no board, even if one of a row reads them
            parse_other = getattr(self._library, parsers[not as_moves])
            with self._handle as table:
                if not text or parse_other(table, text, byref(x), byref(o), None):
                    raise
            hint = ("is a board and no list of moves: leave moves= out" if as_moves
                    else "is no board, but a list of moves: did you mean moves=...?")
            raise type(refusal)(f"{text.decode()!r:.80} {hint}", refusal.code) from None
        return x.value, o.value

    def _check_bits(self, position: object) -> Bitboards:
        x, o = pair_of_numbers(position)
        if (x | o) >> 64:  # ctypes would drop those bits silently; the library sees the others
            size = f"{self.info.width}x{self.info.height}"
            raise WrongBoard(f"a stone lies beyond the {size} board", -21)
        return x, o

    # ---- answers ----

    def _probe_bits(self, x: int, o: int) -> Answer:
        answer = binding.Answer()
        self._call("plb_probe", x, o, byref(answer))
        return answer_of(answer)

    def probe(self, position: Optional[Position] = None, *, moves: Optional[str] = None) -> Answer:
        """All that the table knows of a position. Raises as probe_wdl does."""
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
        """As probe_wdl, but the default for a position that is refused, or that a strategy does
        not answer."""
        try:
            return self.probe_wdl(position, moves=moves)
        except (PositionError, SearchStopped):
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
        """Values of many positions, in their order, looked up in the order of the table.

        Takes positions, or sequences of moves, and gives a list of values; or x and o, two arrays
        of 8-byte integers (of numpy, array('Q') or a memoryview), and gives Answers, which are
        arrays too: by far the fastest. Raises as probe_wdl does where one of them is refused; the
        `index` of the exception tells which.
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
        """As probe_many, but the default in the place of every position that is refused, or that a
        strategy does not answer. Of arrays the answers have its error, and the value 0."""
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
        """Every position of a ply that can arise, once, with its value. The order is always the
        same. They are looked up as they are asked for, some thousands at a time.

        Raises ValueError where there is no such ply, NotATable for a strategy, CorruptTable or
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
        those of a ply or a range of plies, such as range(2, 5). They are iterated, taken as an
        array of numpy, table.export(8).array(), or as text: table.export(8).lines("csv").

        where: "win", "draw" or "loss", for the player to move; or "quiet": the game goes on, and no
        stone of either player would complete a group. canonical: one of each class of symmetric
        positions. `plybase export` writes the same rows. Raises ValueError for other words and
        plies; the iteration raises CorruptTable, NotATable for a strategy, or OutOfMemory. Ctrl-C
        ends it.
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
        """As many rows of export drawn at random, exactly uniform and with repetition. The same
        seed gives the same rows on any machine, those of `plybase export --sample`; a longer sample
        begins as a shorter one. Raises as export does; the iteration raises ValueError, too, where
        no position of the plies has the value, or of 131,072 drawn for one row none was wanted."""
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
        """How the game stands. Raises as probe_wdl does."""
        x, o = self.bitboards(position, moves=moves)
        state = binding.State()
        self._call("plb_find_state", x, o, byref(state))
        return state_of(state)

    def to_move(self, position: Optional[Position] = None, *, moves: Optional[str] = None) -> str:
        """The player to move, "x" or "o"; when the game is over, who would be."""
        return self.state(position, moves=moves).to_move

    def is_over(self, position: Optional[Position] = None, *, moves: Optional[str] = None) -> bool:
        """Is a group complete, or the board full?"""
        return self.state(position, moves=moves).over

    def winner(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> Optional[str]:
        """Who has won, "x" or "o"; None for a draw or while the game is not over."""
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
        """Every legal move, best first: wins, draws, losses; where the table has distances, wins
        from fast to slow and losses from slow to fast; among equals by column, then by row.
        A game that is over has none. Raises as probe_wdl does."""
        x, o = self.bitboards(position, moves=moves)
        found, count = (binding.Move * binding.MAX_MOVES)(), c_int()
        self._call("plb_moves", x, o, found, byref(count))
        return [move_of(move) for move in found[: count.value]]

    def best_moves(
        self, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> List[Move]:
        """The moves that are as good as the best one, in the order of `moves`; [] when the game is
        over. Raises as probe_wdl does.

        With distances in the table: the fastest wins, or all draws, or the slowest losses. Without:
        all that keep the value, fast and slow alike; the fast ones are find_best(...).moves.
        """
        found = self.moves(position, moves=moves)
        return [move for move in found if (move.value, move.dtm) == (found[0].value, found[0].dtm)]

    def annotate(self, moves: str, position: Optional[Position] = None) -> List[Annotation]:
        """What each move of a game was worth, and what it cost: from the empty board, or from a
        position. The game need not be over. Raises as probe_wdl does."""
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

        With distances in the table, and for a draw, that is as fast as best_moves. Otherwise a
        search finds the distance, quick near the end of the game and perhaps long near its
        beginning. It gives up after so many nodes (positions looked at) or seconds, and then the
        result is not `exact`: `least` and `most` are proven, and the value is known. It keeps what
        is proven in so many bytes of memory (64 MiB). Ctrl-C, or whatever a signal handler raises,
        ends it. Raises as probe_wdl does.
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
        """find_best, and how easily the opponent errs after each of the best moves: the one after
        which most of his replies cost him a win or a draw comes first. Distances do not count.

        plies, an odd number up to 15, is how far is looked ahead. 1 is as fast as moves; without
        gravity 3 may take seconds. The limits are those of find_best, for both together. Raises as
        probe_wdl does, ValueError for another number, and SearchStopped for a strategy, which has
        no values of all replies.
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
        """One optimal line to the end of the game: in turn the first of each player's best moves.
        The winner wins as fast as possible, the loser loses as slowly.

        With distances in the table it is there at once, otherwise it is searched for, as find_best
        does. The limits are those of find_best, together for the whole line. Raises as probe_wdl
        does, and SearchStopped when a limit was reached before the line was found.
        """
        x, o = self.bitboards(position, moves=moves)
        line = binding.Line()
        limits = search.make_limits(nodes, seconds, memory_bytes)
        self._search("plb_find_line", x, o, limits, line)
        return [move_of(move) for move in line.moves[: line.count]]

    # ---- calls of the library ----

    def _call(self, name: str, *arguments: Any) -> None:
        """Call a function with this table, the arguments and a message."""
        why = binding.Message()
        with self._handle as table:
            error = getattr(self._library, name)(table, *arguments, byref(why))
        binding.check(error, why)

    def _search(
        self, name: str, x: int, o: int, limits: binding.Limits, found: Any, is_long: bool = False
    ) -> None:
        """The same of a function that may search. While it does, a signal ends it."""
        function, why = getattr(self._library, name), binding.Message()
        with self._handle as table:

            def find() -> int:
                return int(function(table, x, o, byref(limits), byref(found), byref(why)))

            is_quick = self.info.values == "dtm" and not is_long
            error = find() if is_quick else search.run_search(find, limits)
        binding.check(error, why)
