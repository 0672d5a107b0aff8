"""PyTorch programs and their tests under `warpcheck exec`: extensions, Triton, findings, and what is not supported.
Skipped without .torch/, which scripts/install-dependencies --torch creates."""

import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = os.environ["WARPCHECK_PROGRAM"]
PYTHON = os.environ["WARPCHECK_TORCH_PYTHON"]


class Result:
    def __init__(self, completed):
        self.status, self.out, self.error = completed.returncode, completed.stdout, completed.stderr
        self.outcomes = {name: outcome.lower() for outcome, name in re.findall(
            r"^(PASSED|FAILED|ERROR) (?:\S+)::(\S+)", self.out, re.M)}
        self.skipped = re.findall(r"^SKIPPED \[\d+\] \S+ not checked: (.*)", self.out, re.M)


@pytest.fixture
def run_tests(tmp_path):
    """Runs pytest of .torch/ on a text or on a file of the repository."""

    def run(text, *arguments, options=()):
        file = tmp_path / "test_it.py"
        if isinstance(text, pathlib.Path):
            file = text
        else:
            file.write_text(text)
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "WARPCHECK_LIBRARY")}
        return Result(subprocess.run(
            [TOOL, "exec", *options, PYTHON, "-B", "-m", "pytest", "-p", "no:cacheprovider", "-rA", "--tb=short", *arguments,
             str(file)], cwd=tmp_path, capture_output=True, text=True, timeout=1200, env=environment))

    return run


def finding_lines(source):
    return [number for number, line in enumerate(source.read_text().splitlines(), 1) if "finding here" in line]


def test_defects_of_the_example_are_found_in_their_tests(run_tests):
    example = ROOT / "examples" / "torch_extension"
    result = run_tests(example / "test_row_operations.py")
    failed = {name.split("[")[0] for name, outcome in result.outcomes.items() if outcome == "failed"}
    passed = {name.split("[")[0] for name, outcome in result.outcomes.items() if outcome == "passed"}
    assert (failed, passed) == ({"test_row_mean", "test_row_differences"}, {"test_row_softmax"})
    places = {int(line) for line in re.findall(r"--> \S*row_operations\.cu:(\d+)", result.error)}
    assert places == set(finding_lines(example / "row_operations.cu"))
    assert "launched by test_row_mean at " in result.error
    assert re.search(r"allocated by x at \S*test_row_operations\.py:\d+\n", result.error)
    assert result.status == 1


def test_products_of_an_extension_are_checked(run_tests, monkeypatch):
    right = run_tests(ROOT / "tests" / "torch" / "blas_programs.py")
    assert set(right.outcomes.values()) == {"passed"} and right.status == 0
    monkeypatch.setenv("WITH_DEFECTS", "1")
    wrong = run_tests(ROOT / "tests" / "torch" / "blas_programs.py")
    assert set(wrong.outcomes.values()) == {"failed"} and wrong.status == 1
    found = set(re.findall(r"error\[([a-z-]+)\]: cublasSgemm", wrong.error))
    assert found == {"uninitialized-read", "out-of-bounds", "race"}


DEFECTS = {
    "relu": "out-of-bounds", "layer_norm": "race", "embedding": "out-of-bounds", "segment_sum": "race",
    "row_max": "uninitialized-read", "row_dot": "uninitialized-read", "transpose": "race", "add_vectors": "misaligned",
    "prefix_sum": "race", "rotary": "uninitialized-read",
}


@pytest.mark.parametrize("has_defects", [False, True])
def test_ten_operators(run_tests, monkeypatch, has_defects):
    """All pass, and each has its finding with its defect."""
    monkeypatch.setenv("WITH_DEFECTS", str(int(has_defects)))
    result = run_tests(ROOT / "tests" / "torch" / "extension_programs.py")
    outcome = "failed" if has_defects else "passed"
    assert result.outcomes == {"test_" + name: outcome for name in DEFECTS}
    assert result.status == int(has_defects)
    for name, kind in DEFECTS.items() if has_defects else ():
        failure = result.out[result.out.index(f"_ test_{name} _"):]
        assert failure[failure.index("error["):].startswith(f"error[{kind}]"), name


