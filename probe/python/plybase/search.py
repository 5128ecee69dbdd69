# SPDX-License-Identifier: MIT
"""Calls of the library that may take long: limits of searches, and interruption by signals.

Python handles signals in the main thread, between Python instructions, so not while this thread is
in the library. Therefore such a call runs in a separate thread, and the caller waits for it; a wait
can be interrupted. The caller continues only after the call has ended, because it uses the table.
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
    """Limits for the library, in which 0 means no limit."""
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
    """Run a search with these limits (see run). Returns its error code."""
    stop = c_int()
    limits.report = binding.Report(lambda context, bounds: not stop.value)
    return run(search, stop)


def run(call: Callable[[], int], stop: c_int) -> int:
    """Run a call that ends soon after stop is set, and return its error code. An exception during
    the wait, such as KeyboardInterrupt, sets stop, and is raised again after the call has ended."""
    begun = threading.Lock()  # taken by the call, or by a caller that cancels it
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
    """Wait for the end of the call, some tenths of a second. (Not with Thread.join: if it is
    interrupted, some versions of Python consider the thread as ended.) More exceptions are ignored.
    """
    while not end.is_set():
        try:
            end.wait()
        except BaseException:
            continue
