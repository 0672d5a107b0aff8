#!/usr/bin/env python3
"""Tests that the checker of the docs fails on wrong pages."""

import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

sys.dont_write_bytecode = True

import console
import documented_commands
import documented_file
import links
import page as pages


class PageCase(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name) / "root"
        (self.root / "scratch").mkdir(parents=True)

    def page(self, text, name="page.md"):
        (self.root / name).write_text(textwrap.dedent(text), encoding="utf-8")
        return pages.read(self.root / name)

    def problems(self, text):
        scratch = self.root / "scratch"
        problems, _, commands = console.read_blocks(self.page(text), scratch)
        outcomes = console.run_session(commands, scratch, None, dict(os.environ))
        return problems + console.problems_of(commands, outcomes)

    def not_run(self, text):
        return console.read_blocks(self.page(text), self.root / "scratch")[1]

    def assert_one(self, problems, words):
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(words, problems[0])


class DocumentedCommands(PageCase):
    TEXT = """
        ```console
        $ make \\
            check
        made
        $ make install
        ```

        ```console not run: takes minutes
        $ make test
        ```
        """

    def commands(self, part):
        return documented_commands.documented_commands(self.page(self.TEXT).path, part)

    def test_are_those_of_the_block_without_output(self):
        self.assertEqual(self.commands("install"), ["make \\\n    check", "make install"])
        self.assertEqual(self.commands("test"), ["make test"])

    def test_are_of_exactly_one_block(self):
        self.assertRaisesRegex(ValueError, "found 2", self.commands, "make")
        self.assertRaisesRegex(ValueError, "found 0", self.commands, "cpack")


class DocumentedFile(PageCase):
    TEXT = "```cpp file=one.cpp\nint x;\nint y;\n```\n\n```cpp\nint z;\n```\n"

    def test_is_that_of_exactly_one_block(self):
        page = self.page(self.TEXT).path
        self.assertEqual(documented_file.documented_file(page, "one.cpp"), "int x;\nint y;\n")
        self.assertRaisesRegex(ValueError, "found 0", documented_file.documented_file, page, "two.cpp")
        page = self.page(self.TEXT + self.TEXT).path
        self.assertRaisesRegex(ValueError, "found 2", documented_file.documented_file, page, "one.cpp")


class Commands(PageCase):
    def test_output_as_shown_passes(self):
        self.assertEqual(self.problems("""
            ```console
            $ printf 'one\\ntwo\\nthree\\n'
            one
            ...
            three
            $ echo a    long   line in 0.3 s
            a long line in ... s
            ```
            """), [])

    def test_progress_of_a_slow_command_is_not_output(self):
        self.assertEqual(self.problems("""
            ```console
            $ printf 'one\\nwarpcheck: 0:30 (0:42 left) [1/1] add: 38 of 100 cases\\ntwo\\n'
            one
            two
            ```
            """), [])

    def test_a_line_that_is_not_printed_is_a_problem(self):
        self.assert_one(self.problems("""
            ```console
            $ printf 'one\\ntwo\\n'
            one
            three
            ```
            """), "3: `printf 'one\\ntwo\\n'` did not print this line here: three")

    def test_lines_in_another_order_are_a_problem(self):
        self.assert_one(self.problems("""
            ```console
            $ printf 'one\\ntwo\\n'
            two
            ...
            one
            ```
            """), "one")

    def test_lines_that_are_not_elided_are_a_problem(self):
        self.assert_one(self.problems("""
            ```console
            $ printf 'one\\ntwo\\nthree\\n'
            one
            three
            ```
            """), "three")

    def test_an_unexpected_exit_status_is_a_problem(self):
        self.assert_one(self.problems("""
            ```console
            $ false
            ```
            """), "exited with 1, expected 0")
        self.assert_one(self.problems("""
            ```console
            $ true  # exits with 1
            ```
            """), "exited with 0, expected 1")
        self.assertEqual(self.problems("""
            ```console
            $ (exit 3)  # exits with 3
            ```
            """), [])

    def test_commands_of_a_page_share_a_session(self):
        self.assertEqual(self.problems("""
            ```console
            $ mkdir inner && cd inner && name=value
            ```
            ```console
            $ echo $name in $(basename $PWD)
            value in inner
            $ echo one \\
                two
            one two
            ```
            """), [])

    def test_a_command_after_the_end_of_the_session_is_a_problem(self):
        problems = self.problems("""
            ```console
            $ exit 0
            $ true
            ```
            """)
        self.assertEqual(len(problems), 2)
        self.assertIn("was not reached", problems[1])

    def test_files_that_a_page_shows_exist(self):
        self.assertEqual(self.problems("""
            ```toml file=folder/a.toml
            name = "x"
            ```
            ```console
            $ cat folder/a.toml
            name = "x"
            ```
            """), [])

    def test_a_command_that_is_not_run_has_a_reason_and_is_listed(self):
        text = """
            ```console not run: needs a GPU
            $ false
            ```
            """
        self.assertEqual(self.problems(text), [])
        self.assertEqual(self.not_run(text), ["3: `false` (needs a GPU)"])
        self.assert_one(self.problems("""
            ```console skipped
            $ true
            ```
            """), "expected `console`")

    def test_a_command_outside_of_a_console_block_is_a_problem(self):
        self.assert_one(self.problems("Run\n\n    warpcheck check mine.cu\n"),
                        "outside of a console block")
        self.assert_one(self.problems("""
            ```sh
            build/bin/warpcheck check
            ```
            """), "outside of a console block")
        self.assert_one(self.problems("""
            ```
            text
            ```
            """), "has no language")
        self.assert_one(self.problems("""
            ```console
            warpcheck check
            ```
            """), "does not begin with '$ '")


