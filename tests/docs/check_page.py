#!/usr/bin/env python3
"""Checks a page of the docs: its commands do what it shows, its links lead somewhere.

    check_page.py --root REPOSITORY --build FOLDER --scratch FOLDER PAGE.md

Prints what is wrong and what was not run, and exits with 1 where anything is wrong. Without nvcc no command is run, and
a page that has some exits with 77, which ctest calls skipped.
"""

import argparse
import pathlib
import shutil
import sys

import console
import links
import page as pages

# What a clone has that commands of the docs look at.
CLONED = ("kernels", "examples", "docs", "scripts", "README.md")


def make_scratch(scratch: pathlib.Path, root: pathlib.Path, build: pathlib.Path) -> None:
    """A folder that looks to the page's commands like a clone that has been built."""
    shutil.rmtree(scratch, ignore_errors=True)
    (scratch / "build").mkdir(parents=True)
    (scratch / "build/bin").symlink_to(build / "bin")
    for name in CLONED:
        if (root / name).is_dir():
            shutil.copytree(root / name, scratch / name)
        elif (root / name).exists():
            shutil.copy(root / name, scratch / name)


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("root", "build", "scratch"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--without-nvcc", action="store_true")
    parser.add_argument("page", type=pathlib.Path)
    arguments = parser.parse_args()
    root, build = arguments.root.resolve(), arguments.build.resolve()
    scratch = arguments.scratch.absolute()

    page = pages.read(arguments.page)
    make_scratch(scratch, root, build)
    preparation = root / "tests/docs/preparations" / (page.path.stem + ".sh")
    problems, not_run, commands = console.read_blocks(page, scratch)
    if commands and not arguments.without_nvcc:
        outcomes = console.run_session(commands, scratch,
                                       preparation if preparation.exists() else None,
                                       console.environment_for(scratch, build))
        problems += console.problems_of(commands, outcomes)
    problems += links.problems_of(page, root)
    if arguments.page.resolve() == root / "docs/README.md":
        problems += links.pages_not_linked(page)
    for line in not_run:
        print(f"not run: {page.path.name}:{line}")
    for problem in problems:
        print(f"{page.path}:{problem}")
    if problems:
        return 1
    return 77 if commands and arguments.without_nvcc else 0


if __name__ == "__main__":
    sys.exit(main())
