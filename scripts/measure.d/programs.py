"""The times of programs of tests/exec/programs on a GPU, next to those of the processor under `warpcheck exec`."""

import pathlib
import re
import subprocess
import tempfile

from common import pages

PAGES = ["docs/exec.md"]
RECORDED_BY = "scripts/gpu-tests programs OUT, on a GPU"
TIME = "a minute"
NEEDS = "nvcc, OUT/programs.tsv"
CHECKED = False
HEAD = """\
| program | GPU, ms | `exec`, ms | factor |
|---|---:|---:|---:|
"""


def arguments(parser):
    parser.add_argument("out", type=pathlib.Path, metavar="OUT", help="the output of scripts/gpu-tests programs")


def shell(run, *function):
    """The output of a function of scripts/gpu-tests.d/programs."""
    done = subprocess.run(["bash", "-c", 'source scripts/gpu-tests.d/programs; "$@"', "programs", *function], cwd=pages.ROOT,
                          stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else run.missing(f"{' '.join(map(str, function))} failed")


def factor(gpu, processor):
    try:
        gpu, processor = float(gpu), float(processor)
        return f"{processor / gpu:.{1 if processor < 10 * gpu else 0}f}"
    except (ValueError, ZeroDivisionError):
        return "–"


def row(run, nvcc, folder, line, gpu):
    path, *argument = line.split(" ")
    name = path.rpartition("/")[2]
    shell(run, "compile_program", nvcc, path, f"{folder}/{name}", "-cudart", "shared")
    processor = shell(run, "time_program", "processor", "1", run.program, "exec", "--seeds", "1", f"{folder}/{name}", *argument)
    return f"`{' '.join((name, *argument))}`", gpu, processor, factor(gpu, processor)


def table(run, _):
    lines = [line.split("\t") for line in run.input(run.options.out / "programs.tsv").splitlines()]
    nvcc = re.search(r"^WARPCHECK_NVCC_PATH:\w*=(.*)", run.input(run.options.build / "CMakeCache.txt"), re.MULTILINE)[1]
    with tempfile.TemporaryDirectory() as folder:
        return pages.table(HEAD, [row(run, nvcc, folder, *line) for line in lines])
