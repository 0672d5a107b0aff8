#include "campaign/matrices/index_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "campaign/case/operand.hpp"
#include "campaign/generate/int32_overflow_strides.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::ArgumentWord;
using contract::Contract;

using Extents = std::array<std::int64_t, 4>;  // rows, columns, the third extent, batch
constexpr std::int64_t kLong = 1 << 27;
constexpr std::int64_t kSide = 1 << 17;
constexpr std::array<Extents, 4> kLargeMatrix = {
    {{kSide, kSide, 64, 1}, {kSide, kSide, kSide, 1}, {kLong, 64, 64, 1}, {64, kLong, 64, 1}}};
constexpr std::array<Extents, 1> kLargeBatch = {{{1 << 12, 1 << 12, 1 << 12, 1 << 10}}};

std::int64_t elements_of_one(const Case& problem, Operand matrix) {
  const OperandFields& operand = fields(matrix);
  return problem.*operand.rows * (problem.*operand.columns);
}

/// Returns the first case of the domain near these extents with 2^31 elements of one matrix, or of
/// all matrices of the batch.
std::optional<Case> large_case(const Contract& contract, const Solver& solver, Operand matrix,
                               std::span<const Extents> candidates, bool counts_batch) {
  for (const Extents& extents : candidates) {
    Case target;
    target.variant = contract.name;
    target.m = target.n = target.k = extents[2];
    target.*fields(matrix).rows = extents[0];
    target.*fields(matrix).columns = extents[1];
    target.batch = contract.takes(ArgumentWord::batch) ? extents[3] : 1;
    auto found = solver.project(target);
    if (!found) continue;
    const std::int64_t count = elements_of_one(*found, matrix) * (counts_batch ? found->batch : 1);
    if (count >= kLeastOverflow) return found;
  }
  return std::nullopt;
}

/// Returns true if cases have lines so far apart that indices of the matrix overflow.
bool has_cases(const Contract& contract, Operand matrix) {
  const std::vector<Operand> operands = int32_overflow_operands(contract);
  if (std::find(operands.begin(), operands.end(), matrix) == operands.end()) return false;
  const Solver sparse(contract, static_cast<std::int64_t>(device::kMostBufferBytes));
  constexpr std::uint64_t kSeeds = 4;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    if (int32_overflow_strides(contract, sparse, matrix, seed)) return true;
  }
  return false;
}

std::string condition(Operand matrix, bool counts_batch) {
  const auto name = [](std::int64_t Case::*extent) {
    return extent == &Case::m ? "m" : extent == &Case::n ? "n" : "k";
  };
  return fmt::format("{}{} * {} < {}", counts_batch ? "batch * " : "", name(fields(matrix).rows),
                     name(fields(matrix).columns), kLeastOverflow);
}

}  // namespace

std::vector<IndexLimit> index_limits_of_product(const contract::Variant& variant,
                                                bool has_sparse_memory) {
  const Contract& contract = variant.contract;
  const std::vector<NarrowIndex> products = narrow_indices(variant);
  std::vector<NarrowIndex> spanning;
  if (contract.takes(ArgumentWord::batch)) {
    std::copy_if(products.begin(), products.end(), std::back_inserter(spanning),
                 [](const NarrowIndex& one) { return one.spans_batch; });
  }
  std::vector<IndexLimit> limits;
  for (const Operand matrix : kMatrices) {
    IndexLimit limit = limit_of(products, fields(matrix).address);
    if (limit.lines.empty()) continue;
    if (has_sparse_memory && has_cases(contract, matrix)) continue;
    const Solver solver(contract, kMostBytes);
    IndexLimit of_batch = limit_of(spanning, fields(matrix).address);
    const bool counts_batch = !of_batch.lines.empty();
    auto problem = large_case(contract, solver, matrix, kLargeMatrix, counts_batch);
    if (!problem && counts_batch) {
      problem = large_case(contract, solver, matrix, kLargeBatch, true);
      limit = std::move(of_batch);
    }
    if (!problem) continue;
    limit.operand = fields(matrix).name;
    limit.problem = std::move(*problem);
    limit.requires_ = condition(matrix, counts_batch);
    limits.push_back(std::move(limit));
  }
  return limits;
}

}  // namespace warpcheck::campaign::generate
