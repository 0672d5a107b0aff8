// One block per row of C. The block keeps its row of A in shared memory, which has room for 256
// elements.
#define MAX_K 256

__global__ void row_times_matrix(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float rowOfA[MAX_K];
  const int row = blockIdx.x;
  for (int i = threadIdx.x; i < K; i += blockDim.x) {
    rowOfA[i] = A[row * K + i];
  }
  __syncthreads();

  for (int col = threadIdx.x; col < N; col += blockDim.x) {
    float sum = 0.0f;
    for (int i = 0; i < K; ++i) {
      sum += rowOfA[i] * B[i * N + col];
    }
    C[row * N + col] = sum;
  }
}
