"""Arguments of launch() and check() as users write them: each is accepted, or an error that states what to write."""

import numpy as np
import pytest

import warpcheck
from launch_test import AXPY, kernel
from warpcheck import In, Kernel, Out, Stride, ceil_div
from warpcheck.contract import Contract

# As nvcc names scale(const float*, float*, int).
SCALE = kernel(".param .u64 x, .param .u64 y, .param .u32 n", """  ld.param.u64 %d1, [x];  ld.param.u64 %d2, [y];
  ld.param.u32 %r1, [n];  mov.u32 %r2, %ctaid.x;  mov.u32 %r3, %ntid.x;  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 ret;
  mad.wide.u32 %d1, %r5, 4, %d1;  mad.wide.u32 %d2, %r5, 4, %d2;
  ld.global.f32 %f1, [%d1];  add.f32 %f1, %f1, %f1;  st.global.f32 [%d2], %f1;""").replace(" kernel(", " _Z5scalePKfPfi(")
BLOCKS = {"grid": lambda s: ceil_div(s.n, 32)}

def scale(type_="f32", sizes=None, **keywords):
    return warpcheck.check(Kernel(SCALE, block=32), lambda x: 2 * x,
                           [In("x", type_, ("n",)), Out("y", type_, ("n",)), "n"], sizes=sizes, **{**BLOCKS, **keywords})

def launched(*arguments, **keywords):
    return warpcheck.launch(SCALE, *arguments, **{"grid": 1, "block": 32, **keywords})

def floats(count=8):
    return np.ones(count, np.float32)

class TorchType:
    def __str__(self):
        return "torch.float32"

@pytest.mark.parametrize("type_", ["f32", "float32", np.float32, np.dtype("float32"), TorchType()])
def test_types_of_other_packages_name_elements(type_):
    assert In("x", type_, ("n",)).type == "f32"
    assert scale(type_, accumulate=type_).passed

@pytest.mark.parametrize("type_, name", [
    (np.float16, "f16"), ("bfloat16", "bf16"), ("half", "f16"), (np.int8, "s8"), (np.uint8, "u8"), (np.int32, "s32"),
    (np.int64, "s64"), (np.float64, "f64"), ("float8_e4m3fn", "e4m3"), ("fp8e5", "e5m2"), ("tf32", "tf32")])
def test_each_type_has_its_names(type_, name):
    assert Out("y", type_, ("n",)).type == name

@pytest.mark.parametrize("type_", ["f33", np.int16, None, [], "float128"])
def test_unknown_type_is_an_error(type_):
    with pytest.raises(warpcheck.InputError, match="unknown type '.*': expected one of f16, bf16"):
        In("x", type_, ("n",))

def test_unknown_size_is_an_error_with_the_nearest_name():
    assert scale(sizes={"n": range(1, 9)}).passed
    with pytest.raises(warpcheck.InputError, match="there is no size 'N'; there are n"):
        scale(sizes={"N": range(1, 9)})
    two = [In("x", "f32", ("rows", "columns")), Out("y", "f32", ("rows", "columns")), lambda s: s.rows * s.columns]
    with pytest.raises(warpcheck.InputError, match="no size 'colums'; there are rows, columns; did you mean 'columns'"):
        warpcheck.check(SCALE, lambda x: 2 * x, two, grid=1, sizes={"colums": [1]})
    with pytest.raises(warpcheck.InputError, match="no size 'row'; there are rows, columns; did you mean 'rows'"):
        warpcheck.check(SCALE, lambda x: 2 * x, two, grid=lambda s: s.row)

@pytest.mark.parametrize("values, message", [
    ([], "'n' has no value"), ([1.5], r"values of the size 'n' are \[1.5\], expected integers"),
    ("1:9", "expected integers"), ([-1, 3], "'n' has the value -1, which is negative"), (None, "expected integers")])
def test_values_of_a_size_are_integers(values, message):
    with pytest.raises(warpcheck.InputError, match=message):
        scale(sizes={"n": values})

def test_one_value_of_a_size_is_a_number():
    assert scale(sizes={"n": 40}).passed and scale(sizes={"n": np.int64(40)}).passed

