// A search for cases that fail, time-bounded and guided by what earlier cases made the kernel do.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/campaign.hpp"
#include "contract/compile/variant.hpp"
#include "device/device.hpp"

namespace warpcheck::workflows::fuzz {

/// Findings are always shrunk.
struct FuzzOptions : campaign::RunOptions {
  std::int64_t cases = 0;       // most new cases of each variant; 0: no limit
  double budget_seconds = 0.0;  // time limit of all variants together; 0: no limit
  bool guided = true;           // false: generate cases as `check` does, without a corpus
  bool stop_at_first = false;   // end a variant's search after its first finding
  bool minimise = false;        // no search: drop the cases of the corpus that add no feature
  std::string folder;           // see folder.hpp; empty: nothing is stored
  campaign::FindingSentence sentence;  // makes the comments in the folder, if there is one
  const std::atomic<bool>* interrupted = nullptr;  // true ends the search as soon as possible
};

/// Progress of a search.
struct FuzzProgress {
  std::string_view variant;
  std::string_view activity;           // "searching", "shrinking" ...
  double seconds = 0.0;                // time since the variant's search began
  std::optional<double> seconds_left;  // time until the search ends; empty: no limit
  std::int64_t cases = 0;              // cases that were run, each with one property
  std::size_t corpus = 0;
  std::size_t features = 0;
  std::size_t edges = 0;        // PTX edges that some warp took
  std::size_t edges_total = 0;  // PTX edges of the launched kernels; 0: not measured
  std::size_t findings = 0;
  std::optional<double> error_over_bound;  // the largest of all cases that passed
};

struct FuzzReport {
  /// Returns `finding` if there are findings, else `unsupported` if the device could not execute a
  /// case, else `pass`.
  [[nodiscard]] campaign::Verdict verdict() const;

  std::string variant;
  std::string device;
  FuzzProgress reached;
  std::vector<campaign::FindingReport>
      findings;  // findings of earlier searches that still occur come first
  std::vector<campaign::CheckedProperty> properties;  // checked on the new cases
  std::size_t known = 0;                    // findings of earlier searches that still occur
  std::int64_t fixed = 0;                   // findings of earlier searches that no longer occur
  std::int64_t left_out = 0;                // cases of the corpus outside the contract's domain
  std::int64_t dropped = 0;                 // cases that `minimise` removed from the corpus
  std::optional<std::int64_t> first_after;  // cases run up to and including the first new finding
  std::vector<SourcePlace> never;           // branches with a direction that no warp took
  std::vector<campaign::UnsupportedForm> unsupported;  // forms that the device could not execute
  bool interrupted = false;
};

/// Events of a search, in addition to those of a campaign.
class Listener : public campaign::Listener {
 public:
  /// Called several times a second during a search, and once when it ends.
  virtual void fuzzing(const FuzzProgress& /*progress*/) {}
  virtual void fuzzed(const FuzzReport& /*report*/) {}
};

/// Searches in one variant after the other. With an empty folder, the same seed runs the same cases
/// with any number of threads; only their number depends on the time. Throws InputError as
/// run_campaign() does, and if the folder is no corpus.
[[nodiscard]] std::vector<FuzzReport> run_fuzz(std::span<const contract::Variant> variants,
                                               device::Device& device, const FuzzOptions& options,
                                               Listener& listener);

}  // namespace warpcheck::workflows::fuzz
