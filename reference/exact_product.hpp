// Products of matrices whose sums do not round.
#pragma once

#include "reference/gemm.hpp"

namespace warpcheck::reference {

/// Returns A B, the products of each element added in double. Faster than Eigen on small matrices.
/// The order of the sums is not that of Eigen: where no sum rounds, the results are the same.
[[nodiscard]] Matrix exact_product(const Matrix& a, const Matrix& b);

}  // namespace warpcheck::reference
