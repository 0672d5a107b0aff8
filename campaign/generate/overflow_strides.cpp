#include "campaign/generate/overflow_strides.hpp"

#include <algorithm>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/generate/sampling/rng.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using contract::Expression;
using Kind = CaseField::Kind;

constexpr std::size_t kMostPackedBytes = std::size_t{1} << 30;
constexpr std::int64_t kMostBlocksPerAxis = 4096;
constexpr std::int64_t kMostWorkspaceBytes = std::int64_t{1} << 24;

/// Returns true if neither the launches nor the workspaces grow with the stride.
bool is_small(const Contract& contract, const Case& problem) {
  const contract::Bindings names = bindings(contract, problem);
  const auto at_most = [&](const Expression& expression, std::int64_t most) {
    return expression.evaluate(names).value_or(most + 1) <= most;
  };
  for (const contract::LaunchStep& step : contract.launches) {
    for (const Expression& axis : step.grid) {
      if (!at_most(axis, kMostBlocksPerAxis)) return false;
    }
  }
  return std::all_of(contract.workspaces.begin(), contract.workspaces.end(),
                     [&](const contract::Workspace& workspace) {
                       return !workspace.bytes || at_most(*workspace.bytes, kMostWorkspaceBytes);
                     });
}

/// The strides of an operand that may be its longest ones: with several orders in memory, each that
/// the kernel takes; otherwise the last one of these.
std::vector<std::size_t> longest_strides(const OperandShape& operand) {
  std::vector<std::size_t> longest;
  for (std::size_t i = operand.strides.size(); i-- > 0;) {
    const bool is_counted = longest.empty() || operand.order_field.has_value();
    if (operand.strides[i].field && is_counted) longest.push_back(i);
  }
  return longest;
}

/// One of them, and the dimensions that it separates.
class LongestStride {
 public:
  LongestStride(const CaseSchema& schema, const OperandShape& operand, std::size_t stride)
      : operand_(operand),
        stride_(operand.strides[stride]),
        field_(schema.fields[*stride_.field]) {}

  [[nodiscard]] const CaseField& field() const { return field_; }
  [[nodiscard]] bool is_possible() const { return operand_.dimensions.size() > stride_.within; }

  /// The dimension of which the stride is.
  [[nodiscard]] const Expression& counted() const { return operand_.dimensions[dimension()]; }

  /// The strides from the first line, or matrix, to the last one.
  [[nodiscard]] std::int64_t steps(const contract::Bindings& names) const {
    std::int64_t count = 1;
    const std::size_t first = operand_.order_field ? dimension() : 0;
    for (std::size_t i = first; i + stride_.within < operand_.dimensions.size(); ++i) {
      count *= operand_.dimensions[i].evaluate(names).value_or(0);
    }
    return count - 1;
  }

  [[nodiscard]] std::int64_t line_length(const contract::Bindings& names) const {
    return operand_.dimensions.back().evaluate(names).value_or(0);
  }

  /// Sets an order in which no other stride is longer.
  void set_order(const CaseSchema& schema, Case& problem) const {
    if (!operand_.order_field) return;
    const CaseField& field = schema.fields[*operand_.order_field];
    std::int64_t number = 0;
    while (field.orders.order(number).front() != dimension()) ++number;
    field.set(problem, number);
  }

 private:
  [[nodiscard]] std::size_t dimension() const {
    return operand_.dimensions.size() - stride_.within - 1;
  }

  const OperandShape& operand_;
  const OperandShape::Stride& stride_;
  const CaseField& field_;
};

/// Returns a case of the domain with a few short lines, or a few small matrices.
std::optional<Case> small_case(const Contract& contract, const Solver& solver,
                               const LongestStride& stride, std::int64_t least, Rng& rng) {
  const auto counted = stride.counted().names();
  Case problem;
  problem.variant = contract.name;
  for (const CaseField& field : solver.schema().fields) {
    const bool is_size = field.kind == Kind::extent || field.kind == Kind::batch;
    if (is_size && counted.contains(field.name)) {
      field.set(problem, rng.between(least, least + 2));
    } else if (field.kind == Kind::extent) {
      field.set(problem, rng.between(2, 6));
    } else if (field.kind == Kind::transposition && field.is_taken) {
      field.set(problem, rng.between(0, 1));
    } else if (field.kind == Kind::factor && field.is_taken && field.default_number == 0.0) {
      field.set(problem, rng.between(0, 1));
    }
  }
  stride.set_order(solver.schema(), problem);
  return solver.project(problem);
}

