// The names of parameters have no meaning.
// run: init FILE
// prints: "b2[i] = w * a1[i] + b2_before[i]"
// prints not: requires
__global__ void q17(int z, float w, const float* a1, float* b2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < z) b2[i] = w * a1[i] + b2[i];
}
