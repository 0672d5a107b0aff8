#include <gmock/gmock.h>

#include <random>
#include <set>
#include <string>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/generate/cases.hpp"
#include "tests/campaign/operation_contract.hpp"
#include "workflows/fuzz/mutator.hpp"

namespace warpcheck::workflows::fuzz {
namespace {

using campaign::Case;
using campaign::testing::kRowSums;
using campaign::testing::operation_contract;
using ::testing::IsSupersetOf;

constexpr std::int64_t kMostWork = 1 << 23;  // multiply-adds
constexpr int kMutants = 300;
constexpr int kMostAttempts = 10'000;  // many mutants of a narrow domain exceed their budget

class OperationDomains : public ::testing::TestWithParam<std::string> {};

TEST_P(OperationDomains, AreNotLeftByMutants) {
  const contract::Contract contract = operation_contract(kRowSums, GetParam());
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  campaign::generate::Rng random(seed);
  const campaign::generate::CaseGenerator cases(contract, {.seed = seed});
  const Mutator mutator(contract, {56, 104}, {"matches-reference", "same-bits-twice"});
  const campaign::CaseSchema schema = campaign::case_schema(contract);
  Case parent = cases.draw(0).problem;
  int made = 0;
  for (int i = 0; made < kMutants && i < kMostAttempts; ++i) {
    const Case donor = cases.draw(i % 40).problem;
    const auto mutant = mutator.mutated(parent, donor, random);
    if (!mutant) continue;
    ++made;
    const std::string line = campaign::to_line(*mutant);
    EXPECT_EQ(campaign::violated(contract, *mutant), std::nullopt) << line;
    EXPECT_EQ(campaign::normalized(contract, *mutant), *mutant) << line;
    EXPECT_TRUE(campaign::can_be_laid_out(contract, *mutant, std::size_t{1} << 30)) << line;
    const auto work = schema.work.evaluate(campaign::bindings(contract, *mutant));
    EXPECT_LE(work.value(), kMostWork) << line;
    parent = i % 10 == 0 ? donor : *mutant;
  }
  EXPECT_EQ(made, kMutants);
}

INSTANTIATE_TEST_SUITE_P(OperationMutator, OperationDomains,
                         ::testing::Values("",
                                           "requires = [\"columns % 24 == 0\", \"rows >= 48\"]\n",
                                           "requires = [\"rows <= columns\", "
                                           "\"aligned(x, 16)\", \"stride_x % 4 == 0\"]\n"));

TEST(OperationMutator, ChangesEveryFieldThatTheContractTakes) {
  const contract::Contract contract = operation_contract(kRowSums);
  campaign::generate::Rng random(7);
  const Mutator mutator(contract, {}, {"matches-reference", "same-bits-twice"});
  const Case parent = campaign::normalized(
      contract, campaign::parse_case("sums operation=row_sums depth=3 rows=5 columns=20"));
  std::set<std::string> changed;
  for (int i = 0; i < 2000; ++i) {
    const auto mutant = mutator.mutated(parent, parent, random);
    if (!mutant) continue;
    for (const campaign::NamedValue& field : mutant->values) {
      if (parent.value(field.name) != field.value) changed.insert(field.name);
    }
    if (mutant->data != parent.data) changed.insert("data");
    if (mutant->property != parent.property) changed.insert("property");
  }
  EXPECT_THAT(changed, IsSupersetOf({"depth", "rows", "columns", "stride_x", "off_x", "off_y",
                                     "scale", "data", "property"}));
}

TEST(OperationMutator, NeighboursHaveTheLiteralsOfTheKernel) {
  const contract::Contract contract = operation_contract(kRowSums);
  const Mutator mutator(contract, {57}, {"matches-reference"});
  const Case parent = campaign::normalized(
      contract, campaign::parse_case("sums operation=row_sums depth=3 rows=5 columns=20"));
  for (const char* extent : {"depth", "rows", "columns"}) {
    std::set<std::int64_t> sizes;
    for (const Case& problem : mutator.neighbours(parent)) {
      sizes.insert(campaign::tensor::extent(problem, extent));
    }
    const std::int64_t size = campaign::tensor::extent(parent, extent);
    EXPECT_THAT(sizes, IsSupersetOf({std::int64_t{57}, size - 1, size + 1})) << extent;
  }
}

}  // namespace
}  // namespace warpcheck::workflows::fuzz
