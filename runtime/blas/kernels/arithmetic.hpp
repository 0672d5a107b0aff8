// Products and solutions of packed matrices, whose columns lie one after the other.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace warpcheck::runtime {

// `Number`: float, double, std::complex of these, or std::int32_t.
template <class Number>
using Packed = std::vector<Number>;

/// The m x n product of m x k and k x n numbers. `halves`: the numbers, the products and the sums
/// are of f16.
template <class Number>
[[nodiscard]] Packed<Number> product(const Packed<Number>& a, const Packed<Number>& b,
                                     std::int64_t m, std::int64_t n, std::int64_t k,
                                     bool halves = false);

/// A triangle of n x n numbers. Only the numbers in it are used, without the diagonal if `unit`.
struct Triangle {
  std::int64_t n;
  bool lower;
  bool unit;
};

/// Replaces B, of n x columns numbers, by the solution X of A X = B. Not for std::int32_t.
template <class Number>
void solve(const Packed<Number>& a, const Triangle& triangle, Packed<Number>& b,
           std::int64_t columns);

}  // namespace warpcheck::runtime
