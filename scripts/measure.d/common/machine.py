"""The machine that measures, as recorded results state it."""

import datetime
import os
import pathlib
import re


def processors():
    return len(os.sched_getaffinity(0))


def facts(*details):
    """The name of the processor with further details, the date and the load: the head of every recorded result."""
    found = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    name = re.sub(r"\((R|TM)\)", "", found[1] if found else "unknown processor").strip()
    return {"machine": ", ".join((name, f"{processors()} processors", *details)), "date": datetime.date.today().isoformat(),
            "load_average": os.getloadavg()[0]}
