"""Kernels of Numba under `warpcheck exec`: right ones, and one with a missing barrier."""

import math

import numpy
from numba import cuda, float32


@cuda.jit(device=True)
def root(x):
    return math.sqrt(x)


@cuda.jit(lineinfo=True)
def scale(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = 2 * x[i]


@cuda.jit(lineinfo=True)
def sum_of_roots(x, total, has_barrier):
    part = cuda.shared.array(64, float32)
    thread = cuda.threadIdx.x
    part[thread] = root(x[cuda.grid(1)])
    if has_barrier:
        cuda.syncthreads()
    if thread == 0:
        result = float32(0)
        for i in range(64):
            result += part[i]  # finding here
        cuda.atomic.add(total, 0, result)


def total_of_roots(has_barrier):
    total = cuda.to_device(numpy.zeros(1, numpy.float32))
    sum_of_roots[4, 64](cuda.to_device(numpy.full(256, 4, numpy.float32)), total, has_barrier)
    return total.copy_to_host()[0]


def test_scale():
    x = numpy.arange(300, dtype=numpy.float32)
    y = cuda.device_array_like(x)
    scale[3, 128](cuda.to_device(x), y)
    numpy.testing.assert_array_equal(y.copy_to_host(), 2 * x)


def test_sum_of_roots():
    assert total_of_roots(True) == 512


def test_wrong_sum_of_roots():
    total_of_roots(False)
