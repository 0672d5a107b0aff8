#include "reference/product.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstring>

#include "base/vectorized.hpp"

namespace warpcheck::reference {
namespace {

constexpr std::int64_t kPacks = 2;
constexpr std::int64_t kRows = 6;                       // rows that are computed together
constexpr std::int64_t kBlock = std::int64_t{1} << 14;  // elements of rows_at_once()

/// Adds products to sums, a pack of columns at a time.
struct Plain {
  using Pack = double __attribute__((vector_size(32)));
  static void add(double a, const Pack& b, Pack& sum) { sum += a * b; }
};

#if defined(__x86_64__)
/// The same in one instruction, which gives the same result because the product is exact.
struct Avx2 {
  using Pack = Plain::Pack;
  [[gnu::target("avx2,fma")]] static void add(double a, const Pack& b, Pack& sum) {
    sum = _mm256_fmadd_pd(_mm256_set1_pd(a), b, sum);
  }
};

struct Avx512 {
  using Pack = double __attribute__((vector_size(64)));
  [[gnu::target("avx512f")]] static void add(double a, const Pack& b, Pack& sum) {
    sum = _mm512_fmadd_pd(_mm512_set1_pd(a), b, sum);
  }
};
#endif

/// Columns that are computed together.
template <class Unit>
constexpr std::int64_t kPanel = kPacks* static_cast<std::int64_t>(sizeof(typename Unit::Pack) /
                                                                  sizeof(double));

/// The columns of B in panels, each of which has its rows one below the other, with zeros beyond
/// the last column.
template <class Unit>
Values panels_of(const Matrix& b) {
  constexpr std::int64_t panel = kPanel<Unit>;
  const std::int64_t count = (b.columns + panel - 1) / panel;
  Values panels(static_cast<std::size_t>(count * b.rows * panel));
  for (std::int64_t k = 0; k < b.rows; ++k) {
    const double* const row = b.values.data() + k * b.columns;
    for (std::int64_t i = 0; i < count; ++i) {
      double* const to = panels.data() + (i * b.rows + k) * panel;
      const std::int64_t columns = std::min(panel, b.columns - i * panel);
      if (columns == panel) {
        std::memcpy(to, row + i * panel, panel * sizeof(double));
      } else {
        std::fill(std::copy_n(row + i * panel, columns, to), to + panel, 0.0);
      }
    }
  }
  return panels;
}

/// Multiplies rows of A, each with `terms` elements, by a panel.
template <class Unit>
std::array<typename Unit::Pack, kRows * kPacks> multiplied(
    const std::array<const double*, kRows>& rows, const double* panel, std::int64_t terms) {
  using Pack = typename Unit::Pack;
  std::array<Pack, kRows * kPacks> sums{};
  for (std::int64_t k = 0; k < terms; ++k) {
    std::array<Pack, kPacks> b;
    std::memcpy(b.data(), panel + k * kPanel<Unit>, sizeof b);
    for (std::size_t i = 0; i < kRows; ++i) {
      const double a = rows[i][k];
      for (std::size_t j = 0; j < kPacks; ++j) Unit::add(a, b[j], sums[i * kPacks + j]);
    }
  }
  return sums;
}

/// The first factor, and the panels of the second one.
struct Factors {
  const Matrix& a;
  const Values& panels;
  std::int64_t columns;
};

/// Computes some rows of the product.
template <class Unit>
void multiply(const Factors& factors, std::int64_t first, std::int64_t end, double* results) {
  constexpr std::int64_t width = kPanel<Unit>;
  const Matrix& a = factors.a;
  const std::int64_t terms = a.columns;
  for (std::int64_t column = 0; column < factors.columns; column += width) {
    const double* const panel = factors.panels.data() + column * terms;
    const std::int64_t columns = std::min(width, factors.columns - column);
    for (std::int64_t row = first; row < end; row += kRows) {
      std::array<const double*, kRows> rows{};
      for (std::int64_t i = 0; i < kRows; ++i) {  // those beyond the last one repeat it
        rows[static_cast<std::size_t>(i)] = a.values.data() + std::min(row + i, a.rows - 1) * terms;
      }
      const auto sums = multiplied<Unit>(rows, panel, terms);
      const std::int64_t valid = std::min(kRows, end - row);
      for (std::int64_t i = 0; i < valid; ++i) {
        double* const to = results + (row - first + i) * factors.columns + column;
        const auto* const from = &sums[static_cast<std::size_t>(i * kPacks)];
        if (columns == width) {
          std::memcpy(to, from, width * sizeof(double));
        } else {
          std::memcpy(to, from, static_cast<std::size_t>(columns) * sizeof(double));
        }
      }
    }
  }
}

#if defined(__x86_64__)
WARPCHECK_FOR_AVX2 void multiply_with_avx2(const Factors& factors, std::int64_t first,
                                           std::int64_t end, double* results) {
  multiply<Avx2>(factors, first, end, results);
}

WARPCHECK_FOR_AVX512 void multiply_with_avx512(const Factors& factors, std::int64_t first,
                                               std::int64_t end, double* results) {
  multiply<Avx512>(factors, first, end, results);
}
#endif

Values panels_of_factor(const Matrix& b) {
#if defined(__x86_64__)
  if (cpu_has_avx512()) return panels_of<Avx512>(b);
#endif
  return panels_of<Plain>(b);
}

}  // namespace

MatrixProduct::MatrixProduct(const Matrix& a, const Matrix& b)
    : a_(a), columns_(b.columns), panels_(panels_of_factor(b)) {}

std::int64_t MatrixProduct::rows_at_once() const {
  return std::max(kRows, kBlock / std::max<std::int64_t>(columns_, 1) / kRows * kRows);
}

void MatrixProduct::rows(std::int64_t first, std::int64_t end, double* results) const {
  const Factors factors{a_, panels_, columns_};
#if defined(__x86_64__)
  if (cpu_has_avx512()) return multiply_with_avx512(factors, first, end, results);
  if (cpu_has_avx2()) return multiply_with_avx2(factors, first, end, results);
#endif
  multiply<Plain>(factors, first, end, results);
}

}  // namespace warpcheck::reference
