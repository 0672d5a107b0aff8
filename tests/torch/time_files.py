"""Prints the seconds that the test files for PyTorch and Triton take, of the processor and of the clock:

  python tests/torch/time_files.py                                     on a machine with a GPU
  python tests/torch/time_files.py --under 'build/bin/warpcheck exec'  on the virtual device

Each file runs twice, because the first run fills the caches of Triton and of extensions; the second one is timed. Needs
torch, pytest, numpy, ninja, liger-kernel and nvcc; with pytest-xdist, the first runs use several processes. What does not
end within the time in all is not measured."""

import argparse
import importlib.util
import os
import pathlib
import resource
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = [
    "examples/torch_extension/test_row_operations.py", "tests/torch/extension_programs.py", "tests/torch/triton_programs.py",
    "tests/torch/triton_tutorials.py", "tests/torch/triton_features.py", "tests/torch/liger_test.py",
    "tests/torch/operators_test.py", "tests/torch/training_program.py",
]


def command_of(file, options, *arguments):
    python = [*shlex.split(options.under), sys.executable, "-B"]
    if not file.endswith("_program.py"):
        python += ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", "--no-header", *arguments]
    return [*python, str(ROOT / file)]


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, deadline):
    """The output of a command; None: it did not end in time."""
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        return process.communicate(timeout=max(1, deadline - time.monotonic()))[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return None


def summary(output):
    """The line of pytest such as "6 passed in 3.21s"."""
    lines = [line for line in output.splitlines() if " in " in line and any(word in line for word in ("passed", "failed", "error"))]
    return lines[-1].strip("= ") if lines else output.strip().splitlines()[-1] if output.strip() else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--under", default="", help="a command that runs the others")
    parser.add_argument("--time", type=float, default=280, help="seconds in all (280)")
    parser.add_argument("files", nargs="*", default=FILES)
    options = parser.parse_args()
    deadline = time.monotonic() + options.time
    processes = ["-n", str(min(8, os.cpu_count() or 1))] if importlib.util.find_spec("xdist") else []
    print(f"{'file':50} {'processor':>10} {'clock':>8}", flush=True)
    for file in options.files:
        output = run(command_of(file, options, *processes), deadline)
        begin, processor = time.monotonic(), processor_seconds()
        output = output and run(command_of(file, options), deadline)
        if output is None:
            print(f"{file:50} did not end in time", flush=True)
            continue
        print(f"{file:50} {processor_seconds() - processor:8.1f} s {time.monotonic() - begin:6.1f} s  {summary(output)}", flush=True)


if __name__ == "__main__":
    main()
