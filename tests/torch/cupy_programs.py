"""CuPy, unmodified from PyPI, under `warpcheck exec`: kernels of the program, and CuPy's own."""

import cupy
import numpy
import pytest

SCALE = cupy.RawKernel(r"""
extern "C" __global__ void scale(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];  // finding here
}""", "scale")
DIFFERENCE = cupy.ElementwiseKernel("float32 x, float32 y", "float32 z", "z = x - y", "difference")
LENGTH = cupy.ReductionKernel("float32 x", "float32 y", "x * x", "a + b", "y = sqrt(a)", "0", "length")


def test_raw_kernel():
    x = cupy.arange(300, dtype=cupy.float32)
    y = cupy.empty_like(x)
    SCALE((3,), (128,), (x, y, numpy.int32(300)))
    numpy.testing.assert_array_equal(cupy.asnumpy(y), 2 * numpy.arange(300, dtype=numpy.float32))


def test_wrong_size_of_raw_kernel():
    x = cupy.ones(300, cupy.float32)
    SCALE((3,), (128,), (x, cupy.empty_like(x), numpy.int32(301)))


def test_elementwise_and_reduction_kernels():
    x = cupy.arange(100, dtype=cupy.float32)
    assert float(abs(DIFFERENCE(x, x[0])).max()) == 99
    assert float(LENGTH(x)) == pytest.approx(float(numpy.linalg.norm(numpy.arange(100.0))))


def test_algorithms_of_cub():
    x = cupy.arange(1000, dtype=cupy.float32)[::-1].copy()
    assert float(x.sum()) == 499500
    assert int(x[x > 500].size) == 499
    numpy.testing.assert_array_equal(cupy.asnumpy(cupy.cumsum(x)), numpy.cumsum(cupy.asnumpy(x)))
