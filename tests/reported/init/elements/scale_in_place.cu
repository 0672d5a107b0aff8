// A scalar times each element, with a size of 64 bits.
// run: init FILE
// prints: "q[i] = k3 * q_before[i]"
// prints: grid      = ["ceil_div(n9, 256)"]
__global__ void f7(float* q, float k3, long n9) {
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n9) q[i] *= k3;
}
