// Execution of one case of a campaign: the properties to check, and the result.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "campaign/generate/cases.hpp"
#include "campaign/minimize_and_confirm.hpp"

namespace warpcheck::campaign {

/// Distribution of the properties over the cases of a campaign.
class PropertyRotation {
 public:
  /// `names` are those of properties(); empty: all properties that apply to the contract.
  PropertyRotation(const std::vector<std::string>& names, const contract::Contract& contract);

  /// The property that is checked for every case: matches-reference, or null if it is not selected.
  [[nodiscard]] const properties::Law* base() const { return base_; }

  /// Returns the properties for case number `index`, in order: base() first, if it is not null.
  /// Only every other case then has others.
  [[nodiscard]] std::vector<const properties::Law*> laws(std::int64_t index) const;

  /// Returns the names of all properties that some case may be checked for.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  const properties::Law* base_ = nullptr;
  std::vector<const properties::Law*> others_;
};

/// Result of one case.
struct CaseResult {
  generate::GeneratedCase generated;
  bool was_run = false;
  bool shows_terms = false;                // its data can expose the loss of a single term
  std::optional<double> sensitivity;       // the smallest
  std::optional<double> error_over_bound;  // the largest; empty if nothing was compared
  std::vector<Failure> failures;
  std::vector<Failure> notes;
  std::vector<CheckedProperty> checked = {};
  std::optional<FindingClass> found;                // the class of the first failure
  std::optional<UnsupportedForm> unsupported = {};  // the first that the device could not execute
  double seconds = 0.0;
  std::string levels;  // levels of the generated case's factors, as to_text(Row) prints them
  coverage::ExecutedParts executed;  // parts of the program that no earlier case executed, as long
                                     // as a line is missing
  bool stopped = false;              // true: its launches did not end; neither a pass nor a finding
  std::exception_ptr error;
};

/// Checks matches-reference, if it is the first of the properties, and the first of the others
/// whose conditions the case can meet inside the contract's domain.
[[nodiscard]] CaseResult run_case(const run::Context& context,
                                  std::span<const properties::Law* const> laws,
                                  const generate::GeneratedCase& generated);

}  // namespace warpcheck::campaign
