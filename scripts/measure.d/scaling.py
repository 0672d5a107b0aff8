"""Campaigns on the virtual device with 1, 2, 4 ... threads up to the number of processors.

Each number of threads gets cases in proportion, so that each takes about the same time. The reports of 1 thread and of all
threads on the same cases must be equal, except for times; the status is 1 if they are not. --record needs no source of
warpcheck: its folder --build may be a copy on another machine.
"""

import json
import pathlib
import tempfile
import time

from common import campaigns, machine, pages, plot
from common.campaigns import arguments  # noqa: F401

PAGES = ["docs/measured.md"]
PICTURE = pages.ROOT / "docs/pictures/scaling.svg"
RECORDED = pages.ROOT / "bench/recorded/scaling.json"
RECORDED_BY = "scripts/measure scaling --record bench/recorded/scaling.json"
TIME = "less than 1 s; --record: at most --seconds"
NEEDS = "bench/recorded/scaling.json; --record: the build"
CHECKED = True
TRIAL_CASES = 2  # cases of each variant, to estimate the time of a case
REPORTS = {True: "the reports of 1 thread and of all threads on the same cases are equal, except for times",
           False: "the reports of 1 thread and of all threads DIFFER", None: "the reports were not compared"}
HEAD = """\
| threads | cases | seconds | cases per second | times one thread | cores busy | CPU time of a case | peak memory |
|--:|--:|--:|--:|--:|--:|--:|--:|
"""


def without_times(report):
    lines = [json.loads(line) for line in pathlib.Path(report).read_text().splitlines()]

    def stripped(value):
        if isinstance(value, list):
            return [stripped(one) for one in value]
        if isinstance(value, dict):
            return {key: stripped(one) for key, one in value.items() if not key.endswith("seconds")}
        return value

    return [stripped(event) for event in lines if event["event"] != "start"]


def record(run):
    """The rows for 1, 2, 4 ... threads, one after another."""
    end = time.monotonic() + run.options.seconds
    idle = machine.facts()
    cores = machine.processors()
    threads = sorted({2**i for i in range(cores.bit_length()) if 2**i <= cores} | {cores})
    with tempfile.TemporaryDirectory() as folder:
        trial = campaigns.check(run, 1, TRIAL_CASES, f"{folder}/trial")
        share = (end - time.monotonic()) / (3 * len(threads))  # the first cases are short, and threads that share a core slow
        cases = max(1, int(share / (trial["seconds"] / trial["cases"]) / trial["variants"]))
        rows = []
        for jobs in threads:
            rows.append(campaigns.check(run, jobs, cases * jobs, f"{folder}/{jobs}", seconds=max(end - time.monotonic(), 1)))
            print(sentence(rows[-1]), flush=True)
        complete = [row for row in rows if row["exit"] != 130]
        equal = None
        if complete and rows[0]["exit"] != 130 and end > time.monotonic():
            campaigns.check(run, cores, cases, f"{folder}/again")
            equal = without_times(f"{folder}/1") == without_times(f"{folder}/again")
    if not complete:
        run.missing("the time was too short for one row")
    if equal is False:
        run.report(REPORTS[False], 1)
    return {**idle, "rows": complete, "equal_reports": equal}


def rate(row):
    return row["cases"] / row["seconds"]


def busy(row):
    return row["cpu_seconds"] / row["seconds"]


def sentence(row):
    return (f"{row['threads']} threads: {row['cases']} cases in {row['seconds']:.1f} s, {rate(row):.0f} per second, "
            f"{busy(row):.2f} cores busy, peak {row['peak_megabytes']} MB, {row['findings']} findings")


def table(run, _):
    stored = json.loads(run.input(RECORDED))
    first = stored["rows"][0]
    return (f"![Cases per second and cores busy over the number of threads](pictures/{PICTURE.name})\n"
            f"\n{stored['machine']}, {stored['date']}, load average {stored['load_average']:.1f}; "
            f"{first['variants']} variants; {REPORTS[stored['equal_reports']]}:\n\n"
            + pages.table(HEAD, ((row["threads"], f"{row['cases']:,}", f"{row['seconds']:.1f}", f"{rate(row):,.0f}",
                                  f"{rate(row) / rate(first):.2f}", f"{busy(row):.1f}",
                                  f"{1000 * row['cpu_seconds'] / row['cases']:.2f} ms", f"{row['peak_megabytes']:,} MB")
                                 for row in stored["rows"])))


def pictures(run):
    rows = json.loads(run.input(RECORDED))["rows"]
    panels = {"Cases per second": [rate(row) for row in rows],
              "Cores busy (CPU seconds per second)": [busy(row) for row in rows]}
    return {PICTURE: plot.drawing([row["threads"] for row in rows], panels,
                                  "one thread times the number of threads; both axes are logarithmic")}
