#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists of other programs are read, and compared: test_lists.py PLYBASE

The positions, their values, distances and scores come from rules that are written anew here; the
scores are those of the recursion that Pons' solver is: (cells + 1 - stones) / 2, rounded down, where
the player to move completes a group at once, else the greatest of the negated scores after a move.
"""
import csv
import functools
import os
import random
import subprocess
import sys
import tempfile

from checks import check, finish

PLYBASE = os.path.abspath(sys.argv[1])
CONVENTIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/conventions.csv")
WORDS = {1: "win", 0: "draw", -1: "loss"}


class Board:
    """Columns of stones from the bottom, as strings of x and o."""

    def __init__(self, width, height, k):
        self.width, self.height, self.k, self.cells = width, height, k, width * height
        self.score = functools.lru_cache(None)(self.score)
        self.outcome = functools.lru_cache(None)(self.outcome)

    def moves(self, columns):
        return [c for c in range(self.width) if len(columns[c]) < self.height]

    def play(self, columns, move):
        stone = "xo"[sum(map(len, columns)) % 2]
        return columns[:move] + (columns[move] + stone,) + columns[move + 1:]

    def wins(self, columns, move):
        after = self.play(columns, move)
        stone = after[move][-1]

        def run(c, r, dc, dr):
            length = 0
            while 0 <= c < self.width and 0 <= r < len(after[c]) and after[c][r] == stone:
                length, c, r = length + 1, c + dc, r + dr
            return length
        row = len(after[move]) - 1
        return any(run(move, row, dc, dr) + run(move, row, -dc, -dr) > self.k
                   for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)))

    def score(self, columns):
        stones = sum(map(len, columns))
        if stones == self.cells:
            return 0
        if any(self.wins(columns, move) for move in self.moves(columns)):
            return (self.cells + 1 - stones) // 2
        return max(-self.score(self.play(columns, move)) for move in self.moves(columns))

    def outcome(self, columns):
        """Value, and plies to the end or "-"."""
        best = []
        for move in self.moves(columns):
            if self.wins(columns, move):
                return 1, 1
            after = self.play(columns, move)
            value, plies = (0, "-") if not self.moves(after) else self.outcome(after)
            best.append((-value, plies if plies == "-" else plies + 1))
        value = max(v for v, _ in best)
        plies = [p for v, p in best if v == value]
        return value, "-" if value == 0 else min(plies) if value > 0 else max(plies)

    def sample(self, count, rng, least):
        """Random games that are not over: moves, and the position after them."""
        games = []
        while len(games) < count:
            columns, game = ("",) * self.width, []
            for _ in range(rng.randrange(least, self.cells)):
                move = rng.choice(self.moves(columns))
                if self.wins(columns, move):
                    break
                columns, game = self.play(columns, move), game + [move]
            if len(game) >= least:
                games.append((game, columns))
        return games

    def cell(self, columns, column, row):
        return columns[column][row] if row < len(columns[column]) else "."

    def by_rows(self, columns, between=""):
        return between.join("".join(self.cell(columns, c, r) for c in range(self.width))
                            for r in reversed(range(self.height)))

    def by_columns(self, columns):
        return ",".join(self.cell(columns, c, r).replace(".", "b")
                        for c in range(self.width) for r in range(self.height))


def ask(lines, *arguments):
    run = subprocess.run([PLYBASE, *arguments], input="\n".join(lines) + "\n", text=True,
                         capture_output=True)
    return run.returncode, [line.split("\t") for line in run.stdout.splitlines()], run.stderr


def read_all_formats(board, games, table):
    truth = [board.outcome(columns) for _, columns in games]
    words = [WORDS[value] for value, _ in truth]
    columns0 = ["".join(map(str, game)) for game, _ in games]
    moves = ["".join(str(move + 1) for move in game) for game, _ in games]
    rows = [board.by_rows(columns) for _, columns in games]
    lists = {
        "pons": [f"{m} {board.score(c)}" for m, (_, c) in zip(moves, games)],
        "columns0": [f"{m}\t{w}" for m, w in zip(columns0, words)],
        "board": [f"{r} {value}" for r, (value, _) in zip(rows, truth)],
        "uci": [f"{board.by_columns(c)},{WORDS[value * (-1) ** len(g)]}" for (g, c), (value, _) in zip(games, truth)],
        "plybase": [f"{board.by_rows(c, '/')}\t{w}" for (_, c), w in zip(games, words)],
    }
    first = {"columns0": columns0}
    for name, lines in lists.items():
        expected = [[WORDS[value], str(plies)] for value, plies in truth]
        status, answers, messages = ask(lines, "probe", table, "-", "--input", name, "--expect", "2")
        check(status == 0, table, name, status, messages)
        check([row[1:3] for row in answers] == expected, table, name, "answers")
        check(messages == f"plybase: {len(lines)} of {len(lines)} lines agree with column 2\n", messages)
        # Marks, line ends and capitals of other systems.
        odd = ["\ufeff" + lines[0].upper() + " \r"] + [line.upper() + "\r" for line in lines[1:]]
        status, again, messages = ask(odd, "probe", table, "-", "--input", name, "--expect", "2")
        check(status == 0 and [row[1:] for row in again] == [row[1:] for row in answers], name, messages)
        # A guessed format is reported.
        if name not in first or "0" in first[name][0]:
            status, again, messages = ask(lines, "probe", table, "-")
            note = f"plybase: the list is read as with --input {name}, which its first line looks like\n"
            check(messages == note and again == answers and status == 0, name, "guess", messages)
    # Moves by cells have a letter for a column.
    cells = []
    for game, _ in games:
        made, here = [], ("",) * board.width
        for move in game:
            here = board.play(here, move)
            made.append(f"{'abcdefg'[move]}{len(here[move])}")
        cells.append("".join(made))
    by_cells = [f"{c} {line.split()[1]}" for c, line in zip(cells, lists["pons"])]
    status, answers, messages = ask(by_cells, "probe", table, "-", "--expect", "2")
    check(status == 0 and [row[1:3] for row in answers] == expected, "cells", messages)
    check("--input pons, which" in messages and f"{len(cells)} of {len(cells)} lines agree" in messages, messages)
    # A word is a column as a score is.
    for game_texts in (cells, moves):
        by_words = [f"{line} {word}" for line, word in zip(game_texts, words)]
        status, answers, messages = ask(by_words, "probe", table, "-", "--expect", "2")
        check(status == 0 and [row[1:3] for row in answers] == expected, "words", messages)
        check("--input pons, which" in messages and f"{len(words)} of {len(words)} lines agree" in messages, messages)
    for line in ("xo.x win", "xo.x 1", "xxoo win", "xxoo 1", "xo2 1", "x1o1 win", "hello 1"):
        status, _, messages = ask([line], "probe", table, "-")
        check(status == 1 and messages == "plybase: the list is read as with --input plybase, which its first line looks like\n", line, messages)
    # The values of uci are those for x, also where o moves.
    (_, columns), (value, _) = next(one for one in zip(games, truth) if len(one[0][0]) % 2)
    wrong = f"{board.by_columns(columns)},{WORDS[0 if value else 1]}"
    status, _, messages = ask([wrong], "probe", table, "-", "--input=uci", "--expect=2")
    check(status == 1 and f"the answer is {WORDS[-value]} for x\n" in messages, wrong, messages)
    rows_with_ends = [f"{board.by_rows(c, '/')} {value}" for (_, c), (value, _) in zip(games, truth)]
    status, _, messages = ask(rows_with_ends, "probe", table, "-", "--input=board", "--expect=2")
    check(status == 0, "rows with ends", messages)
    return lists


def other_commands(spec, table, pons):
    for command, source, options in (("best", table, []), ("line", table, []),
                                     ("solve", spec, ["--distance"]), ("solve", spec, [])):
        status, answers, messages = ask(pons, command, source, "-", "--input=pons", "--expect=2", *options)
        check(status == 0 and len(answers) == len(pons), command, options, messages)


def differences(table, pons):
    wrong = [f"{line.split()[0]} {int(line.split()[1]) + 1}" for line in pons[:12]] + pons[12:]
    status, answers, messages = ask(wrong, "probe", table, "-", "--input=pons", "--expect=2")
    messages = messages.splitlines()
    check(status == 1 and len(answers) == len(pons), "wrong scores", status)
    check(len(messages) == 11 and messages[-1] ==
          f"plybase: {len(pons) - 12} of {len(pons)} lines agree with column 2", messages)
    check(messages[0].startswith(f"plybase: line 1, {wrong[0].split()[0]}: the list says "), messages[0])
    for line, why in (("11", "there is no column 2"), ("11 4294967297", "the list says 4294967297"),
                      ("11 0000000000000001", "is not a score"), ("11 x", "column 2, 'x', is not a score"),
                      ("1 1 1", "the list says 1"), ("1x 1", "off the ")):
        status, _, messages = ask([line], "probe", table, "-", "--input=pons", "--expect=2")
        check(status == 1 and why in messages and "0 of 1 lines" in messages, line, messages)


def unanswered_lines():
    """A line that a search does not answer is named."""
    status, _, messages = ask(["5/5/5/5/5 draw"], "solve", "connect-5x5-k4", "-", "--nodes=1", "--expect=2")
    check(status == 1 and messages.splitlines()[-2:] == [
        "plybase: line 1, 5/5/5/5/5: the search stopped before it found the answer",
        "plybase: 0 of 1 lines agree with column 2"], messages)


def a_wrong_word_is_answered_with_the_score(table, pons):
    """The message has the score of pons also where the list has a word."""
    for wrong, right in (("win", "loss"), ("loss", "win"), ("win", "draw")):
        sign = {"win": 1, "draw": 0, "loss": -1}[right]
        asked = [line.split() for line in pons if (int(line.split()[1]) > 0) - (int(line.split()[1]) < 0) == sign][:10]
        if not asked:
            check(right == "draw", table, "no position is a", right)
            continue
        lines = [f"{moves} {wrong}" for moves, _ in asked]
        status, _, messages = ask(lines, "probe", table, "-", "--input=pons", "--expect=2")
        why = [f"plybase: line {n}, {moves}: the list says {wrong}, the answer is {right}" + (f", a score of {score}" if sign else "")
               for n, (moves, score) in enumerate(asked, 1)]
        check(status == 1 and messages.splitlines()[:-1] == why, table, messages, why)
        status, _, messages = ask([line.replace(wrong, right) for line in lines], "probe", table, "-", "--input=pons", "--expect=2")
        check(status == 0, table, messages)


def games_of_numbers():
    """The score of a position that is seen at once: 5 at c3 makes 15 with 2 and 8, and 4 cells are empty."""
    subprocess.run([PLYBASE, "build", "numeric-3x3", "--values", "dtm"], capture_output=True, check=True)
    for source, commands in (("numeric-3x3.plb", ("probe", "best", "line")), ("numeric-3x3", ("solve", ))):
        for command in commands:
            options = ["--distance"] if command == "solve" else []
            status, _, messages = ask(["9@c1,2@a1,7@a3,8@b2 3", "9@c1,2@a1,7@a3,8@b2 win"], command, source, "-", "--input=pons",
                                      "--expect=2", *options)
            check(status == 0 and messages == "plybase: 2 of 2 lines agree with column 2\n", command, messages)
            status, _, messages = ask(["9@c1,2@a1,7@a3,8@b2 0"], command, source, "-", "--input=pons", "--expect=2", *options)
            check(status == 1 and "the list says 0, the answer is win, a score of 3\n" in messages, command, messages)


def bounds_are_no_values():
    """After 212 the next player wins; the strategy of the second player knows of a draw at least."""
    subprocess.run([PLYBASE, "strategy", "connect-4x4-k4.plb", "-p", "second", "-o", "own.plb"], capture_output=True, check=True)
    status, answers, messages = ask(["212 0"], "probe", "own.plb", "-", "--input=pons")
    check(status == 0 and answers[0][1] == "draw", answers, messages)
    for command in ("probe", "best"):
        status, answers, messages = ask(["212 0", "212 win"], command, "own.plb", "-", "--input=pons", "--expect=2")
        check(status == 1 and not answers and messages ==
              "plybase: own.plb: a strategy knows bounds, not values: --expect needs a table\n", command, answers, messages)


def refusals(spec, table):
    for status, arguments, why in (
            (2, ["probe", table, "11", "--moves", "--input=pons"], "are for a list"),
            (2, ["probe", table, "-", "--input=csv"], "plybase, pons, columns0, board or uci is needed"),
            (2, ["probe", table, "-", "--input=uci", "--moves"], "are boards"),
            (2, ["probe", table, "-", "--expect=1"], "a number from 2")):
        got, _, messages = ask(["11"], *arguments)
        check(got == status and why in messages and messages.count("\n") == 1, arguments, messages)
    width, height = spec.split("-")[1].split("x")
    board = "/".join([width] * (int(height) - 1) + [f"x{int(width) - 1}"])
    got, answers, _ = ask([board + " loss"], "probe", table, "-", "--input=pons")
    check(got == 1 and "is a board, not a list of moves, which --input pons reads" in str(answers), answers)
    for text, name, why in (("xo.", "board", "it has 3 cells"), ("x?", "uci", "is not a cell"),
                            ("0-1", "columns0", "is not a column from 0 on"),
                            ("1" * 500, "pons", "longer than any position"),
                            (" " * 65534 + "1", "pons", "the line is longer than 65534 bytes"),
                            (" " * 65534 + "\r1", "pons", "the line is longer than 65534 bytes")):
        status, answers, _ = ask([text], "probe", table, "-", "--input", name)
        check(status == 1 and answers[0][1] == "error" and why in answers[0][2], text, answers)
    status, answers, _ = ask(["", "1"], "probe", table, "-", "--input=columns0")
    check(status == 0 and [row[0] for row in answers] == ["", "1"], "an empty first line", answers)
    # The first line is that of a list of single positions: what follows is not guessed.
    status, answers, messages = ask(["1", "1 1"], "probe", table, "-", "--moves")
    check(status == 1 and answers[1][1] == "error" and "--input" in answers[1][2] and not messages, answers)
    # Without distances, scores are compared by their signs.
    subprocess.run([PLYBASE, "build", spec, "-o", "wdl.plb"], capture_output=True, check=True)


def main():
    rng = random.Random(46)
    for width, height, k, least in ((4, 3, 3, 1), (5, 3, 3, 4), (4, 4, 4, 8)):
        spec, board = f"connect-{width}x{height}-k{k}", Board(width, height, k)
        table = spec + ".plb"
        subprocess.run([PLYBASE, "build", spec, "--values", "dtm"], capture_output=True, check=True)
        games = board.sample(100, rng, least)
        lists = read_all_formats(board, games, table)
        other_commands(spec, table, lists["pons"])
        differences(table, lists["pons"])
        a_wrong_word_is_answered_with_the_score(table, lists["pons"])
        refusals(spec, table)
        status, _, messages = ask(lists["pons"], "probe", "wdl.plb", "-", "--input=pons", "--expect=2")
        check(status == 0, "signs", messages)
        os.remove("wdl.plb")
    bounds_are_no_values()
    unanswered_lines()
    games_of_numbers()
    conventions()
    finish(minimum=100)


def conventions():
    """The table of conventions is one, and names formats that there are."""
    with open(CONVENTIONS, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    check(header[2] == "input" and len(rows) >= 6, header)
    for row in rows:
        check(len(row) == len(header) and row[0] and row[-1], row)
        if row[2]:
            _, _, messages = ask([], "probe", "connect-4x4-k4.plb", "-", "--input", row[2])
            check(messages == "", row, messages)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
