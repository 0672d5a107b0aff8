#include "workflows/gate/judgement.hpp"

#include <algorithm>
#include <utility>

namespace warpcheck::workflows::gate {
namespace {

class Judge {
 public:
  Judge(const GatePolicy& policy, std::span<const GateOutcome> outcomes)
      : policy_(policy), outcomes_(outcomes), seen_(policy.known_failures.size()) {}

  void add(std::size_t number, const GateOutcome& outcome) {
    number_ = number;
    const bool all_known = judge_findings(outcome.report);
    if (all_known && !outcome.report.unsupported.empty()) {
      return breach(BreachKind::unsupported);  // its measures would be consequences
    }
    const Minimums& minimum = outcome.rules.minimum;
    if (outcome.report.verdict == properties::campaign::Verdict::mistrusted)
      breach(BreachKind::mistrusted);
    if (100.0 * outcome.report.sensitivity.value_or(0.0) < minimum.sensitivity)
      breach(BreachKind::sensitivity);
    judge_coverage(outcome);
    judge_mutation_score(outcome);
  }

  Judgement end(const Date& today) {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      number_ = i;
      if (!seen_[i]) {
        if (!may_be_hidden(policy_.known_failures[i])) breach(BreachKind::known_failure_gone);
      } else if (policy_.known_failures[i].until < today) {
        breach(BreachKind::known_failure_expired);
      }
    }
    return std::move(judgement_);
  }

 private:
  void breach(BreachKind kind) { judgement_.breaches.push_back({kind, number_}); }

  /// Returns true if there is no finding, or each is a known failure.
  bool judge_findings(const properties::campaign::VariantReport& report) {
    bool all_known = true;
    for (std::size_t i = 0; i < report.findings.size(); ++i) {
      const properties::campaign::FindingReport& found = report.findings[i];
      const auto known = known_failure(policy_, report.variant, found.property, found.finding);
      all_known = all_known && known;
      if (!known) continue;
      seen_[*known] = true;
      judgement_.known.push_back({*known, number_, i});
    }
    if (!all_known) breach(BreachKind::finding);
    return all_known;
  }

  void judge_coverage(const GateOutcome& outcome) {
    const Minimums& minimum = outcome.rules.minimum;
    if (minimum.lines == 0.0 && minimum.branches == 0.0) return;
    const std::vector<std::string>& devices = outcome.rules.devices;
    const bool counted_elsewhere =
        outcome.report.device != "virtual" &&
        std::find(devices.begin(), devices.end(), "virtual") != devices.end();
    if (counted_elsewhere) return;
    if (!outcome.report.coverage) return breach(BreachKind::coverage_not_counted);
    if (!outcome.report.coverage->lines().reaches(minimum.lines) ||
        !outcome.report.coverage->branches().reaches(minimum.branches)) {
      breach(BreachKind::coverage);
    }
  }

  void judge_mutation_score(const GateOutcome& outcome) {
    const double minimum = outcome.rules.minimum.mutation_score;
    if (minimum == 0.0 || outcome.report.device != outcome.rules.devices.front()) return;
    if (!outcome.mutation_score) {
      if (!fails(outcome.report.variant)) breach(BreachKind::mutation_score_unknown);
    } else if (100.0 * *outcome.mutation_score < minimum) {
      breach(BreachKind::mutation_score);
    }
  }

  /// Returns true if the variant has a finding or is unsupported on any device. Then it has no
  /// mutation score.
  [[nodiscard]] bool fails(const std::string& variant) const {
    return std::any_of(outcomes_.begin(), outcomes_.end(), [&](const GateOutcome& outcome) {
      return outcome.report.variant == variant &&
             (!outcome.report.findings.empty() || !outcome.report.unsupported.empty());
    });
  }

  /// Returns true if a known failure may belong to a case that a device could not execute.
  [[nodiscard]] bool may_be_hidden(const KnownFailure& known) const {
    return std::any_of(outcomes_.begin(), outcomes_.end(), [&](const GateOutcome& outcome) {
      return !outcome.report.unsupported.empty() && matches(known.variant, outcome.report.variant);
    });
  }

  const GatePolicy& policy_;
  std::span<const GateOutcome> outcomes_;
  std::vector<bool> seen_;  // of the known failures
  std::size_t number_ = 0;
  Judgement judgement_;
};

}  // namespace

std::optional<std::size_t> known_failure(const GatePolicy& policy, std::string_view variant,
                                         std::string_view property, const Finding& finding) {
  for (std::size_t i = 0; i < policy.known_failures.size(); ++i) {
    const KnownFailure& known = policy.known_failures[i];
    if (matches(known.variant, variant) && known.kind == finding.kind &&
        (known.property.empty() || known.property == property) &&
        (known.line == 0 || known.line == finding.source.line)) {
      return i;
    }
  }
  return std::nullopt;
}

bool Judgement::is_undecided() const {
  return !passed() && std::all_of(breaches.begin(), breaches.end(), [](const Breach& breach) {
    return breach.kind == BreachKind::unsupported;
  });
}

Judgement judge(const GatePolicy& policy, std::span<const GateOutcome> outcomes,
                const Date& today) {
  Judge judge(policy, outcomes);
  for (std::size_t i = 0; i < outcomes.size(); ++i) judge.add(i, outcomes[i]);
  return judge.end(today);
}

}  // namespace warpcheck::workflows::gate
