// The search in one variant.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "campaign/minimize_and_confirm.hpp"
#include "workflows/fuzz/corpus.hpp"
#include "workflows/fuzz/features.hpp"
#include "workflows/fuzz/folder.hpp"
#include "workflows/fuzz/fuzzer.hpp"
#include "workflows/fuzz/input_scheduler.hpp"

namespace warpcheck::workflows::fuzz {

class Search {
 public:
  using Clock = std::chrono::steady_clock;

  /// Calls `report_progress` repeatedly, and `report_finding` for each finding. Keeps references to
  /// its arguments.
  Search(const campaign::run::Context& context, const FuzzOptions& options, unsigned jobs,
         std::function<void(const FuzzProgress&)> report_progress,
         std::function<void(const campaign::FindingReport&)> report_finding);

  FuzzReport run(std::optional<Clock::time_point> deadline);

 private:
  struct InputResult {
    PropertyCase input;
    bool was_run = false;  // false: the search ended before this input
    campaign::checks::CheckResult result;
    double seconds = 0.0;
    campaign::run::Observation observation;
    std::vector<Feature> features;
    std::exception_ptr error;
  };

  void replay_findings();
  void replay_corpus();
  void search(std::optional<Clock::time_point> deadline);
  [[nodiscard]] std::vector<InputResult> run_all(std::vector<PropertyCase> inputs) const;
  [[nodiscard]] InputResult run(PropertyCase input) const;
  void apply(const InputResult& outcome);
  void add_coverage(const device::Coverage& coverage);
  /// Adds what the device could not execute. Returns false if it executed everything.
  bool add_unsupported(const PropertyCase& input, const campaign::checks::CheckResult& result);
  void add_failure(const campaign::Failure& failure);
  void report(campaign::FindingReport finding);
  void add_to_corpus(const InputResult& outcome);
  [[nodiscard]] SearchState state() const;
  [[nodiscard]] bool interrupted() const;
  [[nodiscard]] bool ended() const;
  [[nodiscard]] FuzzProgress progress(std::string_view activity) const;
  [[nodiscard]] std::vector<SourcePlace> edges_never_taken() const;

  const campaign::run::Context& context_;
  const FuzzOptions& options_;
  unsigned jobs_;
  std::function<void(const FuzzProgress&)> report_progress_;
  std::function<void(const campaign::FindingReport&)> report_finding_;
  std::optional<FuzzFolder> folder_;
  SearchState before_;  // state at the start of this search
  InputScheduler scheduler_;
  Features features_;
  Corpus corpus_;
  std::vector<campaign::Failure> failures_;  // one per finding, before minimization
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> edges_;  // true: a warp took the edge
  std::int64_t cases_ = 0;                                         // cases that ran in this search
  std::int64_t unsupported_cases_ = 0;
  bool executed_any_ = false;   // the device executed a case with a launch
  std::int64_t new_cases_ = 0;  // cases that are not replayed from earlier searches
  std::optional<double> error_over_bound_;
  FuzzReport report_;
  std::optional<Clock::time_point> deadline_;  // end of the search, also for running launches
  Clock::time_point start_ = Clock::now();
};

}  // namespace warpcheck::workflows::fuzz
