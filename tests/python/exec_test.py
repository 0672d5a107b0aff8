"""Python programs and pytest under `warpcheck exec`. They launch PTX by the driver API, and need no CUDA Toolkit."""

import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap

import pytest

TOOL = os.environ["WARPCHECK_PROGRAM"]
HERE = pathlib.Path(__file__).resolve().parent
TESTS = """
import ctypes, threading
import pytest
from exec_kernels import Kernels

kernels = Kernels()

def test_right():
    assert kernels.twice(8, 8) == [2] * 8

def test_wrong():
    kernels.twice(9, 8)

@pytest.mark.parametrize("size", [3, 4])
def test_wrong_again(size):
    kernels.twice(size + 1, size)

@pytest.mark.warpcheck(allow=["out-of-bounds"])
def test_allowed():
    kernels.twice(9, 8)

@pytest.mark.warpcheck(allow=["race"])
def test_allows_another_class():
    kernels.twice(9, 8)

@pytest.fixture
def wrong_fixture():
    kernels.twice(9, 8)

def test_fixture(wrong_fixture):
    pass

def test_fails_itself():
    kernels.twice(9, 8)
    assert kernels.twice(1, 1) == [3]

def test_skips():
    kernels.twice(9, 8)
    pytest.skip("too late")

def test_other_thread():
    thread = threading.Thread(target=lambda: kernels.twice(9, 8))
    thread.start()
    thread.join()

def test_unsupported():
    kernels.cuda.cuImportExternalMemory(None, None)

def test_right_at_last():
    assert kernels.twice(1, 1) == [2]
"""
OUTCOMES = {
    "test_right": "passed", "test_wrong": "failed", "test_wrong_again[3]": "failed", "test_wrong_again[4]": "failed",
    "test_allowed": "passed", "test_allows_another_class": "failed", "test_fixture": "error", "test_fails_itself": "failed",
    "test_skips": "failed", "test_other_thread": "failed", "test_unsupported": "skipped", "test_right_at_last": "passed",
}


class Result:
    def __init__(self, completed):
        self.status, self.out, self.error = completed.returncode, completed.stdout, completed.stderr


