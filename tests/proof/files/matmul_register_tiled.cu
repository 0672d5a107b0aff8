// SGEMM, 64x64 block tile, each of 256 threads keeps a 4x4 patch of C in registers.
// M and N are multiples of 64, K is a multiple of 8, M <= 65535*64; A, B, C are 16-byte aligned and
// row-major.
#include <cuda_runtime.h>

#define BM 64
#define BN 64
#define BK 8
#define TM 4
#define TN 4

__global__ __launch_bounds__(256) void sgemm_register_tiled(int M, int N, int K, const float* A,
                                                            const float* B, float* C) {
  __shared__ float As[BK * BM];  // stored transposed: As[k][m]
  __shared__ float Bs[BK * BN];

  const int threadCol = threadIdx.x % (BN / TN);
  const int threadRow = threadIdx.x / (BN / TN);

  // advance pointers to this block's tile
  A += (size_t)blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += (size_t)blockIdx.y * BM * N + blockIdx.x * BN;

  float results[TM * TN] = {0.0f};
  float regM[TM];
  float regN[TN];

  for (int bk = 0; bk < K; bk += BK) {
    // the lower half of the block fetches A, the upper half fetches B
    if (threadIdx.x < 128) {
      const int innerRowA = threadIdx.x / (BK / 4);
      const int innerColA = threadIdx.x % (BK / 4);
      float4 tmp = *reinterpret_cast<const float4*>(&A[(size_t)innerRowA * K + innerColA * 4]);
      As[(innerColA * 4 + 0) * BM + innerRowA] = tmp.x;
      As[(innerColA * 4 + 1) * BM + innerRowA] = tmp.y;
      As[(innerColA * 4 + 2) * BM + innerRowA] = tmp.z;
      As[(innerColA * 4 + 3) * BM + innerRowA] = tmp.w;
    } else {
      const int t = threadIdx.x - 128;
      const int innerRowB = t / (BN / 4);
      const int innerColB = t % (BN / 4);
      const float4 tmp =
          *reinterpret_cast<const float4*>(&B[(size_t)innerRowB * N + innerColB * 4]);
      Bs[innerRowB * BN + innerColB * 4 + 0] = tmp.x;
      Bs[innerRowB * BN + innerColB * 4 + 1] = tmp.y;
      Bs[innerRowB * BN + innerColB * 4 + 2] = tmp.z;
      Bs[innerRowB * BN + innerColB * 4 + 3] = tmp.w;
    }
    __syncthreads();

    A += BK;
    B += (size_t)BK * N;

#pragma unroll
    for (int dot = 0; dot < BK; ++dot) {
      for (int i = 0; i < TM; ++i) regM[i] = As[dot * BM + threadRow * TM + i];
      for (int i = 0; i < TN; ++i) regN[i] = Bs[dot * BN + threadCol * TN + i];
      for (int m = 0; m < TM; ++m)
        for (int n = 0; n < TN; ++n) results[m * TN + n] += regM[m] * regN[n];
    }
    __syncthreads();
  }

#pragma unroll
  for (int m = 0; m < TM; ++m) {
    float4 v = make_float4(results[m * TN + 0], results[m * TN + 1], results[m * TN + 2],
                           results[m * TN + 3]);
    *reinterpret_cast<float4*>(&C[(size_t)(threadRow * TM + m) * N + threadCol * TN]) = v;
  }
}

void launch_matmul_register_tiled(int M, int N, int K, const float* A, const float* B, float* C) {
  dim3 gridDim(N / BN, M / BM);
  dim3 blockDim((BM * BN) / (TM * TN));
  sgemm_register_tiled<<<gridDim, blockDim>>>(M, N, K, A, B, C);
}
