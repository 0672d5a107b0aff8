// Results of one campaign: findings, and totals per variant.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/share.hpp"
#include "campaign/case/case.hpp"
#include "campaign/case/case_histogram.hpp"
#include "campaign/coverage/executed_lines.hpp"
#include "campaign/coverage/source_coverage.hpp"
#include "campaign/judge/diagnosis.hpp"
#include "campaign/judge/error_map.hpp"
#include "campaign/judge/mismatch.hpp"
#include "campaign/run/source.hpp"
#include "contract/target_error.hpp"
#include "device/call_stack.hpp"
#include "device/finding.hpp"
#include "device/unsupported.hpp"

namespace warpcheck::campaign {

/// unsupported: there is no finding, but the device could not execute a case. It does not show
/// that the kernel is wrong.
enum class Verdict { pass, finding, mistrusted, unsupported };
[[nodiscard]] std::string_view name(Verdict verdict);

/// Returns the message of a finding, which reports make of its facts.
using FindingSentence = std::function<std::string(const Finding&)>;

/// A change of the contract, as TOML or in words.
struct Advice {
  enum class Kind : std::uint8_t {
    none,
    if_intended,   // the contract can allow what the kernel does
    correct_with,  // the kernel is correct under the changed contract
  };

  Kind kind = Kind::none;
  std::string change = {};  // `beta_zero = "reads"`
  std::int64_t cases = 0;   // correct_with: cases that were run and are correct

  friend bool operator==(const Advice&, const Advice&) = default;
};

/// A condition that separates the failing cases of a finding from the passing cases.
struct FailureCondition {
  std::string text;          // true in every passing case and in no failing one: "k % 8 == 0"
  std::int64_t failing = 0;  // cases
  std::int64_t passing = 0;

  friend bool operator==(const FailureCondition&, const FailureCondition&) = default;
};

/// A finding as it is reported: its class, its place, the smallest case, and its confirmations.
struct FindingReport {
  std::string variant;
  std::string device;
  std::string property;  // name of the violated property
  Finding finding;       // finding on the smallest case
  // The memory place in terms of the layout: "A[65, 3]: row 65 of 65 rows". Empty if the finding
  // has no memory place.
  std::string element;
  // 65 in the example. Empty: the element is in a matrix, or an output may have this index.
  std::optional<std::int64_t> index_outside;
  std::optional<judge::Mismatch> mismatch;  // set for wrong-result
  judge::Diagnosis diagnosis;               // diagnosis of the wrong elements
  Advice advice;
  std::string known;       // reason why it does not fail the gate; empty: it does
  std::string regression;  // file and line of the regression; empty: the case was generated
  std::string printed;     // output of the kernel on the smallest case
  run::Excerpt excerpt;
  run::Excerpt other_excerpt;  // first access of a race
  Case original;               // case before shrinking
  Case smallest;               // case after shrinking; equal to `original` if it was not shrunk
  // Errors of the original case or of a similar, larger one. Set only for findings about values, if
  // CampaignOptions::map_errors is set.
  std::optional<judge::ErrorMap> map;
  std::int64_t shrink_launches = 0;
  // Work of the search for the smallest case, in the unit of run::WorkBudget.
  std::uint64_t shrink_work = 0;
  // False: RunOptions::shrink_brake_seconds ended the search, so that another run may report a
  // smaller case.
  bool fully_shrunk = true;
  unsigned confirmed = 0;       // runs of the smallest case that showed the same finding
  unsigned confirmations = 0;   // runs of the smallest case
  std::int64_t more_cases = 0;  // further cases of the campaign that failed for the same cause
  std::optional<FailureCondition> condition;  // condition over all cases of the campaign
  // Findings of other causes, on cases tried while this one was shrunk. The report of a variant has
  // them among its findings.
  std::vector<FindingReport> others;
  // The number of the launch in the process of a program, which has no cases; 0: none.
  std::uint64_t launch = 0;
  // The calls of the host of a program. The first one launched the kernel or is wrong.
  std::vector<device::RelatedStack> stacks = {};

  [[nodiscard]] bool flaky() const { return confirmed < confirmations; }
  [[nodiscard]] bool is_program() const { return !stacks.empty(); }
};

/// A form of instructions that the device could not execute.
struct UnsupportedForm {
  device::Unsupported what;                       // details from the first case
  Case problem;                                   // the first case
  std::int64_t cases = 1;                         // cases of the variant that reached the form
  std::vector<device::RelatedStack> stacks = {};  // call stacks of a program, which has no cases

