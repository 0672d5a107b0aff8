// Each law fails on the specimen that it names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "contract/compile/variant.hpp"
#include "properties/law.hpp"
#include "report/finding/message.hpp"
#include "tests/kernels/law_on_source.hpp"
#include "tests/kernels/specimen_file.hpp"

namespace warpcheck::campaign {
namespace {

using contract::Variant;
using properties::Law;

class EachLaw : public testing::TestWithParam<const Law*> {};

TEST_P(EachLaw, FailsOnItsSpecimen) {
  if (!has_nvcc()) GTEST_SKIP() << "this machine has no nvcc";
  const Law& law = *GetParam();
  const std::string specimen(law.broken_by);
  std::vector<Variant> variants = contract::variants_at(specimen_file(specimen));
  const auto variant = std::ranges::find_if(
      variants, [&](const Variant& one) { return one.contract.name == specimen; });
  ASSERT_NE(variant, variants.end()) << specimen;
  ASSERT_TRUE(law.applies(variant->contract));
  const CheckedLaw checked = check_law(*variant, law);
  ASSERT_TRUE(checked.finding) << checked.text;
  EXPECT_THAT(variant->contract.expect->classes,
              testing::Contains(std::string(name(checked.finding->kind))))
      << report::message_text(*checked.finding);
}

std::vector<const Law*> all_laws() {
  std::vector<const Law*> all;
  for (const Law& law : properties::laws()) all.push_back(&law);
  return all;
}

std::string test_name(const testing::TestParamInfo<const Law*>& test) {
  std::string name(test.param->name);
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Laws, EachLaw, testing::ValuesIn(all_laws()), test_name);

TEST(CheckedLaw, PrintsTheCommandThatReplaysTheSmallestCase) {
  if (!has_nvcc()) GTEST_SKIP() << "this machine has no nvcc";
  const std::string file = specimen_file("d07_no_edge_test");
  const Variant variant = contract::variants_at(file).at(0);
  const CheckedLaw checked = check_law(variant, properties::law("matches-reference"));
  const std::string line = "d07_no_edge_test m=1 n=1 k=0 alpha=1 beta=0 data=lattice seed=0";
  EXPECT_EQ(to_line(checked.problem), line);
  EXPECT_THAT(checked.text, testing::HasSubstr("warpcheck replay --device virtual --in " + file +
                                               " '" + line + "'\n"));
  EXPECT_THAT(checked.text, testing::HasSubstr("RC_PARAMS=\"seed="));
  EXPECT_THAT(checked.text, testing::HasSubstr("out-of-bounds: "));
}

}  // namespace
}  // namespace warpcheck::campaign
