#include "workflows/fuzz/search.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "base/parallel_for.hpp"

namespace warpcheck::workflows::fuzz {
namespace {

// Does not depend on the number of threads: the results are applied together, in this order.
constexpr std::size_t kInputsAtOnce = 16;
constexpr std::size_t kMostNever = 8;    // most places that are reported
constexpr std::size_t kMostCauses = 32;  // most failures that are shrunk
// A search ends after so many cases if the device could execute none of them.
constexpr std::int64_t kMostUnsupported = 64;

std::optional<FuzzFolder> folder_of(const campaign::run::Context& context,
                                    const FuzzOptions& options) {
  if (options.folder.empty()) return std::nullopt;
  const contract::Variant& variant = context.variant;
  const bool has_file = variant.compiled && !variant.compiled->prebuilt;
  return FuzzFolder(options.folder, has_file ? variant.compiled->source_file : "",
                    variant.contract.name);
}

}  // namespace

Search::Search(const campaign::run::Context& context, const FuzzOptions& options, unsigned jobs,
               std::function<void(const FuzzProgress&)> report_progress,
               std::function<void(const campaign::FindingReport&)> report_finding)
    : context_(context),
      options_(options),
      jobs_(jobs),
      report_progress_(std::move(report_progress)),
      report_finding_(std::move(report_finding)),
      folder_(folder_of(context, options)),
      before_(folder_ ? folder_->state() : SearchState{}),
      scheduler_(context, options, before_.generated, before_.cases),
      features_(context.variant.contract) {
  report_.variant = context.variant.contract.name;
  report_.device = context.device.name();
}

FuzzReport Search::run(std::optional<Clock::time_point> deadline) {
  if (folder_) replay_findings();
  if (folder_ && (options_.guided || options_.minimise)) replay_corpus();
  if (!options_.minimise) search(deadline);
  report_.reached = progress("done");
  report_.never = edges_never_taken();
  report_.interrupted = interrupted();
  return std::move(report_);
}

/// Runs the findings of earlier searches again: each still occurs, or has been fixed.
void Search::replay_findings() {
  for (const campaign::Case& line : folder_->findings()) {
    if (interrupted()) return;
    const auto input = property_case_of(context_, line);
    if (!input) {
      ++report_.left_out;
      continue;
    }
    const campaign::checks::CheckResult result =
        check_law(*input->property, context_, input->problem, true);
    ++cases_;
    const bool is_unsupported = add_unsupported(*input, result);
    if (result.evidence.empty() && !is_unsupported) ++report_.fixed;
    for (const campaign::run::Evidence& evidence : result.evidence) {
      failures_.push_back({input->problem, input->property, evidence});
      report(campaign::report_of(context_, *input->property, input->problem, evidence));
    }
    report_progress_(progress("replaying findings"));
  }
  report_.known = report_.findings.size();
}

/// Replays smaller cases first, so that a feature belongs to the smallest case that has it.
void Search::replay_corpus() {
  std::vector<campaign::Case> cases = folder_->corpus();
  std::stable_sort(cases.begin(), cases.end(),
                   [](const campaign::Case& one, const campaign::Case& other) {
                     return cost_of(one) < cost_of(other);
                   });
  std::vector<PropertyCase> inputs;
  std::set<std::string> lines;
  for (const campaign::Case& line : cases) {
    auto input = property_case_of(context_, line);
    if (!input) {
      ++report_.left_out;
      if (options_.minimise) folder_->drop(line);
      continue;
    }
    // The file may have been edited, or the contract may have changed.
    if (input->problem != line) {
      folder_->add(input->problem);
      folder_->drop(line);
    }
    if (lines.insert(campaign::to_line(input->problem)).second) inputs.push_back(std::move(*input));
  }
  for (std::size_t first = 0; first < inputs.size() && !interrupted(); first += kInputsAtOnce) {
    const auto begin = inputs.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = inputs.begin() +
                     static_cast<std::ptrdiff_t>(std::min(first + kInputsAtOnce, inputs.size()));
    for (const InputResult& outcome : run_all({begin, end})) apply(outcome);
    report_progress_(progress("recalling the corpus"));
  }
}

void Search::search(std::optional<Clock::time_point> deadline) {
  Clock::time_point written = Clock::now();
  deadline_ = deadline;
  while (!ended() && !interrupted() && (!deadline || Clock::now() < *deadline)) {
    for (const InputResult& outcome : run_all(scheduler_.next(corpus_, kInputsAtOnce))) {
      if (ended()) break;
      apply(outcome);
      new_cases_ += outcome.was_run ? 1 : 0;
    }
    report_progress_(progress("searching"));
    if (folder_ && Clock::now() - written > std::chrono::seconds(1)) {
      folder_->write(state());
      written = Clock::now();
    }
  }
  if (folder_) folder_->write(state());
}

std::vector<Search::InputResult> Search::run_all(std::vector<PropertyCase> inputs) const {
  std::vector<InputResult> results(inputs.size());
  for (std::size_t i = 0; i < results.size(); ++i) results[i].input = inputs[i];
  const auto errors = parallel_try(results.size(), jobs_, [&](std::size_t i) {
    if (!interrupted()) results[i] = run(std::move(inputs[i]));
  });
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (errors[i]) results[i].error = errors[i];
  }
  return results;
}

