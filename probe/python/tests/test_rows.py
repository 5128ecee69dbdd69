# SPDX-License-Identifier: MIT
"""Positions in bulk: the rows that the command writes, as tuples and as arrays."""
import csv
import shutil
import tempfile
import tracemalloc
import unittest
from pathlib import Path

import plybase
from support import VALUES, build, check_ctrl_c_ends, command

try:
    import numpy
except ImportError:
    numpy = None
    print("no numpy: arrays of exports are not tested")

TABLES = {"connect-4x3-k3": "dtm", "mnk-3x3-k3": "wdl", "numeric-2x2": "dtm"}
RARE = "connect-4x4-k3-cylinder"  # 8 of its 20,867 positions before ply 13 are drawn
# What is asked of the package, and of the command.
ASKED = [
    (lambda table: table.export(), []),
    (lambda table: table.export(3), ["--ply", "3"]),
    (lambda table: table.export(range(1, 4), where="loss"), ["--ply", "1-3", "--where", "loss"]),
    (lambda table: table.export(canonical=True), ["--canonical"]),
    (lambda table: table.sample(100), ["--sample", "100"]),
    (lambda table: table.sample(50, 9, ply=2), ["--sample", "50", "--seed", "9", "--ply", "2"]),
    (lambda table: table.sample(9, where="win", canonical=True),
     ["--sample", "9", "--where", "win", "--canonical"]),
]
QUIET = (lambda table: table.export(where="quiet"), ["--where", "quiet"])


def setUpModule():
    global folder
    folder = Path(tempfile.mkdtemp())
    for spec, values in TABLES.items():
        build(spec, folder / f"{spec}.plb", values)
    build(RARE, folder / f"{RARE}.plb")


def tearDownModule():
    shutil.rmtree(folder)


def every_question():
    for spec in TABLES:
        with plybase.open(folder / f"{spec}.plb") as table:
            for ask, options in ASKED + ([QUIET] if not table.info.largest_number else []):
                yield table, ask(table), options


class Rows(unittest.TestCase):
    def test_are_those_of_the_command(self):
        for table, rows, options in every_question():
            told = csv.DictReader(command("export", table.path, "-o", "-", *options).splitlines())
            told, got = list(told), list(rows)
            self.assertEqual(len(got), len(told), options)
            self.assertGreater(len(got), 0, options)
            self.assertEqual(list(rows), got)
            for row, line in zip(got, told):
                self.assertEqual((table.board(row), row.ply, row.value, row.dtm),
                                 (line["position"], int(line["ply"]), VALUES[line["value"]],
                                  int(line["dtm"]) if line["dtm"] else None))
                cells = {move.column * table.info.height + move.row
                         for move in table.best_moves(row)}
                self.assertEqual(row.best, sum(1 << cell for cell in cells))
            self.assertRegex(repr(rows), f"plybase.Rows of {table.info.spec}: .*lines")

    def test_as_text_are_the_bytes_of_the_command(self):
        written = dict.fromkeys(("csv", "uci", "pons"), 0)
        for table, rows, options in every_question():
            for form in written:
                asked = ("export", table.path, "-o", "-", "--format", form, *options)
                if form != "csv" and (table.info.largest_number or
                                      form == "pons" and not table.info.gravity):
                    with self.assertRaisesRegex(ValueError, f"the format {form} "):
                        list(rows.lines(form))
                    continue
                lines = list(rows.lines(form))
                self.assertEqual("".join(lines), command(*asked), asked)
                self.assertTrue(all(line.endswith("\n") for line in lines))
                written[form] += len(lines)
        self.assertTrue(all(written.values()), written)
        with plybase.open(folder / f"{RARE}.plb") as table:
            with self.assertRaisesRegex(ValueError, "--values dtm"):
                next(table.export().lines("pons"))
            for form in ("npy", "CSV", ""):
                with self.assertRaisesRegex(ValueError, "format is csv, uci or pons"):
                    table.export().lines(form)

    @unittest.skipUnless(numpy, "no numpy")
    def test_as_arrays_are_its_files(self):
        out = folder / "out.npy"
        for table, rows, options in every_question():
            command("export", table.path, "-o", out, "--force", *options)
            told, got = numpy.load(out), rows.array()
            self.assertEqual(got.dtype, told.dtype)
            self.assertTrue((got == told).all() and got.flags.writeable)

    @unittest.skipUnless(numpy, "no numpy")
    def test_arrays_take_the_memory_of_their_rows(self):
        with plybase.open(folder / "mnk-3x3-k3.plb") as table:
            rows = table.sample(200_000)
            tracemalloc.start()
            self.addCleanup(tracemalloc.stop)
            size = rows.array().nbytes
            self.assertLess(tracemalloc.get_traced_memory()[1], 1.5 * size)

    def test_keep_their_table(self):
        path = folder / "mnk-3x3-k3.plb"
        self.assertEqual(len(list(plybase.open(path).export())), 5478)
        rows = iter(plybase.open(path).sample(9))
        self.assertEqual(len(list(rows)), 9)

    def test_numbers_that_the_library_cannot_take(self):
        with plybase.open(folder / "mnk-3x3-k3.plb") as table:
            for ply in (1 << 32, -1 << 32, range(1 << 32, (1 << 32) + 1), range(1 << 64), 10):
                with self.assertRaisesRegex(ValueError, "mnk-3x3-k3 has the plies 0 to 9, not "):
                    table.export(ply)
            for count, seed in (((1 << 64) + 3, 1), (1 << 64, 1), (3, 1 << 64), (-1, 1)):
                with self.assertRaisesRegex(ValueError, f"not {count} and {seed}"):
                    table.sample(count, seed)
            self.assertEqual(len(next(iter(table.sample((1 << 64) - 1, (1 << 64) - 1)))), 6)
            for cell in ((1 << 32, 0), (0, -1 << 32)):
                with self.assertRaisesRegex(plybase.IllegalMove, "beyond the 3x3 board"):
                    table.push((0, 0), plybase.Move("a1", *cell, 0, None))

    def test_samples_of_nothing(self):
        with plybase.open(folder / "mnk-3x3-k3.plb") as table:
            for ply, where, says in ((0, "win", "no position of these plies is a win"),
                                     (9, "quiet", "none of 131072 random positions")):
                with self.assertRaisesRegex(ValueError, says):
                    list(table.sample(9, ply=ply, where=where))

    def test_ctrl_c_ends_a_call(self):
        # Without Ctrl-C the call would take minutes.
        check_ctrl_c_ends(
            self, folder / f"{RARE}.plb",
            "list(table.sample(16384, ply=range(13), where='draw', canonical=True))", seconds=60)

    def test_refusals(self):
        with plybase.open(folder / "numeric-2x2.plb") as table:
            for ask in (lambda: table.export(5), lambda: table.export(-1),
                        lambda: table.export(range(3, 3)), lambda: table.export(range(0, 4, 2)),
                        lambda: table.export(range(2, 9)), lambda: table.export(where="lost"),
                        lambda: table.sample(0), lambda: table.sample(1, -1),
                        lambda: list(table.export(where="quiet"))):
                with self.assertRaises(ValueError):
                    ask()
            for ply in ("1", 1.0):
                with self.assertRaises(TypeError):
                    table.export(ply)
            rows = iter(table.export())
            self.assertEqual(next(rows)[:3], (0, 0, 0))
            unread = table.export()
        with self.assertRaisesRegex(ValueError, "closed"):
            list(unread)
        rows.close()


if __name__ == "__main__":
    unittest.main()
