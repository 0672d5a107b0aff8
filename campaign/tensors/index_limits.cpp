#include "campaign/tensors/index_limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "campaign/generate/tensors/overflow_strides.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using operation::Tensor;

/// Returns the elements of one matrix: the product of the last two sizes. Kernels often compute the
/// address of the matrix in 64 bits, so that only an index within it overflows.
double matrix_elements(const Case& problem, const Tensor& tensor) {
  return static_cast<double>(tensor::matrix_rows(problem, tensor)) *
         static_cast<double>(tensor::row_length(problem, tensor));
}

/// Returns a case of the domain with 2^31 elements of a matrix of the tensor, by two extents that
/// are powers of two; empty if the search finds none.
std::optional<Case> large_case(const Contract& contract, const Tensor& tensor) {
  constexpr int kBits = 31;
  if (tensor.shape.size() < 2) return std::nullopt;
  const std::string& rows = tensor.shape[tensor.shape.size() - 2];
  const std::string& columns = tensor.shape.back();
  const std::vector<std::string>& extents = contract.tensors->operation.extents;
  for (const std::string& size : {rows, columns}) {
    if (std::find(extents.begin(), extents.end(), size) == extents.end()) return std::nullopt;
  }
  for (const double others : {1.0, 64.0}) {
    Case target;
    target.variant = contract.name;
    for (const std::string& extent : extents) target.set_value(extent, others);
    for (const int bits : {16, 14, 18, 12, 20, 10, 22, 7, 25, 4, 28}) {
      Case problem = target;
      problem.set_value(rows, static_cast<double>(std::int64_t{1} << bits));
      problem.set_value(columns, static_cast<double>(std::int64_t{1} << (kBits - bits)));
      if (bits == 16) problem.set_value(columns, 0x1p16);  // equal extents may be required
      problem = normalized(contract, problem);
      const bool is_large = matrix_elements(problem, tensor) >= static_cast<double>(kLeastOverflow);
      if (is_large && !violated(contract, problem) &&
          can_be_laid_out(contract, problem, kMostBytes)) {
        return problem;
      }
    }
  }
  return std::nullopt;
}

/// Returns true if cases have rows, or matrices, so far apart that indices of the tensor overflow.
bool has_cases(const Contract& contract, const Tensor& tensor) {
  const std::vector<std::string> taken = tensor::strides_taken(contract, tensor);
  Case least;
  least.variant = contract.name;
  const auto small = Solver(contract).project(least);
  if (taken.empty() || !small) return false;
  constexpr std::uint64_t kSeeds = 4;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    if (with_overflow_stride(contract, *small, taken.back(), kBeyondInt32, seed)) return true;
  }
  return false;
}

/// The condition on one matrix, or on all matrices of the tensor.
std::string condition(const Tensor& tensor, bool counts_matrices) {
  std::vector<std::string> factors;
  const std::size_t first =
      counts_matrices || tensor.shape.size() < 2 ? 0 : tensor.shape.size() - 2;
  for (const std::string& size : std::span(tensor.shape).subspan(first)) {
    factors.push_back(size.find(' ') == std::string::npos ? size : fmt::format("({})", size));
  }
  return fmt::format("{} < {}", fmt::join(factors, " * "), kLeastOverflow);
}

}  // namespace

std::vector<IndexLimit> index_limits_of_tensors(const contract::Variant& variant,
                                                bool has_sparse_memory) {
  const Contract& contract = variant.contract;
  const std::vector<NarrowIndex> products = narrow_indices(variant);
  std::vector<IndexLimit> limits;
  for (const Tensor& tensor : contract.tensors->tensors) {
    IndexLimit limit = limit_of(products, contract::ArgumentWord::tensor, tensor.name);
    if (limit.lines.empty()) continue;
    if (has_sparse_memory && has_cases(contract, tensor)) continue;
    auto problem = large_case(contract, tensor);
    if (!problem) continue;
    limit.operand = tensor.name;
    limit.problem = std::move(*problem);
    const bool counts_matrices = std::any_of(
        products.begin(), products.end(),
        [&](const NarrowIndex& one) { return one.tensor == tensor.name && one.spans_batch; });
    limit.requires_ = condition(tensor, counts_matrices);
    limits.push_back(std::move(limit));
  }
  return limits;
}

}  // namespace warpcheck::campaign::generate
