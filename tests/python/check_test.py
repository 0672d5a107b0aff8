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
    ("setp.ge.s32 %p1", "setp.gt.s32 %p1", "out-of-bounds", "kernel operation=kernel m=1 k=1 n=1 "),  # one thread too many
    ("[plda]", "[pk]", "uninitialized-read", "kernel operation=kernel m=2 k=1 n=1 stride_a_0="),          # ignores the stride
    ("mov.u32 %r11, 0", "mov.u32 %r11, 1", "wrong-result", "kernel operation=kernel m=1 k=1 n=1 "),    # drops the first term
    ("  st.global.f32 [%rd6], %f1;\n", "", "wrong-result", "kernel operation=kernel m=1 k=1 n=1 "),    # writes nothing
    ("st.global.f32 [%rd6], %f1;", "st.global.f32 [%rd6], %f1; st.global.f32 [%rd1], 0f42280000;",
     "input-modified", "kernel operation=kernel m=1 k=1 n=1 "),
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
    line = "kernel operation=kernel m=1 k=1 n=1 data=lattice seed=3"
    assert finding.case == line and f"replay     check(..., case=\"{line}\")" in str(finding)


def test_cases_depend_on_the_seed_alone():
    lines = [[finding.case for finding in check("[plda]", "[pk]", seed=seed).findings] for seed in (1, 1)]
    assert lines[0] == lines[1] != []


def test_jobs_do_not_change_the_report():
    texts = [str(check("mov.u32 %r11, 0", "mov.u32 %r11, 1", jobs=jobs)) for jobs in (1, 2)]
    assert texts[0] == texts[1]


def test_nan_that_the_kernel_loses_is_found_unless_excluded():
    relu = """.version 7.0
.target sm_80
.address_size 64
.visible .entry relu(.param .u64 x, .param .u64 y, .param .u32 n) {
  .reg .pred %p; .reg .b32 %r<6>; .reg .f32 %f<3>; .reg .b64 %d<3>;
  ld.param.u64 %d1, [x];  ld.param.u64 %d2, [y];  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;  mov.u32 %r3, %ntid.x;  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p, %r5, %r1;
  @%p ret;
  mad.wide.u32 %d1, %r5, 4, %d1;  mad.wide.u32 %d2, %r5, 4, %d2;
  ld.global.f32 %f1, [%d1];
  max.f32 %f2, %f1, 0f00000000;
  st.global.f32 [%d2], %f2;
  ret;
}
"""
    def run(reference, **keywords):
        return warpcheck.check(
            warpcheck.Kernel(relu, block=(32,)), reference,
            [In("x", "f32", ("m", "n"), **keywords), Out("y", "f32", ("m", "n")), lambda s: s.m * s.n],
            grid=lambda s: (ceil_div(s.m * s.n, 32),), sizes={"m": range(1, 40)}, cases=200)
    lost = run(lambda x: np.maximum(x, 0))
    assert [finding.kind for finding in lost.findings] == ["wrong-result"] and "expected nan" in str(lost)
    assert run(lambda x: np.fmax(x, 0)).passed
    assert run(lambda x: np.maximum(x, 0), finite=True).passed


def test_grid_may_branch_on_sizes():
    kernel = warpcheck.Kernel(PRODUCT, block=(64,))
    for grid in (lambda s: (-(-s.m * s.n // 64),), lambda s: (max(ceil_div(s.m * s.n, 64), 2),),
                 lambda s: (1 if s.m * s.n <= 64 else 30,)):
        report = warpcheck.check(kernel, lambda a, b: a @ b, ARGUMENTS, sizes=SIZES, terms=lambda s: s.k, grid=grid)
        assert report.passed, str(report)


def test_sizes_are_limited_to_their_values():
    seen = set()

    def reference(a, b):
        seen.update([(a.shape[1], b.shape[1])])
        return a @ b

    report = warpcheck.check(
        warpcheck.Kernel(PRODUCT, block=(64,)), reference, ARGUMENTS, terms=lambda s: s.k,
        grid=lambda s: (ceil_div(s.m * s.n, 64),), sizes={"m": [3], "k": range(8, 33, 8), "n": [5, 7]})
    assert report.passed, str(report)
    assert {k for k, _ in seen} <= {8, 16, 24, 32} and {n for _, n in seen} == {5, 7}


def test_exception_of_the_reference_is_raised():
    def reference(a, b):
        raise ZeroDivisionError("of the reference")

    with pytest.raises(ZeroDivisionError, match="of the reference"):
        warpcheck.check(warpcheck.Kernel(PRODUCT, block=(64,)), reference, ARGUMENTS, grid=(300,))


def test_in_out_array_is_compared_with_its_new_value():
    add = PRODUCT.replace("mov.f32 %f1, 0f00000000;", "mad.wide.s32 %rd6, %r6, 4, %rd3; ld.global.f32 %f1, [%rd6];")
    report = warpcheck.check(
        warpcheck.Kernel(add, block=(64,)), lambda a, b, c: a @ b + c,
        [*ARGUMENTS[:2], InOut("c", "f32", ("m", "n")), *ARGUMENTS[3:]], sizes=SIZES,
        terms=lambda s: s.k + 1, grid=lambda s: (ceil_div(s.m * s.n, 64),))
    assert report.passed, str(report)


@pytest.mark.parametrize("arguments, keywords, message", [
    (ARGUMENTS[:3], {}, "3 arguments for a kernel that takes 7"),
    (ARGUMENTS[:2], {}, "nothing would be compared"),
    ([*ARGUMENTS[:6], Stride("d")], {}, "no array 'd'"),
    (ARGUMENTS, {"accumulate": "f128"}, "unknown type 'f128'"),
    (ARGUMENTS, {"case": "m=1"}, "the case has no size 'k'"),
    (ARGUMENTS, {"terms": lambda s: s.j}, "there is no size 'j'"),
    (ARGUMENTS, {"terms": lambda s: s.k / 2}, "expected integer arithmetic"),
    ([In("1x", "f32", (1,)), *ARGUMENTS[1:6], 1], {}, "name '1x': expected letters"),
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
    assert result.returncode == 1 and "case       kernel operation=kernel m=8 k=1 n=7 data=lattice seed=1" in result.stdout, result.stdout


@pytest.mark.parametrize("factor", [2, 2.0, np.float32(2)])
@pytest.mark.parametrize("expected, passed", [(2, True), (3, False)])
def test_whole_number_for_a_float_parameter(factor, expected, passed):
    scale = """.version 7.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 x, .param .u64 y, .param .f32 factor, .param .u32 n) {
  .reg .pred %p; .reg .b32 %r<3>; .reg .f32 %f<3>; .reg .b64 %d<4>;
  ld.param.u64 %d1, [x];  ld.param.u64 %d2, [y];  ld.param.f32 %f1, [factor];  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p, %r2, %r1;
  @%p bra DONE;
  mul.wide.u32 %d3, %r2, 4;
  add.s64 %d1, %d1, %d3;  add.s64 %d2, %d2, %d3;
  ld.global.f32 %f2, [%d1];
  mul.rn.f32 %f2, %f1, %f2;
  st.global.f32 [%d2], %f2;
DONE:
  ret;
}
"""
    report = warpcheck.check(warpcheck.Kernel(scale, block=(32,)), lambda x: expected * x,
                             [In("x", "f32", ("n",)), Out("y", "f32", ("n",)), factor, "n"],
                             sizes={"n": range(1, 33)}, grid=(1,), cases=20)
    assert report.passed == passed, str(report)
