// The search in one variant.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "properties/campaign/minimize_and_confirm.hpp"
#include "workflows/fuzz/corpus.hpp"
#include "workflows/fuzz/features.hpp"
#include "workflows/fuzz/folder.hpp"
#include "workflows/fuzz/fuzzer.hpp"
#include "workflows/fuzz/input_scheduler.hpp"

namespace warpcheck::workflows::fuzz {

class Search {
 public:
  using Clock = std::chrono::steady_clock;

  /// `tell` hears of progress, `found` of each finding. Refers to its arguments.
  Search(const properties::campaign::RunContext& bench, const FuzzOptions& options, unsigned jobs,
         std::function<void(const FuzzProgress&)> tell,
         std::function<void(const properties::campaign::FindingReport&)> found);

  FuzzReport run(std::optional<Clock::time_point> deadline);

 private:
  struct Reply {
    Question question;
    bool asked = false;  // false: the search was to end before its turn came
    properties::checks::PropertyResult answer;
    properties::run::Observation seen;
    std::vector<Feature> features;
    std::exception_ptr error;
  };

  void recall_findings();
  void recall_corpus();
  void search(std::optional<Clock::time_point> deadline);
  [[nodiscard]] std::vector<Reply> ask_all(std::vector<Question> questions) const;
  [[nodiscard]] Reply asked(Question question) const;
  void learn(const Reply& reply);
  void note_coverage(const device::Coverage& coverage);
  void take(const properties::campaign::Failure& suspect);
  void report(properties::campaign::FindingReport finding);
  void remember(const Reply& reply);
  [[nodiscard]] SearchState state() const;
  [[nodiscard]] bool interrupted() const;
  [[nodiscard]] bool ended() const;
  [[nodiscard]] FuzzProgress progress(std::string_view activity) const;
  [[nodiscard]] std::vector<SourcePlace> never_gone() const;

  const properties::campaign::RunContext& bench_;
  const FuzzOptions& options_;
  unsigned jobs_;
  std::function<void(const FuzzProgress&)> tell_;
  std::function<void(const properties::campaign::FindingReport&)> found_;
  std::optional<FuzzFolder> folder_;
  SearchState before_;  // of this search
  InputScheduler questions_;
  Features features_;
  Corpus corpus_;
  std::vector<properties::campaign::Failure>
      suspects_;  // whatever was found so far, as it showed first
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> edges_;  // whether a warp went there
  std::int64_t cases_ = 0;                                         // asked in this search
  std::int64_t learned_ = 0;  // of them: not recalled from an earlier one
  std::optional<double> error_over_bound_;
  FuzzReport report_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace warpcheck::workflows::fuzz
