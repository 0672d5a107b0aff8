// Parses definitions by recursive descent.
//   statement = name '[' index ['in' extent], ... ']' '='
//               (expression | 'scan' '(' index ':' expression ')')
//   reduction = ('sum' | 'max' ...) '(' index ['in' extent], ... ':' expression ['where' truth] ')'
//   extent    = a dimension, see extent.hpp
//   read      = tensor '[' integer, ... ']' ['or' number]
#include "operation/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "base/closest_word.hpp"
#include "base/located_text.hpp"
#include "operation/extent.hpp"
#include "operation/token.hpp"
#include "operation/words.hpp"

namespace warpcheck::operation {
namespace {

// The largest depth of every recursion, over the text and over the tree.
constexpr int kDeepestNesting = 100;

constexpr std::array<std::string_view, 7> kWords = {"or", "and",  "not",     "where",
                                                    "in", "scan", "infinity"};

const BinarySymbol* binary_symbol(const Token& token) {
  if (token.kind == TokenKind::end) return nullptr;
  const auto* const found =
      std::find_if(kBinarySymbols.begin(), kBinarySymbols.end(),
                   [&](const BinarySymbol& symbol) { return symbol.text == token.text; });
  return found == kBinarySymbols.end() ? nullptr : found;
}

const FunctionWord* function_word(std::string_view text) {
  const auto* const found =
      std::find_if(kFunctions.begin(), kFunctions.end(),
                   [&](const FunctionWord& function) { return function.text == text; });
  return found == kFunctions.end() ? nullptr : found;
}

std::optional<Reduction> reduction_word(std::string_view text) {
  const auto* const found = std::find(kReductions.begin(), kReductions.end(), text);
  if (found == kReductions.end()) return std::nullopt;
  return static_cast<Reduction>(found - kReductions.begin());
}

class DefinitionParser {
 public:
  DefinitionParser(std::string_view text, const Location& where) : text_(text), where_(where) {
    advance();
  }

  std::vector<Statement> parse() {
    if (token_.kind == TokenKind::end) fail("empty definition");
    std::vector<Statement> statements;
    while (token_.kind != TokenKind::end) {
      statements.push_back(statement());
      // "x if c else y": `if` would be the name of the next tensor.
      if (is("if") && following().text != "[") fail_unexpected("the end of the statement");
      accept(";");
    }
    return statements;
  }

 private:
  [[noreturn]] void fail_at(std::size_t offset, std::string message) const {
    throw InputError(located(text_, where_, offset, std::move(message)));
  }
  [[noreturn]] void fail(std::string message) const { fail_at(token_.begin, std::move(message)); }

  [[noreturn]] void fail_unexpected(std::string_view expected) const {
    if (token_.kind == TokenKind::end) {
      fail(fmt::format("the definition ends where {} is expected", expected));
    }
    const bool follows_star = token_.begin > 0 && text_[token_.begin - 1] == '*';
    const bool is_exponent = token_.text == "^" || (token_.text == "*" && follows_star);
    const bool is_choice = token_.text == "?" || token_.text == "if";
    fail(fmt::format("unexpected '{}' where {} is expected{}", token_.text, expected,
                     is_exponent ? "; write pow(x, y)"
                     : is_choice ? "; write select(condition, x, y)"
                                 : ""));
  }

  [[noreturn]] void fail_nesting() const {
    fail(fmt::format("more than {} operations, nested or in sequence", kDeepestNesting));
  }

  void advance() { token_ = next_token(text_, token_.begin + token_.text.size()); }

  [[nodiscard]] bool is(std::string_view text) const {
    return token_.kind != TokenKind::end && token_.text == text;
  }
  [[nodiscard]] Token following() const {
    return next_token(text_, token_.begin + token_.text.size());
  }

  bool accept(std::string_view text) {
    if (!is(text)) return false;
    advance();
    return true;
  }

  void expect(std::string_view text) {
    if (!accept(text)) fail_unexpected(fmt::format("'{}'", text));
  }

  std::string name(std::string_view kind) {
    if (token_.kind != TokenKind::word) fail_unexpected(kind);
    if (!is_name(token_.text)) {
      fail(fmt::format("'{}' is a word of the language: expected {}", token_.text, kind));
    }
    std::string text(token_.text);
    advance();
    return text;
  }

