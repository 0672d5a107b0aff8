// Each thread computes four neighbouring elements of a row of C. The four elements of B that it
// needs in each step are loaded at once.
__global__ void sgemm_vec4_b(const float* __restrict__ A, const float* __restrict__ B,
                             float* __restrict__ C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (row >= M || col >= N) return;

  float acc[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int k = 0; k < K; ++k) {
    float a = A[row * K + k];
    float4 b = reinterpret_cast<const float4*>(B + k * N + col)[0];
    acc[0] += a * b.x;
    acc[1] += a * b.y;
    acc[2] += a * b.z;
    acc[3] += a * b.w;
  }
  for (int i = 0; i < 4; ++i) {
    C[row * N + col + i] = acc[i];
  }
}
