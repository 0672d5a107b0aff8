"""Checks the links between pages of this repository: the file and the heading must exist."""

import pathlib
import re

import page as pages


def pages_not_linked(contents: pages.Page) -> list[str]:
    """Returns a problem for each page next to a table of contents that is not in it."""
    linked = {target.partition("#")[0] for _, target in contents.links}
    beside = sorted(path.name for path in contents.path.parent.glob("*.md"))
    return [f"1: {name} is not in the contents" for name in beside
            if name not in linked and name != contents.path.name]


def problems_of(page: pages.Page, root: pathlib.Path) -> list[str]:
    problems = []
    for line, target in page.links:
        if re.match(r"[a-z][a-z0-9+.-]*:", target):  # https:, mailto:
            continue
        path, _, anchor = target.partition("#")
        file = (page.path.parent / path).resolve() if path else page.path.resolve()
        if not file.exists() or not file.is_relative_to(root.resolve()):
            problems.append(f"{line}: dead link: {target}")
        elif anchor and file.suffix == ".md" and anchor not in pages.read(file).anchors:
            problems.append(f"{line}: no such heading: {target}")
    return problems
