"""The pytest plugin: the fixture assert_kernel, its options, and --warpcheck."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from typing import Any

import pytest

from .__main__ import PROGRAMS
from .check import check
from .report import Report


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("warpcheck")
    group.addoption("--warpcheck-cases", type=int, metavar="N", help="number of cases of assert_kernel")
    group.addoption("--warpcheck-case", metavar="LINE", help="run only this case of assert_kernel")
    group.addoption("--warpcheck", action="store_true",
                    help="run the tests under `warpcheck exec`: kernels execute on the virtual device, all checks on")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Starts pytest again under `warpcheck exec`, unless it runs there."""
    if not config.getoption("--warpcheck") or "WARPCHECK_EXEC" in os.environ:
        return
    own = PROGRAMS / "warpcheck"
    command = os.environ.get("WARPCHECK_PROGRAM") or (str(own) if own.exists() else shutil.which("warpcheck"))
    if command is None:
        raise pytest.UsageError("--warpcheck: there is no program warpcheck on PATH")
    os.execv(command, [command, "exec", sys.executable, "-m", "pytest", *config.invocation_params.args])


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
