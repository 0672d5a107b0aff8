// Cases with known results, from which a condition is learned.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/conditions/condition.hpp"
#include "device/finding.hpp"
#include "device/unsupported.hpp"

namespace warpcheck::campaign::conditions {

/// Result of one case. `undecided`: the data could not have exposed a defect, the case has no
/// valid layout, or nothing was launched. `unsupported`: the device cannot execute the kernel.
enum class Outcome : std::uint8_t { passed, failed, undecided, unsupported };

struct Trial {
  Outcome outcome = Outcome::undecided;
  std::optional<Finding> finding;  // first finding of a failed case
  std::optional<device::Unsupported> unsupported = {};
};

/// Runs a case. Called from several threads at once.
using TrialFunction = std::function<Trial(const Case&)>;

struct Example {
  Case problem;
  std::vector<double> values;  // values of all quantities
  Trial trial;
  // The quantities whose values make others ineffective, one bit each: an extent of at most 1 and a
  // factor of 0. If k is 0, no element of B is read, so its alignment has no effect.
  std::uint64_t degenerate = 0;

  [[nodiscard]] bool passed() const { return trial.outcome == Outcome::passed; }
  [[nodiscard]] bool failed() const { return trial.outcome == Outcome::failed; }
  [[nodiscard]] bool is_regular() const { return degenerate == 0; }
};

/// Returns a case without a result. The quantities are no strides.
[[nodiscard]] Example example_of(const Case& problem, const std::vector<Quantity>& quantities);

/// Runs cases on several threads and keeps the results. The results do not depend on the number of
/// threads.
class Examples {
 public:
  Examples(const contract::Contract& contract, TrialFunction run, unsigned jobs);

  /// Runs the cases that were not run before. Returns the places of all of them in all().
  std::vector<std::size_t> add(const std::vector<Case>& cases);

  [[nodiscard]] bool contains(const Case& problem) const;
  [[nodiscard]] const std::vector<Example>& all() const { return examples_; }
  [[nodiscard]] const Example& operator[](std::size_t i) const { return examples_[i]; }
  [[nodiscard]] const std::vector<Quantity>& quantities() const { return quantities_; }
  [[nodiscard]] const contract::Contract& contract() const { return contract_; }

  /// Treats a degenerate quantity that every passing case has, such as m = 1, as any other: it is a
  /// condition.
  void accept_common_degeneracy();

  /// Runs a passing case again with other data; if it fails then, it counts as failed.
  void confirm_pass(std::size_t i);

 private:
  [[nodiscard]] Example example(const Case& problem) const;

  const contract::Contract& contract_;
  std::vector<Quantity> quantities_;
  TrialFunction run_;
  unsigned jobs_;
  std::vector<Example> examples_;
  std::map<std::string, std::size_t> known_;  // indices in examples_ by case line
  std::vector<bool> confirmed_;
  std::uint64_t accepted_ = 0;  // quantities that are never degenerate
};

}  // namespace warpcheck::campaign::conditions
