#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A tour of the Python package: what a table can answer, and a program that plays with it.

    plybase build connect-5x5-k4
    python3 tutorial.py connect-5x5-k4.plb

A table of any game will do.
"""
import argparse
import random
from array import array

import plybase

WORDS = {1: "win", 0: "draw", -1: "loss"}


def play_at_random(table, games, chance):
    """The first player follows the table, the second plays randomly. Returns results of the
    first."""
    results = []
    for _ in range(games):
        board = plybase.Board(table)
        while board.outcome() is None:
            moves = board.legal_moves  # best first
            board.push(moves[0] if board.turn == "x" else chance.choice(moves))
        results.append({"x": 1, "o": -1, None: 0}[board.outcome().winner])
    return results


def tour(table, picture):
    # 1. The description of a table.
    info = table.info
    print(f"{info.spec}: {info.positions:,} positions, {info.goal} on {info.width}x{info.height}")

    # 2. The value of a position, for the player to move, and of each move.
    board = plybase.Board(table)
    print(f"the empty board: {WORDS[table.probe(board).value]} for {board.turn}")
    print("first moves:", ", ".join(f"{move} {WORDS[move.value]}" for move in board.legal_moves))

    # 3. Playing moves, and taking them back.
    first = board.legal_moves[0]
    board.push(first)
    second = board.legal_moves[-1]
    board.push(second)
    value = WORDS[table.probe(board).value]
    print(f"after {first} and {second}: {board}, {value} for {board.turn}")
    if picture:
        with open(picture, "w", encoding="utf-8") as file:
            file.write(board._repr_svg_())  # a notebook shows a board as this picture

    # 4. How long does the game take? If the table has no distances, a search finds them.
    best = table.find_best(board, seconds=20)
    plies = "unknown" if best.value and not best.exact else best.dtm
    print(f"best: {', '.join(map(str, best.moves))}; plies to the end: {plies}")
    board.pop()

    # 5. A position that cannot arise is refused, and the exception says why.
    try:
        table.probe((1, 1))
    except plybase.PositionError as refusal:
        print("refused:", refusal)

    # 6. Many positions at once, as arrays, also of numpy.
    listed = list(table.positions(ply=4))
    x, o = (array("Q", words) for words in zip(*[(one.x, one.o) for one in listed]))
    values = table.probe_many(x=x, o=o).value.tolist()
    counts = ", ".join(f"{values.count(value):,} {word}" for value, word in WORDS.items())
    print(f"ply 4, for the player to move: {counts}")

    # 7. A program that plays.
    results = play_at_random(table, 100, random.Random(1))
    counts = ", ".join(f"{results.count(value)} {word}" for value, word in WORDS.items())
    print(f"100 games against random moves: {counts}")


def main():
    parser = argparse.ArgumentParser(description="A tour of the Python package of Plybase.")
    parser.add_argument("table", help="file of a table, such as connect-5x5-k4.plb")
    parser.add_argument("--picture", metavar="FILE", help="write a picture of a board (SVG)")
    options = parser.parse_args()
    with plybase.open(options.table) as table:
        tour(table, options.picture)


if __name__ == "__main__":
    main()
