# SPDX-License-Identifier: MIT
"""Distances, best moves and lines, from tables of both kinds: as the command tells them."""
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import plybase
from support import (
    COMMAND,
    SEED,
    VALUES,
    build,
    check_ctrl_c_ends,
    random_boards,
    random_moves,
)

SPECS = [
    "connect-5x4-k4",
    "connect-4x4-k3-cylinder",
    "connect-4x3-k3-misere-cylinder",
    "mnk-3x3-k3",
    "mnk-4x3-k3-misere",
    "square-4x3",
]
KINDS = ["wdl", "dtm"]
BIG = "connect-6x4-k4-misere"  # lost in 21 plies, after some 300,000 nodes
WORDS = {value: word for word, value in VALUES.items()}


def setUpModule():
    global folder
    folder = Path(tempfile.mkdtemp())
    for spec in SPECS:
        for values in KINDS:
            build(spec, path_of(spec, values), values)
    build(BIG, path_of(BIG, "wdl"))


def tearDownModule():
    shutil.rmtree(folder)


def path_of(spec, values):
    return folder / f"{spec}-{values}.plb"


def every_table():
    for spec in SPECS:
        for values in KINDS:
            with plybase.open(path_of(spec, values)) as table:
                yield table, path_of(spec, values)


def good_moves(table, count):
    """Sequences of moves that can be played."""
    some = random_moves(table.info, random.Random(SEED), count)
    return [moves for moves in some if table.get_wdl(moves=moves) is not None]


