"""Operators of Liger-Kernel, unmodified from PyPI, at three sizes each: results and gradients equal those of a formula of
PyTorch, which the CPU computes in float64."""

import itertools

import pytest
import torch
import torch.nn.functional as F

liger = pytest.importorskip("liger_kernel.transformers.functional")
ops = pytest.importorskip("liger_kernel.ops")
triton = pytest.importorskip("triton")

IGNORED = -100  # a label that the losses ignore
OPERATORS = []
ROWS = (3, 41), (1, 1), (9, 600)
LOSSES = (5, 41), (1, 2), (9, 700)
# A defect of Liger-Kernel: each thread loads the logit of the label (cross_entropy.py:142), and later the gradients are stored in
# its place (:253). With at most 32 classes, only shuffles lie between the two, and these do not order accesses to memory.
RACES = {"cross_entropy-1-2", "cross_entropy_of_weighted_classes-1-2", "cross_entropy_with_softcap-1-2"}


def operator(*sizes):
    """The function makes the operator, its formula and their operands, for each of the sizes."""

    def add(function):
        for size in sizes:
            name = "-".join([function.__name__, *map(str, size)])
            marks = [pytest.mark.warpcheck(allow=["race"])] if name in RACES else []
            OPERATORS.append(pytest.param(function, size, id=name, marks=marks))
        return function

    return add


def normal(*shape):
    return torch.randn(shape, requires_grad=True)


def constant(*shape):
    return torch.randn(shape)


def weights(*shape, requires_grad=False):
    """Products with them are as large as the other factor."""
    return (torch.randn(shape) / shape[-1]**0.5).requires_grad_(requires_grad)


def probabilities(*shape, requires_grad=False):
    return torch.randn(shape).softmax(-1).requires_grad_(requires_grad)


def labels(count, classes):
    """Every fourth one is ignored."""
    result = torch.randint(classes, (count,))
    result[1::4] = IGNORED
    return result


def rms_normalized(x, eps=1e-6):
    return x * (x.square().mean(-1, keepdim=True) + eps).rsqrt()


@operator(*ROWS)
def rms_norm(rows, columns):
    return lambda x, w: liger.liger_rms_norm(x, w, 1e-6), lambda x, w: rms_normalized(x) * w, normal(rows, columns), normal(columns)


@operator((2, 5, 41), (1, 1, 1), (2, 9, 300))
def rms_norm_of_gemma(batch, rows, columns):
    return (lambda x, w: liger.liger_rms_norm(x, w, 1e-6, offset=1.0, casting_mode="gemma", in_place=False),
            lambda x, w: rms_normalized(x) * (1 + w), normal(batch, rows, columns), normal(columns))


@operator(*ROWS)
def fused_add_rms_norm(rows, columns):
    return (lambda x, r, w: liger.liger_fused_add_rms_norm(x, r, w, 1e-6), lambda x, r, w: (rms_normalized(x + r) * w, x + r),
            normal(rows, columns), normal(rows, columns), normal(columns))


@operator((2, 5, 41), (1, 1, 1), (3, 4, 300))
def modulated_rms_norm(batch, rows, columns):
    return (lambda x, w, scale, shift: liger.liger_modulated_rms_norm(x, w, scale, shift),
            lambda x, w, scale, shift: rms_normalized(x) * w * (1 + scale[:, None]) + shift[:, None],
            normal(batch, rows, columns), normal(columns), normal(batch, columns), normal(batch, columns))


@operator(*ROWS)
def layer_norm(rows, columns):
    return (lambda x, w, b: liger.liger_layer_norm(x, w, b, 1e-6), lambda x, w, b: F.layer_norm(x, (columns,), w, b, 1e-6),
            normal(rows, columns), normal(columns), normal(columns))


@operator((2, 6, 3, 20), (1, 2, 1, 2), (3, 8, 2, 130))
def group_norm(batch, channels, groups, hidden):
    return (lambda x, w, b: liger.liger_group_norm(x, w, b, channels, groups, 1e-6),
            lambda x, w, b: F.group_norm(x, groups, w, b, 1e-6), normal(batch, channels, hidden), normal(channels),
            normal(channels))


@operator(*ROWS)
def poly_norm(rows, columns):
    def formula(x, w, b):
        return sum(w[i] * rms_normalized(x ** (3 - i)) for i in range(3)) + b

    return lambda x, w, b: liger.liger_poly_norm(x, w, b), formula, normal(rows, columns), normal(3), normal()


