# SPDX-License-Identifier: MIT
"""One table, many users: copies, other processes, threads, and a directory of tables."""
import copy
import multiprocessing
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import plybase
from support import build

RACE = """
import faulthandler, sys, threading
import plybase
faulthandler.enable()
refused = []

def ask(table, started):
    started.wait()
    try:
        while True:
            table.probe_wdl((0, 0))
            table.moves((0, 0))
            table.probe_many([(0, 0)] * 200)
    except ValueError as problem:
        refused.append(str(problem))

for race in range(60):
    table, started = plybase.open(sys.argv[1]), threading.Barrier(4)
    threads = [threading.Thread(target=ask, args=(table, started)) for _ in range(3)]
    for thread in threads:
        thread.start()
    started.wait()
    table.probe_many([(0, 0)] * (race * 20))
    table.close()
    for thread in threads:
        thread.join()
print(len(refused), *set(refused))
"""


def setUpModule():
    global folder, first, second
    folder = Path(tempfile.mkdtemp())
    first, second = folder / "first.plb", folder / "second.plb"
    build("mnk-3x3-k3", first)
    build("connect-4x3-k3", second, "dtm")


def tearDownModule():
    shutil.rmtree(folder)


class Copies(unittest.TestCase):
    def check(self, make):
        with plybase.open(first) as table:
            other = make(table)
            self.assertIsNot(other, table)
            self.assertEqual((other.info, other.path), (table.info, table.path))
            self.assertEqual(other.probe_wdl(moves="a1b1c1"), table.probe_wdl(moves="a1b1c1"))
            other.close()
            self.assertEqual(table.probe_wdl((0, 0)), 0)
            make(table)  # and dropped at once
            self.assertEqual(table.probe_wdl((0, 0)), 0)

    def test_copy(self):
        self.check(copy.copy)

    def test_deepcopy(self):
        self.check(copy.deepcopy)

    def test_pickle(self):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            self.check(lambda table: pickle.loads(pickle.dumps(table, protocol)))

    def test_outlives_the_table(self):
        with plybase.open(first) as table:
            other = copy.copy(table)
        self.assertEqual(other.probe_wdl((0, 0)), 0)
        other.close()

    def test_relative_path_from_another_directory(self):
        here = os.getcwd()
        try:
            os.chdir(folder)
            table = plybase.open("first.plb")
            os.chdir("/")
            with table, copy.copy(table) as other:
                self.assertEqual(other.path, str(first.resolve()))
        finally:
            os.chdir(here)

    def test_of_a_closed_table(self):
        with plybase.open(first) as table:
            pass
        for make in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(ValueError, "closed"):
                make(table)

    def test_the_file_is_gone(self):
        gone = folder / "gone.plb"
        shutil.copy(first, gone)
        with plybase.open(gone) as table:
            data = pickle.dumps(table)
            gone.unlink()
            self.assertEqual(table.probe_wdl((0, 0)), 0)
        with self.assertRaises(plybase.TableNotFound) as caught:
            pickle.loads(data)
        self.assertEqual(caught.exception.filename, str(gone))

    def test_processes(self):
        for method in ("fork", "spawn"):
            pool_of = multiprocessing.get_context(method).Pool
            with self.subTest(method), plybase.open(second) as table, pool_of(2) as pool:
                boards = [(position.x, position.o) for position in table.positions(4)]
                self.assertEqual(pool.map(table.probe_wdl, boards, chunksize=40),
                                 table.probe_many(boards))


class Threads(unittest.TestCase):
    def test_closing_while_threads_ask_is_an_exception(self):
        """In a process of its own, for it used to end that."""
        said = subprocess.run([sys.executable, "-c", RACE, str(first)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=300)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertEqual(said.stdout, "180 the table is closed\n")


class Errors(unittest.TestCase):
    def test_of_files_have_errno_and_filename(self):
        with self.assertRaises(plybase.TableNotFound) as caught:
            plybase.open(b"nothing.plb")
        error = caught.exception
        for one in (error, pickle.loads(pickle.dumps(error)), copy.copy(error)):
            self.assertEqual((one.errno, one.filename, one.code), (2, "nothing.plb", -4))
            self.assertEqual(one.strerror, os.strerror(2))
            self.assertEqual(str(one), "cannot open nothing.plb: No such file or directory")

    def test_all_can_be_pickled(self):
        for code in (*range(-27, -19), *range(-15, 0)):
            error = plybase.errors.error_of(code, "some words")
            twin = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(twin), str(twin), twin.code), (type(error), str(error), code))


class Directories(unittest.TestCase):
    def test_tables_by_their_games(self):
        with plybase.open_tables(folder) as tables:
            self.assertEqual(set(tables), {"mnk-3x3-k3", "connect-4x3-k3"})
            self.assertEqual(len(tables), 2)
            self.assertEqual(tables["mnk-3x3-k3"].probe_wdl((0, 0)), 0)
            self.assertNotIn("connect-4x4-k4", tables)
            self.assertIsNone(tables.get("connect-4x4-k4"))
            table = tables["connect-4x3-k3"]
        self.assertEqual(len(tables), 0)
        with self.assertRaisesRegex(ValueError, "closed"):
            table.probe_wdl((0, 0))

    def test_distances_are_preferred(self):
        """Whatever the names and the order."""
        for names in (("a.plb", "b.plb"), ("b.plb", "a.plb")):
            twins = folder / f"twins-{names[0]}"
            twins.mkdir()
            shutil.copy(second, twins / names[0])
            build("connect-4x3-k3", twins / names[1], "wdl")
            with plybase.Tables() as tables:
                self.assertEqual(tables.add_directory(twins), 2)
                self.assertEqual(tables["connect-4x3-k3"].info.values, "dtm")
                self.assertEqual(tables.add_directory(str(twins)), 2)
                self.assertEqual(tables["connect-4x3-k3"].probe_dtm(moves=""),
                                 tables["connect-4x3-k3"].find_best(moves="").dtm)

    def test_a_table_may_be_added_again(self):
        with plybase.Tables() as tables:
            table = plybase.open(first)
            tables.add(table)
            tables.add(table)
            self.assertEqual(tables["mnk-3x3-k3"].probe_wdl((0, 0)), 0)

    def test_what_is_no_table_is_named(self):
        other = folder / "other"
        other.mkdir()
        (other / "text.plb").write_text("a text")
        (other / "notes.txt").write_text("not looked at")
        with self.assertRaisesRegex(plybase.NotATable, "text.plb"):
            plybase.open_tables(other)
        with self.assertRaises(FileNotFoundError):
            plybase.open_tables(folder / "nowhere")


if __name__ == "__main__":
    unittest.main()
