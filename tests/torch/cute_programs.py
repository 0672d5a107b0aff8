"""Kernels of CuTe DSL. The tests whose names have `wrong` have a defect at the lines that are marked."""

import ctypes

import cutlass
import cutlass.cute as cute
import pytest
from cutlass.cute.runtime import make_ptr
from cutlass.memory import SmemAllocator

runtime = ctypes.CDLL(None)  # that of `exec`, which is preloaded
TILE = 16


class Array:
    """Numbers in memory of the device."""

    def __init__(self, numbers):
        self.count = len(numbers)
        self.address = ctypes.c_void_p()
        assert runtime.cudaMalloc(ctypes.byref(self.address), ctypes.c_size_t(4 * self.count)) == 0
        host = (ctypes.c_float * self.count)(*numbers)
        assert runtime.cudaMemcpy(self.address, host, ctypes.c_size_t(4 * self.count), 1) == 0

    def pointer(self):
        return make_ptr(cutlass.Float32, self.address.value, cute.AddressSpace.gmem, assumed_align=4)

    def numbers(self):
        host = (ctypes.c_float * self.count)()
        assert runtime.cudaMemcpy(host, self.address, ctypes.c_size_t(4 * self.count), 2) == 0
        return list(host)


@cute.kernel
def add_kernel(x: cute.Tensor, y: cute.Tensor, out: cute.Tensor, n: cutlass.Int32, limit: cutlass.Int32):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    at = block * 128 + thread
    if at < limit:
        out[at] = x[at] + y[at]  # finding here


@cute.jit
def add(x: cute.Pointer, y: cute.Pointer, out: cute.Pointer, n: cutlass.Int32, limit: cutlass.Int32):
    layout = cute.make_layout(n)
    add_kernel(cute.make_tensor(x, layout), cute.make_tensor(y, layout), cute.make_tensor(out, layout), n, limit).launch(
        grid=((n + 127) // 128, 1, 1), block=(128, 1, 1))


def sums(n, limit):
    x, y, out = Array(range(n)), Array([2.0] * n), Array([0.0] * n)
    arguments = x.pointer(), y.pointer(), out.pointer(), n, limit
    cute.compile(add, *arguments)(*arguments)
    return out.numbers()


def test_add():
    assert sums(1000, 1000) == [i + 2 for i in range(1000)]


def test_wrong_limit_of_add():
    sums(1000, 1001)


@cute.kernel
def product_kernel(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, depth: cutlass.Int32, waits: cutlass.Constexpr):
    column, row, _ = cute.arch.thread_idx()
    block_column, block_row, _ = cute.arch.block_idx()
    memory = SmemAllocator()
    layout = cute.make_layout((TILE, TILE), stride=(TILE, 1))
    left = memory.allocate_tensor(cutlass.Float32, layout, 16)
    right = memory.allocate_tensor(cutlass.Float32, layout, 16)
    total = cutlass.Float32(0)
    for k in range(0, depth, TILE):
        left[row, column] = a[block_row * TILE + row, k + column]
        right[row, column] = b[k + row, block_column * TILE + column]
        if cutlass.const_expr(waits):
            cute.arch.sync_threads()
        for i in cutlass.range_constexpr(TILE):
            total += left[row, i] * right[i, column]  # finding here
        cute.arch.sync_threads()
    c[block_row * TILE + row, block_column * TILE + column] = total  # finding here: the sum of elements that were not written yet


@cute.jit
def multiply(a: cute.Pointer, b: cute.Pointer, c: cute.Pointer, n: cutlass.Int32, waits: cutlass.Constexpr):
    layout = cute.make_layout((n, n), stride=(n, 1))
    product_kernel(cute.make_tensor(a, layout), cute.make_tensor(b, layout), cute.make_tensor(c, layout), n, waits).launch(
        grid=(n // TILE, n // TILE, 1), block=(TILE, TILE, 1))


def product(n, waits):
    a, b = [float(i % 7) for i in range(n * n)], [float(i % 5 - 2) for i in range(n * n)]
    operands = [Array(a), Array(b), Array([0.0] * n * n)]
    pointers = [one.pointer() for one in operands]
    cute.compile(multiply, *pointers, n, waits)(*pointers, n)
    expected = [sum(a[i * n + k] * b[k * n + j] for k in range(n)) for i in range(n) for j in range(n)]
    return operands[2].numbers(), expected


@pytest.mark.parametrize("n", [16, 48])
def test_product(n):
    found, expected = product(n, True)
    assert found == expected


def test_wrong_product_without_a_barrier():
    product(32, False)
