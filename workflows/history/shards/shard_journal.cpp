#include "workflows/history/shards/shard_journal.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "base/files.hpp"
#include "workflows/history/schema.hpp"
#include "workflows/history/shards/copy_campaigns.hpp"
#include "workflows/history/shards/shard_rows.hpp"

namespace warpcheck::workflows::history {
namespace {

using campaign::CaseResult;
using campaign::FailureRecord;
using campaign::FindingReport;

class ShardVariantJournal final : public campaign::VariantJournal {
 public:
  ShardVariantJournal(const Database& history, std::mutex& mutex, VariantRows rows)
      : history_(history), mutex_(mutex), rows_(std::move(rows)) {}

  std::map<std::int64_t, CaseResult> recorded_cases() override {
    std::map<std::int64_t, CaseResult> cases;
    for (const auto& [index, recorded] : rows_.cases) cases.emplace(index, recorded.result);
    return cases;
  }

  device::Coverage recorded_coverage(std::int64_t index) override {
    const std::lock_guard lock(mutex_);
    return read_coverage(history_, rows_.cases.at(index).variant, index);
  }

  std::optional<FindingReport> recorded_report(const FailureRecord& record) override {
    const auto recorded = rows_.cases.find(record.index);
    if (recorded == rows_.cases.end()) return std::nullopt;
    const std::lock_guard lock(mutex_);
    return read_report(history_, recorded->second.variant, record);
  }

  void record(std::span<const campaign::IndexedResult> /*results*/) override {}
  void record(const FailureRecord& /*record*/, const FindingReport& /*report*/) override {}
  void finished(const campaign::VariantReport& /*report*/,
                const campaign::generate::Combinations& /*combinations*/) override {}

 private:
  const Database& history_;
  std::mutex& mutex_;  // guards the history
  VariantRows rows_;
};

class ShardJournal final : public campaign::Journal {
 public:
  ShardJournal(const Database& history, std::mutex& mutex, Shards shards)
      : history_(history), mutex_(mutex), shards_(std::move(shards)) {}

  std::unique_ptr<campaign::VariantJournal> open(const std::string& variant) override {
    const std::lock_guard lock(mutex_);
    return std::make_unique<ShardVariantJournal>(history_, mutex_,
                                                 rows_of(history_, shards_, variant));
  }
  void finished(const campaign::CampaignReport& /*report*/) override {}

 private:
  const Database& history_;
  std::mutex& mutex_;
  Shards shards_;
};

}  // namespace

ShardHistories::ShardHistories(std::span<const std::string> files)
    : history_(open_history("", true)),  // SQLite removes it when it is closed
      files_(files.size() == 1 ? files.front()
                               : fmt::format("{} and {} more", files.front(), files.size() - 1)) {
  Transaction transaction(history_);
  for (const std::string& file : files) {
    (void)copy_campaigns(open_history(file, false), history_);
  }
  transaction.commit();
}

std::unique_ptr<campaign::Journal> ShardHistories::journal_of(const CampaignConfig& whole) {
  CampaignConfig config = whole;
  std::string differs;
  for (auto& [identity, shards] : shards_by_identity(history_)) {
    config.settings.campaign.shard = {1, static_cast<unsigned>(shards.of)};
    const std::string difference_of_shard = difference(identity_of(config), identity);
    if (!difference_of_shard.empty()) {
      differs = difference_of_shard;
      continue;
    }
    demand_all(files_, shards);
    return std::make_unique<ShardJournal>(history_, mutex_, std::move(shards));
  }
  if (differs.empty()) {
    throw file_error(files_, "found no shard, expected histories of `gate --shard I/N`");
  }
  throw file_error(files_,
                   fmt::format("no shard has run the cases of {} and {} more variants on {}. The "
                               "recorded ones differ in their {}: run the shards again or to their "
                               "end, with the policy, sources and warpcheck of this command",
                               whole.variants.front().name, whole.variants.size() - 1,
                               whole.settings.device, differs));
}

}  // namespace warpcheck::workflows::history
