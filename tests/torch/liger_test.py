"""Operators of Liger-Kernel, unmodified from PyPI, compared with PyTorch: results and gradients."""

import pytest
import torch
import torch.nn.functional as F

liger = pytest.importorskip("liger_kernel.transformers.functional")


def operand(*shape):
    return torch.randn(shape, device="cuda", requires_grad=True)


def assert_same(operator, reference, *operands, tolerance=1e-4):
    """Compares operator and reference on copies of the operands, since some operators work in place."""
    results = []
    for function in (operator, reference):
        own = [one.detach().clone().requires_grad_(one.requires_grad) for one in operands]
        result = function(*own)
        result = result[0] if isinstance(result, tuple) else result
        torch.manual_seed(2)
        gradients = torch.autograd.grad((result * torch.randn(result.shape).cuda()).sum(),
                                        [one for one in own if one.requires_grad])
        results.append((result.detach(), *gradients))
    torch.testing.assert_close(*results, rtol=tolerance, atol=tolerance)


def test_rms_norm():
    assert_same(lambda x, w: liger.liger_rms_norm(x, w, 1e-6), lambda x, w: F.rms_norm(x, (41,), w, 1e-6),
                operand(3, 5, 41), operand(41))


def test_fused_add_rms_norm():
    assert_same(lambda x, r, w: liger.liger_fused_add_rms_norm(x, r, w, 1e-6),
                lambda x, r, w: F.rms_norm(x + r, (41,), w, 1e-6), operand(7, 41), operand(7, 41), operand(41))


def test_layer_norm():
    assert_same(lambda x, w, b: liger.liger_layer_norm(x, w, b, 1e-6), lambda x, w, b: F.layer_norm(x, (65,), w, b, 1e-6),
                operand(6, 65), operand(65), operand(65))


def test_group_norm():
    assert_same(lambda x, w, b: liger.liger_group_norm(x, w, b, 6, 3, 1e-6), lambda x, w, b: F.group_norm(x, 3, w, b, 1e-6),
                operand(2, 6, 20), operand(6), operand(6))


def test_swiglu():
    assert_same(liger.liger_swiglu, lambda a, b: F.silu(a) * b, operand(5, 70), operand(5, 70))


def test_geglu():
    assert_same(liger.liger_geglu, lambda a, b: F.gelu(a, approximate="tanh") * b, operand(5, 70), operand(5, 70))


def test_relu_squared():
    assert_same(liger.liger_relu_squared, lambda x: F.relu(x) ** 2, operand(5, 70))


def test_softmax():
    assert_same(liger.liger_softmax, lambda x: F.softmax(x, -1), operand(5, 70))


def test_dyt():
    assert_same(liger.liger_dyt, lambda x, alpha, gamma, beta: gamma * torch.tanh(alpha * x) + beta,
                operand(5, 70), operand(1), operand(70), operand(70))


def test_rope():
    q, k, angles = operand(2, 4, 17, 32), operand(2, 2, 17, 32), torch.randn(1, 17, 16, device="cuda")
    cos, sin = (torch.cat((one, one), -1) for one in (angles.cos(), angles.sin()))

    def rotated(x, cos, sin):
        first, second = x.chunk(2, -1)
        return x * cos[:, None] + torch.cat((-second, first), -1) * sin[:, None]

    assert_same(lambda q, k: torch.cat(liger.liger_rope(q, k, cos, sin), 1),
                lambda q, k: torch.cat((rotated(q, cos, sin), rotated(k, cos, sin)), 1), q, k)


@pytest.mark.parametrize("options", [{}, {"label_smoothing": 0.1}, {"reduction": "sum"}])
def test_cross_entropy(options):
    target = torch.randint(130, (11,), device="cuda")
    target[3] = -100
    assert_same(lambda x: liger.liger_cross_entropy(x, target, **options), lambda x: F.cross_entropy(x, target, **options),
                operand(11, 130))


def test_fused_linear_cross_entropy():
    target = torch.randint(40, (9,), device="cuda")
    assert_same(lambda x, w: liger.liger_fused_linear_cross_entropy(x, w, target),
                lambda x, w: F.cross_entropy(x @ w.t(), target), operand(9, 16), operand(40, 16), tolerance=1e-3)


def test_kl_divergence():
    target = torch.randn(7, 50, device="cuda").softmax(-1)
    assert_same(lambda x: liger.liger_kl_div(x.log_softmax(-1), target, reduction="batchmean"),
                lambda x: F.kl_div(x.log_softmax(-1), target, reduction="batchmean"), operand(7, 50))
