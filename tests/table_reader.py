# SPDX-License-Identifier: MIT
"""A reader of Plybase tables, written from tables/FORMAT.md; it shares no code with the project."""
import struct
from functools import lru_cache
from itertools import combinations, product
from math import comb

import xxhash
import zstandard

NO_PAGE = 2**64 - 1


def walk(data, page_bytes, page):
    """Keys and values of a tree of LMDB, in order."""
    if page == NO_PAGE:
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
        page_bytes, = struct.unpack_from("<I", data, 40)
        metas = [data[:page_bytes], data[page_bytes:2 * page_bytes]]
        meta = max(metas, key=lambda m: struct.unpack_from("<Q", m, 144)[0])
        databases = {name: dict(walk(data, page_bytes, struct.unpack_from("<Q", record, 40)[0]))
                     for name, record in walk(data, page_bytes, struct.unpack_from("<Q", meta, 128)[0])}
        self.meta, self.stats, self.segments = (databases[n] for n in (b"meta", b"stats", b"blocks"))
        description = self.meta[b"description"][:-8]
        self.identity = xxhash.xxh3_64_intdigest(description)
        names = [name for name in sorted(self.meta) if name not in (b"description", b"contents")]
        assert self.record(b"contents") == b"".join(name + b"\n" for name in names)
        assert self.record(b"description") == description
        self.facts = dict(line.split(" ") for line in description.decode().splitlines())
        assert self.facts["format"] == "2" and self.facts["compression"].startswith("zstd-")
        self.make_game(*self.facts["spec"].split("-"))
        assert len(self.symmetries) == int(self.facts["symmetries"])
        self.block = int(self.facts["block"])
        self.first_end = 2 * (len(self.groups[0]) if self.groups else self.cells) - 1
        rounds = max(0, self.cells - self.first_end) // 2
        self.planes = 2 + (rounds.bit_length() if self.facts["values"] == "dtm" else 0)

    def seal(self, key, content):
        seed = xxhash.xxh3_64_intdigest(key, self.identity)
        return xxhash.xxh3_64_digest(content, seed)

    def record(self, name):
        content, seal = self.meta[name][:-8], self.meta[name][-8:]
        assert seal == self.seal(name, content), name
        return content

    def counts(self, ply):
        """Total, terminal, won, drawn, lost."""
        key = struct.pack(">H", ply)
        content, seal = self.stats[key][:-8], self.stats[key][-8:]
        assert seal == self.seal(key, content), ply
        return struct.unpack(">5Q", content)

    def distances(self, ply):
        """(wins?, plies, positions), where there are any; then x, o of a longest win, of a loss."""
        numbers, at = struct.unpack(">%dQ" % (len(self.meta[b"distances"]) // 8 - 1),
                                    self.record(b"distances")), 0
        for earlier in range(ply):
            at += self.cells - earlier + 1 + 4
        end = at + self.cells - ply + 1
        counts = [((plies % 2 == 1) != self.misere, plies, count)
                  for plies, count in enumerate(numbers[at:end]) if count]
        return counts, numbers[end:end + 2], numbers[end + 2:end + 4]

    # ---- the game; a cell is a number, a set of cells an integer of bits

    def make_game(self, family, size, *rest):
        width, height = self.width, self.height = [int(n) for n in size.split("x")]
        self.cells, self.gravity = width * height, family == "connect"
        self.misere, cylinder = "misere" in rest, "cylinder" in rest
        groups = set()
        for c, r in product(range(width), range(height)):
            if family == "square":
                lines = [[(c, r), (c + s, r), (c, r + s), (c + s, r + s)] for s in range(1, width)]
            else:
                k = int(rest[0][1:])
                lines = [[(c + i * dx, r + i * dy) for i in range(k)]
                         for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))]
            for line in lines:
                line = {(x % width if cylinder else x, y) for x, y in line}
                whole = len(line) == (4 if family == "square" else k)
                if whole and all(0 <= x < width and 0 <= y < height for x, y in line):
                    groups.add(frozenset(self.cell(x, y) for x, y in line))
        self.groups = list(groups)
        self.masks = [sum(1 << cell for cell in group) for group in groups]
        images = set()
        for swap, flip, turn_over, turn in product((0, 1), (0, 1), (0, 1), range(width)):
            if swap and (width != height or cylinder) or turn and not cylinder:
                continue
            image = [0] * self.cells
            for c, r in product(range(width), range(height)):
                x, y = (r, c) if swap else (c, r)
                x, y = (width - 1 - x if flip else x), (height - 1 - y if turn_over else y)
                image[self.cell(c, r)] = self.cell((x + turn) % width, y)
            rows_stay = all(cell % height == to % height for cell, to in enumerate(image))
            if (rows_stay or not self.gravity) and \
                    all(frozenset(image[cell] for cell in group) in groups for group in groups):
                images.add(tuple(image))
        self.symmetries = list(images)

    def cell(self, column, row):
        mirrored = self.width - 1 - column
        slot = 2 * column if column <= mirrored else 2 * mirrored + 1
        return slot * self.height + row

    def has_group(self, stones):
        return any(mask & ~stones == 0 for mask in self.masks)

    def playable(self, occupied):
        return [cell for cell in range(self.cells) if not occupied >> cell & 1 and (
            not self.gravity or cell % self.height == 0 or occupied >> (cell - 1) & 1)]

    # ---- places

    def map(self, image, stones):
        return sum(1 << to for cell, to in enumerate(image) if stones >> cell & 1)

    @lru_cache(maxsize=None)
    def canonical(self, occupied):
        """The least image of a set, and a symmetry that gives it."""
        return min((self.map(image, occupied), image) for image in self.symmetries)

    @lru_cache(maxsize=None)
    def slabs(self, ply):
        """Numbers of the canonical sets of a ply, in their order."""
        if self.gravity:
            columns = product(range(self.height + 1), repeat=self.width)
            sets = [sum((2**h - 1) << slot * self.height for slot, h in enumerate(heights))
                    for heights in columns if sum(heights) == ply]
        else:
            sets = [sum(1 << cell for cell in cells) for cells in combinations(range(self.cells), ply)]
        return {s: n for n, s in enumerate(sorted(s for s in sets if self.canonical(s)[0] == s))}

    def find(self, ply, slab, rank):
        """First block of the segment, its blocks; the block in it, its indices, the one wanted."""
        size, slabs = comb(ply, (ply + 1) // 2), len(self.slabs(ply))
        if size > self.block:
            per_slab = -(-size // self.block)
            in_segment = max(1, 2**20 // size)
            segment, slab = divmod(slab, in_segment)
            blocks = min(in_segment, slabs - segment * in_segment) * per_slab
            n, offset = divmod(rank, self.block)
            indices = min(self.block, size - n * self.block)
            return segment * in_segment * per_slab, blocks, slab * per_slab + n, indices, offset
        per_block = self.block // size
        in_segment = max(1, 2**20 // (per_block * size))
        block, slab = divmod(slab, per_block)
        segment, block = divmod(block, in_segment)
        left = slabs - segment * in_segment * per_block
        indices = min(per_block, left - block * per_block) * size
        blocks = min(in_segment, -(-left // per_block))
        return segment * in_segment, blocks, block, indices, slab * size + rank

    @lru_cache(maxsize=None)
    def planes_of(self, ply, first, blocks, block, indices):
        """The planes of a block, as integers of bits."""
        content = self.segments[struct.pack(">HQ", ply, first)]
        ends = (0,) + struct.unpack_from(f"<{blocks}I", content)
        begin, end = (4 * blocks + ends[block + n] for n in (0, 1))
        seal, payload = content[begin:begin + 8], content[begin + 8:end]
        assert seal == self.seal(struct.pack(">HQ", ply, first + block), payload), (ply, block)
        size = -(-indices // 64) * 8
        raw = zstandard.ZstdDecompressor().decompress(
            b"\x28\xb5\x2f\xfd" + payload, max_output_size=size * self.planes)
        return [int.from_bytes(raw[size * p:size * (p + 1)], "little") for p in range(self.planes)]

    def stored(self, x, o):
        occupied = x | o
        ply = occupied.bit_count()
        canonical, image = self.canonical(occupied)
        colours = self.map(image, x)
        stones = [cell for cell in range(self.cells) if canonical >> cell & 1]
        ones = [stone for stone, cell in enumerate(stones) if colours >> cell & 1]
        rank = sum(comb(stone, n + 1) for n, stone in enumerate(ones))
        *place, offset = self.find(ply, self.slabs(ply)[canonical], rank)
        x_wins, o_wins, *bits = (plane >> offset & 1 for plane in self.planes_of(ply, *place))
        if not x_wins and not o_wins:
            return 0, 0
        x_completes = bool(x_wins) != self.misere
        rounds = sum((bit ^ x_wins) << n for n, bit in enumerate(bits))
        dtm = self.first_end + 2 * rounds + (not x_completes) - ply
        return (1 if bool(x_wins) == (ply % 2 == 0) else -1), dtm

    # ---- values

    def answer(self, x, o):
        """Value for the player to move, and distance (None: a draw, or the table has none)."""
        value, dtm = self.resolve(x, o)
        return value, dtm if value and self.facts["values"] == "dtm" else None

    @lru_cache(maxsize=None)
    def resolve(self, x, o):
        ply = (x | o).bit_count()
        mover, other = (x, o) if ply % 2 == 0 else (o, x)
        if self.has_group(other):
            return (1 if self.misere else -1), 0
        if ply == self.cells:
            return 0, 0
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
        children = [self.resolve(*((x | 1 << m, o) if ply % 2 == 0 else (x, o | 1 << m)))
                    for m in safe]
        return max(((-value, dtm + 1) for value, dtm in children),
                   key=lambda a: (a[0], -a[0] * a[1]))
