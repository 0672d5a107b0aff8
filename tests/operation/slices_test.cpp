#include "operation/slices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/operation/example.hpp"

namespace warpcheck::operation {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> independent(const Operation& operation) {
  std::vector<std::string> names;
  for (const IndependentExtent& extent : independent_extents(operation)) {
    names.push_back(extent.name);
  }
  return names;
}

std::vector<std::string> independent(const std::string& definition) {
  return independent(over_rows(definition));
}

/// Rows of several experts: y[tokens, columns] = x[tokens, columns] times w[experts, columns].
Operation over_experts(const std::string& definition, const Tensor& integers) {
  Operation operation;
  operation.name = "experts";
  operation.extents = {"tokens", "experts", "columns"};
  operation.inputs = {{"x", {"tokens", "columns"}}, {"w", {"experts", "columns"}}, integers};
  operation.outputs = {{"y", {"tokens", "columns"}}};
  define(operation, definition, {"example.toml", 7, 3});
  return operation;
}

constexpr const char* kByNumber = "y[t,j] = x[t,j] * w[expert[t], j]";
constexpr const char* kByEnd =
    "expert[t in tokens] = min(sum(e: 1 where ends[e] <= t), experts - 1)\n"
    "y[t,j] = x[t,j] * w[expert[t], j]";

Tensor ends() {
  Tensor tensor{"ends", {"experts"}, true};
  tensor.sorted = true;
  tensor.range = {{0.0, ""}, {0.0, "tokens"}};
  return tensor;
}

TEST(Slices, RowsThatNoIndexConnectsAreIndependent) {
  EXPECT_THAT(independent(kSoftmax), ElementsAre("rows"));
  EXPECT_THAT(independent("y[i,j] = x[i,j] * w[j]"), ElementsAre("rows", "columns"));
  EXPECT_THAT(independent("y[i,j] = select(at[i] > 2, x[i,j], 0) * rows"),
              ElementsAre("rows", "columns"));
}

TEST(Slices, RowsThatDependOnOthersOrTheirNumberAreNotIndependent) {
  for (const char* definition :
       {"y[i,j] = x[i,j] * i", "y[i,j] = sum(k: x[k,j])", "y[i,j] = x[i - 1,j] or 0",
        "y[i,j] = x[0,j]", "y[i,j] = sum(k: x[i,j] where k <= at[k])",
        "p[i in rows] = argmax(k: x[k,0])\ny[i,j] = x[i,j] * p[i]"}) {
    EXPECT_THAT(independent(definition), testing::Not(testing::Contains("rows"))) << definition;
  }
}

TEST(Slices, PermutedExpertsHaveOtherNumbers) {
  const Operation operation = over_experts(kByNumber, {"expert", {"tokens"}, true});
  const auto extents = independent_extents(operation);
  ASSERT_EQ(extents.size(), 3U);
  EXPECT_EQ(extents[1].name, "experts");
  EXPECT_THAT(extents[1].numbers, ElementsAre("expert"));
  EXPECT_THAT(extents[0].numbers, IsEmpty());
}

TEST(Slices, ExpertsWhoseNumberHasAnotherUseAreNotIndependent) {
  const Operation operation =
      over_experts("y[t,j] = x[t,j] * w[expert[t], j] * expert[t]", {"expert", {"tokens"}, true});
  EXPECT_THAT(independent(operation), ElementsAre("tokens", "columns"));
}

TEST(Slices, NumbersThatAscendOrHaveARangeOfTheirOwnStay) {
  Tensor sorted{"expert", {"tokens"}, true};
  sorted.sorted = true;
  EXPECT_THAT(independent(over_experts(kByNumber, sorted)), ElementsAre("columns"));
  Tensor few{"expert", {"tokens"}, true};
  few.range = {{0.0, ""}, {3.0, ""}};
  EXPECT_THAT(independent(over_experts(kByNumber, few)), ElementsAre("tokens", "columns"));
  few.range = {{-1.0, ""}, {-1.0, "experts"}};
  EXPECT_THAT(independent(over_experts("y[t,j] = x[t,j] * (w[expert[t], j] or 0)", few)),
              ElementsAre("tokens", "experts", "columns"));
}

TEST(Slices, GroupsHaveNumbersOrCounts) {
  const auto named = grouped_extents(over_experts(kByNumber, {"expert", {"tokens"}, true}));
  ASSERT_EQ(named.size(), 1U);
  EXPECT_EQ(named[0].name, "experts");
  EXPECT_THAT(named[0].numbers, ElementsAre("expert"));
  const auto counted = grouped_extents(over_experts(kByEnd, ends()));
  ASSERT_EQ(counted.size(), 1U);
  EXPECT_EQ(counted[0].name, "experts");
  EXPECT_THAT(counted[0].counts, ElementsAre("ends"));
  Tensor limits = ends();
  limits.shape = {limits_of("experts")};
  const auto limited = grouped_extents(over_experts(kByEnd, limits));
  ASSERT_EQ(limited.size(), 1U);
  EXPECT_THAT(limited[0].counts, ElementsAre("ends"));
  EXPECT_THAT(grouped_extents(over_rows(kSoftmax)), IsEmpty());
}

TEST(Slices, OtherTensorsHaveOneElementForEachGroup) {
  Operation operation = over_experts(kByEnd, ends());
  operation.inputs[0].shape = {"tokens", "experts + 1"};
  EXPECT_THAT(grouped_extents(operation), IsEmpty());
  operation.inputs[0].shape = {"experts", "experts"};
  EXPECT_THAT(grouped_extents(operation), IsEmpty());
}

}  // namespace
}  // namespace warpcheck::operation
