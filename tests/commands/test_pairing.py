#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks `plybase pairing --json` on random positions, with independent rules and proofs.

    test_pairing.py PLYBASE
"""
import functools
import itertools
import json
import random
import subprocess
import sys

GAMES = [("mnk", 3, 3, 3, ""), ("mnk", 4, 4, 4, ""), ("mnk", 5, 5, 4, ""), ("mnk", 5, 4, 4, "-misere"),
         ("mnk", 4, 4, 4, "-misere"), ("mnk", 4, 4, 4, "-cylinder"), ("mnk", 5, 5, 5, "-misere-cylinder"),
         ("square", 4, 4, 4, ""), ("square", 5, 4, 4, "-misere"), ("mnk", 8, 8, 6, ""), ("mnk", 30, 2, 3, "")]
POSITIONS = 12  # per game
SEARCHED = [("mnk", 5, 5, 4, ""), ("mnk", 5, 5, 4, "-misere"), ("mnk", 5, 4, 4, "-cylinder")]
SEARCHED_POSITIONS = 60  # per game, each with at least so many plies:
SEARCHED_PLIES = 10


def name(column, row):
    letters = "abcdefghijklmnopqrstuvwxyz"
    text = letters[column] if column < 26 else letters[column // 26 - 1] + letters[column % 26]
    return f"{text}{row + 1}"


def groups_of(family, width, height, k, suffix):
    groups = set()
    for column, row in itertools.product(range(width), range(height)):
        if family == "square":
            shapes = [[(0, 0), (s, 0), (0, s), (s, s)] for s in range(1, width)]
        else:
            shapes = [[(i * dx, i * dy) for i in range(k)]
                      for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))]
        for shape in shapes:
            cells = [(column + dx, row + dy) for dx, dy in shape]
            if "cylinder" in suffix:
                cells = [(c % width, r) for c, r in cells]
            if all(0 <= c < width and 0 <= r < height for c, r in cells) and \
                    len(set(cells)) == len(cells):
                groups.add(frozenset(name(c, r) for c, r in cells))
    return groups


def random_position(cells, groups, least_plies, rng):
    """Stones of x and o after random moves, without a complete group."""
    while True:
        plies = rng.randrange(least_plies, len(cells))
        order = rng.sample(cells, plies)
        stones = (set(order[0::2]), set(order[1::2]))
        if not any(group <= own for group in groups for own in stones):
            return stones


def board_text(width, height, x, o):
    rows = []
    for row in reversed(range(height)):
        cells = ["x" if name(c, row) in x else "o" if name(c, row) in o else " "
                 for c in range(width)]
        rows.append("".join(key if key != " " else str(len(list(run)))
                            for key, run in ((k, list(r)) for k, r in itertools.groupby(cells))
                            for run in ([run] if key == " " else [[c] for c in run])))
    return "/".join(rows)


@functools.lru_cache(None)
def second_player_blocks(groups):
    """Two players take markers in turn: does the second one get a marker of every group?"""
    words = [frozenset(group) for group in groups]

    @functools.lru_cache(None)
    def blocks(first, second, moves_first):
        if any(word <= first for word in words):
            return False
        if all(word & second for word in words):
            return True
        free = frozenset().union(*words) - first - second
        if moves_first:
            return all(blocks(first | {m}, second, False) for m in free)
        return any(blocks(first, second | {m}, True) for m in free)

    return blocks(frozenset(), frozenset(), True)


def check_parts(parts, own_sets, empty, misere, places_last):
    """Why these parts prove nothing, or None."""
    used, served = set(), []
    configurations = [part for part in parts if part["name"] != "pair"]
    for part in parts:
        markers = part.get("markers") or dict(zip("ab", part["cells"]))
        words = part.get("groups", ["ab"])
        cells = list(markers.values())
        if len(set(cells)) != len(cells) or used & set(cells) or not set(cells) <= empty:
            return f"{part}: cells are used twice, or not empty"
        used |= set(cells)
        if set("".join(words)) != set(markers) or not second_player_blocks(tuple(words)):
            return f"{part}: the second player does not block all groups"
        served += [{markers[m] for m in word} for word in words]
    for cells in own_sets:
        if not any(group <= cells for group in served):
            return f"the group {sorted(cells)} has no part"
    if misere and (len(configurations) > 1 or configurations and places_last):
        return "too many configurations for misere play"
    return None


def spec_of(game):
    family, width, height, k, suffix = game
    return f"{family}-{width}x{height}" + (f"-k{k}" if family == "mnk" else "") + suffix


def check_position(plybase, game, rng, least_plies=0):
    """The proofs that were found: position, player to move, player of the proof, and parts."""
    _, width, height, _, suffix = game
    spec = spec_of(game)
    groups = groups_of(*game)
    cells = [name(c, r) for c in range(width) for r in range(height)]
    x, o = random_position(cells, groups, least_plies, rng)
    rule = rng.choice(["pairing", "set-matching"])
    done = subprocess.run([plybase, "pairing", spec, board_text(width, height, x, o), "--json",
                           "--rule", rule, "--steps", "20000"], capture_output=True, text=True,
                          check=False)
    assert done.stdout, done.stderr
    answer, proven = json.loads(done.stdout), []
    for found in answer["players"]:
        own, others = (x, o) if found["player"] == "x" else (o, x)
        sets = [group - own for group in groups if not group & others]
        actual = sorted(sorted(group) for group in found["open_groups"])
        assert actual == sorted(sorted(group) for group in sets), f"{spec}: open groups {actual}"
        if found["verdict"] != "proven":
            assert not found["parts"]
            continue
        places_last = (found["player"] == "x") == (len(cells) % 2 == 1)
        wrong = check_parts(found["parts"], sets, set(cells) - x - o, "misere" in suffix,
                            places_last)
        assert not wrong, f"{spec} {answer['position']}, {found['player']}: {wrong}"
        names = {part["name"] for part in found["parts"]}
        assert rule == "set-matching" or names <= {"pair"}
        proven.append((answer["position"], answer["to_move"], found["player"],
                       "configurations" if names - {"pair"} else "pairs"))
    assert (done.returncode == 0) == bool(proven)
    return proven


def check_by_search(plybase, game, rng):
    """No proof contradicts the value of a forward search. Returns the number of comparisons."""
    proven = [proof for _ in range(SEARCHED_POSITIONS)
              for proof in check_position(plybase, game, rng, SEARCHED_PLIES)]
    positions = "".join(proof[0] + "\n" for proof in proven)
    done = subprocess.run([plybase, "solve", spec_of(game), "-", "--nodes", "100000"],
                          input=positions, capture_output=True, text=True, check=False)
    compared = 0
    for (position, to_move, player, _), line in zip(proven, done.stdout.splitlines(), strict=True):
        value = {"win": 1, "draw": 0, "loss": -1}.get(line.split("\t")[1])
        if value is None:
            continue
        own = value if player == to_move else -value
        good = own >= 0 if "misere" in game[4] else own <= 0
        assert good, f"{spec_of(game)} {position}: proven for {player}, but searched: {line}"
        compared += 1
    return compared


def main():
    plybase, rng, proven = sys.argv[1], random.Random(1), []
    for game in GAMES:
        for _ in range(POSITIONS):
            proven += [proof[3] for proof in check_position(plybase, game, rng)]
    print(f"{proven.count('pairs')} proofs by pairs, {proven.count('configurations')} by "
          "configurations are good")
    assert proven.count("pairs") >= 50 and proven.count("configurations") >= 3
    compared = sum(check_by_search(plybase, game, rng) for game in SEARCHED)
    print(f"{compared} agree with a search")
    assert compared >= 30
    flawed = [{"name": "Triangle", "markers": dict(zip("abcde", "vwxyz")),
               "groups": ["ab", "adc", "be"]}]
    assert check_parts(flawed, [], set("vwxyz"), False, False)
    assert check_parts([{"name": "pair", "cells": ["v", "w"]}], [{"v", "x"}], set("vwx"), False, False)


if __name__ == "__main__":
    main()
