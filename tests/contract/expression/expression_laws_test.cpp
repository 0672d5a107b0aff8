// Laws of expressions, for generated syntax trees: the value is that of 128-bit arithmetic, and it
// does not depend on redundant parentheses.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <limits>
#include <ostream>

#include "contract/expression/expression.hpp"

namespace warpcheck::contract {
namespace {

__extension__ using Wide = __int128;

/// A literal or a name if it has no operands.
struct Tree {
  std::string op;
  std::vector<Tree> operands;
};

constexpr std::array<std::string_view, 3> kNames = {"m", "n", "k"};
constexpr std::array<std::int64_t, 3> kValues = {65, 33, 17};

/// Precedence levels, from the lowest: or, and, not, comparisons, sums, products, unary minus,
/// calls and leaves.
struct Syntax {
  std::string_view op;
  std::size_t operands;
  int level;
};
constexpr std::array kSyntax = {
    Syntax{"or", 2, 1},  Syntax{"and", 2, 2},      Syntax{"not", 1, 3}, Syntax{"==", 2, 4},
    Syntax{"!=", 2, 4},  Syntax{"<", 2, 4},        Syntax{"<=", 2, 4},  Syntax{">", 2, 4},
    Syntax{">=", 2, 4},  Syntax{"+", 2, 5},        Syntax{"-", 2, 5},   Syntax{"*", 2, 6},
    Syntax{"/", 2, 6},   Syntax{"%", 2, 6},        Syntax{"-", 1, 7},   Syntax{"min", 2, 8},
    Syntax{"max", 2, 8}, Syntax{"ceil_div", 2, 8},
};

const Syntax& syntax_of(const Tree& tree) {
  for (const Syntax& row : kSyntax) {
    if (row.op == tree.op && row.operands == tree.operands.size()) return row;
  }
  static constexpr Syntax kLeaf{"", 0, 8};
  return kLeaf;
}

std::string text_with_all_parentheses(const Tree& tree) {
  if (tree.operands.empty()) return tree.op;
  const std::string first = text_with_all_parentheses(tree.operands[0]);
  if (tree.operands.size() == 1) return "(" + tree.op + " " + first + ")";
  const std::string second = text_with_all_parentheses(tree.operands[1]);
  if (syntax_of(tree).level == 8) return tree.op + "(" + first + ", " + second + ")";
  return "(" + first + " " + tree.op + " " + second + ")";
}

/// The text with only the parentheses that precedence and grouping require. `least` is the lowest
/// level that may stand without parentheses.
std::string text_with_few_parentheses(const Tree& tree, int least = 1) {
  const int level = syntax_of(tree).level;
  if (tree.operands.empty()) return tree.op;
  if (level == 8) {
    return tree.op + "(" + text_with_few_parentheses(tree.operands[0]) + ", " +
           text_with_few_parentheses(tree.operands[1]) + ")";
  }
  std::string text;
  if (tree.operands.size() == 1) {
    text = tree.op + " " + text_with_few_parentheses(tree.operands[0], level);
  } else {
    const bool chains = level != 4;
    text = text_with_few_parentheses(tree.operands[0], chains ? level : level + 1) + " " + tree.op +
           " " + text_with_few_parentheses(tree.operands[1], level + 1);
  }
  return level < least ? "(" + text + ")" : text;
}

std::optional<Wide> in_64_bits(Wide value) {
  if (value < std::numeric_limits<std::int64_t>::min()) return std::nullopt;
  if (value > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return value;
}

Wide rounded_up(Wide x, Wide y) {
  const bool same_sign = (x < 0) == (y < 0);
  return x / y + (x % y != 0 && same_sign ? 1 : 0);
}

std::optional<Wide> value_of(const Tree& tree) {
  const std::string& op = tree.op;
  if (tree.operands.empty()) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (op == kNames[i]) return kValues[i];
    }
    return std::stoll(op);
  }
  const std::optional<Wide> x = value_of(tree.operands[0]);
  if (!x) return std::nullopt;
  if (tree.operands.size() == 1) return op == "not" ? Wide{*x == 0} : in_64_bits(-*x);
  if (op == "and" && *x == 0) return 0;
  if (op == "or" && *x != 0) return 1;
  const std::optional<Wide> y = value_of(tree.operands[1]);
  if (!y) return std::nullopt;
  if (op == "and" || op == "or") return Wide{*y != 0};
  if (op == "==") return Wide{*x == *y};
  if (op == "!=") return Wide{*x != *y};
  if (op == "<") return Wide{*x < *y};
  if (op == "<=") return Wide{*x <= *y};
  if (op == ">") return Wide{*x > *y};
  if (op == ">=") return Wide{*x >= *y};
  if (op == "+") return in_64_bits(*x + *y);
  if (op == "-") return in_64_bits(*x - *y);
  if (op == "*") return in_64_bits(*x * *y);
  if (op == "min") return std::min(*x, *y);
  if (op == "max") return std::max(*x, *y);
  if (*y == 0) return std::nullopt;
  if (op == "/") return in_64_bits(*x / *y);
  if (op == "%") return *x % *y;
  return in_64_bits(rounded_up(*x, *y));
}

Bindings bindings() {
  Bindings result;
  result.value = [](std::string_view name) -> std::optional<std::int64_t> {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (name == kNames[i]) return kValues[i];
    }
    return std::nullopt;
  };
  result.address = [](std::string_view) { return std::nullopt; };
  return result;
}

