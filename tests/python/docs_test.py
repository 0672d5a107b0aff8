"""Runs the examples of docs/python.md. Each line of a `text` block occurs in the output of the block before it."""

import contextlib
import importlib.util
import io
import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"
BLOCKS = re.findall(r"^```(python|python triton|text)\n(.*?)^```$", PAGE.read_text(), re.M | re.S)


def run(blocks, tmp_path, monkeypatch):
    """Runs the blocks as one module, which has a file so that Triton finds the source. Returns its names."""
    monkeypatch.chdir(tmp_path)
    names, output = {"__name__": "page"}, ""
    source = tmp_path / "page.py"
    for kind, text in blocks:
        if kind == "text":
            for line in text.splitlines():
                assert line in output, output
            continue
        source.write_text(text)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(source.read_text(), str(source), "exec"), names)
        output = printed.getvalue()
    return names


def test_examples_print_what_the_page_shows(tmp_path, monkeypatch, assert_kernel):
    first_of_triton = next(i for i, (kind, _) in enumerate(BLOCKS) if kind == "python triton")
    names = run(BLOCKS[:first_of_triton], tmp_path, monkeypatch)
    names["test_scale"](assert_kernel)


@pytest.mark.skipif(not importlib.util.find_spec("triton"), reason="Triton is not installed")
@pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION")
def test_example_of_triton_prints_what_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    blocks = [("python", text) if kind == "python triton" else (kind, text) for kind, text in BLOCKS]
    run(blocks, tmp_path, monkeypatch)
