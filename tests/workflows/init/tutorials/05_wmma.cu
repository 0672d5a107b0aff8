// Tensor cores by WMMA: one warp per 16 x 16 tile, sizes that are multiples of 16.
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

const int WMMA_M = 16;
const int WMMA_N = 16;
const int WMMA_K = 16;
#define WARP_SIZE 32

__global__ void wmma_simple(half* a, half* b, float* c, int M, int N, int K) {
  int tileRow = blockIdx.y;
  int tileCol = blockIdx.x;
  wmma::fragment<wmma::matrix_a, WMMA_M, WMMA_N, WMMA_K, half, wmma::row_major> a_frag;
  wmma::fragment<wmma::matrix_b, WMMA_M, WMMA_N, WMMA_K, half, wmma::row_major> b_frag;
  wmma::fragment<wmma::accumulator, WMMA_M, WMMA_N, WMMA_K, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int i = 0; i < K; i += WMMA_K) {
    wmma::load_matrix_sync(a_frag, a + tileRow * WMMA_M * K + i, K);
    wmma::load_matrix_sync(b_frag, b + i * N + tileCol * WMMA_N, N);
    wmma::mma_sync(acc, a_frag, b_frag, acc);
  }
  wmma::store_matrix_sync(c + tileRow * WMMA_M * N + tileCol * WMMA_N, acc, N, wmma::mem_row_major);
}

int main() {
  int M = 4096, N = 4096, K = 4096;
  half *a, *b;
  float* c;
  cudaMalloc(&a, sizeof(half) * M * K);
  cudaMalloc(&b, sizeof(half) * K * N);
  cudaMalloc(&c, sizeof(float) * M * N);
  dim3 grid(N / WMMA_N, M / WMMA_M);
  wmma_simple<<<grid, WARP_SIZE>>>(a, b, c, M, N, K);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
