// Runs what a policy demands: the campaigns of its variants, grouped by their rules and devices,
// and mutants where a score is demanded.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <ostream>
#include <set>
#include <utility>

#include "base/diagnostic.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/origins.hpp"
#include "cli/commands/policy_file.hpp"
#include "cli/commands/regressions.hpp"
#include "cli/commands/reports.hpp"
#include "cli/commands/targets.hpp"
#include "cli/options/exit_status.hpp"
#include "report/console/gate_text.hpp"
#include "workflows/gate/judgement.hpp"
#include "workflows/mutate/mutate.hpp"

namespace warpcheck::cli {
namespace {

using Clock = std::chrono::steady_clock;
using workflows::gate::GateOutcome;
using workflows::gate::GatePolicy;
using workflows::gate::GateRules;

/// Passes on what it hears; findings that are known say so, until the day on which they fail.
class KnownFailures final : public properties::campaign::Listener {
 public:
  KnownFailures(const GatePolicy& policy, const workflows::gate::Date& today,
                report::Report& report)
      : policy_(policy), today_(today), report_(report) {}

  void mark(properties::campaign::FindingReport& found) const {
    const auto number =
        workflows::gate::known_failure(policy_, found.variant, found.property, found.finding);
    if (!number) return;
    const workflows::gate::KnownFailure& known = policy_.known_failures[*number];
    if (!(known.until < today_)) found.known = report::known_failure_text(known);
  }

  void started(const contract::Variant& variant) override { report_.started(variant); }
  void found(const properties::campaign::FindingReport& report) override {
    properties::campaign::FindingReport marked = report;
    mark(marked);
    report_.found(marked);
  }
  void noted(const properties::campaign::FindingReport& note) override { report_.noted(note); }
  void finished(const properties::campaign::VariantReport& report) override {
    properties::campaign::VariantReport marked = report;
    for (properties::campaign::FindingReport& found : marked.findings) mark(found);
    report_.finished(marked);
  }
  void progress(const properties::campaign::Progress& progress) override {
    report_.progress(progress);
  }
  void launching(const properties::Case& problem) override { report_.launching(problem); }

 private:
  const GatePolicy& policy_;
  const workflows::gate::Date& today_;
  report::Report& report_;
};

class Gate {
 public:
  Gate(const GateCommand& command, const GatePolicy& policy, const workflows::gate::Date& today,
       std::vector<Target> targets)
      : command_(command), policy_(policy), today_(today), targets_(std::move(targets)) {
    for (const Target& target : targets_) {
      rules_.push_back(policy.rules_of(target.variant.contract.name));
    }
    regressions_ = read_regressions({}, targets_);
  }

  /// Variants whose rules are the same and that stand side by side are one campaign.
  std::vector<GateOutcome> run(report::Report& report) {
    for (const std::string device : {"virtual", "cuda"}) {
      std::unique_ptr<device::Device> opened;
      for (std::size_t i = 0; i < targets_.size();) {
        std::size_t end = i + 1;
        while (end < targets_.size() && rules_[end] == rules_[i]) ++end;
        const std::vector<std::string>& devices = rules_[i].devices;
        if (std::find(devices.begin(), devices.end(), device) != devices.end()) {
          if (!opened) opened = open(device);
          run_campaign(i, end, *opened, report);
        }
        i = end;
      }
    }
    add_mutation_scores();
    return std::move(outcomes_);
  }

  [[nodiscard]] properties::campaign::CampaignReport totals() && { return std::move(totals_); }

 private:
  [[nodiscard]] std::unique_ptr<device::Device> open(const std::string& device) const {
    Common common = command_.common;
    common.device = device == "cuda" ? DeviceChoice::cuda : DeviceChoice::virtual_device;
    return choose_device(common, host_threads(common.jobs), 1).device;
  }

