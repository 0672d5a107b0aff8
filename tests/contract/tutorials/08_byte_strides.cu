// Strides in bytes and counts of elements, as an interpreter of arrays passes them.
__global__ void multiply(const char* a, const char* b, char* c, long a_row, long b_row, long c_row,
                         long a_matrix, int c_count, int m, int n, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long batch = blockIdx.y;
  if (i >= c_count) return;
  const int row = i / n;
  const int column = i % n;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    const float x = *reinterpret_cast<const float*>(a + batch * a_matrix + row * a_row + p * 4);
    const float y = *reinterpret_cast<const float*>(b + batch * k * b_row + p * b_row + column * 4);
    sum += x * y;
  }
  *reinterpret_cast<float*>(c + batch * m * c_row + row * c_row + column * 4) = sum;
}
