// The position of the next larger element of each one, by a stack of the elements that have not met
// theirs: 32 places, which a row in descending order exceeds.
__global__ void stack_of_32(const float* x, float* next, int rows, int columns) {  // finding here
  const int row = blockIdx.x * 32 + threadIdx.x;
  if (row >= rows) return;
  const float* from = x + static_cast<size_t>(row) * columns;
  float* to = next + static_cast<size_t>(row) * columns;
  __shared__ int stack[32][32];
  int* const open = stack[threadIdx.x];
  int count = 0;
  for (int j = 0; j < columns; ++j) {
    while (count > 0 && from[j] > from[open[count - 1]]) to[open[--count]] = j;
    if (count < 32) open[count++] = j;
  }
  while (count > 0) to[open[--count]] = columns;
}
