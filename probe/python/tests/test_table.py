# SPDX-License-Identifier: MIT
"""The package against the command: the same answers, the same refusals in the same words."""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import plybase
from support import COMMAND, SEED, VALUES, build, random_boards, random_moves

SPECS = ["connect-4x4-k4", "connect-4x3-k3-misere-cylinder", "mnk-3x3-k3", "square-3x3"]


def setUpModule():
    global folder
    folder = Path(tempfile.mkdtemp())
    for spec in SPECS:
        build(spec, path_of(spec))


def tearDownModule():
    shutil.rmtree(folder)


def path_of(spec):
    return folder / f"{spec}.plb"


def command_answers(spec, lines, *options):
    """Per line what the command says: (value, best moves), or the message of a refusal."""
    said = subprocess.run(
        [COMMAND, "probe", path_of(spec), "-", *options],
        input="".join(f"{line}\n" for line in lines),
        stdout=subprocess.PIPE,
        text=True,
    ).stdout.splitlines()
    assert len(said) == len(lines)
    answers = []
    for line, text in zip(lines, said):
        assert text.startswith(f"{line}\t")
        kind, *rest = text[len(line) + 1 :].split("\t")
        answers.append(rest[0] if kind == "error" else (VALUES[kind], rest[1]))
    return answers


def package_answer(table, position=None, moves=None):
    """The same of the package."""
    try:
        value = table.probe_wdl(position, moves=moves)
        best = table.best_moves(position, moves=moves)
    except plybase.PositionError as refusal:
        return str(refusal)
    return value, ",".join(map(str, best)) or "-"


class AnswersAsTheCommand(unittest.TestCase):
    def compare(self, lines, answers, expected):
        for line, answer, wanted in zip(lines, answers, expected):
            self.assertEqual(answer, wanted, line)

    def test_sequences_of_moves(self):
        for spec in SPECS:
            with self.subTest(spec), plybase.open(path_of(spec)) as table:
                lines = list(random_moves(table.info, random.Random(SEED), 2000))
                answers = [package_answer(table, moves=line) for line in lines]
                self.assertGreater(len(set(answers)), 3)
                self.compare(lines, answers, command_answers(spec, lines, "--moves"))

    def test_boards(self):
        for spec in SPECS:
            with self.subTest(spec), plybase.open(path_of(spec)) as table:
                chance = random.Random(SEED)
                lines = list(random_boards(table.info, chance, 1000))
                for moves in random_moves(table.info, chance, 1000):
                    if table.get_wdl(moves=moves) is not None:
                        lines.append(table.board(moves=moves))
                answers = [package_answer(table, line) for line in lines]
                self.assertTrue(any(isinstance(answer, str) for answer in answers))
                self.assertTrue(any(isinstance(answer, tuple) for answer in answers))
                self.compare(lines, answers, command_answers(spec, lines))

    def test_many_as_one_by_one(self):
        for spec in SPECS:
            with self.subTest(spec), plybase.open(path_of(spec)) as table:
                chance = random.Random(SEED)
                boards = list(random_boards(table.info, chance, 2000)) + ["x", "1/2"]
                for moves in random_moves(table.info, chance, 2000):
                    if table.get_wdl(moves=moves) is not None:
                        boards.append(table.bitboards(moves=moves))
                one_by_one = [table.get_wdl(board, "none") for board in boards]
                self.assertEqual(table.get_many(boards, "none"), one_by_one)
                good = [board for board, value in zip(boards, one_by_one) if value != "none"]
                self.assertEqual(table.probe_many(good), [v for v in one_by_one if v != "none"])
                self.assertEqual(table.probe_many([]), [])

    def test_statistics(self):
        for spec in SPECS:
            with self.subTest(spec), plybase.open(path_of(spec)) as table:
                said = subprocess.check_output(
                    [COMMAND, "stats", path_of(spec), "--csv"], text=True
                ).splitlines()
                rows = [",".join(map(str, (ply, *row))) for ply, row in enumerate(table.stats())]
                self.assertEqual([",".join(("ply", *plybase.PlyStats._fields)), *rows], said)

    def test_info(self):
        for spec in SPECS:
            with self.subTest(spec), plybase.open(path_of(spec)) as table:
                info = table.info
                said = subprocess.check_output([COMMAND, "info", path_of(spec)], text=True)
                shown = dict(line.split(None, 1) for line in said.splitlines())
                self.assertEqual(info.spec, spec)
                self.assertEqual(shown["game"], spec)
                self.assertEqual(shown["positions"], f"{info.positions:,}")
                self.assertEqual(shown["symmetries"], str(info.symmetries))
                self.assertEqual(shown["values"], info.values)
                self.assertEqual(shown["index"], f"{info.index}, {info.entries:,} entries")
                self.assertEqual(shown["builder"], info.builder)
                self.assertEqual(
                    shown["blocks"], f"of {info.block_entries} entries, {info.compression}"
                )
                self.assertEqual(info.size_bytes, path_of(spec).stat().st_size)
                self.assertEqual(info.cells, info.width * info.height)
                self.assertEqual(info.gravity, spec.startswith("connect"))
                self.assertEqual(info.misere, "misere" in spec)
                self.assertEqual(info.cylinder, "cylinder" in spec)


