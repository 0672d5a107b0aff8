#!/usr/bin/env python3
"""scripts/compare-builds accepts renamed words and moved lines, and finds every other difference.

Scripts that print what a campaign prints take the place of the two binaries.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "compare-builds"

BINARY = """#!{python}
import json, sys
print("device: virtual\\n" + {cases!r})
with open(sys.argv[sys.argv.index("--json") + 1], "w") as file:
    file.write({events!r})
sys.exit({status})
"""
CASES = ["k m=1 n=2 data=lattice seed=7", "k m=2 n=2 data=normal seed=8"]
SOURCE = "first\nsum = a[i];  // the load\n"


class Builds(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)

    def build(self, name, cases=CASES, status=1, source=SOURCE, finding=None, variant=None, summary=True):
        """The path of a binary in a source tree of its own, and of the specimen that it reports."""
        specimens = self.root / name / "kernels" / "specimens"
        specimens.mkdir(parents=True)
        (specimens / "k.cu").write_text(source)
        line = 1 + next(i for i, text in enumerate(source.split("\n")) if "[" in text)
        share = variant or {"power": 0.5}  # retired spelling
        events = [{"event": "finding", "variant": "k", "class": "race", "case": CASES[0], "smallest": CASES[0],
                   "file": str(specimens / "k.cu"), "line": line, "message": "raced"} | (finding or {}),
                  {"event": "variant", "variant": "k", "verdict": "race", "seconds": len(name)} | share]
        events += [{"event": "summary", "cases": 2}] if summary else []
        binary = self.root / name / "build" / "bin" / "warpcheck"
        binary.parent.mkdir(parents=True)
        binary.write_text(BINARY.format(python=sys.executable, cases="\n".join(cases), status=status,
                                        events="".join(json.dumps(event) + "\n" for event in events)))
        os.chmod(binary, 0o755)
        return str(binary)

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, "-B", str(SCRIPT), *arguments], capture_output=True, text=True)

    def assert_differ(self, words, **changed):
        ended = self.run_script(self.build("old"), self.build("new", **changed))
        self.assertEqual(ended.returncode, 1, ended.stdout + ended.stderr)
        self.assertIn(words, ended.stdout)

    def test_renamed_keys_moved_lines_comments_times_and_messages_are_no_difference(self):
        ended = self.run_script(self.build("old"), self.build(
            "newer", source="moved\nfirst\n  sum = a[i];\n", finding={"message": "reported"},
            variant={"sensitivity": 0.5, "power": 0.5}))  # retired spelling
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertIn("0 differences in 4 case lines and 6 events; 2 messages differ", ended.stdout)

    def test_replay_commands_differ_in_their_paths_only(self):
        def replay(name, options="--device virtual"):
            tool, file = self.root / name / "build/bin/warpcheck", self.root / name / "kernels/specimens/k.cu"
            return {"replay": f"'{tool}' replay {options} --in '{file}' '{CASES[0]}'"}

        ended = self.run_script(self.build("old tree", finding=replay("old tree")), self.build("new", finding=replay("new")))
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        ended = self.run_script(self.build("a", finding=replay("a")), self.build("b", finding=replay("b", "--strict-races")))
        self.assertEqual(ended.returncode, 1, ended.stdout + ended.stderr)

    def test_another_case_line_is_a_difference(self):
        self.assert_differ("case lines of k", cases=[CASES[0], CASES[1].replace("seed=8", "seed=9")])

    def test_another_order_of_case_lines_is_a_difference(self):
        self.assert_differ("case lines of k", cases=CASES[::-1])

    def test_another_class_smallest_case_or_share_is_a_difference(self):
        self.assert_differ('"class": "deadlock"', finding={"class": "deadlock"})
        self.root /= "second"
        self.assert_differ("events of k", finding={"smallest": CASES[1]})
        self.root /= "third"
        self.assert_differ("events of k", variant={"sensitivity": 0.4})

    def test_another_source_line_is_a_difference(self):
        self.assert_differ("sum = b[i];", source="first\nsum = b[i];\n")

    def test_another_exit_status_is_a_difference(self):
        self.assert_differ("exit status", status=0)

    def test_a_record_takes_the_place_of_the_old_binary(self):
        record = str(self.root / "record.json")
        self.assertEqual(self.run_script("--record", record, self.build("old")).returncode, 0)
        self.assertEqual(self.run_script("--against", record, self.build("same")).returncode, 0)
        ended = self.run_script("--against", record, self.build("new", cases=CASES[:1]))
        self.assertEqual(ended.returncode, 1)
        self.assertIn("-" + CASES[1], ended.stdout)

    def test_a_binary_that_does_not_finish_is_an_error_and_no_difference(self):
        for name, broken in (("a", {"status": 3}), ("b", {"summary": False}), ("c", {"cases": []})):
            ended = self.run_script(self.build("old" + name), self.build(name, **broken))
            self.assertEqual(ended.returncode, 2, name)


if __name__ == "__main__":
    unittest.main()
