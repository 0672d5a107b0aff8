// Sums of a definition in every order and grouping of their terms, rounded after each addition.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "tests/reference/evaluate/problems.hpp"

namespace warpcheck::reference {
namespace {

using Values = std::vector<double>;

struct SumCase {
  std::string definition;
  /// The terms of y[0], with their signs, for a row x, w and scale. Each is one rounded product.
  std::function<Values(const Values& x, const Values& w, double scale)> terms;
  bool has_factor = false;
};

Values joined(std::initializer_list<Values> parts) {
  Values all;
  for (const Values& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Values times(double factor, Values values) {
  for (double& value : values) value *= factor;
  return values;
}

const std::vector<SumCase>& sum_cases() {
  static const std::vector<SumCase> kCases = {
      {"y[i] = x[i,0] + sum(j: w[j])",
       [](const Values& x, const Values& w, double) {
         return joined({{x[0]}, w});
       }},
      {"y[i] = sum(j: x[i,j]) + x[i,0]",
       [](const Values& x, const Values&, double) {
         return joined({x, {x[0]}});
       }},
      {"y[i] = sum(j: x[i,j]) - sum(j: w[j])",
       [](const Values& x, const Values& w, double) {
         return joined({x, times(-1.0, w)});
       }},
      {"y[i] = (x[i,0] + x[i,1]) + w[0]",
       [](const Values& x, const Values& w, double) {
         return Values{x[0], x[1], w[0]};
       }},
      {"y[i] = x[i,0] - (w[0] + w[1])",
       [](const Values& x, const Values& w, double) {
         return Values{x[0], -w[0], -w[1]};
       }},
      {"y[i] = (x[i,0] - w[1]) - (w[0] - x[i,1])",
       [](const Values& x, const Values& w, double) {
         return Values{x[0], -w[1], -w[0], x[1]};
       }},
      {"y[i] = -(x[i,0] - sum(j: w[j])) + x[i,1]",
       [](const Values& x, const Values& w, double) {
         return joined({{-x[0], x[1]}, w});
       }},
      {"total[i in rows] = sum(j: w[j])\ny[i] = x[i,0] + total[i]",
       [](const Values& x, const Values& w, double) {
         return joined({{x[0]}, w});
       }},
      {"half[i] = x[i,0] + x[i,1]\ny[i] = half[i] - w[0]",
       [](const Values& x, const Values& w, double) {
         return Values{x[0], x[1], -w[0]};
       }},
      {"y[i] = select(scale != 0, x[i,0] + x[i,1], 0) - w[0]",
       [](const Values& x, const Values& w, double) {
         return Values{x[0], x[1], -w[0]};
       }},
      {"y[i] = sum(j: x[i,j] + w[j])",
       [](const Values& x, const Values& w, double) {
         return joined({x, w});
       }},
      {"y[i] = x[i,0] + scale * sum(j: w[j])",
       [](const Values& x, const Values& w, double scale) {
         return joined({{x[0]}, times(scale, w)});
       },
       true},
      {"y[i] = x[i,0] - sum(j: scale * w[j]) + x[i,1]",
       [](const Values& x, const Values& w, double scale) {
         return joined({{x[0], x[1]}, times(-scale, w)});
       },
       true},
      {"y[i] = scale * sum(j: w[j])",
       [](const Values&, const Values& w, double scale) { return times(scale, w); }, true}};
  return kCases;
}

/// All values that the terms have in some order and grouping.
std::set<double> sums_in_every_order(ScalarType type, const Values& terms) {
  std::vector<std::set<double>> subset_sums(std::size_t{1} << terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) subset_sums[std::size_t{1} << i] = {terms[i]};
  bool is_nan = false;
  for (std::size_t subset = 1; subset < subset_sums.size(); ++subset) {
    for (std::size_t part = (subset - 1) & subset; part > subset - part;
         part = (part - 1) & subset) {
      for (const double one : subset_sums[part]) {
        for (const double other : subset_sums[subset - part]) {
          const double sum = round_to(type, one + other);
          if (std::isnan(sum)) is_nan = true;
          if (!std::isnan(sum)) subset_sums[subset].insert(sum);
        }
      }
    }
  }
  std::set<double> all = subset_sums.back();
  if (is_nan && all.empty()) all.insert(kInfinity);
  return all;
}

/// Lattice, normal, wide and cancelling numbers; with `is_large` some near the largest one.
double element(std::mt19937_64& random, ScalarType type, std::uint64_t kind) {
  std::normal_distribution<double> normal;
  const double largest = format(type).largest;
  switch (kind % 5) {
    case 0:
      return static_cast<double>(random() % 9) - 4.0;
    case 1:
      return round_to(type, normal(random));
    case 2:
      return round_to(type, std::ldexp(normal(random), static_cast<int>(random() % 20) - 10));
    case 3:
      return round_to(type, (random() % 2 == 0 ? 1.0 : -1.0) * (1.0 + 0.01 * normal(random)));
    default:
      return round_to(type, largest * (static_cast<double>(random() % 17) - 8.0) / 8.0);
  }
}

TensorProblem random_problem(const operation::Operation& operation, ScalarType type,
                             std::mt19937_64& random) {
  const std::uint64_t kind = random();
  const auto columns = static_cast<std::int64_t>(2 + random() % 2);
  const double scales[] = {1.0, 3.0, 0.5, round_to(type, 1.7), round_to(type, -0.3)};
  TensorProblem problem = problem_of(
      operation, 1, columns, [&] { return element(random, type, kind); }, scales[random() % 5]);
  problem.accumulate = type;
  for (const char* const name : {"x", "w", "y"}) problem.types[name] = type;
  return problem;
}

Values rounded(ScalarType type, Values terms) {
  for (double& term : terms) term = round_to(type, term);
  return terms;
}

std::string describe(const TensorProblem& problem) {
  std::string text =
      fmt::format("{}, scale {}", name(problem.accumulate), problem.scalars.at("scale"));
  for (const char* const input : {"x", "w"}) {
    text += fmt::format(", {}", input);
    for (const double value : problem.inputs.at(input).values) text += fmt::format(" {:a}", value);
  }
  return text;
}

class SumOfTypes : public testing::TestWithParam<ScalarType> {};

TEST_P(SumOfTypes, EveryOrderOfTheTermsIsWithinTheBound) {
  constexpr std::uint64_t kSeed = 20;
  for (const SumCase& one : sum_cases()) {
    SCOPED_TRACE(fmt::format("{}, seed {}", one.definition, kSeed));
    std::mt19937_64 random(kSeed);
    const operation::Operation operation = over_rows(one.definition, {"y", {"rows"}});
    bool is_right = true;
    for (int round = 0; round < 400 && is_right; ++round) {
      const TensorProblem problem = random_problem(operation, GetParam(), random);
      const ExpectedTensor expected = evaluate(problem).at("y");
      const double scale = problem.scalars.at("scale");
      const Values terms =
          one.terms(problem.inputs.at("x").values, problem.inputs.at("w").values, scale);
      for (const double got : sums_in_every_order(GetParam(), rounded(GetParam(), terms))) {
        is_right = expected.accepts(0, got);
        if (is_right) continue;
        ADD_FAILURE() << got << ", expected " << expected.value.values[0] << " +- "
                      << expected.tolerance[0] << ", " << describe(problem);
        break;
      }
    }
  }
}

/// The largest term of normal numbers, doubled or lost.
TEST_P(SumOfTypes, LostTermIsOutsideOfTheBound) {
  constexpr std::uint64_t kSeed = 21;
  for (const SumCase& one : sum_cases()) {
    SCOPED_TRACE(fmt::format("{}, seed {}", one.definition, kSeed));
    std::mt19937_64 random(kSeed);
    std::normal_distribution<double> normal;
    const operation::Operation operation = over_rows(one.definition, {"y", {"rows"}});
    for (int round = 0; round < 200; ++round) {
      TensorProblem problem = random_problem(operation, GetParam(), random);
      for (const char* const name : {"x", "w"}) {
        for (double& value : problem.inputs.at(name).values) {
          value = round_to(GetParam(), normal(random));
        }
      }
      const ExpectedTensor expected = evaluate(problem).at("y");
      const Values terms = one.terms(problem.inputs.at("x").values, problem.inputs.at("w").values,
                                     problem.scalars.at("scale"));
      double sum = 0.0;
      double lost = 0.0;
      for (const double term : terms) {
        sum += term;
        if (std::abs(term) > std::abs(lost)) lost = term;
      }
      EXPECT_FALSE(expected.accepts(0, round_to(GetParam(), sum - lost))) << describe(problem);
      EXPECT_FALSE(expected.accepts(0, round_to(GetParam(), sum + lost))) << describe(problem);
    }
  }
}

/// y[0] of a definition for one row x and w.
ExpectedTensor element_of(const std::string& definition, Values x, Values w,
                          ScalarType type = ScalarType::f32, const std::string& updates = "") {
  operation::Tensor y{"y", {"rows"}};
  y.updates = updates;
  const operation::Operation operation = over_rows(definition, y);
  const auto columns = static_cast<std::int64_t>(x.size());
  TensorProblem problem = problem_of(
      operation, 1, columns, [] { return 0.0; }, 1.7f);
  problem.inputs["x"].values = std::move(x);
  problem.inputs["w"].values = std::move(w);
  problem.accumulate = type;
  problem.types["y"] = type;
  return evaluate(problem).at("y");
}

TEST(EvaluateSums, SumAloneHasTheBoundOfItsTermsOnly) {
  constexpr double kUnit = 0x1p-24;
  const Values x = {1.0, 0x1p-30, -3.0};
  const ExpectedTensor sum = element_of("y[i] = sum(j: x[i,j])", x, x);
  EXPECT_NEAR(sum.tolerance[0], (4.0 * 4.0 + 2.0) * kUnit, 1e-3 * kUnit);
  const ExpectedTensor two = element_of("y[i] = x[i,0] + x[i,1]", x, x);
  EXPECT_NEAR(two.tolerance[0], 2.0 * kUnit, 1e-3 * kUnit);
}

TEST(EvaluateSums, OneRoundingForTwoTermsAndNoneOnALattice) {
  const Values x = {1.0, 2.0, -3.0};
  const Values w = {5.0, -7.0, 0.5};
  EXPECT_EQ(element_of("y[i] = x[i,0] + sum(j: w[j])", x, w).tolerance[0], 0.0);
  EXPECT_EQ(element_of("y[i] = x[i,0] - (w[0] + w[2])", x, w).tolerance[0], 0.0);
  EXPECT_EQ(element_of("y[i] = 3 * sum(j: w[j]) - x[i,1]", x, w).tolerance[0], 0.0);
  EXPECT_EQ(element_of("y[i] = sum(j: 3 * w[j]) / 4", x, w).tolerance[0], 0.0);
}

// 1.7f * 3 - 1.7f * 3 + 1.7f is another number than 1.7f.
TEST(EvaluateSums, FactorMayBeMultipliedBeforeAnExactSum) {
  const Values w = {3.0, 5.0, -7.0};
  const float scale = 1.7F;
  const float inside = scale * 3.0F + scale * 5.0F + scale * -7.0F;
  for (const char* const definition : {"y[i] = scale * sum(j: w[j])", "y[i] = sum(j: scale * w[j])",
                                       "y[i] = sum(j: w[j]) / (1 / scale)"}) {
    const ExpectedTensor expected = element_of(definition, w, w);
    EXPECT_TRUE(expected.accepts(0, static_cast<double>(inside))) << definition;
    EXPECT_TRUE(expected.accepts(0, static_cast<double>(scale))) << definition;
    EXPECT_FALSE(expected.accepts(0, static_cast<double>(scale) + 1e-4)) << definition;
  }
  EXPECT_TRUE(element_of("y[i] = sum(j: w[j]) / 3", {3.0, 5.0, -8.0}, {3.0, 5.0, -8.0})
                  .accepts(0, static_cast<double>(3.0F / 3.0F + 5.0F / 3.0F + -8.0F / 3.0F)));
}

TEST(EvaluateSums, AtomicAdditionsMayFlushSubnormalNumbers) {
  const Values tiny = {0x1p-130, 0x1.8p-129};
  const ExpectedTensor sum = element_of("y[i] = sum(j: x[i,j])", tiny, tiny);
  EXPECT_TRUE(sum.accepts(0, 0.0));
  EXPECT_FALSE(sum.accepts(0, 0x1p-120));
  EXPECT_EQ(element_of("y[i] = sum(j: x[i,j])", {0x1p-126, -0x1p-125}, tiny).tolerance[0], 0.0);
  EXPECT_EQ(
      element_of("y[i] = sum(j: x[i,j])", {0x1p-24, 0x1p-23}, tiny, ScalarType::f16).tolerance[0],
      0.0)
      << "atomic additions of f16 do not flush";
  EXPECT_FALSE(element_of("y[i] = x[i,0] + x[i,1]", tiny, tiny).accepts(0, 0.0));
  EXPECT_TRUE(
      element_of("y[i] = x[i,0] + x[i,1]", tiny, tiny, ScalarType::f32, "w").accepts(0, 0.0));
}

TEST(EvaluateSums, NumbersMayOverflowBeforeAnInfinity) {
  const double largest = format(ScalarType::f32).largest;
  const std::string definition = "y[i] = x[i,0] + sum(j: w[j])";
  const ExpectedTensor may = element_of(definition, {largest, 0.0}, {largest, -kInfinity});
  EXPECT_TRUE(may.accepts(0, -kInfinity));
  EXPECT_TRUE(may.accepts(0, kNanValue));
  EXPECT_FALSE(may.accepts(0, largest));
  EXPECT_FALSE(element_of(definition, {1.0, 0.0}, {largest, -kInfinity}).accepts(0, kNanValue));
}

INSTANTIATE_TEST_SUITE_P(EvaluateSums, SumOfTypes,
                         testing::Values(ScalarType::f32, ScalarType::f16, ScalarType::bf16),
                         [](const auto& type) { return std::string(name(type.param)); });

}  // namespace
}  // namespace warpcheck::reference