class Moves(unittest.TestCase):
    def test_value_is_that_of_the_best_move_and_of_its_child(self):
        for spec in SPECS:
            with self.subTest(spec), plybase.open(path_of(spec)) as table:
                for moves in random_moves(table.info, random.Random(SEED), 300):
                    if table.get_wdl(moves=moves) is None:
                        continue
                    here = table.bitboards(moves=moves)
                    legal = table.moves(here)
                    self.assertEqual(table.probe(here).over, not legal)
                    for move in legal:
                        self.assertEqual(move.value, -table.probe_wdl(table.push(here, move)))
                    if legal:
                        self.assertEqual(table.probe_wdl(here), legal[0].value)

    def test_mainline_keeps_the_value_to_the_end(self):
        for spec in SPECS:
            with self.subTest(spec), plybase.open(path_of(spec)) as table:
                here = table.bitboards(moves="")
                value = table.probe_wdl(here)
                for move in table.mainline(here):
                    here, value = table.push(here, str(move)), -value
                    self.assertEqual(table.probe_wdl(here), value)
                self.assertTrue(table.probe(here).over)
                self.assertEqual(table.mainline(here), [])

    def test_forms_of_a_position_agree(self):
        with plybase.open(path_of("connect-4x4-k4")) as table:
            # Column 2, row 0 is bit 4; column 2, row 1 is bit 5.
            self.assertEqual(table.bitboards(moves="22"), (1 << 4, 1 << 5))
            self.assertEqual(table.bitboards("4/4/1o2/1x2"), (1 << 4, 1 << 5))
            self.assertEqual(table.board((1 << 4, 1 << 5)), "4/4/1o2/1x2")
            self.assertEqual(table.board(moves="22"), "4/4/1o2/1x2")

    def test_push_refuses_other_moves(self):
        with plybase.open(path_of("mnk-3x3-k3")) as table:
            with self.assertRaisesRegex(plybase.IllegalMove, "move a1 .* the cell is taken"):
                table.push("3/3/x2", "a1")
            with self.assertRaisesRegex(plybase.IllegalMove, "move a1 .* the cell is taken"):
                table.push("3/3/x2", plybase.Move("a1", 0, 0, 0, None))
            with self.assertRaisesRegex(plybase.MalformedPosition, "no move"):
                table.push("3/3/x2", "1")
            self.assertEqual(table.push((0, 0), "b2a1c3"), table.bitboards(moves="b2a1c3"))

    def test_how_games_stand(self):
        with plybase.open(path_of("mnk-3x3-k3")) as table:
            self.assertEqual(table.state(moves="a1"), plybase.State("o", False, None, 0))
            won = table.state(moves="a1b1a2b2a3")
            self.assertEqual(won, plybase.State("o", True, "x", 0b111))
            lost = "1xx/1x1/ooo"
            self.assertEqual((table.winner(lost), table.to_move(lost), table.is_over(lost)),
                             ("o", "x", True))
            full = "xox/xxo/oxo"
            self.assertEqual((table.winner(full), table.is_over(full)), (None, True))
            with self.assertRaises(plybase.IllegalPosition):
                table.to_move((1, 1))
        with plybase.open(path_of("connect-4x3-k3-misere-cylinder")) as table:
            self.assertEqual(table.state(moves="12131"), plybase.State("o", True, "o", 0b111))


