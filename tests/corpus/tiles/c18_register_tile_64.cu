// 64 x 64 tile of C per block, 4 x 4 elements per thread, 16-byte accesses to all matrices.
#define BM 64
#define BN 64
#define BK 8
#define AT4(pointer) (*reinterpret_cast<float4*>(pointer))
#define CAT4(pointer) (*reinterpret_cast<const float4*>(pointer))

__global__ void __launch_bounds__(256)
    sgemm_v3(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
             const int M, const int N, const int K) {
  __shared__ float s_a[BK][BM];
  __shared__ float s_b[BK][BN];

  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int tm = threadIdx.y * 4;
  const int tn = threadIdx.x * 4;
  float r_c[4][4] = {0.0f};

  for (int bk = 0; bk < K / BK; ++bk) {
    if (tid < BM * BK / 4) {
      const int m = tid / (BK / 4);
      const int k = tid % (BK / 4) * 4;
      const float4 v = CAT4(a + (blockIdx.y * BM + m) * K + bk * BK + k);
      s_a[k + 0][m] = v.x;
      s_a[k + 1][m] = v.y;
      s_a[k + 2][m] = v.z;
      s_a[k + 3][m] = v.w;
    } else {
      const int t = tid - BM * BK / 4;
      const int k = t / (BN / 4);
      const int n = t % (BN / 4) * 4;
      AT4(&s_b[k][n]) = CAT4(b + (bk * BK + k) * N + blockIdx.x * BN + n);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) r_c[i][j] += s_a[k][tm + i] * s_b[k][tn + j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    float* row = c + (blockIdx.y * BM + tm + i) * N + blockIdx.x * BN + tn;
    AT4(row) = make_float4(r_c[i][0], r_c[i][1], r_c[i][2], r_c[i][3]);
  }
}
