#include "campaign/generate/covering/covering.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>

#include "campaign/case/domain.hpp"
#include "campaign/generate/cases.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::generate {
namespace {

using testing::blas_variant;
using testing::plain_variant;

// Factors of 2, 3 and 2 levels: 2 * 3 + 2 * 2 + 3 * 2 = 16 pairs, 2 * 3 * 2 = 12 triples.
Interactions pairs() { return {{2, 3, 2}, 2}; }
Interactions triples() { return {{2, 3, 2}, 3}; }

TEST(Interactions, EachCountsOnce) {
  Interactions two = pairs();
  Interactions three = triples();
  EXPECT_EQ(two.all(), 16U);
  EXPECT_EQ(three.all(), 12U);
  for (int i = 0; i < 2; ++i) {
    two.add({0, 2, 1});
    three.add({0, 2, 1});
  }
  EXPECT_EQ(two.met(), 3U);
  EXPECT_EQ(three.met(), 1U);
  two.add({0, 2, 0});  // meets two more: (first, third) and (second, third)
  EXPECT_EQ(two.met(), 5U);
  two.add({1, {}, {}});
  EXPECT_EQ(two.met(), 5U) << "a level alone is no pair";
}

TEST(Row, RoundTripsAsText) {
  const Row row{2, {}, 0};
  EXPECT_EQ(to_text(row), "c-a");
  EXPECT_EQ(row_from("c-a"), row);
}

TEST(Interactions, AllRowsMeetAll) {
  Interactions two = pairs();
  Interactions three = triples();
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_FALSE(three.complete());
        two.add({a, b, c});
        three.add({a, b, c});
      }
    }
  }
  EXPECT_TRUE(two.complete());
  EXPECT_TRUE(three.complete());
  EXPECT_FALSE(two.missing(7).has_value());
}

TEST(Interactions, ExcludedPairsExcludeTheirTriples) {
  Interactions two = pairs();
  std::size_t excluded = 0;
  while (!two.holds({1, 2, {}}, excluded)) ++excluded;
  EXPECT_EQ(two.row_of(excluded), (Row{1, 2, {}}));
  two.exclude(excluded);
  EXPECT_EQ(two.all(), 15U);
  const auto with_one = two.gains({1, {}, {}}, 1);
  EXPECT_EQ(with_one, (std::vector<std::optional<std::size_t>>{1, 1, {}}));
  EXPECT_EQ(two.gains({0, {}, {}}, 1).at(2), 1U);
  Interactions three = triples();
  three.exclude_with(two);
  EXPECT_EQ(three.all(), 10U) << "all but (1, 2, 0) and (1, 2, 1)";
  two.add({1, 2, 0});
  EXPECT_EQ(two.all(), 16U) << "what occurs was not rightly excluded";
}

/// Classes of a case for a tile of 16, derived from its numbers independently of the factors.
std::map<std::string, std::string> classes(const Case& problem) {
  const auto size = [](std::int64_t extent) -> std::string {
    if (extent < 2) return extent == 0 ? "0" : "1";
    const std::int64_t rest = extent % 16;
    return rest == 0 ? "16" : rest == 1 ? "17" : rest == 15 ? "15" : extent < 16 ? "in" : "off";
  };
  const auto factor = [](double value) -> std::string {
    return value == 1.0 ? "1" : value == 0.0 ? "0" : "x";
  };
  return {{"m", size(problem.whole("m"))},
          {"k", size(problem.whole("k"))},
          {"off_b", std::to_string(problem.whole("off_b"))},
          {"ldc", problem.whole("ldc") == 0       ? "tight"
                  : problem.whole("ldc") % 4 == 0 ? "even"
                                                  : "odd"},
          {"beta", factor(problem.number("beta"))},
          {"data", std::string(name(problem.data))}};
}

TEST(CoveringCases, MeetEachPairInTheDefaultCampaign) {
  const contract::Variant variant = blas_variant();
  for (const std::uint64_t seed : {0, 1, 2}) {
    const CaseGenerator generator(variant.contract, {.seed = seed});
    std::map<std::pair<std::string, std::string>, std::set<std::pair<std::string, std::string>>>
        met;
    for (std::int64_t i = 0; i < 100; ++i) {
      const Case problem = generator.draw(i).problem;
      auto found = classes(problem);
      if (is_structured(problem.data)) found.erase("data");  // is no level
      for (const auto& [one, level] : found) {
        for (const auto& [other, other_level] : found) {
          met[{one, other}].insert({level, other_level});
        }
      }
    }
    EXPECT_EQ((met[{"k", "data"}].size()), 7U * 7U) << "seed " << seed;
    EXPECT_GE((met[{"m", "k"}].size()), 6U * 7U) << "seed " << seed;  // m = 0 may occur, too
    EXPECT_EQ((met[{"off_b", "data"}].size()), 4U * 7U) << "seed " << seed;
    EXPECT_EQ((met[{"beta", "off_b"}].size()), 3U * 4U) << "seed " << seed;
    EXPECT_EQ((met[{"ldc", "k"}].size()), 3U * 7U) << "seed " << seed;
  }
}

TEST(CoveringCases, CountAgreesWithTheCasesMet) {
  const contract::Variant variant = blas_variant();
  const CaseGenerator generator(variant.contract, {.seed = 3});
  const auto met = [&](std::size_t strength, std::int64_t cases) {
    Interactions interactions = generator.combinations(cases).among(cases, strength);
    for (std::int64_t i = 0; i < cases; ++i) {
      interactions.add(generator.levels(generator.draw(i).problem));
    }
    return interactions;
  };
  EXPECT_FALSE(met(2, 20).complete());
  EXPECT_TRUE(met(2, 100).complete());
  EXPECT_FALSE(met(3, 100).complete());
  EXPECT_TRUE(met(3, 1500).complete());
}

/// Thousands of cases, most of them random, meet each combination that is not excluded and no
/// other.
TEST(CoveringCases, ExcludeOnlyWhatTheDomainExcludes) {
  const contract::Variant variant =
      plain_variant("requires = [\"k % 4 == 0\", \"aligned(a, 16)\", \"m <= n\"]\n");
  const CaseGenerator generator(variant.contract, {.seed = 5});
  const CaseGenerator other(variant.contract, {.seed = 6});
  Interactions reachable = generator.combinations(200).among(200, 2);
  const std::size_t counted = reachable.all();
  EXPECT_LT(counted, generator.combinations(0).among(0, 2).all());
  for (std::int64_t i = 0; i < 4000; ++i) reachable.add(generator.levels(other.draw(i).problem));
  EXPECT_EQ(reachable.all(), counted) << "combinations that do occur had been excluded";
  EXPECT_TRUE(reachable.complete());
  for (std::int64_t i = 0; i < 200; ++i) {
    const Case problem = generator.draw(i).problem;
    EXPECT_FALSE(violated(variant.contract, problem).has_value()) << to_line(problem);
  }
}

TEST(Cases, RespectMaxSize) {
  const contract::Variant variant = blas_variant();
  const CaseGenerator generator(variant.contract,
                                {.seed = 1, .int32_overflow_strides = true, .max_size = 64});
  for (std::int64_t i = 0; i < 300; ++i) {
    const Case problem = generator.draw(i).problem;
    EXPECT_LE(std::max({problem.whole("m"), problem.whole("n"), problem.whole("k")}), 64)
        << to_line(problem);
  }
}

}  // namespace
}  // namespace warpcheck::campaign::generate
