# SPDX-License-Identifier: MIT
"""Counted checks: a test continues after a failed one, and prints at its end how many failed."""
import sys

checks = failures = 0


def check(good, *what):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        print("FAILED:", *what, flush=True)
    return good


def finish(minimum=1):
    """End the test. It fails if a check failed, or if there were fewer than `minimum` checks."""
    print(f"{checks} checks, {failures} failed")
    sys.exit(1 if failures or checks < minimum else 0)
