#!/usr/bin/env python3
"""Runs the commands of README.md that build and package warpcheck, as printed, in a fresh clone with an empty build folder.

    fresh_clone_test.py SOURCE

The clone has the files that git tracks in SOURCE, as they are now. It is mounted in the place of SOURCE, so that the
compiler cache, which keys its entries by path, has most of the objects.

Exit status: 0 passed; 1 failed; 77 this machine permits no mount, or SOURCE is no git repository.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(SOURCE / "tests/docs"))
from documented_commands import documented_commands  # pylint: disable=wrong-import-position

IGNORED_BY_GIT = (".cuda",)  # the compiler that scripts/install-dependencies has downloaded


def run(*command, **more):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **more)
    return done.returncode, done.stdout


def can_mount(folder):
    return run("unshare", "--mount", "mount", "--bind", folder, SOURCE)[0] == 0


def clone(folder):
    status, names = run("git", "-C", SOURCE, "ls-files", "-z")
    if status != 0:
        return False
    for name in filter(None, names.split("\0")):
        if (SOURCE / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / name, folder / name)
    for name in IGNORED_BY_GIT:
        if (SOURCE / name).exists():
            shutil.copytree(SOURCE / name, folder / name, symlinks=True)
    return True


def run_in_place_of_source(folder, home, script):
    cache = run("ccache", "--get-config", "cache_dir")[1].strip() if shutil.which("ccache") else ""
    environment = {**os.environ, "HOME": str(home), **({"CCACHE_DIR": cache} if cache else {})}
    return run("unshare", "--mount", "bash", "-ec", f"mount --bind '{folder}' '{SOURCE}'; cd '{SOURCE}'\n{script}",
               env=environment)


def test(scratch):
    folder, home = scratch / "clone", scratch / "home"
    folder.mkdir()
    home.mkdir()
    if not can_mount(folder) or not clone(folder):
        return 77
    status, output = run_in_place_of_source(folder, home, "\n".join(documented_commands(SOURCE / "README.md", "cmake --install")))
    print(output)
    if status != 0:
        return 1
    installed = home / ".local"
    expected = [installed / "bin/warpcheck", installed / "lib/libwarpcheck.so"]
    packages = [path.suffix for path in sorted((folder / "packages").glob("warpcheck*.*"))]
    missing = [str(path) for path in expected if not path.exists()]
    if missing or packages != [".gz", ".deb"]:
        print("missing:", *missing, "packages:", *packages)
        return 1
    status, output = run(installed / "bin/warpcheck", "check", "sgemm_tiled16", "--cases", "5")
    print(output)
    return status


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="warpcheck-clone.") as scratch:
        result = test(pathlib.Path(scratch))
    sys.exit(result)
