#include "report/json/json_lines.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "base/diagnostic.hpp"
#include "tests/report/events.hpp"

namespace warpcheck::report {
namespace {

/// The text that a report writes. The report owns the stream, so the text is copied before the
/// report is destroyed.
template <typename Send>
std::string written(Send send) {
  auto out = std::make_unique<std::ostringstream>();
  const std::ostringstream& text = *out;
  JsonLines report(std::move(out));
  send(report);
  return text.str();
}

TEST(JsonLines, WritesUnexecutedLinesByFile) {
  EXPECT_THAT(written([](JsonLines& report) { report.finished(variant_with_unexecuted_lines()); }),
              testing::HasSubstr(R"("cases":99,"empty":2,)"));
  EXPECT_THAT(
      written([](JsonLines& report) { report.finished(variant_with_unexecuted_lines()); }),
      testing::HasSubstr(
          R"("lines":40,"unexecuted":[{"file":"kernels/sgemm_tail.cu","lines":[41,42,43,44,52]},)"
          R"({"file":"kernels/tile.cuh","lines":[7]}]})"));
}

TEST(JsonLines, ACaseThatIsNotFullyShrunkIsMarked) {
  campaign::FindingReport finding = misaligned_load();
  const auto event = [&] { return written([&](JsonLines& report) { report.found(finding); }); };
  EXPECT_THAT(event(), testing::Not(testing::HasSubstr("fully_shrunk")));
  finding.fully_shrunk = false;
  EXPECT_THAT(event(), testing::HasSubstr(R"("fully_shrunk":false)"));
}

TEST(JsonLines, WritesTheKeysOfTheSchema) {
  EXPECT_EQ(
      written([](JsonLines& report) {
        report.found(misaligned_load());
        report.finished(failing_variant());
        report.summary({{passing_variant(), failing_variant()}, 1, 0, 107, 12.5});
      }),
      R"({"event":"finding","variant":"sgemm_float4","device":"virtual","class":"misaligned",)"
      R"("case":"sgemm_float4 m=65 n=33 k=17 alpha=1 beta=0 data=lattice seed=42",)"
      R"("smallest":"sgemm_float4 m=2 n=1 k=5 alpha=1 beta=0 data=lattice seed=42",)"
      R"("file":"kernels/sgemm_float4.cu","line":12,)"
      R"("message":"load of 16 bytes at byte 20 of A, expected a multiple of 16",)"
      R"("property":"matches-reference",)"
      R"("instruction":"ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4]",)"
      R"("thread":[1,0,0],"block":[0,0,0],"element":"A[1, 0] to A[1, 3]"})"
      "\n"
      R"({"event":"variant","variant":"sgemm_float4","device":"virtual",)"
      R"("verdict":"misaligned","cases":7,"empty":0,"in_domain":0.999,"sensitivity":0.999,"level_coverage":0.9,"pair_coverage":0.75,"triples":0.125,"seconds":12.0,)"
      R"("error_over_bound":2.5,)"
      R"("properties":{"matches-reference":7,"permuting-rows-permutes-rows":1,"power-of-two-scaling-is-exact":0}})"
      "\n"
      R"({"event":"summary","verdict":"failed","variants":2,"failed":1,"known":0,"errors":0,"mistrusted":0,"unsupported":0,"cases":107,"empty":0,"seconds":12.5})"
      "\n");
}

TEST(JsonLines, ViolatedEqualityIsAnInfiniteErrorOverBound) {
  const auto event_of = [](std::optional<double> error) {
    return nlohmann::json::parse(written([&](JsonLines& report) {
      campaign::VariantReport variant = failing_variant();
      variant.error_over_bound = error;
      report.finished(variant);
    }));
  };
  EXPECT_EQ(event_of(std::numeric_limits<double>::infinity())["error_over_bound"], "inf");
  EXPECT_EQ(event_of(0.0)["error_over_bound"], 0.0);
  EXPECT_FALSE(event_of(std::nullopt).contains("error_over_bound")) << "nothing was compared";
}

TEST(JsonLines, WritesEachUnsupportedFormBeforeItsVariant) {
  std::istringstream lines(written([](JsonLines& report) {
    report.finished(unsupported_variant());
    campaign::CampaignReport totals;
    totals.add(unsupported_variant());
    report.summary(totals);
  }));
  std::vector<nlohmann::json> events;
  for (std::string line; std::getline(lines, line);) events.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0]["event"], "unsupported");
  EXPECT_EQ(events[0]["form"], "wgmma.fence.sync.aligned");
  EXPECT_EQ(events[0]["section"], "9.7.15");
  EXPECT_EQ(events[0]["file"], "kernels/hgemm_wgmma.cu");
  EXPECT_EQ(events[0]["line"], 31);
  EXPECT_EQ(events[0]["cases"], 98);
  EXPECT_EQ(events[1]["verdict"], "unsupported");
  EXPECT_EQ(events[1]["sensitivity"], 0.0);
  EXPECT_EQ(events[2]["failed"], 0);
  EXPECT_EQ(events[2]["unsupported"], 1);
}

