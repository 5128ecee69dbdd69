# SPDX-License-Identifier: MIT
"""The library's handle of a table, which several threads may use while another closes it.

A list works as a reference count of running uses, because its operations are atomic without a lock.
After closing, every new use raises ValueError; the table is freed when the last running use ends.
"""
from ctypes import c_void_p
from typing import Callable, List


class Handle:
    """Use it as `with handle as table: ...`."""

    __slots__ = ("_free", "_open", "_retired", "_users")

    def __init__(self, table: c_void_p, free: Callable[[c_void_p], None]) -> None:
        self._free = free
        self._open = [table]  # empty after closing
        self._retired: List[c_void_p] = []  # closed, but not freed yet
        self._users: List[None] = []

    def __enter__(self) -> c_void_p:
        self._users.append(None)  # first, so that the table cannot be freed from here on
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
        """Close the table; may be called again."""
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
