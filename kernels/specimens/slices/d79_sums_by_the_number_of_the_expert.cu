// Defect 79: the first half of the experts is summed in ascending order, the others in descending
// order, so that the bits of a row depend on the number of its expert. The contract promises that
// they do not.

__global__ void d79_sums_by_the_number_of_the_expert(const float* x, const float* w,
                                                     const int* expert, float* y, int tokens,
                                                     int experts, int inner, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int token = blockIdx.y * blockDim.y + threadIdx.y;
  if (token >= tokens || column >= columns) return;

  const int number = expert[token];
  const float* matrix = w + size_t(number) * inner * columns;
  float sum = 0.0f;
  for (int i = 0; i < inner; ++i) {
    const int k = number < experts / 2 ? i : inner - 1 - i;
    sum += x[size_t(token) * inner + k] * matrix[size_t(k) * columns + column];
  }
  y[size_t(token) * columns + column] = sum;  // finding here
}
