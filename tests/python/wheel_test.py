"""The files of the wheel, as the build installs them beside the package: the command, `exec`, and the option of pytest."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

BUILD = os.environ["WARPCHECK_BUILD"]
SOURCES = pathlib.Path(__file__).resolve().parents[2] / "python"
HERE = pathlib.Path(__file__).resolve().parent
TEST = """
from exec_kernels import Kernels

def test_right():
    assert Kernels().twice(8, 8) == [2] * 8

def test_wrong():
    Kernels().twice(9, 8)
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """A folder such as site-packages with the package alone."""
    folder = tmp_path_factory.mktemp("packages")
    subprocess.run(["cmake", "--install", BUILD, "--component", "python", "--prefix", folder], check=True, capture_output=True)
    shutil.copytree(SOURCES / "warpcheck", folder / "warpcheck", dirs_exist_ok=True)
    return folder


@pytest.fixture
def execute(packages, tmp_path):
    def run(*arguments, folder=packages, **settings):
        (tmp_path / "test_kernels.py").write_text(TEST)
        others = [one for one in os.environ["PYTHONPATH"].split(os.pathsep) if pathlib.Path(one) != SOURCES]
        hidden = ("WARPCHECK_LIBRARY", "WARPCHECK_PROGRAM")
        environment = {name: value for name, value in os.environ.items() if name not in hidden}
        environment.update(PYTHONPATH=os.pathsep.join([str(folder), str(HERE), *others]), PATH="/usr/bin:/bin", **settings)
        return subprocess.run([sys.executable, "-B", *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=120,
                              env=environment)

    return run


def test_command_is_a_module(execute):
    result = execute("-m", "warpcheck", "--version")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("warpcheck 0.")


def test_exec_has_all_that_it_needs(execute):
    result = execute("-m", "warpcheck", "exec", sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", "-q")
    assert "1 failed, 1 passed" in result.stdout, result.stdout + result.stderr
    assert "error[out-of-bounds]: 4-byte load from byte 32 of allocation" in result.stderr
    assert result.returncode == 1


def test_option_of_pytest_runs_the_command_of_the_package(execute):
    result = execute("-m", "pytest", "-p", "warpcheck.pytest_plugin", "-p", "no:cacheprovider", "-q", "--warpcheck")
    assert "1 failed, 1 passed" in result.stdout, result.stdout + result.stderr
    assert result.returncode == 1


def test_files_contain_no_path_of_the_build(packages):
    files = [file for file in packages.rglob("*") if file.is_file()]
    assert len(files) > 20
    assert [file.name for file in files if BUILD.encode() in file.read_bytes()] == []


def test_package_without_the_command_names_the_remedy(execute, packages):
    result = execute("-m", "warpcheck", folder=SOURCES, WARPCHECK_LIBRARY=str(packages / "warpcheck" / "libwarpcheck.so"))
    assert result.returncode == 1
    assert "this package is no installed wheel; run `pip install .` in a clone" in result.stderr
