# SPDX-License-Identifier: MIT
"""A board plays by the rules of its table, takes moves back, and has a picture."""
import copy
import csv
import itertools
import random
import shutil
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import plybase
from support import SEED, VALUES, build, command

CIRCLE = "{http://www.w3.org/2000/svg}circle"
SPECS = ["connect-4x3-k3-misere-cylinder", "mnk-3x3-k3", "numeric-2x2"]


def setUpModule():
    global folder
    folder = Path(tempfile.mkdtemp())
    for spec in SPECS:
        build(spec, folder / f"{spec}.plb", "dtm")


def tearDownModule():
    shutil.rmtree(folder)


def every_table():
    for spec in SPECS:
        with plybase.open(folder / f"{spec}.plb") as table:
            yield table


class Boards(unittest.TestCase):
    def test_games_there_and_back(self):
        chance = random.Random(SEED)
        for table in every_table():
            for _ in range(30):
                board, seen, played = plybase.Board(table), [], []
                while board.outcome() is None:
                    self.assertEqual(board.turn, "xo"[len(seen) % 2])
                    self.assertEqual(board.legal_moves, table.moves(moves=",".join(played)))
                    seen.append((board.x, board.o))
                    move = chance.choice(board.legal_moves)
                    board.push(move if chance.random() < 0.5 else str(move))
                    played.append(str(move))
                    self.assertEqual(table.probe(board), table.probe(moves=",".join(played)))
                self.assertEqual(board.outcome().winner, table.winner(moves=",".join(played)))
                self.assertEqual(board.legal_moves, [])
                self.assertEqual(str(board), table.board(moves=",".join(played)))
                while seen:
                    self.assertEqual(board.pop(), played.pop())
                    self.assertEqual((board.x, board.o), seen.pop())
                with self.assertRaisesRegex(IndexError, "no move was pushed"):
                    board.pop()

    def test_begins_where_it_is_told(self):
        with plybase.open(folder / "mnk-3x3-k3.plb") as table:
            for begin in ({"position": "3/1o1/x2"}, {"position": (1, 16)}, {"moves": "a1b2"},
                          {"position": plybase.Board(table, moves="a1b2")}):
                board = plybase.Board(table, **begin)
                self.assertEqual((str(board), board.turn), ("3/1o1/x2", "x"))
            self.assertEqual(repr(board), "<plybase.Board mnk-3x3-k3 3/1o1/x2>")
            with self.assertRaises(plybase.IllegalPosition):
                plybase.Board(table, "xxx/3/3")

    def test_needs_a_table(self):
        with self.assertRaisesRegex(TypeError, "needs a table, as plybase.open gives it, not 'mnk"):
            plybase.Board("mnk-3x3-k3.plb")

    def test_a_move_that_is_refused_changes_nothing(self):
        with plybase.open(folder / "mnk-3x3-k3.plb") as table:
            board = plybase.Board(table, moves="a1")
            for move in ("a1", "b2b2", "d4"):
                with self.assertRaises(plybase.PositionError):
                    board.push(move)
            self.assertEqual(str(board), "3/3/x2")
            board.push("b2c3")
            self.assertEqual((board.pop(), str(board)), ("b2c3", "3/3/x2"))

    def test_a_copy_goes_its_own_way(self):
        with plybase.open(folder / "mnk-3x3-k3.plb") as table:
            board = plybase.Board(table)
            board.push("a1")
            other = copy.copy(board)
            other.push("b2")
            board.push("c3")
            self.assertEqual((str(board), str(other)), ("2o/3/x2", "3/1o1/x2"))
            self.assertEqual((other.pop(), other.pop(), str(board)), ("b2", "a1", "2o/3/x2"))

    def test_names_of_fields(self):
        """One name in all answers, and the older one."""
        with plybase.open(folder / "mnk-3x3-k3.plb") as table:
            board = plybase.Board(table, "xx1/oo1/3")
            answers = [table.probe(board), board.legal_moves[0], table.find_best(board),
                       next(table.positions(5))]
            for answer in answers[:3]:
                self.assertEqual(answer.value, 1)
            for answer in (*answers[:2], answers[3]):
                self.assertEqual(answer.wdl, answer.value)
            self.assertEqual([answer.dtm for answer in answers[:3]], [1, 0, 1])
            for position in ("xx1/oo1/3", "xxx/oo1/3"):
                self.assertEqual(table.find_best(position).over, table.probe(position).over)


class Games(unittest.TestCase):
    """Annotations are those of the command, and of the positions before and after each move."""

    def test_as_the_command_has_them(self):
        chance = random.Random(SEED)
        for table in every_table():
            for _ in range(5):
                board = plybase.Board(table)
                while board.outcome() is None:
                    board.push(chance.choice(board.legal_moves))
                played = ",".join(move for _, move in board._before)
                rows = csv.DictReader(command("annotate", table.path, played, "--csv").splitlines())
                got = table.annotate(played)
                for a, row in itertools.zip_longest(got, rows):
                    dtms = ["" if dtm is None else str(dtm) for dtm in (a.before.dtm, a.dtm)]
                    self.assertEqual(
                        [str(a.ply), a.player, a.move.text, a.before.value, a.value, *dtms,
                         str(int(a.mistake)), str(a.plies_lost), " ".join(map(str, a.best))],
                        [row["ply"], row["player"], row["move"], VALUES[row["before"]],
                         VALUES[row["after"]], row["before_dtm"], row["after_dtm"], row["mistake"],
                         row["plies_lost"], row["best"]])
                    self.assertEqual(table.probe(a).value, -a.value)
                self.assertEqual((got[-1].x, got[-1].o), (board.x, board.o))
                half = ",".join(move.move.text for move in got[2:])
                self.assertEqual(table.annotate(half, got[1]), got[2:])

    def test_refusals(self):
        with plybase.open(folder / "mnk-3x3-k3.plb") as table:
            self.assertEqual(table.annotate(""), [])
            for moves, kind in (("a1a1", plybase.IllegalMove), ("?", plybase.MalformedPosition),
                                (None, TypeError)):
                with self.assertRaises(kind):
                    table.annotate(moves)
            with self.assertRaises(plybase.IllegalPosition):
                table.annotate("a1", (7, 0))


class Pictures(unittest.TestCase):
    """Those of the command, byte by byte; what it draws is read back by tests/commands."""

    def test_of_every_game(self):
        for table in every_table():
            board = plybase.Board(table)
            while True:
                told = [command("picture", table.path, str(board), "-o", "-", *options)
                        for options in ((), ("--bare",))]
                self.assertEqual([table.picture(board), board._repr_svg_()], told)
                stones = sum(cell.player is not None for cell in table.cells(board))
                for text in told:
                    self.assertEqual(len(list(ElementTree.fromstring(text).iter(CIRCLE))), stones)
                if board.outcome():
                    break
                board.push(board.legal_moves[-1])

    def test_refusals(self):
        with plybase.open(folder / "mnk-3x3-k3.plb") as table:
            with self.assertRaises(plybase.IllegalPosition):
                table.picture("xxx/3/3")
            board = plybase.Board(table)
        with self.assertRaisesRegex(ValueError, "closed"):
            board._repr_svg_()


if __name__ == "__main__":
    unittest.main()
