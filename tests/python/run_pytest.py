"""Runs pytest on a file. Exits with 77 if pytest or NumPy is missing, or if all tests are skipped."""

import sys

try:
    import numpy  # noqa: F401
    import pytest
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)


class Counts:
    def __init__(self):
        self.passed = 0

    def pytest_runtest_logreport(self, report):
        self.passed += report.when == "call" and report.passed


counts = Counts()
status = pytest.main(["-q", "-p", "warpcheck.pytest_plugin", "-p", "no:cacheprovider", *sys.argv[1:]],
                     plugins=[counts])
no_tests = status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and counts.passed == 0
sys.exit(77 if no_tests else status)
