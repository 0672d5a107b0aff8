// Bias and ReLU in place, a thread for each element of all rows.
// run: init FILE
// prints: "data[i,j] = max(data_before[i,j] + b[j], 0)"
// prints: grid      = ["ceil_div(R * C, 256)"]
__global__ void fused(float* data, const float* b, int R, int C) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < R * C) {
    float t = data[i] + b[i % C];
    data[i] = t > 0 ? t : 0;
  }
}
