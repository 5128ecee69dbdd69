# SPDX-License-Identifier: MIT
"""Many tables by the names of their games."""
import os
from typing import Dict, Iterator, Mapping, Union

from .table import Table


_PREFERENCE = {"dtm": 2, "wdl": 1, "strategy": 0}


class Tables(Mapping[str, Table]):
    """Open tables by spec: tables["connect-5x5-k4"]. Of those of one game a table with distances is
    preferred, then one without, then a strategy; of two of one kind the first one."""

    def __init__(self) -> None:
        self._tables: Dict[str, Table] = {}

    def add_directory(self, directory: Union[str, os.PathLike[str]]) -> int:
        """Open every table of a directory, those files that end in .plb; return how many.

        A table counts by the game that it says it is of, not by its name. Raises as open does where
        one cannot be used; NotADirectoryError or FileNotFoundError for the directory itself.
        """
        with os.scandir(directory) as entries:
            paths = sorted(e.path for e in entries if e.name.endswith(".plb") and e.is_file())
        for path in paths:
            self.add(Table(path))
        return len(paths)

    def add(self, table: Table) -> None:
        """Add an open table; from then on it is closed with the others. Of two tables of one game
        the one that is not preferred is closed at once."""
        known = self._tables.get(table.info.spec, table)
        taken = max(known, table, key=lambda one: _PREFERENCE[one.info.values])
        self._tables[table.info.spec] = taken
        for other in {known, table} - {taken}:
            other.close()

    def close(self) -> None:
        """Close all tables. There are none afterwards."""
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