def test_block_and_grid_may_be_numbers():
    assert launched(floats(), floats(), 8, grid=np.int64(1), block=32).passed
    assert Kernel(SCALE, block=128).block == (128,)
    assert Kernel(SCALE, block=[16, 16]).block == (16, 16)
    assert scale(grid=5, sizes={"n": range(1, 130)}).passed

@pytest.mark.parametrize("extent", [(3.5,), "32", (1, 1, 1, 1), (), None, (-1,), [None]])
def test_wrong_grid_is_an_error(extent):
    with pytest.raises(warpcheck.InputError, match="is no grid or block"):
        launched(floats(), floats(), 8, grid=extent)

@pytest.mark.parametrize("arguments, message", [
    (([1.0] * 8, floats(), 8), "argument 0 is a list, expected a NumPy array"),
    ((floats(), floats(), "8"), "argument 2 is a str, expected an array or a number"),
    ((floats(), floats(), None), "argument 2 is a NoneType, expected"),
    ((floats(), floats(), 8j), "argument 2 is a complex, expected"),
    ((floats(), floats(), floats()), "argument 2 is an array, the parameter of the kernel has 4 bytes"),
    ((np.ones(8), floats(), 8), r"argument 0 is an array of float64, the kernel takes float32: .* astype\(np.float32\)"),
    ((floats(), np.ones(8, np.int32), 8), "argument 1 is an array of int32, the kernel takes float32"),
    ((floats(), 5, 8), "argument 1 is the number 5, the kernel takes an array of float32"),
    ((np.array([None]), floats(), 8), "argument 0 is an array of Python objects"),
])
def test_argument_of_the_wrong_kind_is_an_error(arguments, message):
    with pytest.raises(warpcheck.InputError, match=message):
        launched(*arguments)

def test_types_are_those_of_the_name_of_the_kernel():
    as_kernel = AXPY.replace(" kernel(", " _Z4axpyPKfPffi(")
    y = floats()
    assert warpcheck.launch(as_kernel, floats(), y, 2.0, 8, grid=1, block=8).passed
    assert (y == 3).all()
    with pytest.raises(warpcheck.InputError, match="argument 1 is an array of float64"):
        warpcheck.launch(as_kernel, floats(), np.ones(8), 2.0, 8, grid=1, block=8)
    # Without the types in its name, a kernel takes the bytes of any array.
    assert warpcheck.launch(AXPY, floats(16), np.ones(8).view(np.int64), 2.0, 16, grid=1, block=16).passed

def test_null_pointer_and_bytes_are_arguments():
    report = launched(floats(), 0, 8)
    assert [finding.kind for finding in report.findings] == ["out-of-bounds"]
    assert launched(floats(), floats(), (8).to_bytes(4, "little")).passed

def test_read_only_array_may_be_read_but_not_written():
    x, y = floats(), floats()
    x.flags.writeable = False
    assert launched(x, y, 8).passed and (y == 2).all()
    with pytest.raises(warpcheck.InputError, match="wrote to argument 1, whose array is read-only"):
        launched(y, x, 8)

@pytest.mark.parametrize("names", [["x", "y"], ["x", "y", "n"], {0: "x", 1: "y"}])
def test_names_are_those_of_arguments_or_of_arrays(names):
    [finding] = launched(floats(7), floats(), 8, names=names).findings
    assert finding.message == "4-byte load from byte 28 of x, which has 28 bytes"

def test_names_of_arrays_skip_numbers():
    swapped = SCALE.replace("_Z5scalePKfPfi(.param .u64 x, .param .u64 y, .param .u32 n)",
                            "kernel(.param .u32 n, .param .u64 x, .param .u64 y)")
    for names in (["x", "y"], {1: "x"}, ["n", "x", "y"]):
        [finding] = warpcheck.launch(swapped, 8, floats(7), floats(), grid=1, block=8, names=names).findings
        assert "byte 28 of x" in finding.message

