import pathlib

import pytest
import torch
from torch.utils.cpp_extension import load


@pytest.fixture(scope="session")
def operations():
    source = pathlib.Path(__file__).with_name("row_operations.cu")
    return load("row_operations", [str(source)])


@pytest.fixture(params=[(3, 100), (5, 257)], ids="{0[0]}x{0[1]}".format)
def x(request):
    torch.manual_seed(1)
    return torch.randn(request.param, device="cuda")


def test_row_softmax(operations, x):
    torch.testing.assert_close(operations.row_softmax(x), torch.softmax(x, -1))


def test_row_mean(operations, x):
    torch.testing.assert_close(operations.row_mean(x), x.mean(-1))


def test_row_differences(operations, x):
    torch.testing.assert_close(operations.row_differences(x), x[1:] - x[:-1])
