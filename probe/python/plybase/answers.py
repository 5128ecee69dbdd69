# SPDX-License-Identifier: MIT
"""The answers of a table, as named tuples.

Fields have the names of plybase.h. JSON has the same names: `value`, `over`, `exact`, `moves`,
`nodes`, `seconds`; but there the value is a word, and `dtm`, `least` and `most` are `dtm_plies`,
`least_plies` and `most_plies`. `wdl` is an older name of `value`.
"""
from array import array
from typing import Dict, List, NamedTuple, Optional

from . import binding


class TableInfo(NamedTuple):
    """The description of a table."""

    spec: str  # canonical name of the game, such as "connect-5x5-k4-misere"
    builder: str  # name and version of the program that built it
    values: str  # "wdl", or "dtm": with distances
    compression: str  # such as "zstd-3"
    width: int
    height: int
    cells: int
    k: int  # stones of a group
    gravity: bool
    misere: bool
    cylinder: bool
    symmetries: int  # order of the symmetry group
    block_entries: int  # maximum entries of a block
    size_bytes: int  # of the file, with its shards
    positions: int  # reachable positions of all plies
    entries: int  # index entries of all plies
    goal: str  # what a player completes: "4 in a row", "a square"
    # "slabs", or "keys": its entries are the positions that are stored
    index: str  # type: ignore[assignment]  # instead of the method of tuple
    largest_number: int  # the largest number of a game of numbers; else 0
    player: Optional[str]  # of a strategy, its player, "first" or "second"; else None
    claim: Optional[str]  # what he reaches at least, "win" or "draw"
    look_ahead: int  # plies that its rules look ahead
    id: str  # 16 hexadecimal digits: a hash of the content; see plybase.h


class PlyStats(NamedTuple):
    """Reachable positions of a ply. Won and lost are for the first player."""

    total: int
    terminal: int
    won: int
    drawn: int
    lost: int


class Longest(NamedTuple):
    """A position with the greatest distance among those of its ply and value. It can be passed as a
    position to a table."""

    x: int
    o: int
    plies: int  # to the end of the game, 1 or more


class PlyDistances(NamedTuple):
    """Reachable positions of a ply by distance, for the player to move."""

    wins: Dict[int, int]  # distance (0: the game is over) to number of positions, if not 0
    losses: Dict[int, int]
    longest_win: Optional[Longest]  # None if there is none in which the game is not over
    longest_loss: Optional[Longest]


class Answer(NamedTuple):
    """The value of a position, for the player to move."""

    value: int  # 1, 0 or -1
    dtm: Optional[int]  # plies to the end of the game; None for a draw or without distances
    over: bool  # a group is complete or the board is full

    @property
    def wdl(self) -> int:
        return self.value


class AtLeast(Answer):
    """A lower bound, from a strategy: the value is this or a better one."""


class AtMost(Answer):
    """An upper bound, from a strategy: the value is this or a worse one."""


class Answers(NamedTuple):
    """The values of many positions: arrays with one entry per position, which numpy.asarray takes
    without copying."""

    value: "array[int]"  # type b (int8): 1, 0 or -1; 0 after an error
    dtm: "array[int]"  # type h (int16): plies to the end of the game, -1: no distance
    error: "array[int]"  # type b (int8): 0, or an error code of plybase.h

    @property
    def wdl(self) -> "array[int]":
        return self.value


class State(NamedTuple):
    """The state of a game, by its rules."""

    to_move: str  # "x" or "o"; if the game is over, the player who would be to move
    over: bool
    winner: Optional[str]  # "x" or "o"; None for a draw, or if the game is not over
    groups: int  # the cells of all complete groups as a bitboard; in misere play the loser's


class Cell(NamedTuple):
    """The content of a cell."""

    player: Optional[str]  # who placed it, "x" or "o"; None: the cell is empty
    text: str  # to be shown: "x", "o", a number; "" if the cell is empty


class Listed(NamedTuple):
    """A position of a ply, with its value. It can be passed as a position to a table."""

    x: int
    o: int
    value: int  # 1, 0 or -1
    dtm: Optional[int]  # plies to the end of the game; None as in an Answer

    @property
    def wdl(self) -> int:
        return self.value


class Row(NamedTuple):
    """A position of an export, with its value. It can be passed as a position to a table."""

    x: int
    o: int
    ply: int
    value: int  # 1, 0 or -1
    dtm: Optional[int]  # plies to the end of the game; None as in an Answer
    best: int  # the cells of the best moves as a bitboard; 0 if the game is over


