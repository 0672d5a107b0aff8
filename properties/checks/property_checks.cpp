#include "properties/checks/property_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "contract/contract_words.hpp"
#include "properties/case/domain.hpp"
#include "properties/case/layout.hpp"
#include "properties/case/operand.hpp"
#include "properties/case/tensor_case.hpp"
#include "properties/checks/relations.hpp"
#include "properties/checks/run_and_compare.hpp"

namespace warpcheck::properties::checks {
namespace {

using contract::ArgumentWord;
using contract::Contract;

run::Problem ordinary(run::Runner& runner, const Case& line) {
  const Contract& contract = runner.variant().contract;
  return run::make_problem(runner.variant(), line, run::operands(contract, line),
                           run::usual_poison(line));
}

/// The same operands with another poison.
run::Problem poisoned(run::Runner& runner, const Case& line, run::Operands operands,
                      const run::Poison& poison) {
  return run::make_problem(runner.variant(), line, std::move(operands), poison);
}

/// Runs the problem only for the findings of the device and the checks of its bytes.
PropertyResult accounts(run::Runner& runner, const run::Problem& problem) {
  run::Run run = runner.run(problem);
  PropertyResult result;
  result.evidence = std::move(run.evidence);
  result.printed = std::move(run.printed);
  result.launched = run.launched;
  return result;
}

/// Small exponents without a pattern of their own, the same for every run.
int scale_of(std::int64_t index, int range) {
  const std::uint64_t hash = fibonacci_hash(static_cast<std::uint64_t>(index) + 1);
  return static_cast<int>((hash >> 40) % static_cast<std::uint64_t>(range + 1));
}

/// The powers of two with the exponents scale_of(first), scale_of(first + 1) ...
std::vector<double> powers_of_two(std::int64_t count, std::int64_t first, int range) {
  std::vector<double> all;
  for (std::int64_t i = 0; i < count; ++i) {
    all.push_back(std::ldexp(1.0, scale_of(first + i, range)));
  }
  return all;
}

/// Sets `field` to the first of its candidates that `requires` allows; leaves it if none is.
template <typename Candidates>
void set_allowed(const Contract& contract, Case& problem, std::int64_t Case::*field,
                 const Candidates& candidates) {
  for (const std::int64_t candidate : candidates) {
    Case changed = problem;
    changed.*field = candidate;
    if (violated(contract, changed)) continue;
    problem = changed;
    return;
  }
}

void widen_from(const Contract& contract, Case& problem, std::int64_t Case::*field,
                std::int64_t tight) {
  std::array<std::int64_t, 64> candidates;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates[i] = tight + 1 + static_cast<std::int64_t>(i);
  }
  set_allowed(contract, problem, field, candidates);
}

/// Widens the leading dimension or batch stride if the kernel takes it and it is tight.
void widen(const Contract& contract, Case& problem, const StrideField& stride) {
  const std::int64_t tight = stride.tight(contract, problem);
  if (!stride.taken_by(contract) || stride.effective(contract, problem) != tight) return;
  const Case before = problem;
  widen_from(contract, problem, stride.field, tight);
  if (stride.kind == StrideField::Kind::batch_stride) return;
  // Longer lines need larger batch strides.
  for (const StrideField& other : stride_fields(contract)) {
    std::int64_t& value = problem.*other.field;
    if (other.kind == StrideField::Kind::batch_stride && value != 0) {
      value += other.tight(contract, problem) - other.tight(contract, before);
    }
  }
  if (violated(contract, problem) || !can_be_laid_out(contract, problem, run::kBufferLimitBytes)) {
    problem = before;
  }
}

void shift(const Contract& contract, Case& problem, std::int64_t Case::*field) {
  if (problem.*field != 0) return;
  set_allowed(contract, problem, field, std::array<std::int64_t, 8>{1, 2, 3, 4, 8, 16, 32, 64});
}

/// The case with each stride that the kernel takes, and that is tight, wider by the least amount
/// that `requires` allows.
Case tensor_with_padding(const Contract& contract, Case problem) {
  constexpr std::int64_t kMost = 64;
  for (const operation::Tensor& tensor : contract.tensors->tensors) {
    for (const std::string& field : tensor::strides_taken(contract, tensor)) {
      const std::int64_t tight = tensor::tight_value(contract, problem, field);
      if (tensor::value_of(contract, problem, field) != tight) continue;
      for (std::int64_t more = 1; more <= kMost; ++more) {
        Case wider = problem;
        wider.set_value(field, static_cast<double>(tight + more));
        tensor::reset_short_strides(contract, wider);
        if (violated(contract, wider)) continue;
        if (can_be_laid_out(contract, wider, run::kBufferLimitBytes)) problem = wider;
        break;
      }
    }
  }
  return problem;
}

}  // namespace

