// Layer norm with two passes; the rows are those of the grid.
// run: init FILE
// prints: y[i,j] = (x[i,j] - mean[i]) * rsqrt(variance[i] + 1e-6) * g[j] + be[j]
// prints: arguments = ["x", "g", "be", "y", "D"]
// prints not: pass the same
template <int T>
__global__ void ln(const float* x, const float* g, const float* be, float* y, int D) {
  __shared__ float red[T];
  const float* row = x + (size_t)blockIdx.x * D;
  float s = 0;
  for (int i = threadIdx.x; i < D; i += T) s += row[i];
  red[threadIdx.x] = s;
  __syncthreads();
  for (int k = T / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) red[threadIdx.x] += red[threadIdx.x + k];
    __syncthreads();
  }
  const float mu = red[0] / D;
  __syncthreads();
  s = 0;
  for (int i = threadIdx.x; i < D; i += T) {
    float d = row[i] - mu;
    s += d * d;
  }
  red[threadIdx.x] = s;
  __syncthreads();
  for (int k = T / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) red[threadIdx.x] += red[threadIdx.x + k];
    __syncthreads();
  }
  const float r = rsqrtf(red[0] / D + 1e-6f);
  for (int i = threadIdx.x; i < D; i += T)
    y[(size_t)blockIdx.x * D + i] = (row[i] - mu) * r * g[i] + be[i];
}
void launch(const float* x, const float* g, const float* be, float* y, int B, int D) {
  ln<128><<<B, 128>>>(x, g, be, y, D);
}
