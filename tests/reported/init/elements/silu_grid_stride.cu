// SiLU in a loop with the stride of the grid.
// run: init FILE
// prints: "outp[i] = inp[i] / (1 + exp(-inp[i]))"
// prints not: pass the same
__global__ void act_fwd(const float* __restrict__ inp, float* __restrict__ outp, const int total) {
  for (int idx = blockIdx.x * blockDim.x + threadIdx.x; idx < total;
       idx += gridDim.x * blockDim.x) {
    const float v = inp[idx];
    outp[idx] = v / (1.0f + expf(-v));
  }
}
