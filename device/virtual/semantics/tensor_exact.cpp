// The tensor-core instructions without rounding, and those of f64, which round like fma.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>

#include "base/vectorized.hpp"
#include "device/virtual/semantics/float.hpp"
#include "device/virtual/semantics/tensor.hpp"

namespace warpcheck::semantics {
namespace {

/// d(i, j) = finish(sum over k of term(a(i, k), b(k, j)), c(i, j)).
template <class T, class C, class Term, class Finish>
void sum_exactly(MmaShape shape, const T* a, const T* b, const C* c, C* d, Term term,
                 Finish finish) {
  for (int i = 0; i < shape.m; ++i) {
    for (int j = 0; j < shape.n; ++j) {
      std::int64_t sum = 0;
      for (int k = 0; k < shape.k; ++k) {
        sum += term(a[i * shape.k + k], b[k * shape.n + j]);
      }
      d[i * shape.n + j] = finish(sum + c[i * shape.n + j]);
    }
  }
}

std::int32_t wrapped(std::int64_t sum) { return static_cast<std::int32_t>(sum); }

std::int32_t limited(std::int64_t sum) {
  using Limits = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(
      std::clamp(sum, std::int64_t{Limits::min()}, std::int64_t{Limits::max()}));
}

struct IntegerProduct {
  MmaShape shape;
  const std::int32_t* a;
  const std::int32_t* b;
  const std::int32_t* c;
  std::int32_t* d;
  bool limits;
};

/// Sums eight columns in parallel, without the zeros at the end of a row of A. Elements have at
/// most 8 bits and a row has at most 64 of them, so that 32 bits hold a sum of products.
void add_integers(const IntegerProduct& call) {
  constexpr std::ptrdiff_t kAtOnce = 8;
  using ColumnSums [[gnu::vector_size(kAtOnce * 4)]] = std::int32_t;
  const std::ptrdiff_t n = call.shape.n;
  const std::ptrdiff_t k = call.shape.k;
  for (std::ptrdiff_t i = 0; i < call.shape.m; ++i) {
    const std::int32_t* const row = call.a + i * k;
    std::ptrdiff_t used = k;
    while (used != 0 && row[used - 1] == 0) --used;
    for (std::ptrdiff_t left = 0; left < n; left += kAtOnce) {
      const std::ptrdiff_t columns = std::min(kAtOnce, n - left);
      ColumnSums sum{};
      for (std::ptrdiff_t l = 0; l < used; ++l) {
        ColumnSums factors{};
        if (columns == kAtOnce) {
          std::memcpy(&factors, call.b + l * n + left, sizeof factors);
        } else {
          std::copy_n(call.b + l * n + left, columns, reinterpret_cast<std::int32_t*>(&factors));
        }
        sum += factors * row[l];
      }
      for (std::ptrdiff_t j = 0; j < columns; ++j) {
        const std::int64_t total = std::int64_t{sum[j]} + call.c[i * n + left + j];
        call.d[i * n + left + j] = call.limits ? limited(total) : wrapped(total);
      }
    }
  }
}

}  // namespace

void mma(MmaShape shape, const double* a, const double* b, const double* c, double* d) {
  for (int i = 0; i < shape.m; ++i) {
    for (int j = 0; j < shape.n; ++j) {
      double sum = c[i * shape.n + j];
      for (int k = 0; k < shape.k; ++k) sum = fma(a[i * shape.k + k], b[k * shape.n + j], sum);
      d[i * shape.n + j] = sum;
    }
  }
}

void mma(MmaShape shape, const std::int32_t* a, const std::int32_t* b, const std::int32_t* c,
         std::int32_t* d, bool satfinite) {
  const IntegerProduct call{shape, a, b, c, d, satfinite};
  vectorized([&] { add_integers(call); });
}

void mma(MmaShape shape, BitOperation operation, const std::uint32_t* a, const std::uint32_t* b,
         const std::int32_t* c, std::int32_t* d) {
  shape.k /= 32;
  const auto ones_of_xor = [](std::uint32_t x, std::uint32_t y) { return std::popcount(x ^ y); };
  const auto ones_of_and = [](std::uint32_t x, std::uint32_t y) { return std::popcount(x & y); };
  if (operation == BitOperation::exclusive_or) {
    sum_exactly(shape, a, b, c, d, ones_of_xor, wrapped);
  } else {
    sum_exactly(shape, a, b, c, d, ones_of_and, wrapped);
  }
}

}  // namespace warpcheck::semantics
