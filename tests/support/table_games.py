# SPDX-License-Identifier: MIT
"""The games of tables/FORMAT.md, section 3, written from it. A position is two numbers (x, o).

Both classes have `cells`, `lines` (the groups, as sets of cells), `ends_at_least` (the first ply at
which x can complete one), `misere`, and answer

    occupied(x, o)   the set of cells that are taken
    children(x, o)   the positions after every legal move, even if the game is over
    complete(x, o)   has the player who moved last completed a group?
    images(x, o)     the images of the position under all symmetries
    parse(text)      a position from the notation of the command
    from_words(x, o) a position from the record `distances`
"""
from itertools import product


class Board:
    """W columns, H rows."""

    def __init__(self, size):
        self.width, self.height = (int(n) for n in size.split("x"))
        self.cells = self.width * self.height
        self.at = {(c, r): self.cell(c, r)
                   for c, r in product(range(self.width), range(self.height))}

    def cell(self, column, row):
        mirrored = self.width - 1 - column
        return (2 * column if column <= mirrored else 2 * mirrored + 1) * self.height + row

    def ply(self, x, o):
        return self.occupied(x, o).bit_count()

    def place(self, word, bits):
        """Reorder a word whose cell (c, r) has its bits at c * H + r, to the numbers of cells."""
        return sum((word >> bits * n & (1 << bits) - 1) << bits * self.cell(*divmod(n, self.height))
                   for n in range(self.cells))


