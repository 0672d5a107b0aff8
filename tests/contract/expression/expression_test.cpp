#include "contract/expression/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace warpcheck::contract {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Value = std::optional<std::int64_t>;

Expression parse_expression(std::string_view text) {
  return Expression::parse(text, {"expression", 1, 1});
}

/// Evaluates with m = 65, n = 33, k = 17; a is 16 bytes and b 4 bytes past a 256-byte boundary.
Value evaluated(std::string_view text) {
  Bindings bindings;
  bindings.value = [](std::string_view name) -> Value {
    if (name == "m") return 65;
    if (name == "n") return 33;
    if (name == "k") return 17;
    return std::nullopt;
  };
  bindings.address = [](std::string_view buffer) -> Value {
    if (buffer == "a") return 16;
    if (buffer == "b") return 4;
    return std::nullopt;
  };
  return parse_expression(text).evaluate(bindings);
}

std::string syntax_error(std::string_view text) {
  try {
    (void)parse_expression(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Expression, ProductsBindTighterThanSums) {
  EXPECT_EQ(evaluated("2 + 3 * 4"), 14);
  EXPECT_EQ(evaluated("(2 + 3) * 4"), 20);
  EXPECT_EQ(evaluated("20 - 6 / 2"), 17);
}

TEST(Expression, EqualOperatorsGroupFromTheLeft) {
  EXPECT_EQ(evaluated("10 - 4 - 3"), 3);
  EXPECT_EQ(evaluated("100 / 5 / 2"), 10);
  EXPECT_EQ(evaluated("100 % 7 * 3"), 6);
}

TEST(Expression, DivisionAndRemainderRoundTowardsZero) {
  EXPECT_EQ(evaluated("-7 / 2"), -3);
  EXPECT_EQ(evaluated("-7 % 2"), -1);
  EXPECT_EQ(evaluated("7 / -2"), -3);
  EXPECT_EQ(evaluated("7 % -2"), 1);
}

TEST(Expression, CeilDivRoundsUp) {
  EXPECT_EQ(evaluated("ceil_div(m, 32)"), 3);
  EXPECT_EQ(evaluated("ceil_div(64, 32)"), 2);
  EXPECT_EQ(evaluated("ceil_div(0, 32)"), 0);
  EXPECT_EQ(evaluated("ceil_div(-7, 2)"), -3);
  EXPECT_EQ(evaluated("ceil_div(7, -2)"), -3);
  EXPECT_EQ(evaluated("ceil_div(-7, -2)"), 4);
}

TEST(Expression, MinAndMax) {
  EXPECT_EQ(evaluated("min(m, n)"), 33);
  EXPECT_EQ(evaluated("max(m, n)"), 65);
}

TEST(Expression, ComparisonsAndLogicGiveZeroOrOne) {
  EXPECT_EQ(evaluated("m > n"), 1);
  EXPECT_EQ(evaluated("m <= n"), 0);
  EXPECT_EQ(evaluated("m == 65"), 1);
  EXPECT_EQ(evaluated("m != 65"), 0);
  EXPECT_EQ(evaluated("m >= 65"), 1);
  EXPECT_EQ(evaluated("m < 65"), 0);
  EXPECT_EQ(evaluated("5 and 7"), 1);
  EXPECT_EQ(evaluated("0 or 7"), 1);
  EXPECT_EQ(evaluated("not 7"), 0);
}

TEST(Expression, AndBindsTighterThanOr) {
  EXPECT_EQ(evaluated("1 or 1 and 0"), 1);
  EXPECT_EQ(evaluated("(1 or 1) and 0"), 0);
}

TEST(Expression, NotBindsLooserThanComparisonAndTighterThanAnd) {
  EXPECT_EQ(evaluated("not 2 == 0"), 1);
  EXPECT_EQ(evaluated("not 0 and 0"), 0);
}

TEST(Expression, LogicEvaluatesOnlyWhatDecides) {
  EXPECT_EQ(evaluated("0 and 1 / 0"), 0);
  EXPECT_EQ(evaluated("1 or 1 / 0"), 1);
  EXPECT_EQ(evaluated("1 and 1 / 0"), std::nullopt);
  EXPECT_EQ(evaluated("0 or 1 / 0"), std::nullopt);
}

TEST(Expression, AlignedDependsOnTheAddress) {
  EXPECT_EQ(evaluated("aligned(a, 16)"), 1);
  EXPECT_EQ(evaluated("aligned(a, 32)"), 0);
  EXPECT_EQ(evaluated("aligned(b, 4)"), 1);
  EXPECT_EQ(evaluated("aligned(b, 16)"), 0);
  EXPECT_EQ(evaluated("aligned(c, 4)"), std::nullopt);
}

TEST(Expression, DivisionByZeroHasNoValue) {
  EXPECT_EQ(evaluated("m / 0"), std::nullopt);
  EXPECT_EQ(evaluated("m % 0"), std::nullopt);
  EXPECT_EQ(evaluated("ceil_div(m, 0)"), std::nullopt);
}

TEST(Expression, ValueBeyond64BitsIsNone) {
  EXPECT_EQ(evaluated("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(evaluated("9223372036854775807 + 1"), std::nullopt);
  EXPECT_EQ(evaluated("-9223372036854775807 - 1"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(evaluated("-9223372036854775807 - 2"), std::nullopt);
  EXPECT_EQ(evaluated("4294967296 * 2147483648"), std::nullopt);
  EXPECT_EQ(evaluated("(-9223372036854775807 - 1) / -1"), std::nullopt);
  EXPECT_EQ(evaluated("ceil_div(-9223372036854775807 - 1, -1)"), std::nullopt);
  EXPECT_EQ(evaluated("-(-9223372036854775807 - 1)"), std::nullopt);
  EXPECT_EQ(evaluated("(-9223372036854775807 - 1) % -1"), 0);
}

TEST(Expression, UnboundNameHasNoValue) {
  EXPECT_EQ(evaluated("lda"), std::nullopt);
  EXPECT_EQ(parse_expression("m").evaluate({}), std::nullopt);
  EXPECT_EQ(Expression().evaluate({}), std::nullopt);
}

TEST(Expression, NamesAreThoseThatTheValueDependsOn) {
  EXPECT_THAT(parse_expression("m % 4 == 0 and aligned(a, 16) and min(lda, m) > 3").names(),
              ElementsAre("aligned:a", "lda", "m"));
  EXPECT_TRUE(parse_expression("4 * 4").is_constant());
  EXPECT_FALSE(parse_expression("aligned(a, 4)").is_constant());
}

TEST(Expression, LiteralsAreItsNumbers) {
  EXPECT_THAT(parse_expression("ceil_div(n, 32) * 8 + 32").literals(), ElementsAre(8, 32));
}

std::vector<std::string> texts_of(const std::vector<Expression>& expressions) {
  std::vector<std::string> texts;
  for (const Expression& expression : expressions) texts.push_back(expression.text());
  return texts;
}

TEST(Expression, ConjunctsAreTheSidesOfAnd) {
  EXPECT_THAT(
      texts_of(parse_expression("k % 24 == 0 and (k >= 48 and m == n) and (m or n)").conjuncts()),
      ElementsAre("k % 24 == 0", "k >= 48", "m == n", "(m or n)"));
  EXPECT_THAT(texts_of(parse_expression("m or n and k").conjuncts()), ElementsAre("m or n and k"));
}

TEST(Expression, ConjunctsHaveTheirPlaces) {
  const Expression whole = Expression::parse("m == n and\n k % 4 == 0 and n > 2", {"x.toml", 7, 5});
  const auto parts = whole.conjuncts();
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].where(), (Location{"x.toml", 7, 5}));
  EXPECT_EQ(parts[1].where(), (Location{"x.toml", 8, 2}));
  EXPECT_EQ(parts[2].where(), (Location{"x.toml", 8, 17}));
  EXPECT_EQ(Expression::parse("m == n and n > 2", {"x.toml", 7, 0}).conjuncts()[1].where(),
            (Location{"x.toml", 7, 0}));
}

TEST(Expression, ConjunctsHaveTheSameValueAlone) {
  for (const Expression& part :
       parse_expression("(m + 1) * 2 == 132 and not (n == 1 or k == 1)").conjuncts()) {
    EXPECT_EQ(evaluated(part.text()), 1) << part.text();
  }
}

TEST(Expression, ConstantIsItsNumber) {
  EXPECT_EQ(Expression::constant(-5).evaluate({}), -5);
  EXPECT_EQ(Expression::constant(-5).text(), "-5");
}

TEST(Expression, ErrorsPointAtTheirColumn) {
  EXPECT_EQ(syntax_error("m % 4 = 0"),
            "expression:1:7: error: unexpected '=' where an operator or the end is expected; write "
            "'=='\n  m % 4 = 0\n        ^\n");
  EXPECT_EQ(syntax_error("m +"),
            "expression:1:4: error: the expression ends where a number, a name or '(' is expected\n"
            "  m +\n     ^\n");
}

TEST(Expression, ErrorsInALongerTextAreLocatedInThatText) {
  try {
    (void)Expression::parse("m +\n  * n", {"x.toml", 7, 20});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().at(0).where, (Location{"x.toml", 8, 3}));
  }
  try {
    (void)Expression::parse("m + * n", {"x.toml", 7, 20});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().at(0).where, (Location{"x.toml", 7, 24}));
  }
}

TEST(Expression, OperatorsOfOtherLanguagesAreExplained) {
  EXPECT_THAT(syntax_error("m && n"), HasSubstr("write 'and'"));
  EXPECT_THAT(syntax_error("m || n"), HasSubstr("write 'or'"));
  EXPECT_THAT(syntax_error("!m"), HasSubstr("write 'not'"));
  EXPECT_THAT(syntax_error("1.5"), HasSubstr("numbers are integers"));
  EXPECT_THAT(syntax_error("0 < m < 4"), HasSubstr("do not chain"));
}

TEST(Expression, WrongTextsAreErrors) {
  EXPECT_THAT(syntax_error(""), HasSubstr("empty expression"));
  EXPECT_THAT(syntax_error("  "), HasSubstr("empty expression"));
  EXPECT_THAT(syntax_error("(m"), HasSubstr("')' is expected"));
  EXPECT_THAT(syntax_error("m)"), HasSubstr("unexpected ')'"));
  EXPECT_THAT(syntax_error("m n"), HasSubstr("unexpected 'n'"));
  EXPECT_THAT(syntax_error("and m"), HasSubstr("unexpected 'and'"));
  EXPECT_THAT(syntax_error("12ab"), HasSubstr("'12ab' is not an integer"));
  EXPECT_THAT(syntax_error("9223372036854775808"), HasSubstr("does not fit in 64 bits"));
  EXPECT_THAT(syntax_error("ceildiv(m, 2)"), HasSubstr("did you mean 'ceil_div'?"));
  EXPECT_THAT(syntax_error("log2(m)"), HasSubstr("expected one of ceil_div, min, max, aligned"));
  EXPECT_THAT(syntax_error("min(m)"), HasSubstr("'min' takes 2 arguments, 1 found"));
  EXPECT_THAT(syntax_error("min(m, n, k)"), HasSubstr("'min' takes 2 arguments, more found"));
  EXPECT_THAT(syntax_error("min()"), HasSubstr("unexpected ')'"));
  EXPECT_THAT(syntax_error("aligned(a, 24)"), HasSubstr("alignment of 24 bytes"));
  EXPECT_THAT(syntax_error("aligned(a, 512)"), HasSubstr("power of two up to 256"));
  EXPECT_THAT(syntax_error("aligned(a, m)"), HasSubstr("a number of bytes is expected"));
  EXPECT_THAT(syntax_error("m \x01 n"), HasSubstr("unexpected"));
}

TEST(Expression, DepthIsBounded) {
  const auto parenthesised = [](std::size_t depth) {
    return std::string(depth, '(') + "m" + std::string(depth, ')');
  };
  const auto sum = [](int terms) {
    std::string text = "1";
    for (int i = 1; i < terms; ++i) text += " + 1";
    return text;
  };
  EXPECT_EQ(evaluated(parenthesised(90)), 65);
  EXPECT_EQ(evaluated(sum(90)), 90);
  EXPECT_EQ(evaluated(std::string(90, '-') + "m"), 65);
  std::string nots;
  for (int i = 0; i < 100000; ++i) nots += "not ";
  for (const std::string& text :
       {parenthesised(100000), sum(100000), std::string(100000, '-') + "m", nots + "m"}) {
    EXPECT_THAT(syntax_error(text), HasSubstr("more than 100 operations"));
  }
}

TEST(Expression, EveryUnknownNameIsReported) {
  constexpr std::array<std::string_view, 3> kSizes = {"lda", "m", "n"};
  constexpr std::array<std::string_view, 1> kBuffers = {"a"};
  const Vocabulary vocabulary{kSizes, kBuffers};
  EXPECT_EQ(Expression::parse("m + n", {}, &vocabulary).text(), "m + n");
  try {
    (void)Expression::parse("ld % 4 == q and aligned(z, 4)", {"x", 1, 1}, &vocabulary);
    FAIL();
  } catch (const InputError& error) {
    std::vector<std::string> messages;
    std::vector<unsigned> columns;
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      messages.push_back(diagnostic.message);
      columns.push_back(diagnostic.where.column);
    }
    EXPECT_THAT(messages, ElementsAre("unknown name 'ld': did you mean 'lda'?",
                                      "unknown name 'q': expected one of lda, m, n",
                                      "unknown buffer 'z': expected one of a"));
    EXPECT_THAT(columns, ElementsAre(1, 11, 25));
  }
}

/// The column and the reason of the part that leaves an expression without a value.
std::string undefined_part(std::string_view text, std::optional<std::int64_t> m = {}) {
  const Bindings bindings{[m](std::string_view) { return m; }, {}};
  const auto part = Expression::parse(text, {"x", 1, 1}).undefined_part(bindings);
  return part ? std::to_string(part->where.column) + " " + part->text + " " + part->reason : "none";
}

TEST(Expression, UndefinedPartIsTheInnermost) {
  EXPECT_EQ(undefined_part("1 + 4 / (2 - 2)"), "9 (2 - 2) divides by zero");
  EXPECT_EQ(undefined_part("ceil_div(m, 0)"), "13 0 divides by zero");
  EXPECT_EQ(undefined_part("m % (m - 3)", 3), "5 (m - 3) divides by zero");
  EXPECT_EQ(undefined_part("1 + m * m", std::int64_t{1} << 40), "5 m * m exceeds 64 bits");
  EXPECT_EQ(undefined_part("min(m, -9223372036854775807 - 2)"),
            "8 -9223372036854775807 - 2 exceeds 64 bits");
}

TEST(Expression, PartThatIsNotEvaluatedIsNotUndefined) {
  EXPECT_EQ(undefined_part("m / m"), "none") << "m is unknown";
  EXPECT_EQ(undefined_part("m / m", 2), "none");
  EXPECT_EQ(undefined_part("m == 0 or 4 / m == 1", 0), "none");
  EXPECT_EQ(undefined_part("m != 0 and 4 / m == 1", 0), "none");
}

/// A random text has a value, no value, or a located error.
TEST(Expression, RandomTextsNeverCrash) {
  constexpr std::array<std::string_view, 20> kPieces = {
      "m", "n", "7",  "0", "(",   ")",  ",",   "+",   "-",       "*",
      "/", "%", "==", "<", "and", "or", "not", "min", "aligned", "@"};
  std::mt19937_64 random(20240607);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::uint64_t count = random() % 12; count > 0; --count) {
      text += std::string(kPieces[random() % kPieces.size()]) + " ";
    }
    try {
      (void)evaluated(text);
    } catch (const InputError& error) {
      const Location& where = error.diagnostics().at(0).where;
      ASSERT_TRUE(where.line == 1 && where.column >= 1 && where.column <= text.size() + 1) << text;
    }
  }
}

}  // namespace
}  // namespace warpcheck::contract
