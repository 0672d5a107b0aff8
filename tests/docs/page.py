"""Reads a page of Markdown: its code blocks, headings and links, each with its line.

Supports what these pages use: fenced blocks, headings with `#`, and links `[text](target)`.
"""

import dataclasses
import pathlib
import re

FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$")
LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)")
CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")


@dataclasses.dataclass
class Block:
    line: int  # line of the fence, or its first line if it is indented
    info: str | None  # the text after the fence; None: the block is indented
    lines: list[str]

    @property
    def language(self) -> str:
        return (self.info or "").split(" ")[0]


@dataclasses.dataclass
class Page:
    path: pathlib.Path
    blocks: list[Block]
    anchors: set[str]
    links: list[tuple[int, str]]


def anchor(heading: str) -> str:
    """Returns the anchor that GitHub gives a heading: small letters, no punctuation, blanks as dashes."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def unique(name: str, taken: set[str]) -> str:
    """Appends a number to equal anchors, as GitHub does."""
    found, count = name, 0
    while found in taken:
        count += 1
        found = f"{name}-{count}"
    return found


def read(path: pathlib.Path) -> Page:
    page = Page(path, [], set(), [])
    block: Block | None = None  # the open block
    fence = indent = ""
    before = ""  # the previous line
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        opening = FENCE.match(line)
        if block is not None and block.info is not None:
            if opening and opening[2].startswith(fence) and not opening[3]:
                block = None
            else:
                block.lines.append(line.removeprefix(indent))
        elif opening:
            indent, fence = opening[1], opening[2]
            block = Block(number, opening[3], [])
            page.blocks.append(block)
        elif line.startswith("    ") and (block is not None or not before.strip()):
            if block is None:
                block = Block(number, None, [])
                page.blocks.append(block)
            block.lines.append(line[4:])
        else:
            if line.strip():
                block = None
            read_prose(page, number, line)
        before = line
    return page


def read_prose(page: Page, number: int, line: str) -> None:
    if heading := HEADING.match(line):
        page.anchors.add(unique(anchor(heading[1]), page.anchors))
    for link in LINK.finditer(CODE_SPAN.sub("", line)):
        page.links.append((number, link[1]))
