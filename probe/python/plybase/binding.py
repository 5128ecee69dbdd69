# SPDX-License-Identifier: MIT
"""Finds libplybase, and declares its structures and functions for ctypes.

The structures mirror plybase.h field by field and must change with it.
"""
import ctypes
import ctypes.util
import functools
import os
import shutil
from ctypes import (
    CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int8, c_int16,
    c_size_t, c_uint, c_uint8, c_uint64, c_void_p,
)
from pathlib import Path
from typing import Iterator, Optional

from .errors import LibraryNotFound, error_of

NAME = "libplybase.so.1"
NO_DTM = -1
ARGUMENT = -1  # PLB_EARGUMENT
NOT_FOUND = -4  # PLB_ENOTFOUND
UNKNOWN = -27  # PLB_EUNKNOWN
MAX_CELLS = 64
MAX_MOVES = 128
BOARD_TEXT = 192
PICTURE_WORDS = 96
PICTURE_SVG = 1 << 15


class Message(Structure):
    _fields_ = [("text", c_char * 320)]

    def __str__(self) -> str:
        return str(self.text.decode("utf-8", "replace"))


class Info(Structure):
    _fields_ = [
        ("spec", c_char_p), ("builder", c_char_p), ("values", c_char_p), ("compression", c_char_p),
        ("width", c_int), ("height", c_int), ("cells", c_int), ("k", c_int), ("gravity", c_bool),
        ("misere", c_bool), ("cylinder", c_bool), ("symmetries", c_int), ("block_entries", c_int),
        ("size_bytes", c_uint64), ("positions", c_uint64), ("entries", c_uint64),
        ("goal", c_char_p), ("index", c_char_p), ("largest_number", c_int), ("player", c_char_p),
        ("claim", c_char_p), ("look_ahead", c_int), ("id", c_char_p),
    ]


class Stats(Structure):
    _fields_ = [
        ("total", c_uint64), ("terminal", c_uint64), ("won", c_uint64), ("drawn", c_uint64),
        ("lost", c_uint64), ("reserved", c_uint64 * 3),
    ]


class Longest(Structure):
    _fields_ = [("plies", c_int), ("reserved", c_char * 4), ("x", c_uint64), ("o", c_uint64)]


class Distances(Structure):
    _fields_ = [
        ("wins", c_uint64 * (MAX_CELLS + 1)), ("losses", c_uint64 * (MAX_CELLS + 1)),
        ("longest_win", Longest), ("longest_loss", Longest), ("reserved", c_uint64 * 8),
    ]


class Answer(Structure):
    _fields_ = [
        ("value", c_int), ("dtm", c_int), ("over", c_bool), ("bound", c_int8),
        ("reserved", c_char * 6),
    ]


class Move(Structure):
    _fields_ = [
        ("column", c_int), ("row", c_int), ("value", c_int), ("dtm", c_int), ("text", c_char * 16),
        ("number", c_int), ("reserved", c_char * 4),
    ]


class Analysis(Structure):
    _fields_ = [("answer", Answer), ("count", c_int), ("best", c_int), ("moves", Move * MAX_MOVES)]


class Cell(Structure):
    _fields_ = [("player", c_char), ("text", c_char * 7)]


class Line(Structure):
    _fields_ = [("count", c_int), ("moves", Move * MAX_CELLS)]


class Columns(Structure):
    _fields_ = [
        ("x", POINTER(c_uint64)), ("o", POINTER(c_uint64)), ("values", POINTER(c_int8)),
        ("dtms", POINTER(c_int16)), ("errors", POINTER(c_int8)), ("threads", c_int),
        ("reserved", c_char * 4), ("bounds", POINTER(c_int8)), ("reserved_word", c_uint64),
    ]


class State(Structure):
    _fields_ = [
        ("to_move", c_char), ("winner", c_char), ("over", c_bool), ("ply", c_uint8),
        ("reserved", c_char * 4), ("groups", c_uint64),
    ]


class Listing(Structure):
    _fields_ = [
        ("ply", c_int), ("done", c_bool), ("reserved", c_char * 3), ("slab", c_uint64),
        ("element", c_uint64), ("rank", c_uint64),
    ]


