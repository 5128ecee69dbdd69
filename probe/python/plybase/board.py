# SPDX-License-Identifier: MIT
"""A board that moves are played on. The rules are the library's; this remembers what was before."""
from html import escape
from typing import List, Optional, Tuple, Union

from .answers import Cell, Move, State
from .positions import Bitboards, Position
from .table import Table

_SIDE = 60  # of a cell in the picture
_INK = "#1d232b"
_FILL = {"x": "#7457cf", "o": "#f2b91f"}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


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

    # ---- its picture ----

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows. Complete groups have thick rims."""
        info, state = self.table.info, self.table.state(self._here)
        width, height = _SIDE * info.width, _SIDE * info.height
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 36}" '
            f'width="{width}" height="{height + 36}" fill="none" stroke="#c9ced6" '
            'font-family="sans-serif" font-size="24" text-anchor="middle">',
            f"<title>{escape(repr(self)[1:-1])}</title>",
            f'<rect width="{width}" height="{height + 36}" fill="#fff" stroke="none"/>',
        ]
        for index, cell in enumerate(self.table.cells(self._here)):
            column, row = divmod(index, info.height)
            x, y = _SIDE * column, _SIDE * (info.height - 1 - row)
            parts.append(f'<rect x="{x}" y="{y}" width="{_SIDE}" height="{_SIDE}"/>')
            if cell.player:
                in_group = state.groups >> index & 1
                parts.append(_piece(x + _SIDE // 2, y + _SIDE // 2, cell, in_group))
        names = "123456789" + _LETTERS if info.gravity else _LETTERS
        for column in range(info.width):
            parts.append(_text(_SIDE * column + _SIDE // 2, height + 26, names[column], _INK))
        return "".join([*parts, "</svg>"])


def _piece(x: int, y: int, cell: Cell, in_group: int) -> str:
    rim = 6 if in_group else 2
    style = f'fill="{_FILL[cell.player or "x"]}" stroke="{_INK}" stroke-width="{rim}"'
    circle = f'<circle cx="{x}" cy="{y}" r="22" {style}/>'
    if cell.text == cell.player:
        return circle
    return circle + _text(x, y + 9, cell.text, "#fff" if cell.player == "x" else _INK)


def _text(x: int, y: int, text: str, fill: str) -> str:
    return f'<text x="{x}" y="{y}" fill="{fill}" stroke="none">{escape(text)}</text>'
