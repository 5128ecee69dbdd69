# SPDX-License-Identifier: MIT
"""Games of numbers: positions, moves with their numbers, and all positions of a ply."""
import shutil
import tempfile
import unittest
from pathlib import Path

import plybase
from support import build


class Numbers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        build("numeric-3x3", cls.folder / "t.plb", "dtm")
        cls.table = plybase.open(cls.folder / "t.plb")

    @classmethod
    def tearDownClass(cls):
        cls.table.close()
        shutil.rmtree(cls.folder)

    def test_the_first_player_wins_in_nine_plies(self):
        self.assertEqual(self.table.probe((0, 0)), plybase.Answer(1, 9, False))
        self.assertEqual(self.table.info.index, "keys")
        self.assertEqual(self.table.info.positions, 9003966)

    def test_moves_have_numbers(self):
        best = self.table.find_best(moves="5@b2,2@a1")
        self.assertEqual([str(move) for move in best.moves], ["7@c3", "9@c3"])
        self.assertEqual([(m.column, m.row, m.number) for m in best.moves], [(2, 2, 7), (2, 2, 9)])

    def test_a_move_or_its_text_is_played(self):
        before = self.table.bitboards(moves="5@b2,2@a1")
        move = self.table.moves(before)[0]
        self.assertEqual(self.table.push(before, move), self.table.push(before, str(move)))
        self.assertEqual(self.table.board(self.table.push(before, move)), ".,.,7/.,5,./2,.,.")
        with self.assertRaises(plybase.errors.IllegalMove):
            self.table.push(before, move._replace(number=5))

    def test_a_line_ends_in_a_win(self):
        position = (0, 0)
        for move in self.table.mainline((0, 0)):
            position = self.table.push(position, move)
        self.assertEqual(self.table.state(position).winner, "x")

    def test_positions_of_a_ply_are_all_and_agree(self):
        for ply, row in enumerate(self.table.stats()[:4]):
            listed = list(self.table.positions(ply))
            self.assertEqual(len(listed), row.total)
            self.assertEqual(len({(p.x, p.o) for p in listed}), row.total)
            for position in listed[::97]:
                answer = self.table.probe(position)
                self.assertEqual((answer.value, answer.dtm), (position.value, position.dtm))


if __name__ == "__main__":
    unittest.main()
