# SPDX-License-Identifier: MIT
"""Positions in bulk, as `plybase export` writes them."""
import importlib
import operator
import struct
from ctypes import (
    addressof, byref, c_int, c_size_t, c_void_p, create_string_buffer, sizeof, string_at,
)
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, Union

from . import binding, search
from .answers import Row, TableInfo, distance

if TYPE_CHECKING:
    from .table import Table

_ROW = struct.Struct("=QQQhbB4x")  # binding.Row
_STAGES = {"quiet": 2}
_VALUES = {"loss": 1, "draw": 2, "win": 4}
_FORMATS = ("csv", "uci", "pons")
_HEADER_BYTES = 256


def make_options(
    info: TableInfo, ply: Union[None, int, range], where: Optional[str], canonical: bool
) -> binding.ExportOptions:
    if ply is None:
        plies = range(info.cells + 1)
    elif isinstance(ply, range):
        plies = ply
    else:
        plies = range(operator.index(ply), operator.index(ply) + 1)
    if not plies or plies.step != 1:
        raise ValueError(f"plies are a range with some of them, by steps of 1, not {plies}")
    if plies.start < 0 or plies.stop > info.cells + 1:
        raise ValueError(f"{info.spec} has the plies 0 to {info.cells}, not {ply}")
    options = binding.ExportOptions(plies.start, plies.stop, canonical)
    if where is not None and where not in {**_STAGES, **_VALUES}:
        raise ValueError(f"where is win, draw, loss or quiet, not {where!r}")
    options.stage = _STAGES.get(where or "", 0)
    options.values = _VALUES.get(where or "", 0)
    return options


class Rows:
    """Rows of a table. Each iteration reads them from the table, some thousands at a time."""

    def __init__(self, table: "Table", options: binding.ExportOptions) -> None:
        self._table, self._options = table, options  # the reference keeps the table open

    def __repr__(self) -> str:
        return f"<plybase.Rows of {self._table.info.spec}: to be iterated, or taken as an array() or lines()>"

    def __iter__(self) -> Iterator[Row]:
        for batch in self._batches():
            for x, o, best, dtm, value, ply in _ROW.iter_unpack(batch):
                yield Row(x, o, ply, value, distance(dtm), best)

    def array(self) -> Any:
        """All rows as an array of numpy, with the fields x, o, ply, value, dtm (-1: none) and best,
        as numpy.load reads it from a file of `plybase export -o OUT.npy`. Raises ImportError
        without numpy."""
        numpy = importlib.import_module("numpy")
        fields = {"x": "<u8", "o": "<u8", "ply": "u1", "value": "i1", "dtm": "<i2", "best": "<u8"}
        offsets = [getattr(binding.Row, name).offset for name in fields]
        rows = numpy.dtype({"names": list(fields), "formats": list(fields.values()),
                            "offsets": offsets, "itemsize": _ROW.size})
        packed = bytearray()
        for batch in self._batches():
            packed += numpy.frombuffer(batch, rows).astype(list(fields.items())).tobytes()
        return numpy.frombuffer(packed, list(fields.items()))

    def lines(self, format: str = "csv") -> Iterator[str]:
        """All rows as lines of text, with line ends, as `plybase export --format` writes them. csv
        begins with a header line; uci, lines of the UCI Connect-4 data set, is for games of stones;
        pons, moves and score, is for tables with gravity and distances. uci and pons have only some
        of the positions. Raises ValueError if a format does not suit the table."""
        if format not in _FORMATS:
            raise ValueError(f"format is csv, uci or pons, not {format!r}; array() is for numpy")
        return (line for batch in self._batches(format)
                for line in batch.decode("ascii").splitlines(keepends=True))

    def _batches(self, format: Optional[str] = None) -> Iterator[bytes]:
        """Batches of binary rows, or of text if a format is given."""
        library, stop = binding.shared_library(), c_int()
        cursor, got, size, why = c_void_p(), c_void_p(), c_size_t(), binding.Message()
        options, count = binding.ExportOptions.from_buffer_copy(self._options), c_size_t()
        options.stop = addressof(stop)
        options.format = format.encode() if format else None

        def run(call: Callable[[c_void_p], Any]) -> None:
            with self._table._handle as table:
                error = search.run(lambda: int(call(table)), stop)
            if error in (binding.ARGUMENT, binding.NOT_FOUND):
                raise ValueError(str(why))
            binding.check(error, why)

        try:
            run(lambda table: library.plb_export_open(
                table, byref(options), byref(cursor), byref(why)))
            if format:
                header = create_string_buffer(_HEADER_BYTES)
                library.plb_export_header(cursor, 0, header, byref(size))
                yield header.raw[:size.value]
            while True:
                run(lambda table: library.plb_export_next_text(
                    cursor, byref(got), byref(size), byref(count), byref(why)) if format else
                    library.plb_export_next(cursor, byref(got), byref(size), byref(why)))
                if not got.value:
                    return
                yield string_at(got.value, size.value * (1 if format else sizeof(binding.Row)))
        finally:
            library.plb_export_close(cursor)
