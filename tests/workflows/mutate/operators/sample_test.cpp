#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "tests/workflows/mutate/operators/planting.hpp"

namespace warpcheck::workflows::mutate::operators::test {
namespace {

/// Returns `counts[i]` mutants of operator number i, each with its own instruction.
std::vector<Mutant> made(const std::vector<std::size_t>& counts) {
  std::vector<Mutant> all;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (std::size_t j = 0; j < counts[i]; ++j) all.push_back({&operators()[i], 0, all.size(), {}});
  }
  return all;
}

std::vector<std::size_t> counts_of(const std::vector<Mutant>& mutants) {
  std::vector<std::size_t> counts(operators().size());
  for (const Mutant& mutant : mutants) {
    ++counts[static_cast<std::size_t>(mutant.planted - operators().data())];
  }
  while (!counts.empty() && counts.back() == 0) counts.pop_back();
  return counts;
}

std::vector<std::size_t> numbers_of(const std::vector<Mutant>& mutants) {
  std::vector<std::size_t> numbers;
  for (const Mutant& mutant : mutants) numbers.push_back(mutant.instruction);
  return numbers;
}

TEST(Sample, TakesAllMutantsUpToItsLimit) {
  EXPECT_THAT(counts_of(sample(made({3, 5}), 8, 1)), testing::ElementsAre(3, 5));
}

TEST(Sample, TakesAllOfRareOperatorsAndEqualSharesOfOthers) {
  EXPECT_THAT(counts_of(sample(made({2, 1000, 30, 500}), 92, 1)),
              testing::ElementsAre(2, 30, 30, 30));
}

TEST(Sample, NeverExceedsItsLimit) {
  for (const std::size_t most : {1U, 7U, 50U, 333U}) {
    EXPECT_EQ(sample(made({20, 300, 10, 7}), most, 9).size(), std::min<std::size_t>(most, 337));
  }
}

TEST(Sample, DependsOnlyOnItsSeedAndKeepsThePtxOrder) {
  const std::vector<Mutant> all = made({100, 100});
  const auto numbers = numbers_of(sample(all, 40, 5));
  EXPECT_EQ(numbers, numbers_of(sample(all, 40, 5)));
  EXPECT_NE(numbers, numbers_of(sample(all, 40, 6)));
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
}

}  // namespace
}  // namespace warpcheck::workflows::mutate::operators::test
