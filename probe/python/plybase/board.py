# SPDX-License-Identifier: MIT
"""A board on which moves are played. The library has the rules; a Board keeps the history."""
from typing import List, Optional, Tuple, Union

from .answers import Move, State
from .positions import Bitboards, Position
from .table import Table


class Board:
    """A game: `push` plays a move, `pop` takes it back.

    It has x and o, so it can be passed as a position to a table: table.probe(board). Its methods
    raise ValueError if the table is closed. A copy (copy.copy) is independent, and uses the same
    table. One thread at a time may use a board; boards of several threads may share a table.
    """

    def __init__(
        self, table: Table, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> None:
        """Begin with the empty board, or with a position or moves as in Table.probe. Raises as
        Table.probe_wdl does."""
        if not isinstance(table, Table):
            raise TypeError(f"a game needs a table, as plybase.open gives it, not {table!r:.80}")
        self.table = table
        if position is None and moves is None:
            moves = ""
        self._here: Bitboards = table.bitboards(position, moves=moves)
        self._before: Tuple[Tuple[Bitboards, str], ...] = ()  # earlier positions and their moves
        table.state(self._here)  # refuses a position that cannot arise

    @property
    def x(self) -> int:
        return self._here[0]

    @property
    def o(self) -> int:
        return self._here[1]

    def __str__(self) -> str:
        """The board as text, such as "5/5/5/2o2/2x2"."""
        return self.table.board(self._here)

    def __repr__(self) -> str:
        return f"<plybase.Board {self.table.info.spec} {self}>"

    # ---- playing ----

    def push(self, move: Union[Move, str]) -> None:
        """Play a move, or several in the notation of moves. If it raises IllegalMove or
        MalformedPosition, the board is unchanged."""
        there = self.table.push(self._here, move)
        self._before += ((self._here, str(move)),)
        self._here = there

    def pop(self) -> str:
        """Take back the last push, and return it. Raises IndexError if there is none."""
        if not self._before:
            raise IndexError("no move was pushed that could be taken back")
        *before, (self._here, move) = self._before
        self._before = tuple(before)
        return move

    @property
    def legal_moves(self) -> List[Move]:
        """All legal moves with their values, best first: Table.moves."""
        return self.table.moves(self._here)

    @property
    def turn(self) -> str:
        """The player to move, "x" or "o"; if the game is over, the one who would be to move."""
        return self.table.to_move(self._here)

    def outcome(self) -> Optional[State]:
        """None if the game is not over; else its state: `winner` is "x", "o", or None for a
        draw."""
        state = self.table.state(self._here)
        return state if state.over else None

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows: Table.picture without values."""
        return self.table.picture(self._here, bare=True)
