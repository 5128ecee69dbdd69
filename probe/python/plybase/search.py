# SPDX-License-Identifier: MIT
"""Calls of the library that may take long: the limits of searches, and how a signal ends a call.

Python handles signals in the main thread, between its own instructions, so never while that thread
is in the library. Hence such a call runs in a thread of its own while the caller waits, for a wait
can be interrupted. The call has always ended when the caller goes on: it uses the table.
"""
import operator
import threading
from ctypes import c_int
from typing import Callable, List, Optional

from . import binding

_GREATEST = (1 << 64) - 1


def _count(name: str, number: int) -> int:
    number = operator.index(number)
    if number < 1:
        raise ValueError(f"{name} is at least 1, or None, not {number}")
    return min(number, _GREATEST)


def make_limits(
    nodes: Optional[int], seconds: Optional[float], memory_bytes: Optional[int]
) -> binding.Limits:
    """Limits for the library, where 0 stands for None."""
    limits = binding.Limits()
    if nodes is not None:
        limits.nodes = _count("nodes", nodes)
    if seconds is not None:
        if not seconds > 0:
            raise ValueError(f"seconds is more than 0, or None, not {seconds}")
        limits.seconds = seconds
    if memory_bytes is not None:
        limits.memory_bytes = _count("memory_bytes", memory_bytes)
    return limits


def run_search(search: Callable[[], int], limits: binding.Limits) -> int:
    """The error code of a search with these limits, run as below."""
    stop = c_int()
    limits.report = binding.Report(lambda context, bounds: not stop.value)
    return run(search, stop)


def run(call: Callable[[], int], stop: c_int) -> int:
    """The error code of a call that ends soon when stop is not 0. An exception that ends the wait
    for it, such as KeyboardInterrupt, sets stop and goes on after the call."""
    begun = threading.Lock()  # taken by the call, or by a caller who no longer wants it
    ended = threading.Event()
    codes: List[int] = []

    def work() -> None:
        try:
            if begun.acquire(blocking=False):
                codes.append(call())
        finally:
            ended.set()

    try:
        threading.Thread(target=work, name="plybase-call").start()
        ended.wait()
    except BaseException:
        stop.value = 1
        if not begun.acquire(blocking=False):
            _wait_for(ended)
        raise
    return codes[0]


def _wait_for(end: threading.Event) -> None:
    """It comes in some tenths of a second. (Not Thread.join: some versions of Python take a thread
    for ended when that is interrupted.) A second exception would say the same as the first."""
    while not end.is_set():
        try:
            end.wait()
        except BaseException:
            continue
