#include "workflows/fuzz/features.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::workflows::fuzz {
namespace {

campaign::Case small() {
  campaign::Case problem;
  problem.variant = "fake";
  problem.set_value("m", 20);
  problem.set_value("n", 20);
  problem.set_value("k", 20);
  return problem;
}

std::vector<Feature> features(const campaign::Case& problem,
                              const campaign::run::Observation& seen = {},
                              std::optional<double> error = std::nullopt) {
  static const contract::Variant variant = campaign::testing::blas_variant();
  return Features(variant.contract).of(problem, seen, error);
}

std::vector<Feature> features(const std::function<void(campaign::Case&)>& change) {
  campaign::Case problem = small();
  change(problem);
  return features(problem);
}

std::ptrdiff_t count(const std::vector<Feature>& all, FeatureKind kind) {
  return std::count_if(all.begin(), all.end(),
                       [&](const Feature& feature) { return feature.kind == kind; });
}

campaign::run::Observation gone(std::uint64_t warps, std::uint64_t turns,
                                std::uint64_t divergent = 0) {
  campaign::run::Observation seen;
  seen.coverage.edges = {{device::kEntry, 0, warps, 0}, {4, 2, turns, divergent}};
  return seen;
}

TEST(Features, DifferWhereKernelBehaviourDiffers) {
  const auto same = features(small());
  EXPECT_EQ(features([](campaign::Case& c) { c.seed = 7; }), same)
      << "other values, the same kind of case";
  EXPECT_NE(features([](campaign::Case& c) { c.set_value("k", 16); }), same) << "a whole tile";
  EXPECT_NE(features([](campaign::Case& c) { c.set_value("k", 17); }), same)
      << "one more than a tile";
  EXPECT_NE(features([](campaign::Case& c) { c.set_value("m", 31); }), same)
      << "one less than two tiles";
  EXPECT_NE(features([](campaign::Case& c) { c.set_value("m", 36); }), same)
      << "the same remainder after one more tile";
  EXPECT_NE(features([](campaign::Case& c) { c.set_value("off_a", 1); }), same);
  EXPECT_NE(features([](campaign::Case& c) { c.set_value("off_a", 2); }),
            features([](campaign::Case& c) { c.set_value("off_a", 1); }));
  EXPECT_EQ(features([](campaign::Case& c) { c.set_value("off_a", 3); }),
            features([](campaign::Case& c) { c.set_value("off_a", 1); }))
      << "both aligned to 4 bytes";
  EXPECT_NE(features([](campaign::Case& c) { c.set_value("ldb", 21); }), same);
  EXPECT_NE(features([](campaign::Case& c) { c.set_value("ldb", 24); }), same)
      << "aligned as before, but not tight";
  EXPECT_NE(features([](campaign::Case& c) { c.data = campaign::Recipe::onehot; }), same);
  EXPECT_NE(features([](campaign::Case& c) { c.property = "same-bits-twice"; }), same);
  EXPECT_NE(features([](campaign::Case& c) { c.set_value("beta", 1); }), same);
}

TEST(Features, IncludeEdgesWithTheirExecutionsPerWarp) {
  const auto none = features(small(), gone(8, 0));
  const auto one = features(small(), gone(8, 8));
  EXPECT_EQ(count(none, FeatureKind::edge), 1);
  EXPECT_EQ(count(one, FeatureKind::edge), 2);
  EXPECT_NE(features(small(), gone(8, 16)), one);
  EXPECT_EQ(features(small(), gone(2, 2)), one) << "a smaller grid, of the same warps";
  EXPECT_EQ(features(small(), gone(8, 8 * 5)), features(small(), gone(8, 8 * 7)));
  EXPECT_EQ(count(features(small(), gone(8, 8, 1)), FeatureKind::divergence), 1);
}

TEST(Features, DistinguishTrueFromFalsePredicates) {
  campaign::run::Observation seen;
  seen.coverage.conditions = {{3, 5, 0}, {4, 0, 5}, {5, 1, 1}, {6, 0, 0}};
  EXPECT_EQ(count(features(small(), seen), FeatureKind::condition), 4);
}

TEST(Features, IncludeTheShapeOfTheGrid) {
  campaign::run::Observation wide;
  wide.grids = {{9, 1, 1}};
  campaign::run::Observation high;
  high.grids = {{1, 9, 1}};
  EXPECT_NE(features(small(), wide), features(small(), high));
}

TEST(Features, IncludeEveryErrorStepUpToTheError) {
  const auto low = features(small(), {}, 0.3);
  const auto high = features(small(), {}, 0.9);
  EXPECT_GT(count(high, FeatureKind::error), count(low, FeatureKind::error));
  EXPECT_TRUE(std::includes(high.begin(), high.end(), low.begin(), low.end()));
  EXPECT_EQ(count(features(small(), {}, 0.0), FeatureKind::error), 0);
}

}  // namespace
}  // namespace warpcheck::workflows::fuzz
