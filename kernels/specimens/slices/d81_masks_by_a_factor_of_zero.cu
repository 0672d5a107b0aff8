// Defect 81: elements behind the length of a row are multiplied by 0 instead of left out, so that a
// NaN or an infinity there makes the sum NaN.

__global__ void d81_masks_by_a_factor_of_zero(const float* x, const int* length, float* y, int rows,
                                              int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;

  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) {
    const float mask = j < length[row] ? 1.0f : 0.0f;
    sum += mask * x[size_t(row) * columns + j];
  }
  y[row] = sum;  // finding here
}
