// Defect 80: with four groups or more, each sum is that of two halves, so that groups without rows
// change the bits of the others. The contract promises that they do not.

__global__ void d80_halves_of_many_groups(const float* x, const float* w, const int* ends, float* y,
                                          int tokens, int experts, int inner, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int token = blockIdx.y * blockDim.y + threadIdx.y;
  if (token >= tokens || column >= columns) return;

  int expert = 0;
  while (expert + 1 < experts && ends[expert] <= token) ++expert;
  const float* row = x + size_t(token) * inner;
  const float* matrix = w + size_t(expert) * inner * columns;
  const int half = experts < 4 ? 0 : inner / 2;
  float first = 0.0f;
  float second = 0.0f;
  for (int k = 0; k < half; ++k) first += row[k] * matrix[size_t(k) * columns + column];
  for (int k = half; k < inner; ++k) second += row[k] * matrix[size_t(k) * columns + column];
  y[size_t(token) * columns + column] = first + second;  // finding here
}
