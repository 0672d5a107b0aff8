"""Kernels of Triton, right and with a planted defect each; sm_80, without a GPU. Skipped without Triton."""

import pathlib
import time

import numpy as np
import pytest

pytest.importorskip("triton")
pytestmark = pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION")

import triton_kernels as kernels  # noqa: E402
import warpcheck  # noqa: E402
import warpcheck.triton  # noqa: E402
from warpcheck import In, Out, Stride, ceil_div  # noqa: E402

SOURCE = pathlib.Path(kernels.__file__)
SECONDS = 30  # that a check may take


@pytest.fixture(autouse=True)
def limited_time():
    begin = time.monotonic()
    yield
    assert time.monotonic() - begin < SECONDS


def softmax(x):
    exponentials = np.exp(x - x.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def check_matmul(function, type_, arch=80):
    pointer = {"f16": "*fp16", "f32": "*fp32"}[type_]
    kernel = warpcheck.triton.compile(
        function, {"a": pointer, "b": pointer, "c": "*fp32", "m": "i32", "n": "i32", "k": "i32",
                   "stride_a": "i32", "stride_b": "i32", "stride_c": "i32"}, {"M": 32, "N": 32, "K": 32}, arch=arch)
    return warpcheck.check(
        kernel, lambda a, b: a @ b,
        [In("a", type_, ("m", "k")), In("b", type_, ("k", "n")), Out("c", "f32", ("m", "n")), "m", "n", "k",
         Stride("a"), Stride("b"), Stride("c")],
        grid=lambda s: (ceil_div(s.m, 32), ceil_div(s.n, 32)), terms=lambda s: 2 * s.k,
        products="tf32" if type_ == "f32" else "f32")


def check_softmax(function):
    kernel = warpcheck.triton.compile(
        function, {"x": "*fp32", "y": "*fp32", "n": "i32", "stride_x": "i32", "stride_y": "i32"}, {"N": 256})
    return warpcheck.check(
        kernel, softmax, [In("x", "f32", ("m", "n")), Out("y", "f32", ("m", "n")), "n", Stride("x"), Stride("y")],
        grid=lambda s: (s.m,), sizes={"m": range(1, 9), "n": range(1, 257)}, terms=lambda s: s.n)


def check_attention(guard):
    kernel = warpcheck.triton.compile(
        kernels.attention, {"q": "*fp32", "k": "*fp32", "v": "*fp32", "out": "*fp32", "length": "i32"},
        {"M": 16, "N": 32, "D": 16, "GUARD": guard})
    arrays = [kind(name, "f32", ("length", 16)) for kind, name in ((In, "q"), (In, "k"), (In, "v"), (Out, "out"))]
    # exp() multiplies the error of a score, a sum of 16 terms of up to 16.
    return warpcheck.check(
        kernel, lambda q, k, v: softmax(q @ k.T) @ v, [*arrays, "length"],
        grid=lambda s: (ceil_div(s.length, 16),), terms=lambda s: s.length + 16 * 16)


@pytest.mark.parametrize("type_, arch", [("f16", 80), ("f32", 80), ("f16", 90)])
def test_matmul_passes(type_, arch):
    assert check_matmul(kernels.matmul, type_, arch).passed


def test_missing_mask_of_matmul_is_found_at_its_line():
    report = check_matmul(kernels.matmul_without_mask, "f16")
    lines = SOURCE.read_text().splitlines()
    planted = 1 + next(i for i, line in enumerate(lines) if line.endswith("# finding here"))
    [finding] = [one for one in report.findings if one.kind == "out-of-bounds"]  # others read the gap between lines
    assert (pathlib.Path(finding.file).name, finding.line) == (SOURCE.name, planted)
    assert " m=1 k=1 n=1 " in finding.case


def test_softmax_passes():
    report = check_softmax(kernels.softmax)
    assert report.passed, str(report)


def test_wrong_fill_of_softmax_is_found():
    report = check_softmax(kernels.softmax_with_zeros)
    assert [finding.kind for finding in report.findings] == ["wrong-result"]


def test_attention_passes():
    report = check_attention(True)
    assert report.passed, str(report)


def test_missing_mask_of_attention_is_found():
    report = check_attention(False)
    assert "wrong-result" in [finding.kind for finding in report.findings]
    assert report.findings[0].case.split()[2] == "length=1"
