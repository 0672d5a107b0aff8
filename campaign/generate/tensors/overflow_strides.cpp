#include "campaign/generate/tensors/overflow_strides.hpp"

#include <algorithm>
#include <array>

#include "base/hash.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/generate/data/random_bits.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using operation::Tensor;
using random_bits::below;

constexpr std::size_t kMostPackedTensorBytes = std::size_t{1} << 29;
constexpr std::int64_t kMostBlocksOfAxis = 4096;
constexpr std::int64_t kMostScratchBytes = std::int64_t{1} << 24;

/// True if neither the launches nor the workspaces grow with the stride.
bool has_small_launches(const Contract& contract, const Case& problem) {
  const contract::Bindings names = bindings(contract, problem);
  const auto at_most = [&](const contract::Expression& expression, std::int64_t most) {
    return expression.evaluate(names).value_or(most + 1) <= most;
  };
  const bool has_small_grids = std::all_of(
      contract.launches.begin(), contract.launches.end(), [&](const contract::LaunchStep& step) {
        return std::all_of(step.grid.begin(), step.grid.end(),
                           [&](const auto& axis) { return at_most(axis, kMostBlocksOfAxis); });
      });
  return has_small_grids &&
         std::all_of(contract.workspaces.begin(), contract.workspaces.end(), [&](const auto& one) {
           return !one.bytes || at_most(*one.bytes, kMostScratchBytes);
         });
}

/// The dimension that the stride separates.
const std::string& counted_extent(const Tensor& tensor, const std::string& field) {
  const bool is_row = field == contract::stride_field(tensor.name);
  return tensor.shape[tensor.shape.size() - (is_row ? 2 : 3)];
}

const Tensor& tensor_of(const Contract& contract, const std::string& field) {
  const std::vector<Tensor>& tensors = contract.tensors->tensors;
  return *std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& tensor) {
    return field == contract::stride_field(tensor.name) ||
           field == contract::batch_stride_field(tensor.name);
  });
}

/// The distance of the first elements of the first and the last row, or matrix.
std::int64_t steps_along(const Case& problem, const Tensor& tensor, const std::string& field) {
  const bool is_row = field == contract::stride_field(tensor.name);
  std::int64_t count = 1;
  const std::size_t dimensions = tensor.shape.size() - (is_row ? 1 : 2);
  for (std::size_t i = 0; i < dimensions; ++i) {
    count *= tensor::extent(problem, tensor.shape[i]);
  }
  return count - 1;
}

bool is_possible(const Contract& contract, const Case& problem) {
  return !violated(contract, problem) && has_small_launches(contract, problem) &&
         can_be_laid_out(contract, problem, kMostPackedTensorBytes);
}

}  // namespace

std::vector<std::string> overflow_fields(const Contract& contract) {
  std::vector<std::string> fields;
  for (const Tensor& tensor : contract.tensors->tensors) {
    const std::vector<std::string> taken = tensor::strides_taken(contract, tensor);
    if (!taken.empty()) fields.push_back(taken.back());
  }
  return fields;
}

std::optional<Case> with_overflow_stride(const Contract& contract, Case small,
                                         const std::string& field, std::int64_t beyond,
                                         std::uint64_t seed) {
  const Tensor& tensor = tensor_of(contract, field);
  const std::string& extent = counted_extent(tensor, field);
  // A stride below 2^31 needs three of them for 2^32.
  constexpr std::int64_t kLeastCount = 4;
  const std::int64_t count = std::max(tensor::extent(small, extent), kLeastCount);
  small.set_value(extent, static_cast<double>(count));
  const std::int64_t steps = steps_along(small, tensor, field);
  if (steps < 1) return std::nullopt;
  const std::int64_t length = tensor::row_length(small, tensor);
  const std::int64_t chosen = (beyond - 1) / steps + 1 + below(mixed(seed), length + 8);
  for (const std::int64_t stride : {chosen, (chosen + 31) / 32 * 32}) {
    if (stride >= kBeyondInt32) continue;
    Case problem = small;
    problem.set_value(field, static_cast<double>(stride));
    tensor::reset_short_strides(contract, problem);
    problem = normalized(contract, problem);
    if (is_possible(contract, problem)) return problem;
    // `requires` may relate the strides.
    for (const std::string& other : overflow_fields(contract)) {
      problem.set_value(other, static_cast<double>(stride));
    }
    problem = normalized(contract, problem);
    if (is_possible(contract, problem)) return problem;
  }
  return std::nullopt;
}

}  // namespace warpcheck::campaign::generate
