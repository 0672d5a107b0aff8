#include "proof/poly/terms.hpp"

#include <gtest/gtest.h>

#include "proof/poly/substitution.hpp"
#include "proof/solve/solver.hpp"

namespace warpcheck::proof {
namespace {

class TermsTest : public testing::Test {
 protected:
  Polynomial number(const char* name, std::int64_t least, std::int64_t most) {
    return terms.unknown(name, Level::thread, {least, most});
  }

  Terms terms;
};

TEST_F(TermsTest, DivisionOfAMultipleIsExact) {
  const Polynomial x = number("x", 0, 100);
  EXPECT_EQ(terms.floor_div(Polynomial(8) * x + 5, 8), x);
  EXPECT_EQ(terms.floor_div(Polynomial(8) * x - 1, 8), x - 1);
}

TEST_F(TermsTest, DivisionOfADivisionHasTheProductOfTheDivisors) {
  const Polynomial x = number("x", -100, 100);
  EXPECT_EQ(terms.floor_div(terms.floor_div(x, 4) + 3, 8), terms.floor_div(x + 12, 32));
}

TEST_F(TermsTest, DivisionOfASmallRangeIsANumber) {
  EXPECT_EQ(terms.floor_div(number("x", 32, 63), 32), Polynomial(1));
}

TEST_F(TermsTest, FormulasOutsideOfTheRangeAreDecided) {
  const Polynomial x = number("x", 0, 31);
  EXPECT_EQ(terms.less(x, 32), kTrue);
  EXPECT_EQ(terms.less(x, 0), kFalse);
  EXPECT_EQ(terms.equal(x, 32), kFalse);
  EXPECT_NE(terms.less(x, 31), kTrue);
}

TEST_F(TermsTest, ConjunctionWithItsNegationIsFalse) {
  const Formula small = terms.less(number("x", 0, 31), 7);
  EXPECT_EQ(terms.all({small, terms.negate(small)}), kFalse);
  EXPECT_EQ(terms.any({small, terms.negate(small)}), kTrue);
  EXPECT_EQ(terms.negate(terms.negate(small)), small);
}

TEST_F(TermsTest, SubstitutionReachesIntoDefinitions) {
  const Polynomial x = number("x", 0, 1000);
  const Polynomial y = number("y", 0, 1000);
  Substitution substitution(terms, {{x.symbols().front(), Polynomial(32) * y}});
  EXPECT_EQ(substitution(terms.floor_div(x + 7, 16)), Polynomial(2) * y);
}

TEST_F(TermsTest, RemainderIsADigit) {
  const Polynomial x = number("x", 0, 1'000'000);
  const Polynomial t = number("t", 0, 1'000'000);
  const Polynomial u = number("u", 0, 1'000'000);
  EXPECT_TRUE(terms.range(terms.remainder(x, 7)).is_within(0, 6));
  const Polynomial digit = terms.remainder(terms.floor_div(x, 1024), 4);
  EXPECT_TRUE(terms.range(digit).is_within(0, 3));
  const Formula both = terms.equal(digit + Polynomial(4) * t, Polynomial(4) * u + 1);
  EXPECT_EQ(both, terms.all({terms.equal(digit, 1), terms.equal(t, u)}));
}

TEST_F(TermsTest, SecondExecutionSharesLowerLevels) {
  const Polynomial block = terms.unknown("block", Level::block, {0, 9});
  const Polynomial thread = number("thread", 0, 9);
  SecondExecution second(terms, Level::block);
  EXPECT_EQ(second(block), block);
  EXPECT_NE(second(thread), thread);
  EXPECT_EQ(second(thread), second(thread));
}

TEST_F(TermsTest, CoefficientsBeyond64BitsAreNotCovered) {
  const Polynomial x = number("x", 0, 9);
  const Polynomial large = Polynomial(std::int64_t{1} << 62) * x;
  EXPECT_THROW((void)(large + large), Unsupported);
}

TEST_F(TermsTest, SolverDecidesDivisions) {
  if (!Solver::is_available()) GTEST_SKIP() << "the build has no solver";
  const Polynomial x = number("x", 0, 1000);
  Solver solver(terms);
  const Polynomial rest = terms.remainder(x, 7);
  EXPECT_TRUE(solver.implies({}, terms.less(rest, 7)));
  EXPECT_FALSE(solver.implies({}, terms.less(rest, 6)));
  EXPECT_TRUE(solver.implies({terms.equal(rest, 6), terms.less(x, 13)}, terms.equal(x, 6)));
}

TEST_F(TermsTest, QueriesOfAPartHaveALimitOfWork) {
  if (!Solver::is_available()) GTEST_SKIP() << "the build has no solver";
  const Polynomial x = number("x", 0, 1000);
  Solver solver(terms, "", 1);
  const Formula formula = terms.equal(terms.remainder(x, 7), 6);
  EXPECT_EQ(solver.check({formula}), Satisfiability::possible);
  EXPECT_THROW((void)solver.check({formula}), Unsupported);
  solver.begin_part();
  EXPECT_EQ(solver.check({formula}), Satisfiability::possible);
}

TEST_F(TermsTest, ModelHasExactProducts) {
  if (!Solver::is_available()) GTEST_SKIP() << "the build has no solver";
  const Polynomial x = number("x", 2, 20);
  const Polynomial y = number("y", 2, 20);
  Solver solver(terms);
  const Solver::Search found = solver.find({terms.equal(x * y, 35)});
  ASSERT_EQ(found.result, Satisfiability::possible);
  EXPECT_EQ(found.model.at(x.symbols().front()) * found.model.at(y.symbols().front()), 35);
}

}  // namespace
}  // namespace warpcheck::proof
