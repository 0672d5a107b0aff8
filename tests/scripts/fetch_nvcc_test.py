#!/usr/bin/env python3
"""scripts/fetch-nvcc requests from PyPI all that warpcheck compiles with, and leaves no incomplete compiler.

A program that creates what the wheels contain takes the place of pip.
"""

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "fetch-nvcc"

# STATUS is that of `pip install`. Each wheel adds its file; the names of all wheels are stored in `wheels`.
PYTHON = """#!/usr/bin/env bash
[[ $3 == install ]] || exit 0
while [[ $1 != --target ]]; do shift; done
mkdir -p "$2/nvidia/cu13/bin" "$2/nvidia/cu13/lib"
for wheel in "${@:3}"; do
  echo "$wheel" >>"$(dirname "$0")/wheels"
  case $wheel in
    nvidia-cuda-nvcc==*) touch "$2/nvidia/cu13/bin/nvcc" ;;
    nvidia-cuda-nvrtc==*) touch "$2/nvidia/cu13/lib/libnvrtc.so.13" ;;
  esac
done
exit STATUS
"""


class FetchNvcc(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)

    def fetch(self, status=0):
        python = self.root / "bin/python3"
        python.parent.mkdir(exist_ok=True)
        python.write_text(PYTHON.replace("STATUS", str(status)))
        python.chmod(0o755)
        environment = {**os.environ, "PATH": f"{python.parent}:{os.environ['PATH']}"}
        return subprocess.run([SCRIPT, self.root / "cuda"], env=environment, capture_output=True, text=True, check=False)

    def test_nvcc_and_nvrtc_have_one_version(self):
        done = self.fetch()
        self.assertEqual(done.returncode, 0, done.stderr)
        wheels = dict(line.split("==") for line in (self.root / "bin/wheels").read_text().split())
        self.assertEqual(wheels["nvidia-cuda-nvrtc"], wheels["nvidia-cuda-nvcc"])
        for file in ("bin/nvcc", "lib/libnvrtc.so.13"):
            self.assertTrue((self.root / "cuda/nvidia/cu13" / file).exists(), file)

    def test_failed_download_leaves_no_compiler(self):
        done = self.fetch(status=1)
        self.assertEqual(done.returncode, 3)
        self.assertFalse((self.root / "cuda/nvidia").exists())


if __name__ == "__main__":
    unittest.main()