TEST(JsonLines, WritesBenignRaceAsNoteWithBothPlaces) {
  const auto event =
      nlohmann::json::parse(written([](JsonLines& report) { report.noted(benign_race()); }));
  EXPECT_EQ(event["event"], "note");
  EXPECT_EQ(event["class"], "race");
  EXPECT_EQ(event["benign"], true);
  EXPECT_EQ(event["line"], 9);
  EXPECT_EQ(event["other_line"], 12);
  EXPECT_EQ(event["count"], 31);
}

TEST(JsonLines, StartsWithTheCommandAndAddsReplayCommands) {
  std::istringstream lines(written([](JsonLines& report) {
    report.start({.version = "1.2.3",
                  .command = "warpcheck check 'my kernels'",
                  .seed = 7,
                  .device = "virtual",
                  .nvcc = "13.0.88"},
                 [](const campaign::Case& problem) { return "replay " + problem.variant; });
    report.found(misaligned_load());
  }));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, R"({"event":"start","version":"1.2.3","command":"warpcheck check 'my kernels'",)"
                  R"("seed":7,"device":"virtual","nvcc":"13.0.88"})");
  std::getline(lines, line);
  EXPECT_EQ(nlohmann::json::parse(line)["replay"], "replay sgemm_float4");
}

TEST(JsonLines, FindingHasThePlacesOfBothAccesses) {
  campaign::FindingReport race = benign_race();
  race.finding.source.column = 5;
  race.finding.memory = MemoryPlace{"flag", -4, 4, true};
  race.finding.other->source.column = 9;
  race.finding.other->thread = {{2, 0, 0}, {31, 1, 0}};
  const auto event = nlohmann::json::parse(written([&](JsonLines& report) { report.noted(race); }));
  EXPECT_EQ(event["column"], 5);
  EXPECT_EQ(event["memory"],
            nlohmann::json({{"name", "flag"}, {"offset", -4}, {"bytes", 4}, {"write", true}}));
  EXPECT_EQ(event["other_column"], 9);
  EXPECT_EQ(event["other_thread"], nlohmann::json({31, 1, 0}));
  EXPECT_EQ(event["other_block"], nlohmann::json({2, 0, 0}));
  EXPECT_FALSE(event.contains("replay"));
}

TEST(JsonLines, WrongResultHasItsValues) {
  campaign::FindingReport finding = wrong_result();
  finding.mismatch->got = std::numeric_limits<double>::infinity();
  finding.mismatch->worst.resize(1);
  const auto event =
      nlohmann::json::parse(written([&](JsonLines& report) { report.found(finding); }));
  EXPECT_EQ(event["values"],
            nlohmann::json::parse(R"({"row":1,"column":0,"got":"inf","expected":-2.25,)"
                                  R"("tolerance":0.0,"wrong":3,"elements":4,"worst":[)"
                                  R"({"element":"D[1, 1]","row":1,"column":1,"got":"nan",)"
                                  R"("expected":2.5,"tolerance":0.0}]})"));
}

TEST(RunInfo, NvccVersionIsReadFromThePtx) {
  EXPECT_EQ(nvcc_version_of("//\n// Cuda compilation tools, release 13.0, V13.0.88\n// Based"),
            "13.0.88");
  EXPECT_EQ(nvcc_version_of(".version 8.0\n"), "");
}

TEST(JsonLines, SummaryListsUncheckedClasses) {
  auto out = std::make_unique<std::ostringstream>();
  const std::ostringstream& text = *out;
  JsonLines report(std::move(out), true);
  report.summary({{passing_variant()}, 0, 0, 100, 1.5});
  EXPECT_EQ(nlohmann::json::parse(text.str())["unchecked"], nlohmann::json({"race"}));
}

TEST(JsonLines, KnownFindingHasItsReason) {
  const auto known = [](const campaign::FindingReport& finding) {
    const std::string line = written([&](JsonLines& report) { report.found(finding); });
    return nlohmann::json::parse(line).value("known", "");
  };
  EXPECT_EQ(known(known_variant().findings.front()),
            "misaligned until 2027-01-31: issue 12 | <soon>");
  EXPECT_EQ(known(misaligned_load()), "");
}

TEST(JsonLines, IsValidJsonForAnyBytesOfAMessage) {
  const std::string line = written([](JsonLines& report) {
    campaign::FindingReport finding = misaligned_load();
    finding.finding.message = "a quote \" a line feed \n and \xff, which is not UTF-8";
    report.found(finding);
  });
  EXPECT_EQ(nlohmann::json::parse(line)["message"],
            "a quote \" a line feed \n and \xef\xbf\xbd, which is not UTF-8");
  EXPECT_EQ(line.find('\n'), line.size() - 1);
}

TEST(JsonLines, UnwritableFileIsAnError) {
  EXPECT_THROW(static_cast<void>(JsonLines::to_file("/no/such/folder/report.json")), InputError);
}

TEST(JsonLines, SummaryCountsTheStoppedCases) {
  const std::string line = written([](JsonLines& report) {
    campaign::CampaignReport totals;
    totals.stopped = 3;
    report.summary(totals);
  });
  EXPECT_EQ(nlohmann::json::parse(line)["stopped"], 3);
}

}  // namespace
}  // namespace warpcheck::report
