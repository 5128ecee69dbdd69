#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Three xxHash packages of npm compute another hash if there is a seed, or if it exceeds 32 bits.
#
# Versions: npm xxh3-ts 2.0.1, xxhashjs 0.2.2, @intrnl/xxhash64 0.1.2, hash-wasm 4.13.0; compared with
# libxxhash0 0.8.1-1 of Debian 12.
# Behaviour: files of tables chain checksums by a seed of 64 bits, so a reader in JavaScript needs seeds.
# - xxh3-ts says that it is compatible with xxHash 0.8.3. Its XXH3-128 ignores the seed from 241 bytes on,
#   and uses it wrongly for 4 to 16 bytes; 17 to 240 bytes are right, so a short test passes. Without a
#   seed, one to three bytes are wrong if a byte has its highest bit set.
# - XXH64 of xxhashjs and of @intrnl/xxhash64 uses the lowest 32 bits of a seed and ignores the others.
# - xxhashjs leaves out leading zeros of its hexadecimal digits.
# - hash-wasm is right. (So were XXH3-64, XXH3-128 and XXH64 of hash-wasm and of @node-rs/xxhash 1.7.8 and
#   XXH64 of xxhash-wasm 1.1.0 for 315 lengths up to 65,536 bytes with seven seeds each.)
# Nothing is reported.
# Output of this script:
#   seen: xxh3-ts: XXH3-128 of 241 and 1000 bytes does not depend on the seed, and is wrong with one
#   seen: xxh3-ts: XXH3-128 of 4 and 16 bytes is wrong with a seed, that of 17 and 240 bytes is right
#   seen: xxh3-ts: XXH3-128 of the byte 128 is wrong without a seed, that of the byte 127 is right
#   seen: xxhashjs: XXH64 with the seed 2^32 + 1 is that with the seed 1
#   seen: @intrnl/xxhash64: XXH64 with the seed 2^32 + 1 is that with the seed 1
#   seen: xxhashjs: a hash that begins with a zero has 15 digits
#   seen: hash-wasm: all these hashes are right
#
# Downloads the packages into a temporary folder and installs nothing; needs node, npm and python3. Exit
# status 1: the behaviour differs, or a package cannot be downloaded.
#   findings/xxhash-npm-seeds.sh
set -euo pipefail
case ${1:-} in
    -h | --help) sed -n '3,/^[^#]/s/^# \?//p' "$0" && exit ;;
    ?*) echo "findings/xxhash-npm-seeds.sh: unknown argument $1; see --help" >&2 && exit 2 ;;
esac
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
apt-get -q download libxxhash0=0.8.1-1 >/dev/null 2>&1 ||
    { echo "libxxhash0 0.8.1-1 cannot be downloaded" >&2; exit 1; }
dpkg-deb -x libxxhash0_*.deb .
echo '{"private": true}' >package.json
npm install --ignore-scripts --no-audit --no-fund xxh3-ts@2.0.1 xxhashjs@0.2.2 @intrnl/xxhash64@0.1.2 \
    hash-wasm@4.13.0 >npm.log 2>&1 || { echo "npm cannot install the packages" >&2; exit 1; }

# The right hashes: bytes in hexadecimal, seed, XXH64, XXH3-128.
cat >right.py <<'EOF'
import ctypes

class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]

library = ctypes.CDLL("usr/lib/x86_64-linux-gnu/libxxhash.so.0")
arguments = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
for function, result in (library.XXH64, ctypes.c_uint64), (library.XXH3_128bits_withSeed, Hash128):
    function.argtypes, function.restype = arguments, result

data = [bytes([127]), bytes([128])] + [bytes(i * 7 % 251 for i in range(length))
                                       for length in (0, 4, 16, 17, 240, 241, 1000)]
small = next(bytes([i]) for i in range(256) if library.XXH64(bytes([i]), 1, 0) >> 60 == 0)
for bytes_ in data + [small]:
    for seed in 0, 1, 2**32 + 1:
        wide = library.XXH3_128bits_withSeed(bytes_, len(bytes_), seed)
        print(bytes_.hex() or "-", seed, "%016x" % library.XXH64(bytes_, len(bytes_), seed),
              "%016x%016x" % (wide.high, wide.low))
EOF
python3 right.py >right.txt

cat >try.mjs <<'EOF'
import { readFileSync } from 'node:fs';
import { hash } from '@intrnl/xxhash64';
import { xxhash64, xxhash128 } from 'hash-wasm';
import { XXH3_128 } from 'xxh3-ts';
import xxhashjs from 'xxhashjs';

const hex = (number, digits) => number.toString(16).padStart(digits, '0');
const rows = [];
for (const line of readFileSync('right.txt', 'utf8').trimEnd().split('\n')) {
  const [text, seed, right64, right128] = line.split(' ');
  const bytes = Buffer.from(text === '-' ? '' : text, 'hex');
  const number = Number(seed), big = BigInt(seed), halves = [number % 2 ** 32, Math.floor(number / 2 ** 32)];
  rows.push({
    length: bytes.length, first: bytes[0], seed: number, right64, right128,
    ts: hex(XXH3_128(bytes, big), 32),
    js: xxhashjs.h64(bytes, number).toString(16),
    intrnl: hex(hash(bytes, big), 16),
    wasm64: await xxhash64(bytes, ...halves),
    wasm128: await xxhash128(bytes, ...halves),
  });
}

let failures = 0;
function seen(text, condition) {
  console.log(`${condition ? 'seen' : 'NOT SEEN'}: ${text}`);
  failures += !condition;
}
const of = (...lengths) => rows.filter((row) => lengths.includes(row.length) && row.length > 1);
const seeded = (row) => row.seed !== 0;
const byte = (value) => rows.find((row) => row.length === 1 && row.first === value && row.seed === 0);
const one = (row) => rows.find((other) => other.length === row.length && other.first === row.first && other.seed === 1);
const large = rows.filter((row) => row.seed > 2 ** 32);

seen('xxh3-ts: XXH3-128 of 241 and 1000 bytes does not depend on the seed, and is wrong with one',
  of(241, 1000).filter(seeded).every((row) => row.ts !== row.right128 && row.ts === one(row).ts) &&
  of(241, 1000).filter((row) => !seeded(row)).every((row) => row.ts === row.right128 && row.ts === one(row).ts));
seen('xxh3-ts: XXH3-128 of 4 and 16 bytes is wrong with a seed, that of 17 and 240 bytes is right',
  of(4, 16).filter(seeded).every((row) => row.ts !== row.right128) &&
  of(17, 240).every((row) => row.ts === row.right128));
seen('xxh3-ts: XXH3-128 of the byte 128 is wrong without a seed, that of the byte 127 is right',
  byte(128).ts !== byte(128).right128 && byte(127).ts === byte(127).right128);
seen('xxhashjs: XXH64 with the seed 2^32 + 1 is that with the seed 1',
  large.every((row) => row.js === one(row).js && BigInt('0x' + row.js) !== BigInt('0x' + row.right64)));
seen('@intrnl/xxhash64: XXH64 with the seed 2^32 + 1 is that with the seed 1',
  large.every((row) => row.intrnl === one(row).intrnl && row.intrnl !== row.right64));
seen('xxhashjs: a hash that begins with a zero has 15 digits',
  rows.some((row) => row.seed === 0 && row.right64 === '0' + row.js && row.js.length === 15));
seen('hash-wasm: all these hashes are right',
  rows.every((row) => row.wasm64 === row.right64 && row.wasm128 === row.right128));
process.exitCode = failures ? 1 : 0;
EOF
node try.mjs