@pytest.fixture
def execute(tmp_path):
    """Runs a Python program under `warpcheck exec` in a folder of its own."""

    def run(*arguments, options=(), **environment):
        path = [str(HERE), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        return Result(subprocess.run(
            [TOOL, "exec", *options, sys.executable, "-B", *arguments], cwd=tmp_path, capture_output=True, text=True,
            timeout=120, env={**os.environ, "PYTHONPATH": os.pathsep.join(path), **environment}))

    return run


@pytest.fixture
def run_tests(execute, tmp_path):
    """Runs pytest on TESTS, and returns the result with the outcome of each test."""

    def run(*arguments, text=TESTS, **settings):
        """The settings are those of execute()."""
        (tmp_path / "test_kernels.py").write_text(text)
        result = execute("-m", "pytest", "-p", "no:cacheprovider", "-rA", "--tb=short", "--junitxml=junit.xml", *arguments,
                         **settings)
        lines = re.findall(r"^(PASSED|FAILED|ERROR) test_kernels\.py::(\S+)", result.out, re.M)
        result.outcomes = {name: outcome.lower() for outcome, name in lines}
        return result

    return run


def line_of(text, source=TESTS):
    return 1 + source.splitlines().index(text)


def test_findings_fail_the_tests_that_launched_the_kernel(run_tests):
    result = run_tests()
    skipped = {name for name, outcome in OUTCOMES.items() if outcome == "skipped"}
    assert result.outcomes == {name: outcome for name, outcome in OUTCOMES.items() if name not in skipped}
    assert "1 skipped" in result.out
    assert "not checked: unsupported: cuImportExternalMemory" in result.out
    assert result.status == 1


def test_failure_has_the_text_of_the_finding(run_tests):
    result = run_tests("-k", "test_wrong and not again")
    failure = result.out[result.out.index("FAILURES"):]
    assert "error[out-of-bounds]: 4-byte load from byte 32 of allocation 1, which has 32 bytes" in failure
    assert "twice.cu:5" in failure
    assert "test       test_kernels.py::test_wrong\n" in failure


@pytest.mark.parametrize("library", ["CDLL", "PyDLL"])  # the first one releases Python's lock
def test_calls_are_those_of_the_program_in_python(run_tests, library):
    text = TESTS.replace("Kernels()", f"Kernels(ctypes.{library})")
    result = run_tests("-k", "test_wrong and not again", text=text)
    frames = re.findall(r"(\w+) at (\S+):(\d+)", result.error[result.error.index("launched by"):])
    kernels = (HERE / "exec_kernels.py").read_text()
    call = next(i for i, line in enumerate(kernels.splitlines(), 1) if "cuLaunchKernel(" in line)
    assert [(function, pathlib.Path(file).name) for function, file, _ in frames[:3]] == [
        ("launch", "exec_kernels.py"), ("twice", "exec_kernels.py"), ("test_wrong", "test_kernels.py")]
    assert int(frames[0][2]) == call
    assert int(frames[2][2]) == line_of("def test_wrong():", text) + 1
    assert "PyEval" not in result.error


def test_failure_is_in_the_junit_file_of_pytest(run_tests, tmp_path):
    run_tests("-k", "right or wrong_again")
    junit = (tmp_path / "junit.xml").read_text()
    assert 'failures="2"' in junit
    assert 'name="test_wrong_again[3]"' in junit
    assert "error[out-of-bounds]" in junit


def test_first_failure_ends_the_run(run_tests):
    result = run_tests("-x")
    assert result.outcomes == {"test_right": "passed", "test_wrong": "failed"}


def test_last_failures_run_again(run_tests):
    run_tests("-p", "cacheprovider", "-k", "right or wrong_again")
    result = run_tests("-p", "cacheprovider", "--lf")
    assert set(result.outcomes) == {"test_wrong_again[3]", "test_wrong_again[4]"}


def test_status_is_that_of_the_tests_without_findings(run_tests):
    assert run_tests("-k", "right").status == 0
    assert run_tests("-k", "allowed").status == 0
    assert run_tests("-k", "unsupported").status == 3


def test_suppressed_finding_fails_no_test(run_tests, tmp_path):
    assert run_tests("-k", "test_wrong", options=("--save", "known.toml")).status == 1
    result = run_tests("-k", "test_wrong", options=("--suppressions", "known.toml"))
    assert set(result.outcomes.values()) == {"passed"}
    assert result.status == 0


def test_option_of_pytest_starts_it_again(tmp_path, execute):
    """The plugin of the package has the option."""
    (tmp_path / "test_kernels.py").write_text(TESTS)
    path = os.pathsep.join([str(HERE), os.environ["PYTHONPATH"]])
    completed = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-p", "warpcheck.pytest_plugin", "-p", "no:cacheprovider", "--warpcheck", "-k",
         "test_wrong and not again"], cwd=tmp_path, capture_output=True, text=True, timeout=120,
        env={**os.environ, "PYTHONPATH": path})
    assert "1 failed" in completed.stdout
    assert "error[out-of-bounds]" in completed.stdout
    assert completed.returncode == 1


BUDGETS = """
import ctypes
import pytest
from exec_kernels import Kernels

kernels = Kernels()
LONG = 10**9  # iterations

def test_long():
    kernels.slow(1)
    kernels.slow(LONG)
    assert kernels.twice(8, 8) == [2] * 8

def test_long_in_many_launches():
    for _ in range(10**6):
        kernels.slow(10**4)

@pytest.mark.warpcheck(time=0.2)
def test_has_a_limit_of_its_own():
    kernels.slow(LONG)

@pytest.mark.warpcheck(time=600)
def test_has_enough_time():
    kernels.slow(10**5)
    assert kernels.twice(8, 8) == [2] * 8

def test_is_short():
    assert kernels.twice(8, 8) == [2] * 8

def test_wrong():
    kernels.twice(9, 8)
"""


def reasons(result):
    """The reason of each test that was skipped."""
    return re.findall(r"^SKIPPED .*: not checked: (.*)$", result.out, re.M)


