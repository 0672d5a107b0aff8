// The host code chooses a kernel by the sizes:
//   if (n % 4 == 0 && aligned(b) && aligned(c)) vectors<<<...>>>(...); else scalars<<<...>>>(...);
__global__ void vectors(const float* a, const float* b, float* c, int m, int n4, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || column >= n4) return;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  const float4* b4 = reinterpret_cast<const float4*>(b);
  for (int p = 0; p < k; ++p) {
    const float x = a[row * k + p];
    const float4 y = b4[p * n4 + column];
    sum.x += x * y.x;
    sum.y += x * y.y;
    sum.z += x * y.z;
    sum.w += x * y.w;
  }
  reinterpret_cast<float4*>(c)[row * n4 + column] = sum;
}

__global__ void scalars(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * n + column];
  c[row * n + column] = sum;
}