class Refusals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = plybase.open(path_of("connect-4x4-k4"))

    @classmethod
    def tearDownClass(cls):
        cls.table.close()

    def refuse(self, kind, code, words, position=None, moves=None):
        for probe in (self.table.probe_wdl, self.table.probe_dtm, self.table.best_moves,
                      self.table.mainline, self.table.find_best):
            with self.assertRaisesRegex(kind, words) as caught:
                probe(position, moves=moves)
            self.assertIs(type(caught.exception), kind)
            self.assertEqual(caught.exception.code, code)
            self.assertIsInstance(caught.exception, ValueError)
        if position is not None:
            with self.assertRaisesRegex(kind, words):
                self.table.probe_many(["4/4/4/4", position])
            self.assertEqual(self.table.get_many(["4/4/4/4", position], 7), [0, 7])
        self.assertIsNone(self.table.get_wdl(position, moves=moves))
        self.assertEqual(self.table.get_wdl(position, 7, moves=moves), 7)
        self.assertEqual(self.table.get_dtm(position, 7, moves=moves), 7)

    def test_malformed(self):
        self.refuse(plybase.MalformedPosition, -20, "character 8 is not x, o", "4/4/4/4|")
        self.refuse(plybase.MalformedPosition, -20, "no move at character 2", moves="1-")
        self.refuse(plybase.MalformedPosition, -20, "zero byte", "4/4/4/4\0")
        self.refuse(plybase.MalformedPosition, -20, "", "4/4/4/4\udcff")

    def test_the_other_notation(self):
        """As the command suggests --moves."""
        for text in ("121", "4433"):
            self.refuse(plybase.WrongBoard, -21,
                        f"'{text}' is a list of moves, not a board: did you mean moves=...", text)
        self.refuse(plybase.MalformedPosition, -20, "is a board, not a list of moves: leave out moves=",
                    moves="4/4/4/xo2")
        self.refuse(plybase.MalformedPosition, -20, "an empty text is not a position", "")
        # A board of one row is a number too, if it is empty.
        build("mnk-3x1-k3", path_of("mnk-3x1-k3"))
        with plybase.open(path_of("mnk-3x1-k3")) as row:
            with self.assertRaisesRegex(plybase.MalformedPosition, "such as b3$"):
                row.bitboards(moves="3")

    def test_wrong_board(self):
        self.refuse(plybase.WrongBoard, -21, "not a position of a 4x4 board", "7/7/7/7/7/7")
        self.refuse(plybase.WrongBoard, -21, "beyond the 4x4 board", (1 << 16, 0))
        self.refuse(plybase.WrongBoard, -21, "beyond the 4x4 board", (1 << 64, 0))
        self.refuse(plybase.WrongBoard, -21, "beyond the 4x4 board", (0, -1))

    def test_illegal(self):
        self.refuse(plybase.IllegalPosition, -22, "impossible piece counts", "4/4/4/ooo1")
        self.refuse(plybase.IllegalPosition, -22, "column 1, row 1 has both an x and an o", (1, 1))
        self.refuse(plybase.IllegalPosition, -23, "floats in the air", "4/4/1x2/4")
        self.refuse(plybase.IllegalPosition, -24, "continues after the end of the game",
                    "xo2/xo2/xo2/xo2")
        with self.assertRaisesRegex(plybase.IllegalPosition, "both an x and an o"):
            self.table.cells((1, 1))
        with self.assertRaisesRegex(plybase.WrongBoard, "beyond the 4x4 board"):
            self.table.cells((1 << 16, 0))

    def test_text_of_another_type(self):
        for why, given in (("moves are a str such as '4453', not [3, 3]", {"moves": [3, 3]}),
                           ("moves are a str such as '4453', not b'33'", {"moves": b"33"})):
            with self.assertRaisesRegex(TypeError, re.escape(why)):
                self.table.probe_wdl(**given)

    def test_unreachable(self):
        self.refuse(plybase.UnreachablePosition, -25, "cannot be reached", "4/4/x3/o3")

    def test_moves(self):
        self.refuse(plybase.IllegalMove, -26, "off the ", moves="15")
        self.refuse(plybase.IllegalMove, -26, "column is full", moves="11111")
        self.refuse(plybase.IllegalMove, -26, "after the end of the game", moves="12131412")

    def test_missing_distances(self):
        self.assertEqual(self.table.info.values, "wdl")
        for moves in ("", "112233", "1122334"):  # a draw, won at once, over
            with self.assertRaisesRegex(plybase.MissingDistances, "connect-4x4-k4 holds wdl"):
                self.table.probe_dtm(moves=moves)
            self.assertIsNone(self.table.probe(moves=moves).dtm)
            self.assertIsNone(self.table.get_dtm(moves=moves))
            self.assertEqual(self.table.get_dtm(default=-1, moves=moves), -1)

    def test_a_mistake_of_the_program_is_no_position(self):
        for arguments, named in [((), {}), (("4/4/4/4",), {"moves": "1"}), ((7,), {}),
                                 (((1, 2, 3),), {}), ((("1", "2"),), {}), ((), {"moves": 4453})]:
            with self.assertRaises(TypeError):
                self.table.get_wdl(*arguments, **named)


