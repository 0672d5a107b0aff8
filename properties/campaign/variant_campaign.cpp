#include "properties/campaign/variant_campaign.hpp"

#include <exception>
#include <iterator>
#include <utility>

#include "base/parallel_for.hpp"
#include "properties/run/watched_device.hpp"

namespace warpcheck::properties::campaign {
namespace {

std::function<bool(const Failure&)> awaited(const CampaignOptions& options,
                                            const RunContext& bench) {
  if (!options.awaited) return {};
  return [&options, &name = bench.variant.contract.name](const Failure& suspect) {
    return options.awaited(name, suspect.property->name, suspect.evidence.finding);
  };
}

}  // namespace

VariantCampaign::VariantCampaign(const RunContext& bench, const CampaignOptions& options,
                                 unsigned jobs, Journal* journal, Progress progress)
    : bench_(bench),
      options_(options),
      jobs_(jobs),
      journal_(journal),
      progress_(std::move(progress)),
      agenda_(options.properties, bench.variant.contract),
      generator_(bench.variant.contract, options.seed, bench.device.is_sparse(), options.max_size),
      tally_({.of_a_shard = !options.shard.is_whole(), .awaited = awaited(options, bench)}) {
  const auto found = options.regressions.find(bench.variant.contract.name);
  if (found != options.regressions.end() && options.shard.number == 1) {
    regressions_ = found->second;
    next_ = -std::ssize(regressions_);
  }
  if (journal_ != nullptr) recorded_ = journal_->started(bench.variant.contract.name);
}

VariantReport VariantCampaign::run(std::optional<Clock::time_point> deadline) {
  const Clock::time_point start = Clock::now();
  for (bool first = true; !tally_.ended(); first = false) {
    if (deadline && !first && Clock::now() >= *deadline) break;
    std::vector<IndexedResult> chunk = next_chunk();
    if (chunk.empty()) break;
    std::vector<IndexedResult*> unknown;
    for (IndexedResult& item : chunk) {
      const auto known = recorded_.find(item.index);
      if (known == recorded_.end() || is_other_regression(item.index, known->second)) {
        unknown.push_back(&item);
      } else {
        item.result = std::move(known->second);
      }
    }
    ask(unknown);
    std::vector<IndexedResult> fresh;
    for (IndexedResult& item : chunk) {
      if (tally_.ended()) break;
      item.result.levels = generate::to_text(generator_.levels(item.result.drawn.problem));
      tally_.add(item.index, item.result);
      run::add(coverage_, item.coverage);
      if (!recorded_.contains(item.index)) fresh.push_back(std::move(item));
    }
    if (journal_ != nullptr && !fresh.empty()) journal_->record(fresh);
    tell_progress("checking");
  }
  const generate::Combinations combinations = generator_.combinations(tally_.drawn());
  VariantReport report =
      tally_.report(combinations, [&](const FailureRecord& sight) { return told(sight); });
  report.variant = bench_.variant.contract.name;
  report.device = bench_.device.name();
  if (!coverage_.blocks.empty()) {
    report.coverage = coverage::source_coverage(bench_.variant, bench_.program, coverage_);
  }
  report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (journal_ != nullptr) journal_->finished(report, combinations);
  return report;
}

std::vector<IndexedResult> VariantCampaign::next_chunk() {
  std::vector<IndexedResult> chunk;
  const std::size_t most = std::size_t{16} * jobs_;
  for (; next_ < options_.cases && chunk.size() < most; ++next_) {
    if (next_ < 0 || options_.shard.holds(options_.seed, bench_.variant.contract.name, next_)) {
      chunk.push_back({next_, {}});
    }
  }
  return chunk;
}

/// On all threads.
void VariantCampaign::ask(std::vector<IndexedResult*> cases) {
  parallel_for(cases.size(), jobs_, [&](std::size_t i) {
    const Clock::time_point start = Clock::now();
    IndexedResult& item = *cases[i];
    try {
      ask(item);
    } catch (...) {
      item.result.error = std::current_exception();
    }
    item.result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  });
}

void VariantCampaign::ask(IndexedResult& item) const {
  if (!options_.coverage) {
    item.result = answer(bench_, item.index);
    return;
  }
  run::WatchedDevice watched(bench_.device);
  item.result = answer({bench_.variant, watched, bench_.program, bench_.before_launch,
                        bench_.strict_races, bench_.limits_only},
                       item.index);
  item.coverage = watched.take().coverage;
}

CaseResult VariantCampaign::answer(const RunContext& bench, std::int64_t index) const {
  return index < 0 ? run_regression(bench, regression(index).problem)
                   : run_case(bench, agenda_, generator_.draw(index), index);
}

const Regression& VariantCampaign::regression(std::int64_t index) const {
  return regressions_.at(static_cast<std::size_t>(std::ssize(regressions_) + index));
}

/// Regressions may have been kept or dropped since the journal recorded them.
bool VariantCampaign::is_other_regression(std::int64_t index, const CaseResult& recorded) const {
  return index < 0 && recorded.drawn.problem != regression(index).problem;
}

FindingReport VariantCampaign::told(const FailureRecord& sight) {
  FindingReport report = told_once(sight);
  if (sight.index < 0) report.regression = regression(sight.index).where;
  return report;
}

FindingReport VariantCampaign::told_once(const FailureRecord& sight) {
  std::optional<FindingReport> known;
  if (journal_ != nullptr) known = journal_->told(sight);
  if (known && known->original != sight.suspect.problem) known.reset();
  const bool maps = options_.map_errors && !sight.note;
  if (known && (!maps || known->map)) return std::move(*known);
  FindingReport report = known        ? std::move(*known)
                         : sight.note ? report_of(bench_, *sight.suspect.property,
                                                  sight.suspect.problem, sight.suspect.evidence)
                                      : investigated(sight.suspect);
  if (maps) report.map = error_map(bench_, sight.suspect);
  if (journal_ != nullptr) journal_->record(sight, report);
  return report;
}

FindingReport VariantCampaign::investigated(const Failure& suspect) {
  tell_progress("shrinking");
  RunContext bench = bench_;
  bench.before_launch = [&, before = bench_.before_launch](const Case& problem) {
    if (before) before(problem);
    tell_progress("shrinking");
  };
  return minimize_and_confirm(bench, suspect,
                              {options_.shrink, options_.shrink_seconds, options_.shrink_launches});
}

}  // namespace warpcheck::properties::campaign
