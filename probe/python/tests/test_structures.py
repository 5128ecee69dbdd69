# SPDX-License-Identifier: MIT
"""What the package repeats of the library's interface: as tests/test_abi.c pins it."""
import ctypes
import inspect
import re
import typing
import unittest
from pathlib import Path

import plybase
from plybase import errors, library

PINNED = Path(__file__).resolve().parents[3] / "tests" / "test_abi.c"
STRUCTURES = {
    "plb_answer": library.Answer,
    "plb_best": library.Best,
    "plb_bounds": library.Bounds,
    "plb_limits": library.Limits,
    "plb_message": library.Message,
    "plb_move": library.Move,
    "plb_ply_stats": library.Stats,
    "plb_query": library.Query,
    "plb_table_info": library.Info,
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
            self.assertEqual(ctypes.sizeof(types[name]), eval(size), name)
        self.assertEqual({name for name, _ in sizes}, {*types} - {"plb_table_info"})

    def test_offsets(self):
        places = re.findall(r"^PLACE\((\w+), (\w+), (\d+)\);", self.text, re.MULTILINE)
        for name, field, offset in places:
            place = getattr(STRUCTURES[name], field).offset
            self.assertEqual(place, int(offset), f"{name}.{field}")
        self.assertEqual({name for name, _, _ in places}, {*STRUCTURES} - {"plb_message"})

    def test_every_field_has_its_place(self):
        """Two fields that changed places would otherwise pass where their sizes are equal."""
        pinned = set(re.findall(r"^PLACE\((\w+), (\w+), \d+\);", self.text, re.MULTILINE))
        for name, structure in STRUCTURES.items():
            fields = {(name, field) for field, _ in structure._fields_ if field != "reserved"}
            self.assertLessEqual(fields - {("plb_message", "text")}, pinned)

    def test_refusals_and_stops_have_classes(self):
        numbers = [int(n) for n in re.findall(r"\{PLB_\w+, (-?\d+)\}", self.text)]
        self.assertIn(-27, numbers)
        for number in numbers:
            if number <= -20:
                self.assertIn(number, errors._CLASSES)


class Hints(unittest.TestCase):
    def test_all_that_is_public_is_typed(self):
        functions = [plybase.open]
        for name in plybase.__all__:
            thing = getattr(plybase, name)
            if inspect.isclass(thing):
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
