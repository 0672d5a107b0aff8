// Products of matrices in double.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "reference/gemm.hpp"

namespace warpcheck::reference {

using FinishRow = std::function<void(std::int64_t number, std::span<double> row)>;

/// Returns A B. Each product of two elements must be a double, as those of f32 are. The products of
/// each element are added in ascending order of k, in double, so that the result does not depend on
/// the CPU. Calls finish() with each row when its sums are complete.
[[nodiscard]] Matrix product(const Matrix& a, const Matrix& b, const FinishRow& finish = {});

}  // namespace warpcheck::reference
