// Bounds of the rounding error of a sum of K products, in units of S = sum of |a_ik b_kj|.
#pragma once

#include <cstdint>

#include "reference/gemm.hpp"

namespace warpcheck::reference {

/// The number of roundings on the longest path from a product to the result, the rounding of the
/// product included: K, or ceil(K / split) + split - 1 where `split` partial sums of equal length
/// are added at the end.
[[nodiscard]] std::int64_t longest_path(std::int64_t k, std::int64_t split);

/// The largest number of nonzero products in one sum, by the zeros in the rows of A and the columns
/// of B. Adding zero rounds nothing, in any order. NaN is not zero.
[[nodiscard]] std::int64_t most_terms(const Matrix& a, const Matrix& b);

/// |computed - exact| <= path u S for any order of summation, fused or not, rounding to nearest
/// (Jeannerod and Rump, Improved error bounds for inner products in floating-point arithmetic,
/// 2013).
[[nodiscard]] double any_order_growth(std::int64_t path, double unit_roundoff);

/// |computed - exact| <= (exp(lambda sqrt(path) u + path u^2 / (1 - u)) - 1) S for all `terms` = M
/// N K roundings at once, except with probability `failure`, if the rounding errors are independent
/// and have mean zero: lambda = sqrt(2 ln(2 terms / failure)) (Higham and Mary, A new
/// approach to probabilistic rounding error analysis, 2019).
[[nodiscard]] double statistical_growth(std::int64_t path, double terms, double failure,
                                        double unit_roundoff);

/// The summation of tensor cores. One step adds several products and the accumulator: it truncates
/// each of them at 2^-fraction_bits of the largest one, and the result at 2^-result_bits of itself.
struct TensorSums {
  int fraction_bits = 24;
  int result_bits = 23;
};

/// The coarsest tensor cores since sm_80, so that a verdict does not depend on the architecture:
/// 24 bits for 16-bit operands and tf32, 13 bits for 8-bit operands (sm_89; Xie et al., "MMA-Sim",
/// 2025; Khattak and Mikaitis, 2025).
[[nodiscard]] TensorSums tensor_sums(ScalarType operand);

/// |computed - exact| <= growth S: over T = ceil(path / L) steps of L products,
///   sum over t of [(L + 1) 2^-F M_t + (2^-p + u) |s_t|],
/// where M_t is the largest magnitude in step t, at most the running sum plus the products of the
/// step. u is one more rounding per step, for kernels that add partial results outside. The result
/// is the maximum over the lengths L of the tensor cores, 4 to 32.
[[nodiscard]] double tensor_growth(std::int64_t path, const TensorSums& sums, double unit_roundoff);

/// The same for `terms` nonzero products among any number of zeros, with which kernels fill tiles:
/// each of T <= `terms` steps has at least one of them, so that the sum of L_t is `terms`.
[[nodiscard]] double sparse_tensor_growth(double terms, const TensorSums& sums,
                                          double unit_roundoff);

/// The absolute error bound of each element when the products are added in ascending order of k to
/// an accumulator that starts from zero (Higham, Accuracy and Stability of Numerical Algorithms,
/// 2002, section 3.3):
///   e_k = (e_{k-1} + u |a_ik b_kj| + u |s_k|) / (1 - u) + underflow,
/// where s_k is the exact prefix sum. The middle term is the rounding of the product, which a fused
/// multiply-add omits.
[[nodiscard]] Matrix running_error(const Matrix& a, const Matrix& b, double unit_roundoff,
                                   double underflow, Vectors vectors = widest_vectors());

}  // namespace warpcheck::reference
