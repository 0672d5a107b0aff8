#include "workflows/fuzz/corpus.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace warpcheck::workflows::fuzz {
namespace {

using ::testing::ElementsAre;

campaign::Case sized_case(std::int64_t size) {
  campaign::Case problem;
  problem.variant = "v";
  problem.set_value("m", size);
  problem.set_value("n", size);
  problem.set_value("k", size);
  return problem;
}

std::vector<Feature> extents(std::vector<std::uint64_t> prints) {
  std::vector<Feature> features;
  for (const std::uint64_t print : prints) features.push_back({FeatureKind::extent, print});
  return features;
}

TEST(Corpus, AcceptsOnlyCasesWithANewFeature) {
  Corpus corpus;
  EXPECT_TRUE(corpus.offer(sized_case(5), extents({1, 2})).added);
  EXPECT_FALSE(corpus.offer(sized_case(6), extents({1, 2})).added);
  EXPECT_TRUE(corpus.offer(sized_case(6), extents({1, 3})).added);
  EXPECT_THAT(corpus.cases(), ElementsAre(sized_case(5), sized_case(6)));
  EXPECT_EQ(corpus.features(), 3U);
}

TEST(Corpus, ASmallerCaseReplacesCasesWithTheSameFeatures) {
  Corpus corpus;
  static_cast<void>(corpus.offer(sized_case(9), extents({1, 2})));
  static_cast<void>(corpus.offer(sized_case(8), extents({3})));
  const Corpus::Change partly = corpus.offer(sized_case(4), extents({1}));
  EXPECT_TRUE(partly.added);
  EXPECT_TRUE(partly.dropped.empty()) << "feature 2 is still that of the large one alone";
  const Corpus::Change wholly = corpus.offer(sized_case(3), extents({2, 3}));
  EXPECT_THAT(wholly.dropped, ElementsAre(sized_case(9), sized_case(8)));
  EXPECT_THAT(corpus.cases(), ElementsAre(sized_case(4), sized_case(3)));
}

TEST(Corpus, ReportsWhereTheKernelShowedNewBehaviour) {
  Corpus corpus;
  const std::vector<Feature> edge = {{FeatureKind::edge, 1}};
  EXPECT_FALSE(corpus.offer(sized_case(1), extents({1})).new_coverage);
  EXPECT_TRUE(corpus.offer(sized_case(2), edge).new_coverage);
  EXPECT_FALSE(corpus.offer(sized_case(1), edge).new_coverage) << "smaller, but nothing new";
}

TEST(Corpus, PrefersCasesWithRareFeatures) {
  Corpus corpus;
  for (int i = 0; i < 100; ++i) static_cast<void>(corpus.offer(sized_case(2), extents({1, 2, 3})));
  static_cast<void>(corpus.offer(sized_case(7), extents({4})));
  campaign::generate::Rng random(1);
  int rare = 0;
  for (int i = 0; i < 1000; ++i) rare += corpus.choose(random) == sized_case(7) ? 1 : 0;
  // At least one of four samples among four features is the rare one with probability
  // 1 - (3/4)^4 = 0.68.
  EXPECT_NEAR(rare, 684, 60);
}

TEST(Corpus, GivesEveryKindOfFeatureTheSameChance) {
  Corpus corpus;
  std::vector<std::uint64_t> many;
  for (std::uint64_t i = 0; i < 1000; ++i) many.push_back(i);
  static_cast<void>(corpus.offer(sized_case(2), extents(many)));
  const std::vector<Feature> condition = {{FeatureKind::condition, 1}};
  static_cast<void>(corpus.offer(sized_case(7), condition));
  campaign::generate::Rng random(1);
  int condition_count = 0;
  for (int i = 0; i < 1000; ++i) condition_count += corpus.choose(random) == sized_case(7) ? 1 : 0;
  EXPECT_NEAR(condition_count, 500, 60);
}

}  // namespace
}  // namespace warpcheck::workflows::fuzz
