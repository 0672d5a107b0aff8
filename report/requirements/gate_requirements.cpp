#include "report/requirements/gate_requirements.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>

#include "report/coverage_text.hpp"
#include "report/mistrust_text.hpp"
#include "report/path.hpp"
#include "report/proofs.hpp"
#include "report/requirements/proof_requirements.hpp"
#include "report/unsupported_text.hpp"

namespace warpcheck::report {
namespace {

using campaign::Verdict;
using workflows::gate::BreachKind;
using workflows::gate::Demand;
using workflows::gate::DemandKind;
using workflows::gate::GateOutcome;
using workflows::gate::GatePolicy;
using workflows::gate::GateResults;
using workflows::gate::KnownFailure;

std::string_view kind_word(DemandKind kind) {
  switch (kind) {
    case DemandKind::verdict:
      return "verdict";
    case DemandKind::cases:
      return "cases";
    case DemandKind::sensitivity:
      return "sensitivity";
    case DemandKind::coverage:
      return "coverage";
    case DemandKind::mutation_score:
      return "mutation-score";
    case DemandKind::proof:
      return kProofRequirement;
    case DemandKind::known_failure:
      return "known-failure";
    case DemandKind::contract:
      return "contract";
  }
  return {};
}

std::string required_coverage(const workflows::gate::Minimums& minimum) {
  std::string text;
  if (minimum.lines > 0.0) text += fmt::format("{} % of lines", minimum.lines);
  if (minimum.branches > 0.0) {
    text += fmt::format("{}{} % of branches", text.empty() ? "" : " and ", minimum.branches);
  }
  return text;
}

class RequirementWriter {
 public:
  RequirementWriter(const GatePolicy& policy, const GateResults& results)
      : policy_(policy), results_(results) {}

  [[nodiscard]] Requirement requirement(const Demand& demand) const {
    Requirement made;
    made.kind = kind_word(demand.kind);
    if (demand.kind == DemandKind::known_failure) {
      describe(policy_.known_failures[demand.subject], demand, made);
    } else if (demand.kind == DemandKind::contract) {
      describe(results_.without_contract[demand.subject], demand, made);
    } else {
      describe(results_.outcomes[demand.subject], demand, made);
    }
    return made;
  }

 private:
  void describe(const KnownFailure& known, const Demand& demand, Requirement& made) const {
    made.name = fmt::format("known failure: {}, {}", known.variant, name(known.kind));
    if (known.line != 0) made.name += fmt::format(", line {}", known.line);
    if (!known.property.empty()) made.name += ", " + known.property;
    made.where = known.where;
    if (demand.breaches.empty()) return;
    made.state = RequirementState::unmet;
    made.reason = fmt::format("{}:{}: known failure of {}, {}: {}", shown_path(known.where.file),
                              known.where.line, known.variant, known_failure_text(known),
                              demand.breaches.front() == BreachKind::known_failure_gone
                                  ? "no finding matches it any more; remove the entry"
                                  : "its last day has passed");
  }

  void describe(const std::string& file, const Demand& demand, Requirement& made) const {
    made.name = shown_path(file) + ": contract";
    made.where.file = file;
    if (demand.breaches.empty()) return;
    made.state = RequirementState::unmet;
    made.reason = shown_path(file) + ": no contract, which require_contracts demands";
  }

  void describe(const GateOutcome& outcome, const Demand& demand, Requirement& made) const {
    made.variant = outcome.report.variant;
    made.name =
        fmt::format("{}: {} on {}", outcome.report.variant, made.kind, outcome.report.device);
    made.is_verdict = demand.kind == DemandKind::verdict;
    for (const BreachKind breach : demand.breaches) {
      const bool undecided = breach == BreachKind::unsupported;
      made.state = undecided ? RequirementState::undecided : RequirementState::unmet;
      made.reason += fmt::format("{}: {}", outcome.report.variant, breach_text(breach, outcome));
      // A variant with known findings is reported as known, also if the device cannot execute it.
      if (undecided && outcome.report.verdict != Verdict::unsupported) made.is_verdict = false;
    }
  }

  [[nodiscard]] std::string breach_text(BreachKind kind, const GateOutcome& outcome) const {
    const workflows::gate::Minimums& minimum = outcome.rules.minimum;
    switch (kind) {
      case BreachKind::finding:
        return unknown_findings(outcome);
      case BreachKind::mistrusted:
        return mistrusted_pass(outcome.report);
      case BreachKind::unsupported:
        return unsupported_forms(outcome.report.device, outcome.report.unsupported);
      case BreachKind::no_case:
        return "no case ran, so that nothing was checked";
      case BreachKind::sensitivity:
        return fmt::format("sensitivity {}, expected {} %",
                           tenths(outcome.report.sensitivity.value_or(0.0)), minimum.sensitivity);
      case BreachKind::coverage:
        return fmt::format("{}, expected {}",
                           shortfall(*outcome.report.coverage, {minimum.lines, minimum.branches}),
                           required_coverage(minimum));
      case BreachKind::coverage_not_counted:
        return outcome.report.device == "virtual"
                   ? "its coverage is unknown because no launch completed"
                   : "its coverage is unknown because only the virtual device counts it";
      case BreachKind::not_proved:
        return open_reasons(*outcome.proof);
      case BreachKind::mutation_score:
        return fmt::format("mutation score {}, expected {} %", tenths(*outcome.mutation_score),
                           minimum.mutation_score);
      default:
        return "its mutation score was not measured";
    }
  }

  [[nodiscard]] std::string unknown_findings(const GateOutcome& outcome) const {
    std::string text;
    for (const auto& found : outcome.report.findings) {
      if (workflows::gate::known_failure(policy_, found.variant, found.property, found.finding)) {
        continue;
      }
      text += fmt::format("{}{}{}", text.empty() ? "" : ", ", name(found.finding.kind),
                          finding_place(found));
    }
    return text;
  }

  const GatePolicy& policy_;
  const GateResults& results_;
};

}  // namespace

Requirements gate_requirements(const GatePolicy& policy, const GateResults& results,
                               const workflows::gate::Judgement& judgement) {
  Requirements requirements;
  requirements.policy = policy.file;
  const RequirementWriter writer(policy, results);
  for (const Demand& demand : judgement.demands) {
    requirements.all.push_back(writer.requirement(demand));
  }
  return requirements;
}

std::string known_failure_text(const KnownFailure& known) {
  return fmt::format("{} until {}: {}", name(known.kind), to_text(known.until), known.reason);
}

std::string tenths(double share) {
  return fmt::format("{:.1f} %", std::floor(share * 1000 + 1e-9) / 10);
}

std::string finding_place(const campaign::FindingReport& found) {
  const SourcePlace& source = found.finding.source;
  return source.line == 0 ? "" : fmt::format(" ({}:{})", shown_path(source.file), source.line);
}

}  // namespace warpcheck::report
