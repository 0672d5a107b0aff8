// The words of which laws are made: conditions of contracts, adaptations of cases, and runs that
// are compared.
#pragma once

#include <memory>
#include <string>

#include "campaign/case/product.hpp"
#include "campaign/checks/comparison.hpp"
#include "campaign/checks/relations.hpp"
#include "campaign/checks/traits.hpp"
#include "properties/law.hpp"
#include "reference/evaluate/evaluate.hpp"

namespace warpcheck::properties {

using campaign::Recipe;
using campaign::checks::Relation;
using campaign::checks::Scaling;
using campaign::checks::Trait;

// Conditions.

inline bool always(const Contract&) { return true; }
inline bool is_deterministic(const Contract& contract) { return contract.deterministic; }
template <Trait trait>
bool has(const Contract& contract) {
  return campaign::checks::has(trait, contract);
}

// Adaptations.

inline Case as_generated(const Contract&, const Case& problem) { return problem; }

/// Data and factors of which every sum is exact in every order: for relations that a right kernel
/// may break by rounding when it adds in another order elsewhere in the matrix or at other
/// addresses.
[[nodiscard]] Case with_exact_sums(const Contract& contract, const Case& problem);

/// Data for runs that are compared bit by bit: with exact sums, where the kernel need not add in
/// the same order twice.
[[nodiscard]] Case repeatable(const Contract& contract, const Case& problem);

/// A repeatable case with every stride that the contract takes, and that is tight, wider by the
/// least amount that `requires` allows; those that it pins stay.
[[nodiscard]] Case with_padding(const Contract& contract, const Case& problem);

/// The layout of with_padding(), with the data of the case, and with bases moved off their 256-byte
/// boundary by the least amount that `requires` allows.
[[nodiscard]] Case wider_and_shifted(const Contract& contract, const Case& problem);

/// A repeatable case with beta = 0, so that the outputs do not depend on what they held before the
/// launch, or with alpha = 0.
[[nodiscard]] Case without_beta(const Contract& contract, const Case& problem);
[[nodiscard]] Case without_alpha(const Contract& contract, const Case& problem);

// Runs.

/// A problem, and its feature in messages: a phrase after "with", such as "NaN in C".
struct Run {
  std::string feature;
  run::Problem problem;
};

/// The operands of a case, and the problems made of them.
class Inputs {
 public:
  Inputs(run::Runner& runner, const Case& problem);

  [[nodiscard]] const Contract& contract() const { return runner_.variant().contract; }
  [[nodiscard]] const run::Operands& operands() const { return operands_; }
  [[nodiscard]] run::Poison usual_poison() const { return run::usual_poison(problem_); }

  /// The usual problem, with these operands or this poison instead.
  [[nodiscard]] run::Problem usual() const { return with(usual_poison()); }
  [[nodiscard]] run::Problem with(const run::Poison& poison) const;
  [[nodiscard]] run::Problem with(run::Operands operands) const;
  /// The same operands in the layout of another case.
  [[nodiscard]] run::Problem in_layout(const Case& other) const;

 private:
  run::Runner& runner_;
  const Case& problem_;
  run::Operands operands_;
};

/// Demands the bits of the first run from the second one, in the order and scale of the
/// relation. A difference is a finding of this class.
[[nodiscard]] CheckResult same_bits(run::Runner& runner, Run first, Run second,
                                    Relation relation = {});

/// Demands the values of the reference.
[[nodiscard]] CheckResult right_values(run::Runner& runner, run::Problem problem);

/// The reference of a problem of an operation. Another law of the case may have evaluated it.
[[nodiscard]] std::shared_ptr<const reference::ExpectedTensors> expected_outputs(
    const run::Runner& runner, const run::Problem& problem);

/// Demands only what the device and the guards around the buffers check.
[[nodiscard]] CheckResult sound_accesses(run::Runner& runner, const run::Problem& problem);

}  // namespace warpcheck::properties
