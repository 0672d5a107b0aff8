// How far the rounding of a sum of K products can carry it, in units of S = sum of |a_ik b_kj|.
#pragma once

#include <cstdint>

#include "reference/gemm.hpp"

namespace warpcheck::reference {

/// Roundings on the longest way from a product to the result, the product's own included: K, or,
/// where `split` partial sums of equal length are added at the end, ceil(K / split) + split - 1.
[[nodiscard]] std::int64_t longest_path(std::int64_t k, std::int64_t split);

/// |computed - exact| <= path u S for any order of summation, fused or not, rounding to nearest
/// (Jeannerod and Rump, Improved error bounds for inner products in floating-point arithmetic,
/// 2013).
[[nodiscard]] double any_order_growth(std::int64_t path, double unit_roundoff);

/// |computed - exact| <= (exp(lambda sqrt(path) u + path u^2 / (1 - u)) - 1) S for all `terms` = M
/// N K roundings at once, except with probability `failure`, where the rounding errors are
/// independent and of mean zero: lambda = sqrt(2 ln(2 terms / failure)) (Higham and Mary, A new
/// approach to probabilistic rounding error analysis, 2019).
[[nodiscard]] double statistical_growth(std::int64_t path, double terms, double failure,
                                        double unit_roundoff);

/// Per element, absolute: the error of adding the products in ascending order of k to an
/// accumulator that starts from zero (Higham, Accuracy and Stability of Numerical Algorithms, 2002,
/// section 3.3):
///   e_k = (e_{k-1} + u |a_ik b_kj| + u |s_k|) / (1 - u) + underflow,  s_k the exact prefix sum.
/// The middle term is the rounding of the product, which a fused multiply-add does not have.
[[nodiscard]] Matrix running_error(const Matrix& a, const Matrix& b, double unit_roundoff,
                                   double underflow);

}  // namespace warpcheck::reference
