"""Findings and reports."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any


@dataclasses.dataclass(frozen=True)
class Finding:
    """One defect of a kernel. `str(finding)` is the text that the console prints."""

    kind: str  # "out-of-bounds", as in all reports
    message: str
    text: str
    file: str = ""
    line: int = 0  # 0: unknown
    case: str = ""  # the smallest case that fails, as check() found it
    details: Mapping[str, Any] = dataclasses.field(default_factory=dict)  # the JSON of the event

    def __str__(self) -> str:
        return self.text

    @staticmethod
    def from_json(event: Mapping[str, Any]) -> Finding:
        return Finding(
            kind=event["class"],
            message=event["message"],
            text=event["text"],
            file=event.get("file", ""),
            line=event.get("line", 0),
            case=event.get("smallest", ""),
            details=event,
        )


@dataclasses.dataclass(frozen=True)
class Report:
    """The result of launch() or check()."""

    findings: tuple[Finding, ...] = ()
    notes: tuple[Finding, ...] = ()
    unsupported: str = ""  # why a launch was not executed to its end; empty: it was
    mistrusted: str = ""  # why a pass of check() counts for nothing; empty: it counts
    printed: str = ""  # output of the kernel
    warp_instructions: int = 0
    cases: int = 1

    @property
    def passed(self) -> bool:
        return not (self.findings or self.unsupported or self.mistrusted)

    def __str__(self) -> str:
        parts = [*map(str, self.findings), *map(str, self.notes), self.unsupported, self.mistrusted]
        if self.passed:
            parts.append(f"passed, {self.cases} case{'' if self.cases == 1 else 's'}")
        return "\n".join(part for part in parts if part).strip()

    def require_pass(self) -> Report:
        """Returns itself. Raises KernelError if there are findings or a launch was not executed."""
        if not self.passed:
            raise KernelError(self)
        return self


class KernelError(AssertionError):
    """A kernel is wrong, or could not be executed."""

    def __init__(self, report: Report) -> None:
        super().__init__("\n" + str(report))
        self.report = report


class InputError(ValueError):
    """The PTX or an argument of a call is wrong. The message has the place of each error."""