@operator(*ROWS)
def dynamic_tanh(rows, columns):
    return (liger.liger_dyt, lambda x, alpha, gamma, beta: gamma * torch.tanh(alpha * x) + beta,
            normal(rows, columns), normal(1), normal(columns), normal(columns))


@operator(*ROWS)
def swiglu(rows, columns):
    return liger.liger_swiglu, lambda a, b: F.silu(a) * b, normal(rows, columns), normal(rows, columns)


@operator(*ROWS)
def swiglu_of_one_tensor(rows, columns):
    return (ops.LigerFusedGateUpSiLUMulFunction.apply, lambda x: F.silu(x[:, :columns]) * x[:, columns:],
            normal(rows, 2 * columns))


@operator(*ROWS)
def geglu(rows, columns):
    return (liger.liger_geglu, lambda a, b: F.gelu(a, approximate="tanh") * b, normal(rows, columns), normal(rows, columns))


@operator(*ROWS)
def relu_squared(rows, columns):
    return liger.liger_relu_squared, lambda x: F.relu(x) ** 2, normal(rows, columns)


@operator(*ROWS)
def softmax(rows, columns):
    return liger.liger_softmax, lambda x: F.softmax(x, -1), normal(rows, columns)


@operator(*ROWS)
def sparsemax(rows, columns):
    def formula(x):
        """The projection to the simplex (Martins and Astudillo, 2016)."""
        ordered = x.sort(-1, descending=True).values
        counts = torch.arange(1, columns + 1)
        sums = ordered.cumsum(-1)
        support = (1 + counts * ordered > sums).sum(-1, keepdim=True)
        return F.relu(x - (sums.gather(-1, support - 1) - 1) / support)

    return liger.liger_sparsemax, formula, normal(rows, columns)


@operator((17, 3, 10), (1, 2, 1), (300, 40, 130))
def embedding(rows, columns, count):
    return (ops.LigerEmbeddingFunction.apply, lambda table, indices: F.embedding(indices, table), normal(rows, columns),
            torch.randint(rows, (count,)))


def rotated(x, cos, sin):
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat((-second, first), -1) * sin


def both_halves(half):
    return torch.cat((half, half), -1)


