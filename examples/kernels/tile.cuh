#pragma once

constexpr int kTile = 16;

// Returns element (row, column) of a row-major rows x columns matrix, or zero outside of it.
template <typename T>
__device__ T element_or_zero(const T* matrix, int row, int column, int rows, int columns) {
  if (row < rows && column < columns) return matrix[size_t(row) * columns + column];
  return T(0.0f);
}
