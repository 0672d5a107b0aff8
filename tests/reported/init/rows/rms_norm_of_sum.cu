// RMS norm of the sum with a residual.
// run: init FILE
// prints: y[i,j] = summed[i,j] * rsqrt(variance[i] + eps) * w[j]
__global__ void add_rms(const float* x, const float* res, const float* w, float* y, int rows,
                        int dim, float eps) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0;
  for (int j = 0; j < dim; ++j) {
    float v = x[(size_t)r * dim + j] + res[(size_t)r * dim + j];
    s += v * v;
  }
  float inv = rsqrtf(s / dim + eps);
  for (int j = 0; j < dim; ++j) {
    float v = x[(size_t)r * dim + j] + res[(size_t)r * dim + j];
    y[(size_t)r * dim + j] = v * inv * w[j];
  }
}
