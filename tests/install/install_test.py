#!/usr/bin/env python3
"""Tests that an installed warpcheck works without the build folder and after it is moved.

    install_test.py SOURCE BUILD SCRATCH [NVCC]

Exit status: 0 all tests passed; 1 a test failed; 77 no test failed, but some could not run on this machine.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True

import shells

SOURCE, BUILD, SCRATCH = (pathlib.Path(name).resolve() for name in sys.argv[1:4])
NVCC = sys.argv[4] if len(sys.argv) > 4 else ""
PREFIX = SCRATCH / "moved to/prefix"


def environment(**more):
    return {"PATH": f"{PREFIX / 'bin'}:/usr/local/bin:/usr/bin:/bin", "HOME": str(SCRATCH / "home"),
            "LC_ALL": "C.UTF-8", "WARPCHECK_NVCC": NVCC, "TERM": "xterm",
            "WARPCHECK_LIBCUDA": "/nonexistent/libcuda.so.1", **more}


def run(*command, status=0, **more):
    done = subprocess.run(command, env=environment(**more), cwd=SCRATCH / "home", text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != status:
        raise AssertionError(f"{command} exited with {done.returncode}, expected {status}:\n{done.stdout}")
    return done.stdout


def contains_build_path(file):
    """True if a file contains a path of this checkout or build other than that of nvcc."""
    text = file.read_bytes().replace(NVCC.encode() or b"\0", b"")
    return str(SOURCE).encode() in text or str(BUILD).encode() in text


def setUpModule():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    (SCRATCH / "home").mkdir(parents=True)
    # The installation writes these files itself: it requires only the target `warpcheck`.
    shutil.rmtree(BUILD / "installed", ignore_errors=True)
    subprocess.run(["cmake", "--install", BUILD, "--prefix", SCRATCH / "first"], check=True,
                   stdout=subprocess.DEVNULL)
    PREFIX.parent.mkdir()
    (SCRATCH / "first").rename(PREFIX)
    correct = (SOURCE / "tests/docs/preparations/mine.cu").read_text()
    (SCRATCH / "home/mine.cu").write_text(correct)
    (SCRATCH / "home/wrong.cu").write_text(correct.replace("i < k;", "i < k - 1;"))
    page = (SOURCE / "docs/operations.md").read_text()
    [reference] = re.findall(r"```cuda file=softmax_host.cu\n(.*?)```", page, re.S)
    (SCRATCH / "home/softmax_host.cu").write_text(reference)


class Installed(unittest.TestCase):
    def test_no_file_contains_a_path_of_the_build(self):
        files = [file for file in PREFIX.rglob("*") if file.is_file()]
        self.assertGreater(len(files), 100)
        self.assertEqual([file for file in files if contains_build_path(file)], [])

    def test_built_in_kernels_are_checked(self):
        self.assertIn("1 variant, 20 cases", run("warpcheck", "check", "sgemm_tiled16", "--cases", "20"))

    def test_built_in_kernels_have_their_sources(self):
        profile = run("warpcheck", "profile", "sgemm_tiled16", "--size", "32")
        self.assertIn("sum += tile_a[y][p] * tile_b[p][x];", profile)

    @unittest.skipUnless(NVCC, "this machine has no nvcc")
    def test_kernels_of_a_user_are_checked(self):
        self.assertIn("1 variant, 100 cases", run("warpcheck", "check", "mine.cu"))
        self.assertIn("wrong-result", run("warpcheck", "check", "wrong.cu", status=1))

    def test_operations_are_built_in(self):
        self.assertIn("2 variants, 20 cases", run("warpcheck", "check", "*softmax*", "--cases", "10"))

    @unittest.skipUnless(NVCC, "this machine has no nvcc")
    def test_kernels_of_operations_are_installed(self):
        folder = PREFIX / "share/warpcheck/kernels/operations"
        self.assertEqual({file.name for file in folder.glob("*.cu")},
                         {file.name for file in (SOURCE / "kernels/operations").glob("*.cu")})
        self.assertIn("2 variants, 20 cases", run("warpcheck", "check", str(folder / "softmax.cu"), "--cases", "10"))

    @unittest.skipUnless(NVCC, "this machine has no nvcc")
    def test_references_in_cpp_run(self):
        self.assertIn("wrong-result", run("warpcheck", "check", "softmax_host.cu", status=1))

    @unittest.skipUnless(NVCC, "this machine has no nvcc")
    def test_specimens_find_the_headers_of_the_built_in_kernels(self):
        folder = PREFIX / "share/warpcheck/kernels/specimens/missing_work"
        self.assertIn("wrong-result", run("warpcheck", "check", str(folder / "d08_wmma_k_tail.cu"), status=1))

    @unittest.skipUnless(NVCC, "this machine has no nvcc")
    def test_the_library_example_builds_and_passes(self):
        build = SCRATCH / "library_example"
        source = PREFIX / "share/doc/warpcheck/examples/library"
        run("cmake", "-S", str(source), "-B", str(build), f"-DCMAKE_PREFIX_PATH={PREFIX}")
        run("cmake", "--build", str(build))
        self.assertIn("100% tests passed, 0 tests failed out of 5",
                      run("ctest", "--test-dir", str(build), "--output-on-failure"))

    def test_without_nvcc_the_error_names_the_path(self):
        output = run("warpcheck", "check", "mine.cu", status=3, WARPCHECK_NVCC="/nonexistent/nvcc")
        self.assertIn("/nonexistent/nvcc", output)
        self.assertIn("fetch-nvcc", run("warpcheck-fetch-nvcc", "--help", status=2))


class Manuals(unittest.TestCase):
    def pages(self):
        found = sorted((PREFIX / "share/man/man1").glob("*.1"))
        self.assertIn("warpcheck-check.1", [page.name for page in found])
        return found

    def warnings(self, *command):
        if shutil.which(command[0]) is None:
            self.skipTest(f"{command[0]} is not installed")
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.stdout

    def test_mandoc_prints_no_warning(self):
        self.assertEqual(self.warnings("mandoc", "-Tlint", "-Wwarning", *self.pages()), "")

    def test_groff_prints_no_warning(self):
        self.assertEqual(self.warnings("groff", "-man", "-Tutf8", "-ww", "-z", *self.pages()), "")


class Completion(unittest.TestCase):
    """Runs each installed script in its shell."""

    def complete_in(self, shell, *arguments, load):
        if shutil.which(shell) is None:
            self.skipTest(f"{shell} is not installed")
        terminal = shells.Terminal([shell, *arguments], environment())
        self.addCleanup(terminal.close)
        terminal.type(f"{load}; echo rea''dy\n")
        self.assertTrue(terminal.wait_for("ready"), terminal.shown)
        for typed, completed in (("ch", "check"), ("check --dev", "check --device"),
                                 ("check --device v", "check --device virtual"),
                                 ("replay mi", "replay mine.cu"),
                                 ("profile sgemm_tiled_transposed_b_p", "profile sgemm_tiled_transposed_b_padded")):
            # Prints the completed line instead of running it: control-A moves to its beginning.
            terminal.type(f"warpcheck {typed}\t\x01echo comple''ted: \n")
            self.assertTrue(terminal.wait_for(f"completed: warpcheck {completed}"), (typed, terminal.shown))

    def test_bash(self):
        script = PREFIX / "share/bash-completion/completions/warpcheck"
        self.complete_in("bash", "--norc", "--noprofile", "-i", load=f"cd ~; PS1='> '; source '{script}'")

    def test_zsh(self):
        script = PREFIX / "share/zsh/vendor-completions/_warpcheck"
        self.complete_in("zsh", "-f", "-i",
                 load=f"cd ~; PS1='> '; bindkey -e; autoload -U compinit; compinit -u -D; source '{script}'")

    def test_fish(self):
        script = PREFIX / "share/fish/vendor_completions.d/warpcheck.fish"
        self.complete_in("fish", "--no-config", "-i", load=f"cd ~; source '{script}'")


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = SCRATCH / "packages"
        subprocess.run(["cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder], check=True,
                       stdout=subprocess.DEVNULL)

    def test_the_archive_works_in_any_folder(self):
        archive, = self.folder.glob("*.tar.gz")
        (SCRATCH / "unpacked").mkdir()
        subprocess.run(["tar", "-xzf", archive, "-C", SCRATCH / "unpacked"], check=True)
        program, = (SCRATCH / "unpacked").glob("*/bin/warpcheck")
        self.assertFalse(contains_build_path(program))
        self.assertIn("1 variant, 20 cases", run(program, "check", "sgemm_tiled16", "--cases", "20"))
        libraries = subprocess.run(["ldd", program], check=True, stdout=subprocess.PIPE, text=True).stdout
        for line in libraries.splitlines():
            if "/lib" in line and not any(own in line for own in ("libc.", "libm.", "ld-linux")):
                self.assertIn(str(SCRATCH / "unpacked"), line)

    def test_the_debian_package_depends_on_its_libraries(self):
        if shutil.which("dpkg-deb") is None:
            self.skipTest("dpkg-deb is not installed")
        package, = self.folder.glob("*.deb")
        depends = subprocess.run(["dpkg-deb", "-f", package, "Depends"], check=True, stdout=subprocess.PIPE,
                                 text=True).stdout
        self.assertIn("libc6 (>=", depends)
        self.assertIn("libsqlite3-0", depends)
        contents = subprocess.run(["dpkg-deb", "-c", package], check=True, stdout=subprocess.PIPE,
                                  text=True).stdout
        for path in ("./usr/bin/warpcheck", "./usr/share/man/man1/warpcheck.1",
                     "./usr/share/warpcheck/kernels/gemm/1_one_thread_per_element/01_naive.ptx",
                     "./usr/share/bash-completion/completions/warpcheck"):
            self.assertIn(path + "\n", contents)
        others = [line for line in contents.splitlines() if "./usr/lib" in line and not line.endswith("/")]
        own_folder = "./usr/lib/warpcheck/"
        self.assertTrue(all(own_folder in line or "warpcheck" in line.rsplit("/", 1)[-1] for line in others), others)


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1], exit=False).result
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)
