#include "report/mutation.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace warpcheck::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using workflows::mutate::Fate;
using workflows::mutate::MutantReport;
using workflows::mutate::MutationReport;

MutantReport mutant(std::string_view planted, Fate fate, const std::string& before,
                    const std::string& after) {
  MutantReport report;
  report.planted = planted;
  report.fate = fate;
  report.place = {"k.cu", 20, before, 77, {}};
  report.excerpt = {"k.cu", 20, 19, {"  before", "  the line", "  behind"}};
  report.after = after;
  report.reached = 12;
  return report;
}

MutationReport example() {
  MutationReport report;
  report.variant = "k";
  report.cases = 500;
  report.mutants = {mutant("barrier-dropped", Fate::killed, "bar.sync 0", ""),
                    mutant("fma-to-mul", Fate::survived, "fma x", "mul x"),
                    mutant("fma-to-mul", Fate::equivalent, "fma y", "mul y"),
                    mutant("store-dropped", Fate::unreachable, "st z", "")};
  report.mutants[0].kill = workflows::mutate::Kill{FindingClass::race, {}, 3};
  report.operators = {{"barrier-dropped", "", {.possible = 1, .killed = 1}, 3.0},
                      {"fma-to-mul", "", {.possible = 40, .survived = 1, .equivalent = 1}, 0.0},
                      {"store-dropped", "", {.possible = 2, .unreachable = 1}, 0.0}};
  for (const auto& of : report.operators) report.score += of.score;
  return report;
}

TEST(MutationText, ScoresByOperatorWhatIsNeitherEquivalentNorUnreachable) {
  const std::string told = text(example(), Paint(false));
  EXPECT_THAT(told, HasSubstr("k: 4 of 43 mutants, 500 cases each"));
  EXPECT_THAT(told, HasSubstr("score 50.0 %"));
  EXPECT_THAT(told, testing::ContainsRegex("barrier-dropped +1 +1 +1 +0 +0 +0 +0 +100.0 % +3.0"));
  EXPECT_THAT(told, testing::ContainsRegex("store-dropped +2 +1 +0 +0 +0 +1 +0 +- +-"));
}

TEST(MutationText, ShowsASurvivorsSourceAndWhatIsInItsPlace) {
  const std::string told = text(example(), Paint(false));
  EXPECT_THAT(told, HasSubstr("survived: fma-to-mul at k.cu:20: 12 cases came to it\n"
                              "  >   20 |   the line\n"
                              "    - fma x\n"
                              "    + mul x\n"));
  EXPECT_THAT(told, Not(HasSubstr("bar.sync")));  // killed
}

TEST(MutationText, ListsWhatWasProvedToBeNoDefect) {
  const std::string told = text(example(), Paint(false));
  EXPECT_THAT(told, HasSubstr("equivalent, the same accesses and the same bytes on all cases:\n"
                              "  fma-to-mul at k.cu:20\n    - fma y\n    + mul y\n"));
  EXPECT_THAT(told, testing::ContainsRegex("unreachable, [^\n]*:\n  store-dropped at k.cu:20\n"));
}

TEST(MutationJson, IsAnObjectALineAndTheScoreLast) {
  std::istringstream lines(json(example()));
  std::vector<nlohmann::json> events;
  for (std::string line; std::getline(lines, line);) events.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(events.size(), 5U);
  EXPECT_EQ(events[0]["fate"], "killed");
  EXPECT_EQ(events[0]["class"], "race");
  EXPECT_EQ(events[0]["cases"], 3);
  EXPECT_TRUE(events[0]["after"].is_null());
  EXPECT_EQ(events[1]["after"], "mul x");
  EXPECT_FALSE(events[1].contains("case"));
  EXPECT_EQ(events[4]["event"], "mutation-score");
  EXPECT_EQ(events[4]["unreachable"], 1);
  EXPECT_EQ(events[4]["score"], 0.5);
  EXPECT_EQ(events[4]["operators"].size(), 3U);
}

}  // namespace
}  // namespace warpcheck::report
