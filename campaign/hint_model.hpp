// Names that help to understand a finding, by the kind of operation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "campaign/case/layout.hpp"
#include "campaign/case/operation_model.hpp"
#include "campaign/report.hpp"

namespace warpcheck::campaign {

/// See model_of().
class HintModel {
 public:
  static const HintModel& of_matrices();
  static const HintModel& of_tensors();

  HintModel() = default;
  HintModel(const HintModel&) = delete;
  HintModel& operator=(const HintModel&) = delete;
  virtual ~HintModel() = default;

  /// Names of an operand in expressions of the contract.
  struct Names {
    std::string buffer;   // "a"
    std::string leading;  // the distance of its lines: "lda", or "k" if A is always tight
  };
  [[nodiscard]] virtual Names names(const contract::Contract& contract, const Case& problem,
                                    const Placement& place) const = 0;

  /// The case with `gap` more elements between the lines of an operand; empty if they are always
  /// adjacent.
  [[nodiscard]] virtual std::optional<Case> with_gaps(const contract::Contract& contract,
                                                      const Case& problem, const Placement& place,
                                                      std::int64_t gap) const = 0;

  /// Returns the key of the contract that allows what the finding shows; no advice if there is
  /// none.
  [[nodiscard]] virtual Advice advice_if_intended(const contract::Contract& contract,
                                                  const FindingReport& report) const = 0;

  /// Returns true if a wrong result of the same line shows what an undefined value shows.
  [[nodiscard]] virtual bool shows_undefined(const FindingReport& wrong,
                                             const FindingReport& undefined) const = 0;

  /// Changes the factors of a case whose values can hide which of two mistakes is the cause.
  virtual void distinguish_factors(Case& problem) const = 0;
};

}  // namespace warpcheck::campaign
