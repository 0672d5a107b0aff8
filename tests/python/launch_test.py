"""Launches on NumPy arrays: values, bounds, definedness, races, and wrong calls."""

import numpy as np
import pytest

import warpcheck

HEADER = ".version 7.0\n.target sm_80\n.address_size 64\n"


def kernel(parameters, body):
    return (f"{HEADER}.visible .entry kernel({parameters}) {{\n"
            "  .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %d<9>;\n"
            f"{body}\n  ret;\n}}\n")


# y[i] = a x[i] + y[i]; a thread for each element.
AXPY = kernel(
    ".param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n",
    """  ld.param.u64 %d1, [x];  ld.param.u64 %d2, [y];  ld.param.f32 %f1, [a];  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 ret;
  mad.wide.u32 %d1, %r2, 4, %d1;
  mad.wide.u32 %d2, %r2, 4, %d2;
  ld.global.f32 %f2, [%d1];
  ld.global.f32 %f3, [%d2];
  fma.rn.f32 %f3, %f1, %f2, %f3;
  st.global.f32 [%d2], %f3;""")


def axpy(x, y, n, **options):
    return warpcheck.launch(AXPY, x, y, 2.0, n, grid=(1,), block=(32,), names=["x", "y"], **options)


def test_arrays_are_changed_in_place():
    x, y = np.arange(8, dtype=np.float32), np.ones(8, np.float32)
    report = axpy(x, y, 8)
    assert report.passed and str(report) == "passed, 1 case"
    assert report.warp_instructions > 0
    np.testing.assert_array_equal(y, 2 * np.arange(8) + 1)
    np.testing.assert_array_equal(x, np.arange(8))


def test_access_beyond_an_array_is_found():
    report = axpy(np.zeros(7, np.float32), np.zeros(8, np.float32), 8)
    [finding] = report.findings
    assert finding.kind == "out-of-bounds"
    assert finding.message == "4-byte load from byte 28 of x, which has 28 bytes"
    assert (finding.file, finding.line) == ("kernel.ptx", 12)
    assert str(finding).startswith("error[out-of-bounds]: 4-byte load from byte 28 of x, which has 28 bytes\n"
                                   "  --> kernel.ptx:12:3\n")
    with pytest.raises(warpcheck.KernelError, match="byte 28 of x"):
        report.require_pass()


def test_undefined_array_must_be_written_first():
    report = axpy(np.zeros(8, np.float32), warpcheck.Undefined(np.zeros(8, np.float32)), 8)
    assert [finding.kind for finding in report.findings] == ["uninitialized-read"]


def test_bytes_between_the_elements_of_a_view_are_undefined():
    memory = np.full((4, 8), 3, np.float32)
    assert axpy(memory[1], np.zeros(8, np.float32), 8).passed
    assert axpy(memory[:, ::2][0], np.zeros(8, np.float32), 4).findings[0].kind == "uninitialized-read"
    y = np.zeros((8, 3), np.float32)
    assert not axpy(np.ones(8, np.float32), y[:, 1], 8).passed
    np.testing.assert_array_equal(y[:, [0, 2]], 0)


def test_views_of_any_order_are_copied():
    copy = kernel(".param .u64 x, .param .u64 y", """  ld.param.u64 %d1, [x];  ld.param.u64 %d2, [y];
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %d1, %r1, 2, %d1;  mad.wide.u32 %d2, %r1, 2, %d2;
  ld.global.u16 %h1, [%d1];  st.global.u16 [%d2], %h1;""")
    data = np.arange(24, dtype=np.uint16).reshape(2, 3, 4)
    for x in (data, data.transpose(2, 0, 1), np.asfortranarray(data)):
        y = np.empty_like(x)
        assert warpcheck.launch(copy, x, warpcheck.Undefined(y), grid=(1,), block=(24,)).passed
        np.testing.assert_array_equal(x, y)


def test_reversed_view_begins_at_its_last_element():
    x = np.arange(8, dtype=np.float32)[::-1]
    report = axpy(x, np.zeros(8, np.float32), 8)
    assert report.findings[0].message == "4-byte load from byte 32 of x, which has 32 bytes"


