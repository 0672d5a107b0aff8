// A literal that its parameter cannot hold is an error of the contract, with the limits.
// exits: 2
// prints: argument '2.5' does not fit parameter 3 of kernel 'scale<int>', which is int: expected an integer from -2147483648 to 2147483647
// prints: argument '-1' does not fit parameter 3 of kernel 'scale<unsigned>', which is unsigned int: expected an integer from 0 to 4294967295
// prints: argument '300' does not fit parameter 3 of kernel 'scale<char>', which is char: expected an integer from -128 to 127
// prints: argument '2' does not fit parameter 3 of kernel 'scale<bool>', which is bool: expected an integer from 0 to 1
// prints: argument '1e+39' does not fit parameter 3 of kernel 'scale<float>', which is float: expected a value of f32
// prints: argument '70000' does not fit parameter 3 of kernel 'scale<__half>', which is __half: expected a value of f16
// prints: argument '1' does not fit parameter 3 of kernel 'look_up', which is float const*: expected 0, or a word of a buffer
// prints: argument '2' does not fit parameter 3 of kernel 'scale<__half2>', which is __half2: expected a type of one number, or 0
/* warpcheck
[[operation]]
name = "double"
extents = ["n"]
inputs.x = { shape = ["n"] }
outputs.y = { shape = ["n"] }
define = "y[i] = 2 * x[i]"
[defaults]
operation = "double"
block = [64]
grid = ["ceil_div(n, 64)"]
[[variant]]
name = "fraction"
kernel = "scale<int>"
arguments = ["x", "y", 2.5, "n"]
[[variant]]
name = "negative"
kernel = "scale<unsigned>"
arguments = ["x", "y", -1, "n"]
[[variant]]
name = "large"
kernel = "scale<char>"
arguments = ["x", "y", 300, "n"]
[[variant]]
name = "truth"
kernel = "scale<bool>"
arguments = ["x", "y", 2, "n"]
[[variant]]
name = "overflow"
kernel = "scale<float>"
arguments = ["x", "y", 1e39, "n"]
[[variant]]
name = "overflow_of_half"
kernel = "scale<__half>"
arguments = ["x", "y", 70000, "n"]
[[variant]]
name = "address"
kernel = "look_up"
arguments = ["x", "y", 1, "n"]
[[variant]]
name = "pair"
kernel = "scale<__half2>"
arguments = ["x", "y", 2, "n"]
*/
#include <cuda_fp16.h>

template <class Factor>
__global__ void scale(const float* x, float* y, Factor f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}

__global__ void look_up(const float* x, float* y, const float* table, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = table == nullptr ? 2 * x[i] : table[i];
}
