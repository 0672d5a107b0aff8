#include "campaign/variant_campaign.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include "campaign/case/product.hpp"
#include "campaign/checks/limits.hpp"

namespace warpcheck::campaign {
namespace {

// A campaign ends at the latest after this many generated cases for each of its cases; the others
// are empty.
constexpr std::int64_t kMostGenerated = 4;
// Results are stored together: each time costs a write to the disk.
constexpr std::size_t kManyFresh = 16;
constexpr std::chrono::milliseconds kRecordPeriod{200};
// Cases that are planned ahead of those that are claimed.
constexpr std::int64_t kLeastPlanned = 8;
constexpr std::int64_t kMostPlanned = 64;
// Cases that a thread runs before it looks for other work begin within this time.
constexpr std::chrono::milliseconds kTimeOfTask{10};
// The least time for the first cases of a variant after whose deadline others have run.
constexpr std::chrono::milliseconds kLeastTime{500};
// Findings of a variant that may use all of their work for shrinking, and the part of it that each
// later one may use.
constexpr std::uint64_t kFullShrinks = 3;
constexpr std::uint64_t kLaterPart = 10;

std::function<bool(const Failure&)> known_failures(const CampaignOptions& options,
                                                   const run::Context& context) {
  if (!options.is_known_failure) return {};
  return [&options, &name = context.variant.contract.name](const Failure& failure) {
    return options.is_known_failure(name, failure.property->name, failure.evidence.finding);
  };
}

}  // namespace

VariantCampaign::VariantCampaign(const run::Context& context, const CampaignOptions& options,
                                 std::unique_ptr<VariantJournal> journal, Progress progress,
                                 std::optional<Clock::time_point> deadline)
    : context_(context),
      options_(options),
      journal_(std::move(journal)),
      progress_(std::move(progress)),
      deadline_(deadline),
      rotation_(options.properties, context.variant.contract),
      cases_(context.variant,
             {options.seed, context.device.is_sparse(), options.max_size, options.sizes}),
      shrink_work_left_(kFullShrinks * options.shrink_work),
      tally_({.is_shard = !options.shard.is_whole(),
              .is_known_failure = known_failures(options, context)}) {
  if (deadline_) stop_at_ = std::max(*deadline_, start_ + kLeastTime);
  const auto found = options.regressions.find(context.variant.contract.name);
  if (found != options.regressions.end() && options.shard.number == 1) {
    regressions_ = found->second;
    first_ = next_ = counted_ = -std::ssize(regressions_);
  }
  if (journal_) recorded_ = journal_->recorded_cases();
  if (options.require_lines && rotation_.base() != nullptr) {
    lines_.emplace(context.variant, context.program);
    needs_lines_ = true;
  }
}

/// A case that runs may be empty: only then another one takes its place.
bool VariantCampaign::may_claim() const {
  if (ended_ || interrupted()) return false;
  if (deadline_ && next_ != first_ && Clock::now() >= *deadline_) return false;
  return next_ < 0 || (next_ - empty_ < options_.cases && next_ < kMostGenerated * options_.cases);
}

bool VariantCampaign::claim_plan() {
  const std::lock_guard lock(mutex_);
  const std::int64_t ahead = std::clamp<std::int64_t>(next_, kLeastPlanned, kMostPlanned);
  const std::int64_t end = options_.cases + empty_;  // the cases before this index may be claimed
  if (planning_ || cases_.planned() >= std::min(next_ + ahead, end) || !may_claim()) return false;
  planning_ = true;
  plan_end_ = std::min(next_ + 2 * ahead, end);
  ++running_;
  return true;
}

void VariantCampaign::plan() {
  cases_.plan(plan_end_);
  const std::lock_guard lock(mutex_);
  planning_ = false;
  --running_;
}

std::optional<std::int64_t> VariantCampaign::claim(Ahead ahead) {
  const std::lock_guard lock(mutex_);
  return claim_locked(ahead);
}

std::optional<std::int64_t> VariantCampaign::claim_locked(Ahead ahead) {
  if (next_ >= cases_.planned()) return {};
  const std::int64_t most =
      std::clamp(2 * (counted_ - first_), ahead.least, std::max(ahead.least, ahead.most));
  if (next_ - counted_ >= most || !may_claim()) return {};
  ++running_;
  return next_++;
}

double VariantCampaign::seconds_left() const {
  const std::lock_guard lock(mutex_);
  if (ended_cases_ == 0) return std::numeric_limits<double>::infinity();
  const std::int64_t left = options_.cases + empty_ - next_;
  return static_cast<double>(left) * case_seconds_ / static_cast<double>(ended_cases_);
}

bool VariantCampaign::is_done() const {
  const std::lock_guard lock(mutex_);
  return running_ == 0 && !may_claim();
}

void VariantCampaign::run(std::int64_t index, Ahead ahead) {
  const Clock::time_point end = Clock::now() + kTimeOfTask;
  for (std::optional<std::int64_t> claimed = index; claimed;) {
    IndexedResult item = result_at(*claimed);
    std::unique_lock lock(mutex_);
    receive(std::move(item), lock);
    claimed = Clock::now() < end ? claim_locked(ahead) : std::nullopt;
  }
}

void VariantCampaign::receive(IndexedResult item, std::unique_lock<std::mutex>& lock) {
  if (item.index >= 0 && launches_nothing(item.result.generated.problem)) ++empty_;
  ++ended_cases_;
  case_seconds_ += item.result.seconds;
  waiting_.emplace(item.index, std::move(item));
  if (!std::exchange(counting_, true)) {
    count_complete(lock);
    counting_ = false;
  }
  --running_;
}

/// Other threads may add results meanwhile.
void VariantCampaign::count_complete(std::unique_lock<std::mutex>& lock) {
  while (!ended_ && !waiting_.empty() && waiting_.begin()->first == counted_) {
    IndexedResult item = std::move(waiting_.extract(waiting_.begin()).mapped());
    lock.unlock();
    std::exception_ptr error;
    try {
      if (is_of_this_shard(item.index)) count(item);
      progress_(tally_.cases(), tally_.failures(), "checking");
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    ++counted_;
    error_ = error;
    ended_ = error_ || tally_.ended();
  }
}

/// Returns the result of a case, from the journal if it is there.
IndexedResult VariantCampaign::result_at(std::int64_t index) const {
  if (is_recorded(index)) return {index, recorded_.at(index)};
  const Clock::time_point start = Clock::now();
  IndexedResult item{index, {}};
  CaseResult& result = item.result;
  run::Observation seen;
  try {
    result.generated =
        index < 0 ? generate::GeneratedCase{regression(index).problem, {}} : cases_.draw(index);
    const bool runs = is_of_this_shard(index);
    result.stopped = runs && (interrupted() || (stop_at_ && Clock::now() >= *stop_at_));
    if (runs && !result.stopped) {
      const bool watch = options_.coverage || needs_lines_;
      result = run_case(context_of_case(watch ? &seen : nullptr), laws_of(index), result.generated);
      if (index == 0 && options_.max_size == 0) add_limits(result);
      result.levels = generate::to_text(cases_.levels(result.generated.problem));
      item.coverage = std::move(seen.coverage);
    }
  } catch (const run::StoppedRun&) {
    result.stopped = result.was_run = true;
  } catch (...) {
    result.error = std::current_exception();
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return item;
}

run::Context VariantCampaign::context_of_case(run::Observation* observation) const {
  run::Context context = context_;
  context.stop = {stop_at_, options_.interrupted};
  context.observation = observation;
  return context;
}

std::vector<const properties::Law*> VariantCampaign::laws_of(std::int64_t index) const {
  if (index >= 0) return rotation_.laws(index);
  return {&properties::law(regression(index).problem.property)};
}

bool VariantCampaign::is_of_this_shard(std::int64_t index) const {
  return index < 0 || options_.shard.holds(options_.seed, context_.variant.contract.name, index);
}

void VariantCampaign::count(IndexedResult& item) {
  CaseResult& result = item.result;
  if (result.stopped) {
    if (interrupted()) return;  // no time limit stopped the case
    stopped_ += result.was_run ? 1 : 0;
    if (result.was_run && !stopped_case_) stopped_case_ = result.generated.problem;
    return;
  }
  add(item);
  if (!journal_ || is_recorded(item.index)) return;
  fresh_.push_back(std::move(item));
  if (fresh_.size() >= kManyFresh || Clock::now() - recorded_at_ >= kRecordPeriod) record_fresh();
}

void VariantCampaign::record_fresh() {
  if (fresh_.empty()) return;
  journal_->record(fresh_);
  fresh_.clear();
  recorded_at_ = Clock::now();
}

VariantReport VariantCampaign::finish() {
  if (error_) std::rethrow_exception(error_);
  record_fresh();
  const generate::Combinations combinations = cases_.combinations(tally_.generated());
  VariantReport report =
      tally_.report(combinations, [&](const FailureRecord& record) { return reported(record); });
  report.variant = context_.variant.contract.name;
  report.device = context_.device.name();
  list_properties(report, rotation_.names());
  if (lines_ && !interrupted()) report_lines(report);
  if (!coverage_.blocks.empty()) {
    report.coverage = coverage::source_coverage(context_.variant, context_.program, coverage_);
  }
  report.stopped = stopped_;
  report.stopped_case = stopped_case_;
  if (report.cases == 0 && report.stopped > 0 && report.verdict == Verdict::pass) {
    report.verdict = Verdict::mistrusted;
  }
  report.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (journal_ && !interrupted()) journal_->finished(report, combinations);
  return report;
}

void VariantCampaign::add(IndexedResult& item) {
  tally_.add(item.index, item.result);
  const bool recorded = is_recorded(item.index);
  if (options_.coverage && recorded) item.coverage = journal_->recorded_coverage(item.index);
  if (lines_) {
    if (recorded && item.coverage.blocks.empty()) {
      lines_->add(item.result.executed);
    } else {
      item.result.executed = lines_->add(item.coverage);
    }
    needs_lines_ = !lines_->complete();
  }
  if (!options_.coverage) return;
  const bool is_stored = journal_ && !recorded && !options_.shard.is_whole();
  device::Coverage stored;
  if (is_stored) stored = run::without_unexecuted(item.coverage, coverage_);
  run::add(coverage_, item.coverage);
  item.coverage = std::move(stored);
}

/// Runs the first case again if all cases are recorded: the recorded parts of the program need its
/// structure.
void VariantCampaign::report_lines(VariantReport& report) {
  const auto first = std::find_if(recorded_.begin(), recorded_.end(), [](const auto& recorded) {
    return !recorded.second.executed.empty();
  });
  if (lines_->needs_a_run() && first != recorded_.end()) {
    run::Observation seen;
    (void)run_case(context_of_case(&seen), laws_of(first->first), first->second.generated);
    (void)lines_->add(seen.coverage);
  }
  if (!lines_->lines()) return;
  if (options_.shard.is_whole()) {
    campaign::require_lines(report, *lines_->lines());
  } else {
    report.lines = lines_->lines();
  }
}

/// Adds what the contract admits and no case has.
void VariantCampaign::add_limits(CaseResult& result) const {
  const properties::Law& property =
      rotation_.base() != nullptr ? *rotation_.base() : properties::laws().front();
  const campaign::checks::LimitOptions limits{.strict_launch = options_.sizes.strict_launch,
                                              .sparse = context_.device.is_sparse()};
  for (campaign::checks::Limit& limit : campaign::checks::limits_of(context_.variant, limits)) {
    result.notes.push_back(
        {limit.problem, &property, std::move(limit.evidence), result.notes.size()});
  }
}

const Regression& VariantCampaign::regression(std::int64_t index) const {
  return regressions_.at(static_cast<std::size_t>(std::ssize(regressions_) + index));
}

/// The regressions may have changed since the journal recorded them.
bool VariantCampaign::is_recorded(std::int64_t index) const {
  const auto known = recorded_.find(index);
  return known != recorded_.end() &&
         (index >= 0 || known->second.generated.problem == regression(index).problem);
}

FindingReport VariantCampaign::reported(const FailureRecord& record) {
  FindingReport report = recorded_or_minimized(record);
  if (record.index < 0) report.regression = regression(record.index).where;
  return report;
}

FindingReport VariantCampaign::recorded_or_minimized(const FailureRecord& record) {
  std::optional<FindingReport> recorded;
  if (journal_) recorded = journal_->recorded_report(record);
  if (recorded && recorded->original != record.failure.problem) recorded.reset();
  const bool needs_map = options_.map_errors && !record.note;
  if (recorded) subtract_work(*recorded);
  if (recorded && (!needs_map || recorded->map)) return std::move(*recorded);
  FindingReport report = recorded      ? std::move(*recorded)
                         : record.note ? report_of(context_, *record.failure.property,
                                                   record.failure.problem, record.failure.evidence)
                                       : minimized_until_interrupted(record.failure);
  if (interrupted()) return report;
  if (needs_map) report.map = error_map(context_, record.failure);
  if (journal_) journal_->record(record, report);
  return report;
}

/// A resumed campaign has the work left that it would have without the interruption.
void VariantCampaign::subtract_work(const FindingReport& report) {
  shrink_work_left_ -= std::min(shrink_work_left_, report.shrink_work);
  for (const FindingReport& other : report.others) subtract_work(other);
}

FindingReport VariantCampaign::minimized_until_interrupted(const Failure& failure) {
  try {
    if (options_.confirm && !interrupted()) return minimized(failure);
  } catch (const run::StoppedRun&) {
    // The case is reported as it is.
  }
  return report_of(context_, *failure.property, failure.problem, failure.evidence);
}

FindingReport VariantCampaign::minimized(const Failure& failure) {
  const auto shrinking = [&] { progress_(tally_.cases(), tally_.failures(), "shrinking"); };
  shrinking();
  run::Context context = context_;
  context.stop = {std::nullopt, options_.interrupted};
  context.before_launch = [&, before = context_.before_launch](const Case& problem) {
    if (before) before(problem);
    shrinking();
  };
  RunOptions options = options_;
  options.shrink_work =
      std::clamp(shrink_work_left_, options_.shrink_work / kLaterPart, options_.shrink_work);
  std::vector<Failure> others;
  FindingReport report = minimize_and_confirm(context, failure, options, &others);
  // The failures of all shards determine which of these are findings of their own.
  for (const Failure& other : others) {
    report.others.push_back(minimize_and_confirm(context, other, options));
  }
  subtract_work(report);
  return report;
}

}  // namespace warpcheck::campaign
