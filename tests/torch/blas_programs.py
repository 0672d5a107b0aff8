"""An extension that calls cuBLAS with PyTorch's handle, compared with PyTorch. With WITH_DEFECTS=1, each call runs with its defect
instead."""

import os

import pytest
import torch
from torch.utils.cpp_extension import load_inline

WRONG = os.environ.get("WITH_DEFECTS") == "1"

SOURCE = """
#include <ATen/cuda/CUDAContext.h>
#include <cublas_v2.h>

// The product of two matrices by rows: cuBLAS computes the transposed one.
at::Tensor product(const at::Tensor& a, const at::Tensor& b, int64_t leading) {
  at::Tensor c = at::empty({a.size(0), b.size(1)}, a.options());
  const float one = 1, zero = 0;
  const int m = b.size(1), n = a.size(0), k = a.size(1);
  TORCH_CHECK(cublasSgemm(at::cuda::getCurrentCUDABlasHandle(), CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one,
                          b.data_ptr<float>(), leading, a.data_ptr<float>(), k, &zero, c.data_ptr<float>(), m) ==
              CUBLAS_STATUS_SUCCESS, "cuBLAS failed");
  return c;
}
"""


@pytest.fixture(scope="session")
def extension():
    return load_inline("blas_extension", SOURCE, functions=["product"], with_cuda=True)


def random(*shape):
    return torch.randn(shape, device="cuda")


def test_operands(extension):
    a, b = random(5, 7), random(7, 3)
    rows = torch.empty_like(a) if WRONG else a
    result = extension.product(rows, b, 3)
    if not WRONG:
        torch.testing.assert_close(result, a @ b)


def test_bounds(extension):
    a, b = random(5, 7), random(7, 3)
    torch.testing.assert_close(extension.product(a, b, 4 if WRONG else 3), a @ b)


def test_streams(extension):
    a, b = random(5, 7), random(7, 3)
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        a.fill_(1)
    if not WRONG:
        torch.cuda.current_stream().wait_stream(stream)
    torch.testing.assert_close(extension.product(a, b, 3), torch.ones(5, 7, device="cuda") @ b)
