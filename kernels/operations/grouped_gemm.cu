// Each row of x times the matrix of its expert: element by element, and with tiles of rows that
// have sorted experts.
/* warpcheck
[[operation]]
name    = "expert_gemm"
extents = ["tokens", "experts", "inner", "columns"]
inputs.x      = { shape = ["tokens", "inner"] }
inputs.w      = { shape = ["experts", "inner", "columns"] }
inputs.expert = { shape = ["tokens"], integer = true }
outputs.y = { shape = ["tokens", "columns"] }
define  = "y[t,n] = sum(k: x[t,k] * w[expert[t], k, n])"

[defaults]
operation = "expert_gemm"
arguments = ["x", "w", "expert", "y", "tokens", "inner", "columns"]
requires  = ["tokens <= 65535"]

[[variant]]
name   = "expert_gemm_elements"
kernel = "expert_gemm_elements"
block  = [64]
grid   = ["ceil_div(columns, 64)", "tokens"]

[[variant]]
name   = "expert_gemm_rows_in_shared_memory"
kernel = "expert_gemm_rows_in_shared_memory"
block  = [64]
grid   = ["ceil_div(columns, 64)", "tokens"]
*/

__global__ void expert_gemm_elements(const float* x, const float* w, const int* expert, float* y,
                                     int tokens, int inner, int columns) {
  const int column = blockIdx.x * 64 + threadIdx.x;
  const int token = blockIdx.y;
  if (column >= columns) return;
  const float* matrix = w + static_cast<size_t>(expert[token]) * inner * columns;
  float sum = 0.0f;
  for (int k = 0; k < inner; ++k) {
    sum += x[static_cast<size_t>(token) * inner + k] *
           matrix[static_cast<size_t>(k) * columns + column];
  }
  y[static_cast<size_t>(token) * columns + column] = sum;
}

__global__ void expert_gemm_rows_in_shared_memory(const float* x, const float* w, const int* expert,
                                                  float* y, int tokens, int inner, int columns) {
  __shared__ float part[64];
  const int column = blockIdx.x * 64 + threadIdx.x;
  const int token = blockIdx.y;
  const float* matrix = w + static_cast<size_t>(expert[token]) * inner * columns;
  float sum = 0.0f;
  for (int begin = 0; begin < inner; begin += 64) {
    const int k = begin + threadIdx.x;
    part[threadIdx.x] = k < inner ? x[static_cast<size_t>(token) * inner + k] : 0.0f;
    __syncthreads();
    const int end = min(64, inner - begin);
    for (int i = 0; i < end && column < columns; ++i) {
      sum += part[i] * matrix[static_cast<size_t>(begin + i) * columns + column];
    }
    __syncthreads();
  }
  if (column < columns) y[static_cast<size_t>(token) * columns + column] = sum;
}
