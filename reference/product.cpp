#include "reference/product.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstring>

#include "base/avx2.hpp"

namespace warpcheck::reference {
namespace {

using Pack = double __attribute__((vector_size(32)));

constexpr std::int64_t kLanes = 4;
constexpr std::int64_t kPacks = 2;
constexpr std::int64_t kPanel = kLanes * kPacks;        // columns that are computed together
constexpr std::int64_t kRows = 6;                       // rows that are computed together
constexpr std::int64_t kBlock = std::int64_t{1} << 15;  // elements of the rows that are finished
                                                        // together, which a cache holds

/// The columns of B in panels, each of which has its rows one below the other, with zeros beyond
/// the last column.
Values panels_of(const Matrix& b) {
  const std::int64_t count = (b.columns + kPanel - 1) / kPanel;
  Values panels(static_cast<std::size_t>(count * b.rows * kPanel));
  for (std::int64_t k = 0; k < b.rows; ++k) {
    const double* const row = b.values.data() + k * b.columns;
    for (std::int64_t i = 0; i < count; ++i) {
      double* const to = panels.data() + (i * b.rows + k) * kPanel;
      const std::int64_t columns = std::min(kPanel, b.columns - i * kPanel);
      if (columns == kPanel) {
        std::memcpy(to, row + i * kPanel, kPanel * sizeof(double));
      } else {
        std::fill(std::copy_n(row + i * kPanel, columns, to), to + kPanel, 0.0);
      }
    }
  }
  return panels;
}

/// Adds a product to a sum.
struct MultiplyAdd {
  static void add(double a, const Pack& b, Pack& sum) { sum += a * b; }
};

/// The same in one instruction, which gives the same result because the product is exact.
struct FusedMultiplyAdd {
#if defined(__x86_64__)
  [[gnu::target("avx2,fma")]] static void add(double a, const Pack& b, Pack& sum) {
    sum = _mm256_fmadd_pd(_mm256_set1_pd(a), b, sum);
  }
#endif
};

/// Multiplies rows of A, each with `terms` elements, by a panel.
template <class Add>
std::array<Pack, kRows * kPacks> multiplied(const std::array<const double*, kRows>& rows,
                                            const double* panel, std::int64_t terms) {
  std::array<Pack, kRows * kPacks> sums{};
  for (std::int64_t k = 0; k < terms; ++k) {
    std::array<Pack, kPacks> b;
    std::memcpy(b.data(), panel + k * kPanel, sizeof b);
    for (std::size_t i = 0; i < kRows; ++i) {
      const double a = rows[i][k];
      for (std::size_t j = 0; j < kPacks; ++j) Add::add(a, b[j], sums[i * kPacks + j]);
    }
  }
  return sums;
}

/// Computes some rows of the product.
template <class Add>
void multiply(const Matrix& a, const Values& panels, std::int64_t first, std::int64_t end,
              Matrix& product) {
  const std::int64_t terms = a.columns;
  for (std::int64_t column = 0; column < product.columns; column += kPanel) {
    const double* const panel = panels.data() + column * terms;
    const std::int64_t columns = std::min(kPanel, product.columns - column);
    for (std::int64_t row = first; row < end; row += kRows) {
      std::array<const double*, kRows> rows{};
      for (std::int64_t i = 0; i < kRows; ++i) {  // those beyond the last one repeat it
        rows[static_cast<std::size_t>(i)] = a.values.data() + std::min(row + i, a.rows - 1) * terms;
      }
      const auto sums = multiplied<Add>(rows, panel, terms);
      const std::int64_t valid = std::min(kRows, end - row);
      for (std::int64_t i = 0; i < valid; ++i) {
        double* const to = product.values.data() + (row + i) * product.columns + column;
        const Pack* const from = &sums[static_cast<std::size_t>(i * kPacks)];
        if (columns == kPanel) {
          std::memcpy(to, from, kPanel * sizeof(double));
        } else {
          std::memcpy(to, from, static_cast<std::size_t>(columns) * sizeof(double));
        }
      }
    }
  }
}

#if defined(__x86_64__)
WARPCHECK_FOR_AVX2 void multiply_with_avx2(const Matrix& a, const Values& panels,
                                           std::int64_t first, std::int64_t end, Matrix& product) {
  multiply<FusedMultiplyAdd>(a, panels, first, end, product);
}
#else
constexpr auto multiply_with_avx2 = multiply<MultiplyAdd>;
#endif

}  // namespace

Matrix product(const Matrix& a, const Matrix& b, const FinishRow& finish) {
  Matrix product = Matrix::uninitialized(a.rows, b.columns);
  const Values panels = panels_of(b);
  const std::int64_t at_once =
      std::max(kRows, kBlock / std::max<std::int64_t>(b.columns, 1) / kRows * kRows);
  for (std::int64_t first = 0; first < a.rows; first += at_once) {
    const std::int64_t end = std::min(first + at_once, a.rows);
    cpu_has_avx2() ? multiply_with_avx2(a, panels, first, end, product)
                   : multiply<MultiplyAdd>(a, panels, first, end, product);
    for (std::int64_t row = first; finish && row < end; ++row) {
      finish(row, std::span(product.values)
                      .subspan(static_cast<std::size_t>(row * b.columns),
                               static_cast<std::size_t>(b.columns)));
    }
  }
  return product;
}

}  // namespace warpcheck::reference
