// The twin with the barrier is an RMS norm.
// run: init FILE
// prints: out[i,j] = in_[i,j] * rsqrt(variance[i] + 1e-5) * w[j]
// prints: rms: passes 20 cases
// prints not: pass the same cases
__global__ void rms(float* out, const float* in, const float* w, int rows, int width) {
  __shared__ float s;
  const float* x = in + (size_t)blockIdx.x * width;
  float v = 0;
  if (threadIdx.x == 0) {
    for (int j = 0; j < width; ++j) v += x[j] * x[j];
    s = rsqrtf(v / width + 1e-5f);
  }
  __syncthreads();
  for (int j = threadIdx.x; j < width; j += 64)
    out[(size_t)blockIdx.x * width + j] = x[j] * s * w[j];
}
void run(float* out, const float* in, const float* w, int rows, int width) {
  rms<<<rows, 64>>>(out, in, w, rows, width);
}
