#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All tests of the page of `plybase serve`: test_page.py BUILD [TEST...]

Runs the tests of the modules below with one server and one browser.
"""
import sys

import test_page_address
import test_page_play
import test_page_spoken
import test_page_use
import test_page_values
from page_service import main

PARTS = (test_page_values, test_page_address, test_page_play, test_page_spoken, test_page_use)

if __name__ == "__main__":
    sys.exit(main([test for part in PARTS for test in part.TESTS]))