def test_finding_of_a_backward_kernel_belongs_to_the_test(run_tests):
    """It is launched in a thread of PyTorch."""
    result = run_tests('''
import torch, triton, triton.language as tl

@triton.jit
def scale(x, y, n, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(y + at, tl.load(x + at) * 2, mask=at < n)

class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        gradient = gradient.contiguous()
        result = torch.empty_like(gradient)
        scale[(1,)](gradient, result, 60, N=64)
        return result

def test_backward():
    x = torch.ones(60, device="cuda", requires_grad=True)
    Twice.apply(x).sum().backward()
    assert x.grad.tolist() == [2] * 60
''')
    assert result.outcomes == {"test_backward": "failed"}
    assert "error[out-of-bounds]: 4-byte load from byte 240 of" in result.error
    assert re.search(r"backward at \S*test_it\.py:18", result.error)
    assert re.search(r"test_backward at \S*test_it\.py:23", result.error)


@pytest.mark.parametrize("model", ["h100", "a100"])
@pytest.mark.parametrize("name", ["triton_programs", "triton_tutorials", "triton_features"])
def test_kernels_of_triton(run_tests, name, model):
    """Correct ones pass, and defects are found in their lines of Python."""
    source = ROOT / "tests" / "torch" / f"{name}.py"
    result = run_tests(source, options=("--device-model", model))
    wrong = {test for test in result.outcomes if "wrong" in test}
    assert {test for test, outcome in result.outcomes.items() if outcome != "passed"} == wrong
    assert not result.skipped
    places = {int(line) for line in re.findall(rf"^error.*\n(?:  \w.*\n)*  --> \S*{name}\.py:(\d+)", result.error, re.M)}
    assert places == set(finding_lines(source))
    assert result.status == (1 if wrong else 0)


def test_operators_on_elements_that_were_never_written(run_tests):
    """An operator that computes with them is a finding at its line of Python; one that moves them is none."""
    source = ROOT / "tests" / "torch" / "undefined_operands.py"
    result = run_tests(source)
    wrong = {test for test in result.outcomes if "wrong" in test}
    assert {test for test, outcome in result.outcomes.items() if outcome != "passed"} == wrong
    assert set(re.findall(r"^error\[([a-z-]+)\]", result.error, re.M)) == {"uninitialized-read"}
    places = {int(line) for line in re.findall(r"^  --> \S*undefined_operands\.py:(\d+)", result.error, re.M)}
    assert places == set(finding_lines(source))
    assert re.search(r"aten::sum reads element \[0\] of self, 4 bytes at offset 0 of\s+allocation \d+,", result.error)
    assert re.search(r"allocation \d+ allocated by test_wrong_sum at \S*undefined_operands\.py:\d+\n", result.error)


def test_functions_that_torch_compiles(run_tests):
    """Kernels of Inductor run with all checks; a finding has the calls of the program."""
    result = run_tests(ROOT / "tests" / "torch" / "compile_programs.py")
    assert {name for name, outcome in result.outcomes.items() if outcome != "passed"} == {"test_wrong_part_is_not_written"}
    assert len(result.outcomes) == 5
    assert re.findall(r"^error\[([a-z-]+)\]: an undefined value is stored to byte 360 of", result.error, re.M) == ["uninitialized-read"]
    assert re.search(r"launched by double at \S*compile_programs\.py:\d+\n +test_wrong_part_is_not_written at ", result.error)
    assert result.status == 1


