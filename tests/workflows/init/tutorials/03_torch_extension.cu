// A PyTorch extension; this machine may have no PyTorch.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

#include <vector>

using torch::Tensor;

#define CHECK_CUDA(x) TORCH_CHECK(x.device().is_cuda(), #x " must be a CUDA tensor")
#define TILE_WIDTH 16

inline unsigned int cdiv(unsigned int a, unsigned int b) { return (a + b - 1) / b; }

template <typename scalar_t>
__global__ void matmul_kernel(const scalar_t* __restrict__ m, const scalar_t* __restrict__ n,
                              scalar_t* __restrict__ out, int h, int w, int k) {
  __shared__ scalar_t ms[TILE_WIDTH][TILE_WIDTH];
  __shared__ scalar_t ns[TILE_WIDTH][TILE_WIDTH];
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  scalar_t res = 0;
  for (int ph = 0; ph < (k + TILE_WIDTH - 1) / TILE_WIDTH; ++ph) {
    int idx = ph * TILE_WIDTH;
    ms[threadIdx.y][threadIdx.x] =
        r < h && idx + threadIdx.x < k ? m[r * k + idx + threadIdx.x] : 0;
    ns[threadIdx.y][threadIdx.x] =
        c < w && idx + threadIdx.y < k ? n[(threadIdx.y + idx) * w + c] : 0;
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i) res += ms[threadIdx.y][i] * ns[i][threadIdx.x];
    __syncthreads();
  }
  if (r < h && c < w) out[r * w + c] = res;
}

torch::Tensor matmul(torch::Tensor m, torch::Tensor n) {
  CHECK_CUDA(m);
  CHECK_CUDA(n);
  int h = m.size(0);
  int w = n.size(1);
  int k = m.size(1);
  auto output = torch::zeros({h, w}, m.options());
  dim3 tpb(TILE_WIDTH, TILE_WIDTH);
  dim3 blocks(cdiv(w, tpb.x), cdiv(h, tpb.y));
  AT_DISPATCH_FLOATING_TYPES(
      m.scalar_type(), "matmul", ([&] {
        matmul_kernel<scalar_t><<<blocks, tpb, 0, at::cuda::getCurrentCUDAStream()>>>(
            m.data_ptr<scalar_t>(), n.data_ptr<scalar_t>(), output.data_ptr<scalar_t>(), h, w, k);
      }));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
  module.def("matmul", torch::wrap_pybind_function(matmul), "matmul");
}