  [[nodiscard]] bool is_program() const { return !stacks.empty(); }
};

/// Adds a form, or its cases to an equal one.
void add(std::vector<UnsupportedForm>& forms, const UnsupportedForm& form);

/// The cases of a variant on which one property was checked to the end.
struct CheckedProperty {
  std::string name;
  std::int64_t cases = 0;  // cases with a launch
  double seconds = 0.0;    // time of these cases without shrinking, summed over the host threads
};

/// Adds cases to the property of this name.
void add(std::vector<CheckedProperty>& checked, const CheckedProperty& more);

/// The share of cases that `requires` admits, measured on cases generated without regard to it.
struct DomainAcceptance {
  std::int64_t generated = 0;
  std::int64_t inside = 0;
  std::string excluded_by;  // the conjunct of `requires` that failed most often; empty: none

  [[nodiscard]] double share() const {
    return generated == 0 ? 1.0 : static_cast<double>(inside) / static_cast<double>(generated);
  }
};

struct VariantReport {
  std::string variant;
  std::string device;
  Verdict verdict = Verdict::pass;
  std::int64_t cases = 0;  // cases that were run, including the one that ended the campaign
  std::int64_t empty = 0;  // cases without an element of D, which launch nothing; not in `cases`
  std::int64_t mistrusted = 0;  // cases that passed, but whose data cannot expose a defect
  // Properties that apply to the contract, in the order of properties::laws(). Empty: an old
  // campaign of a history did not record them.
  std::vector<CheckedProperty> properties;
  DomainAcceptance acceptance;  // empty for a search, which generates no such cases
  // Share of the terms whose loss would certainly have been detected: the mean over all cases
  // except one-hot ones, which test addresses. Empty if not measured, as in a search.
  std::optional<double> sensitivity;
  // Levels of factors, and their combinations, that occurred in a case, out of those that are
  // possible in the domain as far as is known.
  Share level_coverage;
  Share pair_coverage;    // pairs of two factors
  Share triple_coverage;  // triples of three factors
  Histogram histogram;    // histogram of the counted cases
  double seconds = 0.0;
  std::int64_t stopped = 0;               // cases that the time limit ended; not in `cases`
  std::optional<Case> stopped_case = {};  // the first of them
  std::vector<FindingReport> findings;
  // Reported, but not failures; on the first case that showed them, one per pair of lines.
  std::vector<FindingReport> notes;
  // Ordered by case; empty: all instructions were executed.
  std::vector<UnsupportedForm> unsupported;
  // Empty if there are findings, if the device does not measure coverage, if no launch completed,
  // or if the campaign does not require lines.
  std::optional<coverage::ExecutedLines> lines;
  // Source coverage by the cases; empty if it was not requested, if the device does not measure it,
  // and if no launch completed. Launches that end in a fault are not counted.
  std::optional<coverage::SourceCoverage> coverage;
  // The largest |error| / bound of all elements and cases; infinite where equality was demanded and
  // does not hold. Empty if nothing was compared.
  std::optional<double> error_over_bound = {};
};

/// Orders the properties of a report as in `names`, and adds those without a case.
void list_properties(VariantReport& report, const std::vector<std::string>& names);

/// Sets the lines of a variant that passes or is mistrusted. If a case should have executed a line
/// and none did, the pass is mistrusted.
void require_lines(VariantReport& report, coverage::ExecutedLines lines);

struct CampaignReport {
  std::vector<VariantReport> variants;
  std::int64_t failed = 0;      // variants with findings
  std::int64_t mistrusted = 0;  // variants
  std::int64_t cases = 0;
  double seconds = 0.0;
  std::int64_t unsupported = 0;  // variants
  std::int64_t empty = 0;        // cases; not in `cases`
  // Errors of targets that are not among the variants.
  std::vector<contract::TargetError> errors = {};
  std::int64_t stopped = 0;  // cases; not in `cases`
  std::string not_run = {};  // reason why this machine could not run the campaign; empty: it could

  /// Adds a variant to the totals, except for its seconds, which the caller sets.
  void add(VariantReport variant);
};

}  // namespace warpcheck::campaign
