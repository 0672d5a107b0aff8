// A volatile first read of a loop of a compare-and-swap is no race.
// prints not: error[race]
/* warpcheck
[[operation]]
name    = "peak"
extents = ["n"]
inputs.x  = { shape = ["n"], finite = true }
inputs.c  = { shape = [1], finite = true }
outputs.y = { shape = [1], updates = "c" }
define  = "y[i] = max(c[i], max(j: x[j]))"
[[variant]]
name      = "peak"
operation = "peak"
kernel    = "peak"
arguments = ["x", "y", "n"]
block     = [64]
grid      = [1]
requires  = ["n <= 64", "n >= 1"]
*/
__device__ void atomic_max(
    float* at, float v) {  // the loop of the CUDA C++ Programming Guide, section Atomic Functions
  int* word = (int*)at;
  int old = *(volatile int*)word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __float_as_int(fmaxf(v, __int_as_float(assumed))));
  } while (assumed != old);
}
__global__ void peak(const float* x, float* y, int n) {
  if (threadIdx.x < n) atomic_max(y, x[threadIdx.x]);
}
