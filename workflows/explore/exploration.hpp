// The result of explore for one variant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/report.hpp"
#include "device/finding.hpp"

namespace warpcheck::workflows::explore {

enum class Correctness : std::uint8_t {
  always,      // no condition: no case failed
  exactly,     // correct if and only if the conditions hold
  sufficient,  // correct if the conditions hold, and in some other cases
  unknown,     // no conjunction of simple conditions excludes every failing case
  never,       // no case passed
  unsupported  // the device could not execute a case
};

/// "always", "exactly" ...
[[nodiscard]] std::string_view name(Correctness correct);

struct FailingCase {
  campaign::Case problem;
  Finding finding;  // located in the source
};

/// One condition that the kernel requires, and the cases in which it alone is violated.
struct ConditionReport {
  std::string text;  // an expression of a contract
  std::int64_t failed = 0;
  std::int64_t passed = 0;
  std::optional<FailingCase> smallest;
  std::vector<std::string> classes;  // classes of the findings, without duplicates
};

/// Cases outside the conditions that pass because a size or factor makes a condition irrelevant.
struct Exception {
  std::string text;  // "k == 0"
  std::int64_t passed = 0;
  std::int64_t cases = 0;
};

/// Comparison with the contract's `requires`.
struct DeclaredDomain {
  std::vector<std::string> conditions;
  std::optional<FailingCase> too_weak;  // the smallest failing case in the declared domain
  std::vector<std::string> needless;    // violated by cases inside the inferred domain, which pass
  std::vector<std::string> unexamined;  // true for every case that was run
};

struct Exploration {
  std::string variant;
  Correctness correct = Correctness::unknown;
  std::vector<ConditionReport> conditions;  // conditions that must all hold
  std::vector<Exception> exceptions;
  std::vector<FailingCase> counterexamples;  // `unknown`: failing cases inside the conditions;
                                             // `never`: one case
  std::vector<campaign::UnsupportedForm> unsupported;  // forms that the device could not execute
  std::optional<campaign::Case> passes_outside;        // `sufficient`
  double share = 0.0;  // share of the passes among random cases of all shapes
  DeclaredDomain declared;
  // Findings of other properties and other data inside the conditions.
  std::vector<campaign::FindingReport> remaining;
  std::int64_t inside = 0;  // cases that ran in which all conditions hold
  std::int64_t cases = 0;   // all cases that ran
  std::int64_t max_size = 0;
  std::uint64_t seed = 0;
  double seconds = 0.0;

  [[nodiscard]] bool is_found() const {
    return correct == Correctness::always || correct == Correctness::exactly ||
           correct == Correctness::sufficient;
  }
  /// Returns the expressions for `requires`: the conditions, and the declared ones that no case
  /// examined.
  [[nodiscard]] std::vector<std::string> requirements() const;
};

}  // namespace warpcheck::workflows::explore