class Stones(Board):
    def __init__(self, family, size, *rest):
        super().__init__(size)
        self.gravity = family == "connect"
        self.misere, cylinder = "misere" in rest, "cylinder" in rest
        k = self.k = 4 if family == "square" else int(rest[0][1:])
        ways = ((1, 0), (0, 1), (1, 1), (1, -1))
        shapes = [[(i * dx, i * dy) for i in range(k)] for dx, dy in ways]
        if family == "square":
            shapes = [[(0, 0), (s, 0), (0, s), (s, s)] for s in range(1, self.width)]
        lines = [[((c + x) % self.width if cylinder else c + x, r + y) for x, y in shape]
                 for c, r in self.at for shape in shapes]
        self.lines = {frozenset(self.at[place] for place in line) for line in lines
                      if len(set(line)) == k and all(place in self.at for place in line)}
        self.masks = [sum(1 << cell for cell in line) for line in self.lines]
        self.ends_at_least = 2 * (k if self.lines else self.cells) - 1
        self.find_symmetries(cylinder)

    def find_symmetries(self, cylinder):
        self.symmetries = []
        for swap, mirror, over, turn in product((0, 1), (0, 1), (0, 1), range(self.width)):
            image = {}
            for (c, r), cell in self.at.items():
                x, y = (r, c) if swap else (c, r)
                x, y = (self.width - 1 - x if mirror else x) + turn, self.height - 1 - y if over else y
                image[cell] = self.at.get((x % self.width if cylinder else x, y), -1)
            lines = {frozenset(image[cell] for cell in line) for line in self.lines}
            fits = not (swap or over) if self.gravity else not (swap and cylinder)
            if fits and lines == self.lines and len(set(image.values()) - {-1}) == self.cells:
                self.symmetries += [image] if image not in self.symmetries else []

    def from_words(self, x, o):
        return self.place(x, 1), self.place(o, 1)

    def occupied(self, x, o):
        return x | o

    def children(self, x, o):
        free = self.playable(x | o)
        odd = self.ply(x, o) % 2
        return [(x, o | 1 << cell) if odd else (x | 1 << cell, o) for cell in free]

    def complete(self, x, o):
        last = x if self.ply(x, o) % 2 else o
        return any(mask & ~last == 0 for mask in self.masks)

    def threats(self, mine, empty):
        """The empty cells on which a stone completes a group."""
        lacking = (mask & ~mine for mask in self.masks)
        return {cell.bit_length() - 1 for cell in lacking if cell & (cell - 1) == 0 and cell & empty}

    def playable(self, occupied):
        return [cell for cell in range(self.cells) if not occupied >> cell & 1 and (
            not self.gravity or cell % self.height == 0 or occupied >> (cell - 1) & 1)]

    def is_quiet(self, x, o):
        """Section 10."""
        if any(mask & ~stones == 0 for mask in self.masks for stones in (x, o)):
            return False
        empty, playable = 2**self.cells - 1 & ~(x | o), self.playable(x | o)
        mover, other = (x, o) if self.ply(x, o) % 2 == 0 else (o, x)
        ours, theirs = self.threats(mover, empty), self.threats(other, empty)
        if self.misere:
            return sum(cell not in ours for cell in playable) > 1
        if any(cell in ours | theirs for cell in playable):
            return False
        return sum(not self.gravity or (cell + 1) % self.height == 0 or cell + 1 not in theirs
                   for cell in playable) > 1

    def features(self, x, o):
        empty, found = 2**self.cells - 1 & ~(x | o), 0
        threats = [self.threats(stones, empty) for stones in (o, x)]
        lowest = {}
        for cell in sorted(threats[0] | threats[1]):
            lowest.setdefault(cell // self.height, cell)
        for cell in lowest.values():
            for owner in (0, 1):
                if cell in threats[owner]:
                    found |= 1 << 2 * owner + cell % self.height % 2
        return found

    def map(self, symmetry, stones):
        return sum(1 << to for cell, to in self.symmetries[symmetry].items() if stones >> cell & 1)

    def images(self, x, o):
        return [(self.map(s, x), self.map(s, o)) for s in range(len(self.symmetries))]

    def parse(self, text):
        x = o = 0
        for row, line in enumerate(reversed(text.split("/"))):
            column, number = 0, ""
            for c in line + "!":
                if c.isdigit():
                    number += c
                    continue
                column, number = column + int(number or 0), ""
                if c in "xo":
                    bit = 1 << self.cell(column, row)
                    x, o = (x | bit, o) if c == "x" else (x, o | bit)
                    column += 1
        return x, o


class Numbers(Board):
    """o is the set of occupied cells, x the tiles on them, 4 bits for each cell."""

    def __init__(self, _family, size, rest=""):
        super().__init__(size)
        self.misere, side = False, self.width
        self.each = rest == "each"
        self.largest = self.cells // 2 if self.each else self.cells
        self.target = side * (self.largest + 1) // 2
        first = [int(digit, 17) for digit in rest[5:]] or range(1, self.cells + 1, 2)
        self.owner = [t >= self.largest if self.each else t + 1 not in first
                      for t in range(self.cells)]
        ways = [[(c, r) for r in range(side)] for c in range(side)]
        ways += [[(c, r) for c in range(side)] for r in range(side)]
        ways += [[(i, i) for i in range(side)], [(i, side - 1 - i) for i in range(side)]]
        self.lines = {frozenset(self.at[place] for place in way) for way in ways}
        self.ends_at_least = side - 1 + side % 2
        self.symmetries = [(cells, tiles) for tiles in self.exchanges()
                           for cells in self.permutations([])]

    def value(self, tile):
        return tile % self.largest + 1

    def exchanges(self):
        """Permutations of tiles: the identity, and the exchange of v and largest + 1 - v."""
        opposite = [tile - 2 * self.value(tile) + 1 + self.largest for tile in range(self.cells)]
        fits = all(self.owner[t] == self.owner[to] for t, to in enumerate(opposite))
        sums = self.width * (self.largest + 1) - self.target == self.target
        return [list(range(self.cells))] + ([opposite] if fits and sums else [])

    def permutations(self, begun):
        """The permutations of cells that map lines to lines and begin with `begun`."""
        if len(begun) == self.cells:
            return [begun]
        found = []
        for to in set(range(self.cells)) - set(begun):
            tried = begun + [to]
            parts = [{tried[cell] for cell in line if cell < len(tried)} for line in self.lines]
            if all(any(part <= line for line in self.lines) for part in parts):
                found += self.permutations(tried)
        return found

    def from_words(self, x, o):
        return self.place(x, 4), self.place(o, 1)

    def occupied(self, _x, o):
        return o

    def tiles(self, x, o):
        return {cell: x >> 4 * cell & 15 for cell in range(self.cells) if o >> cell & 1}

    def children(self, x, o):
        played = set(self.tiles(x, o).values())
        own = [t for t in range(self.cells)
               if t not in played and self.owner[t] == self.ply(x, o) % 2]
        return [(x | tile << 4 * cell, o | 1 << cell)
                for cell in range(self.cells) if not o >> cell & 1 for tile in own]

    def complete(self, x, o):
        tiles = self.tiles(x, o)
        return any(all(cell in tiles for cell in line) and
                   sum(self.value(tiles[cell]) for cell in line) == self.target
                   for line in self.lines)

    def images(self, x, o):
        tiles = self.tiles(x, o).items()
        return [(sum(to[tile] << 4 * cells[cell] for cell, tile in tiles),
                 sum(1 << cells[cell] for cell, _ in tiles)) for cells, to in self.symmetries]

    def parse(self, text):
        x = o = 0
        for row, line in enumerate(reversed(text.split("/"))):
            for column, number in enumerate(line.split(",")):
                if number != ".":
                    cell, prime = self.cell(column, row), number.endswith("'")
                    tile = int(number.rstrip("'")) - 1 + (self.largest if prime else 0)
                    x, o = x | tile << 4 * cell, o | 1 << cell
        return x, o


def game(spec):
    family, *rest = spec.split("-")
    return (Numbers if family == "numeric" else Stones)(family, *rest)