def test_kernels_of_cupy(run_tests):
    """Correct ones pass, and the missing check is found in its line of the text that CuPy compiles."""
    pytest.importorskip("cupy")
    source = ROOT / "tests" / "torch" / "cupy_programs.py"
    result = run_tests(source)
    assert {name for name, outcome in result.outcomes.items() if outcome != "passed"} == {"test_wrong_size_of_raw_kernel"}
    first_line = next(number for number, line in enumerate(source.read_text().splitlines(), 1) if "RawKernel(" in line)
    places = {first_line - 1 + int(line) for line in re.findall(r"^  --> \S*\.cu:(\d+)", result.error, re.M)}
    assert places == set(finding_lines(source))
    assert re.search(r"test_wrong_size_of_raw_kernel at \S*cupy_programs\.py:\d+\n", result.error)


def test_kernels_of_numba(run_tests):
    """Correct ones pass, and the missing barrier is found in its line of Python."""
    pytest.importorskip("numba.cuda")
    source = ROOT / "tests" / "torch" / "numba_programs.py"
    result = run_tests(source)
    assert {name for name, outcome in result.outcomes.items() if outcome != "passed"} == {"test_wrong_sum_of_roots"}
    assert {int(line) for line in re.findall(r"^  --> \S*numba_programs\.py:(\d+)", result.error, re.M)} >= set(
        finding_lines(source))
    assert "error[race]: " in result.error


def test_kernels_of_cute_dsl(run_tests):
    """Correct ones pass, and defects are found in their lines of Python."""
    pytest.importorskip("cutlass.cute")
    source = ROOT / "tests" / "torch" / "cute_programs.py"
    result = run_tests(source)
    assert {name for name, outcome in result.outcomes.items() if outcome != "passed"} == {
        "test_wrong_limit_of_add", "test_wrong_product_without_a_barrier"}
    assert len(result.outcomes) == 5
    places = {int(line) for line in re.findall(r"^  --> \S*cute_programs\.py:(\d+)", result.error, re.M)}
    assert places >= set(finding_lines(source))
    assert {"out-of-bounds", "race"} <= set(re.findall(r"^error\[([a-z-]+)\]", result.error, re.M))
    assert re.search(r"launched by sums at \S*cute_programs\.py:\d+\n", result.error)


def test_test_of_unsupported_operators_is_not_checked(run_tests):
    result = run_tests('''
import torch

def test_sparse():
    torch.eye(3, device="cuda").to_sparse()

def test_dense():
    assert torch.eye(3, device="cuda").sum().item() == 3
''')
    assert "1 passed, 1 skipped" in result.out
    assert "aten::_to_sparse: an operand or a result has the layout torch.sparse_coo" in result.out
    assert result.status == 3


def test_processes_of_xdist(run_tests):
    result = run_tests('''
import pytest, torch, triton, triton.language as tl

@triton.jit
def fill(y, N: tl.constexpr):
    tl.store(y + tl.arange(0, N), 1.0)

@pytest.mark.parametrize("size", [128, 127, 128, 100])
def test_fill(size):
    y = torch.empty(size, device="cuda")
    fill[(1,)](y, N=128)
    assert y.sum().item() == size
''', "-n", "2")
    assert result.outcomes == {
        "test_fill[128_0]": "passed", "test_fill[127]": "failed", "test_fill[128_1]": "passed", "test_fill[100]": "failed"}
    assert result.status == 1


def test_streams_without_an_event_race(run_tests):
    """Copies by PyTorch are work of its current stream."""
    result = run_tests('''
import pytest, torch, triton, triton.language as tl

@triton.jit
def double(x, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(x + at, tl.load(x + at) * 2)

@pytest.mark.parametrize("waits", [True, False])
def test_streams(waits):
    x = torch.ones(128, device="cuda")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        double[(1,)](x, N=128)
    if waits:
        torch.cuda.current_stream().wait_stream(stream)
    double[(1,)](x, N=128)
    torch.cuda.synchronize()
    assert x.sum().item() == 512
''')
    assert result.outcomes == {"test_streams[True]": "passed", "test_streams[False]": "failed"}
    assert "error[race]: launch 4 of double in the default stream writes byte 0 of" in result.error