def test_launches_of_a_test_have_a_limit_of_time(run_tests):
    result = run_tests(text=BUDGETS, options=("--time-per-test", "300ms"))
    assert result.outcomes == {"test_has_enough_time": "passed", "test_is_short": "passed", "test_wrong": "failed"}
    limits = [re.search(r"test_kernels\.py::(\w+): its launches did not end within (\S+) s, the limit of ([^;]*);", one).groups()
              for one in reasons(result)]
    assert limits == [("test_long", "0.3", "`--time-per-test`"), ("test_long_in_many_launches", "0.3", "`--time-per-test`"),
                      ("test_has_a_limit_of_its_own", "0.2", "its marker")]
    assert result.status == 1


def test_test_that_ran_out_of_time_is_no_pass(run_tests):
    result = run_tests("-k", "own or short", text=BUDGETS)
    assert result.outcomes == {"test_is_short": "passed"}
    assert result.status == 3


@pytest.mark.parametrize("time", ["-1", "'long'"])
def test_marker_with_a_wrong_time_is_an_error(run_tests, time):
    result = run_tests("-k", "own", text=BUDGETS.replace("time=0.2", f"time={time}"))
    assert f"the marker warpcheck has time={time}: expected a number of seconds above 0" in result.out + result.error
    assert "passed" not in result.out


REPEATED = """
import pytest
from exec_kernels import Kernels

kernels = Kernels()

@pytest.mark.parametrize("launches", [2, 3])
def test_launches(launches):
    for _ in range(launches):
        assert kernels.twice(8, 8) == [2] * 8
"""


def test_test_with_skipped_launches_is_no_pass(run_tests):
    result = run_tests(text=REPEATED, options=("--launches-per-kernel", "3"))
    assert result.outcomes == {"test_launches[2]": "passed"}
    [reason] = reasons(result)
    assert "launches of twice: after the first 3 and the first one of each other grid, they are skipped" in reason
    assert "exec: not executed: 1 of 4 launches of twice\n" in result.error
    assert result.status == 3


def test_attribute_of_a_later_version_of_cuda_is_refused(execute, tmp_path):
    """Triton tries one, and then uses an earlier one."""
    (tmp_path / "program.py").write_text(textwrap.dedent("""
        import ctypes
        from exec_kernels import Kernels
        kernels, function = Kernels(), ctypes.c_void_p()
        kernels.call("cuModuleGetFunction", ctypes.byref(function), kernels.module, b"twice")
        print(kernels.cuda.cuFuncSetAttribute(function, 17, 3), kernels.cuda.cuFuncSetAttribute(function, 8, 50000))
    """))
    result = execute("program.py")
    assert (result.out, result.status) == ("1 0\n", 0), result.error


def test_unsupported_operator_is_no_error_of_the_next_call(execute, tmp_path):
    (tmp_path / "program.py").write_text(textwrap.dedent("""
        import ctypes
        from exec_kernels import Kernels
        from warpcheck_exec import runtime
        Kernels()
        runtime.report_unsupported("an operator", "it has no kernel")
        print(ctypes.CDLL(None).cudaGetLastError())
    """))
    result = execute("program.py")
    assert (result.out, result.status) == ("0\n", 3)
    assert "unsupported: an operator: it has no kernel" in result.error


def test_wrong_calls_at_two_lines_are_two_findings(execute, tmp_path):
    """Their frames of the interpreter are equal."""
    (tmp_path / "program.py").write_text(textwrap.dedent("""
        import ctypes
        from exec_kernels import Kernels
        free = Kernels().cuda.cuMemFree_v2
        address = ctypes.c_uint64(4096)
        for _ in range(2):
            free(address)
        free(address)
    """))
    result = execute("program.py")
    assert re.findall(r"error\[api-misuse\].*?\n.*program\.py:(\d+)", result.error) == ["7", "8"]
    assert "2 findings; 1 repeated" in result.error


def test_report_names_the_test(run_tests, tmp_path):
    run_tests("-k", "test_wrong and not again", options=("--json", "report.json"))
    events = [json.loads(line) for line in (tmp_path / "report.json").read_text().splitlines()]
    [finding] = [event for event in events if event["event"] == "exec_finding"]
    assert "test_kernels.py::test_wrong" in json.dumps(finding)


