"""The text between the markers of a page, and its tables in Markdown."""

import collections
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
Place = collections.namedtuple("Place", "page argument text")  # `text` is what the page holds between the markers
MARKED = r"(<!-- scripts/measure {}(?: (\S+))? -->\n)(.*?)(<!-- end of scripts/measure -->\n)"


def filled(page, name, new_text):
    """The page with new_text(Place) between each pair of markers of the measurement; a marker may have an argument."""
    text, count = re.subn(MARKED.format(name), lambda found: "\n".join(
        (found[1], new_text(Place(page, found[2], found[3].strip("\n"))), found[4])), page.read_text(), flags=re.DOTALL)
    if count == 0:
        raise SystemExit(f"measure: {page.relative_to(ROOT)} has no marker <!-- scripts/measure {name} -->")
    return text


def table(head, rows):
    """The table of these rows of cells. `head` holds the headings and the line below them."""
    return head + "".join("| " + " | ".join(map(str, cells)) + " |\n" for cells in rows)


def json_lines(text, *kinds):
    """The events of these kinds in the report of `warpcheck --json`."""
    return [one for one in map(json.loads, text.splitlines()) if one["event"] in kinds]


def rungs(level):
    """(number of the file, name) of each variant of a level of the ladder, in the order of the files."""
    for contract in sorted(level.glob("*.toml")):
        for variant in re.findall(r'^name *= "(.*)"$', contract.read_text(), re.MULTILINE):
            yield contract.stem.partition("_")[0], variant
