// Where a campaign writes down what it does as it does it, and finds what was done already.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "properties/campaign/tally.hpp"

namespace warpcheck::properties::campaign {

struct IndexedResult {
  std::int64_t index = 0;
  CaseResult result;               // as Tally::add() leaves it
  device::Coverage coverage = {};  // of its launches, where the campaign asks; no journal keeps it
};

/// Called from the campaign's own thread, in the order of the variants. What record() was told when
/// it returned outlives the process.
class Journal {
 public:
  Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  virtual ~Journal() = default;

  /// The campaign comes to this variant: what is recorded of its cases from before it was
  /// interrupted, by index.
  [[nodiscard]] virtual std::map<std::int64_t, CaseResult> started(const std::string& variant) = 0;

  virtual void record(std::span<const IndexedResult> results) = 0;

  /// What a person reads of a sight, where that was recorded before the interruption.
  [[nodiscard]] virtual std::optional<FindingReport> told(const FailureRecord& sight) = 0;
  virtual void record(const FailureRecord& sight, const FindingReport& report) = 0;

  /// `combinations` are those that the report's reach was reckoned from.
  virtual void finished(const VariantReport& report,
                        const generate::Combinations& combinations) = 0;

  /// The last variant is done.
  virtual void finished(const CampaignReport& report) = 0;
};

}  // namespace warpcheck::properties::campaign
