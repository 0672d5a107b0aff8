#include "workflows/gate/judgement.hpp"

#include <algorithm>
#include <utility>

namespace warpcheck::workflows::gate {
namespace {

class Judge {
 public:
  Judge(const GatePolicy& policy, const GateResults& results)
      : policy_(policy), results_(results), seen_(policy.known_failures.size()) {}

  Judgement judge(const Date& today) {
    for (std::size_t i = 0; i < results_.outcomes.size(); ++i) {
      subject_ = i;
      judge_outcome(results_.outcomes[i]);
    }
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      subject_ = i;
      judge_known_failure(policy_.known_failures[i], seen_[i], today);
    }
    for (std::size_t i = 0; i < results_.without_contract.size(); ++i) {
      subject_ = i;
      if (policy_.require_contracts) demand(DemandKind::contract, {BreachKind::no_contract});
    }
    return std::move(judgement_);
  }

 private:
  void demand(DemandKind kind, std::vector<BreachKind> breaches) {
    for (const BreachKind breach : breaches) judgement_.breaches.push_back({breach, subject_});
    judgement_.demands.push_back({kind, subject_, std::move(breaches)});
  }

  static std::vector<BreachKind> breach_if(bool breached, BreachKind kind) {
    return breached ? std::vector{kind} : std::vector<BreachKind>();
  }

  void judge_outcome(const GateOutcome& outcome) {
    const bool all_known = judge_findings(outcome.report);
    std::vector<BreachKind> verdict = breach_if(!all_known, BreachKind::finding);
    const bool unsupported = all_known && !outcome.report.unsupported.empty();
    if (unsupported) verdict.push_back(BreachKind::unsupported);
    const bool mistrusted = outcome.report.verdict == campaign::Verdict::mistrusted;
    if (mistrusted && !unsupported) verdict.push_back(BreachKind::mistrusted);
    demand(DemandKind::verdict, std::move(verdict));
    judge_proof(outcome);
    if (unsupported) return;  // its measures would be consequences
    const bool passed = outcome.report.verdict == campaign::Verdict::pass;
    demand(DemandKind::cases, breach_if(passed && outcome.report.cases == 0, BreachKind::no_case));
    judge_sensitivity(outcome);
    judge_coverage(outcome);
    judge_mutation_score(outcome);
  }

  /// Returns true if there is no finding, or each is a known failure.
  bool judge_findings(const campaign::VariantReport& report) {
    bool all_known = true;
    for (std::size_t i = 0; i < report.findings.size(); ++i) {
      const campaign::FindingReport& found = report.findings[i];
      const auto known = known_failure(policy_, report.variant, found.property, found.finding);
      all_known = all_known && known;
      if (!known) continue;
      seen_[*known] = true;
      judgement_.known.push_back({*known, subject_, i});
    }
    return all_known;
  }

  void judge_sensitivity(const GateOutcome& outcome) {
    const double minimum = outcome.rules.minimum.sensitivity;
    if (minimum == 0.0) return;
    const bool too_little = 100.0 * outcome.report.sensitivity.value_or(0.0) < minimum;
    demand(DemandKind::sensitivity, breach_if(too_little, BreachKind::sensitivity));
  }

  void judge_proof(const GateOutcome& outcome) {
    if (!outcome.proof) return;
    const bool is_proved =
        outcome.proof->count(prove::Status::proved) == outcome.proof->properties.size();
    demand(DemandKind::proof, breach_if(!is_proved, BreachKind::not_proved));
  }

  void judge_coverage(const GateOutcome& outcome) {
    const Minimums& minimum = outcome.rules.minimum;
    if (minimum.lines == 0.0 && minimum.branches == 0.0) return;
    const std::vector<std::string>& devices = outcome.rules.devices;
    const bool counted_elsewhere =
        outcome.report.device != "virtual" &&
        std::find(devices.begin(), devices.end(), "virtual") != devices.end();
    if (counted_elsewhere) return;
    const auto& coverage = outcome.report.coverage;
    if (!coverage) return demand(DemandKind::coverage, {BreachKind::coverage_not_counted});
    const bool reached =
        coverage->lines().reaches(minimum.lines) && coverage->branches().reaches(minimum.branches);
    demand(DemandKind::coverage, breach_if(!reached, BreachKind::coverage));
  }

  void judge_mutation_score(const GateOutcome& outcome) {
    const double minimum = outcome.rules.minimum.mutation_score;
    if (minimum == 0.0 || outcome.report.device != outcome.rules.devices.front()) return;
    if (!outcome.mutation_score) {
      const bool required = !fails(outcome.report.variant);
      if (required) demand(DemandKind::mutation_score, {BreachKind::mutation_score_unknown});
      return;
    }
    demand(DemandKind::mutation_score,
           breach_if(100.0 * *outcome.mutation_score < minimum, BreachKind::mutation_score));
  }

  void judge_known_failure(const KnownFailure& known, bool seen, const Date& today) {
    if (seen) {
      return demand(DemandKind::known_failure,
                    breach_if(known.until < today, BreachKind::known_failure_expired));
    }
    demand(DemandKind::known_failure,
           breach_if(!may_be_hidden(known), BreachKind::known_failure_gone));
  }

  /// Returns true if the variant has a finding or is unsupported on any device. Then it has no
  /// mutation score.
  [[nodiscard]] bool fails(const std::string& variant) const {
    return std::any_of(
        results_.outcomes.begin(), results_.outcomes.end(), [&](const GateOutcome& outcome) {
          return outcome.report.variant == variant &&
                 (!outcome.report.findings.empty() || !outcome.report.unsupported.empty());
        });
  }

  /// Returns true if a known failure may belong to a case that a device could not execute, or to a
  /// target that was not checked.
  [[nodiscard]] bool may_be_hidden(const KnownFailure& known) const {
    const auto& outcomes = results_.outcomes;
    const auto matches_variant = [&](const GateOutcome& outcome) {
      return matches(known.variant, outcome.report.variant);
    };
    const bool is_one_variant = known.variant.find_first_of("*?[") == std::string::npos;
    const bool was_checked =
        is_one_variant && std::any_of(outcomes.begin(), outcomes.end(), matches_variant);
    if (!results_.complete && !was_checked) return true;
    return std::any_of(outcomes.begin(), outcomes.end(), [&](const GateOutcome& outcome) {
      return !outcome.report.unsupported.empty() && matches_variant(outcome);
    });
  }

  const GatePolicy& policy_;
  const GateResults& results_;
  std::vector<bool> seen_;  // indexed by known failure; true: it still occurs
  std::size_t subject_ = 0;
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

Judgement judge(const GatePolicy& policy, const GateResults& results, const Date& today) {
  return Judge(policy, results).judge(today);
}

}  // namespace warpcheck::workflows::gate