  void run_campaign(std::size_t begin, std::size_t end, device::Device& device,
                    report::Report& report) {
    const GateRules& rules = rules_[begin];
    std::vector<contract::Variant> variants;
    for (std::size_t i = begin; i < end; ++i) variants.push_back(targets_[i].variant);
    properties::campaign::CampaignOptions options;
    options.cases = rules.cases;
    options.budget_seconds = rules.time_seconds * static_cast<double>(variants.size());
    options.max_size = rules.max_size;
    options.seed = rules.seed;
    options.properties = rules.properties;
    options.jobs = command_.common.jobs;
    options.strict_races = rules.strict_races;
    options.map_errors = !command_.common.html.empty();
    options.regressions = regressions_;
    options.coverage = device.name() == "virtual" && wants_coverage(rules);
    options.is_known_failure = [this](std::string_view variant, std::string_view property,
                                      const Finding& finding) {
      return workflows::gate::known_failure(policy_, variant, property, finding).has_value();
    };
    KnownFailures listener(policy_, today_, report);
    properties::campaign::CampaignReport campaign =
        properties::campaign::run_campaign(variants, device, options, listener);
    for (properties::campaign::VariantReport& variant : campaign.variants) {
      for (properties::campaign::FindingReport& found : variant.findings) listener.mark(found);
      outcomes_.push_back({rules, variant, std::nullopt});
      totals_.add(std::move(variant));
    }
    totals_.seconds += campaign.seconds;
  }

  [[nodiscard]] bool wants_coverage(const GateRules& rules) const {
    return rules.minimum.lines > 0.0 || rules.minimum.branches > 0.0 ||
           !command_.common.lcov.empty() || !command_.common.html.empty();
  }

  /// Of the variants that fail nothing, once each.
  void add_mutation_scores() {
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (rules_[i].minimum.mutation_score == 0.0) continue;
      const std::string& name = targets_[i].variant.contract.name;
      std::vector<GateOutcome*> outcomes;
      bool fails = false;
      for (GateOutcome& outcome : outcomes_) {
        if (outcome.report.variant != name) continue;
        outcomes.push_back(&outcome);
        fails = fails || !outcome.report.findings.empty();
      }
      if (fails) continue;
      workflows::mutate::MutationOptions options;
      options.cases = rules_[i].cases;
      options.mutants = rules_[i].mutants;
      options.seed = rules_[i].seed;
      options.properties = rules_[i].properties;
      options.jobs = command_.common.jobs;
      const double score = workflows::mutate::mutate(targets_[i].variant, options).score.share();
      for (GateOutcome* outcome : outcomes) outcome->mutation_score = score;
    }
  }

  const GateCommand& command_;
  const GatePolicy& policy_;
  const workflows::gate::Date& today_;
  std::vector<Target> targets_;
  std::vector<GateRules> rules_;  // of each target
  properties::campaign::Regressions regressions_;
  std::vector<GateOutcome> outcomes_;
  properties::campaign::CampaignReport totals_;
};

/// The gate's devices and races, for the replay commands.
Common common_of(const GateCommand& command, const GatePolicy& policy,
                 std::span<const Target> targets) {
  Common common = command.common;
  common.device = DeviceChoice::virtual_device;
  common.strict_races = true;
  for (const Target& target : targets) {
    const GateRules rules = policy.rules_of(target.variant.contract.name);
    if (rules.devices != std::vector<std::string>{"virtual"}) {
      common.device = DeviceChoice::automatic;
    }
    common.strict_races = common.strict_races && rules.strict_races;
  }
  return common;
}

}  // namespace

int run(const GateCommand& asked) {
  const auto start = Clock::now();
  GateCommand command = asked;
  const GatePolicy policy = read_policy(command.policy);
  workflows::gate::Date today = workflows::gate::today();
  if (!command.today.empty()) today = *workflows::gate::parse_date(command.today);
  const std::vector<Target> targets = policy_targets(policy);
  use_reports(policy, command.common);
  command.common = common_of(command, policy, targets);
  remember_origins(targets);
  const auto reports = make_gate_reports(command.common, targets);
  Gate gate(command, policy, today, targets);
  const std::vector<GateOutcome> outcomes = gate.run(*reports);
  reports->summary(std::move(gate).totals());
  const workflows::gate::Judgement judgement = workflows::gate::judge(policy, outcomes, today);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  console(command.common) << report::gate_text(policy, outcomes, judgement, seconds,
                                               report::Paint(on_a_colour_terminal(command.common)))
                          << std::flush;
  return judgement.passed() ? kPassed : kFindings;
}

}  // namespace warpcheck::cli