  Node make(Op op, std::size_t begin, std::vector<Node> operands) const {
    Node node;
    node.op = op;
    node.begin = begin;
    for (const Node& operand : operands) node.depth = std::max(node.depth, operand.depth + 1);
    if (node.depth > kDeepestNesting) fail_nesting();
    node.operands = std::move(operands);
    return node;
  }

  Statement statement() {
    Statement made;
    made.begin = token_.begin;
    made.tensor.name = name("the name of a tensor");
    expect("[");
    if (!is("]")) ranges(made.indices, made.extents);
    expect("]");
    expect("=");
    if (accept("scan")) {
      expect("(");
      made.scan = name("an index");
      expect(":");
      made.value = expression(1);
      expect(")");
    } else {
      made.value = expression(1);
    }
    return made;
  }

  /// Parses operators of at least this precedence.
  Node expression(int precedence) {
    if (++nesting_ > kDeepestNesting) fail_nesting();
    Node left = unary(precedence);
    for (const BinarySymbol* symbol = binary_symbol(token_);
         symbol != nullptr && symbol->precedence >= precedence; symbol = binary_symbol(token_)) {
      advance();
      Node right = expression(symbol->precedence + 1);
      const std::size_t begin = left.begin;
      std::vector<Node> operands;
      operands.push_back(std::move(left));
      operands.push_back(std::move(right));
      left = make(symbol->op, begin, std::move(operands));
      const BinarySymbol* next = binary_symbol(token_);
      if (symbol->precedence == kComparison && next != nullptr && next->precedence == kComparison) {
        fail("comparisons do not chain; join two of them with 'and'");
      }
    }
    --nesting_;
    return left;
  }

  Node prefixed(Op op, int precedence) {
    const std::size_t begin = token_.begin;
    advance();
    std::vector<Node> operands;
    operands.push_back(expression(precedence));
    return make(op, begin, std::move(operands));
  }

  Node unary(int precedence) {
    if (is("not") && precedence <= kNotPrecedence) {
      return prefixed(Op::logical_not, kNotPrecedence);
    }
    if (is("-")) return prefixed(Op::negate, kNegatePrecedence);
    return primary();
  }

  Node primary() {
    const Token first = token_;
    if (first.kind == TokenKind::number || is("infinity")) return number();
    if (accept("(")) {
      Node inner = expression(1);
      inner.begin = first.begin;
      expect(")");
      return inner;
    }
    if (first.kind != TokenKind::word) fail_unexpected("a number, a name or '('");
    const std::string_view next = following().text;
    if (next == "(") return call(first);
    Node made = make(Op::name, first.begin, {});
    made.name = name("a number, a name or '('");
    return is("[") ? read(std::move(made)) : made;
  }

  Node number() {
    Node made = make(Op::number, token_.begin, {});
    if (accept("infinity")) {
      made.number = std::numeric_limits<double>::infinity();
      return made;
    }
    const char* const end = token_.text.data() + token_.text.size();
    const auto [stop, error] = std::from_chars(token_.text.data(), end, made.number);
    if (error == std::errc::result_out_of_range) {
      fail(fmt::format("'{}' does not fit in 64 bits", token_.text));
    }
    if (stop != end) fail(fmt::format("'{}' is not a number", token_.text));
    const bool is_integer = token_.text.find_first_of(".eE") == std::string_view::npos;
    if (is_integer && made.number >= 0x1p53) {
      fail(fmt::format("'{}' exceeds 2^53, the largest integer", token_.text));
    }
    made.type = is_integer ? Type::integer : Type::real;
    advance();
    return made;
  }

  Node read(Node tensor) {
    expect("[");
    std::vector<Node> indices;
    if (!is("]")) {
      do indices.push_back(expression(1));
      while (accept(","));
    }
    expect("]");
    Node made = make(Op::read, tensor.begin, std::move(indices));
    made.name = std::move(tensor.name);
    if (!is("or")) return made;
    const Token after = following();
    if (after.kind != TokenKind::number && after.text != "-" && after.text != "infinity") {
      return made;
    }
    advance();
    const double sign = accept("-") ? -1.0 : 1.0;
    if (token_.kind != TokenKind::number && !is("infinity")) fail_unexpected("a number");
    made.guarded = true;
    const Node otherwise = number();
    made.number = sign * otherwise.number;
    made.type = otherwise.type;
    return made;
  }

