# SPDX-License-Identifier: MIT
"""Many tables by the names of their games."""
import os
from typing import Dict, Iterator, Mapping, Union

from .table import Table


class Tables(Mapping[str, Table]):
    """Open tables by spec: tables["connect-5x5-k4"]. Of two tables of one game the one with
    distances is taken, else the first one."""

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
        """Add an open table; from then on it is closed with the others."""
        known = self._tables.get(table.info.spec)
        if known is not None and (table.info.values != "dtm" or known.info.values == "dtm"):
            table.close()
            return
        if known is not None:
            known.close()
        self._tables[table.info.spec] = table

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
