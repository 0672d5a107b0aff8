// A barrier comes between the zeros of a histogram and its atomics: correct.
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n", 64], integer = true, range = [0, 63] }
outputs.y = { shape = ["n", 64], integer = true }
define  = "y[i,b] = sum(j: 1 where x[i,j] == b)"
[[variant]]
name      = "barrier_between_a_store_and_an_atomic"
operation = "op"
kernel    = "k"
arguments = ["x", "y"]
block     = [64]
grid      = ["n"]
*/
__global__ void k(const int* x, int* y) {
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[x[blockIdx.x * 64 + threadIdx.x]], 1);
  __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}
