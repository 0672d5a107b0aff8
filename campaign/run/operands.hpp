// The values of a case's operands.
#pragma once

#include <cstdint>

#include "campaign/case/case.hpp"
#include "campaign/generate/data/ranges.hpp"
#include "campaign/generate/data/tensor_data.hpp"
#include "contract/contract.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::campaign::run {

/// Values of the storage types. The rows of the matrices of a batch follow one another.
struct Operands {
  reference::Matrix a;                  // batch m x k
  reference::Matrix b;                  // batch k x n
  reference::Matrix c;                  // batch m x n; without rows if the kernel may not read C
  reference::Matrix bias = {};          // 1 x n; empty if the contract has none
  generate::TensorValues tensors = {};  // inputs of another operation than gemm
};

[[nodiscard]] generate::DataTypes data_types(const contract::Contract& contract);

/// Returns the case of one product of a batch. Its data has a seed of its own; product 0 has the
/// seed of the batch.
[[nodiscard]] Case product_of(const Case& problem, std::int64_t number);

/// Returns the operands for the recipe and the seed of a case. Operands that the kernel multiplies
/// by alpha = 0 or beta = 0, as the contract states, are small integers.
[[nodiscard]] Operands operands(const contract::Contract& contract, const Case& problem);

/// Returns some rows of a matrix.
[[nodiscard]] reference::Matrix rows_of(const reference::Matrix& matrix, std::int64_t first,
                                        std::int64_t count);

}  // namespace warpcheck::campaign::run
