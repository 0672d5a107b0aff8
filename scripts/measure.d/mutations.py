"""The mutation scores of the operations, from a report of `warpcheck mutate`.

Variants that the report lacks keep their rows.
"""

import pathlib

from common import pages

PAGES = ["docs/operations.md"]
RECORDED_BY = "scripts/gpu-tests mutations OUT, or warpcheck mutate kernels/operations --json FILE"
TIME = "less than 1 s"
NEEDS = "the report, such as OUT/mutations.json"
CHECKED = False
COUNTS = ("possible", "run", "killed", "survived", "not_reached", "within_bound", "equivalent", "unreachable")
HEAD = """\
| variant | possible | run | killed | survived | not reached | within bound | equivalent | unreachable | score | least score |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
"""


def arguments(parser):
    parser.add_argument("report", type=pathlib.Path)


def percent(killed, others):
    """Rounds down, as `mutate` does: 100 % means all."""
    return f"{1000 * killed // max(killed + others, 1) / 10:.1f} %"


def row(event):
    lived = event["survived"] + event["not_reached"]
    return (event["variant"], *(event[count] for count in COUNTS), percent(event["killed"], lived),
            percent(event["killed"], lived + event["within_bound"]))


def table(run, place):
    rows = {cells[0]: cells for cells in (line[2:-2].split(" | ") for line in place.text.splitlines()[2:])}
    rows |= {event["variant"]: row(event) for event in pages.json_lines(run.input(run.options.report), "mutation-score")}
    return pages.table(HEAD, rows.values())
