// One warp computes one element: its lanes take every 32nd product and add their sums with
// shuffles. A block of eight warps computes eight elements of one column.
constexpr unsigned kFullMask = 0xffffffffu;
constexpr int kWarpsPerBlock = 8;

__inline__ __device__ float warpReduceSum(float val) {
  for (int offset = 16; offset > 0; offset /= 2) {
    val += __shfl_down_sync(kFullMask, val, offset);
  }
  return val;
}

__global__ void gemm_warp_per_element(const float* A, const float* B, float* C, int N, int K) {
  int lane = threadIdx.x % 32;
  int row = blockIdx.y * kWarpsPerBlock + threadIdx.x / 32;
  int col = blockIdx.x;

  float partial = 0.0f;
  for (int step = 0; step < K / 32; ++step) {
    int i = step * 32 + lane;
    partial += A[row * K + i] * B[i * N + col];
  }
  float total = warpReduceSum(partial);
  if (lane == 0) C[row * N + col] = total;
}