class Bounds(Structure):
    _fields_ = [
        ("least", c_int), ("most", c_int), ("nodes", c_uint64), ("seconds", c_double),
        ("reserved", c_uint64),
    ]


Report = CFUNCTYPE(c_bool, c_void_p, POINTER(Bounds))


class Limits(Structure):
    _fields_ = [
        ("nodes", c_uint64), ("seconds", c_double), ("memory_bytes", c_uint64), ("report", Report),
        ("context", c_void_p), ("reserved", c_uint64 * 4),
    ]


class Best(Structure):
    _fields_ = [
        ("value", c_int), ("bounds", Bounds), ("exact", c_bool), ("reserved", c_char * 3),
        ("count", c_int), ("moves", Move * MAX_MOVES),
    ]


class Replies(Structure):
    _fields_ = [("count", c_int), ("worse", c_int), ("share", c_double), ("reserved", c_uint64 * 2)]


class Resistance(Structure):
    _fields_ = [("plies", c_int), ("best", Best), ("replies", Replies * MAX_MOVES)]


class ListLine(Structure):
    _fields_ = [
        ("position", c_char * (2 * BOARD_TEXT)), ("begin", c_size_t), ("end", c_size_t),
        ("rest", c_size_t),
    ]


class ListKnown(Structure):
    _fields_ = [("value", c_int), ("dtm", c_int), ("ply", c_int), ("cells", c_int)]


class Annotation(Structure):
    _fields_ = [
        ("move", Move), ("x", c_uint64), ("o", c_uint64), ("player", c_char), ("mistake", c_bool),
        ("ply", c_uint8), ("reserved", c_char), ("plies_lost", c_int), ("before", Analysis),
    ]


class Picture(Structure):
    _fields_ = [
        ("bare", c_bool), ("wordless", c_bool), ("reserved", c_char * 6), ("width", c_int),
        ("height", c_int), ("words", c_char * PICTURE_WORDS), ("svg", c_char * PICTURE_SVG),
    ]


class ExportOptions(Structure):
    _fields_ = [
        ("first_ply", c_int), ("end_ply", c_int), ("canonical", c_bool), ("reserved", c_char * 3),
        ("stage", c_int), ("values", c_uint), ("reserved_too", c_char * 4), ("samples", c_uint64),
        ("seed", c_uint64), ("stop", c_void_p), ("format", c_char_p), ("reserved_word", c_uint64),
    ]


class Row(Structure):
    _fields_ = [
        ("x", c_uint64), ("o", c_uint64), ("best", c_uint64), ("dtm", c_int16), ("value", c_int8),
        ("ply", c_uint8), ("reserved", c_char * 4),
    ]


