#!/usr/bin/env python3
"""scripts/header-forms on small headers: macros, constraints, scopes, and a file that is out of date."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/header-forms"

HEADER = r"""
#define BINARY(name) asm("{ " #name ".f16 %0, %1, %2; }\n" : "=h"(c) : "h"(a), "h"(b))
void one() { BINARY(add); }
void two() { BINARY(sub); BINARY(sub); }
void three() {
  asm volatile("{\n\t.reg .pred P;\n\t// a comment; with a semicolon\n\tsetp.eq.u32 P, %1, 0;\n\t"
               "@P mov.u64 %0, %%clock64; bra L;\n L: }" : "+l"(x) : "r"(y) : "memory");
  asm("cp.async.ca.shared.global [%0], [%1], %2;" :: "r"(s), "l"(g), "n"(16));
  asm("fence.sc.cta;");
}
#if __CUDA_ARCH__ >= 1000
void four() { asm("tcgen05.fence;"); }
#endif
"""
FORMS = """# CUDA 13000
add.f16 %h0, %h1, %h2;\tfp16\t1
cp.async.ca.shared.global [%r0], [%d0], 16;\tfp16\t1
fence.sc.cta;\tfp16\t1
mov.u64 %d0, %clock64;\tfp16\t1
setp.eq.u32 %p0, %r0, 0;\tfp16\t1
sub.f16 %h0, %h1, %h2;\tfp16\t1
"""


class HeaderForms(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.include = pathlib.Path(self.folder.name)
        (self.include / "cuda.h").write_text("#define CUDA_VERSION 13000\n")
        (self.include / "cuda_runtime.h").write_text("")
        (self.include / "cuda_fp16.h").write_text(HEADER)
        self.output = self.include / "forms.txt"

    def tearDown(self):
        self.folder.cleanup()

    def run_script(self, *options):
        return subprocess.run([sys.executable, "-B", SCRIPT, "--output", self.output, *options, self.include],
                              stderr=subprocess.PIPE, text=True)

    def test_writes_each_form_once(self):
        result = self.run_script()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.output.read_text(), FORMS)

    def test_check_finds_a_missing_form(self):
        self.output.write_text(FORMS)
        self.assertEqual(self.run_script("--check").returncode, 0)
        self.output.write_text(FORMS.replace("fence.sc.cta;\tfp16\t1\n", ""))
        self.assertEqual(self.run_script("--check").returncode, 1)

    def test_another_version_is_not_compared(self):
        self.output.write_text(FORMS.replace("13000", "12080"))
        self.assertEqual(self.run_script("--check").returncode, 3)


if __name__ == "__main__":
    unittest.main()
