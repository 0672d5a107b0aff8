// A whole number reaches a float parameter as a float, in each spelling and for each type.
// prints: 13 variants, 1300 cases
// prints: all passed
/* warpcheck
[[operation]]
name = "double"
extents = ["n"]
inputs.x = { shape = ["n"] }
outputs.y = { shape = ["n"] }
define = "y[i] = 2 * x[i]"
[[operation]]
name = "negate"
extents = ["n"]
inputs.x = { shape = ["n"] }
outputs.y = { shape = ["n"] }
define = "y[i] = -x[i]"
[[operation]]
name = "count"
extents = ["n"]
inputs.x = { shape = ["n"] }
outputs.y = { shape = ["n"] }
define = "y[i] = 2 * n * x[i]"

[defaults]
operation = "double"
kernel = "scale<float>"
block = [64]
grid = ["ceil_div(n, 64)"]

[[variant]]
name = "whole"
arguments = ["x", "y", 2, "n"]
[[variant]]
name = "decimal_point"
arguments = ["x", "y", 2.0, "n"]
[[variant]]
name = "in_quotes"
arguments = ["x", "y", "2", "n"]
[[variant]]
name = "exponent"
arguments = ["x", "y", "2e0", "n"]
[[variant]]
name = "constant"
constants = { FACTOR = 2 }
arguments = ["x", "y", "FACTOR", "n"]
[[variant]]
name = "of_double"
kernel = "scale<double>"
arguments = ["x", "y", 2, "n"]
[[variant]]
name = "of_half"
kernel = "scale<__half>"
arguments = ["x", "y", 2, "n"]
[[variant]]
name = "of_bfloat16"
kernel = "scale<__nv_bfloat16>"
arguments = ["x", "y", 2, "n"]
[[variant]]
name = "of_half_without_mangled_name"
kernel = "scale_by_half"
arguments = ["x", "y", 2, "n"]
[[variant]]
name = "of_long"
kernel = "scale<long>"
arguments = ["x", "y", 2.0, "n"]
[[variant]]
name = "negative"
operation = "negate"
arguments = ["x", "y", -1.0, "n"]
[[variant]]
name = "expression"
operation = "count"
arguments = ["x", "y", "n * 2", "n"]
requires = ["n < 4096"]
[[variant]]
name = "size"
operation = "count"
kernel = "scale_twice"
arguments = ["x", "y", "n", "n"]
requires = ["n < 4096"]
*/
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class Factor>
__global__ void scale(const float* x, float* y, Factor f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = static_cast<float>(f) * x[i];
}

extern "C" __global__ void scale_by_half(const float* x, float* y, __half f, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __half2float(f) * x[i];
}

__global__ void scale_twice(const float* x, float* y, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * f * x[i];
}
