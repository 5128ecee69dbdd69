# SPDX-License-Identifier: MIT
"""Converts arguments to positions: one, or an array of them. It does not depend on a board."""
import operator
from array import array
from typing import Any, Dict, Iterable, Iterator, Optional, Tuple, Union

from .errors import MalformedPosition

Bitboards = Tuple[int, int]

# A board as text, a pair (x, o), or an object with x and o: a position of Table.positions, or a
# record of numpy such as a row of an export.
Position = Union[str, Bitboards, Any]

WORDS = "QqLl"  # formats of buffers of 8-byte numbers


def encode_text(text: object, what: str) -> bytes:
    """Encode text for the library, whose strings end with a zero. what: for the error message."""
    if not isinstance(text, str):
        raise TypeError(f"{what}, not {text!r:.80}")
    if "\0" in text:
        raise MalformedPosition(f"{text!r} is not a position: it holds a zero byte", -20)
    return text.encode("utf-8", "replace")


def _pair(position: Any) -> Any:
    """The two members that should be bitboards."""
    names = getattr(getattr(position, "dtype", None), "names", None) or ()
    if "x" in names and "o" in names:
        return position["x"], position["o"]
    if hasattr(position, "x") and hasattr(position, "o"):
        return position.x, position.o
    if isinstance(position, (tuple, list)) and len(position) == 2:
        return position
    raise TypeError(f"a position is a board as str or a pair (x, o), not {position!r}")


def pair_of_numbers(position: object) -> Bitboards:
    """Convert to Python integers, also from integers of numpy."""
    x, o = _pair(position)
    try:
        return operator.index(x), operator.index(o)
    except TypeError:
        raise TypeError(
            f"bitboards are integers, not {type(x).__name__} and {type(o).__name__}: {position!r}"
        ) from None


def each_of(
    positions: Optional[Iterable[Position]], moves: Optional[Iterable[str]]
) -> Iterator[Dict[str, Any]]:
    """Each position of one of the two lists, as keyword arguments for a method of one position."""
    if (positions is None) == (moves is None):
        raise TypeError("positions, or moves=..., or x=... and o=... are needed")
    if isinstance(positions, str) or isinstance(moves, str):
        raise TypeError("many positions are a list of texts, not one text")
    if positions is not None:
        return ({"position": one} for one in positions)
    return ({"moves": one} for one in moves or ())


def word_array(name: str, numbers: Any) -> "array[int]":
    """Copy a buffer of 8-byte integers: an array of numpy or of Python, or a memoryview."""
    try:
        view = memoryview(numbers)
    except TypeError:
        raise TypeError(
            f"{name} is an array of 8-byte integers, not {type(numbers).__name__}: "
            "a list of positions is given without x= and o="
        ) from None
    if view.ndim != 1 or view.itemsize != 8 or view.format.lstrip("@=<") not in WORDS:
        raise TypeError(
            f"{name} is an array of one dimension of 8-byte integers, such as array('Q') or "
            f"numpy.uint64, not one of {view.ndim} of format {view.format!r}"
        )
    words = array("Q")
    words.frombytes(view.tobytes())
    return words
