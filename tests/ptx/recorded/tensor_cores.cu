// wmma, asynchronous copies, inline PTX.
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;

__global__ void tensor_cores(const __half* a, const __half* b, float* c, const float4* source) {
  __shared__ float4 stage[32];
  __pipeline_memcpy_async(&stage[threadIdx.x], &source[threadIdx.x], sizeof(float4));
  __pipeline_commit();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fragment_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fragment_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> accumulator;
  wmma::fill_fragment(accumulator, 0.0f);
  wmma::load_matrix_sync(fragment_a, a, 16);
  wmma::load_matrix_sync(fragment_b, b, 16);
  wmma::mma_sync(accumulator, fragment_a, fragment_b, accumulator);
  __pipeline_wait_prior(0);
  __syncthreads();
  accumulator.x[0] += stage[31 - threadIdx.x].y;
  unsigned x0, x1;
  asm volatile("{\n\t.reg .u64 address;\n\tcvta.to.shared.u64 address, %2;\n\t"
               "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [address];\n\t}"
               : "=r"(x0), "=r"(x1)
               : "l"(&stage[threadIdx.x % 16])
               : "memory");
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %0, 0;\n\t@p trap;\n\t}" ::"r"(x0 ^ x1));
  wmma::store_matrix_sync(c, accumulator, 16, wmma::mem_row_major);
}
