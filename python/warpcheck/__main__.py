"""The command `warpcheck` of the wheel: `python -m warpcheck`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

PROGRAMS = Path(__file__).parent / "installed" / "bin"


def _run(name: str) -> None:
    """Replaces this process by a program of the wheel."""
    program = PROGRAMS / name
    if not program.exists():
        sys.exit(f"warpcheck: {program} is missing: this package is no installed wheel; run `pip install .` in a clone")
    os.execv(program, [str(program), *sys.argv[1:]])


def main() -> None:
    _run("warpcheck")


def fetch_nvcc() -> None:
    _run("warpcheck-fetch-nvcc")


if __name__ == "__main__":
    main()
