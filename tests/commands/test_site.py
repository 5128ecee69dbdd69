#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`plybase site` as a command: test_site.py PLYBASE

The folder appears whole or not at all, with the same bytes each time; existing files stay; parts
join to the table; a directory has the bytes of the table that it names, and the licences are in it.
"""
import filecmp
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

try:
    import zstandard
except ImportError:
    # This python3 may not be that of Debian, which has the package.
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    raise

from checks import check, finish

PLYBASE = os.path.abspath(sys.argv[1])


def run(*arguments, status=0):
    done = subprocess.run([PLYBASE, *arguments], capture_output=True, text=True, check=False)
    check(done.returncode == status, arguments, done.returncode, done.stderr)
    return done.stdout if status == 0 else done.stderr


def files(folder):
    return sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names)


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def same(one, other):
    return files(one) == files(other) and not filecmp.cmpfiles(one, other, files(one), shallow=False)[1]


def check_directory(site, name, table):
    """The extents ascend, and have the bytes of the table."""
    packed = read(site, "tables", f"{name}.dir")
    content = zstandard.ZstdDecompressor().decompress(packed[4:], max_output_size=1 << 24)
    check(len(content) == struct.unpack("<I", packed[:4])[0], name, "size")
    (count,) = struct.unpack_from("<Q", content)
    at, last = 8 + 16 * count, -1
    for extent in range(count):
        offset, size = struct.unpack_from("<QQ", content, 8 + 16 * extent)
        check(offset > last and content[at:at + size] == table[offset:offset + size], name, "bytes", offset)
        at, last = at + size, offset + size
    check(at == len(content), name, "end")


def main():
    help_text = run("site", "--help")
    check("--part-size" in help_text, "help")
    folder = tempfile.mkdtemp(prefix="plybase-site-")
    os.chdir(folder)
    for spec in ("connect-4x4-k4", "numeric-3x3", "connect-5x4-k4"):
        run("build", spec, "-q")
    run("build", "connect-4x4-k4", "-o", "dtm.plb", "--values", "dtm", "-q")
    done = subprocess.run([PLYBASE, "site", "connect-4x4-k4.plb", "-o", "web"], capture_output=True, text=True, check=False)
    if "without the module" in done.stderr:
        print("skipped: tools/checks/packages site installs what the module needs")
        check("Debian" in done.stderr or "clang-14" in done.stderr, done.stderr)
        return 77
    check(done.stdout.startswith("web: 1 table, ") and "http.server -d web" in done.stdout, done.stdout)
    tables = ("connect-4x4-k4.plb", "numeric-3x3.plb", "connect-5x4-k4.plb")
    messages = run("site", *tables, "-o", "one", "-s", "64K")
    whole = sum(os.path.getsize(os.path.join("one", name)) for name in files("one"))
    check(f"one: 3 tables, {len(files('one'))} files, " in messages and f"{whole / 1024:.0f} KiB" in messages, messages, whole)
    run("site", *tables, "-o", "two", "-s", "64K")
    check(same("one", "two"), "other bytes when repeated")

    with open("one/tables/tables.json", encoding="utf-8") as file:
        listed = json.load(file)["tables"]
    check([table["spec"] for table in listed] == [name[:-4] for name in tables], listed)
    for table in listed:
        content = read(f"{table['spec']}.plb")
        with open(f"one/tables/{table['spec']}.json", encoding="utf-8") as file:
            one = json.load(file)["file"]
        check(one["name"] == f"{table['spec']}-{table['id']}" and one["size_bytes"] == len(content), one)
        parts = [name for name in files("one/tables") if name.startswith(one["name"]) and not name.endswith(".dir")]
        check(len(parts) == (-(-len(content) // 65536) if one["part_bytes"] else 1), parts)
        check(b"".join(read("one/tables", part) for part in parts) == content, one["name"])
        check(one["part_bytes"] == (65536 if len(content) > 65536 else 0), one)
        check_directory("one", one["name"], content)
        check(run("stats", f"{table['spec']}.plb", "--csv").encode() == read("one/tables", f"{table['spec']}.stats.csv"), "counts")
    licences = read("one/LICENSES.txt").decode()
    for text in ("wasi-libc", "xxHash", "Zstandard", "Apache License", "Permission is hereby granted"):
        check(text in licences, text)

    for arguments, status, sentence in (
            (("site", "connect-4x4-k4.plb", "-o", "one"), 1, "one exists: -f replaces it, with all that is in it"),
            (("site", "connect-4x4-k4.plb", "-o", "."), 1, ". exists and is not a site: give another name"),
            (("site", "connect-4x4-k4.plb"), 2, "-o DIR is needed: the folder to write"),
            (("site", "connect-4x4-k4.plb", "dtm.plb", "-o", "new"), 1,
             "dtm.plb is a second table of connect-4x4-k4: a site has one of each game"),
            (("site", "connect-4x4-k4.plb", "-o", "new", "-s", "5000"), 2, "--part-size: 64K or more is needed, in steps of 4K"),
            (("site", "/dev/null", "-o", "new"), 1, "/dev/null is not a regular file, not a Plybase table"),
            (("site", "connect-4x4-k4.plb", "-o", "no/where"), 1, "cannot create no/where.part: No such file or directory")):
        check(sentence in run(*arguments, status=status), arguments, run(*arguments, status=status))
    check(not os.path.exists("new") and not os.path.exists("new.part"), "half a folder")

    # A file that hosts without range requests would have to send whole.
    shutil.copy("dtm.plb", "large.plb")
    os.truncate("large.plb", 40 << 20)
    check("It needs a host with range requests" in run("site", "large.plb", "-o", "large"), "a large file")
    check("http.server -d small" in run("site", "large.plb", "-o", "small", "-s", "32M"), "parts that are small enough")

    # The rest of an interrupted run is removed; other files are not.
    shutil.copytree("one", "new.part")
    os.remove("new.part/index.html")
    run("site", *tables, "-o", "new", "-s", "64K")
    check(same("one", "new") and not os.path.exists("new.part"), "after an interruption")
    os.makedirs("other.part/mine")
    check("other.part is in the way" in run("site", *tables, "-o", "other", status=1), "another's folder")
    check(os.path.isdir("other.part/mine"), "another's folder is gone")
    run("site", "numeric-3x3.plb", "-o", "new", "-f")
    check("tables/connect-4x4-k4.json" not in files("new") and not os.path.exists("new.part"), "replaced")
    shutil.rmtree(folder)
    return finish(80)


if __name__ == "__main__":
    sys.exit(main())
