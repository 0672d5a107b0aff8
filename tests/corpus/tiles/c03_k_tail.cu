// Tiled matrix multiplication. Rows and columns beyond the matrices are masked; the loop over k
// runs over whole tiles only.
#define TILE 32

__global__ void gemm_shared(int M, int N, int K, const float* A, const float* B, float* C) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float acc = 0.0f;
  const int numTiles = K / TILE;
  for (int t = 0; t < numTiles; t++) {
    As[ty][tx] = row < M ? A[row * K + t * TILE + tx] : 0.0f;
    Bs[ty][tx] = col < N ? B[(t * TILE + ty) * N + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; k++) {
      acc += As[ty][k] * Bs[k][tx];
    }
    __syncthreads();
  }
  if (row < M && col < N) {
    C[row * N + col] = acc;
  }
}
