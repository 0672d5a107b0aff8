// Software pipeline over the tiles of k: while one tile is multiplied, the next one is loaded. The
// loop handles two tiles, and the epilogue multiplies the one in the first buffer: the number of
// tiles must be odd.
#define TS 16

__global__ void gemm_pipelined(const float* A, const float* B, float* C, const int M, const int N,
                               const int K) {
  __shared__ float As[2][TS][TS];
  __shared__ float Bs[2][TS][TS];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TS + ty;
  const int col = blockIdx.x * TS + tx;
  float acc = 0.0f;

#define LOAD(buffer, tile)                                             \
  As[buffer][ty][tx] = row < M ? A[row * K + (tile)*TS + tx] : 0.0f;   \
  Bs[buffer][ty][tx] = col < N ? B[((tile)*TS + ty) * N + col] : 0.0f; \
  __syncthreads();

#define MULTIPLY(buffer) \
  for (int i = 0; i < TS; ++i) acc += As[buffer][ty][i] * Bs[buffer][i][tx];

  LOAD(0, 0)
  int tile = 1;
  for (; tile + 1 < K / TS; tile += 2) {
    LOAD(1, tile)
    MULTIPLY(0)
    __syncthreads();
    LOAD(0, tile + 1)
    MULTIPLY(1)
    __syncthreads();
  }
  MULTIPLY(0)

  if (row < M && col < N) C[row * N + col] = acc;
}
