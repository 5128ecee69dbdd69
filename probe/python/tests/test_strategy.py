# SPDX-License-Identifier: MIT
"""Strategies are asked like tables, and say where they know a bound only."""
import shutil
import subprocess
import tempfile
import unittest
from array import array
from pathlib import Path

import plybase
from support import COMMAND, build


class Strategies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        build("square-3x3", cls.folder / "t.plb")
        for player in ("first", "second"):
            subprocess.check_call(
                [COMMAND, "strategy", cls.folder / "t.plb", "--player", player,
                 "-o", cls.folder / f"{player}.plb"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_info_names_player_and_claim(self):
        with plybase.open(self.folder / "second.plb") as strategy:
            info = strategy.info
            self.assertEqual((info.values, info.player, info.claim), ("strategy", "second", "draw"))
        with plybase.open(self.folder / "t.plb") as table:
            self.assertEqual((table.info.player, table.info.claim), (None, None))

    def test_a_bound_is_told_from_a_value(self):
        with plybase.open(self.folder / "first.plb") as mine:
            self.assertIsInstance(mine.probe((0, 0)), plybase.AtLeast)
        with plybase.open(self.folder / "second.plb") as theirs:
            self.assertIsInstance(theirs.probe((0, 0)), plybase.AtMost)
            self.assertEqual(theirs.probe((0, 0)), (0, None, False))
        with plybase.open(self.folder / "t.plb") as table:
            self.assertIs(type(table.probe((0, 0))), plybase.Answer)

    def test_what_it_does_not_answer(self):
        unknown = "a2"  # x makes another move
        with plybase.open(self.folder / "first.plb") as strategy:
            with self.assertRaisesRegex(plybase.SearchStopped, "the strategy has no answer"):
                strategy.probe_wdl(moves=unknown)
            with self.assertRaisesRegex(plybase.SearchStopped, "the strategy has no answer"):
                strategy.probe_many(moves=["", unknown])
            for given, default in ((strategy.get_wdl(moves=unknown, default=7), 7),
                                   (strategy.get_dtm(moves=unknown, default=7), 7),
                                   (strategy.get_many(moves=["", unknown], default=7), [0, 7])):
                self.assertEqual(given, default)
            x, o = strategy.bitboards(moves=unknown)
            answers = strategy.get_many(x=array("Q", [0, x]), o=array("Q", [0, o]))
            self.assertEqual(answers.error.tolist(), [0, -27])
            self.assertEqual(str(plybase.Board(strategy, moves=unknown)), "3/x2/3")

    def test_it_counts_and_lists_nothing(self):
        with plybase.open(self.folder / "first.plb") as strategy:
            for ask in (strategy.stats, strategy.distance_stats, lambda: strategy.positions(2),
                        lambda: next(iter(strategy.export()))):
                with self.assertRaisesRegex(plybase.NotATable, "a strategy has no"):
                    ask()

    def test_bounds_are_no_values_of_a_list(self):
        with plybase.open(self.folder / "first.plb") as strategy:
            self.assertEqual(len(list(plybase.read_list(["b2 1"], strategy, input="pons"))), 1)
            with self.assertRaisesRegex(plybase.NotATable, "bounds, not values: expect needs a table"):
                plybase.read_list(["b2 1"], strategy, input="pons", expect=2)

    def test_tables_are_preferred(self):
        with plybase.open_tables(self.folder) as tables:  # first.plb and second.plb come first
            self.assertEqual([table.info.values for table in tables.values()], ["wdl"])


if __name__ == "__main__":
    unittest.main()
