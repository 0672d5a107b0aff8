"""Features of Triton beyond loads and stores, compared with PyTorch: descriptors of tensors, which are bulk copies on h100, a
specialization of warps, a kernel of Gluon, and output and assertions of the device. The tests `wrong` have findings."""

import pytest
import torch
import triton
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.tools.tensor_descriptor import TensorDescriptor


@pytest.fixture(autouse=True)
def scratch_memory():
    """Descriptors that a kernel makes lie in memory of the program."""
    triton.set_allocator(lambda size, alignment, stream: torch.empty(size, device="cuda", dtype=torch.int8))


@triton.jit
def copy_by_descriptor_kernel(source, target, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS
    target.store([row, column], source.load([row, column]) * 2)


def copy_by_descriptor(x, out, rows=16, columns=32):
    grid = (triton.cdiv(x.shape[0], rows), triton.cdiv(x.shape[1], columns))
    copy_by_descriptor_kernel[grid](TensorDescriptor.from_tensor(x, [rows, columns]),
                                    TensorDescriptor.from_tensor(out, [rows, columns]), ROWS=rows, COLUMNS=columns)


@pytest.mark.parametrize("shape", [(16, 32), (37, 76)])
def test_descriptor_of_the_host(shape):
    x, out = torch.randn(shape, device="cuda"), torch.empty(shape, device="cuda")
    copy_by_descriptor(x, out)
    torch.testing.assert_close(out, 2 * x)


@triton.jit
def matmul_by_descriptors_kernel(a, b, c, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, SPECIALIZED: tl.constexpr):
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    total = tl.zeros((M, N), tl.float32)
    for first in tl.range(0, k, K, warp_specialize=SPECIALIZED):
        total = tl.dot(a.load([row, first]), b.load([column, first]).T, total)
    c.store([row, column], total.to(tl.float16))


@pytest.mark.parametrize("is_specialized", [False, True])
@pytest.mark.parametrize("m, n, k", [(64, 64, 64), (72, 136, 88)])
def test_matmul_by_descriptors(m, n, k, is_specialized):
    a, b = torch.randn(m, k, device="cuda").half(), torch.randn(n, k, device="cuda").half()
    c = torch.empty(m, n, device="cuda", dtype=torch.float16)
    descriptors = [TensorDescriptor.from_tensor(one, block) for one, block in ((a, [64, 32]), (b, [64, 32]), (c, [64, 64]))]
    matmul_by_descriptors_kernel[(triton.cdiv(m, 64), triton.cdiv(n, 64))](*descriptors, k, M=64, N=64, K=32,
                                                                           SPECIALIZED=is_specialized, num_warps=4)
    torch.testing.assert_close(c, (a.float() @ b.float().t()).half(), rtol=2e-3, atol=2e-3)


@triton.jit
def copy_by_own_descriptors_kernel(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[rows, columns], strides=[columns, 1], block_shape=[ROWS, COLUMNS])
    target = tl.make_tensor_descriptor(out, shape=[rows, columns], strides=[columns, 1], block_shape=[ROWS, COLUMNS])
    row, column = tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS
    target.store([row, column], source.load([row, column]) * 2)


def test_descriptor_of_the_kernel():
    """A GPU of compute capability 9.0 makes it with tensormap.replace."""
    x, out = torch.randn(37, 76, device="cuda"), torch.empty(37, 76, device="cuda")
    copy_by_own_descriptors_kernel[(3, 3)](x, out, 37, 76, ROWS=16, COLUMNS=32)
    torch.testing.assert_close(out, 2 * x)


@triton.jit
def product_by_own_descriptors_kernel(a, b, out, rows, columns, depth, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr,
                                      PROGRAMS: tl.constexpr):
    """Each program computes several tiles, one after the other, as the persistent product of Triton's tutorial 09."""
    left = tl.make_tensor_descriptor(a, shape=[rows, depth], strides=[depth, 1], block_shape=[ROWS, DEPTH])
    right = tl.make_tensor_descriptor(b, shape=[columns, depth], strides=[depth, 1], block_shape=[COLUMNS, DEPTH])
    result = tl.make_tensor_descriptor(out, shape=[rows, columns], strides=[columns, 1], block_shape=[ROWS, COLUMNS])
    tiles = tl.cdiv(rows, ROWS)
    for tile in tl.range(tl.program_id(0), tiles * tl.cdiv(columns, COLUMNS), PROGRAMS):
        row, column = tile % tiles * ROWS, tile // tiles * COLUMNS
        total = tl.zeros((ROWS, COLUMNS), tl.float32)
        for k in tl.range(0, depth, DEPTH):
            total = tl.dot(left.load([row, k]), right.load([column, k]).T, total)
        result.store([row, column], total.to(tl.float16))


@pytest.mark.parametrize("rows, columns, depth", [(128, 128, 64), (136, 200, 72)])
def test_persistent_product_by_descriptors_of_the_kernel(rows, columns, depth):
    a = torch.randn(rows, depth, dtype=torch.float16, device="cuda")
    b = torch.randn(columns, depth, dtype=torch.float16, device="cuda")
    out = torch.empty(rows, columns, dtype=torch.float16, device="cuda")
    product_by_own_descriptors_kernel[(2,)](a, b, out, rows, columns, depth, ROWS=64, COLUMNS=64, DEPTH=32, PROGRAMS=2)
    torch.testing.assert_close(out.float(), a.float() @ b.float().T, rtol=1e-2, atol=1e-2)


@gluon.jit
def gluon_add_kernel(x, y, out, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    gl.store(out + at, gl.load(x + at, mask=at < n) + gl.load(y + at, mask=at < n), mask=at < n)


@gluon.jit
def gluon_transpose_kernel(x, out, SIZE: gl.constexpr):
    """Reads the tile from shared memory in another order than it was written in."""
    by_rows: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])
    rows = gl.arange(0, SIZE, layout=gl.SliceLayout(1, by_rows))
    columns = gl.arange(0, SIZE, layout=gl.SliceLayout(0, by_rows))
    at = rows[:, None] * SIZE + columns[None, :]
    shared_layout: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, order=[1, 0])
    tile = gl.allocate_shared_memory(gl.float32, [SIZE, SIZE], shared_layout)
    tile.store(gl.load(x + at))
    gl.store(out + at, tile.permute([1, 0]).load(by_rows))


