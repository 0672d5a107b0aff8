"""Links between the pages of this repository: the file is there, and so is the heading."""

import pathlib
import re

import page as pages


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
