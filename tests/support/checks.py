# SPDX-License-Identifier: MIT
"""Checks that are counted: a test goes on after one that fails, and says at its end how many did."""
import sys

checks = failures = 0


def check(good, *what):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        print("FAILED:", *what, flush=True)
    return good


def finish(least=1):
    """End the test, which fails if a check did, or if there were too few for it to be one."""
    print(f"{checks} checks, {failures} failed")
    sys.exit(1 if failures or checks < least else 0)
