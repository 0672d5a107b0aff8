"""The operators of extension_kernels.cu, compared with PyTorch. With WITH_DEFECTS=1, each runs with its
defect instead."""

import os
import pathlib

import pytest
import torch
import torch.nn.functional as F
from torch.utils.cpp_extension import load

WRONG = os.environ.get("WITH_DEFECTS") == "1"


@pytest.fixture(scope="session")
def kernels():
    return load("extension_kernels", [str(pathlib.Path(__file__).with_name("extension_kernels.cu"))])


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(1)


def random(*shape):
    return torch.randn(shape, device="cuda")


def test_relu(kernels):
    x = random(1000)
    torch.testing.assert_close(kernels.relu(x, WRONG), x.relu())


def test_layer_norm(kernels):
    x = random(3, 200)
    torch.testing.assert_close(kernels.layer_norm(x, WRONG), F.layer_norm(x, (200,)), rtol=1e-4, atol=1e-5)


def test_embedding(kernels):
    table, ids = random(10, 8), torch.tensor([0, 9, 3, 10], device="cuda")
    y = kernels.embedding(table, ids, WRONG)
    torch.testing.assert_close(y[:3], table[ids[:3]])


def test_segment_sum(kernels):
    x, segments = random(300), torch.arange(300, device="cuda") // 7
    y = kernels.segment_sum(x, segments, 43, WRONG)
    torch.testing.assert_close(y, torch.zeros(43, device="cuda").index_add(0, segments, x), rtol=1e-4, atol=1e-5)


def test_row_max(kernels):
    x = random(3, 90)
    torch.testing.assert_close(kernels.row_max(x, WRONG), x.amax(1))


def test_row_dot(kernels):
    a, b = random(6, 20), random(6, 20)
    torch.testing.assert_close(kernels.row_dot(a, b, WRONG), (a * b).sum(1), rtol=1e-4, atol=1e-5)


def test_transpose(kernels):
    x = random(33, 50)
    torch.testing.assert_close(kernels.transpose(x, WRONG), x.t())


def test_add_vectors(kernels):
    x, z = random(1001)[1:], random(1001)[1:]
    torch.testing.assert_close(kernels.add_vectors(x, z, WRONG), x + z)


def test_prefix_sum(kernels):
    x = random(100)
    torch.testing.assert_close(kernels.prefix_sum(x, WRONG), x.cumsum(0), rtol=1e-4, atol=1e-5)


def test_rotary(kernels):
    x, angles = random(5, 16), random(5, 8)
    y = kernels.rotary(x, angles, WRONG)
    a, b = x.chunk(2, 1)
    expected = torch.cat((a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()), 1).square()
    torch.testing.assert_close(y[:, :8], expected[:, :8], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(y[:, 8:15], expected[:, 8:15], rtol=1e-4, atol=1e-5)
