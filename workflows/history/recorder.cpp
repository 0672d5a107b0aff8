#include "workflows/history/recorder.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <span>
#include <stdexcept>

#include "base/diagnostic.hpp"
#include "base/text/visible_text.hpp"
#include "workflows/history/encode.hpp"
#include "workflows/history/encode_lines.hpp"
#include "workflows/history/schema.hpp"

namespace warpcheck::workflows::history {
namespace {

[[noreturn]] void damaged(const Database& history, const std::string& what) {
  throw InputError(
      Diagnostic{{history.path(), 0, 0}, fmt::format("the history is damaged: {}", what), {}});
}

/// Stores the rows of one variant.
class VariantRecorder final : public campaign::VariantJournal {
 public:
  VariantRecorder(Database& history, std::mutex& mutex, std::int64_t variant)
      : history_(history), mutex_(mutex), variant_(variant) {}

  std::map<std::int64_t, campaign::CaseResult> recorded_cases() override {
    const std::lock_guard lock(mutex_);
    return read_cases(history_, variant_);
  }

  device::Coverage recorded_coverage(std::int64_t index) override {
    const std::lock_guard lock(mutex_);
    return read_coverage(history_, variant_, index);
  }

  void record(std::span<const campaign::IndexedResult> results) override {
    const std::lock_guard lock(mutex_);
    Transaction transaction(history_);
    for (const campaign::IndexedResult& result : results) write_case(history_, variant_, result);
    transaction.commit();
  }

  std::optional<campaign::FindingReport> recorded_report(
      const campaign::FailureRecord& record) override {
    const std::lock_guard lock(mutex_);
    return read_report(history_, variant_, record);
  }

  void record(const campaign::FailureRecord& record,
              const campaign::FindingReport& report) override {
    const std::lock_guard lock(mutex_);
    write_report(history_, variant_, record, report);
  }

  void finished(const campaign::VariantReport& report,
                const campaign::generate::Combinations& combinations) override {
    const std::lock_guard lock(mutex_);
    Query(history_,
          "UPDATE variants SET verdict=?, cases=?, mistrusted=?, "
          "power=?, "  // retired spelling
          "combinations=?, lines=?, seconds=?, properties=? WHERE id=?")
        .bind(name(report.verdict))
        .bind(report.cases)
        .bind(report.mistrusted)
        .bind_maybe(report.sensitivity)
        .bind(encoded(combinations))
        .bind_maybe(report.lines ? std::optional(encoded(*report.lines)) : std::nullopt)
        .bind(report.seconds)
        .bind(encoded(report.properties))
        .bind(variant_)
        .run();
  }

 private:
  Database& history_;
  std::mutex& mutex_;  // guards the history
  std::int64_t variant_;
};

}  // namespace

std::int64_t begin_campaign(Database& history, const CampaignConfig& setting,
                            const std::string& uid, const std::string& started) {
  const campaign::Shard& shard = setting.settings.campaign.shard;
  Transaction transaction(history);
  Query(history,
        "INSERT INTO campaigns(uid, identity, shard, shards, started, state, nvcc, revision) "
        "VALUES(?,?,?,?,?,'running',?,?)")
      .bind(uid)
      .bind(identity_of(setting))
      .bind(std::int64_t{shard.number})
      .bind(std::int64_t{shard.of})
      .bind(started)
      .bind(setting.nvcc)
      .bind(setting.revision)
      .run();
  const std::int64_t campaign = history.last_row();
  std::int64_t position = 0;
  for (const VariantOrigin& variant : setting.variants) {
    Query(history,
          "INSERT INTO variants(campaign, position, name, source_hash, path) VALUES(?,?,?,?,?)")
        .bind(campaign)
        .bind(position++)
        .bind(variant.name)
        .bind(variant.source_hash)
        .bind(variant.path)
        .run();
  }
  transaction.commit();
  return campaign;
}

CampaignConfig read_setting(const Database& history, std::int64_t campaign) {
  Query row(history, "SELECT identity, shard, nvcc, revision FROM campaigns WHERE id=?");
  row.bind(campaign);
  if (!row.next()) damaged(history, fmt::format("there is no campaign {}", campaign));
  CampaignConfig setting;
  try {
    setting = setting_of(row.text(0));
    setting.settings.device = visible(setting.settings.device);
    setting.nvcc = visible(row.maybe_text(2).value_or(""));
    setting.revision = visible(row.maybe_text(3).value_or(""));
  } catch (const std::runtime_error& error) {
    damaged(history, fmt::format("the identity of campaign {}: {}", campaign, error.what()));
  }
  setting.settings.campaign.shard.number = static_cast<unsigned>(row.integer(1));
  setting.variants.clear();
  Query variants(history,
                 "SELECT name, source_hash, path FROM variants WHERE campaign=? ORDER BY position");
  variants.bind(campaign);
  while (variants.next()) {
    setting.variants.push_back({variants.text(0), variants.text(1), variants.text(2)});
  }
  return setting;
}

std::unique_ptr<campaign::VariantJournal> Recorder::open(const std::string& variant) {
  const std::lock_guard lock(mutex_);
  Query row(history_, "SELECT id FROM variants WHERE campaign=? AND name=?");
  row.bind(campaign_).bind(variant);
  if (!row.next()) damaged(history_, fmt::format("campaign {} lacks {}", campaign_, variant));
  return std::make_unique<VariantRecorder>(history_, mutex_, row.integer(0));
}

void Recorder::finished(const campaign::CampaignReport& report) {
  const std::lock_guard lock(mutex_);
  Query(history_, "UPDATE campaigns SET state='finished', seconds=? WHERE id=?")
      .bind(report.seconds)
      .bind(campaign_)
      .run();
}

}  // namespace warpcheck::workflows::history
