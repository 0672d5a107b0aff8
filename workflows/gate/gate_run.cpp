#include "workflows/gate/gate_run.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "workflows/mutate/mutate.hpp"

namespace warpcheck::workflows::gate {
namespace {

using campaign::CampaignOptions;
using campaign::CampaignReport;
using campaign::FindingReport;
using campaign::Listener;
using campaign::VariantReport;

/// Forwards the events of a campaign. Marks the findings of known failures that have not expired.
class KnownFailureMarker final : public Listener {
 public:
  KnownFailureMarker(const GatePolicy& policy, const GateOptions& options, Listener& listener)
      : policy_(policy), options_(options), listener_(listener) {}

  void mark(FindingReport& report) const {
    const auto number = known_failure(policy_, report.variant, report.property, report.finding);
    if (!number) return;
    const KnownFailure& known = policy_.known_failures[*number];
    if (!(known.until < options_.today)) report.known = options_.known_text(known);
  }

  void started(const contract::Variant& variant) override { listener_.started(variant); }
  void found(const FindingReport& report) override {
    FindingReport marked = report;
    mark(marked);
    listener_.found(marked);
  }
  void noted(const FindingReport& note) override { listener_.noted(note); }
  void finished(const VariantReport& report) override {
    VariantReport marked = report;
    for (FindingReport& found : marked.findings) mark(found);
    listener_.finished(marked);
  }
  void progress(const campaign::Progress& progress) override { listener_.progress(progress); }
  void launching(const campaign::Case& problem) override { listener_.launching(problem); }
  void not_checked(const contract::TargetError& error) override { listener_.not_checked(error); }

 private:
  const GatePolicy& policy_;
  const GateOptions& options_;
  Listener& listener_;
};

/// Consecutive targets with the same rules.
struct Group {
  GateRules rules;
  std::vector<contract::Variant> variants;
};

std::vector<Group> group_by_rules(const GatePolicy& policy,
                                  std::span<const targets::Target> targets) {
  std::vector<Group> groups;
  for (const targets::Target& target : targets) {
    GateRules rules = policy.rules_of(target.variant.contract.name);
    if (groups.empty() || !(groups.back().rules == rules)) groups.push_back({std::move(rules), {}});
    groups.back().variants.push_back(target.variant);
  }
  return groups;
}

class Gate {
 public:
  Gate(const GatePolicy& policy, const GateOptions& options, Listener& listener)
      : policy_(policy),
        options_(options),
        marker_(policy, options, listener),
        regressions_(options.regressions) {}

  GateRun run(const std::vector<Group>& groups) {
    std::map<std::string, std::unique_ptr<device::Device>> opened;
    for (const Group& group : groups) {
      for (const std::string& name : group.rules.devices) {
        if (!opened.contains(name)) opened.emplace(name, options_.open_device(name));
      }
    }
    for (const Group& group : groups) prove_group(group);
    for (const std::string name : {"virtual", "cuda"}) {
      for (const Group& group : groups) {
        const std::vector<std::string>& devices = group.rules.devices;
        if (std::find(devices.begin(), devices.end(), name) == devices.end()) continue;
        if (interrupted()) return std::move(run_);
        run_campaign(group, *opened.at(name));
      }
    }
    if (options_.shard.is_whole()) add_mutation_scores(groups);
    return std::move(run_);
  }

 private:
  /// Refuting cases are regressions, which the first shard runs. The gate as a whole decides.
  void prove_group(const Group& group) {
    if (group.rules.prove.empty() || interrupted()) return;
    const bool decides = options_.shard.is_whole();
    if (!decides && options_.shard.number != 1) return;
    const std::unique_ptr<device::Device> device = options_.open_device("virtual");
    const prove::ProveSettings settings{.options = {.only = group.rules.prove},
                                        .use_cache = options_.use_cache,
                                        .jobs = options_.jobs};
    prove::prove_variants(group.variants, settings, *device, marker_,
                          [&](std::size_t /*index*/, const prove::VariantResult& result) {
                            add_refutations(result, regressions_);
                            if (decides && options_.proved) options_.proved(result);
                            if (decides) proofs_.emplace(result.variant, result);
                          });
  }

  /// The proof belongs to the first device of a variant.
  [[nodiscard]] std::optional<prove::VariantResult> proof_for(const GateRules& rules,
                                                              const VariantReport& report) const {
    const auto proof = proofs_.find(report.variant);
    if (proof == proofs_.end() || report.device != rules.devices.front()) return std::nullopt;
    return proof->second;
  }

