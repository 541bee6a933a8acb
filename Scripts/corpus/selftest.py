#!/usr/bin/env python3
"""Tests the scripts themselves on models of a few lines. Needs neither Swift nor the tool, and takes seconds.

usage: selftest.py [-v] [-k PATTERN]
"""

import os
import sys
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [FOLDER, os.path.join(FOLDER, "tests")]


def load_tests(loader, _tests, _pattern):
    return loader.discover(os.path.join(FOLDER, "tests"), pattern="test_*.py")


if __name__ == "__main__":
    unittest.main()
