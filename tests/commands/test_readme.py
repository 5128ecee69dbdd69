#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the examples and links of the documents: test_readme.py SOURCE [BUILD [DOCUMENT...]]

Runs the examples of all documents (*.md), or of the named ones. Each document has a folder and
a shell of its own, as in a fresh checkout: the files that an example needs must have been made by earlier
examples of the document. Fenced code becomes the file that its first line names. In indented blocks, lines
that begin with `$ ` are run, in order, and must print the lines below them; a line `...` matches
any lines. Times are not compared. Links to files and headings of the project must be valid,
and named files, such as `tables/index/index.h`, must exist; without BUILD only this
is checked. SOURCE may be the folder of installed documents, without the sources.
"""
import os
import re
import subprocess
import sys
import tempfile

TIMES = re.compile(r" in [0-9.e-]+ s, [0-9,]+ nodes/s")
FENCES = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINKS = re.compile(r"\]\(([^)\s]+)\)")
PATHS = re.compile(r"`((?:tables|builder|probe|tools|tests)/[\w./-]*)")
MERGES = re.compile(r"^(?:<<<<<<<|>>>>>>>) .*$", re.MULTILINE)
END = "END-OF-OUTPUT"


def find_documents(source):
    """Paths of all documents below the folder, without those of build folders."""
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders
                      if not os.path.exists(os.path.join(folder, name, "CMakeCache.txt"))
                      and name != ".git"]
        for name in names:
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), source)


def read(source, document):
    with open(os.path.join(source, document), encoding="utf-8") as file:
        return file.read()


# ---- examples ----

def read_steps(text):
    """The files to write, and the commands to run with their output, in order."""
    steps, fence, command = [], None, None
    for line in text.splitlines():
        if line.startswith("```"):
            if fence is not None and fence and (name := re.search(r"([\w.]+\.\w+)", fence[0])):
                steps.append(("file", name.group(1), "\n".join(fence) + "\n"))
            fence = [] if fence is None else None
        elif fence is not None:
            fence.append(line)
        elif line.startswith("    $ "):
            command = ("command", line[6:], [])
            steps.append(command)
        elif line.startswith("    ") and command:
            command[2].append(line[4:])
        else:
            command = None
    return steps


def matches(expected_lines, got):
    """Do the lines match the expected ones, where `...` stands for any lines?"""
    if not expected_lines:
        return not got
    if expected_lines[0] == "...":
        return any(matches(expected_lines[1:], got[skip:]) for skip in range(len(got) + 1))
    return bool(got) and expected_lines[0] == got[0] and matches(expected_lines[1:], got[1:])


def run(shell, command):
    """Run a command in the shell. Returns its lines on stdout."""
    shell.stdin.write(f"{command}\necho; echo {END}\n")
    shell.stdin.flush()
    lines = []
    for line in shell.stdout:
        if line.rstrip("\n") == END:
            break
        lines.append(line.rstrip("\n"))
    while lines and not lines[-1]:
        lines.pop()
    return lines


def run_steps(source, build, document, folder):
    """Run the examples of a document in this folder. Returns the numbers of commands and failures."""
    os.symlink(build, os.path.join(folder, "build"))
    for room in ("probe", "tables", "tests", "tools"):
        os.symlink(os.path.join(source, room), os.path.join(folder, room))
    environment = dict(os.environ, HOME=folder, PYTHONDONTWRITEBYTECODE="1")
    shell = subprocess.Popen(["bash"], cwd=folder, env=environment, text=True,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    commands = failures = 0
    for kind, name, content in read_steps(read(source, document)):
        if kind == "file":
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(content)
            continue
        commands += 1
        expected_lines = [TIMES.sub("", line) for line in content]
        got = [TIMES.sub("", line) for line in run(shell, name)]
        if not matches(expected_lines, got):
            failures += 1
            print(f"FAILED: {document}: {name}", "expected:", *expected_lines, "got:", *got, sep="\n  ")
    shell.stdin.close()
    shell.wait()
    return commands, failures


# ---- links ----

def anchors_of(text):
    """Names of the headings of a document, as GitHub makes them."""
    for heading in re.findall(r"^#+ (.*)$", FENCES.sub("", text), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def broken_links(source, document):
    """Links of a document that lead to no file or heading of the project, names of no file, and
    marks of an unfinished merge."""
    text = FENCES.sub("", read(source, document))
    yield from MERGES.findall(text)
    has_sources = os.path.exists(os.path.join(source, "CMakeLists.txt"))
    for path in PATHS.findall(text) if has_sources else ():
        if not os.path.exists(os.path.join(source, path)):
            yield path
    for link in LINKS.findall(text):
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
        if not os.path.exists(os.path.join(source, target)):
            yield link
        elif anchor and anchor not in anchors_of(read(source, target)):
            yield link


def main():
    source = os.path.abspath(sys.argv[1])
    build = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    documents = sys.argv[3:] or sorted(find_documents(source))
    commands = failures = 0
    for document in documents:
        for link in broken_links(source, document):
            failures += 1
            print(f"FAILED: {document}: nothing is at {link}")
        if document == "README.md" and read(source, document).count("\n") >= 320:
            failures += 1
            print("FAILED: README.md has 320 lines or more: it is for newcomers")
        if build:
            with tempfile.TemporaryDirectory() as folder:
                run_here, failed = run_steps(source, build, document, folder)
                commands, failures = commands + run_here, failures + failed
    print(f"{commands} examples of {len(documents)} documents, {failures} failed")
    return 1 if failures or not documents or build and not commands else 0


if __name__ == "__main__":
    sys.exit(main())
