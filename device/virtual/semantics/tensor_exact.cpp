// The tensor-core instructions without rounding, and f64, which rounds like fma.
#include <algorithm>
#include <bit>
#include <limits>

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
  const auto product = [](std::int32_t x, std::int32_t y) { return std::int64_t{x} * y; };
  sum_exactly(shape, a, b, c, d, product, satfinite ? limited : wrapped);
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