def test_gluon_add():
    x, y, out = torch.randn(300, device="cuda"), torch.randn(300, device="cuda"), torch.empty(300, device="cuda")
    gluon_add_kernel[(2,)](x, y, out, 300, BLOCK=256)
    torch.testing.assert_close(out, x + y)


def test_gluon_transpose():
    x, out = torch.randn(32, 32, device="cuda"), torch.empty(32, 32, device="cuda")
    gluon_transpose_kernel[(1,)](x, out, SIZE=32)
    torch.testing.assert_close(out, x.t())


@triton.jit
def printing_kernel(x, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.device_print("value", tl.load(x + at))


def test_device_print(capfd):
    x = torch.arange(4, dtype=torch.int32, device="cuda") * 10
    printing_kernel[(1,)](x, BLOCK=4, num_warps=1)
    torch.cuda.synchronize()
    output = capfd.readouterr().out
    assert all(f"value: {10 * i}" in output for i in range(4)), output


@triton.jit(debug=True)
def asserting_kernel(x, BLOCK: tl.constexpr):
    tl.device_assert(tl.load(x + tl.arange(0, BLOCK)) > 0, "x must be positive")  # finding here


def test_device_assert():
    asserting_kernel[(1,)](torch.ones(128, device="cuda"), BLOCK=128)


def test_wrong_device_assert():
    asserting_kernel[(1,)](torch.zeros(128, device="cuda"), BLOCK=128)
