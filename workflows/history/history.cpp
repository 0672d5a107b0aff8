#include "workflows/history/history.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <random>
#include <stdexcept>
#include <utility>

#include "base/diagnostic.hpp"
#include "workflows/history/recorder.hpp"
#include "workflows/history/schema.hpp"

namespace warpcheck::workflows::history {
namespace {

std::string now() { return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(std::time(nullptr))); }

std::string random_uid() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

struct Unfinished {
  std::int64_t campaign = 0;  // 0: none
  std::string sentence;
};

/// The last campaign of this identity and shard; 0: none.
std::int64_t last_of(const Database& history, const CampaignConfig& setting) {
  Query row(history, "SELECT id FROM campaigns WHERE identity=? AND shard=? ORDER BY id DESC");
  row.bind(identity_of(setting)).bind(std::int64_t{setting.settings.campaign.shard.number});
  return row.next() ? row.integer(0) : 0;
}

/// The last unfinished campaign of this identity and shard.
Unfinished unfinished(const Database& history, const CampaignConfig& setting) {
  const std::string identity = identity_of(setting);
  Query rows(history,
             "SELECT id, identity, started, shard FROM campaigns WHERE state='running' "
             "ORDER BY id DESC");
  std::string why;
  while (rows.next()) {
    std::string differs = difference(identity, rows.text(1));
    if (differs.empty() && rows.integer(3) != setting.settings.campaign.shard.number)
      differs = "shard";
    if (differs.empty()) {
      return {rows.integer(0), fmt::format("resumes the campaign of {} UTC", rows.text(2))};
    }
    if (why.empty()) {
      why = fmt::format("nothing to resume: the unfinished campaign of {} UTC differs in its {}",
                        rows.text(2), differs);
    }
  }
  return {0, why.empty() ? "nothing to resume: no campaign is unfinished" : why};
}

}  // namespace

History::History(const std::string& path, bool create)
    : database_(std::make_unique<Database>(open_history(path, create))) {}
History::History(History&&) noexcept = default;
History::~History() = default;

Recording History::record(const CampaignConfig& setting, bool resume) {
  const Unfinished before = resume ? unfinished(*database_, setting) : Unfinished{};
  Recording recording = recording_of(before.campaign, setting);
  recording.sentence = before.sentence;
  return recording;
}

Recording History::record_shard(const CampaignConfig& setting) {
  return recording_of(last_of(*database_, setting), setting);
}

Recording History::recording_of(std::int64_t before, const CampaignConfig& setting) {
  Recording recording;
  recording.resumed = before != 0;
  recording.campaign =
      recording.resumed ? before : begin_campaign(*database_, setting, random_uid(), now());
  recording.journal = std::make_unique<Recorder>(*database_, recording.campaign);
  return recording;
}

}  // namespace warpcheck::workflows::history
