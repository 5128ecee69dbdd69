# SPDX-License-Identifier: MIT
"""A board that moves are played on. The rules are the library's; this remembers what was before."""
from typing import List, Optional, Tuple, Union

from .answers import Move, State
from .positions import Bitboards, Position
from .table import Table


class Board:
    """A game as it is played: `push` plays a move, `pop` takes it back.

    It has x and o, so that a table takes it as a position: table.probe(board). Its methods raise
    ValueError when the table is closed. A copy (copy.copy) goes its own way on the same table.
    One thread at a time may use a board; boards of several threads may share a table.
    """

    def __init__(
        self, table: Table, position: Optional[Position] = None, *, moves: Optional[str] = None
    ) -> None:
        """Begins with the empty board, or with a position or moves as in Table.probe. Raises as
        Table.probe_wdl does."""
        if not isinstance(table, Table):
            raise TypeError(f"a game needs a table, as plybase.open gives it, not {table!r:.80}")
        self.table = table
        if position is None and moves is None:
            moves = ""
        self._here: Bitboards = table.bitboards(position, moves=moves)
        self._before: Tuple[Tuple[Bitboards, str], ...] = ()  # positions, and what was played there
        table.state(self._here)  # refuses what cannot arise

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
        """Play a move, or several in the notation of moves. Raises IllegalMove or
        MalformedPosition, and the board is as it was."""
        there = self.table.push(self._here, move)
        self._before += ((self._here, str(move)),)
        self._here = there

    def pop(self) -> str:
        """Take back what was pushed last; return it. Raises IndexError where nothing was."""
        if not self._before:
            raise IndexError("no move was pushed that could be taken back")
        *before, (self._here, move) = self._before
        self._before = tuple(before)
        return move

    @property
    def legal_moves(self) -> List[Move]:
        """Every legal move with its value, best first, as Table.moves."""
        return self.table.moves(self._here)

    @property
    def turn(self) -> str:
        """The player to move, "x" or "o"; when the game is over, who would be."""
        return self.table.to_move(self._here)

    def outcome(self) -> Optional[State]:
        """None while the game goes on; then how it ended: `winner` is "x", "o", or None for a
        draw."""
        state = self.table.state(self._here)
        return state if state.over else None

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows: Table.picture, without values."""
        return self.table.picture(self._here, bare=True)
