// Parses expressions by recursive descent. The operators, from the lowest precedence to the
// highest:
//   or    and    not    == != < <= > >= (do not chain)    + -    * / %    unary -
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/closest_word.hpp"
#include "base/located_text.hpp"
#include "contract/expression/expression_node.hpp"
#include "contract/expression/expression_token.hpp"

namespace warpcheck::contract {
namespace {

using Node = Expression::Node;
using NodePointer = std::shared_ptr<Node>;

// The largest depth of every recursion, over the text and over the tree.
constexpr int kDeepestNesting = 100;

struct Spelling {
  std::string_view text;
  Operator op;
};

constexpr std::array kComparisons = {
    Spelling{"==", Operator::equal},      Spelling{"!=", Operator::unequal},
    Spelling{"<=", Operator::less_equal}, Spelling{">=", Operator::greater_equal},
    Spelling{"<", Operator::less},        Spelling{">", Operator::greater}};
constexpr std::array kSums = {Spelling{"+", Operator::add}, Spelling{"-", Operator::subtract}};
constexpr std::array kProducts = {Spelling{"*", Operator::multiply},
                                  Spelling{"/", Operator::divide},
                                  Spelling{"%", Operator::remainder}};
constexpr std::array kFunctions = {Spelling{"ceil_div", Operator::ceil_div},
                                   Spelling{"min", Operator::minimum},
                                   Spelling{"max", Operator::maximum}};
constexpr std::array<std::string_view, 4> kFunctionNames = {"ceil_div", "min", "max", "aligned"};

template <std::size_t Count>
std::optional<Operator> find(const std::array<Spelling, Count>& table, std::string_view text) {
  for (const Spelling& row : table) {
    if (row.text == text) return row.op;
  }
  return std::nullopt;
}

/// Operators of C, each with its equivalent here.
std::string_view advice(std::string_view symbol) {
  if (symbol == "=") return "; write '=='";
  if (symbol == "&&" || symbol == "&") return "; write 'and'";
  if (symbol == "||" || symbol == "|") return "; write 'or'";
  if (symbol == "!") return "; write 'not'";
  if (symbol == ".") return "; numbers are integers";
  return "";
}

}  // namespace

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Location& where, const Vocabulary* vocabulary)
      : text_(text), where_(where), vocabulary_(vocabulary) {}

  Expression parse() {
    advance();
    if (token_.kind == TokenKind::end) fail(0, "empty expression");
    Expression expression;
    expression.root_ = disjunction();
    if (token_.kind != TokenKind::end) fail_unexpected("an operator or the end");
    if (!errors_.empty()) throw InputError(std::move(errors_));
    expression.text_ = text_;
    expression.where_ = where_;
    return expression;
  }

 private:
  [[nodiscard]] Diagnostic diagnostic(std::size_t offset, std::string message) const {
    return located(text_, where_, offset, std::move(message));
  }

  [[noreturn]] void fail(std::size_t offset, std::string message) {
    errors_.push_back(diagnostic(offset, std::move(message)));
    throw InputError(std::move(errors_));
  }

  [[noreturn]] void fail_unexpected(std::string_view expected) {
    if (token_.kind == TokenKind::end) {
      fail(token_.begin, fmt::format("the expression ends where {} is expected", expected));
    }
    fail(token_.begin, fmt::format("unexpected '{}' where {} is expected{}", token_.text, expected,
                                   advice(token_.text)));
  }

  [[noreturn]] void fail_nesting() {
    fail(token_.begin,
         fmt::format("more than {} operations, nested or in sequence", kDeepestNesting));
  }

  void advance() {
    consumed_end_ = token_.begin + token_.text.size();
    token_ = next_token(text_, consumed_end_);
  }

  bool accept(std::string_view text) {
    if (token_.kind == TokenKind::end || token_.text != text) return false;
    advance();
    return true;
  }

  void expect(std::string_view text) {
    if (!accept(text)) fail_unexpected(fmt::format("'{}'", text));
  }

  NodePointer node(Operator op, std::size_t begin,
                   std::vector<std::shared_ptr<const Node>> operands) {
    auto made = std::make_shared<Node>();
    made->op = op;
    for (const auto& operand : operands) made->depth = std::max(made->depth, operand->depth + 1);
    if (made->depth > kDeepestNesting) fail_nesting();
    made->operands = std::move(operands);
    made->begin = begin;
    made->end = consumed_end_;
    return made;
  }

  NodePointer disjunction() {
    if (++nesting_ > kDeepestNesting) fail_nesting();
    NodePointer left = conjunction();
    while (accept("or")) {
      const NodePointer right = conjunction();
      left = node(Operator::logical_or, left->begin, {left, right});
    }
    --nesting_;
    return left;
  }

  NodePointer conjunction() {
    NodePointer left = negation();
    while (accept("and")) {
      const NodePointer right = negation();
      left = node(Operator::logical_and, left->begin, {left, right});
    }
    return left;
  }

  NodePointer negation() {
    const std::size_t begin = token_.begin;
    if (!accept("not")) return comparison();
    if (++nesting_ > kDeepestNesting) fail_nesting();
    const NodePointer operand = negation();
    --nesting_;
    return node(Operator::logical_not, begin, {operand});
  }

  NodePointer comparison() {
    NodePointer left = sum();
    const auto op = find(kComparisons, token_.text);
    if (!op) return left;
    advance();
    const NodePointer right = sum();
    if (find(kComparisons, token_.text)) {
      fail(token_.begin, "comparisons do not chain; join two of them with 'and'");
    }
    return node(*op, left->begin, {left, right});
  }

  NodePointer sum() {
    NodePointer left = product();
    while (const auto op = find(kSums, token_.text)) {
      advance();
      const NodePointer right = product();
      left = node(*op, left->begin, {left, right});
    }
    return left;
  }

  NodePointer product() {
    NodePointer left = unary();
    while (const auto op = find(kProducts, token_.text)) {
      advance();
      const NodePointer right = unary();
      left = node(*op, left->begin, {left, right});
    }
    return left;
  }

  NodePointer unary() {
    const std::size_t begin = token_.begin;
    if (!accept("-")) return primary();
    if (++nesting_ > kDeepestNesting) fail_nesting();
    const NodePointer operand = unary();
    --nesting_;
    return node(Operator::negate, begin, {operand});
  }

  NodePointer primary() {
    if (token_.kind == TokenKind::integer) {
      const std::size_t begin = token_.begin;
      const std::int64_t value = integer();
      NodePointer made = node(Operator::constant, begin, {});
      made->value = value;
      return made;
    }
    if (token_.text == "(") {
      const std::size_t begin = token_.begin;
      advance();
      NodePointer inner = disjunction();
      expect(")");
      inner->begin = begin;
      inner->end = consumed_end_;
      return inner;
    }
    constexpr std::array<std::string_view, 3> kReserved = {"and", "or", "not"};
    if (token_.kind != TokenKind::word ||
        std::find(kReserved.begin(), kReserved.end(), token_.text) != kReserved.end()) {
      fail_unexpected("a number, a name or '('");
    }
    const Token word = token_;
    advance();
    if (token_.text == "(") return call(word);
    if (vocabulary_ != nullptr) require_known("name", word, vocabulary_->names);
    NodePointer made = node(Operator::name, word.begin, {});
    made->name = word.text;
    return made;
  }

  NodePointer call(const Token& function) {
    if (function.text == "aligned") return aligned(function);
    const auto op = find(kFunctions, function.text);
    if (!op) fail(function.begin, unknown("function", function.text, kFunctionNames));
    expect("(");
    const NodePointer first = disjunction();
    if (token_.text == ")") {
      fail(token_.begin, fmt::format("'{}' takes 2 arguments, 1 found", function.text));
    }
    expect(",");
    const NodePointer second = disjunction();
    if (token_.text == ",") {
      fail(token_.begin, fmt::format("'{}' takes 2 arguments, more found", function.text));
    }
    expect(")");
    return node(*op, function.begin, {first, second});
  }

  /// Parses aligned(buffer, bytes). Addresses are given modulo 256, so a larger alignment cannot be
  /// checked.
  NodePointer aligned(const Token& function) {
    expect("(");
    if (token_.kind != TokenKind::word) fail_unexpected("a buffer");
    const Token buffer = token_;
    if (vocabulary_ != nullptr) require_known("buffer", buffer, vocabulary_->buffers);
    advance();
    expect(",");
    if (token_.kind != TokenKind::integer) fail_unexpected("a number of bytes");
    const std::size_t begin = token_.begin;
    const std::int64_t bytes = integer();
    if (bytes < 1 || bytes > 256 || (bytes & (bytes - 1)) != 0) {
      fail(begin, fmt::format("alignment of {} bytes: expected a power of two up to 256", bytes));
    }
    expect(")");
    NodePointer made = node(Operator::aligned, function.begin, {});
    made->name = buffer.text;
    made->value = bytes;
    return made;
  }

  std::int64_t integer() {
    std::int64_t value = 0;
    const char* const end = token_.text.data() + token_.text.size();
    const auto [stop, error] = std::from_chars(token_.text.data(), end, value);
    if (error == std::errc::result_out_of_range) {
      fail(token_.begin, fmt::format("'{}' does not fit in 64 bits", token_.text));
    }
    if (stop != end) fail(token_.begin, fmt::format("'{}' is not an integer", token_.text));
    advance();
    return value;
  }

  void require_known(std::string_view kind, const Token& word,
                     std::span<const std::string_view> known) {
    if (std::find(known.begin(), known.end(), word.text) != known.end()) return;
    errors_.push_back(diagnostic(word.begin, unknown(kind, word.text, known)));
  }

  std::string_view text_;
  Location where_;
  const Vocabulary* vocabulary_;
  Token token_;
  std::size_t consumed_end_ = 0;  // end of the last token taken
  int nesting_ = 0;
  std::vector<Diagnostic> errors_;
};

Expression Expression::parse(std::string_view text, const Location& where,
                             const Vocabulary* vocabulary) {
  return ExpressionParser(text, where, vocabulary).parse();
}

}  // namespace warpcheck::contract
