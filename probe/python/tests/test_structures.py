# SPDX-License-Identifier: MIT
"""What the package repeats of the library's interface: as tests/probe/test_abi.c pins it."""
import ctypes
import inspect
import pydoc
import re
import typing
import unittest
from pathlib import Path

import plybase
from plybase import binding, errors

ROOT = Path(__file__).resolve().parents[3]
PINNED = ROOT / "tests" / "probe" / "test_abi.c"
HEADER = ROOT / "tables" / "vocabulary.h"
STRUCTURES = {
    "plb_analysis": binding.Analysis,
    "plb_export_options": binding.ExportOptions,
    "plb_row": binding.Row,
    "plb_annotation": binding.Annotation,
    "plb_picture": binding.Picture,
    "plb_answer": binding.Answer,
    "plb_best": binding.Best,
    "plb_bounds": binding.Bounds,
    "plb_cell": binding.Cell,
    "plb_limits": binding.Limits,
    "plb_longest": binding.Longest,
    "plb_message": binding.Message,
    "plb_move": binding.Move,
    "plb_ply_distances": binding.Distances,
    "plb_ply_stats": binding.Stats,
    "plb_columns": binding.Columns,
    "plb_listing": binding.Listing,
    "plb_list_line": binding.ListLine,
    "plb_list_known": binding.ListKnown,
    "plb_replies": binding.Replies,
    "plb_resistance": binding.Resistance,
    "plb_state": binding.State,
    "plb_table_info": binding.Info,
}
NUMBERS = {"plb_value": ctypes.c_int}


@unittest.skipUnless(PINNED.exists(), "the package is apart from the library")
class AsPinned(unittest.TestCase):
    def setUp(self):
        self.text = PINNED.read_text()

    def test_sizes(self):
        sizes = re.findall(r"^SIZE\((\w+), ([0-9 +*]+)\);", self.text, re.MULTILINE)
        types = {**STRUCTURES, **NUMBERS}
        for name, size in sizes:
            if name not in types:
                continue  # nothing here calls a function that takes it
            self.assertEqual(ctypes.sizeof(types[name]), eval(size), name)
        self.assertLessEqual({*types} - {"plb_table_info"}, {name for name, _ in sizes})

    def test_offsets(self):
        offsets = re.findall(r"^OFFSET\((\w+), (\w+), (\d+)\);", self.text, re.MULTILINE)
        for name, field, offset in offsets:
            if name not in STRUCTURES:
                continue
            found = getattr(STRUCTURES[name], field).offset
            self.assertEqual(found, int(offset), f"{name}.{field}")
        self.assertLessEqual({*STRUCTURES} - {"plb_message"}, {name for name, _, _ in offsets})

    def test_every_field_has_its_offset(self):
        """Two fields that were exchanged would otherwise pass where their sizes are equal."""
        pinned = set(re.findall(r"^OFFSET\((\w+), (\w+), \d+\);", self.text, re.MULTILINE))
        for name, structure in STRUCTURES.items():
            fields = {(name, field) for field, _ in structure._fields_ if not field.startswith("reserved")}
            self.assertLessEqual(fields - {("plb_message", "text")}, pinned)

    def test_refusals_and_stops_have_classes(self):
        numbers = [int(n) for n in re.findall(r"\{PLB_\w+, (-?\d+)\}", self.text)]
        self.assertIn(-27, numbers)
        for number in numbers:
            if number <= -20:
                self.assertIn(number, errors._CLASSES)


@unittest.skipUnless(HEADER.exists(), "the package is apart from the library")
class Version(unittest.TestCase):
    def test_is_that_of_the_library(self):
        project = (ROOT / "CMakeLists.txt").read_text()
        self.assertIn(f"project(plybase VERSION {plybase.__version__} ", project)
        self.assertFalse(hasattr(plybase, "no_such_name"))


class Help(unittest.TestCase):
    def test_of_the_package_can_be_read(self):
        """Exceptions and tuples bring what they inherit: they have pages of their own."""
        lines = pydoc.plain(pydoc.render_doc(plybase)).splitlines()
        self.assertLess(len(lines), 500)
        for word in ("probe_wdl", "open_tables", "add_directory", "legal_moves", "plybase.errors"):
            self.assertIn(word, "\n".join(lines))


class Hints(unittest.TestCase):
    def test_all_that_is_public_is_typed(self):
        functions = [plybase.open]
        for name, thing in vars(plybase).items():
            if inspect.isclass(thing) and not name.startswith("_"):
                functions += [f for n, f in vars(thing).items()
                              if inspect.isfunction(f) and not n.startswith("_")]
        self.assertGreater(len(functions), 15)
        for function in functions:
            hints = typing.get_type_hints(function)
            parameters = set(inspect.signature(function).parameters) - {"self"}
            self.assertEqual(set(hints), parameters | {"return"}, function)
            self.assertTrue(function.__doc__, function)


if __name__ == "__main__":
    unittest.main()