def say(*arguments, lines=()):
    """What the command says: the objects, and the lines of complaints."""
    done = subprocess.run(
        [COMMAND, *arguments, "--json"],
        input="".join(f"{line}\n" for line in lines),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.splitlines()


# ---- the objects of the command, made by the package ----


def moves_record(moves):
    return [{"move": str(move), "value": WORDS[move.value], "dtm_plies": move.dtm} for move in moves]


def side_to_move(bitboards):
    x, o = bitboards
    return "x" if bin(x).count("1") == bin(o).count("1") else "o"


def probe_record(table, line, position):
    try:
        answer, legal = table.probe(**position), table.moves(**position)
    except plybase.PositionError as refusal:
        return {"position": line, "error": refusal.code, "message": str(refusal)}
    return {
        "position": table.board(**position),
        "to_move": side_to_move(table.bitboards(**position)),
        "over": answer.over,
        "value": WORDS[answer.value],
        "dtm_plies": answer.dtm,
        "moves": moves_record(legal),
    }


def best_record(table, moves, **limits):
    best = table.find_best(moves=moves, **limits)
    return {
        "position": table.board(moves=moves),
        "to_move": side_to_move(table.bitboards(moves=moves)),
        "over": not best.moves,
        "value": WORDS[best.value],
        "dtm_plies": best.dtm,
        "least_plies": best.least,
        "most_plies": best.most,
        "exact": best.exact,
        "moves": moves_record(best.moves),
        "nodes": best.nodes,
    }


def asked(mine, its):
    """Of what the command says, that which is compared: it also says where each move leads."""
    if isinstance(mine, dict):
        return {key: asked(value, its.get(key)) for key, value in mine.items()}
    if isinstance(mine, list) and len(mine) == len(its):
        return [asked(*pair) for pair in zip(mine, its)]
    return its


class AsTheCommand(unittest.TestCase):
    def compare(self, got, expected):
        self.assertEqual(len(got), len(expected))
        for mine, its in zip(got, expected):
            self.assertEqual(mine, asked(mine, its))

    def test_probe(self):
        for table, path in every_table():
            lines = list(random_moves(table.info, random.Random(SEED), 500))
            got = [probe_record(table, line, {"moves": line}) for line in lines]
            said, _ = say("probe", path, "-", "--moves", lines=lines)
            self.compare(got, said)
            lines = list(random_boards(table.info, random.Random(SEED), 200))
            got = [probe_record(table, line, {"position": line}) for line in lines]
            self.compare(got, say("probe", path, "-", lines=lines)[0])

    def test_best(self):
        for table, path in every_table():
            positions = good_moves(table, 400)[:200]
            self.assertGreater(len(positions), 60)
            said, _ = say("best", path, "--moves", *positions)
            for one in said:
                del one["seconds"]
            self.compare([best_record(table, moves) for moves in positions], said)

    def test_best_within_limits(self):
        stops = 0
        for table, path in every_table():
            positions = good_moves(table, 200)
            said, _ = say("best", path, "--moves", "--nodes", "3", *positions)
            for one in said:
                del one["seconds"]
                stops += not one["exact"]
            self.compare([best_record(table, moves, nodes=3) for moves in positions], said)
        self.assertGreater(stops, 20)

    def test_line(self):
        for table, path in every_table():
            positions = good_moves(table, 200)
            said, _ = say("line", path, "--moves", *positions)
            self.compare(
                [moves_record(table.mainline(moves=moves)) for moves in positions],
                [one["moves"] for one in said],
            )

    def test_line_within_limits(self):
        stops = 0
        for table, path in every_table():
            positions = good_moves(table, 200)
            said, complaints = say("line", path, "--moves", "--nodes", "3", *positions)
            said = iter(said)
            complaints = iter(complaints)
            for moves in positions:
                try:
                    got = moves_record(table.mainline(moves=moves, nodes=3))
                except plybase.SearchStopped as stop:
                    self.assertEqual(stop.code, -27)
                    self.assertIn(str(stop), next(complaints))
                    stops += 1
                else:
                    self.compare(got, next(said)["moves"])
            self.assertEqual([*said, *complaints], [])
        self.assertGreater(stops, 20)


class Distances(unittest.TestCase):
    def test_kinds_of_tables_agree(self):
        for spec in SPECS:
            with plybase.open(path_of(spec, "wdl")) as wdl, \
                    plybase.open(path_of(spec, "dtm")) as dtm:
                self.assertEqual((wdl.info.values, dtm.info.values), ("wdl", "dtm"))
                for moves in good_moves(wdl, 200):
                    searched, stored = wdl.find_best(moves=moves), dtm.find_best(moves=moves)
                    self.assertEqual(searched[:5], stored[:5])
                    self.assertEqual(searched.dtm, dtm.probe_dtm(moves=moves))
                    self.assertEqual((stored.nodes, stored.seconds), (0, 0.0))
                    self.assertEqual(dtm.best_moves(moves=moves), stored.moves)
                    fast = {move.text for move in stored.moves}
                    self.assertLessEqual(fast, {m.text for m in wdl.best_moves(moves=moves)})
                    self.assertEqual(wdl.probe_many([wdl.bitboards(moves=moves)]),
                                     dtm.probe_many([dtm.bitboards(moves=moves)]))

    def test_best_moves_without_distances_keep_the_value(self):
        for spec in SPECS:
            with plybase.open(path_of(spec, "wdl")) as table:
                for moves in good_moves(table, 200):
                    value = table.probe_wdl(moves=moves)
                    keep = [move for move in table.moves(moves=moves) if move.value == value]
                    self.assertEqual(table.best_moves(moves=moves), keep)
                    self.assertEqual({move.dtm for move in keep} - {None}, set())

    def test_lines_are_as_long_as_the_distance(self):
        for table, _ in every_table():
            for moves in good_moves(table, 100):
                line, best = table.mainline(moves=moves), table.find_best(moves=moves)
                self.assertEqual(line[:1], best.moves[:1])
                if best.value:
                    self.assertEqual(len(line), best.dtm)
                here, value = table.bitboards(moves=moves), best.value
                for left, move in enumerate(reversed(line)):
                    self.assertEqual(move.dtm, left if value else None)
                for move in line:
                    here, value = table.push(here, move), -value
                    self.assertEqual(table.probe_wdl(here), value)
                self.assertTrue(table.probe(here).over)

    def test_special_positions(self):
        with plybase.open(path_of("mnk-3x3-k3", "dtm")) as table:
            self.assertIsNone(table.probe_dtm("3/3/3"))  # a draw has none
            self.assertIsNone(table.get_dtm("3/3/3", "default"))
            self.assertIsNone(table.probe_dtm("xox/oxx/oxo"))
            self.assertEqual(table.find_best("3/3/3")[:4], (0, None, None, True))
            self.assertIsNone(table.find_best("3/3/3").dtm)
            self.assertEqual(table.probe_dtm("xxx/oo1/3"), 0)  # over
            self.assertEqual(table.probe("xxx/oo1/3"), (-1, 0, True))
            self.assertEqual(table.find_best("xxx/oo1/3"), (-1, 0, 0, True, [], 0, 0.0))
            self.assertEqual((table.best_moves("xxx/oo1/3"), table.mainline("xxx/oo1/3")), ([], []))
            self.assertEqual(table.probe_dtm("xx1/oo1/3"), 1)
            self.assertEqual([str(move) for move in table.best_moves("xx1/oo1/3")], ["c3"])
            self.assertEqual(table.get_dtm("x", "default"), "default")

    def test_stats_do_not_depend_on_the_kind(self):
        for spec in SPECS:
            with plybase.open(path_of(spec, "wdl")) as wdl, \
                    plybase.open(path_of(spec, "dtm")) as dtm:
                self.assertEqual(wdl.stats(), dtm.stats())

    def test_distance_stats(self):
        for spec in SPECS:
            with plybase.open(path_of(spec, "dtm")) as table:
                plies = table.distance_stats()
                for ply, (counts, told) in enumerate(zip(table.stats(), plies)):
                    wins, losses = sum(told.wins.values()), sum(told.losses.values())
                    mine = (counts.won, counts.lost) if ply % 2 == 0 else (counts.lost, counts.won)
                    self.assertEqual((wins, losses), mine)
                    at_end = told.wins.get(0, 0) + told.losses.get(0, 0)
                    self.assertEqual(at_end, counts.terminal)
                    for value, ends, longest in ((1, told.wins, told.longest_win),
                                                 (-1, told.losses, told.longest_loss)):
                        most = max((plies for plies in ends if plies), default=None)
                        self.assertEqual(longest and longest.plies, most)
                        if longest:
                            answer = table.probe(longest)
                            self.assertEqual(answer, (value, most, False))
            with plybase.open(path_of(spec, "wdl")) as table:
                with self.assertRaisesRegex(plybase.MissingDistances, "--values dtm"):
                    table.distance_stats()


class Limits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = plybase.open(path_of(BIG, "wdl"))

    @classmethod
    def tearDownClass(cls):
        cls.table.close()

    def test_a_stopped_search_tells_what_it_has_proven(self):
        for limits in ({"nodes": 2000}, {"seconds": 1e-3}, {"nodes": 1 << 70, "seconds": 1e-3}):
            best = self.table.find_best(moves="", **limits)
            self.assertFalse(best.exact)
            self.assertEqual(best.value, -1)
            self.assertLessEqual(best.least, 21)
            self.assertGreaterEqual(best.most, 21)
            self.assertIsNone(best.dtm)
            self.assertTrue(best.moves)
            with self.assertRaisesRegex(plybase.SearchStopped, "the search was stopped") as caught:
                self.table.mainline(moves="", **limits)
            self.assertIsInstance(caught.exception, plybase.PlybaseError)
            self.assertNotIsInstance(caught.exception, plybase.PositionError)

    def test_wide_limits_change_nothing(self):
        free = self.table.find_best(moves="")
        wide = self.table.find_best(moves="", nodes=1 << 70, seconds=float("inf"),
                                    memory_bytes=64 << 20)
        self.assertEqual(free[:6], wide[:6])
        self.assertEqual(free.dtm, 21)
        small = self.table.find_best(moves="", memory_bytes=1)
        self.assertEqual(free[:5], small[:5])
        self.assertGreater(small.nodes, free.nodes)

    def test_memory(self):
        for search in (self.table.find_best, self.table.mainline):
            with self.assertRaisesRegex(plybase.OutOfMemory, "out of memory for a search"):
                search(moves="", memory_bytes=1 << 62)

    def test_what_is_no_limit(self):
        for search in (self.table.find_best, self.table.mainline):
            for wrong in ({"nodes": 0}, {"nodes": -1}, {"seconds": 0}, {"seconds": -0.5},
                          {"seconds": float("nan")}, {"memory_bytes": 0}):
                with self.assertRaisesRegex(ValueError, f"{next(iter(wrong))} is "):
                    search(moves="", **wrong)
            for wrong in ({"nodes": 1.5}, {"nodes": "1"}, {"seconds": "1"}, {"memory_bytes": 1e9}):
                with self.assertRaises(TypeError):
                    search(moves="", **wrong)

    def test_threads(self):
        with plybase.open(path_of("connect-5x4-k4", "wdl")) as table:
            positions = good_moves(table, 200)

            def ask(_=None):
                return [table.find_best(moves=moves)[:6] for moves in positions]

            expected = ask()
            with ThreadPoolExecutor(4) as threads:
                self.assertEqual(list(threads.map(ask, range(4))), [expected] * 4)


class Alarm(Exception):
    pass


class Interruptions(unittest.TestCase):
    """A signal ends a search that is under way, and its exception goes on."""

    def setUp(self):
        def ring(number, frame):
            raise Alarm

        # The tests may have been started with SIGINT ignored.
        for number, handler in ((signal.SIGINT, signal.default_int_handler),
                                (signal.SIGALRM, ring)):
            self.addCleanup(signal.signal, number, signal.signal(number, handler))
        self.table = plybase.open(path_of(BIG, "wdl"))
        self.addCleanup(self.table.close)

    def interrupt(self, search, number):
        """The first report of a search sends the signal and waits until it has an effect."""
        answers = []

        def wrap(report):
            def send(context, bounds):
                if not answers:
                    answers.append(report(context, bounds))
                    os.kill(os.getpid(), number)
                patience = time.monotonic() + 60
                while report(context, bounds) and time.monotonic() < patience:
                    time.sleep(0.001)
                answers.append(report(context, bounds))
                return answers[-1]

            return plain(send)

        plain = plybase.binding.Report
        with mock.patch.object(plybase.binding, "Report", wrap):
            search(moves="")
        self.fail(f"the search went on: {answers}")

    def test_signals_stop_searches(self):
        for search in (self.table.find_best, self.table.mainline):
            for number, kind in ((signal.SIGINT, KeyboardInterrupt), (signal.SIGALRM, Alarm)):
                before = threading.active_count()
                with self.assertRaises(kind):
                    self.interrupt(search, number)
                patience = time.monotonic() + 60
                while threading.active_count() > before and time.monotonic() < patience:
                    time.sleep(0.001)
                self.assertEqual(threading.active_count(), before)
                self.assertEqual(self.table.find_best(moves="", nodes=5).value, -1)

    def test_ctrl_c_ends_a_program(self):
        check_ctrl_c_ends(self, path_of(BIG, "wdl"), "table.mainline(moves='', memory_bytes=1)")


if __name__ == "__main__":
    unittest.main()
