"""check(): a product of matrices that is right, and with one defect each; and the pytest plugin."""

import os
import subprocess
import sys

import numpy as np
import pytest

import warpcheck
from warpcheck import In, InOut, Out, Stride, ceil_div

PRODUCT = """.version 7.0
.target sm_80
.address_size 64
.visible .entry product(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u32 pm, .param .u32 pn,
                        .param .u32 pk, .param .u32 plda) {
  .reg .pred %p<3>; .reg .b32 %r<14>; .reg .f32 %f<4>; .reg .b64 %rd<7>;
  ld.param.u64 %rd1, [pa];  ld.param.u64 %rd2, [pb];  ld.param.u64 %rd3, [pc];
  ld.param.u32 %r1, [pm];  ld.param.u32 %r2, [pn];  ld.param.u32 %r3, [pk];
  mov.u32 %r4, %ctaid.x;  mov.u32 %r5, %tid.x;
  mad.lo.s32 %r6, %r4, 64, %r5;
  mul.lo.s32 %r7, %r1, %r2;
  setp.ge.s32 %p1, %r6, %r7;
  @%p1 bra DONE;
  div.s32 %r8, %r6, %r2;
  rem.s32 %r9, %r6, %r2;
  ld.param.u32 %r10, [plda];
  mul.lo.s32 %r10, %r8, %r10;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r11, 0;
NEXT:
  setp.ge.s32 %p2, %r11, %r3;
  @%p2 bra STORE;
  add.s32 %r12, %r10, %r11;
  mad.lo.s32 %r13, %r11, %r2, %r9;
  mad.wide.s32 %rd4, %r12, 4, %rd1;
  mad.wide.s32 %rd5, %r13, 4, %rd2;
  ld.global.f32 %f2, [%rd4];
  ld.global.f32 %f3, [%rd5];
  fma.rn.f32 %f1, %f2, %f3, %f1;
  add.s32 %r11, %r11, 1;
  bra NEXT;
STORE:
  mad.wide.s32 %rd6, %r6, 4, %rd3;
  st.global.f32 [%rd6], %f1;
DONE:
  ret;
}
"""

ARGUMENTS = [In("a", "f32", ("m", "k")), In("b", "f32", ("k", "n")), Out("c", "f32", ("m", "n")),
             "m", "n", "k", Stride("a")]
SIZES = {name: range(1, 34) for name in "mnk"}


def check(old="", new="", **keywords):
    assert old in PRODUCT
    kernel = warpcheck.Kernel(PRODUCT.replace(old, new, 1) if old else PRODUCT, block=(64,))
    return warpcheck.check(kernel, lambda a, b: a @ b, ARGUMENTS, sizes=SIZES, terms=lambda s: s.k,
                           grid=lambda s: (ceil_div(s.m * s.n, 64),), **keywords)


def test_correct_kernel_passes():
    report = check()
    assert report.passed and report.cases == 30, str(report)


@pytest.mark.parametrize("old, new, kind, case", [
    ("setp.ge.s32 %p1", "setp.gt.s32 %p1", "out-of-bounds", "m=1 k=1 n=1 "),  # one thread too many
    ("[plda]", "[pk]", "uninitialized-read", "m=2 k=1 n=1 pad_a="),          # ignores the stride
    ("mov.u32 %r11, 0", "mov.u32 %r11, 1", "wrong-result", "m=1 k=1 n=1 "),    # drops the first term
    ("  st.global.f32 [%rd6], %f1;\n", "", "wrong-result", "m=1 k=1 n=1 "),    # writes nothing
    ("st.global.f32 [%rd6], %f1;", "st.global.f32 [%rd6], %f1; st.global.f32 [%rd1], 0f42280000;",
     "input-modified", "m=1 k=1 n=1 "),
])
def test_defect_is_found_and_shrunk(old, new, kind, case):
    report = check(old, new)
    found = [finding for finding in report.findings if finding.kind == kind]
    assert found, str(report)
    assert found[0].case.startswith(case)
    again = check(old, new, case=found[0].case)
    assert kind in [finding.kind for finding in again.findings]


