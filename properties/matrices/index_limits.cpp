#include "properties/matrices/index_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "device/device.hpp"
#include "properties/case/operand.hpp"
#include "properties/generate/int32_overflow_strides.hpp"
#include "properties/generate/sampling/solver.hpp"

namespace warpcheck::properties::generate {
namespace {

using contract::ArgumentWord;
using contract::Contract;

std::int64_t elements(const Case& problem, Operand matrix) {
  const OperandFields& operand = fields(matrix);
  return problem.batch * (problem.*operand.rows) * (problem.*operand.columns);
}

/// Returns a case of the domain with 2^31 elements of a matrix.
std::optional<Case> large_case(const Contract& contract, const Solver& solver, Operand matrix) {
  using Extents = std::array<std::int64_t, 4>;  // rows, columns, the third extent, batch
  constexpr std::int64_t kLong = 1 << 27;
  constexpr std::int64_t kSide = 1 << 17;
  for (const Extents& extents :
       {Extents{kSide, kSide, 64, 1}, Extents{kSide, kSide, kSide, 1}, Extents{kLong, 64, 64, 1},
        Extents{64, kLong, 64, 1}, Extents{1 << 12, 1 << 12, 1 << 12, 1 << 10}}) {
    Case target;
    target.variant = contract.name;
    target.m = target.n = target.k = extents[2];
    target.*fields(matrix).rows = extents[0];
    target.*fields(matrix).columns = extents[1];
    target.batch = contract.takes(ArgumentWord::batch) ? extents[3] : 1;
    auto found = solver.project(target);
    if (found && elements(*found, matrix) >= kLeastOverflow) return found;
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

std::string condition(const Contract& contract, Operand matrix) {
  const auto name = [](std::int64_t Case::*extent) {
    return extent == &Case::m ? "m" : extent == &Case::n ? "n" : "k";
  };
  return fmt::format("{}{} * {} < {}", contract.takes(ArgumentWord::batch) ? "batch * " : "",
                     name(fields(matrix).rows), name(fields(matrix).columns), kLeastOverflow);
}

}  // namespace

std::vector<IndexLimit> index_limits_of_product(const contract::Variant& variant,
                                                bool has_sparse_memory) {
  const Contract& contract = variant.contract;
  const std::vector<NarrowIndex> products = narrow_indices(variant);
  std::vector<IndexLimit> limits;
  for (const Operand matrix : kMatrices) {
    IndexLimit limit = limit_of(products, fields(matrix).address);
    if (limit.lines.empty()) continue;
    if (has_sparse_memory && has_cases(contract, matrix)) continue;
    auto problem = large_case(contract, Solver(contract, kMostBytes), matrix);
    if (!problem) continue;
    limit.operand = fields(matrix).name;
    limit.problem = std::move(*problem);
    limit.requires_ = condition(contract, matrix);
    limits.push_back(std::move(limit));
  }
  return limits;
}

}  // namespace warpcheck::properties::generate
