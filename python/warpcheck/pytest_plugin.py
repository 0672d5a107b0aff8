"""The pytest plugin: the fixture assert_kernel and its options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .check import check
from .report import Report


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("warpcheck")
    group.addoption("--warpcheck-cases", type=int, metavar="N", help="number of cases of assert_kernel")
    group.addoption("--warpcheck-case", metavar="LINE", help="run only this case of assert_kernel")


@pytest.fixture(scope="session")  # Hypothesis rejects a fixture of a narrower scope in @given
def assert_kernel(request: pytest.FixtureRequest) -> Callable[..., Report]:
    """check() whose findings fail the test. The options of the command line replace arguments."""

    def run(*arguments: Any, **keywords: Any) -> Report:
        for option in ("cases", "case"):
            value = request.config.getoption("--warpcheck-" + option)
            if value is not None:
                keywords[option] = value
        report = check(*arguments, **keywords)
        if not report.passed:
            pytest.fail(str(report), pytrace=False)
        return report

    return run
