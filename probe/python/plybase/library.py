# SPDX-License-Identifier: MIT
"""Finds libplybase and says what its functions take: plybase.h, once more, for ctypes.

The structures mirror the header field by field and must change with it.
"""
import ctypes
import ctypes.util
import functools
import os
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_size_t,
    c_uint64,
    c_void_p,
)
from pathlib import Path

from .errors import LibraryNotFound, error_of

NAME = "libplybase.so.0"
NO_DTM = -1
MAX_MOVES = 64
BOARD_TEXT = 192


class Message(Structure):
    _fields_ = [("text", c_char * 320)]

    def __str__(self) -> str:
        return str(self.text.decode("utf-8", "replace"))


class Info(Structure):
    _fields_ = [
        ("spec", c_char_p),
        ("builder", c_char_p),
        ("values", c_char_p),
        ("compression", c_char_p),
        ("width", c_int),
        ("height", c_int),
        ("cells", c_int),
        ("k", c_int),
        ("gravity", c_bool),
        ("misere", c_bool),
        ("cylinder", c_bool),
        ("symmetries", c_int),
        ("block_positions", c_int),
        ("size_bytes", c_uint64),
        ("positions", c_uint64),
        ("stored", c_uint64),
    ]


class Stats(Structure):
    _fields_ = [
        ("total", c_uint64),
        ("terminal", c_uint64),
        ("won", c_uint64),
        ("drawn", c_uint64),
        ("lost", c_uint64),
        ("reserved", c_uint64 * 3),
    ]


class Answer(Structure):
    _fields_ = [("value", c_int), ("dtm", c_int), ("over", c_bool), ("reserved", c_char * 7)]


class Move(Structure):
    _fields_ = [
        ("column", c_int),
        ("row", c_int),
        ("value", c_int),
        ("dtm", c_int),
        ("text", c_char * 16),
        ("reserved", c_char * 8),
    ]


class Query(Structure):
    _fields_ = [("x", c_uint64), ("o", c_uint64), ("error", c_int), ("answer", Answer)]


class Bounds(Structure):
    _fields_ = [
        ("least", c_int),
        ("most", c_int),
        ("nodes", c_uint64),
        ("seconds", c_double),
        ("reserved", c_uint64),
    ]


Report = CFUNCTYPE(c_bool, c_void_p, POINTER(Bounds))


class Limits(Structure):
    _fields_ = [
        ("nodes", c_uint64),
        ("seconds", c_double),
        ("memory_bytes", c_uint64),
        ("report", Report),
        ("context", c_void_p),
        ("reserved", c_uint64 * 4),
    ]


class Best(Structure):
    _fields_ = [
        ("value", c_int),
        ("bounds", Bounds),
        ("exact", c_bool),
        ("reserved", c_char * 3),
        ("count", c_int),
        ("moves", Move * MAX_MOVES),
    ]


_WHY = POINTER(Message)
_BITS = POINTER(c_uint64)
_FUNCTIONS = {
    "plb_error_text": (c_char_p, [c_int]),
    "plb_open": (c_int, [c_char_p, POINTER(c_void_p), _WHY]),
    "plb_close": (None, [c_void_p]),
    "plb_info": (POINTER(Info), [c_void_p]),
    "plb_stats": (c_int, [c_void_p, c_int, POINTER(Stats)]),
    "plb_probe": (c_int, [c_void_p, c_uint64, c_uint64, POINTER(Answer), _WHY]),
    "plb_probe_many": (c_int, [c_void_p, POINTER(Query), c_size_t]),
    "plb_moves": (c_int, [c_void_p, c_uint64, c_uint64, POINTER(Move), POINTER(c_int), _WHY]),
    "plb_find_best": (
        c_int,
        [c_void_p, c_uint64, c_uint64, POINTER(Limits), POINTER(Best), _WHY],
    ),
    "plb_find_line": (
        c_int,
        [c_void_p, c_uint64, c_uint64, POINTER(Limits), POINTER(Move), POINTER(c_int), _WHY],
    ),
    "plb_parse_board": (c_int, [c_void_p, c_char_p, _BITS, _BITS, _WHY]),
    "plb_parse_moves": (c_int, [c_void_p, c_char_p, _BITS, _BITS, _WHY]),
    "plb_format_board": (c_int, [c_void_p, c_uint64, c_uint64, c_char_p]),
}


def _find() -> str:
    chosen = os.environ.get("PLYBASE_LIBRARY")
    if chosen:
        return chosen
    if ctypes.util.find_library("plybase") == NAME:  # another version has other structures
        return NAME
    beside = Path(__file__).resolve().parent / NAME
    if beside.exists():
        return str(beside)
    raise LibraryNotFound(
        f"{NAME} is not found: install Plybase, or set PLYBASE_LIBRARY to the library's path"
    )


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The library, found once."""
    path = _find()
    try:
        found = ctypes.CDLL(path)
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(found, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as problem:
        raise LibraryNotFound(f"{path} is not a Plybase library: {problem}") from problem
    return found


def check(error: int, message: Message) -> None:
    if error:
        raise error_of(error, str(message))


def error_text(error: int) -> str:
    return str(library().plb_error_text(error).decode())


def check_code(error: int) -> None:
    """For functions that write no message."""
    if error:
        raise error_of(error, error_text(error))
