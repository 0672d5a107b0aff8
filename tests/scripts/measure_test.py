#!/usr/bin/env python3
"""scripts/measure in a tree of its own: it writes and checks pages, and measures a stand-in for warpcheck."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"

# `check` of two variants takes 1 ms of CPU time per case. DEFECT replaces the seed in the report of several threads. With a
# history, it runs at most 300 further cases before it ends as after SIGTERM. Other commands write the events of EVENTS.
TOOL = """#!{python}
import json, os, sys, time
option = lambda name, default=None: sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default
if os.path.exists({events!r}):
    open(option("--json"), "w").write(open({events!r}).read())
    sys.exit(0)
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


def marked(name, text="old\n"):
    return f"before\n<!-- scripts/measure {name} -->\n\n{text}\n<!-- end of scripts/measure -->\nafter\n"


def row(threads, cases, seconds, cpu):
    return {"threads": threads, "cases": cases, "variants": 3, "seconds": seconds, "cpu_seconds": cpu, "peak_megabytes": 100 * threads,
            "exit": 0, "findings": 0}


SCALING = {"machine": "A, 4 processors", "date": "2026-11-25", "load_average": 0.1, "equal_reports": True,
           "rows": [row(1, 100, 10.0, 10.0), row(2, 200, 10.0, 20.0), row(4, 400, 12.5, 45.0)]}