@operator((2, 4, 2, 17, 24), (1, 1, 1, 1, 2), (2, 3, 1, 40, 64))
def rope(batch, q_heads, k_heads, length, dim):
    angles = both_halves(constant(1, length, dim // 2))
    return (lambda q, k, cos, sin: liger.liger_rope(q, k, cos, sin),
            lambda q, k, cos, sin: (rotated(q, cos[:, None], sin[:, None]), rotated(k, cos[:, None], sin[:, None])),
            normal(batch, q_heads, length, dim), normal(batch, k_heads, length, dim), angles.cos(), angles.sin())


@operator((2, 4, 2, 17, 24), (1, 1, 1, 1, 6), (1, 3, 1, 40, 64))
def multimodal_rope(batch, q_heads, k_heads, length, dim):
    sections = [dim // 6, dim // 6, dim // 2 - 2 * (dim // 6)]
    angles = both_halves(constant(3, batch, length, dim // 2))

    def chosen(values):
        parts = values[..., :dim // 2].split(sections, -1)
        return both_halves(torch.cat([part[i] for i, part in enumerate(parts)], -1))[:, None]

    return (lambda q, k, cos, sin: liger.liger_qwen2vl_mrope(q, k, cos, sin, sections),
            lambda q, k, cos, sin: (rotated(q, chosen(cos), chosen(sin)), rotated(k, chosen(cos), chosen(sin))),
            normal(batch, q_heads, length, dim), normal(batch, k_heads, length, dim), angles.cos(), angles.sin())


@operator((2, 17, 4, 2, 24), (1, 1, 1, 1, 2), (1, 30, 3, 1, 130))
def complex_rope(batch, length, q_heads, k_heads, dim):
    angles = constant(length, dim // 2)

    def product(x, factors):
        pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
        return torch.view_as_real(pairs * factors[:, None]).flatten(-2)

    return (ops.LigerLlama4RopeFunction.apply, lambda q, k, factors: (product(q, factors), product(k, factors)),
            normal(batch, length, q_heads, dim), normal(batch, length, k_heads, dim), torch.polar(torch.ones_like(angles), angles))


@operator(*LOSSES)
def cross_entropy(rows, classes):
    return liger.liger_cross_entropy, F.cross_entropy, normal(rows, classes), labels(rows, classes)


@operator(*LOSSES)
def cross_entropy_of_weighted_classes(rows, classes):
    return (lambda x, y, w: liger.liger_cross_entropy(x, y, w, label_smoothing=0.1),
            lambda x, y, w: F.cross_entropy(x, y, w, label_smoothing=0.1), normal(rows, classes), labels(rows, classes),
            0.5 + torch.rand(classes))


@operator(*LOSSES)
def cross_entropy_with_softcap(rows, classes):
    def formula(x, y):
        capped = 3 * torch.tanh(x / 3)
        square = capped.logsumexp(-1)[y != IGNORED].square().sum()
        return F.cross_entropy(capped, y, reduction="sum") + 0.1 * square

    return (lambda x, y: liger.liger_cross_entropy(x, y, softcap=3.0, lse_square_scale=0.1, reduction="sum"), formula,
            normal(rows, classes), labels(rows, classes))


@operator((5, 1, 41), (1, 1, 2), (3, 3, 700))
def vocabulary_parallel_cross_entropy(length, batch, classes):
    return (lambda x, y: ops.LigerVocabParallelCEFunction.apply(x, y, None, IGNORED, 0.1, "pytorch", "global"),
            lambda x, y: F.cross_entropy(x.flatten(0, 1), y.flatten(), reduction="none", label_smoothing=0.1).view(length, batch),
            normal(length, batch, classes), labels(length * batch, classes).view(length, batch))


@operator((5, 7, 41), (1, 1, 2), (9, 30, 300))
def fused_linear_cross_entropy(rows, hidden, classes):
    return (lambda x, w, b, y: liger.liger_fused_linear_cross_entropy(x, w, y, b),
            lambda x, w, b, y: F.cross_entropy(x @ w.t() + b, y), normal(rows, hidden), normal(classes, hidden), normal(classes),
            labels(rows, classes))


def divergence(log_q, log_p, beta, rows):
    """The generalized divergence of Jensen and Shannon of the rows that are chosen."""
    p, q = log_p.exp(), log_q.exp()
    if beta == 0:
        terms = p * (log_p - log_q)
    elif beta == 1:
        terms = q * (log_q - log_p)
    else:
        log_mean = (beta * p + (1 - beta) * q).log()
        terms = beta * p * (log_p - log_mean) + (1 - beta) * q * (log_q - log_mean)
    return terms[rows].sum() / rows.sum()


@operator(*[(*size, beta) for size, beta in zip(LOSSES, (0.3, 0.0, 0.5))], (5, 41, 1.0))
def jensen_shannon(rows, classes, beta):
    return (lambda q, p, y: liger.liger_jsd(q, p, y, beta), lambda q, p, y: divergence(q, p, beta, y != IGNORED),
            constant(rows, classes).log_softmax(-1).requires_grad_(), constant(rows, classes).log_softmax(-1),
            labels(rows, classes))


@operator((5, 7, 41), (1, 1, 2), (9, 30, 300))
def fused_linear_jensen_shannon(rows, hidden, classes):
    def formula(x, w, teacher_x, teacher_w, y):
        return divergence((x @ w.t() / 2).log_softmax(-1), (teacher_x @ teacher_w.t() / 2).log_softmax(-1), 0.3, y != IGNORED)

    return (lambda x, w, tx, tw, y: liger.liger_fused_linear_jsd(x, w, tx, tw, y, 0.3, temperature=2.0), formula,
            normal(rows, hidden), normal(classes, hidden), constant(rows, 3 * hidden), constant(classes, 3 * hidden),
            labels(rows, classes))


@operator(*[(*size, reduction) for size, reduction in zip(LOSSES, ("batchmean", "none", "sum"))], (5, 41, "mean"))
def kl_divergence(rows, classes, reduction):
    return (lambda x, p: liger.liger_kl_div(x, p, reduction=reduction), lambda x, p: F.kl_div(x, p, reduction=reduction),
            constant(rows, classes).log_softmax(-1).requires_grad_(), probabilities(rows, classes))


@operator((5, 7, 41), (1, 1, 2), (9, 30, 300))
def fused_linear_kl_divergence(rows, hidden, classes):
    def formula(x, w, p, y):
        chosen = y != IGNORED
        return F.kl_div((x @ w.t() / 2).log_softmax(-1)[chosen], p[chosen], reduction="batchmean")

    return (lambda x, w, p, y: liger.liger_fused_linear_kl_div(x, w, p, y, temperature=2.0), formula,
            normal(rows, hidden), normal(classes, hidden), probabilities(rows, classes), labels(rows, classes))


@operator(*[(*size, reduction) for size, reduction in zip(LOSSES, ("batchmean", "mean", "none"))], (5, 41, "sum"))
def total_variation(rows, classes, reduction):
    def formula(p, q, y):
        terms = ((p - q).abs() / 2)[y != IGNORED]
        if reduction == "none":
            return torch.zeros_like(p).masked_scatter((y != IGNORED)[:, None], terms)
        return {"batchmean": terms.sum() / len(terms), "mean": terms.mean(), "sum": terms.sum()}[reduction]

    return (lambda p, q, y: liger.liger_tvd(p, q, y, reduction), formula, probabilities(rows, classes, requires_grad=True),
            probabilities(rows, classes), labels(rows, classes))


@operator(*LOSSES)
def cross_entropy_with_total_variation(rows, classes):
    def formula(x, teacher, y):
        distance = (x.softmax(-1) - teacher.softmax(-1)).abs().sum(-1) / 2
        return F.cross_entropy(x, y, reduction="none"), torch.where(y == IGNORED, 0.0, distance)

    return ops.LigerFusedCETVDFunction.apply, formula, normal(rows, classes), constant(rows, classes), labels(rows, classes)


@operator(*itertools.product(((2, 5, 41), (1, 1, 2), (3, 4, 300)), ("token", "sequence")))
def policy_optimization(size, level):
    """The loss of GRPO (Shao et al., 2024) and of GSPO (Zheng et al., 2025), with the reduction of DAPO."""
    batch, length, classes = size

    def formula(logits, old, reference, tokens, advantages, mask):
        log_p = (logits[:, :-1] / 0.9).log_softmax(-1).gather(-1, tokens[..., None])[..., 0]
        log_ratio = log_p - old
        if level == "sequence":
            log_ratio = ((log_ratio * mask).sum(-1, keepdim=True) / mask.sum(-1, keepdim=True)).expand_as(log_ratio)
        ratio = log_ratio.exp()
        advantages = advantages[:, None]
        loss = -torch.minimum(ratio * advantages, ratio.clamp(0.8, 1.4) * advantages)
        difference = reference - log_p
        return ((loss + 0.04 * (difference.exp() - difference - 1)) * mask).sum() / mask.sum()

    def apply(*operands):
        return ops.GrpoLossFunction.apply(*operands, 0.9, 0.04, 0.2, 0.4, False, "dapo", None, True, level)[0]

    mask = torch.ones(batch, length, dtype=torch.int64)
    mask[0, 1:] = 0
    return (apply, formula, normal(batch, length + 1, classes), *(-torch.rand(2, batch, length) * 5),
            torch.randint(classes, (batch, length)), constant(batch), mask)


@operator(*itertools.product(((2, 2, 13), (1, 1, 1), (1, 3, 40)), (False, True)))
def multi_token_attention(size, is_sparse):
    batch, channels, length = size
    future = torch.ones(length, length, dtype=torch.bool).triu(1)

    def formula(scores, weight, bias):
        masked = scores.masked_fill(future, -1e9)
        probability = sparsemax(1, length)[1](masked) if is_sparse else masked.softmax(-1)
        return F.conv2d(probability, weight, bias, padding=1).masked_fill(future, 0)

    return (lambda scores, weight, bias: liger.liger_multi_token_attention(scores, weight, bias, padding=1, sparse=is_sparse),
            formula, normal(batch, channels, length, length), normal(channels, channels, 3, 3), normal(channels))


@operator((2, 2, 17, 24, 2), (1, 1, 1, 16, 1), (1, 2, 70, 32, 1))
def neighborhood_attention(batch, heads, length, dim, dilation):
    distance = torch.arange(length)[:, None] - torch.arange(length)
    inside = (distance.abs() <= 3 * dilation) & (distance % dilation == 0)

    def formula(q, k, v):
        return (q @ k.mT / dim**0.5).masked_fill(~inside, -torch.inf).softmax(-1) @ v

    return (lambda q, k, v: liger.liger_fused_neighborhood_attention(q, k, v, 7, dilation), formula,
            *(normal(batch, heads, length, dim) for _ in range(3)))


@operator((5, 2, 3, 41), (1, 1, 1, 1), (8, 2, 4, 300))
def attention_over_blocks(blocks, batch, length, columns):
    def formula(values, query, weight):
        scores = (rms_normalized(values) * weight) @ query
        return (scores.softmax(0)[..., None] * values).sum(0)

    return (liger.liger_attn_res, formula, normal(blocks, batch, length, columns), weights(columns, requires_grad=True),
            normal(columns))


@operator((5, 4, 20), (1, 2, 1), (9, 4, 130))
def hyper_connection_coefficients(tokens, streams, columns):
    def formula(x, phi, b, pre, post, residual):
        mix = rms_normalized(x.flatten(1)) @ phi
        first, second, rest = mix.split([streams, streams, streams**2], -1)
        matrix = (rest * residual + b[2 * streams:]).view(tokens, streams, streams).softmax(-1) + 1e-6
        matrix = matrix / (matrix.sum(-2, keepdim=True) + 1e-6)
        for _ in range(4):
            matrix = matrix / (matrix.sum(-1, keepdim=True) + 1e-6)
            matrix = matrix / (matrix.sum(-2, keepdim=True) + 1e-6)
        return (first * pre + b[:streams]).sigmoid(), 2 * (second * post + b[streams:2 * streams]).sigmoid(), matrix

    columns_of_mix = streams**2 + 2 * streams
    return (lambda *operands: liger.liger_mhc_coeffs(*operands, allow_fp32=True, tmax=5), formula,
            normal(tokens, streams, columns), normal(streams * columns, columns_of_mix), normal(columns_of_mix),
            *(normal() for _ in range(3)))


@operator((5, 4, 20), (1, 2, 1), (9, 4, 130))
def hyper_connection(tokens, streams, columns):
    return (lambda x, f, pre, post, residual: liger.liger_mhc_apply(x, f, pre, post, residual, return_x_in=True),
            lambda x, f, pre, post, residual: (residual @ x + post[..., None] * f[:, None], (pre[..., None] * x).sum(1)),
            normal(tokens, streams, columns), normal(tokens, columns), normal(tokens, streams), normal(tokens, streams),
            normal(tokens, streams, streams))


@operator((2, 9, 12, 20), (1, 1, 1, 1), (1, 40, 16, 130))
def tiled_mlp(batch, length, columns, hidden):
    def layers(activation):
        return lambda gate, up, down, x: F.linear(activation(F.linear(x, gate), F.linear(x, up)), down)

    def apply(x, *matrices):
        module = torch.nn.ParameterList(matrices)
        return ops.apply_tiled_mlp(lambda own, part: layers(liger.liger_swiglu)(*own, part), module, x, 3)

    def formula(x, gate, up, down):
        return layers(lambda a, b: F.silu(a) * b)(gate, up, down, x)

    return (apply, formula, normal(batch, length, columns), weights(hidden, columns), weights(hidden, columns),
            weights(columns, hidden))


@operator((7, 3, 2, 12, 20), (1, 1, 1, 1, 1), (70, 4, 2, 40, 30))
def mixture_of_experts(tokens, experts, chosen, columns, hidden):
    def formula(x, gate_up, down, indices, shares):
        gate, up = torch.einsum("tkih,th->tki", gate_up[indices], x).chunk(2, -1)
        return torch.einsum("tkhi,tki,tk->th", down[indices], F.silu(gate) * up, shares)

    indices = torch.rand(tokens, experts).topk(chosen).indices.to(torch.int32)
    return (ops.LigerFusedMoEFunction.apply, formula, normal(tokens, columns),
            weights(experts, 2 * hidden, columns, requires_grad=True), weights(experts, columns, hidden, requires_grad=True), indices,
            probabilities(tokens, chosen, requires_grad=True))


def moved(operand, *, device="cpu", is_double=False):
    """A copy of an operand, with its own gradient."""
    result = operand.detach().to(device).clone()
    if is_double and result.dtype in (torch.float32, torch.complex64):
        result = result.to(torch.complex128 if result.is_complex() else torch.float64)
    return result.requires_grad_(operand.requires_grad)


def results_and_gradients(function, operands):
    results = function(*operands)
    results = results if isinstance(results, tuple) else (results,)
    generator = torch.Generator().manual_seed(2)
    total = sum((one * torch.randn(one.shape, generator=generator).to(one)).sum() for one in results)
    gradients = torch.autograd.grad(total, [one for one in operands if one.requires_grad])
    return [one.detach().cpu().float() for one in (*results, *gradients)]


@pytest.mark.parametrize("create, size", OPERATORS)
def test_operator(create, size, monkeypatch):
    # Products of tl.dot then have all bits of float32. Those of tf32, its default, are further from the formula.
    monkeypatch.setattr(triton.knobs.language, "fp32_default", "ieee")
    torch.manual_seed(1)
    function, formula, *operands = create(*size)
    found = results_and_gradients(function, [moved(one, device="cuda") for one in operands])
    expected = results_and_gradients(formula, [moved(one, is_double=True) for one in operands])
    torch.testing.assert_close(found, expected)
