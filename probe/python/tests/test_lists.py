# SPDX-License-Identifier: MIT
"""Lists of other programs are read as the command reads them."""
import random
import shutil
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

import plybase
from support import COMMAND, SEED, build


def setUpModule():
    global folder, table
    folder = Path(tempfile.mkdtemp())
    build("connect-4x4-k4", folder / "four.plb")
    build("numeric-3x3", folder / "nine.plb")
    table = plybase.open(folder / "four.plb")


def tearDownModule():
    table.close()
    shutil.rmtree(folder)


def games(count):
    """Moves of random games that are not over, columns from 0; 0 is among them."""
    chance = random.Random(SEED)
    while count:
        moves = [chance.choice("0123") for _ in range(chance.randint(1, 12))]
        try:
            over = table.is_over(moves="".join(str(int(move) + 1) for move in moves))
        except plybase.IllegalMove:
            continue
        if "0" in moves and not over:
            count -= 1
            yield "".join(moves)


def lists(played):
    """The same positions in every format, each with two columns."""
    written = {name: [] for name in ("plybase", "pons", "columns0", "board", "uci")}
    for moves0 in played:
        moves = "".join(str(int(move) + 1) for move in moves0)
        cells = table.cells(moves=moves)
        rows = [[cells[4 * c + r].player or "." for c in range(4)] for r in range(3, -1, -1)]
        written["plybase"].append("/".join(map("".join, rows)) + "\twin\t5")
        written["pons"].append(f"{moves} -3 5")
        written["columns0"].append(f"{moves0} win 5")
        written["board"].append("".join(map("".join, rows)) + " win 5")
        written["uci"].append(",".join(cell.player or "b" for cell in cells) + ",win,5")
    return written


class Lists(unittest.TestCase):
    def test_every_format(self):
        played = list(games(40))
        wanted = [table.bitboards(moves="".join(str(int(m) + 1) for m in moves)) for moves in played]
        for name, lines in lists(played).items():
            path = folder / "list"
            path.write_text("\ufeff" + "\r\n".join(lines).upper() + "\r\n", encoding="utf-8")
            for source in (lines, "\n".join(lines), "\n".join(lines) + "\n", path, str(path)):
                read = list(plybase.read_list(source, table, input=name))
                self.assertEqual([(line.x, line.o) for line in read], wanted, name)
                columns = ("-3" if name == "pons" else "win", "5")
                self.assertEqual({tuple(map(str.lower, line.columns)) for line in read}, {columns})
            self.assertEqual(table.probe_many(read), table.probe_many(x_o for x_o in wanted))
            path.write_text("\n".join(lines), encoding="utf-8")
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                guessed = list(plybase.read_list(path, table))
            self.assertEqual([(line.x, line.o) for line in guessed], wanted, name)
            self.assertEqual([f"input={name!r}" in str(w.message) for w in told],
                             [] if name == "plybase" else [True])
            self.assertEqual({w.filename for w in told} - {__file__}, set())
            command = subprocess.run([COMMAND, "probe", folder / "four.plb", "-", "--input", name],
                                     input="\n".join(lines), capture_output=True, text=True, check=True)
            self.assertEqual([row.split("\t")[0] for row in command.stdout.splitlines()],
                             [line.text for line in guessed])

    def test_moves_of_plybase(self):
        read = list(plybase.read_list(["44 1", "", "3"], table, input="plybase", moves=True))
        self.assertEqual([line[2:4] for line in read], [("44", ("1",)), ("", ()), ("3", ())])
        self.assertEqual((read[1].x, read[1].o), (0, 0))

    def test_columns_are_compared_as_the_command_does(self):
        for spec, name, lines in (("four", "pons", ["44 0", "112 -2", "1122 9", "1 x", "33"]), ("nine", "plybase", [
                "2,.,./.,5,./.,.,. win", ".,.,./.,.,./.,.,. 1", ".,.,./.,.,./.,.,.\tdraw"])):
            path = str(folder / f"{spec}.plb")
            with plybase.open(path) as asked:
                read = list(plybase.read_list(lines, asked, input=name, expect=2))
            told = subprocess.run([COMMAND, "probe", path, "-", "--input", name, "--expect", "2"], check=False,
                                  input="\n".join(lines), capture_output=True, text=True).stderr.splitlines()
            self.assertEqual([f"plybase: line {n}, {line.text}: {line.difference}" for n, line in enumerate(read, 1)
                              if line.difference], told[:-1])
            self.assertTrue(0 < len(told) - 1 < len(lines), told)
        for column in (2**32 + 2, 100, 1, 0, -1):
            with self.assertRaisesRegex(ValueError, f"expect is a column from 2 to 99, not {column}"):
                plybase.read_list(["44 0"], table, input="pons", expect=column)

    def test_what_is_refused(self):
        for lines, name, kind, index in (
                (["1", "9"], "pons", plybase.IllegalMove, 1), (["1", "?"], "columns0", plybase.MalformedPosition, 1),
                (["x"], "board", plybase.WrongBoard, 0), ([""], "board", plybase.WrongBoard, 0),
                (["1\0"], "pons", plybase.MalformedPosition, 0), (["1" * 500], "pons", plybase.MalformedPosition, 0)):
            with self.assertRaises(kind) as told:
                list(plybase.read_list(lines, table, input=name))
            self.assertEqual(told.exception.index, index, lines)
            self.assertRegex(str(told.exception), f"^line {index + 1}: ")
        with self.assertRaisesRegex(ValueError, "plybase, pons, columns0, board, uci"):
            plybase.read_list([], table, input="csv")
        with self.assertRaises(FileNotFoundError):
            list(plybase.read_list(folder / "none", table, input="pons"))
        for lines in ([b"1"], [1], b"1"):
            with self.assertRaisesRegex(TypeError, "a line of a list is a str, not"):
                list(plybase.read_list(lines, table, input="pons"))


if __name__ == "__main__":
    unittest.main()
