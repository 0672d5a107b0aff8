"""The pytest plugin of `warpcheck exec`: a finding fails the test that launched the kernel."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

import pytest

from . import runtime


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "warpcheck(allow, time): classes of findings, such as 'race', that do not fail the test; "
                                       "seconds that its launches may take in all")


def _allowed_classes(item: pytest.Item) -> list[str]:
    return [name for marker in item.iter_markers("warpcheck") for name in marker.kwargs.get("allow", ())]


def _seconds(item: pytest.Item) -> float:
    """The limit of the closest marker that has one; 0: none has."""
    seconds = next((marker.kwargs["time"] for marker in item.iter_markers("warpcheck") if "time" in marker.kwargs), 0.0)
    if not isinstance(seconds, (int, float)) or seconds < 0:
        raise pytest.UsageError(f"{item.nodeid}: the marker warpcheck has time={seconds!r}: expected a number of seconds above 0")
    return float(seconds)


def _text(findings: Iterable[runtime.Finding]) -> str:
    return "\n".join(one.text.rstrip() for one in findings)


def _judge(item: pytest.Item, is_failed: bool) -> None:
    """Ends the test if it has findings, or if the virtual device could not execute all of it."""
    occurred = runtime.take_findings()
    findings = [one for one in occurred if one.kind == "finding"]
    unsupported = [one for one in occurred if one.kind == "unsupported"]
    if findings and is_failed:
        item.add_report_section("call", "warpcheck", _text(findings))
    elif findings:
        pytest.fail(_text(findings), pytrace=False)
    elif unsupported:  # the result does not show that the kernels are right or wrong
        pytest.skip("not checked: " + _text(unsupported))


def _checked(item: pytest.Item) -> Generator[None, Any, Any]:
    try:
        result = yield
    except pytest.skip.Exception:
        _judge(item, is_failed=False)
        raise
    except (Exception, pytest.fail.Exception):
        _judge(item, is_failed=True)
        raise
    _judge(item, is_failed=False)
    return result


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, Any, Any]:
    runtime.take_findings()  # those of imports and of collection belong to no test
    runtime.begin_test(item.nodeid, _allowed_classes(item), _seconds(item))
    return (yield from _checked(item))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    return (yield from _checked(item))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, Any, Any]:
    result = yield from _checked(item)
    runtime.begin_test("")
    return result
