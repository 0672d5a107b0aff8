// Elements between two scalars.
// run: init FILE
// prints: "out[i] = min(max(in_[i], lo), hi)"
__global__ void clip(const float* in, float* out, float lo, float hi, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fminf(fmaxf(in[i], lo), hi);
}
