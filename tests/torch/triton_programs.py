"""Kernels of Triton in the style of its tutorials, compared with PyTorch. Two are wrong."""

import pytest
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)


@triton.jit
def add_kernel_without_mask(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.load(x + at) + tl.load(y + at, mask=at < n)  # finding here
    tl.store(out + at, total, mask=at < n)


def add(kernel, x, y):
    out = torch.empty_like(x)
    kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, out, x.numel(), BLOCK=128)
    return out


@triton.jit
def softmax_kernel(x, out, stride, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.load(x + tl.program_id(0) * stride + at, mask=at < n, other=-float("inf"))
    numerator = tl.exp(row - tl.max(row, axis=0))
    tl.store(out + tl.program_id(0) * stride + at, numerator / tl.sum(numerator, axis=0), mask=at < n)


def softmax(x):
    out = torch.empty_like(x)
    softmax_kernel[(x.shape[0],)](x, out, x.stride(0), x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return out


@triton.autotune([triton.Config({"M": 32, "N": 32, "K": 32}), triton.Config({"M": 64, "N": 32, "K": 16})], key=["m", "n", "k"])
@triton.jit
def matmul_kernel(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    total = tl.zeros((M, N), dtype=tl.float32)
    for first in range(0, k, K):
        at = first + tl.arange(0, K)
        left = tl.load(a + rows[:, None] * k + at[None], mask=(rows[:, None] < m) & (at[None] < k), other=0)
        right = tl.load(b + at[:, None] * n + columns[None], mask=(at[:, None] < k) & (columns[None] < n), other=0)
        total += tl.dot(left, right)
    tl.store(c + rows[:, None] * n + columns[None], total.to(tl.float16), mask=(rows[:, None] < m) & (columns[None] < n))


def matmul(a, b):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty(m, n, device=a.device, dtype=a.dtype)
    matmul_kernel[lambda meta: (triton.cdiv(m, meta["M"]), triton.cdiv(n, meta["N"]))](a, b, c, m, n, k)
    return c


@triton.jit
def dropout_kernel(x, out, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.rand(seed, at) > p
    tl.store(out + at, tl.where(keep, tl.load(x + at, mask=at < n) / (1 - p), 0.0), mask=at < n)


@triton.jit
def layer_norm_kernel(x, weight, bias, out, n, eps, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    first = tl.program_id(0) * n
    row = tl.load(x + first + at, mask=at < n, other=0.0)
    mean = tl.sum(row, axis=0) / n
    centered = tl.where(at < n, row - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centered * centered, axis=0) / n + eps)
    result = centered * scale * tl.load(weight + at, mask=at < n) + tl.load(bias + at, mask=at < n)
    tl.store(out + first + at, result, mask=at < n)


@triton.jit
def attention_kernel(q, k, v, out, length, scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    at = tl.arange(0, D)
    head = tl.program_id(1) * length * D
    query = tl.load(q + head + rows[:, None] * D + at[None], mask=rows[:, None] < length, other=0)
    peak = tl.full((M,), -float("inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    result = tl.zeros((M, D), tl.float32)
    for first in range(0, length, N):
        keys = first + tl.arange(0, N)
        inside = keys[:, None] < length
        score = tl.dot(query, tl.trans(tl.load(k + head + keys[:, None] * D + at[None], mask=inside, other=0))) * scale
        score = tl.where(keys[None] < length, score, -float("inf"))
        new_peak = tl.maximum(peak, tl.max(score, axis=1))
        weight = tl.exp(score - new_peak[:, None])
        correction = tl.exp(peak - new_peak)
        total = total * correction + tl.sum(weight, axis=1)
        values = tl.load(v + head + keys[:, None] * D + at[None], mask=inside, other=0)
        result = result * correction[:, None] + tl.dot(weight.to(tl.float16), values)
        peak = new_peak
    tl.store(out + head + rows[:, None] * D + at[None], (result / total[:, None]).to(tl.float16), mask=rows[:, None] < length)


@triton.jit
def partial_fill_kernel(out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, 1.0, mask=at < n)


@triton.jit
def sum_kernel(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(out, tl.sum(row, axis=0))  # finding here


@pytest.mark.parametrize("n", [128, 1000])
def test_add(n):
    x, y = torch.randn(n, device="cuda"), torch.randn(n, device="cuda")
    torch.testing.assert_close(add(add_kernel, x, y), x + y)


def test_wrong_add():
    x, y = torch.randn(1000, device="cuda"), torch.randn(1000, device="cuda")
    torch.testing.assert_close(add(add_kernel_without_mask, x, y), x + y)


def test_softmax():
    x = torch.randn(5, 100, device="cuda")
    torch.testing.assert_close(softmax(x), torch.softmax(x, -1))


def test_matmul():
    a, b = torch.randn(70, 50, device="cuda").half(), torch.randn(50, 40, device="cuda").half()
    torch.testing.assert_close(matmul(a, b), a @ b, rtol=1e-2, atol=1e-2)


def test_dropout():
    x = torch.ones(1000, device="cuda")
    out = torch.empty_like(x)
    dropout_kernel[(8,)](x, out, 1000, 0.25, 7, BLOCK=128)
    kept = out != 0
    assert 650 < kept.sum().item() < 850
    torch.testing.assert_close(out[kept], x[kept] / 0.75)


def test_layer_norm():
    x, weight, bias = torch.randn(6, 65, device="cuda"), torch.randn(65, device="cuda"), torch.randn(65, device="cuda")
    out = torch.empty_like(x)
    layer_norm_kernel[(6,)](x, weight, bias, out, 65, 1e-5, BLOCK=128)
    torch.testing.assert_close(out, torch.nn.functional.layer_norm(x, (65,), weight, bias))


def test_attention():
    q, k, v = (torch.randn(2, 50, 16, device="cuda").half() for _ in range(3))
    out = torch.empty_like(q)
    attention_kernel[(2, 2)](q, k, v, out, 50, 0.25, M=32, N=32, D=16)
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    torch.testing.assert_close(out, expected, rtol=1e-2, atol=1e-2)


def test_wrong_sum_of_memory_that_was_not_written():
    x, out = torch.empty(64, device="cuda"), torch.empty(1, device="cuda")
    partial_fill_kernel[(1,)](x, 60, BLOCK=64)
    sum_kernel[(1,)](x, out, 64, BLOCK=64)
