#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

#include "tests/operation/example.hpp"

namespace warpcheck::operation {
namespace {

TEST(OperationPrint, SoftmaxKeepsItsText) {
  EXPECT_EQ(print(over_rows(kSoftmax)),
            "peak[i] = max(j in columns: scale * x[i, j])\n"
            "total[i] = sum(j in columns: exp(scale * x[i, j] - peak[i]))\n"
            "y[i,j] = exp(scale * x[i, j] - peak[i]) / total[i]\n");
}

TEST(OperationPrint, UsesTheFewestParentheses) {
  const auto printed = [](const std::string& value) {
    return print(over_rows("y[i,j] = " + value).statements.front().value);
  };
  EXPECT_EQ(printed("(x[i,j] * 2) - (3 - (-w[j]))"), "x[i, j] * 2 - (3 - -w[j])");
  EXPECT_EQ(printed("select((not (i < j)) and (i == 0 or j > 1), 1.0, 2.5)"),
            "select(not i < j and (i == 0 or j > 1), 1.0, 2.5)");
  EXPECT_EQ(printed("(x[i, j-1] or -infinity) + (w[j+1] or 0)"),
            "x[i, j - 1] or -infinity + w[j + 1] or 0.0");
}

TEST(OperationPrint, ExtentsThatAreNumbersKeepTheirText) {
  const auto printed = [](const std::string& value) {
    return print(over_rows("y[i,j] = " + value).statements.front().value);
  };
  EXPECT_EQ(printed("sum(k in 3, l in rows: k * x[l,j])"), "sum(k in 3, l in rows: k * x[l, j])");
  EXPECT_EQ(print(over_rows("c[k in 3] = sum(j: w[j]) * k\ny[i,j] = c[j % 3]")),
            "c[k in 3] = sum(j in columns: w[j]) * k\ny[i,j] = c[j % 3]\n");
  EXPECT_THROW((void)printed("sum(k in 0: x[i,j])"), InputError);
  EXPECT_THROW((void)printed("sum(k in 1.5: x[i,j])"), InputError);
}

/// A random expression of numbers over the tensors of over_rows().
std::string random_number(std::mt19937_64& random, int depth) {
  static constexpr std::array<const char*, 6> kLeaves = {"x[i,j]", "scale", "w[j]",
                                                         "7",      "0.125", "(x[i,j-1] or 0)"};
  if (depth == 0) return kLeaves[random() % kLeaves.size()];
  const std::string x = random_number(random, depth - 1);
  const std::string y = random_number(random, depth - 1);
  switch (random() % 9) {
    case 0:
      return "(" + x + ") + (" + y + ")";
    case 1:
      return "(" + x + ") - (" + y + ")";
    case 2:
      return "(" + x + ") * (" + y + ")";
    case 3:
      return "(" + x + ") / (" + y + ")";
    case 4:
      return "-(" + x + ")";
    case 5:
      return "max(" + x + ", " + y + ")";
    case 6:
      return "select(not (" + x + ") < (" + y + ") or i == j and j != 3, " + x + ", 0)";
    case 7:
      return "as_f16(exp(" + x + "))";
    default:
      return "sum(k" + std::to_string(depth) + " in rows: " + x + " where i <= " + "k" +
             std::to_string(depth) + ")";
  }
}

TEST(OperationPrint, ParsingThePrintedTextGivesTheSameTree) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    const Operation first = over_rows("y[i,j] = " + random_number(random, 4));
    const std::string text = print(first);
    const Operation second = over_rows(text);
    ASSERT_TRUE(equal(first.statements[0].value, second.statements[0].value)) << text;
    ASSERT_EQ(print(second), text);
  }
}

}  // namespace
}  // namespace warpcheck::operation
