// How far the rounding of a sum of K products can carry it, in units of S = sum of |a_ik b_kj|.
#pragma once

#include <cstdint>

#include "reference/gemm.hpp"

namespace warpcheck::reference {

/// Roundings on the longest way from a product to the result, the product's own included: K, or,
/// where `split` partial sums of equal length are added at the end, ceil(K / split) + split - 1.
[[nodiscard]] std::int64_t longest_path(std::int64_t k, std::int64_t split);

/// The most products that are not zero in one sum, as the zeros of A's rows and B's columns have
/// it: adding zero rounds nothing, in whatever order. NaN is not zero.
[[nodiscard]] std::int64_t most_terms(const Matrix& a, const Matrix& b);

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

/// How tensor cores sum: so many products and the accumulator at a time, each cut off at
/// 2^-fraction of the largest of them, the result at 2^-result of itself.
struct TensorSums {
  int fraction_bits = 24;
  int result_bits = 23;
};

/// The coarsest of the tensor cores from sm_80 on, so that a verdict does not hang on which of them
/// ran: 24 bits for 16-bit operands and tf32, 13 for 8-bit ones (sm_89; Xie et al., "MMA-Sim",
/// 2025; Khattak and Mikaitis, 2025).
[[nodiscard]] TensorSums tensor_sums(ScalarType operand);

/// |computed - exact| <= growth S: over T = ceil(path / L) steps of L products,
///   sum over t of [(L + 1) 2^-F M_t + (2^-p + u) |s_t|],
/// M_t the largest magnitude in step t, at most the running sum and the step's products together; u
/// for one more rounding a step, where partial results are added outside. Largest over the lengths
/// L of the tensor cores, 4 to 32.
[[nodiscard]] double tensor_growth(std::int64_t path, const TensorSums& sums, double unit_roundoff);

/// Per element, absolute: the error of adding the products in ascending order of k to an
/// accumulator that starts from zero (Higham, Accuracy and Stability of Numerical Algorithms, 2002,
/// section 3.3):
///   e_k = (e_{k-1} + u |a_ik b_kj| + u |s_k|) / (1 - u) + underflow,  s_k the exact prefix sum.
/// The middle term is the rounding of the product, which a fused multiply-add does not have.
[[nodiscard]] Matrix running_error(const Matrix& a, const Matrix& b, double unit_roundoff,
                                   double underflow);

}  // namespace warpcheck::reference
