"""Functions that torch.compile compiles. The test whose name has `wrong` reads elements that were never written."""

import pytest
import torch


def scores(x, weight):
    return torch.nn.functional.gelu(x @ weight).softmax(1) + x.mean(1, keepdim=True)


@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor"])
def test_results_and_gradients(backend):
    torch.manual_seed(1)
    x, weight = torch.randn(32, 16), torch.randn(16, 8)
    results = []
    for device, function in ("cpu", scores), ("cuda", torch.compile(scores, backend=backend)):
        operands = [one.detach().to(device).requires_grad_() for one in (x, weight)]
        result = function(*operands)
        (result * torch.arange(8, device=device)).sum().backward()
        results.append([one.detach().cpu() for one in (result, *(one.grad for one in operands))])
    for expected, found in zip(*results):
        torch.testing.assert_close(found, expected)


def test_other_shapes():
    function = torch.compile(lambda x: (x * 2 + 1).relu().sum(0))
    for rows in (3, 40, 70):
        x = torch.randn(rows, 33, device="cuda")
        torch.testing.assert_close(function(x).cpu(), (x.cpu() * 2 + 1).relu().sum(0))


@torch.compile
def double(x):
    return (x * 2 + 1).relu()


def test_wrong_part_is_not_written():
    x = torch.empty(100, device="cuda")
    x[:90] = 1
    double(x)
