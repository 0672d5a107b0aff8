/* warpcheck
[[operation]]
name    = "scale"
extents = ["count"]
inputs  = { x = { shape = ["count"] } }
outputs = { y = { shape = ["count"] } }
scalars = ["factor"]
define  = "y[i] = factor * x[i]"

[[variant]]
name      = "scale_no_guard"
operation = "scale"
kernel    = "scale"
arguments = ["x", "y", "factor", "count"]
block     = [64]
grid      = ["ceil_div(count, 64)"]
*/
__global__ void scale(const float* x, float* y, float factor, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = factor * x[i];
}
