# SPDX-License-Identifier: MIT
"""Many positions as columns: one call of the library, without Python code for each position."""
import os
from array import array
from ctypes import POINTER, byref, c_int8, c_int16, c_size_t, c_uint64, c_void_p, cast
from typing import Any, List, Optional, Tuple, Type

from . import binding
from .answers import Answers
from .errors import POSITION_CODES, error_of
from .positions import Bitboards, word_array

Columns = Tuple["array[int]", "array[int]"]
_LISTED_AT_ONCE = 4096
_NO_FAILURES = bytes(code & 255 for code in (0, binding.UNKNOWN, *POSITION_CODES))


def _pointer(numbers: "array[int]", kind: Type[Any]) -> Any:
    return cast(numbers.buffer_info()[0], POINTER(kind))


def _zeros(typecode: str, count: int) -> "array[int]":
    return array(typecode, [0]) * count


def columns_of(boards: List[Bitboards]) -> Columns:
    return array("Q", [board[0] for board in boards]), array("Q", [board[1] for board in boards])


def read_arrays(positions: object, moves: object, x: object, o: object) -> Columns:
    """Copy the arrays x and o, which are given instead of positions or moves."""
    if positions is not None or moves is not None or x is None or o is None:
        raise TypeError("arrays are given as x=... and o=..., both of them and nothing else")
    columns = word_array("x", x), word_array("o", o)
    if len(columns[0]) != len(columns[1]):
        raise ValueError(f"x has {len(columns[0])} positions and o has {len(columns[1])}")
    return columns


def probe_columns(table: c_void_p, x: "array[int]", o: "array[int]") -> Answers:
    """Answer positions in columns of equal length. If a position is refused, or a strategy does not
    answer it, its error is set; any other failure, such as a damaged table, raises an exception."""
    found = Answers(_zeros("b", len(x)), _zeros("h", len(x)), _zeros("b", len(x)))
    columns = binding.Columns(
        _pointer(x, c_uint64),
        _pointer(o, c_uint64),
        _pointer(found.value, c_int8),
        _pointer(found.dtm, c_int16),
        _pointer(found.error, c_int8),
        os.cpu_count() or 1,
    )
    binding.check_code(binding.shared_library().plb_probe_columns(table, byref(columns), len(x)))
    failures = found.error.tobytes().translate(None, _NO_FAILURES)
    if failures:
        code = failures[0] - 256
        raise error_of(code, binding.error_text(code))
    return found


def first_error(found: Answers) -> Optional[int]:
    codes = found.error.tobytes()
    index = len(codes) - len(codes.lstrip(b"\0"))
    return index if index < len(codes) else None


def list_positions(table: c_void_p, listing: binding.Listing) -> Columns:
    """The next positions of a listing; there may be none."""
    x, o, count = _zeros("Q", _LISTED_AT_ONCE), _zeros("Q", _LISTED_AT_ONCE), c_size_t()
    binding.check_code(
        binding.shared_library().plb_list_positions(
            table,
            byref(listing),
            len(x),
            _pointer(x, c_uint64),
            _pointer(o, c_uint64),
            byref(count),
        )
    )
    return x[: count.value], o[: count.value]
