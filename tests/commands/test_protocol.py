#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`plybase play --protocol` answers programs, and `--level` errs with the stated probability:
test_protocol.py PLYBASE

Answers are compared with those of `probe` and `best`. Mistakes are counted with a fixed seed, so that all
runs are the same.
"""
import os
import subprocess
import sys
import tempfile

from checks import check, finish
from serve_support import build

PLYBASE = os.path.abspath(sys.argv[1])


def run(*words, text=""):
    done = subprocess.run([PLYBASE, *map(str, words)], input=text, capture_output=True, text=True, check=False)
    return done.stdout, done.stderr, done.returncode


class Player:
    """A process that answers each line; `with` ends it."""

    def __init__(self, *words):
        self.process = subprocess.Popen([PLYBASE, "play", "--protocol", *words], text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        rest = self.process.stdout.read()
        self.process.stdout.close()
        check(rest == "" and self.process.wait() == 0, "the end", rest)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        return self.process.stdout.readline().rstrip("\n")


def a_program_plays_itself(table, columns):
    """All answers of a game agree with other commands; the winner is the one of the first position."""
    with Player(table) as player:
        check(player.ask("game") == f"game {table[:-4]} {columns}", player.ask("game"))
        moves = []
        here = player.ask("position start")
        first = player.ask("value")
        while " over " not in here:
            board = here.split()[1]
            value = run("probe", table, "-", text=board + "\n")[0].split("\t")
            check(player.ask("value") == f"value {value[1]} {value[2]}", board, value)
            best = run("best", table, "--resist", "-", text=board + "\n")[0].split("\t")
            check(player.ask("best") == f"best {best[1]} {best[2]} {best[3]}", board, best)
            go = player.ask("go")
            check(go == "go " + best[3].split(",")[0], board, go, best)
            moves.append(go.split()[1])
            here = player.ask("position start moves " + (" " if len(moves) % 2 else ",").join(moves))
            check(player.ask("position " + here.split()[1]) == here, here)
        winner = {"value win -": "x", "value draw -": "draw", "value loss -": "o"}[first]
        check(here.split()[-1] == winner, table, first, here)
        check(player.ask("go").startswith("error ") and player.ask("best").startswith("error "), "after the end")


def a_wrong_line_ends_nothing(table):
    with Player(table) as player:
        here = player.ask("position start moves 3 3")
        check(here == "position 5/5/5/2o2/2x2 x", here)
        for wrong in ("", " ", "foo", "go 3", "position", "position start 3", "position start moves 9", "position x",
                      "position start moves a9", "position 5/5/5/5/xx3", "position 5/5/5/x4/5", "quit now",
                      "position start moves 1 2 1 2 1 2 1 2", "\x80\xff", "position " + "x" * 100000, "m" * 100000, "%s%n"):
            answer = player.ask(wrong)
            check(answer.startswith("error ") and len(answer) < 400, wrong[:80], answer)
            check(player.ask("best") == "best draw - 3", "after", wrong[:80])
        check(player.ask("  POSITION\tstart  moves 3,3\r") == here, "capitals, tabs, blanks and CR")
        check(player.ask("quit") == "quit", "quit")
    text, _, status = run("play", "--protocol", table, "--moves", "33", text="position start moves 1\nvalue")
    check((text, status) == ("position 5/5/5/2o2/x1x2 o\nvalue win -\n", 0), text)


def numbers_and_strategies():
    with Player("numeric-2x2.plb") as player:
        check(player.ask("position start moves 1@a1 2@b2") == "position .,2/1,. x", "numbers")
        check(player.ask("position .,2/1,.") == "position .,2/1,. x", "a board of numbers")
        go = player.ask("go")
        check(player.ask(f"position .,2/1,. moves {go[3:]}").startswith("position "), go)
    with Player("strategy") as player:
        check(player.ask("go").startswith("error the strategy is that of the second player"), "a strategy")
    run("build", "connect-3x3-k3-misere", "-q")
    made = run("strategy", "connect-3x3-k3-misere.plb", "-o", "own")
    with Player("own") as player:
        answers = [player.ask(f"position start moves {column}") for column in (1, 2, 3)]
        check(answers == ["position 3/3/x2 o", "position 3/3/1x1 o", "position 3/3/2x o"], answers, made)
    with Player("connect-4x4-k4-misere", "--strategy", "take-even") as player:
        check(player.ask("go").startswith("error the strategy is that of the second player"), "a rule")
        check(player.ask("position start moves 1") == "position 4/4/4/x3 o", "a rule")
        check(player.ask("go") == "go 1", "on top of the last stone")
        check(player.ask("value").startswith("error "), "a rule has no values")


def choices(table, level, seed, count, position):
    """The moves that `go` makes in a position, `count` times."""
    text, _, status = run("play", "--protocol", table, "--level", level, "--seed", seed,
                          text=f"position {position}\n" + "go\n" * count)
    check(status == 0 and text.count("\n") == count + 1, level, status)
    return [line.split()[1] for line in text.splitlines()[1:]]


def it_errs_as_often_as_it_says(table):
    """After 3 3 only 3 keeps the draw; the number of mistakes in 4000 moves is as stated, within 5 standard deviations."""
    position, count = "5/5/5/2o2/2x2", 4000
    for level in (1, 5, 9, 10):
        made = choices(table, level, 7, count, position)
        chance = (10 - level) / 10
        mistakes = sum(move != "3" for move in made)
        check(abs(mistakes - count * chance) <= 5 * (count * chance * (1 - chance)) ** 0.5, level, mistakes)
        for move in "1245":  # all mistakes are equally likely
            share = chance / 4
            check(abs(made.count(move) - count * share) <= 5 * (count * share * (1 - share)) ** 0.5, level, move)
        check(made == choices(table, level, 7, count, position), "the same seed")
        check(level == 10 or made != choices(table, level, 8, count, position), "another seed")
    # In a lost position there are no mistakes: x plays a move that loses slowly.
    lost = "start moves 3 3 1 2"
    best = run("play", "--protocol", table, text=f"position {lost}\nbest\n")[0].splitlines()[1].split()
    check(best[1] == "loss" and {*choices(table, 1, 7, 50, lost)} <= {*best[3].split(",")}, best)


def it_says_that_it_errs(table):
    notice = "I err on purpose: at level 3, 7 times in 10 where a move of mine can give up a win or a draw.\n"
    for words, expected in ((("--level", 3), 1), (("--level", 10), 0), ((), 0)):
        text = run("play", table, *words, text="quit\n")[0]
        check(text.count(notice) == expected and text.count("I err") == expected, words, text)
    answer, error, _ = run("play", "--protocol", table, "--level=3", text="game\n")
    check(answer == "game connect-5x5-k4 5 5 level 3\n" and error == "plybase: " + notice, answer, error)
    for words in (("--level", 0), ("--level", 11), ("--level", "x")):
        check(run("play", table, *words)[2] == 2, words)
    for words in (("strategy",), ("connect-4x4-k4-misere", "--strategy", "take-even")):
        _, error, status = run("play", *words, "--level", 3)
        check(status == 1 and error.count("\n") == 1 and "does not err on purpose" in error, words, error)
    _, error, status = run("play", table, "--protocol", "--second")
    check(status == 2 and "--protocol has no sides" in error, error)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for spec in ("connect-5x5-k4", "mnk-3x3-k3", "numeric-2x2"):
        build(PLYBASE, spec)
    run("strategy", "numeric-2x2-each", "-o", "strategy")
    a_program_plays_itself("connect-5x5-k4.plb", "5 5")
    a_program_plays_itself("mnk-3x3-k3.plb", "3 3")
    a_wrong_line_ends_nothing("connect-5x5-k4.plb")
    numbers_and_strategies()
    it_errs_as_often_as_it_says("connect-5x5-k4.plb")
    it_says_that_it_errs("connect-5x5-k4.plb")
finish()