Search::InputResult Search::run(PropertyCase input) const {
  InputResult outcome;
  campaign::run::Context context = context_;
  context.stop = {deadline_, options_.interrupted};
  if (options_.guided) context.observation = &outcome.observation;
  const Clock::time_point start = Clock::now();
  try {
    outcome.result = check_law(*input.property, context, input.problem, false);
  } catch (const campaign::run::StoppedRun&) {
    outcome.input = std::move(input);
    return outcome;
  }
  // Ctrl-C also reaches the worker processes of a device: failures after it are not findings.
  outcome.was_run = !interrupted();
  outcome.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (options_.guided) {
    outcome.features =
        features_.of(input.problem, outcome.observation, outcome.result.error_over_bound);
  }
  outcome.input = std::move(input);
  return outcome;
}

void Search::apply(const InputResult& outcome) {
  if (outcome.error) std::rethrow_exception(outcome.error);
  if (!outcome.was_run) return;
  ++cases_;
  add_coverage(outcome.observation.coverage);
  for (const campaign::run::Evidence& evidence : outcome.result.evidence) {
    add_failure({outcome.input.problem, outcome.input.property, evidence});
  }
  const bool is_unsupported = add_unsupported(outcome.input, outcome.result);
  if (outcome.result.launched && !is_unsupported) {
    add(report_.properties, {std::string(outcome.input.property->name), 1, outcome.seconds});
  }
  // A failing case is not added to the corpus: its mutants would fail in the same way.
  if (!outcome.result.evidence.empty() || is_unsupported) return;
  if (const auto& error = outcome.result.error_over_bound) {
    error_over_bound_ = std::max(error_over_bound_.value_or(0.0), *error);
  }
  if (options_.guided) add_to_corpus(outcome);
}

void Search::add_coverage(const device::Coverage& coverage) {
  for (const device::CoveredEdge& edge : coverage.edges) {
    bool& taken = edges_[{edge.from, edge.to}];
    taken = taken || edge.warps != 0;
  }
}

/// A device without coverage finds few features. It does not delete the files of another device.
void Search::add_to_corpus(const InputResult& outcome) {
  const Corpus::Change change = corpus_.offer(outcome.input.problem, outcome.features);
  if (change.new_coverage) scheduler_.add_neighbours(outcome.input.problem);
  if (!folder_) return;
  if (change.added) folder_->add(outcome.input.problem);
  if (edges_.empty()) return;
  for (const campaign::Case& dropped : change.dropped) {
    folder_->drop(dropped);
    report_.dropped += options_.minimise ? 1 : 0;
  }
  if (options_.minimise && !change.added) {
    folder_->drop(outcome.input.problem);
    ++report_.dropped;
  }
}

bool Search::add_unsupported(const PropertyCase& input,
                             const campaign::checks::CheckResult& result) {
  if (!result.unsupported) {
    executed_any_ = executed_any_ || result.launched;
    return false;
  }
  ++unsupported_cases_;
  add(report_.unsupported, {*result.unsupported, input.problem});
  return true;
}

void Search::add_failure(const campaign::Failure& failure) {
  using campaign::Failure;
  namespace shrink = campaign::shrink;
  const shrink::Signature cause = shrink::signature_of(failure.problem, failure.evidence);
  const bool known = std::any_of(failures_.begin(), failures_.end(), [&](const Failure& other) {
    return shrink::same_after_shrinking(cause, shrink::signature_of(other.problem, other.evidence));
  });
  if (known || failures_.size() == kMostCauses) return;
  failures_.push_back(failure);
  report_progress_(progress("shrinking"));
  if (!report_.first_after) report_.first_after = cases_;
  std::vector<Failure> others;
  report(campaign::minimize_and_confirm(context_, failure, options_, &others));
  for (const Failure& other : others) add_failure(other);
}

/// Two failures can have the same cause after shrinking.
void Search::report(campaign::FindingReport finding) {
  const campaign::shrink::Signature cause = campaign::signature_of(finding);
  const bool known = std::any_of(
      report_.findings.begin(), report_.findings.end(), [&](const campaign::FindingReport& other) {
        return campaign::shrink::same_after_shrinking(campaign::signature_of(other), cause);
      });
  if (known) return;
  if (folder_) folder_->add(finding, options_.sentence(finding.finding));
  report_finding_(finding);
  report_.findings.push_back(std::move(finding));
}

SearchState Search::state() const { return {scheduler_.generated(), before_.cases + new_cases_}; }

bool Search::interrupted() const {
  return options_.interrupted != nullptr && options_.interrupted->load();
}

bool Search::ended() const {
  return (options_.cases != 0 && new_cases_ >= options_.cases) ||
         (!executed_any_ && unsupported_cases_ >= kMostUnsupported) ||
         (options_.stop_at_first && !report_.findings.empty());
}

FuzzProgress Search::progress(std::string_view activity) const {
  FuzzProgress now;
  now.variant = context_.variant.contract.name;
  now.activity = activity;
  now.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (deadline_) {
    now.seconds_left = std::chrono::duration<double>(*deadline_ - Clock::now()).count();
  }
  now.cases = cases_;
  now.corpus = corpus_.size();
  now.features = corpus_.features();
  now.edges = static_cast<std::size_t>(
      std::count_if(edges_.begin(), edges_.end(), [](const auto& edge) { return edge.second; }));
  now.edges_total = edges_.size();
  now.findings = report_.findings.size();
  now.error_over_bound = error_over_bound_;
  return now;
}

/// Returns each line once, in program order.
std::vector<SourcePlace> Search::edges_never_taken() const {
  std::vector<SourcePlace> places;
  std::set<std::pair<std::string, unsigned>> known;
  for (const auto& [edge, taken] : edges_) {
    if (taken || edge.first == device::kEntry) continue;
    SourcePlace place = context_.program.place(edge.first);
    if (place.line == 0 || !known.insert({place.file, place.line}).second) continue;
    places.push_back(std::move(place));
    if (places.size() == kMostNever) break;
  }
  return places;
}

}  // namespace warpcheck::workflows::fuzz
