#include "campaign/generate/int32_overflow_strides.hpp"

#include <algorithm>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/generate/sampling/rng.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using Field = std::int64_t Case::*;

constexpr std::int64_t kOverflow = std::int64_t{1} << 31;  // exceeds an int32
constexpr std::size_t kMostPackedBytes = std::size_t{1} << 30;
constexpr std::int64_t kMostBlocksPerAxis = 4096;
constexpr std::int64_t kMostWorkspaceBytes = std::int64_t{1} << 24;

/// Returns true if neither the launches nor the workspaces grow with the leading dimension.
bool is_small(const Contract& contract, const Case& problem) {
  const contract::Bindings names = bindings(contract, problem);
  const auto at_most = [&](const contract::Expression& expression, std::int64_t most) {
    return expression.evaluate(names).value_or(most + 1) <= most;
  };
  for (const contract::LaunchStep& step : contract.launches) {
    for (const contract::Expression& axis : step.grid) {
      if (!at_most(axis, kMostBlocksPerAxis)) return false;
    }
  }
  return std::all_of(contract.workspaces.begin(), contract.workspaces.end(),
                     [&](const contract::Workspace& workspace) {
                       return !workspace.bytes || at_most(*workspace.bytes, kMostWorkspaceBytes);
                     });
}

/// Returns the extent of a matrix that counts its lines.
Field line_count(const Contract& contract, const Case& problem, Operand matrix) {
  const bool by_row = layout_of(contract, problem, matrix) == contract::Layout::row;
  return by_row ? fields(matrix).rows : fields(matrix).columns;
}

/// Returns the stride of a matrix whose multiples can overflow: that of a batch, if the kernel
/// takes it, because it is the larger one.
const StrideField& longest_stride(const Contract& contract, Operand matrix) {
  const OperandFields& operand = fields(matrix);
  return operand.batch_stride.taken_by(contract) ? operand.batch_stride : operand.leading_dimension;
}

/// Returns the extent that counts what the stride separates: matrices of a batch, or lines.
Field count_of(const Contract& contract, const Case& problem, const StrideField& stride) {
  return stride.kind == StrideField::Kind::batch_stride
             ? &Case::batch
             : line_count(contract, problem, stride.operand);
}

/// Returns a case of the domain with a few short lines, or a few small matrices.
std::optional<Case> small_case(const Contract& contract, const Solver& solver,
                               const StrideField& stride, Rng& rng) {
  Case problem;
  problem.variant = contract.name;
  for (const Field extent : {&Case::m, &Case::n, &Case::k}) problem.*extent = rng.between(2, 6);
  problem.ta = rng.below(2) != 0 && contract.takes(ArgumentWord::ta);
  problem.tb = rng.below(2) != 0 && contract.takes(ArgumentWord::tb);
  if (contract.takes(ArgumentWord::beta)) problem.beta = static_cast<double>(rng.below(2));
  problem.*count_of(contract, problem, stride) = rng.between(2, 4);
  return solver.project(problem);
}

/// Returns the case with this stride of each matrix: `requires` may relate them.
Case with_all_strides(Case problem, StrideField::Kind kind, std::int64_t value) {
  for (const Operand matrix : {Operand::a, Operand::b, Operand::c}) {
    const OperandFields& operand = fields(matrix);
    const bool is_batch = kind == StrideField::Kind::batch_stride;
    problem.*(is_batch ? operand.batch_stride : operand.leading_dimension).field = value;
  }
  return problem;
}

}  // namespace

std::vector<Operand> int32_overflow_operands(const Contract& contract) {
  std::vector<Operand> operands;
  for (const StrideField& stride : stride_fields(contract)) {
    const bool is_longest = longest_stride(contract, stride.operand).kind == stride.kind;
    if (is_longest && stride.taken_by(contract)) operands.push_back(stride.operand);
  }
  return operands;
}

std::optional<Case> int32_overflow_strides(const Contract& contract, const Solver& solver,
                                           Operand matrix, std::uint64_t seed) {
  Rng rng(seed);
  const StrideField& stride = longest_stride(contract, matrix);
  std::optional<Case> problem = small_case(contract, solver, stride, rng);
  if (!problem) return std::nullopt;
  problem->seed = seed % 1'000'000;

  const std::int64_t count = (*problem).*count_of(contract, *problem, stride);
  const std::int64_t length = line_length(contract, *problem, matrix);
  const std::int64_t tight = stride.tight(contract, *problem);
  if (count < 2 || length < 1) return std::nullopt;
  const std::int64_t least = (kOverflow - length) / (count - 1) + 1;
  const std::int64_t span =
      rng.one_in(3) ? kOverflow - least : std::min(kOverflow - least, length + 1);
  if (span < 1) return std::nullopt;
  const std::int64_t chosen = rng.between(least, least + span - 1);
  for (const std::int64_t candidate : {chosen, (chosen + 31) / 32 * 32}) {
    if (candidate >= kOverflow || candidate < tight) continue;
    (*problem).*stride.field = candidate;
    const std::optional<Case> found =
        violated(contract, *problem)
            ? solver.project(with_all_strides(*problem, stride.kind, candidate))
            : problem;
    const std::int64_t value = found ? (*found).*stride.field : 0;
    if (value >= least && value < kOverflow && is_small(contract, *found) &&
        can_be_laid_out(contract, *found, kMostPackedBytes)) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace warpcheck::campaign::generate