@pytest.mark.parametrize("names", [{3: "z"}, {"x": "x"}, ["a", "b", "c", "d"], "xy"])
def test_name_of_no_argument_is_an_error(names):
    with pytest.raises(warpcheck.InputError, match="names argument|names is the text"):
        launched(floats(), floats(), 8, names=names)

def test_path_of_ptx_is_read(tmp_path):
    path = tmp_path / "scale.ptx"
    path.write_text(SCALE)
    for given in (str(path), path):
        assert Kernel(given).ptx == SCALE and Kernel(given).file == str(path)
        assert warpcheck.launch(given, floats(), floats(), 8, grid=1, block=8).passed
    assert Kernel(path) == Kernel.from_file(path)
    assert Kernel.from_file(path, file="other.ptx", block=8).file == "other.ptx"
    with pytest.raises(FileNotFoundError):
        Kernel(str(tmp_path / "none.ptx"))
    with pytest.raises(warpcheck.InputError, match="scale.cu is no PTX; `nvcc -ptx -lineinfo`"):
        Kernel("scale.cu")

@pytest.mark.parametrize("arguments, message", [
    ([floats(), Out("y", "f32", ("n",)), "n"], "argument 0 is a ndarray, expected In, Out or InOut"),
    ([In("x", "f32", ("n",)), Out("y", "f32", ("n",)), None], "argument 2 is a NoneType, expected In"),
    ([In("x", "f32", ("n",)), Out("y", "f32", ("n",)), ["n"]], "argument 2 is a list, expected In"),
    ([In("x", "f32", ("n",)), Out("x", "f32", ("n",)), "n"], "2 arrays have the name 'x'"),
    ([In("x", "f32", ("n",)), Out("y", "f32", ("n",)), Stride("x", 1)], "x has 1 axes, and the stride of axis 1"),
])
def test_argument_of_check_of_the_wrong_kind_is_an_error(arguments, message):
    with pytest.raises(warpcheck.InputError, match=message):
        warpcheck.check(Kernel(SCALE, block=32), lambda x: 2 * x, arguments, **BLOCKS)

def strided(old="", new=""):
    """A kernel that takes the stride of the only axis of x."""
    text = SCALE.replace(".param .u32 n", ".param .u32 n, .param .u32 stride").replace(
        "mad.wide.u32 %d1, %r5,", "ld.param.u32 %r6, [stride];  mul.lo.u32 %r6, %r6, %r5;  mad.wide.u32 %d1, %r6,")
    assert old in text
    return warpcheck.check(Kernel(text.replace(old, new, 1) if old else text, block=32), lambda x: 2 * x,
                           [In("x", "f32", ("n",)), Out("y", "f32", ("n",)), "n", Stride("x")], **BLOCKS)

def test_cases_have_gaps_along_the_axis_of_a_stride():
    assert strided().passed
    report = strided("mul.lo.u32 %r6, %r6, %r5", "mov.u32 %r6, %r5")
    assert "stride_x_0=" in report.findings[0].case, str(report)

def test_strides_have_the_numbers_of_their_axes():
    arguments = [In("x", "f32", ("m", "n", "k")), Out("y", "f32", ("m",)), Stride("x", 0), Stride("x", -1)]
    text = Contract(Kernel(SCALE, block=32), arguments, 1, {}, 1, "f32", "f32", False).text
    assert '"stride_x_0", "stride_x_2"' in text
    assert '"m * stride_x_0 < 2147483648", "n * k * stride_x_2 < 2147483648"' in text

def test_shape_of_one_size_needs_no_tuple():
    assert In("x", "f32", "n").shape == ("n",)
    assert In("x", "f32", 5).shape == (5,)

def test_pass_with_notes_reports_that_it_passed():
    # Two lanes of a warp store the same value to one word: a note, and no finding.
    same = kernel(".param .u64 y", "  ld.param.u64 %d1, [y];  mov.u32 %r1, 7;  st.global.u32 [%d1], %r1;")
    report = warpcheck.launch(same, np.zeros(1, np.int32), grid=1, block=64)
    assert report.passed and report.notes, str(report)
    assert str(report).endswith("passed, 1 case") and str(report.notes[0]).strip() in str(report)