class Move(NamedTuple):
    """A legal move with its value, for the player who makes it. str() is its notation."""

    text: str  # "4" with gravity, else "b3", in games of numbers "5@b3"
    column: int  # from 0
    row: int  # from 0, the bottom one
    value: int  # 1, 0 or -1
    dtm: Optional[int]  # plies to the end of the game after the move; None as in an Answer
    number: Optional[int] = None  # the number that is placed, in games of numbers

    @property
    def wdl(self) -> int:
        return self.value

    def __str__(self) -> str:
        return self.text


class Annotation(NamedTuple):
    """A move of a game, and its value. It can be passed as a position to a table: the position
    after the move."""

    ply: int  # of the position after the move
    player: str  # "x" or "o": who made it
    move: Move  # with its value and distance
    before: Answer  # of the position before the move
    best: List[Move]  # the best moves there
    mistake: bool  # the move has a lower value than the best moves
    # By how many plies the win comes later, or the loss earlier, than after a best move; 0 for a
    # mistake, or if distances are not known.
    plies_lost: int
    x: int
    o: int

    @property
    def value(self) -> int:
        """The value of the move, for the player who makes it: 1, 0 or -1."""
        return self.move.value

    @property
    def dtm(self) -> Optional[int]:
        """Plies to the end of the game after the move; None as in an Answer."""
        return self.move.dtm


class Best(NamedTuple):
    """Value, distance and best moves of a position, and the cost of finding them."""

    value: int  # 1, 0 or -1
    least: Optional[int]  # lower bound of the plies to the end of the game; None for a draw
    most: Optional[int]  # upper bound; equal to least if the distance is known
    exact: bool  # distance and moves are known; else a limit was reached
    moves: List[Move]  # exact: all that keep value and distance; else the most promising ones
    nodes: int  # positions searched; 0 if no search was needed
    seconds: float  # time of the search

    @property
    def dtm(self) -> Optional[int]:
        """Plies to the end of the game; None for a draw, or if the bounds differ."""
        return self.least if self.least == self.most else None

    @property
    def over(self) -> bool:
        """A group is complete or the board is full."""
        return not self.moves


class Replies(NamedTuple):
    """The opponent's replies to a best move."""

    # his legal moves
    count: int  # type: ignore[assignment]  # instead of the method of tuple
    worse: int  # those that cost him a win or a draw
    share: float  # probability that a random move within the plies does so, 0 to 1


class Resistance(NamedTuple):
    """The best moves; those after which mistakes of the opponent are most likely come first.
    plybase.h has the formula."""

    best: Best
    plies: int  # look-ahead; fewer than wanted if a limit was reached
    replies: List[Replies]  # to each of best.moves; [] if best is not exact


def distance(dtm: int) -> Optional[int]:
    return None if dtm == binding.NO_DTM else dtm


def longest_of(longest: binding.Longest) -> Optional[Longest]:
    if longest.plies == binding.NO_DTM:
        return None
    return Longest(longest.x, longest.o, longest.plies)


def distances_of(ply: binding.Distances) -> PlyDistances:
    wins, losses = (
        {plies: count for plies, count in enumerate(counts) if count}
        for counts in (ply.wins, ply.losses)
    )
    return PlyDistances(wins, losses, longest_of(ply.longest_win), longest_of(ply.longest_loss))


_KINDS = {0: Answer, 1: AtLeast, -1: AtMost}


def answer_of(answer: binding.Answer) -> Answer:
    kind = _KINDS[answer.bound]
    return kind(answer.value, distance(answer.dtm), answer.over)


def state_of(state: binding.State) -> State:
    winner = state.winner.decode().strip("\0") or None
    return State(state.to_move.decode(), state.over, winner, state.groups)


def cell_of(cell: binding.Cell) -> Cell:
    return Cell(cell.player.decode().strip("\0") or None, cell.text.decode())


def move_of(move: binding.Move) -> Move:
    number = move.number or None
    return Move(move.text.decode(), move.column, move.row, move.value, distance(move.dtm), number)


def annotation_of(a: binding.Annotation) -> Annotation:
    best = [move_of(move) for move in a.before.moves[: a.before.best]]
    return Annotation(a.ply, a.player.decode(), move_of(a.move), answer_of(a.before.answer), best,
                      a.mistake, a.plies_lost, a.x, a.o)


def best_of(best: binding.Best) -> Best:
    bounds, moves = best.bounds, [move_of(move) for move in best.moves[: best.count]]
    least, most = (bounds.least, bounds.most) if best.value else (None, None)
    return Best(best.value, least, most, best.exact, moves, bounds.nodes, bounds.seconds)


def resistance_of(found: binding.Resistance) -> Resistance:
    replies = found.replies[: found.best.count if found.plies else 0]
    told = [Replies(reply.count, reply.worse, reply.share) for reply in replies]
    return Resistance(best_of(found.best), found.plies, told)
