// C += A * B: adds to C, scaled by beta. The parameter alpha was added later for compatibility.
__global__ void accumulate_product(const float* A, const float* B, float* C, int M, int N, int K,
                                   float alpha, float beta) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < M && col < N) {
    float tmp = 0.0f;
    for (int i = 0; i < K; ++i) {
      tmp += A[row * K + i] * B[i * N + col];
    }
    if (beta == 0.0f) {
      C[row * N + col] = tmp;
    } else {
      C[row * N + col] = tmp + beta * C[row * N + col];
    }
  }
}
