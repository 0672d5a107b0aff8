#include "workflows/fuzz/search.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "base/parallel_for.hpp"
#include "properties/run/watched_device.hpp"

namespace warpcheck::workflows::fuzz {
namespace {

constexpr std::size_t kQuestionsAtOnce = 16;  // whatever the number of threads: they are learned
                                              // from together, in their order
constexpr std::size_t kMostNever = 8;         // places told

bool same_place(const Finding& one, const Finding& other) {
  return one.kind == other.kind && one.source.line == other.source.line &&
         one.source.file == other.source.file;
}

std::optional<FuzzFolder> folder_of(const properties::campaign::RunContext& bench,
                                    const FuzzOptions& options) {
  if (options.folder.empty()) return std::nullopt;
  return FuzzFolder(options.folder, bench.variant.contract.name);
}

}  // namespace

Search::Search(const properties::campaign::RunContext& bench, const FuzzOptions& options,
               unsigned jobs, std::function<void(const FuzzProgress&)> tell,
               std::function<void(const properties::campaign::FindingReport&)> found)
    : bench_(bench),
      options_(options),
      jobs_(jobs),
      tell_(std::move(tell)),
      found_(std::move(found)),
      folder_(folder_of(bench, options)),
      before_(folder_ ? folder_->state() : SearchState{}),
      questions_(bench, options, before_.drawn, before_.cases),
      features_(bench.variant.contract) {
  report_.variant = bench.variant.contract.name;
  report_.device = bench.device.name();
}

FuzzReport Search::run(std::optional<Clock::time_point> deadline) {
  if (folder_) recall_findings();
  if (folder_ && (options_.guided || options_.minimise)) recall_corpus();
  if (!options_.minimise) search(deadline);
  report_.reached = progress("done");
  report_.never = never_gone();
  report_.interrupted = interrupted();
  return std::move(report_);
}

/// What was found before is asked again: it still holds, or it was mended.
void Search::recall_findings() {
  for (const properties::Case& line : folder_->findings()) {
    if (interrupted()) return;
    const auto question = question_of(bench_, line);
    if (!question) {
      ++report_.left_out;
      continue;
    }
    const properties::checks::PropertyResult answer =
        properties::campaign::ask(bench_, *question->property, question->problem, true);
    ++cases_;
    if (answer.evidence.empty()) ++report_.fixed;
    for (const properties::run::Evidence& evidence : answer.evidence) {
      suspects_.push_back({question->problem, question->property, evidence});
      report(properties::campaign::report_of(bench_, *question->property, question->problem,
                                             evidence));
    }
    tell_(progress("replaying findings"));
  }
  report_.known = report_.findings.size();
}

/// Smaller cases first: what they have, larger ones need not be kept for.
void Search::recall_corpus() {
  std::vector<properties::Case> cases = folder_->corpus();
  std::stable_sort(cases.begin(), cases.end(),
                   [](const properties::Case& one, const properties::Case& other) {
                     return cost_of(one) < cost_of(other);
                   });
  std::vector<Question> questions;
  std::set<std::string> known;
  for (const properties::Case& line : cases) {
    auto question = question_of(bench_, line);
    if (!question) {
      ++report_.left_out;
      if (options_.minimise) folder_->drop(line);
      continue;
    }
    // A line may have been written by hand, or for a contract that has changed since.
    if (question->problem != line) {
      folder_->keep(question->problem);
      folder_->drop(line);
    }
    if (known.insert(properties::to_line(question->problem)).second)
      questions.push_back(std::move(*question));
  }
  for (std::size_t first = 0; first < questions.size() && !interrupted();
       first += kQuestionsAtOnce) {
    const auto begin = questions.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = questions.begin() + static_cast<std::ptrdiff_t>(
                                             std::min(first + kQuestionsAtOnce, questions.size()));
    for (const Reply& reply : ask_all({begin, end})) learn(reply);
    tell_(progress("recalling the corpus"));
  }
}

void Search::search(std::optional<Clock::time_point> deadline) {
  Clock::time_point written = Clock::now();
  while (!ended() && !interrupted() && (!deadline || Clock::now() < *deadline)) {
    for (const Reply& reply : ask_all(questions_.next(corpus_, kQuestionsAtOnce))) {
      if (ended()) break;
      learn(reply);
      learned_ += reply.asked ? 1 : 0;
    }
    tell_(progress("searching"));
    if (folder_ && Clock::now() - written > std::chrono::seconds(1)) {
      folder_->write(state());
      written = Clock::now();
    }
  }
  if (folder_) folder_->write(state());
}

std::vector<Search::Reply> Search::ask_all(std::vector<Question> questions) const {
  std::vector<Reply> replies(questions.size());
  for (std::size_t i = 0; i < replies.size(); ++i) replies[i].question = questions[i];
  const auto errors = parallel_try(replies.size(), jobs_, [&](std::size_t i) {
    if (!interrupted()) replies[i] = asked(std::move(questions[i]));
  });
  for (std::size_t i = 0; i < replies.size(); ++i) {
    if (errors[i]) replies[i].error = errors[i];
  }
  return replies;
}

Search::Reply Search::asked(Question question) const {
  properties::run::WatchedDevice device(bench_.device);
  const properties::campaign::RunContext watched{bench_.variant,      device,
                                                 bench_.program,      bench_.before_launch,
                                                 bench_.strict_races, bench_.limits_only};
  Reply reply;
  reply.answer = properties::campaign::ask(options_.guided ? watched : bench_, *question.property,
                                           question.problem, false);
  // A Ctrl-C reaches a device's worker processes too: what then goes wrong is no finding.
  reply.asked = !interrupted();
  reply.seen = device.take();
  if (options_.guided) {
    reply.features = features_.of(question.problem, reply.seen, reply.answer.error_over_bound);
  }
  reply.question = std::move(question);
  return reply;
}

void Search::learn(const Reply& reply) {
  if (reply.error) std::rethrow_exception(reply.error);
  if (!reply.asked) return;
  ++cases_;
  note_coverage(reply.seen.coverage);
  for (const properties::run::Evidence& evidence : reply.answer.evidence) {
    take({reply.question.problem, reply.question.property, evidence});
  }
  // What fails is no place to go on from: the next case would fail in the same way.
  if (!reply.answer.evidence.empty()) return;
  if (const auto& error = reply.answer.error_over_bound) {
    error_over_bound_ = std::max(error_over_bound_.value_or(0.0), *error);
  }
  if (options_.guided) remember(reply);
}

void Search::note_coverage(const device::Coverage& coverage) {
  for (const device::CoveredEdge& edge : coverage.edges) {
    bool& gone = edges_[{edge.from, edge.to}];
    gone = gone || edge.warps != 0;
  }
}

/// A device that cannot tell coverage sees few features: files that another one was glad of stay.
void Search::remember(const Reply& reply) {
  const Corpus::Change change = corpus_.offer(reply.question.problem, reply.features);
  if (change.new_coverage) questions_.look_near(reply.question.problem);
  if (!folder_) return;
  if (change.added) folder_->keep(reply.question.problem);
  if (edges_.empty()) return;
  for (const properties::Case& dropped : change.dropped) {
    folder_->drop(dropped);
    report_.dropped += options_.minimise ? 1 : 0;
  }
  if (options_.minimise && !change.added) {
    folder_->drop(reply.question.problem);
    ++report_.dropped;
  }
}

void Search::take(const properties::campaign::Failure& suspect) {
  const bool known = std::any_of(
      suspects_.begin(), suspects_.end(), [&](const properties::campaign::Failure& other) {
        return properties::campaign::same_finding(suspect.evidence.finding, other.evidence.finding);
      });
  if (known) return;
  suspects_.push_back(suspect);
  tell_(progress("shrinking"));
  if (!report_.first_after) report_.first_after = cases_;
  report(properties::campaign::minimize_and_confirm(
      bench_, suspect, {true, options_.shrink_seconds, options_.shrink_launches}));
}

/// Two suspects may turn out to be one finding when they have been shrunk and located.
void Search::report(properties::campaign::FindingReport finding) {
  const bool known = std::any_of(report_.findings.begin(), report_.findings.end(),
                                 [&](const properties::campaign::FindingReport& other) {
                                   return same_place(other.finding, finding.finding);
                                 });
  if (known) return;
  if (folder_) folder_->keep(finding);
  found_(finding);
  report_.findings.push_back(std::move(finding));
}

SearchState Search::state() const { return {questions_.drawn(), before_.cases + learned_}; }

bool Search::interrupted() const {
  return options_.interrupted != nullptr && options_.interrupted->load();
}

bool Search::ended() const {
  return (options_.cases != 0 && learned_ >= options_.cases) ||
         (options_.stop_at_first && !report_.findings.empty());
}

FuzzProgress Search::progress(std::string_view activity) const {
  FuzzProgress now;
  now.variant = bench_.variant.contract.name;
  now.activity = activity;
  now.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
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

/// Each line once, in the order of the program.
std::vector<SourcePlace> Search::never_gone() const {
  std::vector<SourcePlace> places;
  std::set<std::pair<std::string, unsigned>> known;
  for (const auto& [edge, gone] : edges_) {
    if (gone || edge.first == device::kEntry) continue;
    SourcePlace place = bench_.program.place(edge.first);
    if (place.line == 0 || !known.insert({place.file, place.line}).second) continue;
    places.push_back(std::move(place));
    if (places.size() == kMostNever) break;
  }
  return places;
}

}  // namespace warpcheck::workflows::fuzz
