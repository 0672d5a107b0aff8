// A search for cases that fail, time-bounded and guided by what earlier cases made the kernel do.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contract/compile/variant.hpp"
#include "device/device.hpp"
#include "properties/campaign/campaign.hpp"

namespace warpcheck::workflows::fuzz {

/// Findings are always shrunk.
struct FuzzOptions : properties::campaign::RunOptions {
  std::int64_t cases = 0;       // per variant, in addition to those of the folder; 0: no limit
  double budget_seconds = 0.0;  // of all variants together; 0: no limit
  bool guided = true;           // false: generate cases as `check` does, without a corpus
  bool stop_at_first = false;   // end a variant's search after its first finding
  bool minimise = false;        // no search: drop the cases of the corpus that add no feature
  std::string folder;           // see folder.hpp; empty: nothing is stored
  const std::atomic<bool>* interrupted = nullptr;  // when set, the search ends as soon as possible
};

/// How far a search has come.
struct FuzzProgress {
  std::string_view variant;
  std::string_view activity;           // "searching", "shrinking" ...
  double seconds = 0.0;                // since the variant's search began
  std::optional<double> seconds_left;  // until it ends; empty: no limit
  std::int64_t cases = 0;              // run: each with one property
  std::size_t corpus = 0;
  std::size_t features = 0;
  std::size_t edges = 0;        // of the PTX that some warp went
  std::size_t edges_total = 0;  // of the kernels launched; 0: the device does not measure them
  std::size_t findings = 0;
  std::optional<double> error_over_bound;  // the largest of all cases that passed
};

struct FuzzReport {
  /// Without findings: unsupported if the device could not execute a case, otherwise pass.
  [[nodiscard]] properties::campaign::Verdict verdict() const;

  std::string variant;
  std::string device;
  FuzzProgress reached;
  std::vector<properties::campaign::FindingReport>
      findings;  // those of earlier searches that still hold first
  std::vector<properties::campaign::CheckedProperty> properties;  // of the new cases
  std::size_t known = 0;                    // how many of them are from before
  std::int64_t fixed = 0;                   // findings of earlier searches that no longer show
  std::int64_t left_out = 0;                // cases of the corpus outside the contract's domain
  std::int64_t dropped = 0;                 // from the corpus, by `minimise`
  std::optional<std::int64_t> first_after;  // cases run up to and including the first new finding
  std::vector<SourcePlace> never;           // branches of which one way was never gone
  std::vector<properties::campaign::UnsupportedForm>
      unsupported;  // that the device could not execute
  bool interrupted = false;
};

/// Events of a search, in addition to those of a campaign.
class Listener : public properties::campaign::Listener {
 public:
  /// Called several times a second during a search, and once when it ends.
  virtual void fuzzing(const FuzzProgress& /*progress*/) {}
  virtual void fuzzed(const FuzzReport& /*report*/) {}
};

/// Searches in one variant after the other. With an empty folder, the same seed runs the same
/// cases with any number of threads; only their number depends on the time. Throws InputError as
/// run_campaign() does, and where the folder holds what is no corpus.
[[nodiscard]] std::vector<FuzzReport> run_fuzz(std::span<const contract::Variant> variants,
                                               device::Device& device, const FuzzOptions& options,
                                               Listener& listener);

}  // namespace warpcheck::workflows::fuzz
