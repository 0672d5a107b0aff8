"""Runs the examples of docs/python.md. Each line of a `text` block occurs in the output of the block before it."""

import contextlib
import importlib.util
import io
import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"
BLOCKS = re.findall(r"^```(python|python hypothesis|python triton|text)\n(.*?)^```$", PAGE.read_text(), re.M | re.S)


def run(shown, tmp_path, monkeypatch):
    """Runs the blocks as one module, which has a file so that Triton finds the source. Returns its names."""
    monkeypatch.chdir(tmp_path)
    names, output = {"__name__": "page"}, ""
    source = tmp_path / "page.py"
    for kind, text in shown:
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


def blocks(*kinds):
    """The blocks of these kinds, as Python, with the outputs of those before them."""
    found, last = [], ""
    for kind, text in BLOCKS:
        last = last if kind == "text" else kind
        if last in kinds:
            found.append(("text" if kind == "text" else "python", text))
    return found


def test_examples_print_what_the_page_shows(tmp_path, monkeypatch, assert_kernel):
    names = run(blocks("python"), tmp_path, monkeypatch)
    names["test_scale"](assert_kernel)


@pytest.mark.skipif(not importlib.util.find_spec("hypothesis"), reason="Hypothesis is not installed")
def test_example_of_hypothesis_passes(tmp_path, monkeypatch):
    run(blocks("python", "python hypothesis"), tmp_path, monkeypatch)


@pytest.mark.skipif(not importlib.util.find_spec("triton"), reason="Triton is not installed")
@pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION")
def test_example_of_triton_prints_what_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    run(blocks("python", "python triton"), tmp_path, monkeypatch)
