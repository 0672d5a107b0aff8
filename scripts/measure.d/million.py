"""One campaign of a million cases over all variants on all processors.

A further --record with the same FILE and --history continues an incomplete one, whose status is 1.
"""

import json
import tempfile
from pathlib import Path

from common import campaigns, machine, pages

PAGES = ["docs/measured.md"]
RECORDED = pages.ROOT / "bench/recorded/million.json"
RECORDED_BY = "scripts/measure million --record bench/recorded/million.json"
TIME = "less than 1 s; --record: at most --seconds"
NEEDS = "bench/recorded/million.json; --record: the build, and hours on few cores"
CHECKED = True


def arguments(parser):
    campaigns.arguments(parser)
    parser.add_argument("--cases", type=int, default=1_000_000, help="cases of all variants together [1000000]")
    parser.add_argument("--history", type=Path, default=Path("million.db"), help="history of the campaign [million.db]")


def record(run):
    options, cores, idle = run.options, machine.processors(), machine.facts()
    before = json.loads(options.record.read_text()) if options.record.exists() and options.history.exists() else None
    if not before or before["complete"]:
        before = {"calls": 0, "seconds": 0, "cpu_seconds": 0, "peak_megabytes": 0}
    with tempfile.TemporaryDirectory() as folder:
        variants = campaigns.check(run, cores, 1, f"{folder}/trial")["variants"]
        each = -(-options.cases // variants)
        row = campaigns.check(run, cores, each, f"{folder}/report", "--history", options.history, "--resume",
                              seconds=options.seconds)
    result = {**idle, "threads": cores, "variants": variants, "cases": row["cases"], "planned": each * variants,
              "findings": row["findings"], "complete": row["exit"] != 130, "calls": before["calls"] + 1,
              "seconds": round(row["seconds"] + before["seconds"], 1),
              "cpu_seconds": round(row["cpu_seconds"] + before["cpu_seconds"], 1),
              "peak_megabytes": max(row["peak_megabytes"], before["peak_megabytes"])}
    print(sentence(result), flush=True)
    if not result["complete"]:
        run.report("the campaign is not complete: call again with the same --history", 1)
    return result


def sentence(one):
    return (f"{one['cases']:,} of {one['planned']:,} cases of {one['variants']} variants on {one['threads']} threads "
            f"({one['machine']}, {one['date']}): {one['seconds']:,.0f} s in {one['calls']} "
            f"call{'s' if one['calls'] > 1 else ''}, {one['cpu_seconds'] / one['seconds']:.1f} cores busy, "
            f"{one['findings']} findings, peak memory {one['peak_megabytes'] / 1000:.1f} GB.")


def table(run, _):
    return sentence(json.loads(run.input(RECORDED))) + "\n"
