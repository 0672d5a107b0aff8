#include "workflows/explore/repair.hpp"

#include <gtest/gtest.h>

#include "campaign/case/layout.hpp"
#include "tests/workflows/explore/domains.hpp"

namespace warpcheck::workflows::explore {
namespace {

using Kind = Condition::Kind;
using campaign::Case;

TEST(Repair, SatisfiesConditionsWithAValidLayout) {
  const contract::Contract& contract = testing::full_contract();
  const std::vector<Quantity> all = campaign::conditions::quantities(contract);
  campaign::generate::Rng random(1);
  Repair repair(contract, all, 2048, random);
  // m % 16 == 0, m == n, k >= 5, lda % 8 == 0, ldb == ldc, aligned(b, 16)
  const Conjunction conditions = {
      {Kind::congruent, 0, 0, 16, 0, 0.0}, {Kind::same, 0, 1, 1, 0, 0.0},
      {Kind::at_least, 2, 2, 1, 0, 5.0},   {Kind::congruent, 3, 3, 8, 0, 0.0},
      {Kind::same, 4, 5, 1, 0, 0.0},       {Kind::congruent, 7, 7, 4, 0, 0.0}};
  int repaired = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto problem = repair.satisfy(testing::RandomDomain(seed).sample(seed), conditions);
    if (!problem) continue;
    ++repaired;
    EXPECT_TRUE(testing::holds_all(
        contract,
        {"m % 16 == 0", "m == n", "k >= 5", "lda % 8 == 0", "ldb == ldc", "aligned(b, 16)"},
        *problem))
        << to_line(*problem);
    EXPECT_NO_THROW((void)campaign::lay_out(contract, *problem, std::size_t{1} << 30))
        << to_line(*problem);
  }
  EXPECT_GE(repaired, 190);
}

TEST(Repair, ReturnsNothingForAContradiction) {
  const contract::Contract& contract = testing::full_contract();
  const std::vector<Quantity> all = campaign::conditions::quantities(contract);
  campaign::generate::Rng random(1);
  Repair repair(contract, all, 2048, random);
  EXPECT_FALSE(
      repair.satisfy(testing::RandomDomain(1).sample(1),
                     {{Kind::at_least, 2, 2, 1, 0, 9.0}, {Kind::at_most, 2, 2, 1, 0, 8.0}}));
}

}  // namespace
}  // namespace warpcheck::workflows::explore
