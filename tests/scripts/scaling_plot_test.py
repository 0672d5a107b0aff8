#!/usr/bin/env python3
"""scripts/scaling-plot measures a stand-in for warpcheck, and draws what it recorded."""

import importlib.machinery
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "scaling-plot"
loader = importlib.machinery.SourceFileLoader("scaling_plot", str(SCRIPT))
plot = importlib.util.module_from_spec(importlib.util.spec_from_loader("scaling_plot", loader))
sys.dont_write_bytecode = True
loader.exec_module(plot)

# Two variants, 1 ms of CPU time per case. DEFECT replaces the seed in the report of several threads. With a history, runs
# at most 300 further cases before it ends as after SIGTERM.
TOOL = """#!{python}
import json, os, sys, time
option = lambda name, default=None: sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default
jobs, cases, history = int(option("--jobs")), 2 * int(option("--cases")), option("--history")
status = 0
if history:
    done = int(open(history).read()) if os.path.exists(history) else 0
    if cases > done + 300:
        cases, status = done + 300, 130
    open(history, "w").write(str(cases))
begin = time.process_time()
while time.process_time() < begin + 0.001 * cases / 2:
    pass
with open(option("--json"), "w") as out:
    print(json.dumps({{"event": "start", "jobs": jobs}}), file=out)
    print(json.dumps({{"event": "variant", "seed": jobs if {defect} else 0, "seconds": time.time()}}), file=out)
    print(json.dumps({{"event": "summary", "cases": cases, "variants": 2, "seconds": time.time()}}), file=out)
sys.exit(status)
"""


def row(threads, cases, seconds, cpu):
    return {"threads": threads, "cases": cases, "variants": 3, "seconds": seconds, "cpu_seconds": cpu, "peak_megabytes": 100 * threads,
            "exit": 0, "findings": 0}


RECORD = {"scaling": {"machine": "A, 4 processors", "date": "2026-11-25", "load_average": 0.1, "equal_reports": True,
                      "rows": [row(1, 100, 10.0, 10.0), row(2, 200, 10.0, 20.0), row(4, 400, 12.5, 45.0)]}}


class Drawing(unittest.TestCase):
    def test_table_has_the_rates_of_the_record(self):
        text = plot.table(RECORD)
        self.assertIn("| 1 | 100 | 10.0 | 10 | 1.00 | 1.0 | 100.00 ms | 100 MB |", text)
        self.assertIn("| 4 | 400 | 12.5 | 32 | 3.20 | 3.6 | 112.50 ms | 400 MB |", text)

    def test_points_of_the_picture_rise_with_the_rate(self):
        svg = xml.etree.ElementTree.fromstring(plot.picture(RECORD))
        points = [(float(one.get("cx")), float(one.get("cy"))) for one in svg.iter("{http://www.w3.org/2000/svg}circle")]
        self.assertEqual(len(points), 6)
        for first, second in ((0, 1), (1, 2), (3, 4), (4, 5)):
            self.assertLess(points[first][0], points[second][0])
            self.assertGreater(points[first][1], points[second][1])

    def test_one_row_makes_a_picture(self):
        one = {"scaling": {**RECORD["scaling"], "rows": RECORD["scaling"]["rows"][:1]}}
        xml.etree.ElementTree.fromstring(plot.picture(one))

    def test_check_fails_where_the_record_changed(self):
        with tempfile.TemporaryDirectory() as folder:
            plot.RECORD, plot.PICTURE, plot.PAGE = (pathlib.Path(folder) / name for name in ("r.json", "p.svg", "page.md"))
            plot.RECORD.write_text(json.dumps(RECORD))
            plot.PAGE.write_text("before\n<!-- scripts/scaling-plot -->\nold\n<!-- end of the plot -->\nafter\n")
            self.assertEqual(plot.draw(check=True), 1)
            self.assertEqual(plot.draw(check=False), 0)
            self.assertEqual(plot.draw(check=True), 0)
            self.assertTrue(plot.PAGE.read_text().startswith("before\n") and plot.PAGE.read_text().endswith("after\n"))
            plot.RECORD.write_text(json.dumps(RECORD).replace("12.5", "12.6"))
            self.assertEqual(plot.draw(check=True), 1)


class Measuring(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_script(self, *arguments, tool=TOOL.format(python=sys.executable, defect=False)):
        program = self.folder / "bin/warpcheck"
        program.parent.mkdir(exist_ok=True)
        program.write_text(tool)
        program.chmod(0o755)
        return subprocess.run([sys.executable, "-B", SCRIPT, *arguments, "--pack", self.folder], capture_output=True, text=True,
                              cwd=self.folder, check=False)

    def test_threads_get_cases_in_proportion(self):
        done = self.run_script("--record", "r.json", "--seconds", "4")
        self.assertEqual(done.returncode, 0, done.stderr)
        stored = json.loads((self.folder / "r.json").read_text())["scaling"]
        threads = [one["threads"] for one in stored["rows"]]
        self.assertEqual(threads[0], 1)
        self.assertEqual(threads, sorted(set(threads)))
        self.assertLessEqual(threads[-1], len(os.sched_getaffinity(0)))
        for one in stored["rows"]:
            self.assertEqual(one["cases"], one["threads"] * stored["rows"][0]["cases"])

    def test_different_reports_are_an_error(self):
        if len(os.sched_getaffinity(0)) == 1:
            self.skipTest("one processor")
        done = self.run_script("--record", "r.json", "--seconds", "4", tool=TOOL.format(python=sys.executable, defect=True))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("DIFFERENT", done.stdout)

    def test_million_continues_in_another_call(self):
        arguments = ("--million", "r.json", "--cases", "500", "--history", "h.db")
        first = self.run_script(*arguments)
        self.assertEqual(first.returncode, 1)
        self.assertIn("300 of 500 cases", first.stdout)
        second = self.run_script(*arguments)
        self.assertEqual(second.returncode, 0, second.stderr)
        self.assertIn("500 of 500 cases", second.stdout)
        self.assertIn("in 2 calls", second.stdout)

    def test_broken_program_is_named(self):
        done = self.run_script("--record", "r.json", tool="#!/bin/sh\necho no device >&2\nexit 3\n")
        self.assertEqual(done.returncode, 3)
        self.assertIn("no device", done.stderr)


if __name__ == "__main__":
    unittest.main()
