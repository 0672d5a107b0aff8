"""Campaigns on the virtual device with a number of threads: their cases, times and memory."""

import json
import os
import pathlib
import signal
import subprocess
import threading
import time


def arguments(parser):
    parser.add_argument("--seconds", type=float, default=300.0, help="limit of the whole measurement [300]")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="[all built-in variants]")


def check(run, jobs, cases, report, *options, seconds=None):
    """Runs `check`; after `seconds`, ends it as Ctrl-C does. Returns its times, its memory and its last event."""
    libraries, path = (run.options.build / "lib").resolve(), os.environ.get("LD_LIBRARY_PATH")
    command = [run.program, "check", *run.options.targets, "--device", "virtual", "--jobs", str(jobs), "--cases", str(cases),
               "--json", report, "--quiet", *options]
    begin = time.monotonic()
    child = subprocess.Popen(command, env={**os.environ, "LD_LIBRARY_PATH": f"{libraries}:{path}" if path else str(libraries)},
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    timer = threading.Timer(seconds or 0, child.send_signal, [signal.SIGTERM])
    if seconds:
        timer.start()
    error = child.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(child.pid, 0)
    timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1, 130):
        run.missing(f"{' '.join(map(str, command))} exited with {child.returncode}\n{error}")
    events = [json.loads(line) for line in pathlib.Path(report).read_text().splitlines()]
    end = next(event for event in reversed(events) if event["event"] == "summary")
    return {"threads": jobs, "cases": end["cases"], "variants": end["variants"],
            "seconds": round(time.monotonic() - begin, 3), "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 3),
            "peak_megabytes": round(usage.ru_maxrss / 1024), "exit": child.returncode,
            "findings": sum(event["event"] == "finding" for event in events)}
