// The search on simulated kernels, whose domain an expression of the contract decides.
#include "workflows/explore/search.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/workflows/explore/domains.hpp"

namespace warpcheck::workflows::explore {
namespace {

using campaign::Case;
using testing::correct_where;
using ::testing::ElementsAre;
using testing::full_contract;
using testing::holds_all;
using ::testing::IsEmpty;
using testing::RandomDomain;

struct Found {
  SearchResult result;
  std::vector<std::string> expressions;
  std::size_t cases = 0;
};

Found search(const TrialFunction& run, std::uint64_t seed = 1, unsigned jobs = 1) {
  Examples examples(full_contract(), run, jobs);
  Found found;
  found.result = Search(examples, {seed, jobs, 2048}).run();
  for (const Condition& condition : found.result.conditions) {
    found.expressions.push_back(to_text(condition, examples.quantities()));
  }
  found.cases = examples.all().size();
  return found;
}

Found search(const std::vector<std::string>& domain, const std::string& exempt = "") {
  return search(correct_where(full_contract(), domain, exempt));
}

/// The number of random domains; WARPCHECK_EXPLORE_DOMAINS sets another one.
std::uint64_t domain_count() {
  const char* const text = std::getenv("WARPCHECK_EXPLORE_DOMAINS");
  return text == nullptr ? 12 : std::strtoull(text, nullptr, 10);
}

TEST(ExploreSearch, FindsRandomDomains) {
  constexpr std::uint64_t kSamples = 3000;
  const contract::Contract& contract = full_contract();
  std::uint64_t without_pass = 0;  // the domain is so small that no case was inside
  for (std::uint64_t seed = 1; seed <= domain_count(); ++seed) {
    const RandomDomain domain(seed);
    const Found found = search(correct_where(contract, domain.expressions()), seed);
    if (!found.result.any_passed) {
      ++without_pass;
      continue;
    }
    std::uint64_t inside = 0;
    std::uint64_t differences = 0;
    for (std::uint64_t i = 0; i < kSamples; ++i) {
      const Case problem = domain.sample(1000 * seed + i);
      const bool is_inside = holds_all(contract, domain.expressions(), problem);
      inside += is_inside ? 1 : 0;
      differences += is_inside != holds_all(contract, found.expressions, problem) ? 1 : 0;
    }
    EXPECT_GE(inside, kSamples / 10) << seed;
    EXPECT_EQ(differences, 0U) << "seed " << seed << ": "
                               << ::testing::PrintToString(domain.expressions()) << " found "
                               << ::testing::PrintToString(found.expressions);
    EXPECT_TRUE(found.result.is_complete && found.result.is_necessary) << seed;
    EXPECT_LE(found.cases, 4000U) << seed;
  }
  EXPECT_LE(without_pass, domain_count() / 10);
}

TEST(ExploreSearch, FindsNoConditionIfEveryCasePasses) {
  const Found found = search(std::vector<std::string>{});
  EXPECT_TRUE(found.result.any_passed && found.result.is_complete);
  EXPECT_THAT(found.expressions, IsEmpty());
  EXPECT_EQ(found.result.random_share, 1.0);
}

TEST(ExploreSearch, FindsNoPassIfEveryCaseFails) {
  EXPECT_FALSE(search(std::vector<std::string>{"m < 0"}).result.any_passed);
}

TEST(ExploreSearch, PrefersTheWeakestConditionThatHolds) {
  // Every multiple of 16 is a multiple of 8; the lower one suffices.
  EXPECT_THAT(search({"k % 8 == 0"}).expressions, ElementsAre("k % 8 == 0"));
  EXPECT_THAT(search({"k <= 256", "k % 8 == 0"}).expressions,
              ElementsAre("k % 8 == 0", "k <= 256"));
}

TEST(ExploreSearch, ToleratesPassesOfDegenerateCases) {
  // With k = 0 the kernel reads no element of B, and with m = 1 it does not use lda.
  const Found found = search({"aligned(b, 16)", "lda % 4 == 0"}, "k == 0 or m == 1");
  EXPECT_THAT(found.expressions, ElementsAre("lda % 4 == 0", "aligned(b, 16)"));
  EXPECT_TRUE(found.result.is_necessary);
}

TEST(ExploreSearch, FindsALeastSizeOfOne) {
  EXPECT_THAT(search({"k >= 1"}).expressions, ElementsAre("k >= 1"));
}

TEST(ExploreSearch, FindsAKernelForOneRow) {
  EXPECT_THAT(search({"m == 1", "k % 4 == 0"}).expressions, ElementsAre("m <= 1", "k % 4 == 0"));
}

TEST(ExploreSearch, ReportsThatADisjunctionIsOnlySufficient) {
  const Found found = search({"m % 2 == 0 or n % 2 == 0"});
  const SearchResult& result = found.result;
  EXPECT_FALSE(result.is_complete && result.is_necessary)
      << ::testing::PrintToString(found.expressions);
  if (result.is_complete) {
    EXPECT_THAT(found.expressions, ::testing::SizeIs(1));
  }
}

TEST(ExploreSearch, ReportsThatNoSimpleConditionExists) {
  const Found found = search({"(m + n + k) % 3 == 1 or (m * n) % 7 == 2"});
  EXPECT_FALSE(found.result.is_complete && found.result.is_necessary)
      << ::testing::PrintToString(found.expressions);
  EXPECT_GT(found.result.random_share, 0.2);
  EXPECT_LT(found.result.random_share, 0.8);
}

TEST(ExploreSearch, DoesNotDependOnTheNumberOfThreads) {
  const auto run = correct_where(full_contract(), {"k % 8 == 0", "m <= n"});
  const Found one = search(run, 3, 1);
  const Found three = search(run, 3, 3);
  EXPECT_EQ(one.expressions, three.expressions);
  EXPECT_EQ(one.cases, three.cases);
}

}  // namespace
}  // namespace warpcheck::workflows::explore
