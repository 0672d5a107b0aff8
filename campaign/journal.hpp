// Storage of the results of a campaign, from which an interrupted campaign resumes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "campaign/tally.hpp"

namespace warpcheck::campaign {

struct IndexedResult {
  std::int64_t index = 0;
  CaseResult result;  // a journal stores it after Tally::add()
  // The coverage of its launches, if requested. A journal stores it only for a shard's cases, and
  // without the parts of the program that no launch executed, if an earlier case has them.
  device::Coverage coverage = {};
};

/// The part of a journal that belongs to one variant. It is called by one thread at a time, while
/// other threads call those of other variants. When record() returns, its arguments are stored
/// durably.
class VariantJournal {
 public:
  VariantJournal() = default;
  VariantJournal(const VariantJournal&) = delete;
  VariantJournal& operator=(const VariantJournal&) = delete;
  virtual ~VariantJournal() = default;

  /// Returns the recorded cases by index.
  [[nodiscard]] virtual std::map<std::int64_t, CaseResult> recorded_cases() = 0;

  /// Returns the recorded coverage of a recorded case; empty if there is none.
  [[nodiscard]] virtual device::Coverage recorded_coverage(std::int64_t index) = 0;

  virtual void record(std::span<const IndexedResult> results) = 0;

  /// Returns the recorded report of a failure; empty if there is none.
  [[nodiscard]] virtual std::optional<FindingReport> recorded_report(
      const FailureRecord& record) = 0;
  virtual void record(const FailureRecord& record, const FindingReport& report) = 0;

  /// Called last. The pair and triple coverage of the report refer to `combinations`.
  virtual void finished(const VariantReport& report,
                        const generate::Combinations& combinations) = 0;
};

class Journal {
 public:
  Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  virtual ~Journal() = default;

  /// Called before the first case of a variant, by any thread. The result refers to this journal.
  [[nodiscard]] virtual std::unique_ptr<VariantJournal> open(const std::string& variant) = 0;

  /// Called after the last variant.
  virtual void finished(const CampaignReport& report) = 0;
};

}  // namespace warpcheck::campaign
