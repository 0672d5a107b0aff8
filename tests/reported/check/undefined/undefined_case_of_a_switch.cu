// A switch depends on an element of shared memory that no thread stores.
// exits: 1
// prints: loads the undefined value from 4-byte element 63 of s
// prints: error[uninitialized-read]
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n"], integer = true, range = [0, 9] }
outputs.y = { shape = ["n"], integer = true }
define  = "y[i] = select(x[i] > 3, 1, 0)"
[[variant]]
name      = "undefined_case_of_a_switch"
operation = "op"
kernel    = "k"
arguments = ["x", "y", "n"]
block     = [64]
grid      = ["ceil_div(n, 64)"]
*/
__global__ void k(const int* x, int* y, int n) {
  __shared__ int s[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n && threadIdx.x != 63) s[threadIdx.x] = x[i];
  if (i >= n) return;
  y[i] = 0;
  switch (s[threadIdx.x]) {
    case 4:
      __threadfence();
      y[i] = 1;
      break;
    case 5:
      __threadfence_block();
      y[i] = 1;
      break;
    case 6:
      __nanosleep(1);
      y[i] = 1;
      break;
    case 7:
      __threadfence_system();
      y[i] = 1;
      break;
    case 8:
      clock();
      __threadfence();
      y[i] = 1;
      break;
    case 9:
      __nanosleep(2);
      y[i] = 1;
      break;
  }
}
