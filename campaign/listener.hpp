// Events of one campaign.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "campaign/report.hpp"
#include "contract/compile/variant.hpp"

namespace warpcheck::campaign {

struct Progress {
  std::string_view variant;
  std::size_t index = 0;  // number of the variant, from 0
  std::size_t variants = 0;
  std::int64_t cases = 0;       // finished cases of this variant
  std::int64_t planned = 0;     // cases of this variant in all
  std::size_t findings = 0;     // findings of this variant so far
  double seconds = 0.0;         // seconds since the campaign began
  std::string_view activity;    // "checking", "shrinking"
  double budget_seconds = 0.0;  // time limit of the campaign; 0: no limit
  std::string_view unit = "cases";
  std::int64_t all_cases = 0;  // finished cases of all variants
};

/// Receives the events of a campaign. started, found, noted and finished arrive in the order of the
/// variants. Apart from times, they do not depend on the number of threads. A listener is never
/// called from two threads at once.
class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  virtual void started(const contract::Variant& /*variant*/) {}
  virtual void found(const FindingReport& /*report*/) {}
  virtual void noted(const FindingReport& /*report*/) {}
  virtual void finished(const VariantReport& /*report*/) {}
  /// A target that cannot be checked.
  virtual void not_checked(const contract::TargetError& /*error*/) {}

  /// Updates a live progress line: several times a second, at times that depend on the machine.
  virtual void progress(const Progress& /*progress*/) {}

  /// Called immediately before the launches of a case, so that a crash leaves the case line behind.
  /// The order depends on the threads.
  virtual void launching(const Case& /*problem*/) {}
};

/// Reports a finished variant: found for each finding, noted for each note, then finished.
void report_to(Listener& listener, const VariantReport& report);

}  // namespace warpcheck::campaign
