"""Kernels of the kinds that Triton's tutorials show, written anew and compared with PyTorch: a persistent softmax, an autotuned
product of matrices with grouped tiles, dropout from a seed, layer normalization and attention with their gradients, and a group
of products in one launch."""

import pytest
import torch
import triton
import triton.language as tl


@triton.jit
def persistent_softmax_kernel(x, out, x_stride, out_stride, rows, columns, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        values = tl.load(x + row * x_stride + at, mask=inside, other=-float("inf"))
        raised = tl.exp(values - tl.max(values, axis=0))
        tl.store(out + row * out_stride + at, raised / tl.sum(raised, axis=0), mask=inside)


@pytest.mark.parametrize("rows, columns", [(1, 1), (7, 100), (33, 257)])
def test_persistent_softmax(rows, columns):
    x = torch.randn(rows, columns + 3, device="cuda")[:, :columns]
    out = torch.empty(rows, columns, device="cuda")
    persistent_softmax_kernel[(min(rows, 8),)](x, out, x.stride(0), out.stride(0), rows, columns,
                                               BLOCK=triton.next_power_of_2(columns), STAGES=2)
    torch.testing.assert_close(out, torch.softmax(x, -1))


@triton.autotune([triton.Config({"M": 32, "N": 64, "K": 32, "GROUP": 2}, num_stages=3, num_warps=4),
                  triton.Config({"M": 64, "N": 32, "K": 16, "GROUP": 8}, num_stages=2, num_warps=2)], key=["m", "n", "k"])
@triton.jit
def grouped_matmul_kernel(a, b, c, m, n, k, a_row, a_column, b_row, b_column, c_row, c_column, M: tl.constexpr, N: tl.constexpr,
                          K: tl.constexpr, GROUP: tl.constexpr, LEAKY: tl.constexpr):
    """Programs that run at the same time have tiles in GROUP rows of tiles, so that they load the same columns of b."""
    tile = tl.program_id(0)
    tile_rows, tile_columns = tl.cdiv(m, M), tl.cdiv(n, N)
    first_row = tile // (GROUP * tile_columns) * GROUP
    rows_of_group = min(tile_rows - first_row, GROUP)
    in_group = tile % (GROUP * tile_columns)
    row, column = first_row + in_group % rows_of_group, in_group // rows_of_group

    rows = (row * M + tl.arange(0, M)) % m
    columns = (column * N + tl.arange(0, N)) % n
    at = tl.arange(0, K)
    a += rows[:, None] * a_row + at[None] * a_column
    b += at[:, None] * b_row + columns[None] * b_column
    total = tl.zeros((M, N), dtype=tl.float32)
    for step in range(tl.cdiv(k, K)):
        left = k - step * K
        total = tl.dot(tl.load(a, mask=at[None] < left, other=0.0), tl.load(b, mask=at[:, None] < left, other=0.0), total)
        a += K * a_column
        b += K * b_row
    if LEAKY:
        total = tl.where(total >= 0, total, 0.01 * total)
    rows = row * M + tl.arange(0, M)
    columns = column * N + tl.arange(0, N)
    tl.store(c + rows[:, None] * c_row + columns[None] * c_column, total.to(tl.float16),
             mask=(rows[:, None] < m) & (columns[None] < n))


@pytest.mark.parametrize("m, n, k, is_leaky", [(1, 1, 1, False), (70, 130, 50, True), (128, 64, 96, False)])
def test_grouped_matmul(m, n, k, is_leaky):
    a, b = torch.randn(m, k, device="cuda").half(), torch.randn(n, k, device="cuda").half().t()
    c = torch.empty(m, n, device="cuda", dtype=torch.float16)
    grouped_matmul_kernel[lambda meta: (triton.cdiv(m, meta["M"]) * triton.cdiv(n, meta["N"]),)](
        a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride(), LEAKY=is_leaky)
    expected = a.float() @ b.float()
    expected = torch.nn.functional.leaky_relu(expected) if is_leaky else expected
    torch.testing.assert_close(c, expected.half(), rtol=2e-3, atol=2e-3)


@triton.jit
def seeded_dropout_kernel(x, out, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n)
    tl.store(out + at, tl.where(tl.rand(seed, at) > p, values / (1 - p), 0.0), mask=at < n)


def seeded_dropout(x, p, seed):
    out = torch.empty_like(x)
    seeded_dropout_kernel[(triton.cdiv(x.numel(), 256),)](x, out, x.numel(), p, seed, BLOCK=256)
    return out


def test_seeded_dropout():
    x = torch.ones(1000, device="cuda")
    out = seeded_dropout(x, 0.5, 123)
    assert 400 < (out == 0).sum() < 600
    assert set(out.tolist()) == {0.0, 2.0}
    assert torch.equal(out, seeded_dropout(x, 0.5, 123))
    assert not torch.equal(out, seeded_dropout(x, 0.5, 512))


@triton.jit
def layer_norm_forward_kernel(x, out, weight, bias, means, scales, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    mean = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        mean += tl.load(x + row * columns + at, mask=at < columns, other=0.0)
    mean = tl.sum(mean, axis=0) / columns
    variance = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        centered = tl.where(at < columns, tl.load(x + row * columns + at, mask=at < columns, other=0.0) - mean, 0.0)
        variance += centered * centered
    scale = 1 / tl.sqrt(tl.sum(variance, axis=0) / columns + eps)
    tl.store(means + row, mean)
    tl.store(scales + row, scale)
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        normalized = (tl.load(x + row * columns + at, mask=at < columns, other=0.0) - mean) * scale
        result = normalized * tl.load(weight + at, mask=at < columns) + tl.load(bias + at, mask=at < columns)
        tl.store(out + row * columns + at, result, mask=at < columns)


@triton.jit
def layer_norm_backward_kernel(grad_x, grad_out, partial_weight, partial_bias, x, weight, means, scales, locks, columns,
                               GROUPS: tl.constexpr, BLOCK: tl.constexpr):
    """Rows of one group add to one row of sums, in turn: a lock guards it, and a flag states that it has values."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    group = row % GROUPS
    lock, is_filled = locks + group, locks + GROUPS + group
    partial_weight += group * columns + at
    partial_bias += group * columns + at
    gradient = tl.load(grad_out + row * columns + at, mask=inside, other=0.0)
    scale = tl.load(scales + row)
    normalized = (tl.load(x + row * columns + at, mask=inside, other=0.0) - tl.load(means + row)) * scale
    normalized = tl.where(inside, normalized, 0.0)
    weighted = tl.where(inside, tl.load(weight + at, mask=inside, other=0.0) * gradient, 0.0)
    along = tl.sum(normalized * weighted, axis=0) / columns
    mean = tl.sum(weighted, axis=0) / columns
    tl.store(grad_x + row * columns + at, (weighted - (normalized * along + mean)) * scale, mask=inside)
    of_weight, of_bias = gradient * normalized, gradient
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(is_filled) == 0:
        tl.atomic_xchg(is_filled, 1)
    else:
        of_weight += tl.load(partial_weight, mask=inside)
        of_bias += tl.load(partial_bias, mask=inside)
    tl.store(partial_weight, of_weight, mask=inside)
    tl.store(partial_bias, of_bias, mask=inside)
    tl.debug_barrier()  # all threads have stored before one of them opens the lock
    tl.atomic_xchg(lock, 0)


@triton.jit
def sum_of_groups_kernel(partial, out, groups, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((ROWS, BLOCK), tl.float32)
    for first in range(0, groups, ROWS):
        rows = first + tl.arange(0, ROWS)
        total += tl.load(partial + rows[:, None] * columns + at[None], mask=(rows[:, None] < groups) & (at[None] < columns),
                         other=0.0)
    tl.store(out + at, tl.sum(total, axis=0), mask=at < columns)


class LayerNorm(torch.autograd.Function):
    GROUPS = 4

    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        rows, columns = x.shape
        out, means, scales = torch.empty_like(x), x.new_empty(rows), x.new_empty(rows)
        layer_norm_forward_kernel[(rows,)](x, out, weight, bias, means, scales, columns, eps, BLOCK=64)
        ctx.save_for_backward(x, weight, means, scales)
        return out

    @staticmethod
    def backward(ctx, grad_out):
        x, weight, means, scales = ctx.saved_tensors
        (rows, columns), groups = x.shape, LayerNorm.GROUPS
        locks = torch.zeros(2 * groups, dtype=torch.int32, device=x.device)
        partial_weight, partial_bias = x.new_zeros(groups, columns), x.new_zeros(groups, columns)
        grad_x, grad_weight, grad_bias = torch.empty_like(x), torch.empty_like(weight), torch.empty_like(weight)
        layer_norm_backward_kernel[(rows,)](grad_x, grad_out.contiguous(), partial_weight, partial_bias, x, weight, means, scales,
                                            locks, columns, GROUPS=groups, BLOCK=triton.next_power_of_2(columns))
        for partial, out in ((partial_weight, grad_weight), (partial_bias, grad_bias)):
            sum_of_groups_kernel[(triton.cdiv(columns, 128),)](partial, out, groups, columns, ROWS=4, BLOCK=128)
        return grad_x, grad_weight, grad_bias, None


def assert_equal_gradients(function, formula, operands, **tolerances):
    """Compares results and gradients. The operands are leaves."""
    found, expected = function(*operands), formula(*operands)
    weight = torch.randn_like(found)
    torch.testing.assert_close(found, expected, **tolerances)
    torch.testing.assert_close(torch.autograd.grad(found, operands, weight), torch.autograd.grad(expected, operands, weight),
                               **tolerances)


@pytest.mark.parametrize("rows, columns", [(1, 1), (11, 65), (20, 200)])
def test_layer_norm_with_gradients(rows, columns):
    operands = [torch.randn(shape, device="cuda", requires_grad=True) for shape in ((rows, columns), (columns,), (columns,))]
    assert_equal_gradients(lambda *one: LayerNorm.apply(*one, 1e-5),
                           lambda x, w, b: torch.nn.functional.layer_norm(x, (columns,), w, b, 1e-5), operands, rtol=1e-4, atol=1e-4)


@triton.jit
def attention_forward_kernel(q, k, v, out, exponents, length, scale, CAUSAL: tl.constexpr, M: tl.constexpr, N: tl.constexpr,
                             D: tl.constexpr):
    """exponents: the logarithm of the sum of the exponentials of a row, from which the gradients compute the weights again."""
    rows = tl.program_id(0) * M + tl.arange(0, M)
    at = tl.arange(0, D)
    head = tl.program_id(1) * length * D
    of_rows = head + rows[:, None] * D + at[None]
    query = tl.load(q + of_rows, mask=rows[:, None] < length, other=0.0)
    peak = tl.full((M,), -1e30, tl.float32)
    total = tl.zeros((M,), tl.float32)
    result = tl.zeros((M, D), tl.float32)
    end = min(length, (tl.program_id(0) + 1) * M) if CAUSAL else length
    for first in range(0, end, N):
        keys = first + tl.arange(0, N)
        of_keys = head + keys[:, None] * D + at[None]
        score = tl.dot(query, tl.trans(tl.load(k + of_keys, mask=keys[:, None] < length, other=0.0))) * scale
        visible = keys[None] < length
        if CAUSAL:
            visible &= keys[None] <= rows[:, None]
        score = tl.where(visible, score, -1e30)
        new_peak = tl.maximum(peak, tl.max(score, axis=1))
        weight = tl.exp(score - new_peak[:, None])
        correction = tl.exp(peak - new_peak)
        total = total * correction + tl.sum(weight, axis=1)
        values = tl.load(v + of_keys, mask=keys[:, None] < length, other=0.0)
        result = tl.dot(weight.to(tl.float16), values, result * correction[:, None])
        peak = new_peak
    tl.store(out + of_rows, (result / total[:, None]).to(tl.float16), mask=rows[:, None] < length)
    tl.store(exponents + tl.program_id(1) * length + rows, peak + tl.log(total), mask=rows < length)


@triton.jit
def attention_products_kernel(out, grad_out, products, length, M: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    of_rows = tl.program_id(1) * length * D + rows[:, None] * D + tl.arange(0, D)[None]
    inside = rows[:, None] < length
    product = tl.load(out + of_rows, mask=inside, other=0.0).to(tl.float32) * tl.load(grad_out + of_rows, mask=inside, other=0.0)
    tl.store(products + tl.program_id(1) * length + rows, tl.sum(product, axis=1), mask=rows < length)


@triton.jit
def attention_backward_kernel(q, k, v, grad_out, exponents, products, grad_q, grad_k, grad_v, length, scale,
                              CAUSAL: tl.constexpr, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    """A program has N keys. It adds its part of the gradient of each query."""
    keys = tl.program_id(0) * N + tl.arange(0, N)
    at = tl.arange(0, D)
    head = tl.program_id(1) * length * D
    of_keys = head + keys[:, None] * D + at[None]
    has_key = keys[:, None] < length
    key = tl.load(k + of_keys, mask=has_key, other=0.0)
    value = tl.load(v + of_keys, mask=has_key, other=0.0)
    sum_k = tl.zeros((N, D), tl.float32)
    sum_v = tl.zeros((N, D), tl.float32)
    first_row = tl.program_id(0) * N // M * M if CAUSAL else 0
    for first in range(first_row, length, M):
        rows = first + tl.arange(0, M)
        of_rows = head + rows[:, None] * D + at[None]
        has_row = rows[:, None] < length
        query = tl.load(q + of_rows, mask=has_row, other=0.0)
        gradient = tl.load(grad_out + of_rows, mask=has_row, other=0.0)
        exponent = tl.load(exponents + tl.program_id(1) * length + rows, mask=rows < length, other=0.0)
        product = tl.load(products + tl.program_id(1) * length + rows, mask=rows < length, other=0.0)
        visible = has_row & (keys[None] < length)
        if CAUSAL:
            visible &= keys[None] <= rows[:, None]
        weight = tl.where(visible, tl.exp(tl.dot(query, tl.trans(key)) * scale - exponent[:, None]), 0.0)
        sum_v = tl.dot(tl.trans(weight.to(tl.float16)), gradient, sum_v)
        of_score = (weight * (tl.dot(gradient, tl.trans(value)) - product[:, None]) * scale).to(tl.float16)
        sum_k = tl.dot(tl.trans(of_score), query, sum_k)
        tl.atomic_add(grad_q + of_rows, tl.dot(of_score, key), mask=has_row)
    tl.store(grad_k + of_keys, sum_k.to(tl.float16), mask=has_key)
    tl.store(grad_v + of_keys, sum_v.to(tl.float16), mask=has_key)


class Attention(torch.autograd.Function):
    TILE = 32

    @staticmethod
    def forward(ctx, q, k, v, is_causal):
        heads, length, dim = q.shape
        out, exponents = torch.empty_like(q), q.new_empty(heads, length, dtype=torch.float32)
        ctx.grid = (triton.cdiv(length, Attention.TILE), heads)
        ctx.constants = {"M": Attention.TILE, "D": dim}
        ctx.is_causal, ctx.scale = is_causal, dim**-0.5
        attention_forward_kernel[ctx.grid](q, k, v, out, exponents, length, ctx.scale, CAUSAL=is_causal, N=Attention.TILE,
                                           **ctx.constants)
        ctx.save_for_backward(q, k, v, out, exponents)
        return out

    @staticmethod
    def backward(ctx, grad_out):
        q, k, v, out, exponents = ctx.saved_tensors
        grad_out, length = grad_out.contiguous(), q.shape[1]
        products, grad_q = torch.empty_like(exponents), torch.zeros_like(q, dtype=torch.float32)
        grad_k, grad_v = torch.empty_like(k), torch.empty_like(v)
        attention_products_kernel[ctx.grid](out, grad_out, products, length, **ctx.constants)
        attention_backward_kernel[ctx.grid](q, k, v, grad_out, exponents, products, grad_q, grad_k, grad_v, length, ctx.scale,
                                            CAUSAL=ctx.is_causal, N=Attention.TILE, **ctx.constants)
        return grad_q.half(), grad_k, grad_v, None


@pytest.mark.parametrize("length, is_causal", [(1, False), (50, False), (50, True), (96, True)])
def test_attention_with_gradients(length, is_causal):
    operands = [torch.randn(2, length, 16, device="cuda").half().requires_grad_() for _ in range(3)]
    assert_equal_gradients(
        lambda q, k, v: Attention.apply(q, k, v, is_causal),
        lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q.float(), k.float(), v.float(), is_causal=is_causal).half(),
        operands, rtol=1e-2, atol=1e-2)


@triton.jit
def matmul_group_kernel(addresses, sizes, strides, count, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """Each program takes every n-th tile of all products. addresses: those of a, b and c of each product."""
    tile = tl.program_id(0)
    first_tile = 0
    for problem in range(count):
        m, n, k = tl.load(sizes + 3 * problem), tl.load(sizes + 3 * problem + 1), tl.load(sizes + 3 * problem + 2)
        a_row, b_row, c_row = tl.load(strides + 3 * problem), tl.load(strides + 3 * problem + 1), tl.load(strides + 3 * problem + 2)
        a = tl.load(addresses + 3 * problem).to(tl.pointer_type(tl.float16))
        b = tl.load(addresses + 3 * problem + 1).to(tl.pointer_type(tl.float16))
        c = tl.load(addresses + 3 * problem + 2).to(tl.pointer_type(tl.float16))
        tile_columns = tl.cdiv(n, N)
        end_tile = first_tile + tl.cdiv(m, M) * tile_columns
        while tile < end_tile:
            rows = (tile - first_tile) // tile_columns * M + tl.arange(0, M)
            columns = (tile - first_tile) % tile_columns * N + tl.arange(0, N)
            total = tl.zeros((M, N), tl.float32)
            for first in range(0, k, K):
                at = first + tl.arange(0, K)
                left = tl.load(a + rows[:, None] * a_row + at[None], mask=(rows[:, None] < m) & (at[None] < k), other=0.0)
                right = tl.load(b + at[:, None] * b_row + columns[None], mask=(at[:, None] < k) & (columns[None] < n), other=0.0)
                total = tl.dot(left, right, total)
            tl.store(c + rows[:, None] * c_row + columns[None], total.to(tl.float16), mask=(rows[:, None] < m) & (columns[None] < n))
            tile += tl.num_programs(0)
        first_tile = end_tile


def test_group_of_matmuls():
    shapes = [(40, 70, 30), (1, 1, 1), (64, 32, 48)]
    operands = [(torch.randn(m, k, device="cuda").half(), torch.randn(k, n, device="cuda").half(),
                 torch.empty(m, n, device="cuda", dtype=torch.float16)) for m, n, k in shapes]
    addresses = torch.tensor([[one.data_ptr() for one in matrices] for matrices in operands], device="cuda")
    strides = torch.tensor([[one.stride(0) for one in matrices] for matrices in operands], dtype=torch.int32, device="cuda")
    matmul_group_kernel[(3,)](addresses, torch.tensor(shapes, dtype=torch.int32, device="cuda"), strides, len(shapes), M=32, N=32,
                              K=16)
    for a, b, c in operands:
        torch.testing.assert_close(c, (a.float() @ b.float()).half(), rtol=2e-3, atol=2e-3)
