#include <gtest/gtest.h>

#include <string>

#include "operation/extent.hpp"
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

TEST(OperationDefine, DimensionsHaveOneSpelling) {
  const auto text = [](std::string_view dimension) {
    const auto parsed = parse_dimension(dimension);
    return parsed ? print(*parsed) : "";
  };
  EXPECT_EQ(text("2*height+1"), "2 * height + 1");
  EXPECT_EQ(text("height * 2 + 1 - 1"), "2 * height");
  EXPECT_EQ(text("length - taps + 1"), "length - taps + 1");
  EXPECT_EQ(text("rows + rows"), "2 * rows");
  EXPECT_EQ(text("rows * heads*2 - heads * rows"), "heads * rows");
  EXPECT_EQ(text("(rows + 1) * (columns - 1)"), "columns * rows - rows + columns - 1");
  EXPECT_EQ(text("(h+2*pad-taps)//step+1"), "(h + 2 * pad - taps) / step + 1");
  EXPECT_EQ(text("rows * (columns / 2) * 3"), "3 * (columns / 2) * rows");
  EXPECT_EQ(text("ceil_div(n,256) * 2 + ceil_div(n , 256)"), "3 * ceil_div(n, 256)");
  EXPECT_EQ(text("min(a,b) / max(1, a-b)"), "min(a, b) / max(1, a - b)");
  for (const char* const wrong : {"", "2 *", "height width", "1.5", "n / 0", "ceil_div(n)", "(n",
                                  "ceil_div(n, 0)", "sqrt(n, 2)", "n % 2", "n)"}) {
    EXPECT_EQ(text(wrong), "") << wrong;
  }
}

TEST(OperationDefine, DimensionsHaveTheValuesOfExpressions) {
  const auto value = [](std::string_view dimension) {
    return extent_value(dimension, [](std::string_view name) { return name == "rows" ? 5 : 3; });
  };
  EXPECT_EQ(value("rows"), 5);
  EXPECT_EQ(value("2 * rows - columns + 7"), 14);
  EXPECT_EQ(value("columns - rows"), 0);
  EXPECT_EQ(value("rows * columns"), 15);
  EXPECT_EQ(value("(columns - rows) / 3 + 1"), 1);  // rounds towards zero
  EXPECT_EQ(value("ceil_div(rows, columns)"), 2);
  EXPECT_EQ(value("rows * (rows / columns)"), 5);
  EXPECT_EQ(value("min(rows, columns) + max(rows, columns) * 10"), 53);
  EXPECT_EQ(value("rows / (columns - 3)"), 0);
  EXPECT_EQ(extent_value("n * n * n", [](std::string_view) { return std::int64_t{1} << 40; }),
            std::int64_t{1} << 62);
}

TEST(OperationDefine, ADimensionIsAtMostAnotherForAllExtents) {
  EXPECT_TRUE(is_at_most("rows * columns", "rows * columns + rows"));
  EXPECT_FALSE(is_at_most("rows", "rows * columns"));
  EXPECT_FALSE(is_at_most("0 * rows", "(rows - columns) / 2"));  // it may be negative
  EXPECT_TRUE(is_at_most("rows / 2", "rows / 2 + 1"));
  EXPECT_TRUE(depends_on("ceil_div(rows + 1, 2)", "rows"));
}

TEST(OperationDefine, IndicesRunOverSumsOfExtents) {
  const Operation operation =
      over_rows("z[k in rows * 2 + 1] = k\ny[i,j] = sum(k: z[k]) + z[2 * i]");
  EXPECT_EQ(operation.statements[0].tensor.shape, std::vector<std::string>{"2 * rows + 1"});
  EXPECT_EQ(print(operation),
            "z[k in 2 * rows + 1] = k\n"
            "y[i,j] = sum(k in 2 * rows + 1: z[k]) + z[2 * i]\n");
  EXPECT_EQ(print(over_rows(print(operation))), print(operation));
  EXPECT_EQ(error_of("z[k in rows + 1] = k\ny[i,j] = z[i] + z[i + 1]"), "");
  EXPECT_EQ(error_of("z[k in rows - 1] = k\ny[i,j] = z[i]"),
            "8:12: index 'i' runs over 'rows', but dimension 1 of 'z' is 'rows - 1'");
  EXPECT_EQ(error_of("y[i,j] = sum(k in rowz + 1: k)"), "7:12: unknown extent 'rowz'");
  EXPECT_EQ(error_of("y[i,j] = sum(k in rows / 0: k)"),
            "7:21: 'rows / 0' is no extent: expected a name, an integer of at least 1, or what "
            "follows from them, such as 2 * height + 1 or ceil_div(n, 4)");
  const Operation halves =
      over_rows("y[i,j] = sum(k in ceil_div(rows, 2), l in rows//2: x[2 * k, j] + l)");
  EXPECT_EQ(print(halves),
            "y[i,j] = sum(k in ceil_div(rows, 2), l in rows / 2: x[2 * k, j] + l)\n");
  EXPECT_EQ(print(over_rows(print(halves))), print(halves));
}

TEST(OperationDefine, PiIsANumberUnlessItIsAnotherName) {
  const Operation operation = over_rows("y[i,j] = pi * x[i,j]");
  EXPECT_EQ(print(operation), "y[i,j] = 3.141592653589793 * x[i, j]\n");
  EXPECT_EQ(print(over_rows("y[i,j] = sum(pi: x[pi,j])")), "y[i,j] = sum(pi in rows: x[pi, j])\n");
  EXPECT_EQ(error_of("y[i,j] = x[pi, j]"), "7:14: a number where an integer is expected");
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

TEST(OperationDefine, ErrorsNameTheSpellingOfTheLanguage) {
  EXPECT_EQ(error_of("y[i,j] = x[i, j / 2]"),
            "7:17: a number where an integer is expected; '//' divides integers");
  EXPECT_EQ(error_of("y[i,j] = x[i,j]^2"),
            "7:18: unexpected '^' where the name of a tensor is expected; write pow(x, y)");
  EXPECT_EQ(error_of("y[i,j] = x[i,j]**2"),
            "7:19: unexpected '*' where a number, a name or '(' is expected; write pow(x, y)");
  EXPECT_EQ(error_of("y[i,j] = x[i,j] > 0 ? x[i,j] : 0"),
            "7:23: unexpected '?' where the name of a tensor is expected; write "
            "select(condition, x, y)");
  EXPECT_EQ(error_of("y[i,j] = 2 * (x[i,j] > 0 ? x[i,j] : 0)"),
            "7:28: unexpected '?' where ')' is expected; write select(condition, x, y)");
  EXPECT_EQ(error_of("y[i,j] = x[i,j] if x[i,j] > 0 else 0"),
            "7:19: unexpected 'if' where the end of the statement is expected; write "
            "select(condition, x, y)");
  EXPECT_EQ(error_of("y[i,j] = max(x[i,j] if x[i,j] > 0 else 0, 1)"),
            "7:23: unexpected 'if' where ')' is expected; write select(condition, x, y)");
  EXPECT_EQ(error_of("y[i,j] = argmax(x[i,j])"),
            "7:20: unexpected '[' where ':' is expected, as in argmax(k: x[k])");
  EXPECT_EQ(error_of("z[k] = 2 * k\ny[i,j] = z[i]"),
            "7:3: the extent of index 'k' is unknown: write 'k in EXTENT'");
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
