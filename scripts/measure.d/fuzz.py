"""The cases that `warpcheck fuzz` runs on each specimen up to the first finding, guided and unguided.

Each search starts with an empty corpus, ends with its first finding, and has 60 s on 2 host threads. The status is 1 if a
guided search does not find its specimen in time.
"""

import collections
import math
import re
import statistics
import tempfile

from common import pages

PAGES = ["docs/fuzzing.md"]
RECORDED_BY = "nothing: measured each time"
TIME = "minutes for each seed"
NEEDS = "nvcc"
CHECKED = False
HEAD = """\
| specimen | guided | unguided | slowest guided search |
|---|--:|--:|--:|
"""


def arguments(parser):
    parser.add_argument("--seeds", type=int, default=5, help="number of seeds [5]")


def searches(run):
    """The events of all searches of each (specimen, kind of search)."""
    files = [file for suffix in ("toml", "cu") for file in (pages.ROOT / "kernels/specimens").glob(f"*/*.{suffix}")]
    seconds = 60 * sum(len(re.findall("^name *=", file.read_text(), re.MULTILINE)) for file in files)
    found = collections.defaultdict(list)
    for seed in range(1, run.options.seeds + 1):
        for kind in ("guided", "unguided"):
            with tempfile.TemporaryDirectory() as corpus:
                command = ["fuzz", "kernels/specimens", "--device", "virtual", "--jobs", "2", "--seed", str(seed), "--time",
                           f"{seconds}s", "--stop-at-first", "--corpus", corpus]
                for event in run.events("fuzz", *command, *(["--unguided"] if kind == "unguided" else [])):
                    found[event["variant"], kind].append(event)
    return found


def median(events):
    value = statistics.median(event.get("first_after", math.inf) for event in events)
    return "not found" if value == math.inf else f"{value:g}"


def table(run, _):
    found = searches(run)
    specimens = sorted({specimen for specimen, _ in found})
    for specimen in specimens:
        if any("first_after" not in event for event in found[specimen, "guided"]):
            run.report(f"a guided search did not find {specimen}", 1)
    return pages.table(HEAD, ((specimen, median(found[specimen, "guided"]), median(found[specimen, "unguided"]),
                               f"{max(event['seconds'] for event in found[specimen, 'guided']):.1f} s")
                              for specimen in specimens))