class Folders(PageCase):
    def status(self, text, *more):
        self.page(text)
        checker = pathlib.Path(__file__).with_name("check_page.py")
        return subprocess.run(
            [sys.executable, "-B", checker, "--root", self.root, "--build", self.root / "build", "--scratch",
             self.root / "scratch", *more, self.root / "page.md"], stdout=subprocess.DEVNULL, check=False).returncode

    def test_the_folder_is_a_clone_or_has_only_the_files_of_the_page(self):
        (self.root / "kernels").mkdir()
        text = "```text file=own.txt\nown\n```\n\n```console\n$ echo $(ls)\n%s\n```\n"
        self.assertEqual(self.status(text % "build kernels own.txt"), 0)
        self.assertEqual(self.status(text % "own.txt", "--in-empty-folder"), 0)
        self.assertEqual(self.status(text % "own.txt"), 1)


class Links(PageCase):
    def found(self, text):
        return links.problems_of(self.page(text), self.root)

    def test_a_dead_link_is_a_problem(self):
        self.assert_one(self.found("See [there](nowhere.md).\n"), "1: dead link: nowhere.md")

    def test_a_link_out_of_the_repository_is_a_problem(self):
        self.assert_one(self.found("See [there](../..).\n"), "dead link")

    def test_a_missing_heading_is_a_problem(self):
        self.page("# The `first` page, of two\n", "other.md")
        self.assertEqual(self.found("[a](other.md#the-first-page-of-two)\n"), [])
        self.assert_one(self.found("[a](other.md#second)\n"), "no such heading")
        self.assert_one(self.found("# Here\n\n[a](#there)\n"), "no such heading")

    def test_a_page_missing_from_the_contents_is_a_problem(self):
        self.page("# One\n", "one.md")
        self.page("# Two\n", "two.md")
        contents = self.page("[one](one.md#one)\n", "README.md")
        self.assertEqual(links.pages_not_linked(contents), ["1: two.md is not in the contents"])

    def test_a_link_in_code_is_ignored(self):
        self.assertEqual(self.found("`[a](b.md)`\n\n```text\n[a](b.md)\n```\n"), [])

    def test_links_to_other_sites_are_not_followed(self):
        self.assertEqual(self.found("[a](https://example.org/x.md)\n"), [])


if __name__ == "__main__":
    unittest.main()