/// Returns the case with this value of each stride of a kind: `requires` may relate them.
Case with_all_strides(const CaseSchema& schema, Case problem, Kind kind, std::int64_t value) {
  for (const CaseField& field : schema.fields) {
    if (field.kind == kind) field.set(problem, value);
  }
  return problem;
}

/// Returns true if the kernel may take each stride as an int: `requires`, or a tight batch stride,
/// may make another one longer than the one that is chosen.
bool has_strides_of_an_int(const Contract& contract, const CaseSchema& schema,
                           const Case& problem) {
  return std::all_of(schema.fields.begin(), schema.fields.end(), [&](const CaseField& field) {
    if (!field.is_stride() || !field.is_taken) return true;
    return std::max(field.get(problem), tight_stride(contract, problem, field.name)) < kBeyondInt32;
  });
}

}  // namespace

std::vector<OverflowStride> overflow_strides(const CaseSchema& schema) {
  std::vector<OverflowStride> found;
  std::vector<std::size_t> fields;
  for (const std::int64_t beyond : {kBeyondInt32, kBeyondUint32}) {
    fields.clear();  // two operands may have the same stride
    for (std::size_t i = 0; i < schema.operands.size(); ++i) {
      const OperandShape& operand = schema.operands[i];
      if (!operand.is_taken) continue;
      for (const std::size_t stride : longest_strides(operand)) {
        const std::size_t field = *operand.strides[stride].field;
        if (std::find(fields.begin(), fields.end(), field) != fields.end()) continue;
        fields.push_back(field);
        const bool is_possible = LongestStride(schema, operand, stride).is_possible();
        if (is_possible) found.push_back({i, stride, beyond});
      }
    }
  }
  return found;
}

std::optional<Case> with_overflow_stride(const Contract& contract, const Solver& solver,
                                         const OverflowStride& overflow, std::uint64_t seed) {
  Rng rng(seed);
  const CaseSchema& schema = solver.schema();
  const LongestStride stride(schema, schema.operands[overflow.operand], overflow.stride);
  // A stride below 2^31 needs three of them for 2^32.
  const std::int64_t least_count = overflow.beyond > kBeyondInt32 ? 4 : 2;
  std::optional<Case> problem = small_case(contract, solver, stride, least_count, rng);
  if (!problem) return std::nullopt;
  problem->seed = seed % 1'000'000;

  const contract::Bindings names = bindings(contract, *problem);
  const std::int64_t steps = stride.steps(names);
  const std::int64_t length = stride.line_length(names);
  const std::int64_t tight = tight_stride(contract, *problem, stride.field().name);
  if (steps < 1 || length < 1) return std::nullopt;
  const std::int64_t least = (overflow.beyond - length) / steps + 1;
  const std::int64_t most = kBeyondInt32 - least;
  const std::int64_t span = rng.one_in(3) ? most : std::min(most, length + 1);
  if (span < 1) return std::nullopt;
  const std::int64_t chosen = rng.between(least, least + span - 1);
  // `requires` may demand a multiple, and the chosen stride may exceed the largest buffer.
  for (const std::int64_t candidate :
       {chosen, (chosen + 31) / 32 * 32, least, (least + 31) / 32 * 32}) {
    if (candidate >= kBeyondInt32 || candidate < tight) continue;
    Case changed = *problem;
    stride.field().set(changed, candidate);
    const std::optional<Case> found =
        !violated(contract, changed)
            ? changed
            : solver.project(with_all_strides(schema, changed, stride.field().kind, candidate));
    if (found && stride.field().get(*found) >= least &&
        has_strides_of_an_int(contract, schema, *found) && is_small(contract, *found) &&
        can_be_laid_out(contract, *found, kMostPackedBytes)) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace warpcheck::campaign::generate