def test_finding_of_an_import_fails_no_test(run_tests):
    text = TESTS.replace("kernels = Kernels()", "kernels = Kernels()\nkernels.twice(9, 8)")
    result = run_tests("-k", "right", text=text)
    assert set(result.outcomes.values()) == {"passed"}
    assert result.status == 1


def test_program_without_pytest_has_its_calls(execute, tmp_path):
    (tmp_path / "program.py").write_text("from exec_kernels import Kernels\nKernels().twice(9, 8)\n")
    result = execute("program.py")
    assert result.status == 1
    assert "<module> at program.py:2" in result.error


def test_leaks_of_one_line_are_one_finding(execute, tmp_path):
    (tmp_path / "program.py").write_text(textwrap.dedent("""
        import ctypes
        from exec_kernels import Kernels
        kernels, address = Kernels(), ctypes.c_uint64()
        for _ in range(3):
            kernels.cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(100))
        kernels.cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(50))
    """))
    result = execute("program.py", options=("--leak-check",))
    assert re.findall(r"error\[leak\]: (.*)\n  --> program\.py:(\d+)", result.error) == [
        ("300 bytes of device memory in 3 allocations are not freed", "6"), ("50 bytes of device memory are not freed", "7")]


def test_own_sitecustomize_runs_too(execute, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("import builtins\nbuiltins.own_setting = 7\n")
    program = "import sitecustomize; print(own_setting, sitecustomize.__file__)"
    path = os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])
    result = execute("-c", program, PYTHONPATH=path)
    assert result.out == f"7 {tmp_path / 'site' / 'sitecustomize.py'}\n"


def test_child_without_the_libraries_runs_as_ever(execute):
    program = ("import os, subprocess, sys; os.environ.pop('LD_PRELOAD'); "
               "print(subprocess.run([sys.executable, '-c', 'print(6 * 7)'], capture_output=True, text=True))")
    result = execute("-c", program)
    assert "stdout='42\\n', stderr=''" in result.out


def write_package(folder, files):
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text))


def test_extensions_are_compiled_to_ptx_with_lines(execute, tmp_path):
    write_package(tmp_path, {
        "torch/__init__.py": "class version:\n    cuda = None\n",
        "torch/utils/__init__.py": "",
        "torch/utils/cpp_extension.py": """
            COMMON_NVCC_FLAGS = ['--expt-relaxed-constexpr']
            def _get_cuda_arch_flags(cflags=None):
                return ['-gencode=arch=compute_80,code=sm_80']
        """,
    })
    result = execute("-c", "from torch.utils import cpp_extension as e; print(e.COMMON_NVCC_FLAGS, e._get_cuda_arch_flags())")
    assert "'-lineinfo'" in result.out
    assert "'-gencode=arch=compute_80,code=sm_80'" in result.out
    assert "'-gencode=arch=compute_80,code=compute_80'" in result.out


def test_triton_keeps_ptx_and_takes_the_first_configuration(execute, tmp_path):
    write_package(tmp_path, {
        **{f"triton/{name}__init__.py": "" for name in ("", "backends/", "backends/nvidia/", "runtime/")},
        "triton/backends/nvidia/compiler.py": """
            class CUDABackend:
                def make_cubin(self, src, metadata, opt, capability):
                    raise AssertionError("ptxas")
                def hash(self):
                    return "13.0-90"
        """,
        "triton/runtime/autotuner.py": """
            class Autotuner:
                def _bench(self, *args, config, **meta):
                    if config == "too large":
                        return [float("inf")] * 3
                    return self.do_bench(lambda: print("measured", config), quantiles=None)
                def run(self, *args, **kwargs):
                    times = {config: self._bench(config=config) for config in ("too large", "first", "second")}
                    print(min(times, key=times.get))
        """,
        "program.py": """
            from triton.backends.nvidia.compiler import CUDABackend
            from triton.runtime.autotuner import Autotuner
            print(CUDABackend().make_cubin("ptx", {}, None, 90), CUDABackend().hash() != "13.0-90")
            Autotuner().run()
        """,
    })
    assert execute("program.py").out == "b'ptx' True\nmeasured first\nfirst\n"