class Measured(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        shutil.copytree(SCRIPTS / "measure.d", self.root / "scripts/measure.d")
        shutil.copy(SCRIPTS / "measure", self.root / "scripts")
        self.write("docs/pictures/scaling.svg", "")
        self.events = self.root / "events"

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def write_tool(self, text=None, defect=False):
        self.write("build/bin/warpcheck", text or TOOL.format(python=sys.executable, defect=defect, events=str(self.events))
                   ).chmod(0o755)

    def measure(self, *arguments, expect=0):
        done = subprocess.run([sys.executable, "-B", self.root / "scripts/measure", *arguments], capture_output=True, text=True,
                              cwd=self.root, check=False)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def lines(self, page):
        return (self.root / page).read_text().splitlines()


class Pages(Measured):
    def test_check_fails_where_the_record_changed(self):
        record, page = self.write("bench/recorded/scaling.json", json.dumps(SCALING)), self.write("docs/measured.md", marked("scaling"))
        self.assertIn("docs/measured.md is not what was measured", self.measure("scaling", "--check", expect=1))
        self.assertEqual(page.read_text(), marked("scaling"))
        self.measure("scaling")
        self.measure("scaling", "--check")
        self.assertTrue(page.read_text().startswith("before\n") and page.read_text().endswith("after\n"))
        record.write_text(json.dumps(SCALING).replace("12.5", "12.6"))
        self.measure("scaling", "--check", expect=1)

    def test_wrong_names_and_missing_parts_are_named(self):
        self.assertIn("no measurement ladders", self.measure("ladders", expect=2))
        self.measure(expect=2)
        self.write("docs/measured.md", "no marker\n")
        self.assertIn("no marker", self.measure("scaling", "--check", expect=1))
        self.write("docs/measured.md", marked("scaling"))
        self.assertIn("--record", self.measure("scaling", expect=3))
        self.write("docs/fuzzing.md", marked("fuzz"))
        self.assertIn("warpcheck does not exist", self.measure("fuzz", expect=3))

    def test_list_describes_each_measurement(self):
        text = self.measure("--list")
        names = {file.stem for file in (SCRIPTS / "measure.d").glob("*.py")}
        self.assertEqual(set(re.findall(r"^(\w+):", text, re.MULTILINE)), names)

    def test_each_pair_of_markers_reads_its_own_file(self):
        event = {"event": "bench", "variant": "v", "case": "v m=1 n=2 k=3", "seconds": {"median": 1e-6}, "operations": 12,
                 "rate": 3e12}
        self.write("kernels/gemm/3_tiles/04_v.toml", '[[variant]]\nname = "v"\n')
        self.write("bench/recorded/a.jsonl", json.dumps(event))
        self.write("bench/recorded/b.jsonl", json.dumps(event | {"rate": 4e12}))
        self.write("docs/ladder.md", marked("bench a.jsonl") + marked("bench b.jsonl"))
        self.measure("bench")
        rows = [line for line in self.lines("docs/ladder.md") if line.startswith("| 3.04")]
        self.assertEqual(rows, [f"| 3.04 | `v` | 1 x 2 x 3 | 1 us | {rate} | - | - | - |" for rate in ("3.0", "4.0")])

    def test_a_score_that_the_report_lacks_stays(self):
        old = "| variant | x |\n|---|--:|\n| kept | 1 |\n| new | 2 |\n"
        page = self.write("docs/operations.md", marked("mutations", old))
        counts = dict.fromkeys(("possible", "run", "not_reached", "within_bound", "equivalent", "unreachable"), 0)
        self.write("r.json", json.dumps({"event": "mutation-score", "variant": "new", "killed": 2, "survived": 1, **counts}))
        self.measure("mutations", "r.json")
        self.assertIn("| kept | 1 |\n| new | 0 | 0 | 2 | 1 | 0 | 0 | 0 | 0 | 66.6 % | 66.6 % |\n\n<!--", page.read_text())


class Scaling(Measured):
    def test_table_and_picture_have_the_rates_of_the_record(self):
        self.write("bench/recorded/scaling.json", json.dumps(SCALING))
        self.write("docs/measured.md", marked("scaling"))
        self.measure("scaling")
        self.assertIn("| 1 | 100 | 10.0 | 10 | 1.00 | 1.0 | 100.00 ms | 100 MB |", self.lines("docs/measured.md"))
        self.assertIn("| 4 | 400 | 12.5 | 32 | 3.20 | 3.6 | 112.50 ms | 400 MB |", self.lines("docs/measured.md"))
        svg = xml.etree.ElementTree.parse(self.root / "docs/pictures/scaling.svg")
        points = [(float(one.get("cx")), float(one.get("cy"))) for one in svg.iter("{http://www.w3.org/2000/svg}circle")]
        self.assertEqual(len(points), 6)
        for first, second in ((0, 1), (1, 2), (3, 4), (4, 5)):
            self.assertLess(points[first][0], points[second][0])
            self.assertGreater(points[first][1], points[second][1])

    def test_one_row_makes_a_picture(self):
        self.write("bench/recorded/scaling.json", json.dumps({**SCALING, "rows": SCALING["rows"][:1]}))
        self.write("docs/measured.md", marked("scaling"))
        self.measure("scaling")
        xml.etree.ElementTree.parse(self.root / "docs/pictures/scaling.svg")

    def test_threads_get_cases_in_proportion(self):
        self.write_tool()
        self.measure("scaling", "--record", "r.json", "--seconds", "4")
        rows = json.loads((self.root / "r.json").read_text())["rows"]
        threads = [one["threads"] for one in rows]
        self.assertEqual(threads[0], 1)
        self.assertEqual(threads, sorted(set(threads)))
        self.assertLessEqual(threads[-1], len(os.sched_getaffinity(0)))
        for one in rows:
            self.assertEqual(one["cases"], one["threads"] * rows[0]["cases"])

    def test_different_reports_are_an_error(self):
        if len(os.sched_getaffinity(0)) == 1:
            self.skipTest("one processor")
        self.write_tool(defect=True)
        self.assertIn("DIFFER", self.measure("scaling", "--record", "r.json", "--seconds", "4", expect=1))

    def test_million_continues_in_another_call(self):
        self.write_tool()
        arguments = ("million", "--record", "r.json", "--cases", "500", "--history", "h.db")
        self.assertIn("300 of 500 cases", self.measure(*arguments, expect=1))
        text = self.measure(*arguments)
        self.assertIn("500 of 500 cases", text)
        self.assertIn("in 2 calls", text)

    def test_broken_program_is_named(self):
        self.write_tool("#!/bin/sh\necho no device >&2\nexit 3\n")
        self.assertIn("no device", self.measure("scaling", "--record", "r.json", expect=3))


class Comparisons(Measured):
    def write_events(self, *events):
        self.write_tool()
        self.events.write_text("".join(json.dumps(event) + "\n" for event in events))

    def test_guided_search_without_a_finding_is_an_error(self):
        self.write("docs/fuzzing.md", marked("fuzz"))
        self.write_events({"event": "fuzz", "variant": "b", "seconds": 0.25, "first_after": 3})
        self.measure("fuzz", "--seeds", "2")
        self.assertIn("| b | 3 | 3 | 0.2 s |", self.lines("docs/fuzzing.md"))
        self.write_events({"event": "fuzz", "variant": "b", "seconds": 0.25})
        self.assertIn("did not find b", self.measure("fuzz", "--seeds", "1", expect=1))
        self.assertIn("| b | not found | not found | 0.2 s |", self.lines("docs/fuzzing.md"))

    def test_counters_that_differ_show_both(self):
        loads, stores = (f"l1tex__t_sectors_pipe_lsu_mem_global_op_{way}.sum" for way in ("ld", "st"))
        page = self.write("docs/profile.md", marked("counters"))
        self.write("tests/gpu/patterns.toml", "")
        self.write("out/counters.csv", f"case,{loads},{stores}\n" + "v m=1 alpha=1,2,4\nv m=1 alpha=1,3,4\n")
        self.write_events({"event": "profile", "variant": "v", "metrics": {loads: 5, stores: 9}})
        self.measure("counters", "out")
        self.assertIn("| v m=1 |  | 5 |  | 8 / 9 |", page.read_text())
        self.assertIn(f"| `{loads}` | 1 | 1 |\n| `{stores}` | 1 | 0 |\n", page.read_text())

    def test_messages_of_the_sanitizer_stand_next_to_the_findings(self):
        self.write("docs/sanitizers.md", marked("sanitizers"))
        self.write("out/sanitizers.tsv", "memcheck\tv m=1\t2\tInvalid read\ta.cu:7\nracecheck\tv m=1\tfailed\tno end\t\n"
                                         "initcheck\tv m=1\t0\t\t\n")
        self.write_events({"event": "variant", "variant": "v"}, {"event": "variant", "variant": "not_run"},
                          {"event": "finding", "variant": "v", "class": "race", "line": 9, "called_from": [{"line": 7}, {"line": 5}]},
                          {"event": "finding", "variant": "v", "class": "race", "line": 6})
        self.measure("sanitizers", "out")
        rows = [line for line in self.lines("docs/sanitizers.md") if line.startswith("| `")]
        self.assertEqual(rows, ["| `v` | race, line 5 | Invalid read, line 7 | no result: no end | – |  |"])


if __name__ == "__main__":
    unittest.main()
