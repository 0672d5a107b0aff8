// Each mistake gives one clear error within 10 seconds and 1 GB.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/base/time_factor.hpp"
#include "tests/tool/harness/tool.hpp"
#include "tests/tool/mistakes/mistake.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<Mistake> all_mistakes() {
  std::vector<Mistake> all = mistakes_in_contracts();
  for (Mistake& mistake : mistakes_in_sources()) all.push_back(std::move(mistake));
  for (Mistake& mistake : mistakes_in_commands()) all.push_back(std::move(mistake));
  return all;
}

class EachMistake : public testing::TestWithParam<Mistake> {};

TEST_P(EachMistake, IsAnErrorWithItsCauseAndPlace) {
  const Mistake& mistake = GetParam();
  const Scratch scratch;
  scratch.write("x.cu", mistake.source);
  for (const auto& [name, text] : mistake.files) scratch.write(name, text);
  if (mistake.prepare) mistake.prepare(scratch.folder());
  const std::vector<std::string> usual = {"check", "x.cu", "--device", "virtual", "--cases", "5"};
  const Result result = scratch.run(mistake.words.empty() ? usual : mistake.words);
  EXPECT_EQ(result.status, mistake.status) << result.out << result.error;
  const std::string printed = mistake.status == 2 ? result.error : result.out + result.error;
  EXPECT_THAT(printed, HasSubstr(mistake.error));
  EXPECT_THAT(printed, Not(HasSubstr("internal error")));
  EXPECT_THAT(printed, Not(HasSubstr("terminate called")));
  EXPECT_LT(result.seconds, 10.0 * kTimeFactor);
  EXPECT_LT(result.megabytes, 1024U);
}

INSTANTIATE_TEST_SUITE_P(Of, EachMistake, testing::ValuesIn(all_mistakes()),
                         [](const auto& row) { return row.param.name; });

TEST(Mistakes, AreOfAtLeast60Kinds) {
  std::set<std::string> names;
  for (const Mistake& mistake : all_mistakes()) names.insert(mistake.name);
  EXPECT_GE(names.size(), 60U);
}

}  // namespace
}  // namespace warpcheck::tool
