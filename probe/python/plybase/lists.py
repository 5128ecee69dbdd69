# SPDX-License-Identifier: MIT
"""Lists of positions of other programs. The library reads each line."""
import os
import warnings
from ctypes import byref, c_char_p, c_size_t, string_at
from typing import Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import binding
from .errors import NotATable, PositionError
from .positions import encode_text
from .table import Table

FORMATS = ("plybase", "pons", "columns0", "board", "uci")


class ListLine(NamedTuple):
    """A line of a list. It can be passed as a position to a table."""

    x: int
    o: int
    text: str  # the position as it is written in the list
    columns: Tuple[str, ...]  # the columns after it
    difference: Optional[str] = None  # why a column does not agree with the table


def read_list(
    source: Union[str, "os.PathLike[str]", Iterable[str]],
    table: Table,
    *,
    input: Optional[str] = None,
    moves: bool = False,
    expect: Optional[int] = None,
) -> Iterator[ListLine]:
    """Read the positions of a list, one per line, with the columns after each.

    source: a path; or the text itself, with at least one line end; or lines, such as an open file.
    input: the format, as for the option --input of the command: "plybase" (positions as everywhere
    else; with moves=True they are moves), "pons" (moves and a score), "columns0" (moves by columns
    from 0), "board" (the cells of the rows from the top) or "uci" (the cells of the columns from
    the bottom). None: the format is guessed from the first line; a warning names it if it is not
    plybase.

        for line in plybase.read_list("Test_L1_R1", table, input="pons"):
            print(table.probe_wdl(line), line.columns)

    expect: compare this column (2 is the one after the position) with the table, as the option
    --expect does; if it does not agree, the line has a `difference`.

    An empty line is the empty board if positions are moves, else it is refused. Raises ValueError
    for an unknown input, or an expect that is not from 2 to 99; NotATable for an expect with a
    strategy; and a PositionError for the first line that is refused, whose `index` is the number of
    the line, from 0 on; its message counts lines from 1.
    """
    if input is not None and input not in FORMATS:
        raise ValueError(f"input is one of {', '.join(FORMATS)}, not {input!r}")
    if expect is not None and not 2 <= expect <= 99:
        raise ValueError(f"expect is a column from 2 to 99, not {expect!r}")
    if expect is not None and table.info.player:
        raise NotATable("a strategy knows bounds, not values: expect needs a table")
    if isinstance(source, str) and "\n" in source:
        lines = source.split("\n")
        source = lines if lines[-1] else lines[:-1]
    elif isinstance(source, (str, os.PathLike)):
        source = _lines_of(source)
    return _read_lines(source, table, input, moves, expect)


def _lines_of(path: Union[str, "os.PathLike[str]"]) -> Iterator[str]:
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
        yield from file


def _read_lines(
    lines: Iterable[str], table: Table, input: Optional[str], moves: bool, expect: Optional[int]
) -> Iterator[ListLine]:
    size = table.info.width, table.info.height
    library = binding.shared_library()
    for index, line in enumerate(lines):
        try:
            text = encode_text(line, "a line of a list is a str").rstrip(b"\r\n")
            if input is None and text:
                guess = library.plb_guess_list_format(text, *size, moves)
                input = guess.decode() if guess else "plybase"
                if input != "plybase":
                    warnings.warn(f"the list is read as with input={input!r}, which its first line "
                                  "looks like", stacklevel=2)
            read, why = binding.ListLine(), binding.Message()
            name = (input or "plybase").encode()
            error = library.plb_read_list_line(name, *size, text, byref(read), byref(why))
            binding.check(error, why)
            position = read.position.decode("utf-8", "replace")
            by_moves = library.plb_list_has_moves(name, moves)
            x, o = table.bitboards(moves=position) if by_moves else table.bitboards(position)
            agrees = 1
            if expect is not None:
                value, dtm, _ = table.probe((x, o))
                ply = bin(o if table.info.largest_number else x | o).count("1")
                known = binding.ListKnown(
                    value, binding.NO_DTM if dtm is None else dtm, ply, table.info.cells)
                agrees = library.plb_list_agrees(name, text, read.rest, expect, byref(known), byref(why))
        except PositionError as refusal:
            raise refusal.at(index, f"line {index + 1}") from None
        given = text[read.begin : read.end].decode("utf-8", "replace")
        difference = None if agrees > 0 else str(why)
        yield ListLine(x, o, given, tuple(_columns(text, read.rest)), difference)


def _columns(text: bytes, rest: int) -> List[str]:
    library, length = binding.shared_library(), c_size_t()
    line = c_char_p(text)
    columns: List[str] = []
    while True:
        at = library.plb_list_column(line, rest, 2 + len(columns), byref(length))
        if not at:
            return columns
        columns.append(string_at(at, length.value).decode("utf-8", "replace"))
