# SPDX-License-Identifier: MIT
"""Many positions at once: lists, arrays of Python and of numpy, and all positions of a ply."""
import ctypes
import random
import shutil
import tempfile
import unittest
from array import array
from pathlib import Path

import plybase
from support import SEED, build, random_moves

try:
    import numpy
except ImportError:
    numpy = None
    print("no numpy: its arrays and records are not tested")

SPECS = {"connect-4x4-k4": "dtm", "mnk-3x3-k3": "wdl", "connect-4x3-k3-misere-cylinder": "wdl"}


def setUpModule():
    global folder
    folder = Path(tempfile.mkdtemp())
    for spec, values in SPECS.items():
        build(spec, path_of(spec), values)


def tearDownModule():
    shutil.rmtree(folder)


def path_of(spec):
    return folder / f"{spec}.plb"


def random_positions(table, count):
    """Columns of positions that can arise, shuffled."""
    moves = random_moves(table.info, random.Random(SEED), count)
    boards = [table.bitboards(moves=m) for m in moves if table.get_wdl(moves=m) is not None]
    return array("Q", [x for x, _ in boards]), array("Q", [o for _, o in boards])


class Arrays(unittest.TestCase):
    def check(self, table, x, o, make):
        answers = [table.probe(pair) for pair in zip(x, o)]
        for found in (table.probe_many(x=make(x), o=make(o)), table.get_many(x=make(x), o=make(o))):
            self.assertIsInstance(found, plybase.Answers)
            self.assertEqual(found.value.tolist(), [answer.value for answer in answers])
            self.assertEqual(found.dtm.tolist(),
                             [-1 if answer.dtm is None else answer.dtm for answer in answers])
            self.assertEqual(set(found.error), {0})
            self.assertEqual([found.value.typecode, found.dtm.typecode, found.error.typecode],
                             ["b", "h", "b"])

    def test_as_one_by_one(self):
        makes = [lambda a: a, memoryview, lambda a: array("q", a), lambda a: array("L", a),
                 lambda a: memoryview(array("Q", [n for m in a for n in (m, 7)]))[::2],
                 lambda a: memoryview(a).toreadonly(), lambda a: (ctypes.c_uint64 * len(a))(*a)]
        for spec in SPECS:
            with self.subTest(spec), plybase.open(path_of(spec)) as table:
                x, o = random_positions(table, 500)
                for make in makes:
                    self.check(table, x, o, make)

    @unittest.skipUnless(numpy, "no numpy")
    def test_of_numpy(self):
        with plybase.open(path_of("connect-4x4-k4")) as table:
            x, o = random_positions(table, 500)
            for kind in ("u8", "i8"):
                self.check(table, x, o, lambda a: numpy.array(a, dtype=kind))
            rows = numpy.zeros(len(x), dtype=[("x", "<u8"), ("o", "<u8"), ("value", "i1")])
            rows["x"], rows["o"] = x, o
            self.check(table, x, o, lambda a: rows["x"] if a is x else rows["o"])
            found = numpy.asarray(table.probe_many(x=rows["x"], o=rows["o"]).value)
            self.assertEqual((found.dtype, len(found)), (numpy.int8, len(x)))

    @unittest.skipUnless(numpy, "no numpy")
    def test_numbers_and_records_of_numpy_are_positions(self):
        with plybase.open(path_of("connect-4x4-k4")) as table:
            x, o = random_positions(table, 50)
            rows = numpy.zeros(len(x), dtype=[("x", "<u8"), ("o", "<u8"), ("ply", "u1")])
            rows["x"], rows["o"] = x, o
            for row, pair in zip(rows, zip(x, o)):
                wdl = table.probe_wdl(pair)
                self.assertEqual(table.probe_wdl((row["x"], row["o"])), wdl)
                self.assertEqual(table.probe_wdl(row), wdl)
                self.assertEqual(table.bitboards(row), pair)
            self.assertEqual(table.probe_many(rows), table.probe_many(zip(x, o)))
            with self.assertRaisesRegex(TypeError, "bitboards are integers, not float64"):
                table.probe_wdl((numpy.float64(1), numpy.float64(0)))

    def test_a_refused_one_is_told_by_its_index(self):
        with plybase.open(path_of("connect-4x4-k4")) as table:
            x, o = array("Q", [0, 1, 1 << 40, 1]), array("Q", [0, 0, 0, 1])
            with self.assertRaisesRegex(plybase.WrongBoard, "^position 2: .* beyond") as caught:
                table.probe_many(x=x, o=o)
            self.assertEqual((caught.exception.index, caught.exception.code), (2, -21))
            self.assertEqual(table.get_many(x=x, o=o).error.tolist(), [0, 0, -21, -22])
            self.assertEqual(table.get_many(x=x, o=o).value[2:].tolist(), [0, 0])
            for many, moves in ((["4/4/4/4", "4/4/4"], None), ([(0, 0), (1, 1)], None),
                                (None, ["11", "15"])):
                with self.assertRaisesRegex(plybase.PositionError, "^position 1: ") as caught:
                    table.probe_many(many, moves=moves) if many else table.probe_many(moves=moves)
                self.assertEqual(caught.exception.index, 1)

    def test_moves(self):
        with plybase.open(path_of("connect-4x4-k4")) as table:
            lines = list(random_moves(table.info, random.Random(SEED), 300))
            one_by_one = [table.get_wdl(moves=line) for line in lines]
            self.assertEqual(table.get_many(moves=lines), one_by_one)
            good = [line for line, wdl in zip(lines, one_by_one) if wdl is not None]
            self.assertEqual(table.probe_many(moves=good),
                             [wdl for wdl in one_by_one if wdl is not None])

    def test_what_is_no_array_of_words(self):
        words = array("Q", [0])
        with plybase.open(path_of("connect-4x4-k4")) as table:
            for x, words_said in ((array("I", [0]), "of format 'I'"), (array("d", [0]), "'d'"),
                                  ([0], "not list"), (b"12345678", "'B'"),
                                  (memoryview(words).cast("B").cast("Q", (1, 1)), "one of 2")):
                with self.assertRaisesRegex(TypeError, f"^x is an array .*{words_said}"):
                    table.probe_many(x=x, o=words)
            with self.assertRaisesRegex(ValueError, "x has 1 positions and o has 2"):
                table.probe_many(x=words, o=array("Q", [0, 0]))
            for arguments in ({"x": words}, {"o": words}, {"x": words, "o": words, "moves": []},
                              {}, {"positions": [], "moves": []}, {"moves": "12"},
                              {"positions": "4/4/4/4"}):
                with self.assertRaises(TypeError):
                    table.probe_many(**arguments)

    def test_none_at_all(self):
        with plybase.open(path_of("connect-4x4-k4")) as table:
            self.assertEqual(table.probe_many(x=array("Q"), o=array("Q")).value.tolist(), [])
            self.assertEqual(table.get_many([]), [])


