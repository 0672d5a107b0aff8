// Defect 36: the description of the operands is made in the first call and kept, as fast kernels
// keep their tensor maps. A second call with other operands reads those of the first.

struct Operands {
  const float* a;
  const float* b;
};

__device__ Operands kept;

__global__ void d36_describe_operands(const float* a, const float* b) {
  if (kept.a == nullptr) kept = {a, b};
}

__global__ void d36_pointers_of_first_call(float* c, int m, int n, int k) {
  const size_t element = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (element >= size_t(m) * n) return;
  const size_t row = element / n;
  const size_t column = element % n;
  const float* row_of_a = kept.a + row * k;
  const float* column_of_b = kept.b + column;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += row_of_a[p] * column_of_b[size_t(p) * n];
  c[element] = sum;  // finding here
}