def test_race_is_found():
    store = kernel(".param .u64 x", "  ld.param.u64 %d1, [x];  mov.u32 %r1, %tid.x;  st.global.u32 [%d1], %r1;")
    report = warpcheck.launch(store, np.zeros(1, np.uint32), grid=(1,), block=(64,))
    assert [finding.kind for finding in report.findings] == ["race"]


@pytest.mark.parametrize("arguments, message", [
    ((np.zeros(1, np.float32),), "1 arguments for a kernel that takes 4"),
    ((np.zeros(1, np.float32), np.zeros(1, np.float32), 1.0, 1 << 40), "cannot hold"),
    ((np.zeros(1, np.float32), np.zeros(1, np.float32), np.float64(1), 1), "has 8 bytes"),
])
def test_wrong_arguments_are_errors(arguments, message):
    with pytest.raises(warpcheck.InputError, match=message):
        warpcheck.launch(AXPY, *arguments, grid=(1,), block=(32,))


def test_wrong_ptx_is_an_error_with_its_place():
    with pytest.raises(warpcheck.InputError, match="kernel.ptx:4:1: error: "):
        warpcheck.launch(HEADER + "nonsense", grid=(1,))


def test_wrong_block_is_a_finding_and_wrong_options_are_errors():
    assert axpy(np.zeros(8, np.float32), np.zeros(8, np.float32), 8).passed
    report = warpcheck.launch(AXPY, np.zeros(8, np.float32), np.zeros(8, np.float32), 2.0, 8, grid=(1,),
                              block=(2048,))
    assert report.findings[0].kind == "launch-failure"
    with pytest.raises(TypeError, match="unknown option 'sead'"):
        axpy(np.zeros(8, np.float32), np.zeros(8, np.float32), 8, sead=1)


def test_endless_launch_is_not_a_pass():
    endless = kernel("", "AGAIN: bra AGAIN;")
    report = warpcheck.launch(endless, grid=(1,), instructions=1000)
    assert not report.passed


@pytest.mark.parametrize("factor", [2, 2.0, True + 1, np.float32(2)])
def test_the_parameter_decides_the_format_of_a_number(factor):
    x, y = np.arange(8, dtype=np.float32), np.ones(8, np.float32)
    warpcheck.launch(AXPY, x, y, factor, 8.0, grid=(1,), block=(32,)).require_pass()
    np.testing.assert_array_equal(y, 2 * np.arange(8) + 1)


def test_numbers_that_the_parameter_cannot_hold_are_errors():
    arrays = [np.zeros(8, np.float32), np.zeros(8, np.float32)]
    for factor, count, message in ((1e39, 8, "argument 2 is 1e\\+39, which f32"), (2, 2.5, "argument 3 is 2.5"),
                                   (2, float("nan"), "argument 3 is nan"), (2, 1 << 32, "argument 3 is 4294967296")):
        with pytest.raises(warpcheck.InputError, match=message):
            warpcheck.launch(AXPY, *arrays, factor, count, grid=(1,), block=(32,))


def test_bits_without_a_type_need_a_numpy_scalar():
    ptx = kernel(".param .u64 y, .param .b32 a",
                 "ld.param.u64 %d1, [y];  ld.param.b32 %r1, [a];  st.global.b32 [%d1], %r1;")
    y = np.zeros(1, np.float32)
    with pytest.raises(warpcheck.InputError, match=r"argument 1 is 2, and the PTX does not show .* np.float32\(2\)"):
        warpcheck.launch(ptx, y, 2, grid=(1,))
    warpcheck.launch(ptx, y, np.float32(2), grid=(1,)).require_pass()
    assert y[0] == 2.0


def test_bfloat16_is_rounded_to_nearest():
    ptx = kernel(".param .u64 y, .param .align 2 .b8 a[2]",
                 "ld.param.u64 %d1, [y];  ld.param.b16 %h1, [a];  st.global.b16 [%d1], %h1;")
    ptx = ptx.replace("kernel(", "_Z6kernelPv13__nv_bfloat16(")
    for value, bits in ((2, 0x4000), (1.00390625, 0x3F80), (1.01171875, 0x3F82), (-0.0, 0x8000)):
        y = np.zeros(1, np.uint16)
        warpcheck.launch(ptx, y, value, grid=(1,)).require_pass()
        assert y[0] == bits
