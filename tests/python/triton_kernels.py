"""Kernels in Triton: a product of matrices, softmax of rows, and attention. Each has a planted defect."""

import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, m, n, k, stride_a, stride_b, stride_c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    total = tl.zeros((M, N), dtype=tl.float32)
    for begin in range(0, k, K):
        terms = begin + inner
        x = tl.load(a + rows[:, None] * stride_a + terms[None, :],
                    mask=(rows[:, None] < m) & (terms[None, :] < k), other=0.0)
        y = tl.load(b + terms[:, None] * stride_b + columns[None, :],
                    mask=(terms[:, None] < k) & (columns[None, :] < n), other=0.0)
        total = tl.dot(x, y, total)
    tl.store(c + rows[:, None] * stride_c + columns[None, :], total,
             mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def matmul_without_mask(a, b, c, m, n, k, stride_a, stride_b, stride_c, M: tl.constexpr, N: tl.constexpr,
                        K: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    total = tl.zeros((M, N), dtype=tl.float32)
    for begin in range(0, k, K):
        terms = begin + inner
        x = tl.load(a + rows[:, None] * stride_a + terms[None, :], mask=rows[:, None] < m, other=0.0)  # finding here
        y = tl.load(b + terms[:, None] * stride_b + columns[None, :],
                    mask=(terms[:, None] < k) & (columns[None, :] < n), other=0.0)
        total = tl.dot(x, y, total)
    tl.store(c + rows[:, None] * stride_c + columns[None, :], total,
             mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def softmax(x, y, n, stride_x, stride_y, N: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, N)
    values = tl.load(x + row * stride_x + columns, mask=columns < n, other=-float("inf"))
    exponentials = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row * stride_y + columns, exponentials / tl.sum(exponentials, axis=0), mask=columns < n)


@triton.jit
def softmax_with_zeros(x, y, n, stride_x, stride_y, N: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, N)
    values = tl.load(x + row * stride_x + columns, mask=columns < n, other=0.0)  # also counts as a value
    exponentials = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row * stride_y + columns, exponentials / tl.sum(exponentials, axis=0), mask=columns < n)


@triton.jit
def attention(q, k, v, out, length, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr, GUARD: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    features = tl.arange(0, D)
    query = tl.load(q + rows[:, None] * D + features[None, :], mask=rows[:, None] < length, other=0.0)
    largest = tl.full((M,), -float("inf"), dtype=tl.float32)
    weights = tl.zeros((M,), dtype=tl.float32)
    total = tl.zeros((M, D), dtype=tl.float32)
    for begin in range(0, length, N):
        keys = begin + tl.arange(0, N)
        key = tl.load(k + keys[None, :] * D + features[:, None], mask=keys[None, :] < length, other=0.0)
        scores = tl.dot(query, key, input_precision="ieee")
        if GUARD:
            scores = tl.where(keys[None, :] < length, scores, -float("inf"))
        now = tl.maximum(largest, tl.max(scores, axis=1))
        exponentials = tl.exp(scores - now[:, None])
        scale = tl.exp(largest - now)
        weights = weights * scale + tl.sum(exponentials, axis=1)
        value = tl.load(v + keys[:, None] * D + features[None, :], mask=keys[:, None] < length, other=0.0)
        total = total * scale[:, None] + tl.dot(exponentials, value, input_precision="ieee")
        largest = now
    tl.store(out + rows[:, None] * D + features[None, :], total / weights[:, None], mask=rows[:, None] < length)
