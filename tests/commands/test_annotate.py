#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Annotations agree with probe before and after each move: test_annotate.py PLYBASE

Games are played at random here; values and distances of each position come from one batch of `probe`.
"""
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

from checks import check, finish

PLYBASE = os.path.abspath(sys.argv[1])
SIGN = {"win": 1, "draw": 0, "loss": -1}
SVG = "{http://www.w3.org/2000/svg}"
BACK = {sign: word for word, sign in SIGN.items()}


def plybase(*arguments, **more):
    return subprocess.run([PLYBASE, *map(str, arguments)], text=True, capture_output=True, **more)


def play_at_random(spec, table, count):
    """Random games as lists of legal moves; some are not over."""
    random.seed(7)
    games = []
    for _ in range(count):
        moves, most = [], random.choice([3, 99])
        while len(moves) < most:
            answer = json.loads(plybase("probe", table, "--json", "--moves", "".join(moves)).stdout)
            if answer["over"]:
                break
            moves.append(random.choice(answer["moves"])["move"])
        games.append(moves)
    return games


def probe_all(table, games):
    prefixes = sorted({"".join(game[:m]) for game in games for m in range(len(game) + 1)})
    answer = plybase("probe", table, "--moves", "-", input="\n".join(prefixes) + "\n").stdout.splitlines()
    return {line.split("\t")[0]: line.split("\t")[1:] for line in answer}


def wanted_rows(game, number, known):
    rows = []
    for m, move in enumerate(game):
        value, dtm, best = known["".join(game[:m])]
        after, after_dtm, _ = known["".join(game[:m + 1])]
        after = BACK[-SIGN[after]]
        best_after = known["".join(game[:m]) + best.split(",")[0]][1] if value == after else "-"
        lost = abs(int(after_dtm) - int(best_after)) if "-" not in (after_dtm, best_after) else 0
        rows.append([str(number), str(m + 1), "xo"[m % 2], move, value, dtm.strip("-"), after,
                     after_dtm.strip("-"), str(int(value != after)), str(lost), best.replace(",", " ")])
    return rows


def check_games(spec, *options):
    table = spec + ".plb"
    check(plybase("build", spec, "--quiet", *options).returncode == 0, spec)
    games = play_at_random(spec, table, 6)
    known = probe_all(table, games)
    bests = ["".join(game[:m]) + known["".join(game[:m])][2].split(",")[0]
             for game in games for m in range(len(game))]
    known.update(probe_all(table, [[best] for best in bests]))
    expected = [row for number, game in enumerate(games, 1) for row in wanted_rows(game, number, known)]
    run = plybase("annotate", table, "-", "--csv", input="".join("".join(game) + "\n" for game in games))
    got = list(csv.reader(run.stdout.splitlines()))
    check(got[0] == ["game", "ply", "player", "move", "before", "before_dtm", "after", "after_dtm",
                     "mistake", "plies_lost", "best"], got[0])
    check(got[1:] == expected and run.returncode == 0, spec, "csv", run.stderr)
    for game in games:
        moves = "".join(game)
        answer = json.loads(plybase("annotate", table, moves, "--json").stdout)
        rows = wanted_rows(game, 1, known)
        check([[step["move"], step["value_before"], step["value"], str(int(step["mistake"])),
                str(step["plies_lost"]), " ".join(step["best"])] for step in answer["played"]]
              == [[row[i] for i in (3, 4, 6, 8, 9, 10)] for row in rows], spec, "json", moves)
        check(answer["value"] == known[moves][0] and answer["mistakes"]
              == {player: sum(row[2] == player and row[8] == "1" for row in rows) for player in "xo"},
              spec, "summary", moves)
        text = plybase("annotate", table, moves).stdout
        check(text.count(" becomes ") == sum(row[8] == "1" for row in rows), spec, "mistakes", text)
        check(text.count(" slower") + text.count(" sooner") == sum(row[9] != "0" for row in rows), spec, text)
        check(max(map(len, text.splitlines())) <= 80, spec, "80 columns", text)


def check_text():
    answer = plybase("annotate", "connect-4x4-k3", "123443")
    check("    3 x 3     win in 7 plies   loss in 11 plies win becomes loss  1\n" in answer.stdout
          and "    1 x 1     win in 9 plies   win in 14 plies  6 plies slower    2,3\n" in answer.stdout
          and answer.stdout.endswith("mistakes: 2 of x, 2 of o\nx to move: win in 5 plies\n"), answer.stdout)
    check(plybase("annotate", "connect-4x4-k3", "2132323").stdout.endswith("x wins at ply 7\n"), "an end")
    run = plybase("annotate", "connect-4x4-k3", "-", "--csv", input="12\n9\n\n3\n")
    check(run.returncode == 1 and run.stderr.splitlines()[-1].startswith("plybase: game 2, 9: ")
          and [line[0] for line in run.stdout.splitlines()[1:]] == ["1", "1", "4"], run.stdout, run.stderr)
    run = plybase("annotate", "connect-4x4-k3", "-", "--input", "pons", input="12 -1\n")
    check(run.returncode == 0 and run.stdout.startswith("12\n  ply "), run.stderr)
    run = plybase("annotate", "connect-4x4-k3", "-", "--input=columns0", "--csv", input="0\n-\n99\n1\n")
    check([line[:2] for line in run.stdout.splitlines()[1:]] == ["1,", "4,"] and "game 2, -: " in run.stderr
          and "game 3, 99: " in run.stderr, run.stdout, run.stderr)
    run = plybase("annotate", "connect-4x4-k3.plb", "-", "--input=uci")
    check(run.returncode == 2 and run.stderr == "plybase: positions of --input uci are boards, and moves are needed\n", run.stderr)
    with open("/dev/full", "w") as full:
        run = subprocess.run([PLYBASE, "annotate", "connect-4x4-k3.plb", "1", "--svg", "-"], text=True, stdout=full, stderr=subprocess.PIPE)
    check(run.returncode == 1 and run.stderr.count("\n") == 1, "one message", run.stderr)
    for arguments in (["connect-4x4-k3"], ["connect-4x4-k3", "1", "-cj"]):
        check(plybase("annotate", *arguments).returncode == 2, arguments)


def words_of(step):
    """The text below a board."""
    def outcome(value, dtm):
        return f"{value} in {dtm} {'ply' if dtm == 1 else 'plies'}" if dtm else value
    lost = step["plies_lost"]
    cost = f"{step['value_before']} becomes {step['value']}" if step["mistake"] else "" if not lost else \
        f"{lost} {'ply' if lost == 1 else 'plies'} {'slower' if step['value'] == 'win' else 'sooner'}"
    return [f"{step['ply']}. {step['player']} {step['move']}", outcome(step["value"], step["dtm_plies"]), cost or None]


def check_strip():
    """The picture has a board for the start and after each move, all within its bounds."""
    for spec, moves in (("connect-4x4-k3", "123443"), ("connect-4x4-k3", "2132323"), ("mnk-3x3-k3", ""), ("numeric-2x2", "1@a12@b2")):
        answer = json.loads(plybase("annotate", spec, moves, "--json").stdout)
        run = plybase("annotate", spec, moves, "--svg", "-")
        picture = xml.fromstring(run.stdout)
        boards = picture.findall(SVG + "g")
        check([len(list(board.iter(SVG + "circle"))) for board in boards] == list(range(len(answer["played"]) + 1)), spec, "stones")
        signs = [text.text for board in boards for text in board.find(SVG + "svg").iter(SVG + "text") if text.text[0] in "+=-"]
        check(not signs, spec, "boards are bare", signs)
        below = [[text.text for text in board.findall(SVG + "text")][-3:] for board in boards]
        check(below[0][0] == "start" and below[1:] == [words_of(step) for step in answer["played"]], spec, below)
        red = [board.findall(SVG + "text")[-1].get("fill") == "#a33b00" for board in boards[1:]]
        check(red == [step["mistake"] for step in answer["played"]], spec, "mistakes", red)
        places = [tuple(map(int, board.get("transform").split("(")[1].split(")")[0].split(","))) for board in boards]
        check(len(set(places)) == len(boards) and all(0 <= x < int(picture.get("width")) and 0 <= y < int(picture.get("height"))
                                                      for x, y in places), spec, places)
        check(picture.find(SVG + "title").text == f"{spec}: {len(answer['played'])} moves, mistakes: {answer['mistakes']['x']} of x, "
              f"{answer['mistakes']['o']} of o", spec, "title")
    check(plybase("annotate", "connect-4x4-k3", "12", "--svg", "game.svg").returncode == 0 and os.path.exists("game.svg"), "a file")
    for arguments, status in (("12 --svg game.svg", 1), ("12 --svg game.svg --force", 0), ("99 --svg new.svg", 1), ("12 --svg game.png", 2),
                              ("- --svg -", 2), ("1 2 --svg -", 2), ("1 --svg - --json", 2), ("1 --force", 2)):
        check(plybase("annotate", "connect-4x4-k3", *arguments.split()).returncode == status, arguments)
    check(not os.path.exists("new.svg"), "a picture of a refused game")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    check_games("connect-4x4-k3", "--values", "dtm")
    check_games("connect-4x3-k3-misere")
    check_games("mnk-3x3-k3", "--values", "dtm")
    check_games("numeric-2x2", "--values", "dtm")
    check_text()
    check_strip()
    os.chdir("/")
finish(minimum=30)
