#include <gtest/gtest.h>

#include <string>

#include "tests/operation/example.hpp"

namespace warpcheck::operation {
namespace {

/// The first error as "line:column: message"; empty: none.
std::string error_of(const std::string& definition,
                     const Tensor& output = {"y", {"rows", "columns"}}) {
  try {
    (void)over_rows(definition, output);
  } catch (const InputError& error) {
    const Diagnostic& first = error.diagnostics().front();
    return std::to_string(first.where.line) + ":" + std::to_string(first.where.column) + ": " +
           first.message;
  }
  return "";
}

TEST(OperationDefine, InfersExtentsOfIndices) {
  const Operation softmax = over_rows(kSoftmax);
  ASSERT_EQ(softmax.statements.size(), 3U);
  EXPECT_EQ(softmax.statements[0].tensor.shape, std::vector<std::string>{"rows"});
  EXPECT_EQ(softmax.statements[0].value.extents, std::vector<std::string>{"columns"});
  EXPECT_FALSE(softmax.statements[0].tensor.integer);
}

TEST(OperationDefine, StatedExtentsAreThoseOfTheTensor) {
  const Operation operation = over_rows("c[k in 3] = 2 * k\ny[i in rows, j] = x[i,j] * c[1]");
  EXPECT_EQ(operation.statements[0].tensor.shape, std::vector<std::string>{"3"});
  EXPECT_EQ(error_of("c[k] = 2 * k\ny[i,j] = c[j]"),
            "7:3: the extent of index 'k' is unknown: write 'k in EXTENT'");
  EXPECT_EQ(error_of("c[k in ros] = 2 * k\ny[i,j] = c[j]"), "7:3: unknown extent 'ros'");
  EXPECT_EQ(error_of("y[i in columns, j] = x[i,j]"),
            "7:3: index 'i' is stated to run over 'columns', but dimension 1 of 'y' is 'rows'");
}

TEST(OperationDefine, ArgmaxIsAnInteger) {
  const Operation operation = over_rows("y[i] = argmax(j: x[i,j])", {"y", {"rows"}, true});
  EXPECT_EQ(operation.statements[0].value.type, Type::integer);
}

TEST(OperationDefine, SyntaxErrorsAreLocated) {
  EXPECT_EQ(error_of(""), "7:3: empty definition");
  EXPECT_EQ(error_of("y[i,j] = x[i,j] *"),
            "7:20: the definition ends where a number, a name or '(' is expected");
  EXPECT_EQ(error_of("y[i,j] =\n  x[i,j] & 2"),
            "8:10: unexpected '&' where the name of a tensor is expected");
  EXPECT_EQ(error_of("y[i,j] = exp(x[i,j], 2)"), "7:12: 'exp' takes 1 argument, 2 found");
  EXPECT_EQ(error_of("y[i,j] = epx(x[i,j])"), "7:12: unknown function 'epx': did you mean 'exp'?");
  EXPECT_EQ(error_of("y[i,j] = as_f15(x[i,j])"), "7:12: unknown type 'f15' of a conversion");
  EXPECT_EQ(error_of("y[i,j] = 1.2.3"), "7:12: '1.2.3' is not a number");
  EXPECT_EQ(error_of("y[i,j] = argmax(i, j: x[i,j])"), "7:12: 'argmax' takes one index, 2 found");
  EXPECT_EQ(error_of("y[i,j] = select(0 < i < 2, 1, 0)"),
            "7:25: comparisons do not chain; join two of them with 'and'");
}

TEST(OperationDefine, DeepNestingIsAnError) {
  EXPECT_NE(error_of("y[i,j] = " + std::string(5000, '(')).find("more than 100"),
            std::string::npos);
  EXPECT_NE(error_of("y[i,j] = " + std::string(5000, '-')).find("more than 100"),
            std::string::npos);
  std::string sum = "y[i,j] = 1";
  for (int i = 0; i < 5000; ++i) sum += " + 1";
  EXPECT_NE(error_of(sum).find("more than 100"), std::string::npos);
}

TEST(OperationDefine, NamesRanksAndTypesAreChecked) {
  EXPECT_EQ(error_of("y[i,j] = z[i,j]"), "7:12: unknown tensor 'z': expected one of at, w, x");
  EXPECT_EQ(error_of("y[i,j] = x[i]"), "7:12: 'x' has 2 dimensions, 1 index found");
  EXPECT_EQ(error_of("y[i,j] = x[j,i]"),
            "7:14: index 'j' runs over 'columns', but dimension 1 of 'x' is 'rows'");
  EXPECT_EQ(error_of("y[i,j] = x[i,j] < 1"),
            "7:12: a condition is not a value of a tensor; write select(condition, 1, 0)");
  EXPECT_EQ(error_of("y[i,j] = sum(k: x[i,k] where k)"),
            "7:32: an integer where a condition is expected");
  EXPECT_EQ(error_of("y[i,j] = x[i, scale]"), "7:17: a number where an integer is expected");
  EXPECT_EQ(error_of("y[i,j] = x[at[i], j // 2]"), "");
  EXPECT_EQ(error_of("y[i,j] = sum(k: scale)"),
            "7:12: the extent of index 'k' is unknown: write 'k in EXTENT'");
  EXPECT_EQ(error_of("y[i,j] = sum(k in columns: scale)"), "");
  EXPECT_EQ(error_of("y[i,j] = 1\ny[i,j] = 2"), "8:1: 'y' is already defined");
  EXPECT_EQ(error_of("t[i] = w[i]"), "7:14: output 'y' is not defined");
}

TEST(OperationDefine, GuardedReadsMayLeaveATensor) {
  EXPECT_EQ(error_of("y[i,j] = (x[i, j - 1] or 0) + w[j]"), "");
  EXPECT_EQ(error_of("y[i,j] = w[i]"),
            "7:14: index 'i' runs over 'rows', but dimension 1 of 'w' is 'columns'");
  EXPECT_EQ(error_of("y[i,j] = w[i] or 0"), "");
}

TEST(OperationDefine, RecurrencesReadEarlierElements) {
  EXPECT_EQ(error_of("y[i,j] = scan(j: (y[i, j - 1] or 0) * w[j] + x[i,j])"), "");
  EXPECT_EQ(error_of("y[i,j] = scan(j: (y[i, j] or 0) + x[i,j])"),
            "7:26: a recurrence reads 'y' at 'j - 1'");
  EXPECT_EQ(error_of("y[i,j] = y[i,j]").substr(0, 24), "7:12: unknown tensor 'y'");
}

}  // namespace
}  // namespace warpcheck::operation
