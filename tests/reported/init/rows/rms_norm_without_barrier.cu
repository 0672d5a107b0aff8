// A race is reported, whatever the kernel computes.
// run: init FILE
// exits: 1
// prints: it is wrong, whatever it computes: race in line 16: thread (1, 0, 0) reads
// prints: no barrier between line 13 and line 16
// prints not: gemm
__global__ void rms(float* out, const float* in, const float* w, int rows, int width) {
  __shared__ float s;
  const float* x = in + (size_t)blockIdx.x * width;
  float v = 0;
  if (threadIdx.x == 0) {
    for (int j = 0; j < width; ++j) v += x[j] * x[j];
    s = rsqrtf(v / width + 1e-5f);
  }
  // missing __syncthreads()
  for (int j = threadIdx.x; j < width; j += 64)
    out[(size_t)blockIdx.x * width + j] = x[j] * s * w[j];
}
void run(float* out, const float* in, const float* w, int rows, int width) {
  rms<<<rows, 64>>>(out, in, w, rows, width);
}
