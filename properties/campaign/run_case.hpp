// What a campaign asks of one case, and what that led to.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "properties/campaign/minimize_and_confirm.hpp"
#include "properties/generate/cases.hpp"

namespace warpcheck::properties::campaign {

/// Which properties a campaign asks of a variant, and of which of its cases.
class PropertyRotation {
 public:
  /// Names as properties() lists them; none: all that say anything about the contract.
  PropertyRotation(const std::vector<std::string>& names, const contract::Contract& contract);

  /// Asked of every case: matches-reference, or null where it was not chosen.
  [[nodiscard]] const checks::Property* base() const { return base_; }

  /// In the order in which case number `index` is to try them: the first whose conditions it can
  /// meet is asked. Every other case where matches-reference is asked of all.
  [[nodiscard]] std::vector<const checks::Property*> others(std::int64_t index) const;

 private:
  const checks::Property* base_ = nullptr;
  std::vector<const checks::Property*> others_;
};

/// What one case led to.
struct CaseResult {
  generate::GeneratedCase drawn;
  bool asked = false;
  bool shows_terms = false;                // the loss of any one of its terms is meant to be seen
  std::optional<double> sensitivity;       // the least
  std::optional<double> error_over_bound;  // the largest; empty where nothing was compared
  std::vector<Failure> suspects;
  std::vector<Failure> notes;
  std::optional<FindingClass> found;  // the class of the first suspect
  double seconds = 0.0;
  std::string
      levels;  // of the drawn case's factors, as to_text() of generate/covering.hpp has them
  std::exception_ptr error;
};

/// Asks of case number `index` what the agenda has for it.
[[nodiscard]] CaseResult run_case(const RunContext& bench, const PropertyRotation& agenda,
                                  generate::GeneratedCase drawn, std::int64_t index);

/// Asks of a regression the property that it names, and nothing else.
[[nodiscard]] CaseResult run_regression(const RunContext& bench, const Case& regression);

}  // namespace warpcheck::properties::campaign