def test_wrong_result_names_the_element():
    [finding] = check("mov.u32 %r11, 0", "mov.u32 %r11, 1", case="m=1 n=1 k=1 seed=3").findings
    assert finding.message.startswith("c[0, 0] is 0, expected ")
    assert "replay     check(..., case=\"m=1 n=1 k=1 data=small seed=3\")" in str(finding)


def test_cases_depend_on_the_seed_alone():
    lines = [[finding.case for finding in check("[plda]", "[pk]", seed=seed).findings] for seed in (1, 1)]
    assert lines[0] == lines[1] != []


def test_case_is_read_back():
    line = "m=3 n=4 pad_a=2 data=normal seed=9"
    assert str(warpcheck.Case.parse(line)) == line
    with pytest.raises(warpcheck.InputError, match="found 'm' in a case"):
        warpcheck.Case.parse("m")


def test_in_out_array_is_compared_with_its_new_value():
    add = PRODUCT.replace("mov.f32 %f1, 0f00000000;", "mad.wide.s32 %rd6, %r6, 4, %rd3; ld.global.f32 %f1, [%rd6];")
    report = warpcheck.check(
        warpcheck.Kernel(add, block=(64,)), lambda a, b, c: a @ b + c,
        [*ARGUMENTS[:2], InOut("c", "f32", ("m", "n")), *ARGUMENTS[3:]], sizes=SIZES,
        terms=lambda s: s.k + 1, grid=lambda s: (ceil_div(s.m * s.n, 64),))
    assert report.passed, str(report)


@pytest.mark.parametrize("arguments, keywords, message", [
    (ARGUMENTS[:3], {}, "3 arguments for a kernel that takes 7"),
    ([In("a", "f33", (1,))], {}, "unknown type 'f33'"),
    (ARGUMENTS[:2], {}, "nothing would be compared"),
    ([*ARGUMENTS[:6], Stride("d")], {}, "no array 'd'"),
    (ARGUMENTS, {"accumulate": "f128"}, "unknown type 'f128'"),
    (ARGUMENTS, {"case": "m=1"}, "there is no size 'k'"),
])
def test_wrong_calls_are_errors(arguments, keywords, message):
    with pytest.raises(warpcheck.InputError, match=message):
        warpcheck.check(PRODUCT, lambda a, b: a @ b, arguments, grid=(1,), **keywords)


def test_reference_of_another_shape_is_an_error():
    with pytest.raises(warpcheck.InputError, match="the reference of c has the shape"):
        warpcheck.check(warpcheck.Kernel(PRODUCT, block=(64,)), lambda a, b: np.zeros(77), ARGUMENTS, grid=(300,))


PLUGIN = """
from check_test import *
def test_kernel(assert_kernel):
    kernel = warpcheck.Kernel(PRODUCT.replace("setp.ge.s32 %p1", "setp.gt.s32 %p1"), block=(64,))
    assert_kernel(kernel, lambda a, b: a @ b, ARGUMENTS, grid=lambda s: (ceil_div(s.m * s.n, 64),), sizes=SIZES)
"""


def run_pytest(folder, *options):
    (folder / "test_plugin.py").write_text(PLUGIN)
    paths = [os.path.dirname(__file__), *sys.path]
    return subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-q", "-p", "warpcheck.pytest_plugin", "-p", "no:cacheprovider",
         "test_plugin.py::test_kernel", *options], cwd=folder, text=True, capture_output=True,
        env={**os.environ, "PYTHONPATH": ":".join(paths)})


def test_plugin_fails_with_the_text_of_the_finding(tmp_path):
    result = run_pytest(tmp_path)
    assert result.returncode == 1
    assert "error[out-of-bounds]: 4-byte load from byte 4 of a, which has 4 bytes" in result.stdout, result.stdout


def test_plugin_runs_one_case(tmp_path):
    result = run_pytest(tmp_path, "--warpcheck-case", "m=8 n=7 k=1 seed=1")
    assert result.returncode == 1 and "case       m=8 n=7 k=1 data=small seed=1" in result.stdout, result.stdout
