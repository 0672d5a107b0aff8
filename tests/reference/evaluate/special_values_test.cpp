// Operations whose partial results may overflow: every value that IEEE 754 gives from there on is
// correct, and no other one.
#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <limits>

#include "tests/reference/evaluate/problems.hpp"

namespace warpcheck::reference {
namespace {

constexpr double kLargest = FLT_MAX;

/// The element of y that the definition gives for one row x, and w = 1.
struct Element {
  ExpectedTensor expected;

  explicit Element(const std::string& definition, std::vector<double> x, double scale = 1.0,
                   ScalarType type = ScalarType::f32) {
    const bool is_row = definition.find("y[i,j]") == std::string::npos;
    const operation::Operation operation =
        over_rows(definition, is_row ? operation::Tensor{"y", {"rows"}}
                                     : operation::Tensor{"y", {"rows", "columns"}});
    const auto columns = static_cast<std::int64_t>(x.size());
    TensorProblem problem = problem_of(
        operation, 1, columns, [] { return 1.0; }, scale);
    problem.inputs["x"].values = std::move(x);
    problem.types["y"] = type;
    expected = evaluate(problem).at("y");
  }

  [[nodiscard]] bool accepts(double got) const { return expected.accepts(0, got); }
  /// "n+-" for NaN and both infinities.
  [[nodiscard]] std::string specials() const {
    std::string accepted;
    if (accepts(kNanValue)) accepted += 'n';
    if (accepts(kInfinity)) accepted += '+';
    if (accepts(-kInfinity)) accepted += '-';
    return accepted;
  }
};

const char* const kSum = "y[i] = sum(j: x[i,j])";

TEST(SpecialOperations, OverflowIsAnInfinityOfItsSign) {
  const Element product("y[i,j] = scale * x[i,j]", {1e38}, -10.0);
  EXPECT_EQ(product.specials(), "-");
  EXPECT_FALSE(product.accepts(-1e39)) << "no f32";
  EXPECT_FALSE(product.accepts(-kLargest));
  EXPECT_EQ(Element("y[i,j] = exp(x[i,j])", {100.0}).specials(), "+");
  EXPECT_EQ(Element("y[i,j] = exp(x[i,j])", {1000.0}).specials(), "+") << "beyond double";
  EXPECT_FALSE(Element("y[i,j] = exp(x[i,j])", {1000.0}).accepts(kLargest));
}

// bf16 has 0x1.fep127, and rounds what is below 0x1.ffp127 to it.
TEST(SpecialOperations, NumbersNextToOverflowBecomeTheLargest) {
  const auto near = [](double number) {
    const double third = static_cast<float>(number / 3.0);
    return Element("y[i,j] = scale * x[i,j]", {third}, 3.0, ScalarType::bf16);
  };
  const Element below = near(0x1.fe8p127);
  EXPECT_EQ(below.specials(), "");
  EXPECT_TRUE(below.accepts(0x1.fep127));
  const Element at = near(0x1.ffp127);  // the product is rounded in f32 first
  EXPECT_EQ(at.specials(), "+");
  EXPECT_TRUE(at.accepts(0x1.fep127));
  EXPECT_FALSE(at.accepts(0x1.fcp127));
}

TEST(SpecialOperations, OrderOfASumDecides) {
  EXPECT_EQ(Element(kSum, {kLargest, kLargest}).specials(), "+");
  EXPECT_EQ(Element(kSum, {kLargest, 1.0, -kLargest}).specials(), "");
  const Element three(kSum, {kLargest, kLargest, -kLargest});
  EXPECT_EQ(three.specials(), "+");
  EXPECT_TRUE(three.accepts(kLargest));
  EXPECT_FALSE(three.accepts(0.0));
  const Element four(kSum, {kLargest, kLargest, -kLargest, -kLargest});
  EXPECT_EQ(four.specials(), "n+-");
  EXPECT_TRUE(four.accepts(0.0));
  EXPECT_FALSE(four.accepts(kLargest)) << "no order gives it";
  EXPECT_EQ(Element("y[i,j] = x[i,j] + x[i,j] - x[i,j]", {kLargest}).specials(), "+");
}

TEST(SpecialOperations, MeanOfLargeValuesMayBeFinite) {
  const Element mean("y[i] = sum(j: x[i,j]) / 4", {kLargest, kLargest, kLargest, kLargest});
  EXPECT_EQ(mean.specials(), "+");
  EXPECT_TRUE(mean.accepts(kLargest)) << "of terms that are divided first";
  EXPECT_FALSE(mean.accepts(0.5 * kLargest));
}

TEST(SpecialOperations, FactorOfASumMayBeAppliedFirstOrLast) {
  const std::vector<double> x = {kLargest, kLargest, -kLargest, -1e30};
  EXPECT_EQ(Element("y[i] = sum(j: scale * x[i,j])", x, 0.25).specials(), "+");
  EXPECT_EQ(Element("y[i] = sum(j: x[i,j] / 4)", x).specials(), "+");
  EXPECT_EQ(Element("y[i] = scale * sum(j: x[i,j])", {1e38, -1e38}, 8.0).specials(), "n+-");
  EXPECT_EQ(Element("y[i] = scale * sum(j: x[i,j])", {1e38, -1e38}, 2.0).specials(), "");
}

TEST(SpecialOperations, SumMayBeginWithAnotherOperand) {
  const std::string after = "y[i] = x[i,0] + sum(j: x[i,j] where j > 0)";
  const Element sum(after, {kLargest, 1e38, -1e38});
  EXPECT_EQ(sum.specials(), "+");
  EXPECT_TRUE(sum.accepts(kLargest));
  EXPECT_EQ(Element(after, {1e38, 1e38, -1e38}).specials(), "");
}

TEST(SpecialOperations, FactorsMayBeMultipliedInAnotherOrder) {
  const std::string product = "y[i,j] = x[i,j] * rsqrt(scale) * 4";
  const Element finite(product, {kLargest}, 256.0);
  EXPECT_EQ(finite.specials(), "+");
  EXPECT_TRUE(finite.accepts(0.25 * kLargest));
  EXPECT_EQ(Element(product, {1e37}, 256.0).specials(), "");
}

TEST(SpecialOperations, DivisionMayMultiplyByAnInfiniteReciprocal) {
  EXPECT_EQ(Element("y[i,j] = x[i,j] / scale", {1.0}, 1e-39).specials(), "+");
  EXPECT_EQ(Element("y[i,j] = x[i,j] / scale", {0.0}, 1e-39).specials(), "n");
  EXPECT_EQ(Element("y[i,j] = x[i,j] / scale", {1.0}, 1e-37).specials(), "");
}

TEST(SpecialOperations, InfinityHasTheResultsOfIeeeFromThereOn) {
  const std::string square = "y[i,j] = rsqrt(x[i,j] * x[i,j])";
  const Element root(square, {1e30});
  EXPECT_EQ(root.specials(), "");
  EXPECT_TRUE(root.accepts(0.0)) << "1 / sqrt(infinity)";
  EXPECT_EQ(Element("y[i,j] = x[i,j] * x[i,j] - x[i,j] * x[i,j]", {1e30}).specials(), "n+-");
  EXPECT_EQ(Element("y[i,j] = (scale - scale) * (x[i,j] * x[i,j])", {1e30}).specials(), "n");
  const Element logistic("y[i,j] = 1 / (1 + exp(-x[i,j]))", {-100.0});
  EXPECT_EQ(logistic.specials(), "");
  EXPECT_TRUE(logistic.accepts(0.0));
  EXPECT_FALSE(logistic.accepts(1e-30));
  const Element chosen("y[i,j] = select(x[i,j] * x[i,j] > 3e38, 1, 2)", {1e30});
  EXPECT_FALSE(chosen.accepts(2.0));
}

TEST(SpecialOperations, NumbersBeyondDoubleMayStayFinite) {
  const Element softplus("y[i,j] = log(1 + exp(x[i,j]))", {1000.0});
  EXPECT_TRUE(softplus.accepts(1000.0)) << "computed as x + log1p(exp(-x))";
  EXPECT_TRUE(softplus.accepts(kInfinity));
  EXPECT_EQ(Element("y[i,j] = 1 / (1 + exp(x[i,j]))", {1000.0}).specials(), "");
  EXPECT_EQ(Element("y[i,j] = 2 * exp(x[i,j])", {1000.0}).specials(), "+");
  EXPECT_EQ(Element("y[i,j] = tanh(exp(x[i,j]))", {1000.0}).specials(), "");
}

const char* const kBiasedSoftmax =
    "peak[i] = max(j: x[i,j] + scale * w[j])\n"
    "y[i,j] = exp(x[i,j] + scale * w[j] - peak[i]) / sum(k: exp(x[i,k] + scale * w[k] - peak[i]))";

TEST(SpecialOperations, SoftmaxOfAnInfiniteScoreMayBeNan) {
  EXPECT_TRUE(Element(kBiasedSoftmax, {kLargest, 1.0}, kLargest).accepts(kNanValue));
  EXPECT_TRUE(Element(kBiasedSoftmax, {kLargest, 1.0}, kLargest).accepts(1.0));
  // Scores may be multiplied by log2(e) first.
  EXPECT_TRUE(Element(kBiasedSoftmax, {kLargest, 1.0}, 0.0).accepts(kNanValue));
  EXPECT_FALSE(Element(kBiasedSoftmax, {0.6 * kLargest, 1.0}, 0.0).accepts(kNanValue));
}

// exp(100) / exp(100) in f32 is NaN: a kernel that does not subtract the largest score is wrong.
TEST(SpecialOperations, SoftmaxOfFiniteScoresIsFinite) {
  const Element softmax(kBiasedSoftmax, {100.0, -kInfinity});
  EXPECT_EQ(softmax.specials(), "");
  EXPECT_TRUE(softmax.accepts(1.0));
  EXPECT_EQ(Element(kBiasedSoftmax, {-1e38, 4.0, 3.0}).specials(), "");
}

TEST(SpecialOperations, LargestOfNanMayBeAnyTermOrTheStart) {
  const std::string largest = "y[i] = max(j: x[i,j])";
  EXPECT_EQ(Element(largest, {kNanValue}).specials(), "n-");
  const Element mixed(largest, {1.0, kNanValue, 3.0});
  EXPECT_EQ(mixed.specials(), "n");
  EXPECT_TRUE(mixed.accepts(3.0));
  EXPECT_FALSE(mixed.accepts(4.0));
  EXPECT_FALSE(mixed.accepts(0.0));
  EXPECT_EQ(Element("y[i] = min(j: x[i,j])", {kNanValue}).specials(), "n+");
  EXPECT_EQ(Element(largest, {kInfinity, 1.0, -kInfinity}).specials(), "+");
  EXPECT_EQ(Element("y[i] = max(j: x[i,j] * x[i,j])", {1e30, 1.0}).specials(), "+");
}

TEST(SpecialOperations, NarrowOutputsOverflowAsTheirConversion) {
  const std::string copy = "y[i,j] = x[i,j]";
  EXPECT_EQ(Element(copy, {70000.0}, 1.0, ScalarType::f16).specials(), "+");
  EXPECT_FALSE(Element(copy, {70000.0}, 1.0, ScalarType::f16).accepts(65504.0));
  EXPECT_EQ(Element(copy, {-kLargest}, 1.0, ScalarType::bf16).specials(), "-");
  const Element e4m3(copy, {1000.0}, 1.0, ScalarType::e4m3);
  EXPECT_EQ(e4m3.specials(), "n");
  EXPECT_TRUE(e4m3.accepts(448.0)) << "cvt saturates";
  EXPECT_FALSE(e4m3.accepts(416.0));
  const Element e5m2(copy, {-kInfinity}, 1.0, ScalarType::e5m2);
  EXPECT_EQ(e5m2.specials(), "-");
  EXPECT_TRUE(e5m2.accepts(-57344.0));
  EXPECT_EQ(Element(copy, {kNanValue}, 1.0, ScalarType::e5m2).specials(), "n");
  const Element converted("y[i,j] = as_e4m3(x[i,j]) + 1", {1000.0});
  EXPECT_EQ(converted.specials(), "n");
  EXPECT_TRUE(converted.accepts(449.0));
}

TEST(SpecialOperations, ZeroDivisorHasEitherSign) {
  EXPECT_EQ(Element("y[i,j] = 1 / x[i,j]", {-0.0}).specials(), "+-");
  EXPECT_EQ(Element("y[i,j] = x[i,j] / x[i,j]", {0.0}).specials(), "n");
}

}  // namespace
}  // namespace warpcheck::reference