Case with_padding(const Contract& contract, Case problem) {
  if (contract.tensors != nullptr) return tensor_with_padding(contract, problem);
  for (const StrideField& stride : stride_fields(contract)) widen(contract, problem, stride);
  return problem;
}

Case with_shifted_bases(const Contract& contract, Case problem) {
  for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
    shift(contract, problem, fields(operand).offset);
  }
  if (contract.takes(ArgumentWord::bias)) shift(contract, problem, &Case::off_bias);
  return problem;
}

namespace check {

PropertyResult matches_reference(run::Runner& runner, const Case& line) {
  return run_and_compare(runner, ordinary(runner, line));
}

PropertyResult writes_every_element(run::Runner& runner, const Case& line) {
  run::Poison nan;
  run::Poison large;
  large.output = run::kLargePoison;
  const run::Operands operands = run::operands(runner.variant().contract, line);
  const run::Problem first = poisoned(runner, line, operands, nan);
  return compare(runner, first, poisoned(runner, line, operands, large),
                 {FindingClass::wrong_result,
                  first.c_has_values() ? "small numbers in C" : "NaN in D beforehand",
                  "a large number in D beforehand",
                  {},
                  {}});
}

PropertyResult writes_only_its_matrix(run::Runner& runner, const Case& line) {
  // Two poisons: one that the kernel happens to write is not seen as changed.
  run::Poison poison = run::usual_poison(line);
  run::Operands operands = run::operands(runner.variant().contract, line);
  PropertyResult result = accounts(runner, poisoned(runner, line, operands, poison));
  if (!result.evidence.empty() || !result.launched) return result;
  poison.padding = run::kLargePoison;
  return accounts(runner, poisoned(runner, line, std::move(operands), poison));
}

PropertyResult reads_only_its_operands(run::Runner& runner, const Case& line) {
  const run::Poison nan = run::usual_poison(line);
  run::Poison large = nan;
  large.padding = run::kLargePoison;
  const run::Operands operands = run::operands(runner.variant().contract, line);
  return compare(runner, poisoned(runner, line, operands, nan),
                 poisoned(runner, line, operands, large),
                 {FindingClass::uninitialized_read,
                  "NaN between the lines of the matrices",
                  "a large number between them",
                  {},
                  {}});
}

PropertyResult leaves_inputs_alone(run::Runner& runner, const Case& line) {
  // Twice, as a change that needs a first one (a counter, a swap) shows only then. A workspace that
  // must hold zeros holds them once only.
  run::Problem problem = ordinary(runner, line);
  const auto& workspaces = runner.variant().contract.workspaces;
  if (std::none_of(workspaces.begin(), workspaces.end(),
                   [](const contract::Workspace& workspace) { return workspace.zeroed; })) {
    const std::vector<device::Launch> once = problem.job.launches;
    problem.job.launches.insert(problem.job.launches.end(), once.begin(), once.end());
  }
  return accounts(runner, problem);
}

PropertyResult beta_zero_ignores_c(run::Runner& runner, const Case& line) {
  run::Poison nan;
  nan.output_reads_are_findings = false;
  run::Poison large = nan;
  large.output = run::kLargePoison;
  const run::Operands operands = run::operands(runner.variant().contract, line);
  return compare(runner, poisoned(runner, line, operands, large),
                 poisoned(runner, line, operands, nan),
                 {FindingClass::wrong_result, "a large number in C", "NaN in C", {}, {}});
}

PropertyResult alpha_zero_ignores_a_and_b(run::Runner& runner, const Case& line) {
  run::Operands values = run::operands(runner.variant().contract, line);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  std::fill(values.a.values.begin(), values.a.values.end(), kNan);
  std::fill(values.b.values.begin(), values.b.values.end(), kNan);
  return run_and_compare(runner, run::make_problem(runner.variant(), line, std::move(values),
                                                   run::usual_poison(line)));
}

PropertyResult power_of_two_scaling(run::Runner& runner, const Case& line) {
  const Contract& contract = runner.variant().contract;
  // D grows by up to 2^(2 range): three bits each way where the formats are wide.
  const int range = size_of(contract.type_a) >= 4 && size_of(contract.type_b) >= 4 ? 3 : 1;
  const int inner = range == 3 ? range : 0;
  const run::Operands original = run::operands(contract, line);
  run::Operands scaled = original;
  const std::vector<double> by_k = powers_of_two(line.k, 0, inner);
  const Scaling scaling{powers_of_two(scaled.a.rows, 0, range), powers_of_two(line.n, 7, range)};
  for (std::int64_t i = 0; i < scaled.a.rows; ++i) {
    for (std::size_t p = 0; p < by_k.size(); ++p) {
      scaled.a(i, static_cast<std::int64_t>(p)) *=
          scaling.rows[static_cast<std::size_t>(i)] * by_k[p];
    }
  }
  for (std::int64_t p = 0; p < scaled.b.rows; ++p) {
    const double by_row = 1.0 / by_k[static_cast<std::size_t>(p % line.k)];
    for (std::size_t j = 0; j < scaling.columns.size(); ++j) {
      scaled.b(p, static_cast<std::int64_t>(j)) *= scaling.columns[j] * by_row;
    }
  }
  const run::Poison poison = run::usual_poison(line);
  return compare(runner, poisoned(runner, line, original, poison),
                 poisoned(runner, line, std::move(scaled), poison),
                 {FindingClass::wrong_result,
                  "the operands as generated, scaled afterwards",
                  "operands scaled by powers of two",
                  {},
                  scaling});
}

PropertyResult permuting_rows(run::Runner& runner, const Case& line) {
  const run::Operands original = run::operands(runner.variant().contract, line);
  run::Operands permuted = original;
  const auto source = [m = line.m](std::int64_t row) { return row / m * m + m - 1 - row % m; };
  for (std::int64_t i = 0; i < permuted.a.rows; ++i) {
    for (std::int64_t p = 0; p < line.k; ++p) permuted.a(i, p) = original.a(source(i), p);
    if (original.c.values.empty()) continue;
    for (std::int64_t j = 0; j < line.n; ++j) permuted.c(i, j) = original.c(source(i), j);
  }
  const run::Poison poison = run::usual_poison(line);
  return compare(runner, poisoned(runner, line, original, poison),
                 poisoned(runner, line, std::move(permuted), poison),
                 {FindingClass::wrong_result,
                  "the rows in order",
                  "the rows of A and C reversed",
                  source,
                  {}});
}

PropertyResult same_bits_twice(run::Runner& runner, const Case& line) {
  run::Problem problem = ordinary(runner, line);
  const run::Run first = runner.run(problem);
  const std::uint64_t seed = problem.job.schedule_seed;
  PropertyResult result;
  for (const std::uint64_t other : {~seed, seed ^ kGoldenRatio, seed + 1}) {
    problem.job.schedule_seed = other;
    result = compare(runner, first, problem,
                     {FindingClass::nondeterministic,
                      "the first order",
                      "another order of blocks and warps",
                      {},
                      {}});
    if (!result.evidence.empty() || !result.launched) break;
  }
  return result;
}

PropertyResult wider_and_shifted(run::Runner& runner, const Case& line) {
  const Contract& contract = runner.variant().contract;
  const Case moved = with_shifted_bases(contract, with_padding(contract, line));
  const run::Operands operands = run::operands(contract, line);
  return compare(runner, poisoned(runner, line, operands, run::usual_poison(line)),
                 poisoned(runner, moved, operands, run::usual_poison(moved)),
                 {FindingClass::wrong_result, "the layout as generated", to_line(moved), {}, {}});
}

PropertyResult second_call(run::Runner& runner, const Case& line) {
  Case other = line;
  other.seed = line.seed + 1;
  return run_and_compare(runner,
                         run::with_earlier_call(ordinary(runner, other), ordinary(runner, line)));
}

}  // namespace check
}  // namespace warpcheck::properties::checks
