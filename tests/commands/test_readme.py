#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The README's examples do what it says: test_readme.py SOURCE BUILD

Fenced code becomes the file that its first line names. Of the indented blocks, lines that begin
with `$ ` are run, in order and in one shell, and must print the lines below them; a line `...`
stands for any lines. Times are not compared.
"""
import os
import re
import subprocess
import sys
import tempfile

TIMES = re.compile(r" in [0-9.e-]+ s, [0-9,]+ nodes/s")


def read_steps(readme):
    """Files to be written and commands to be run with their output, in order."""
    steps, fence, command = [], None, None
    for line in readme.splitlines():
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


def matches(wanted, got):
    """Are the lines as wanted, `...` being any lines?"""
    if not wanted:
        return not got
    if wanted[0] == "...":
        return any(matches(wanted[1:], got[skip:]) for skip in range(len(got) + 1))
    return bool(got) and wanted[0] == got[0] and matches(wanted[1:], got[1:])


def run(shell, command):
    """Run a command in the shell; its lines on stdout."""
    shell.stdin.write(f"{command}\necho; echo END-OF-OUTPUT\n")
    shell.stdin.flush()
    lines = []
    for line in shell.stdout:
        if line.rstrip("\n") == "END-OF-OUTPUT":
            break
        lines.append(line.rstrip("\n"))
    while lines and not lines[-1]:
        lines.pop()
    return lines


def main():
    source, build = map(os.path.abspath, sys.argv[1:3])
    failures = commands = 0
    with open(os.path.join(source, "README.md"), encoding="utf-8") as file:
        steps = read_steps(file.read())
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(build, os.path.join(folder, "build"))
        for room in ("probe", "tools"):
            os.symlink(os.path.join(source, room), os.path.join(folder, room))
        environment = dict(os.environ, HOME=folder, PYTHONDONTWRITEBYTECODE="1")
        shell = subprocess.Popen(["bash"], cwd=folder, env=environment, text=True,
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for kind, name, content in steps:
            if kind == "file":
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(content)
                continue
            commands += 1
            wanted = [TIMES.sub("", line) for line in content]
            got = [TIMES.sub("", line) for line in run(shell, name)]
            if not matches(wanted, got):
                failures += 1
                print(f"FAILED: {name}", "wanted:", *wanted, "got:", *got, sep="\n  ")
        shell.stdin.close()
        shell.wait()
    print(f"{commands - failures} passed, {failures} failed")
    return 1 if failures or commands < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
