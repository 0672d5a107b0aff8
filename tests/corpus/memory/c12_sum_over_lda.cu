// The matrices are described by their pitches; the length of the sum is taken from the pitch of A.
struct Matrix {
  int width;
  int height;
};

__device__ float element(const float* data, int pitch, int row, int col) {
  return data[row * pitch + col];
}

__global__ void pitched_matmul(const float* A, int pitchA, const float* B, int pitchB, float* C,
                               int pitchC, int rows, int cols) {
  Matrix c = {cols, rows};
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= c.height || col >= c.width) return;

  float value = 0;
  for (int e = 0; e < pitchA; ++e) {
    value += element(A, pitchA, row, e) * element(B, pitchB, e, col);
  }
  C[row * pitchC + col] = value;
}
