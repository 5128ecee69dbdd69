# SPDX-License-Identifier: MIT
"""A reader of Plybase tables, written from tables/FORMAT.md; it shares no code with the project."""
import struct
from functools import lru_cache
from itertools import combinations, product
from math import comb

import xxhash
import zstandard


def walk(data, page_bytes, page):
    """Keys and values of a tree of LMDB, in order."""
    if page == 2**64 - 1:
        return
    at = page * page_bytes
    kind, lower = struct.unpack_from("<HH", data, at + 10)
    for pointer in struct.unpack_from(f"<{(lower - 16) // 2}H", data, at + 16):
        low, flags, key_size = struct.unpack_from("<IHH", data, at + pointer)
        begin = at + pointer + 8 + key_size
        if kind == 1:
            yield from walk(data, page_bytes, low | flags << 32)
            continue
        key = data[at + pointer + 8:begin]
        if flags == 1:
            begin = struct.unpack_from("<Q", data, begin)[0] * page_bytes + 16
        yield key, data[begin:begin + low]


class Table:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        size, = struct.unpack_from("<I", data, 40)
        main = max(struct.unpack_from("<Q8xQ", data, at + 128)[::-1] for at in (0, size))[1]
        databases = {name: dict(walk(data, size, struct.unpack_from("<Q", record, 40)[0]))
                     for name, record in walk(data, size, main)}
        self.meta, self.stats = databases[b"meta"], databases[b"stats"]
        self.segments = databases[b"blocks"]
        self.identity = xxhash.xxh3_64_intdigest(self.meta[b"description"][:-8])
        facts = dict(line.split(" ") for line in self.record(b"description").decode().splitlines())
        assert facts["format"] == "2" and facts["compression"].startswith("zstd-")
        self.make_game(*facts["spec"].split("-"))
        assert len(self.symmetries) == int(facts["symmetries"])
        self.block, self.has_dtm = int(facts["block"]), facts["values"] == "dtm"
        self.first_end = 2 * (len(min(self.groups)) if self.groups else self.cells) - 1
        rounds = max(0, self.cells - self.first_end) // 2
        self.planes = 2 + (rounds.bit_length() if self.has_dtm else 0)

    def unseal(self, key, sealed):
        """What is sealed, which its seal follows."""
        seed = xxhash.xxh3_64_intdigest(key, self.identity)
        assert sealed[-8:] == xxhash.xxh3_64_digest(sealed[:-8], seed), key
        return sealed[:-8]

    def record(self, name):
        return self.unseal(name, self.meta[name])

    # ---- the game: a cell is a number, a set of cells an integer of bits

    def make_game(self, family, size, *rest):
        self.width, self.height = width, height = [int(n) for n in size.split("x")]
        self.cells, self.gravity = width * height, family == "connect"
        self.misere, cylinder = "misere" in rest, "cylinder" in rest
        k = 4 if family == "square" else int(rest[0][1:])
        board = {(c, r): self.cell(c, r) for c, r in product(range(width), range(height))}
        ways = ((1, 0), (0, 1), (1, 1), (1, -1))
        shapes = [[(i * dx, i * dy) for i in range(k)] for dx, dy in ways]
        if family == "square":
            shapes = [[(0, 0), (s, 0), (0, s), (s, s)] for s in range(1, width)]
        lines = [[((c + x) % width if cylinder else c + x, r + y) for x, y in shape]
                 for c, r in board for shape in shapes]
        self.groups = {frozenset(board[at] for at in line) for line in lines
                       if len(set(line)) == k and all(at in board for at in line)}
        self.masks = [sum(1 << cell for cell in group) for group in self.groups]
        self.symmetries = []
        for swap, mirror, over, turn in product((0, 1), (0, 1), (0, 1), range(width)):
            image = {}
            for (c, r), cell in board.items():
                x, y = (r, c) if swap else (c, r)
                x, y = (width - 1 - x if mirror else x) + turn, height - 1 - y if over else y
                image[cell] = board.get((x % width if cylinder else x, y), -1)
            groups = {frozenset(image[cell] for cell in group) for group in self.groups}
            fits = not (swap or over) if self.gravity else not (swap and cylinder)
            if fits and groups == self.groups and len(set(image.values()) - {-1}) == self.cells:
                self.symmetries += [image] if image not in self.symmetries else []

    def cell(self, column, row):
        mirrored = self.width - 1 - column
        return (2 * column if column <= mirrored else 2 * mirrored + 1) * self.height + row

    def has_group(self, stones):
        return any(mask & ~stones == 0 for mask in self.masks)

    def playable(self, occupied):
        return [cell for cell in range(self.cells) if not occupied >> cell & 1 and (
            not self.gravity or cell % self.height == 0 or occupied >> (cell - 1) & 1)]

    # ---- where an outcome is stored

    def map(self, symmetry, stones):
        return sum(1 << to for cell, to in self.symmetries[symmetry].items() if stones >> cell & 1)

    @lru_cache(maxsize=None)
    def canonical(self, occupied):
        """The least image of a set, and a symmetry that gives it."""
        return min((self.map(s, occupied), s) for s in range(len(self.symmetries)))

    @lru_cache(maxsize=None)
    def slabs(self, ply):
        """Numbers of the canonical sets of a ply, in their order."""
        if self.gravity:
            columns = product(range(self.height + 1), repeat=self.width)
            sets = [sum((2**h - 1) << slot * self.height for slot, h in enumerate(heights))
                    for heights in columns if sum(heights) == ply]
        else:
            sets = [sum(1 << c for c in cells) for cells in combinations(range(self.cells), ply)]
        return {s: n for n, s in enumerate(sorted(s for s in sets if self.canonical(s)[0] == s))}

    def find(self, ply, slab, rank):
        """First block of the segment, its blocks; the block in it, its entries, the one wanted. A
        bundle is what shares a block, many slabs, or the blocks of one slab."""
        size, slabs = comb(ply, (ply + 1) // 2), len(self.slabs(ply))
        bundle_slabs, bundle_blocks = max(1, self.block // size), -(-size // self.block)
        bundle, slab = divmod(slab, bundle_slabs)
        most = max(1, 2**20 // (bundle_slabs * size))
        segment, bundle_in_it = divmod(bundle, most)
        bundles = min(most, -(-slabs // bundle_slabs) - segment * most)
        n, offset = divmod(slab * size + rank, self.block)
        entries = min(bundle_slabs, slabs - bundle * bundle_slabs) * size
        return (segment * most * bundle_blocks, bundles * bundle_blocks,
                bundle_in_it * bundle_blocks + n, min(self.block, entries - n * self.block), offset)

    @lru_cache(maxsize=None)
    def planes_of(self, ply, first, blocks, block, entries):
        """The planes of a block, as integers of bits."""
        content = self.segments[struct.pack(">HQ", ply, first)]
        ends = (0,) + struct.unpack_from(f"<{blocks}I", content)
        begin, end = (4 * blocks + ends[block + n] for n in (0, 1))
        sealed = content[begin + 8:end] + content[begin:begin + 8]
        payload = self.unseal(struct.pack(">HQ", ply, first + block), sealed)
        size = -(-entries // 64) * 8
        raw = zstandard.ZstdDecompressor().decompress(
            b"\x28\xb5\x2f\xfd" + payload, max_output_size=size * self.planes)
        return [int.from_bytes(raw[size * p:size * (p + 1)], "little") for p in range(self.planes)]

    def stored(self, x, o):
        ply = (x | o).bit_count()
        canonical, symmetry = self.canonical(x | o)
        stones = [cell for cell in range(self.cells) if canonical >> cell & 1]
        ones = [stone for stone, cell in enumerate(stones) if self.map(symmetry, x) >> cell & 1]
        rank = sum(comb(stone, n + 1) for n, stone in enumerate(ones))
        *place, offset = self.find(ply, self.slabs(ply)[canonical], rank)
        x_wins, o_wins, *bits = (plane >> offset & 1 for plane in self.planes_of(ply, *place))
        if not x_wins and not o_wins:
            return 0, 0
        rounds = sum((bit ^ x_wins) << n for n, bit in enumerate(bits))
        dtm = self.first_end + 2 * rounds + (bool(x_wins) == self.misere) - ply
        return (1 if bool(x_wins) == (ply % 2 == 0) else -1), dtm

    # ---- values

    def answer(self, x, o):
        """Value for the player to move, and distance (None: a draw, or the table has none)."""
        value, dtm = self.resolve(x, o)
        return value, dtm if value and self.has_dtm else None

    @lru_cache(maxsize=None)
    def resolve(self, x, o):
        ply = (x | o).bit_count()
        mover, other = (x, o) if ply % 2 == 0 else (o, x)
        if self.has_group(other) or ply == self.cells:
            return (0 if not self.has_group(other) else 1 if self.misere else -1), 0
        moves = self.playable(x | o)
        completing = [m for m in moves if self.has_group(mover | 1 << m)]
        if completing and not self.misere:
            return 1, 1
        safe = [m for m in moves if m not in completing and (self.misere or not any(
            self.has_group(other | 1 << r) for r in self.playable(x | o | 1 << m)))]
        if not safe:
            return -1, 1 if self.misere else 2
        if len(safe) > 1 and ply % 2 == 0:
            return self.stored(x, o)
        replies = [self.resolve(*((x | 1 << m, o) if ply % 2 == 0 else (x, o | 1 << m))) for m in safe]
        return max(((-v, dtm + 1) for v, dtm in replies), key=lambda a: (a[0], -a[0] * a[1]))