  void run_campaign(const Group& group, device::Device& device) {
    const GateRules& rules = group.rules;
    CampaignOptions options = rules.settings.campaign;
    options.budget_seconds *= static_cast<double>(group.variants.size());
    options.jobs = options_.jobs;
    options.sizes = options_.sizes;
    options.sizes.strict_launch |= rules.settings.campaign.sizes.strict_launch;
    options.map_errors = options_.map_errors;
    options.regressions = regressions_;
    options.shard = options_.shard;
    options.coverage = device.name() == "virtual" && needs_coverage(rules);
    options.require_lines = rules.minimum.lines == 0.0;
    options.continue_after_errors = true;
    options.interrupted = options_.interrupted;
    options.is_known_failure = [this](std::string_view variant, std::string_view property,
                                      const Finding& finding) {
      return known_failure(policy_, variant, property, finding).has_value();
    };
    std::unique_ptr<campaign::Journal> journal;
    if (options_.journal_of) journal = options_.journal_of(group.variants, device, options);
    CampaignReport campaign =
        campaign::run_campaign(group.variants, device, options, marker_, journal.get());
    for (VariantReport& variant : campaign.variants) {
      for (FindingReport& found : variant.findings) marker_.mark(found);
      run_.outcomes.push_back({rules, variant, std::nullopt, proof_for(rules, variant)});
      run_.totals.add(std::move(variant));
    }
    run_.totals.seconds += campaign.seconds;
    std::move(campaign.errors.begin(), campaign.errors.end(),
              std::back_inserter(run_.totals.errors));
  }

  [[nodiscard]] bool interrupted() const {
    return options_.interrupted != nullptr && *options_.interrupted;
  }

  [[nodiscard]] bool needs_coverage(const GateRules& rules) const {
    return rules.minimum.lines > 0.0 || rules.minimum.branches > 0.0 || options_.count_coverage ||
           !options_.shard.is_whole();  // a report of the whole may need it
  }

  /// Reports the progress of the mutants of variant number `index` of `variants`.
  [[nodiscard]] mutate::MutationProgress progress_of(const contract::Variant& variant,
                                                     std::size_t index, std::size_t variants) {
    const auto start = std::chrono::steady_clock::now();
    return [this, &variant, index, variants, start](std::size_t done, std::size_t mutants) {
      campaign::Progress now;
      now.variant = variant.contract.name;
      now.index = index;
      now.variants = variants;
      now.cases = static_cast<std::int64_t>(done);
      now.planned = static_cast<std::int64_t>(mutants);
      now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      now.activity = "mutating";
      now.unit = "mutants";
      marker_.progress(now);
    };
  }

  void add_mutation_scores(const std::vector<Group>& groups) {
    std::vector<std::pair<const contract::Variant*, const GateRules*>> mutated;
    for (const Group& group : groups) {
      if (group.rules.minimum.mutation_score == 0.0) continue;
      for (const contract::Variant& variant : group.variants) {
        mutated.emplace_back(&variant, &group.rules);
      }
    }
    for (std::size_t i = 0; i < mutated.size() && !interrupted(); ++i) {
      const auto& [variant, rules] = mutated[i];
      add_mutation_score(*variant, *rules, progress_of(*variant, i, mutated.size()));
    }
  }

  void add_mutation_score(const contract::Variant& variant, const GateRules& rules,
                          const mutate::MutationProgress& progress) {
    std::vector<GateOutcome*> outcomes;
    bool has_no_score = false;
    for (GateOutcome& outcome : run_.outcomes) {
      if (outcome.report.variant != variant.contract.name) continue;
      outcomes.push_back(&outcome);
      has_no_score =
          has_no_score || !outcome.report.findings.empty() || !outcome.report.unsupported.empty();
    }
    if (has_no_score || outcomes.empty()) return;
    mutate::MutationOptions options;
    options.cases = rules.settings.campaign.cases;
    options.mutants = rules.mutants;
    options.seed = rules.settings.campaign.seed;
    options.properties = rules.settings.campaign.properties;
    options.jobs = options_.jobs;
    try {
      const mutate::MutationReport report = mutate::mutate(variant, options, progress);
      if (report.interrupted) return;
      for (GateOutcome* outcome : outcomes) outcome->mutation_score = report.score.share();
    } catch (const EnvironmentError&) {
      // The device cannot execute one of its cases: the score stays unknown, which is a breach.
    } catch (const InputError& error) {
      run_.totals.errors.push_back({variant.contract.name, error.diagnostics()});
      marker_.not_checked(run_.totals.errors.back());
    }
  }

  const GatePolicy& policy_;
  const GateOptions& options_;
  KnownFailureMarker marker_;
  campaign::Regressions regressions_;
  std::map<std::string, prove::VariantResult> proofs_;
  GateRun run_;
};

}  // namespace

GateRun run_gate(const GatePolicy& policy, std::span<const targets::Target> targets,
                 const GateOptions& options, Listener& listener) {
  return Gate(policy, options, listener).run(group_by_rules(policy, targets));
}

}  // namespace warpcheck::workflows::gate