_WHY = POINTER(Message)
_BITS = POINTER(c_uint64)
_FUNCTIONS = {
    "plb_version": (c_char_p, []),
    "plb_error_text": (c_char_p, [c_int]),
    "plb_open": (c_int, [c_char_p, POINTER(c_void_p), _WHY]),
    "plb_close": (None, [c_void_p]),
    "plb_info": (POINTER(Info), [c_void_p]),
    "plb_stats": (c_int, [c_void_p, c_int, POINTER(Stats)]),
    "plb_distance_stats": (c_int, [c_void_p, c_int, POINTER(Distances)]),
    "plb_probe": (c_int, [c_void_p, c_uint64, c_uint64, POINTER(Answer), _WHY]),
    "plb_probe_columns": (c_int, [c_void_p, POINTER(Columns), c_size_t]),
    "plb_moves": (c_int, [c_void_p, c_uint64, c_uint64, POINTER(Move), POINTER(c_int), _WHY]),
    "plb_find_state": (c_int, [c_void_p, c_uint64, c_uint64, POINTER(State), _WHY]),
    "plb_play": (c_int, [c_void_p, POINTER(Move), _BITS, _BITS, _WHY]),
    "plb_play_text": (c_int, [c_void_p, c_char_p, _BITS, _BITS, _WHY]),
    "plb_list_positions": (
        c_int, [c_void_p, POINTER(Listing), c_size_t, _BITS, _BITS, POINTER(c_size_t)]),
    "plb_export_open": (c_int, [c_void_p, POINTER(ExportOptions), POINTER(c_void_p), _WHY]),
    "plb_export_next": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_size_t), _WHY]),
    "plb_export_next_text": (
        c_int, [c_void_p, POINTER(c_void_p), POINTER(c_size_t), POINTER(c_size_t), _WHY]),
    "plb_export_header": (c_int, [c_void_p, c_uint64, c_char_p, POINTER(c_size_t)]),
    "plb_export_close": (None, [c_void_p]),
    "plb_find_best": (c_int, [c_void_p, c_uint64, c_uint64, POINTER(Limits), POINTER(Best), _WHY]),
    "plb_find_resistance": (
        c_int, [c_void_p, c_uint64, c_uint64, POINTER(Limits), POINTER(Resistance), _WHY]),
    "plb_find_line": (c_int, [c_void_p, c_uint64, c_uint64, POINTER(Limits), POINTER(Line), _WHY]),
    "plb_read_moves": (c_int, [c_void_p, c_char_p, c_uint64, c_uint64, POINTER(Line), _WHY]),
    "plb_annotate": (
        c_int, [c_void_p, c_uint64, c_uint64, POINTER(Line), POINTER(Annotation), _WHY]),
    "plb_parse_board": (c_int, [c_void_p, c_char_p, _BITS, _BITS, _WHY]),
    "plb_parse_moves": (c_int, [c_void_p, c_char_p, _BITS, _BITS, _WHY]),
    "plb_list_has_moves": (c_int, [c_char_p, c_bool]),
    "plb_guess_list_format": (c_char_p, [c_char_p, c_int, c_int, c_bool]),
    "plb_read_list_line": (c_int, [c_char_p, c_int, c_int, c_char_p, POINTER(ListLine), _WHY]),
    "plb_list_column": (c_void_p, [c_char_p, c_size_t, c_int, POINTER(c_size_t)]),
    "plb_list_agrees": (c_int, [c_char_p, c_char_p, c_size_t, c_int, POINTER(ListKnown), _WHY]),
    "plb_format_board": (c_int, [c_void_p, c_uint64, c_uint64, c_char_p]),
    "plb_read_cells": (c_int, [c_void_p, c_uint64, c_uint64, POINTER(Cell)]),
    "plb_draw": (c_int, [c_void_p, c_uint64, c_uint64, POINTER(Picture), _WHY]),
}


def _places() -> Iterator[Path]:
    """Where to look for the library, best first, if the system does not find it."""
    yield Path(__file__).resolve().parent / NAME
    command = shutil.which("plybase")
    prefixes = [Path.home() / ".local"]
    if command:
        folder = Path(command).resolve().parent
        yield folder / NAME  # built, but not installed
        prefixes.insert(0, folder.parent)
    for prefix in prefixes:
        for pattern in (f"lib*/{NAME}", f"lib/*/{NAME}"):  # lib64; a folder of the architecture
            yield from sorted(prefix.glob(pattern))


def _find() -> str:
    chosen = os.environ.get("PLYBASE_LIBRARY")
    if chosen:
        return chosen
    if ctypes.util.find_library("plybase") == NAME:  # another version has other structures
        return NAME
    for place in _places():
        if place.exists():
            return str(place)
    raise LibraryNotFound(
        f"{NAME} is not found, neither where the system looks, nor with the command plybase in "
        "PATH, nor in ~/.local/lib: install Plybase, or set PLYBASE_LIBRARY to the library's path"
    )


@functools.lru_cache(maxsize=None)
def shared_library() -> ctypes.CDLL:
    """libplybase.so.1, loaded once."""
    path = _find()
    try:
        found = ctypes.CDLL(path)
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(found, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as problem:
        raise LibraryNotFound(f"{path} is not a Plybase library: {problem}") from problem
    return found


def check(error: int, message: Message, path: Optional[str] = None) -> None:
    if error:
        raise error_of(error, str(message), path)


def error_text(error: int) -> str:
    return str(shared_library().plb_error_text(error).decode())


def check_code(error: int) -> None:
    """For functions that write no message."""
    if error:
        raise error_of(error, error_text(error))
