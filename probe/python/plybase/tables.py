# SPDX-License-Identifier: MIT
"""Many tables by the names of their games."""
import os
from typing import Dict, Iterator, Mapping, Union

from .table import Table


_PREFERENCE = {"dtm": 2, "wdl": 1, "strategy": 0}


class Tables(Mapping[str, Table]):
    """Open tables by spec: tables["connect-5x5-k4"]. If several are of the same game, a table with
    distances is preferred, then one without, then a strategy; of the same kind, the first one."""

    def __init__(self) -> None:
        self._tables: Dict[str, Table] = {}

    def add_directory(self, directory: Union[str, os.PathLike[str]]) -> int:
        """Open all files of a directory that end in .plb; return their number.

        The key is the game of the table, not the name of the file. Raises as open does if a table
        cannot be used; NotADirectoryError or FileNotFoundError for the directory itself.
        """
        with os.scandir(directory) as entries:
            paths = sorted(e.path for e in entries if e.name.endswith(".plb") and e.is_file())
        for path in paths:
            self.add(Table(path))
        return len(paths)

    def add(self, table: Table) -> None:
        """Add an open table, which is then closed with the others. If there is another table of the
        same game, the one that is not preferred is closed at once."""
        known = self._tables.get(table.info.spec, table)
        taken = max(known, table, key=lambda one: _PREFERENCE[one.info.values])
        self._tables[table.info.spec] = taken
        for other in {known, table} - {taken}:
            other.close()

    def close(self) -> None:
        """Close all tables, and remove them."""
        tables, self._tables = self._tables, {}
        for table in tables.values():
            table.close()

    def __getitem__(self, spec: str) -> Table:
        return self._tables[spec]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def __repr__(self) -> str:
        return f"<plybase.Tables {', '.join(self._tables) or 'empty'}>"

    def __enter__(self) -> "Tables":
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()
