// These files are not history databases, or are damaged ones.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "base/diagnostic.hpp"
#include "workflows/history/database.hpp"
#include "workflows/history/history.hpp"
#include "workflows/history/shards/merge.hpp"

namespace warpcheck::workflows::history {
namespace {

using testing::HasSubstr;

class Damaged : public testing::Test {
 protected:
  Damaged() {
    const auto& test = *testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("warpcheck-") + test.name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~Damaged() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }

  [[nodiscard]] std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    return std::move(text).str();
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }

  [[nodiscard]] static CampaignConfig setting(unsigned shard = 1, unsigned of = 1) {
    CampaignConfig setting;
    setting.settings.device = "virtual";
    setting.settings.campaign.shard = {shard, of};
    for (const char* name : {"a", "b", "c"}) setting.variants.push_back({name, "00", ""});
    return setting;
  }

  /// Writes the history of a finished shard with a few cases of each variant.
  void make(const std::string& name, unsigned shard) const {
    History history(path(name));
    const Recording recording = history.record(setting(shard, 2), false);
    const campaign::generate::Combinations combinations{{2, 2, 2}, {}, {}};
    for (const char* variant : {"a", "b", "c"}) {
      const auto recorder = recording.journal->open(variant);
      std::vector<campaign::IndexedResult> results;
      for (std::int64_t i = shard; i < 40; i += 2) {
        campaign::CaseResult result;
        result.generated.problem = campaign::parse_case("a m=3 n=4 k=5 seed=1");
        result.was_run = true;
        result.sensitivity = 1.0;
        result.levels = "ab-";
        results.push_back({i, result});
      }
      recorder->record(results);
      campaign::VariantReport report;
      recorder->finished(report, combinations);
    }
    recording.journal->finished(campaign::CampaignReport{});
  }

  /// Returns the message of the error from opening or merging the file.
  [[nodiscard]] std::string error_of(const std::string& name) const {
    try {
      const History history(path(name), false);
      return "none";
    } catch (const InputError& error) {
      EXPECT_EQ(error.diagnostics().front().where.file, path(name));
      return error.diagnostics().front().message;
    }
  }

  std::filesystem::path folder_;
};

TEST_F(Damaged, AFileThatIsNotAHistoryIsAnError) {
  EXPECT_THAT(error_of("none.db"), HasSubstr("no such file or folder, or no permission"));
  write("text.db", std::string(5000, 'x'));
  EXPECT_THAT(error_of("text.db"), HasSubstr("no SQLite database"));
  Database(path("other.db"), true).run("CREATE TABLE notes(text)");
  EXPECT_THAT(error_of("other.db"), HasSubstr("another program's database"));
  write("empty.db", "");
  EXPECT_THAT(error_of("empty.db"), HasSubstr("empty file"));
}

TEST_F(Damaged, ANewerVersionIsAnErrorThatNamesBoth) {
  { const History history(path("h.db")); }
  Database(path("h.db"), false).run("PRAGMA user_version=5");
  EXPECT_EQ(error_of("h.db"), "found a history of version 5, expected version 4");
}

TEST_F(Damaged, HistoriesOfVersions1And2AreUpgraded) {
  for (const unsigned shard : {1U, 2U}) {
    const std::string name = std::to_string(shard) + ".db";
    make(name, shard);
    Database(path(name), false)
        .run(
            "ALTER TABLE variants DROP COLUMN properties; ALTER TABLE cases DROP COLUMN properties;"
            "ALTER TABLE cases DROP COLUMN coverage;"
            "ALTER TABLE campaigns DROP COLUMN nvcc; ALTER TABLE campaigns DROP COLUMN revision;"
            "PRAGMA user_version=2");
  }
  Database(path("1.db"), false)
      .run(
          "ALTER TABLE variants DROP COLUMN lines; ALTER TABLE cases DROP COLUMN executed;"
          "ALTER TABLE cases DROP COLUMN unsupported; PRAGMA user_version=1");
  const std::vector<std::string> from = {path("1.db"), path("2.db")};
  const Merged merged = merge_histories(from, path("all.db"));
  EXPECT_EQ(merged.joined.at(0).report.cases, 3 * 39);
  EXPECT_TRUE(merged.joined.at(0).report.variants.at(0).properties.empty());
  EXPECT_EQ(error_of("1.db"), "none");
}

TEST_F(Damaged, TwoShardsMergeWhereNothingIsDamaged) {
  make("1.db", 1);
  make("2.db", 2);
  const std::vector<std::string> from = {path("1.db"), path("2.db")};
  const Merged merged = merge_histories(from, path("all.db"));
  ASSERT_EQ(merged.joined.size(), 1U);
  EXPECT_EQ(merged.joined[0].report.cases, 3 * 39);
}

/// Messages show these texts: "resumes the campaign of <date>".
TEST_F(Damaged, ControlCharactersInDatesAndNamesAreErrors) {
  make("1.db", 1);
  Database(path("1.db"), false).run("UPDATE campaigns SET started=started || char(27) || '[31m'");
  EXPECT_EQ(error_of("1.db"),
            "the history is damaged: the date of a campaign has other characters");
  make("2.db", 2);
  Database(path("2.db"), false).run("UPDATE variants SET name=name || char(10) || '::error::'");
  EXPECT_EQ(error_of("2.db"), "the history is damaged: the name of a variant has other characters");
}

TEST_F(Damaged, InvalidTextsInTheTablesAreErrors) {
  make("2.db", 2);
  for (const std::string statement :
       {"UPDATE cases SET line='a m=x'", "UPDATE cases SET suspects='[{}]'",
        "UPDATE cases SET executed='[-]'", "UPDATE cases SET properties='[[\"none\",1,0]]'",
        "UPDATE variants SET properties='{'", "UPDATE variants SET lines='{}'",
        "UPDATE cases SET levels='zz'", "UPDATE cases SET levels='zzz'",
        "UPDATE variants SET combinations='{}'", "UPDATE variants SET combinations=NULL",
        "UPDATE variants SET combinations='{\"levels\":[2,2,2],\"no pairs\":[[0,99]],"
        "\"no triples\":[]}'",
        "DROP TABLE cases", "DROP TABLE findings"}) {
    make("1.db", 1);
    Database(path("1.db"), false).run(statement);
    const std::vector<std::string> from = {path("1.db"), path("2.db")};
    EXPECT_THROW((void)merge_histories(from, path("all.db")), InputError) << statement;
    std::filesystem::remove(path("1.db"));
    std::filesystem::remove(path("all.db"));
  }
}

TEST_F(Damaged, ChangedBytesNeverCauseACrash) {
  make("1.db", 1);
  make("2.db", 2);
  const std::string good = read("1.db");
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 60; ++i) {
    std::string bad = good;
    for (int changes = 0; changes < 12; ++changes) {
      bad[random() % bad.size()] = static_cast<char>(random());
    }
    if (i % 5 == 0) bad.resize(random() % bad.size());
    write("bad.db", bad);
    const std::vector<std::string> from = {path("bad.db"), path("2.db")};
    try {
      (void)merge_histories(from, path("all.db"));
    } catch (const InputError&) {
    } catch (const EnvironmentError&) {
    }
    std::filesystem::remove(path("all.db"));
  }
}

}  // namespace
}  // namespace warpcheck::workflows::history
