// The first four products start four independent sums; the loop continues from the fifth one.
__global__ void matmul_ilp(const float* x, const float* y, float* out, int rows, int columns,
                           int inner) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= rows * columns) return;
  const int r = id / columns;
  const int c = id % columns;
  const float* a = x + r * inner;
  const float* b = y + c;

  float s0 = a[0] * b[0];
  float s1 = a[1] * b[columns];
  float s2 = a[2] * b[2 * columns];
  float s3 = a[3] * b[3 * columns];
  int i = 4;
  for (; i + 3 < inner; i += 4) {
    s0 += a[i] * b[i * columns];
    s1 += a[i + 1] * b[(i + 1) * columns];
    s2 += a[i + 2] * b[(i + 2) * columns];
    s3 += a[i + 3] * b[(i + 3) * columns];
  }
  for (; i < inner; ++i) s0 += a[i] * b[i * columns];
  out[id] = (s0 + s1) + (s2 + s3);
}
