"""The messages of compute-sanitizer's tools for every specimen and variant, next to the findings of `warpcheck check`."""

import collections
import pathlib
import re

from common import pages

PAGES = ["docs/sanitizers.md"]
RECORDED_BY = "scripts/gpu-tests sanitizers OUT, on a GPU with compute-sanitizer"
TIME = "a minute"
NEEDS = "nvcc, OUT/sanitizers.tsv"
CHECKED = False
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
HEAD = f"| variant | virtual device | {' | '.join(TOOLS)} |\n|---|---|" + "---|" * len(TOOLS) + "\n"


def arguments(parser):
    parser.add_argument("out", type=pathlib.Path, metavar="OUT", help="the output of scripts/gpu-tests sanitizers")


def messages(run):
    """[(number of messages, first message, its place)] of each (variant, tool): an entry for each case."""
    found = collections.defaultdict(list)
    for line in run.input(run.options.out / "sanitizers.tsv").splitlines():
        tool, case, number, message, place = line.split("\t")
        found[case.split(" ")[0], tool].append((number, message.replace("|", "\\|"), place.rpartition(":")[2]))
    return found


def cell(runs):
    if not runs:
        return ""
    _, message, line = next((one for one in runs if one[0] != "0" and one[1]), ("", "", ""))
    if any(number == "failed" for number, *_ in runs):
        return f"no result: {message}"
    if all(number == "0" for number, *_ in runs):
        return "–"
    message = re.sub(" access at .*", " access", message)
    return f"{message}, line {line}" if line else message


def table(run, _):
    tools = messages(run)
    classes = collections.defaultdict(dict)  # the line of its own source in the first finding of each class, for each variant
    for targets in (["kernels/specimens"], []):
        for event in run.events("variant finding", "check", "--device", "virtual", *targets):
            if event["event"] == "variant":
                classes[event["variant"]]
            elif "line" in event:
                classes[event["variant"]].setdefault(event["class"], event.get("called_from", [event])[-1]["line"])
    return pages.table(HEAD, ((f"`{variant}`", "; ".join(f"{kind}, line {line}" for kind, line in found.items()) or "–",
                               *(cell(tools[variant, tool]) for tool in TOOLS))
                              for variant, found in classes.items() if tools[variant, "memcheck"]))