class Positions(unittest.TestCase):
    def test_are_those_that_moves_lead_to(self):
        for spec in SPECS:
            with self.subTest(spec), plybase.open(path_of(spec)) as table:
                known = {(0, 0)}
                for ply in range(5):
                    listed = list(table.positions(ply))
                    self.assertEqual({(p.x, p.o) for p in listed}, known)
                    self.assertEqual(len(listed), len(known))
                    known = {table.push(p, move) for p in listed for move in table.moves(p)}

    def test_have_their_values(self):
        for spec in SPECS:
            with self.subTest(spec), plybase.open(path_of(spec)) as table:
                for position in table.positions(6):
                    self.assertEqual((position.value, position.dtm), table.probe(position)[:2])

    def test_are_as_many_as_counted(self):
        with plybase.open(path_of("connect-4x4-k4")) as table:
            for ply, row in enumerate(table.stats()):
                self.assertEqual(sum(1 for _ in table.positions(ply)), row.total)

    def test_no_such_ply(self):
        with plybase.open(path_of("mnk-3x3-k3")) as table:
            for ply in (-1, 10):
                with self.assertRaisesRegex(ValueError, f"no ply {ply}: mnk-3x3-k3 has 0 to 9"):
                    table.positions(ply)
            rest = table.positions(5)
            next(rest)
        with self.assertRaisesRegex(ValueError, "closed"):
            list(table.positions(5))


if __name__ == "__main__":
    unittest.main()
