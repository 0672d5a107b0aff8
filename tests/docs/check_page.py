#!/usr/bin/env python3
"""Checks a page of the docs: its commands print what it shows, and its links have targets.

    check_page.py --root REPOSITORY --build FOLDER --scratch FOLDER [--in-empty-folder] PAGE.md

Prints the problems and the commands that were not run. Exits with 1 if there is a problem. Without nvcc it runs no
command, and exits with 77 for a page that has some, which ctest reports as skipped.
"""

import argparse
import pathlib
import shutil
import sys

import console
import links
import page as pages

# The parts of a clone that commands of the docs use.
CLONED = ("kernels", "examples", "tests/proof/files", "docs", "scripts", "library/include", "README.md")


def make_scratch(scratch: pathlib.Path, root: pathlib.Path, build: pathlib.Path) -> None:
    """Creates a folder that looks like a built clone to the commands of the page."""
    (scratch / "build").mkdir()
    for name in ("bin", "lib"):
        (scratch / "build" / name).symlink_to(build / name)
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
    parser.add_argument("--in-empty-folder", action="store_true", help="the page needs no clone")
    parser.add_argument("page", type=pathlib.Path)
    arguments = parser.parse_args()
    root, build = arguments.root.resolve(), arguments.build.resolve()
    scratch = arguments.scratch.absolute()

    page = pages.read(arguments.page)
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    if not arguments.in_empty_folder:
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
