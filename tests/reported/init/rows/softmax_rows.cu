// Softmax of rows, with dynamic shared memory.
// run: init FILE
// prints: b[i,j] = exp(a[i,j] - peak[i]) / total[i]
// prints: shared    = 1024  # from the launch
__global__ void sm(const float* a, float* b, int n1, int n2) {
  extern __shared__ float buf[];
  int r = blockIdx.x, t = threadIdx.x;
  float m = -INFINITY;
  for (int j = t; j < n2; j += blockDim.x) m = fmaxf(m, a[r * n2 + j]);
  buf[t] = m;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) buf[t] = fmaxf(buf[t], buf[t + s]);
    __syncthreads();
  }
  m = buf[0];
  __syncthreads();
  float sum = 0;
  for (int j = t; j < n2; j += blockDim.x) sum += expf(a[r * n2 + j] - m);
  buf[t] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) buf[t] += buf[t + s];
    __syncthreads();
  }
  for (int j = t; j < n2; j += blockDim.x) b[r * n2 + j] = expf(a[r * n2 + j] - m) / buf[0];
}
void go(const float* a, float* b, int n1, int n2) {
  sm<<<n1, 256, 256 * sizeof(float)>>>(a, b, n1, n2);
}
