"""Operators on tensors of which elements were never written. The tests whose names have `wrong` compute with such elements."""

import pytest
import torch
import triton
import triton.language as tl


def partly_written(dtype=torch.float32):
    """A tensor of 4 x 6 elements, whose first three columns are 1."""
    x = torch.empty(4, 6, dtype=dtype, device="cuda")
    x[:, :3].fill_(1)
    return x


@triton.jit
def fill(x, n, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(x + at, 1.0, mask=at < n)


@triton.jit
def twice(x, y, n, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(y + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)  # finding here


def test_wrong_sum():
    torch.empty(4, device="cuda").sum()  # finding here


def test_wrong_comparison():
    assert (torch.empty(4, device="cuda") < 0).any() is not None  # finding here


def test_wrong_number():
    torch.empty(1, device="cuda").item()  # finding here


def test_wrong_index():
    torch.arange(5, device="cuda")[torch.empty(2, dtype=torch.int64, device="cuda")]  # finding here


def test_wrong_change_in_place():
    torch.empty(4, device="cuda").add_(1)  # finding here


def test_wrong_product():
    a = torch.ones(4, 4, device="cuda")
    b = torch.empty(4, 4, device="cuda")
    b[:3] = 1
    assert (a @ b).shape == (4, 4)  # finding here


def test_wrong_largest_element():
    x = partly_written()
    assert x.max() is not None  # finding here


@pytest.mark.parametrize("move", [
    torch.clone, torch.Tensor.double, lambda x: x.t().contiguous().t(), lambda x: torch.cat([x, x])[4:],
    lambda x: x[torch.arange(4, device="cuda")], lambda x: x.index_select(0, torch.arange(4, device="cuda")),
    lambda x: torch.empty(4, 6, device="cuda").copy_(x), lambda x: torch.stack([x, x])[1], lambda x: x.flip(0),
    lambda x: torch.where(torch.tensor(True, device="cuda"), x, 0), lambda x: torch.nn.functional.pad(x, (0, 1))[:, :6],
], ids=["clone", "double", "contiguous", "cat", "index", "index_select", "copy_", "stack", "flip", "where", "pad"])
class TestMoves:
    def test_written_elements(self, move):
        assert (move(partly_written())[:, :3] + 1).cpu().eq(2).all()

    def test_wrong_column(self, move):
        assert (move(partly_written())[:, 2:4] + 1).shape == (4, 2)  # finding here


def test_elements_that_kernels_write():
    x = torch.empty(100, device="cuda")
    fill[(1,)](x, 60, N=128)
    assert x[:60].sum().item() == 60


def test_wrong_elements_that_no_kernel_writes():
    x = torch.empty(100, device="cuda")
    fill[(1,)](x, 60, N=128)
    assert x[:61].sum() is not None  # finding here


def test_wrong_kernel_reads_moved_elements():
    x = partly_written().clone()
    twice[(1,)](x, torch.empty(24, device="cuda"), 24, N=32)


def test_operators_that_do_not_depend_on_the_elements():
    random = torch.empty(5, device="cuda").normal_()
    out = torch.empty(5, device="cuda")
    torch.add(random, 1, out=out)
    assert torch.isfinite(out + 1).all()
    unread = torch.empty(2, 3, 3, device="cuda")
    ones = torch.ones(2, 3, 3, device="cuda")
    assert torch.baddbmm(unread, ones, ones, beta=0).sum().item() == 54


def test_changes_of_a_part():
    x = torch.empty(5, device="cuda")
    x[0] = 1
    x[:1].mul_(2)
    x.index_add_(0, torch.tensor([0], device="cuda"), torch.ones(1, device="cuda"))
    x.masked_fill_(torch.tensor([False, False, True, True, True], device="cuda"), 7)
    assert x[0].item() == 3 and x[2:].tolist() == [7, 7, 7]
    x.scatter_(0, torch.tensor([1], device="cuda"), 5.0)
    assert x.sum().item() == 29


def test_gaps_between_elements():
    x = torch.empty(4, 6, dtype=torch.float64, device="cuda")
    x[:, ::2] = 1
    assert x[:, ::2].sum().item() == 12
    assert x.t()[2].expand(3, 4).sum().item() == 12
    assert x.as_strided((3,), (2,)).sum().item() == 3


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.int16, torch.int64, torch.bfloat16, torch.float8_e4m3fn, torch.complex64,
                                   torch.complex128])
def test_types(dtype):
    x = partly_written(dtype).clone().to(torch.complex128)
    assert x[:, :3].sum().item() == 12
