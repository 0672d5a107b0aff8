// Events of one campaign.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "contract/compile/variant.hpp"
#include "properties/campaign/report.hpp"

namespace warpcheck::properties::campaign {

struct Progress {
  std::string_view variant;
  std::size_t index = 0;  // of the variant, from 0
  std::size_t variants = 0;
  std::int64_t cases = 0;  // done of this variant
  std::int64_t planned = 0;
  std::size_t findings = 0;   // of this variant, so far
  double seconds = 0.0;       // since the campaign began
  std::string_view activity;  // "checking", "shrinking"
};

/// Hears of a campaign. started, found, noted and finished come in the order of the variants and,
/// times aside, do not depend on the number of threads. Never called from two threads at once.
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

  /// For a live progress line: several times a second, at moments that depend on the machine.
  virtual void progress(const Progress& /*progress*/) {}

  /// Right before a case's launches, so that a crash leaves the line behind. In the order in which
  /// threads come to their cases.
  virtual void launching(const Case& /*problem*/) {}
};

/// What a listener hears of a variant that is done.
void tell(const VariantReport& report, Listener& listener);

}  // namespace warpcheck::properties::campaign