class Tables(unittest.TestCase):
    def refuse(self, kind, words, path):
        with self.assertRaisesRegex(kind, words) as caught:
            plybase.open(path)
        self.assertIs(type(caught.exception), kind)
        return caught.exception

    def test_not_there(self):
        error = self.refuse(plybase.TableNotFound, "cannot open nothing.plb: No such", "nothing.plb")
        self.assertIsInstance(error, FileNotFoundError)
        self.assertEqual(error.code, -4)
        with self.assertRaises(ValueError):
            plybase.open("nothing\0.plb")

    def test_unfinished(self):
        (folder / "half.plb.part").mkdir()
        self.refuse(plybase.UnfinishedTable, "half.plb is not finished", folder / "half.plb")

    def test_no_table(self):
        text = folder / "text.plb"
        text.write_text("this is a text, no table\n")
        self.refuse(plybase.NotATable, "text.plb is not a Plybase table", text)

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_no_permission(self):
        closed = folder / "closed.plb"
        closed.write_text("")
        closed.chmod(0)
        self.refuse(plybase.TablePermission, "closed.plb", closed)

    def test_cut_short(self):
        short = folder / "short.plb"
        short.write_bytes(path_of("connect-4x4-k4").read_bytes()[:20000])
        self.refuse(plybase.CorruptTable, "short.plb is cut short", os.fsencode(short))

    def test_damaged_block(self):
        """Whatever byte is changed: the same answers or CorruptTable, and that from get_wdl too."""
        whole = path_of("connect-4x4-k4").read_bytes()
        with plybase.open(path_of("connect-4x4-k4")) as table:
            boards = [table.bitboards(moves=moves)
                      for moves in random_moves(table.info, random.Random(SEED), 100)
                      if table.get_wdl(moves=moves) is not None]
            expected = table.probe_many(boards)
        damaged = 0
        for at in range(8192 + 100, len(whole), len(whole) // 60):
            bent = folder / f"bent{at}.plb"
            bent.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
            try:
                table = plybase.open(bent)
            except plybase.TableError:
                continue
            with table:
                for probe in (table.probe_many, table.get_many,
                              lambda boards: [table.get_wdl(board) for board in boards],
                              lambda boards: [table.find_best(board).value for board in boards]):
                    try:
                        self.assertEqual(probe(boards), expected)
                    except plybase.CorruptTable as error:
                        self.assertRegex(str(error), "damaged: block [0-9]+|is damaged")
                        damaged += 1
        self.assertGreater(damaged, 10)

    def test_other_errors_have_classes(self):
        from plybase.errors import error_of

        self.assertIs(type(error_of(-8, "")), plybase.OtherVersion)
        self.assertIs(type(error_of(-2, "")), plybase.OutOfMemory)
        self.assertIsInstance(error_of(-2, ""), MemoryError)
        self.assertIs(type(error_of(-3, "")), plybase.TableError)

    @unittest.skipUnless(Path("/proc/self/fd").exists(), "tells which files are open")
    def test_files_are_given_back(self):
        own = folder / "own.plb"
        shutil.copy(path_of("mnk-3x3-k3"), own)

        def is_open():
            links = [str(link) for link in Path("/proc/self/fd").iterdir()]
            return str(own) in [os.readlink(link) for link in links if os.path.lexists(link)]

        with plybase.open(own):
            self.assertTrue(is_open())
        self.assertFalse(is_open())
        forgotten = plybase.open(own)
        self.assertTrue(is_open())
        del forgotten
        self.assertFalse(is_open())

    def test_closed(self):
        with plybase.open(path_of("mnk-3x3-k3")) as table:
            pass
        table.close()
        self.assertEqual(table.info.spec, "mnk-3x3-k3")
        for ask in (lambda: table.get_wdl("3/3/3"), lambda: table.get_wdl((0, 0)), table.stats,
                    lambda: table.find_best((0, 0)), lambda: table.mainline((0, 0)),
                    lambda: table.probe_many([]), table.__enter__):
            with self.assertRaisesRegex(ValueError, "closed"):
                ask()

    def test_threads(self):
        with plybase.open(path_of("connect-4x4-k4")) as table:
            boards = [table.bitboards(moves=moves)
                      for moves in random_moves(table.info, random.Random(SEED), 500)
                      if table.get_wdl(moves=moves) is not None]
            expected = table.probe_many(boards)

            def ask(_):
                return [table.probe_wdl(board) for board in boards]

            with ThreadPoolExecutor(4) as threads:
                self.assertEqual(list(threads.map(ask, range(4))), [expected] * 4)


class Library(unittest.TestCase):
    def open_with(self, library):
        script = "import plybase, sys; plybase.open(sys.argv[1])"
        return subprocess.run(
            [sys.executable, "-c", script, str(path_of("mnk-3x3-k3"))],
            env={**os.environ, "PLYBASE_LIBRARY": library},
            stderr=subprocess.PIPE,
            text=True,
        ).stderr

    def test_chosen_library_must_be_there(self):
        said = self.open_with("/nowhere/libplybase.so.1")
        self.assertRegex(said, "LibraryNotFound: /nowhere/libplybase.so.1 is not a Plybase library")

    def test_chosen_library_must_be_plybase(self):
        self.assertRegex(self.open_with("libc.so.6"), "LibraryNotFound: libc.so.6 is not a Plybase")

    def found_in(self, place, **variables):
        """What a program says that finds the library at this place alone, below the folder."""
        chosen = os.environ.get("PLYBASE_LIBRARY")
        if not chosen:
            self.skipTest("PLYBASE_LIBRARY is not set")
        root = Path(tempfile.mkdtemp(dir=folder))
        site = root / "site"
        shutil.copytree(Path(plybase.__file__).parent, site / "plybase")
        if place:
            (root / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(chosen, root / place)
        (root / "bin").mkdir(exist_ok=True)
        (root / "bin" / "plybase").write_text("#!/bin/sh\n")
        (root / "bin" / "plybase").chmod(0o755)
        paths = {name: str(root / path) for name, path in variables.items()}
        # -S: without the folders of an installed package.
        script = "import plybase, sys; print(plybase.open(sys.argv[1]).probe_wdl('3/3/3'))"
        return subprocess.run(
            [sys.executable, "-S", "-c", script, str(path_of("mnk-3x3-k3"))],
            cwd=root,  # Python looks there first
            env={"PYTHONPATH": str(site), "PATH": "/nowhere", "HOME": "/nowhere", **paths},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ).stdout

    def test_library_beside_the_package(self):
        self.assertEqual(self.found_in("site/plybase/libplybase.so.1"), "0\n")

    def test_library_of_the_command_in_the_path(self):
        for place in ("lib", "lib/x86_64-linux-gnu", "bin"):
            self.assertEqual(self.found_in(f"{place}/libplybase.so.1", PATH="bin"), "0\n", place)

    def test_library_of_the_user(self):
        self.assertEqual(self.found_in(".local/lib/libplybase.so.1", HOME="."), "0\n")

    def test_no_library(self):
        said = self.found_in(None, PATH="bin", HOME=".")
        self.assertIn("LibraryNotFound: libplybase.so.1 is not found", said)
        self.assertIn("set PLYBASE_LIBRARY to the library's path", said)


if __name__ == "__main__":
    unittest.main()