  Node call(const Token& word) {
    const auto reduction = reduction_word(word.text);
    const FunctionWord* const function = function_word(word.text);
    if (reduction && (function == nullptr || ranges_follow())) return reduce(*reduction);
    if (function != nullptr) {
      Node made = make(function->op, word.begin, arguments(function->arguments));
      return made;
    }
    if (word.text.starts_with(kConversion)) {
      const auto target = scalar_type(word.text.substr(kConversion.size()));
      if (!target) {
        fail(
            fmt::format("unknown type '{}' of a conversion", word.text.substr(kConversion.size())));
      }
      Node made = make(Op::convert, word.begin, arguments(1));
      made.target = *target;
      return made;
    }
    std::vector<std::string_view> known;
    for (const FunctionWord& row : kFunctions) known.push_back(row.text);
    for (const std::string_view row : kReductions) known.push_back(row);
    fail(unknown("function", word.text, known));
  }

  /// True if the parentheses after the current word hold the indices of a reduction.
  [[nodiscard]] bool ranges_follow() const {
    std::size_t at = following().begin + 1;
    for (Token token = next_token(text_, at);; token = next_token(text_, at)) {
      if (token.text == ":") return true;
      const bool is_part = token.kind == TokenKind::word || token.kind == TokenKind::number;
      const bool is_symbol =
          token.text == "," || token.text == "+" || token.text == "-" || token.text == "*";
      if (!is_part && !is_symbol) return false;
      at = token.begin + token.text.size();
    }
  }

  std::vector<Node> arguments(std::size_t count) {
    const Token function = token_;
    advance();
    expect("(");
    std::vector<Node> found;
    do found.push_back(expression(1));
    while (accept(","));
    expect(")");
    if (found.size() != count) {
      fail_at(function.begin, fmt::format("'{}' takes {} argument{}, {} found", function.text,
                                          count, count == 1 ? "" : "s", found.size()));
    }
    return found;
  }

  /// Indices, each with its extent if it is stated.
  void ranges(std::vector<std::string>& indices, std::vector<std::string>& extents) {
    do {
      indices.push_back(name("an index"));
      extents.push_back(accept("in") ? extent() : std::string());
    } while (accept(","));
  }

  /// A dimension, up to the ',', ':' or ']' that follows it.
  std::string extent() {
    const std::size_t begin = token_.begin;
    std::size_t end = begin;
    int depth = 0;  // open parentheses
    while (token_.kind != TokenKind::end && !is(":") && !is("]") && !is("=")) {
      if (depth == 0 && (is(",") || is(")"))) break;
      depth += is("(") ? 1 : is(")") ? -1 : 0;
      end = token_.begin + token_.text.size();
      advance();
    }
    const std::string_view text = text_.substr(begin, end - begin);
    const auto dimension = parse_dimension(text);
    if (dimension && (!dimension->is_constant() || dimension->constant >= 1)) {
      return print(*dimension);
    }
    fail_at(begin, fmt::format("'{}' is no extent: expected a name, an integer of at least 1, or "
                               "what follows from them, such as 2 * height + 1 or ceil_div(n, 4)",
                               text));
  }

  Node reduce(Reduction reduction) {
    const std::size_t begin = token_.begin;
    advance();
    expect("(");
    std::vector<std::string> indices;
    std::vector<std::string> extents;
    ranges(indices, extents);
    if (!accept(":")) {
      if (token_.kind == TokenKind::end) fail_unexpected("':'");
      fail(fmt::format("unexpected '{}' where ':' is expected, as in {}(k: x[k])", token_.text,
                       kReductions[static_cast<std::size_t>(reduction)]));
    }
    std::vector<Node> operands;
    operands.push_back(expression(1));
    if (accept("where")) operands.push_back(expression(1));
    expect(")");
    if (reduction >= Reduction::argmax && indices.size() > 1) {
      fail_at(begin, fmt::format("'{}' takes one index, {} found",
                                 kReductions[static_cast<std::size_t>(reduction)], indices.size()));
    }
    Node made = make(Op::reduce, begin, std::move(operands));
    made.reduction = reduction;
    made.indices = std::move(indices);
    made.extents = std::move(extents);
    return made;
  }

  std::string_view text_;
  Location where_;
  Token token_;
  int nesting_ = 0;
};

}  // namespace

bool is_name(std::string_view text) {
  const Token token = next_token(text, 0);
  return token.kind == TokenKind::word && token.text == text &&
         std::find(kWords.begin(), kWords.end(), text) == kWords.end();
}

std::vector<Statement> parse_definition(std::string_view definition, const Location& where) {
  return DefinitionParser(definition, where).parse();
}

}  // namespace warpcheck::operation