Expression parse(const std::string& text) { return Expression::parse(text, {"law", 1, 1}); }

std::optional<Wide> parsed_value(const std::string& text) {
  const std::optional<std::int64_t> value = parse(text).evaluate(bindings());
  return value ? std::optional<Wide>(*value) : std::nullopt;
}

Tree leaf() {
  const auto kind = *rc::gen::inRange(0, 4);
  if (kind == 0) return {std::string(*rc::gen::elementOf(kNames)), {}};
  if (kind < 3) return {std::to_string(*rc::gen::inRange(0, 20)), {}};
  const auto bits = *rc::gen::arbitrary<std::uint64_t>();
  return {std::to_string(bits >> *rc::gen::inRange(1, 64)), {}};
}

Tree tree(int depth) {
  if (depth == 0 || *rc::gen::inRange(0, 6) == 0) return leaf();
  const Syntax syntax = *rc::gen::elementOf(kSyntax);
  Tree result{std::string(syntax.op), {}};
  for (std::size_t i = 0; i < syntax.operands; ++i) result.operands.push_back(tree(depth - 1));
  return result;
}

/// The operands, then the trees with one smaller operand.
std::vector<Tree> smaller_trees(const Tree& tree) {
  if (tree.operands.empty())
    return tree.op == "1" ? std::vector<Tree>{} : std::vector{Tree{"1", {}}};
  std::vector<Tree> trees = tree.operands;
  for (std::size_t i = 0; i < tree.operands.size(); ++i) {
    for (Tree& operand : smaller_trees(tree.operands[i])) {
      trees.push_back(tree);
      trees.back().operands[i] = std::move(operand);
    }
  }
  return trees;
}

void showValue(const Tree& tree, std::ostream& out) { out << text_with_all_parentheses(tree); }

}  // namespace
}  // namespace warpcheck::contract

template <>
struct rc::Arbitrary<warpcheck::contract::Tree> {
  static Gen<warpcheck::contract::Tree> arbitrary() {
    namespace contract = warpcheck::contract;
    return gen::shrink(gen::noShrink(gen::exec([] { return contract::tree(4); })),
                       [](const contract::Tree& tree) {
                         return seq::fromContainer(contract::smaller_trees(tree));
                       });
  }
};

namespace warpcheck::contract {
namespace {

/// Several per run of a property, which by default has 100 runs.
std::vector<Tree> trees() {
  return *rc::gen::container<std::vector<Tree>>(20, rc::gen::arbitrary<Tree>());
}

RC_GTEST_PROP(ExpressionLaw, ValueIsThatOf128BitArithmetic, ()) {
  for (const Tree& tree : trees()) {
    const std::optional<Wide> value = value_of(tree);
    RC_ASSERT(parsed_value(text_with_all_parentheses(tree)) == value);
  }
}

RC_GTEST_PROP(ExpressionLaw, RedundantParenthesesDoNotMatter, ()) {
  for (const Tree& tree : trees()) {
    RC_ASSERT(parsed_value(text_with_few_parentheses(tree)) ==
              parsed_value(text_with_all_parentheses(tree)));
  }
}

RC_GTEST_PROP(ExpressionLaw, TextIsParsedAsTheSameExpression, ()) {
  for (const Tree& tree : trees()) {
    const Expression expression = parse(text_with_few_parentheses(tree));
    const Expression again = parse(expression.text());
    RC_ASSERT(again.text() == expression.text());
    RC_ASSERT(again.names() == expression.names());
    RC_ASSERT(again.literals() == expression.literals());
    RC_ASSERT(again.evaluate(bindings()) == expression.evaluate(bindings()));
  }
}

RC_GTEST_PROP(ExpressionLaw, ConjunctionOfTheConjunctsIsTheExpression, ()) {
  for (const Tree& tree : trees()) {
    const Expression whole = parse("1 and (" + text_with_few_parentheses(tree) + ")");
    std::optional<std::int64_t> all = 1;
    for (const Expression& part : whole.conjuncts()) {
      if (!all || *all == 0) break;
      const auto value = parse(part.text()).evaluate(bindings());
      all = value ? std::optional<std::int64_t>(*value != 0) : std::nullopt;
    }
    RC_ASSERT(all == whole.evaluate(bindings()));
  }
}

RC_GTEST_PROP(ExpressionLaw, QuotientAndRemainderGiveTheDividend,
              (std::int64_t x, std::int64_t y)) {
  RC_PRE(y != 0 && y != -1 && x != std::numeric_limits<std::int64_t>::min());
  Bindings values;
  values.value = [&](std::string_view name) -> std::optional<std::int64_t> {
    return name == "x" ? x : y;
  };
  RC_ASSERT(parse("x / y * y + x % y == x").evaluate(values) == 1);
  RC_ASSERT(parse("ceil_div(x, y) - x / y").evaluate(values) ==
            (x % y != 0 && (x < 0) == (y < 0) ? 1 : 0));
}

}  // namespace
}  // namespace warpcheck::contract
