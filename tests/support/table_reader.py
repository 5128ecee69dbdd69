# SPDX-License-Identifier: MIT
"""A reader of tables, written from tables/FORMAT.md; it shares no code with the project."""
import struct
from functools import lru_cache
from itertools import combinations, product
from math import comb

import xxhash
import zstandard

import table_games


def walk(data, page_bytes, page):
    """The keys and values of an LMDB tree, in order."""
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


class Slabs:
    """Section 5: the index of slabs. A position has the number of its slab and the rank of its word."""

    def __init__(self, game):
        self.game = game

    def slab_size(self, ply):
        return comb(ply, (ply + 1) // 2)

    def slabs(self, ply):
        return len(self.numbers(ply))

    @lru_cache(maxsize=None)
    def canonical(self, occupied):
        """The minimal image of a set, and the number of a symmetry that maps to it."""
        return min((self.game.map(s, occupied), s) for s in range(len(self.game.symmetries)))

    @lru_cache(maxsize=None)
    def numbers(self, ply):
        """The numbers of the canonical sets of a ply, in order."""
        game = self.game
        if game.gravity:
            columns = product(range(game.height + 1), repeat=game.width)
            sets = [sum((2**h - 1) << slot * game.height for slot, h in enumerate(heights))
                    for heights in columns if sum(heights) == ply]
        else:
            sets = [sum(1 << c for c in cells) for cells in combinations(range(game.cells), ply)]
        return {s: n for n, s in enumerate(sorted(s for s in sets if self.canonical(s)[0] == s))}

    @lru_cache(maxsize=None)
    def sets(self, ply):
        return list(self.numbers(ply))

    @lru_cache(maxsize=None)
    def words(self, ply):
        """The words of a slab, by rank."""
        ones = combinations(range(ply), (ply + 1) // 2)
        return sorted(sum(1 << stone for stone in stones) for stones in ones)

    def find(self, x, o):
        canonical, symmetry = self.canonical(x | o)
        stones = [cell for cell in range(self.game.cells) if canonical >> cell & 1]
        image = self.game.map(symmetry, x)
        ones = [stone for stone, cell in enumerate(stones) if image >> cell & 1]
        rank = sum(comb(stone, n + 1) for n, stone in enumerate(ones))
        return self.numbers(self.game.ply(x, o))[canonical], rank


class KeySet:
    """Section 8: the set of keys of a slab, a minimal perfect hash."""

    def __init__(self, record):
        self.keys, self.seed, levels, one = struct.unpack_from("<4I", record)
        self.words = struct.unpack_from(f"<{levels}I", record, 16)
        assert one == 1
        self.bits, at = [], 16 + 4 * (levels + levels % 2)
        for words in self.words:
            self.bits.append(int.from_bytes(record[at:at + 8 * words], "little"))
            at += 8 * words
        self.fingerprints = struct.unpack_from(f"<{self.keys}H", record, at)

    def rank(self, low, high):
        """The rank of a key; None: it is not in the set."""
        before = 0
        for level, words in enumerate(self.words):
            bit = mix(low, high, 64 * self.seed + level + 1) * 64 * words >> 64
            if self.bits[level] >> bit & 1:
                rank = before + (self.bits[level] & ((1 << bit) - 1)).bit_count()
                return rank if self.fingerprints[rank] == mix(low, high, 0) & 0xFFFF else None
            before += self.bits[level].bit_count()
        return None


def mix(low, high, n):
    h = (low + n * (high | 1)) % 2**64
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        h = (h ^ h >> 33) * factor % 2**64
    return h ^ h >> 33


class Keys:
    """Section 8: the index of keys. A position is found by its hash."""

    def __init__(self, game, records):
        self.game, self.sets = game, {}
        for name in sorted(records):
            ply, slab = (int(n) for n in name.split(b"-")[1:])
            slabs = self.sets.setdefault(ply, [])
            assert slab == len(slabs)
            slabs.append(KeySet(records[name]))

    def slab_size(self, ply):
        return max(s.keys for s in self.sets[ply])

    def slabs(self, ply):
        return len(self.sets[ply])

    def find(self, x, o):
        o, x = min((o, x) for x, o in self.game.images(x, o))
        high, low = divmod(xxhash.xxh3_128_intdigest(struct.pack("<QQ", x, o)), 2**64)
        slabs = self.sets[self.game.ply(x, o)]
        slab = high * len(slabs) >> 64
        return slab, slabs[slab].rank(low, high)


class Columns:
    """The automaton of section 10. unpack: function that decompresses its block."""

    def __init__(self, width, height, k, record, unpack):
        self.words, self.width = [""], width
        for word in self.words:
            if len(word) < height:
                self.words += [word + top for top in "ox" if (word + top)[-k:] != top * k]
        *states, self.first, self.accepting = struct.unpack_from(f">{width + 3}I", record)
        sizes = [count * len(self.words) for count in states[:-1]]
        size = -(-sum(sizes) // 4) * 8
        content = struct.unpack(f"<{size // 2}H", unpack(record[4 * (width + 3):], size))
        self.layers = [content[sum(sizes[:n]):sum(sizes[:n + 1])] for n in range(width)]

    def accept(self, columns):
        state = self.first
        for layer, word in zip(self.layers, columns):
            state = layer[state * len(self.words) + self.words.index(word)]
        return state == self.accepting


def read_file(path):
    """The databases of a file, and the identity of its table."""
    with open(path, "rb") as file:
        data = file.read()
    size, = struct.unpack_from("<I", data, 40)
    main = max(struct.unpack_from("<Q8xQ", data, at + 128)[::-1] for at in (0, size))[1]
    databases = {name: dict(walk(data, size, struct.unpack_from("<Q", record, 40)[0]))
                 for name, record in walk(data, size, main)}
    identity = xxhash.xxh3_64_intdigest(databases[b"meta"][b"description"][:-8])
    return databases[b"meta"], databases[b"stats"], databases[b"blocks"], identity


class Table:
    def __init__(self, path):
        self.meta, self.stats, self.segments, self.identity = read_file(path)
        if b"shards" in self.meta:
            self.add_shards(path, self.record(b"shards"))
        facts = dict(line.split(" ") for line in self.record(b"description").decode().splitlines())
        assert facts["format"] == "4" and facts["compression"].startswith("zstd-")
        self.game = table_games.game(facts["spec"])
        self.cells = self.game.cells
        assert len(self.game.symmetries) == int(facts["symmetries"])
        self.block, self.has_dtm = int(facts["block"]), facts["values"] == "dtm"
        rounds = max(0, self.cells - self.game.ends_at_least) // 2
        self.planes = 2 + (rounds.bit_length() if self.has_dtm else 0)
        self.index = self.make_index(facts.get("index", "slabs"))

    def make_index(self, kind):
        if kind == "slabs":
            return Slabs(self.game)
        assert kind == "keys"
        names = [name for name in self.meta if name.startswith(b"keys-")]
        return Keys(self.game, {name: self.record(name) for name in names})

    def unseal(self, key, sealed):
        """The bytes before a checksum, which is verified."""
        seed = xxhash.xxh3_64_intdigest(key, self.identity)
        assert sealed[-8:] == xxhash.xxh3_64_digest(sealed[:-8], seed), key
        return sealed[:-8]

    def record(self, name):
        return self.unseal(name, self.meta[name])

    def add_shards(self, path, ids):
        assert not self.segments
        for n in range(len(ids) // 8):
            meta, stats, segments, shard_id = read_file(f"{path}.{n}")
            for name in (b"description", b"builder"):
                assert meta[name] == self.meta[name]
            assert stats == self.stats
            assert self.unseal(b"shard", meta[b"shard"]) == struct.pack(">2I", n, len(ids) // 8)
            assert sorted(meta) == [b"builder", b"contents", b"description", b"shard"]
            for key in sorted(segments):
                seed = xxhash.xxh3_64_intdigest(key, shard_id)
                shard_id = xxhash.xxh3_64_intdigest(struct.pack(">I", len(segments[key])), seed)
            assert shard_id == int.from_bytes(ids[8 * n:8 * n + 8], "big")
            assert not self.segments.keys() & segments.keys()
            self.segments.update(segments)

    def columns(self):
        """None if the table does not have the record."""
        name, game = b"columns", self.game
        if name not in self.meta:
            return None
        return Columns(game.width, game.height, game.k, self.record(name),
                       lambda segment, size: self.unpack(self.payload(segment, 1, 0, 0, 0), size))

    # ---- the place of an outcome

    def find(self, ply, slab, rank):
        """Returns the first block of the segment and its number of blocks; the block within the
        segment, its number of entries, and the entry. A bundle is either many slabs that share one
        block, or the blocks of one slab."""
        size, slabs = self.index.slab_size(ply), self.index.slabs(ply)
        bundle_slabs, bundle_blocks = max(1, self.block // size), -(-size // self.block)
        bundle, slab = divmod(slab, bundle_slabs)
        per_segment = max(1, 2**20 // (bundle_slabs * size))
        segment, bundle_in_it = divmod(bundle, per_segment)
        bundles = min(per_segment, -(-slabs // bundle_slabs) - segment * per_segment)
        n, offset = divmod(slab * size + rank, self.block)
        entries = min(bundle_slabs, slabs - bundle * bundle_slabs) * size
        return (segment * per_segment * bundle_blocks, bundles * bundle_blocks,
                bundle_in_it * bundle_blocks + n, min(self.block, entries - n * self.block), offset)

    @lru_cache(maxsize=None)
    def planes_of(self, ply, first, blocks, block, entries):
        """The planes of a block, as integers."""
        payload = self.payload(self.segments[struct.pack(">HQ", ply, first)], blocks, ply, first, block)
        if payload[0] & 8:
            return self.predicted(ply, first + block, entries, payload)
        size = -(-entries // 64) * 8
        raw = self.unpack(payload, size * self.planes)
        return [int.from_bytes(raw[size * p:size * (p + 1)], "little") for p in range(self.planes)]

    def payload(self, segment, blocks, ply, first, block):
        """The bytes of a block of a segment, without the checksum."""
        bits, before = struct.unpack_from("<QI", segment, 12 * (block // 64))
        assert bits >> block % 64 & 1
        before += (bits & (1 << block % 64) - 1).bit_count()
        begin, end = struct.unpack_from("<2I", segment, 12 * -(-blocks // 64) + 4 * before)
        sealed = segment[begin + 8:end] + segment[begin:begin + 8]
        return self.unseal(struct.pack(">HQ", ply, first + block), sealed)

    def unpack(self, payload, size):
        """The content of a zstd frame without its magic number."""
        return zstandard.ZstdDecompressor().decompress(b"\x28\xb5\x2f\xfd" + payload,
                                                       max_output_size=size)

    # ---- predicted blocks

    @lru_cache(maxsize=None)
    def model(self, ply):
        """The frequencies of the three digits in each context."""
        record = self.record(b"model-%02d" % ply)
        rare = struct.unpack_from("<4H", record)
        own = struct.iter_unpack("<2H", record[8 + 358:])
        pairs = [next(own) if record[8 + c // 8] >> c % 8 & 1 else rare[:2] if c < 2304 else rare[2:]
                 for c in range(2862)]
        assert next(own, None) is None
        return [(zero, one, 2**14 - zero - one) for zero, one in pairs]

    def positions_of(self, ply, number, entries):
        """The word, x and o of each entry of a block."""
        size, slabs = self.index.slab_size(ply), self.index.sets(ply)
        if size > self.block:
            slab, part = divmod(number, -(-size // self.block))
            begin = slab * size + part * self.block
        else:
            begin = number * (self.block // size) * size
        words = self.index.words(ply)
        for slab, rank in (divmod(e, size) for e in range(begin, begin + entries)):
            stones = [cell for cell in range(self.cells) if slabs[slab] >> cell & 1]
            x = sum(1 << cell for n, cell in enumerate(stones) if words[rank] >> n & 1)
            yield words[rank], x, slabs[slab] ^ x

    def predicted(self, ply, number, entries, payload):
        model, planes = self.model(ply), [0] * self.planes
        first, *parts = struct.unpack(f"<I{len(payload) // 2 - 2}H", payload)
        state, parts = first >> 4 << 3 | first & 7, iter(parts)

        def digit(context):
            nonlocal state
            low, before = state % 2**14, 0
            for value, n in enumerate(model[context]):
                if low < before + n:
                    break
                before += n
            state = n * (state >> 14) + low - before
            if state < 2**15:
                state = state << 16 | next(parts)
            return value

        def hint(code, outcome, begun, at):
            known = self.planes - 1 - at
            if code is None or code & 3 != outcome or code >> at + 1 | 1 << known != begun:
                return 2
            return code >> at & 1

        last, before, by_outcome, like8, like5 = 0, 0, {}, {}, {}
        for entry, (word, x, o) in enumerate(self.positions_of(ply, number, entries)):
            if not self.game.is_quiet(x, o):
                continue
            kin8, kin5 = like8.get(word % 256), like5.get(word % 32)
            a, b = (3 if kin is None else kin & 3 for kin in (kin8, kin5))
            code = outcome = digit((((self.game.features(x, o) * 3 + last) * 3 + before) * 4 + a) * 4 + b)
            begun = 1
            for at in range(self.planes - 1, 1, -1) if outcome else ():
                h1, h2 = (hint(kin, outcome, begun, at) for kin in (by_outcome.get(outcome), kin8))
                bit = digit(2304 + (((outcome - 1) * 31 + begun - 1) * 3 + h1) * 3 + h2)
                begun, code = begun * 2 + bit, code | bit << at
            last, before = outcome, last
            by_outcome[outcome] = like8[word % 256] = like5[word % 32] = code
            for p in range(self.planes):
                planes[p] |= (code >> p & 1) << entry
        assert state == 2**15 and next(parts, None) is None
        return planes

    def stored(self, x, o):
        ply = self.game.ply(x, o)
        slab, rank = self.index.find(x, o)
        *place, offset = self.find(ply, slab, rank)
        x_wins, o_wins, *bits = (plane >> offset & 1 for plane in self.planes_of(ply, *place))
        if not x_wins and not o_wins:
            return 0, 0
        rounds = sum((bit ^ x_wins) << n for n, bit in enumerate(bits))
        dtm = self.game.ends_at_least + 2 * rounds + (bool(x_wins) == self.game.misere) - ply
        return (1 if bool(x_wins) == (ply % 2 == 0) else -1), dtm

    # ---- values

    def answer(self, x, o):
        """Value for the player to move, and distance (None: a draw, or a table without distances)."""
        value, dtm = self.resolve(x, o)
        return value, dtm if value and self.has_dtm else None

    @lru_cache(maxsize=None)
    def resolve(self, x, o):
        game, ply = self.game, self.game.ply(x, o)
        if game.complete(x, o):
            return (1 if game.misere else -1), 0
        if ply == self.cells:
            return 0, 0
        moves = game.children(x, o)
        completing = [m for m in moves if game.complete(*m)]
        if completing and not game.misere:
            return 1, 1
        safe = [m for m in moves if m not in completing and (
            game.misere or not any(game.complete(*reply) for reply in game.children(*m)))]
        if not safe:
            return -1, 1 if game.misere else 2
        if len({game.occupied(*m) for m in safe}) > 1 and ply % 2 == 0:
            return self.stored(x, o)
        replies = [self.resolve(*m) for m in safe]
        return max(((-v, dtm + 1) for v, dtm in replies), key=lambda a: (a[0], -a[0] * a[1]))
