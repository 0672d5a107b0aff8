// The law that docs/properties.md shows, which is in no source of properties/. CMake takes its
// source from the page.
#include "documented_law.cpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/kernels/law_on_source.hpp"
#include "tests/kernels/specimen_file.hpp"

namespace warpcheck::campaign {
namespace {

const properties::Law& documented() { return properties::kReversingProductsChangesNothing; }

TEST(DocumentedLaw, IsNew) {
  EXPECT_EQ(std::ranges::find(properties::laws(), documented().name, &properties::Law::name),
            properties::laws().end());
}

TEST(DocumentedLaw, HoldsOnBuiltInVariants) {
  constexpr int kCases = 30;
  const auto device = device::make_virtual_device();
  int checked_variants = 0;
  for (const contract::Variant& variant : contract::builtin_variants()) {
    const std::string& name = variant.contract.name;
    if (name != "sgemm_tiled16" && name != "hgemm_mma" && name != "sgemm_split_k_atomics") continue;
    const CheckedLaw checked =
        LawChecker(variant, *device, {.max_size = 96}).check(documented(), kCases);
    EXPECT_FALSE(checked.failed) << checked.text;
    EXPECT_EQ(checked.launched, kCases) << checked.text;
    ++checked_variants;
  }
  EXPECT_EQ(checked_variants, 3);
}

TEST(DocumentedLaw, FailsOnItsSpecimen) {
  if (!has_nvcc()) GTEST_SKIP() << "this machine has no nvcc";
  const std::string file = specimen_file(std::string(documented().broken_by));
  const CheckedLaw checked = check_law(contract::variants_at(file).at(0), documented());
  ASSERT_TRUE(checked.finding) << checked.text;
  EXPECT_EQ(checked.finding->kind, FindingClass::wrong_result);
  EXPECT_THAT(checked.finding->message, testing::HasSubstr("in reverse order"));
}

}  // namespace
}  // namespace warpcheck::campaign
