# SPDX-License-Identifier: MIT
"""Exceptions: one class for each way to handle a failure. Messages are those of the library."""
import errno
import os
from typing import Dict, Optional, Tuple, Type


class PlybaseError(Exception):
    """Any failure. `code` is an error code of plybase.h, None if the failure is not the
    library's."""

    code: Optional[int]

    def __init__(self, message: str, code: Optional[int] = None) -> None:
        super().__init__(message)
        self.code = code


class LibraryNotFound(PlybaseError, ImportError):
    """libplybase is not found, or has another version than this package needs."""


class OutOfMemory(PlybaseError, MemoryError):
    """The library could not allocate memory."""


class TableError(PlybaseError):
    """A table cannot be used."""


class _FileError(TableError, OSError):
    """A failure of the system, with errno and filename. Its text is the library's message."""

    _number: int

    def __init__(
        self, message: str, code: Optional[int] = None, filename: Optional[str] = None
    ) -> None:
        super().__init__(message, code)
        self.errno, self.strerror = self._number, os.strerror(self._number)
        self.filename = filename

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> Tuple[Type["_FileError"], Tuple[str, Optional[int], Optional[str]]]:
        return type(self), (str(self), self.code, self.filename)


class TableNotFound(_FileError, FileNotFoundError):
    """There is no such file."""

    _number = errno.ENOENT


class TablePermission(_FileError, PermissionError):
    """The file may not be read."""

    _number = errno.EACCES


class NotATable(TableError):
    """The file is something else."""


class OtherVersion(TableError):
    """A table of another format version."""


class UnfinishedTable(TableError):
    """The build of the table is running or was interrupted."""


class CorruptTable(TableError):
    """The file is cut short, or a checksum is wrong."""


class MissingDistances(PlybaseError, LookupError):
    """The table has no distances: `find_best` searches for them."""


class SearchStopped(PlybaseError):
    """A limit was reached before the search ended; or a strategy does not answer the position, or
    has no distances, which a line needs."""


class PositionError(PlybaseError, ValueError):
    """A position is refused. `index` is its place among many positions, else None."""

    index: Optional[int] = None

    def at(self, index: int, place: Optional[str] = None) -> "PositionError":
        """The same exception for a position among many. place: what the message calls it."""
        indexed = type(self)(f"{place or f'position {index}'}: {self}", self.code)
        indexed.index = index
        return indexed


class MalformedPosition(PositionError):
    """The text is neither a board nor a sequence of moves."""


class WrongBoard(PositionError):
    """A position of another board."""


class IllegalPosition(PositionError):
    """Impossible piece counts, a stone in the air, or a game that continues after its end."""


class UnreachablePosition(PositionError):
    """No sequence of moves leads to the position."""


class IllegalMove(PositionError):
    """A move off the board, on a stone, or after the end of the game."""


_CLASSES: Dict[int, Type[PlybaseError]] = {
    -2: OutOfMemory,
    -4: TableNotFound,
    -5: TablePermission,
    -7: NotATable,
    -8: OtherVersion,
    -9: UnfinishedTable,
    -10: CorruptTable,
    -20: MalformedPosition,
    -21: WrongBoard,
    -22: IllegalPosition,
    -23: IllegalPosition,
    -24: IllegalPosition,
    -25: UnreachablePosition,
    -26: IllegalMove,
    -27: SearchStopped,
}


POSITION_CODES = [code for code, kind in _CLASSES.items() if issubclass(kind, PositionError)]


def error_of(code: int, message: str, path: Optional[str] = None) -> PlybaseError:
    """The exception for an error code of the library."""
    kind: Type[PlybaseError] = _CLASSES.get(code, TableError)
    return kind(message, code, path) if issubclass(kind, _FileError) else kind(message, code)
