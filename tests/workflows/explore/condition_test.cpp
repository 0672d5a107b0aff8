#include <gmock/gmock.h>

#include "tests/workflows/explore/domains.hpp"
#include "workflows/explore/vocabulary.hpp"

namespace warpcheck::workflows::explore {
namespace {

using ::testing::ElementsAre;
using Kind = Condition::Kind;
using campaign::Case;

std::size_t place_of(const std::vector<Quantity>& all, std::string_view name, Quantity::Kind kind) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name && all[i].kind == kind) return i;
  }
  ADD_FAILURE() << "no quantity " << name;
  return 0;
}

class ConditionTest : public ::testing::Test {
 protected:
  const std::vector<Quantity> all_ = campaign::conditions::quantities(testing::full_contract());
  const std::size_t m_ = place_of(all_, "m", Quantity::Kind::extent);
  const std::size_t k_ = place_of(all_, "k", Quantity::Kind::extent);
  const std::size_t lda_ = place_of(all_, "lda", Quantity::Kind::stride);
  const std::size_t b_ = place_of(all_, "b", Quantity::Kind::offset);
  const std::size_t alpha_ = place_of(all_, "alpha", Quantity::Kind::factor);
};

TEST_F(ConditionTest, QuantitiesAreThoseThatTheKernelTakes) {
  std::vector<std::string> names;
  for (const Quantity& quantity : all_) names.push_back(quantity.name);
  EXPECT_THAT(names,
              ElementsAre("m", "n", "k", "lda", "ldb", "ldc", "a", "b", "c", "alpha", "beta"));
}

TEST_F(ConditionTest, TextIsAnExpressionOfTheContract) {
  EXPECT_EQ(to_text(Condition{Kind::congruent, k_, k_, 8, 0, 0.0}, all_), "k % 8 == 0");
  EXPECT_EQ(to_text(Condition{Kind::congruent, b_, b_, 4, 0, 0.0}, all_), "aligned(b, 16)");
  EXPECT_EQ(to_text(Condition{Kind::at_least, k_, k_, 1, 0, 4.0}, all_), "k >= 4");
  EXPECT_EQ(to_text(Condition{Kind::at_most, k_, k_, 1, 0, 256.0}, all_), "k <= 256");
  EXPECT_EQ(to_text(Condition{Kind::same, lda_, k_, 1, 0, 0.0}, all_), "lda == k");
  EXPECT_EQ(to_text(Condition{Kind::at_most_other, m_, k_, 1, 0, 0.0}, all_), "m <= k");
  EXPECT_EQ(to_text(Condition{Kind::equals, alpha_, alpha_, 1, 0, 1.0}, all_), "alpha == 1");
  EXPECT_EQ(to_text(Conjunction{}, all_), "true");
}

TEST_F(ConditionTest, HoldsWhereTheContractsExpressionHolds) {
  const std::vector<Condition> conditions = {
      {Kind::congruent, k_, k_, 8, 3, 0.0},     {Kind::congruent, b_, b_, 4, 0, 0.0},
      {Kind::at_least, m_, m_, 1, 0, 9.0},      {Kind::at_most, m_, m_, 1, 0, 9.0},
      {Kind::same, lda_, k_, 1, 0, 0.0},        {Kind::at_most_other, m_, k_, 1, 0, 0.0},
      {Kind::equals, alpha_, alpha_, 1, 0, 1.0}};
  const contract::Contract& contract = testing::full_contract();
  const testing::RandomDomain domain(5);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Case problem = domain.sample(seed);
    problem.set_value("m", 1 + static_cast<std::int64_t>(seed % 20));
    for (const Condition& condition : conditions) {
      const std::string text = to_text(condition, all_);
      EXPECT_EQ(condition.holds(values_of(contract, problem, all_)),
                testing::holds_all(contract, {text}, problem))
          << text << " for " << to_line(problem);
    }
  }
}

TEST_F(ConditionTest, NearestNegationOfACongruenceKeepsItsDivisors) {
  const Condition multiple_of_16{Kind::congruent, k_, k_, 16, 0, 0.0};
  EXPECT_EQ(to_text(negations(multiple_of_16, all_).front(), all_), "k % 16 == 8");
  const Condition odd_tiles{Kind::congruent, k_, k_, 32, 16, 0.0};
  EXPECT_EQ(to_text(negations(odd_tiles, all_).front(), all_), "k % 32 == 0");
}

TEST_F(ConditionTest, NegationsExcludeTheCondition) {
  const contract::Contract& contract = testing::full_contract();
  for (const Condition& condition :
       {Condition{Kind::congruent, k_, k_, 12, 5, 0.0},
        Condition{Kind::at_least, k_, k_, 1, 0, 4.0},
        Condition{Kind::at_most_other, m_, k_, 1, 0, 0.0}, Condition{Kind::same, m_, k_, 1, 0, 0.0},
        Condition{Kind::differs, alpha_, alpha_, 1, 0, 0.0}}) {
    for (const Condition& negation : negations(condition, all_)) {
      for (std::int64_t size = 0; size < 40; ++size) {
        Case problem;
        problem.set_value("m", size);
        problem.set_value("k", 40 - size);
        const auto values = values_of(contract, problem, all_);
        EXPECT_FALSE(condition.holds(values) && negation.holds(values))
            << to_text(condition, all_) << " and " << to_text(negation, all_);
      }
    }
  }
}

}  // namespace
}  // namespace warpcheck::workflows::explore
