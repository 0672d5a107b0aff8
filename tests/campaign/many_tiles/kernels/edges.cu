// Tiles of 16 x 16 for every shape. Each defect needs one long extent.
enum class Defect {
  none,
  columns_beyond_3000,
  rows_beyond_3333,
  exactly_1000_terms,
  columns_from_4096
};

template <Defect D>
__global__ void edges(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  if (row >= m || column >= n) return;
  int terms = k;
  if (D == Defect::columns_beyond_3000 && column > 3000 && k > 0) terms = k - 1;
  if (D == Defect::rows_beyond_3333 && row > 3333 && k > 0) terms = k - 1;
  if (D == Defect::exactly_1000_terms && k == 1000) terms = k - 1;
  if (D == Defect::columns_from_4096 && n >= 4096 && k > 0) terms = k - 1;
  float sum = 0.0f;
  for (int p = 0; p < terms; ++p) sum += a[(size_t)row * k + p] * b[(size_t)p * n + column];
  c[(size_t)row * n + column] = sum;
}
