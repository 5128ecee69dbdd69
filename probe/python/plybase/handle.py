# SPDX-License-Identifier: MIT
"""The library's handle of a table, which several threads may use while another closes it.

Who uses it is counted, in a list because its operations are atomic: that takes no lock. Closing
makes every later use a ValueError; the table is freed when the last use under way has ended.
"""
from ctypes import c_void_p
from typing import Callable, List


class Handle:
    """A table until it is closed: `with handle as table: ...`."""

    __slots__ = ("_free", "_open", "_retired", "_users")

    def __init__(self, table: c_void_p, free: Callable[[c_void_p], None]) -> None:
        self._free = free
        self._open = [table]  # empty once it is closed
        self._retired: List[c_void_p] = []  # closed and not yet freed
        self._users: List[None] = []

    def __enter__(self) -> c_void_p:
        self._users.append(None)  # first, so that it cannot be freed from here on
        try:
            return self._open[0]
        except IndexError:
            self.__exit__()
            raise ValueError("the table is closed") from None

    def __exit__(self, *unused: object) -> None:
        self._users.pop()
        if self._retired and not self._users:
            self._free_retired()

    @property
    def closed(self) -> bool:
        return not self._open

    def close(self) -> None:
        """Allowed again and again."""
        try:
            self._retired.append(self._open.pop())
        except IndexError:
            return
        if not self._users:
            self._free_retired()

    def _free_retired(self) -> None:
        try:
            self._free(self._retired.pop())
        except IndexError:
            return  # another thread was first
