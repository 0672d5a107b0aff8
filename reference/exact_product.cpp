#include "reference/exact_product.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/avx2.hpp"

namespace warpcheck::reference {
namespace {

using Pack = double __attribute__((vector_size(32)));

constexpr std::int64_t kLanes = 4;
constexpr std::int64_t kPacks = 2;
constexpr std::int64_t kPanel = kLanes * kPacks;  // columns that are computed together
constexpr std::int64_t kRows = 4;                 // rows that are computed together

/// Copies columns of B one below the other, with zeros beyond the last column.
void copy_panel(const Matrix& b, std::int64_t first, std::vector<double>& panel) {
  const std::int64_t count = std::min(kPanel, b.columns - first);
  for (std::int64_t k = 0; k < b.rows; ++k) {
    const double* const from = b.values.data() + k * b.columns + first;
    double* const to = panel.data() + k * kPanel;
    for (std::int64_t j = 0; j < kPanel; ++j) to[j] = j < count ? from[j] : 0.0;
  }
}

/// Multiplies rows of A, each with `terms` elements, by a panel.
std::array<Pack, kRows * kPacks> multiplied(const std::array<const double*, kRows>& rows,
                                            const double* panel, std::int64_t terms) {
  std::array<Pack, kRows * kPacks> sums{};
  for (std::int64_t k = 0; k < terms; ++k) {
    std::array<Pack, kPacks> b;
    std::memcpy(b.data(), panel + k * kPanel, sizeof b);
    for (std::size_t i = 0; i < kRows; ++i) {
      const double a = rows[i][k];
      for (std::size_t j = 0; j < kPacks; ++j) sums[i * kPacks + j] += a * b[j];
    }
  }
  return sums;
}

void multiply(const Matrix& a, const Matrix& b, Matrix& product) {
  std::vector<double> panel(static_cast<std::size_t>(b.rows * kPanel));
  for (std::int64_t column = 0; column < b.columns; column += kPanel) {
    copy_panel(b, column, panel);
    const auto count = static_cast<std::size_t>(std::min(kPanel, b.columns - column));
    for (std::int64_t row = 0; row < a.rows; row += kRows) {
      std::array<const double*, kRows> rows{};
      for (std::int64_t i = 0; i < kRows; ++i) {  // those beyond the last one repeat it
        rows[static_cast<std::size_t>(i)] =
            a.values.data() + std::min(row + i, a.rows - 1) * a.columns;
      }
      const auto sums = multiplied(rows, panel.data(), b.rows);
      const std::int64_t valid = std::min(kRows, a.rows - row);
      for (std::int64_t i = 0; i < valid; ++i) {
        std::memcpy(product.values.data() + (row + i) * product.columns + column,
                    &sums[static_cast<std::size_t>(i * kPacks)], count * sizeof(double));
      }
    }
  }
}

WARPCHECK_FOR_AVX2 void multiply_with_avx2(const Matrix& a, const Matrix& b, Matrix& product) {
  multiply(a, b, product);
}

}  // namespace

Matrix exact_product(const Matrix& a, const Matrix& b) {
  Matrix product(a.rows, b.columns);
  cpu_has_avx2() ? multiply_with_avx2(a, b, product) : multiply(a, b, product);
  return product;
}

}  // namespace warpcheck::reference
