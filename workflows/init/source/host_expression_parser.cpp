// The parser of host_expression.hpp.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "workflows/init/source/host_expression.hpp"
#include "workflows/init/source/lower_case.hpp"

namespace warpcheck::workflows::init {

using contract::closing_angle;
using contract::closing_bracket;
using contract::CppTokenKind;
using contract::split_at_commas;

namespace {

constexpr int kDeepest = 24;  // macros and definitions that use each other

/// "32", "0x20u", "32.0f"; empty if it is not a whole number.
HostValue parsed_number(std::string_view text) {
  std::string digits(text);
  std::erase(digits, '\'');
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (!hexadecimal && digits.find_first_of(".eE") != std::string::npos) {
    double real = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), real);
    const bool whole = error == std::errc() && std::abs(real) < 1e9 && real == std::floor(real);
    return whole ? number_value(static_cast<std::int64_t>(real)) : nullptr;
  }
  std::int64_t number = 0;
  const char* const begin = digits.data() + (hexadecimal ? 2 : 0);
  const auto [end, error] =
      std::from_chars(begin, digits.data() + digits.size(), number, hexadecimal ? 16 : 10);
  if (error != std::errc()) return nullptr;
  const std::string_view suffix(end, static_cast<std::size_t>(digits.data() + digits.size() - end));
  if (suffix.find_first_not_of("uUlLzZ") != std::string_view::npos) return nullptr;
  return number_value(number);
}

bool is_arithmetic_type(std::string_view word) {
  constexpr std::string_view kTypes[] = {"int",      "unsigned",  "long",    "short",   "char",
                                         "float",    "double",    "size_t",  "int32_t", "int64_t",
                                         "uint32_t", "uint64_t",  "uint",    "auto",    "std",
                                         "const",    "ptrdiff_t", "ssize_t", "index_t", "dim_t"};
  return std::find(std::begin(kTypes), std::end(kTypes), word) != std::end(kTypes);
}

std::int64_t size_of_type(std::string_view type) {
  if (type.find("double") != std::string_view::npos || type.find("64") != std::string_view::npos)
    return 8;
  if (type.find("half") != std::string_view::npos ||
      type.find("bfloat16") != std::string_view::npos ||
      type.find("short") != std::string_view::npos) {
    return 2;
  }
  if (type.find("char") != std::string_view::npos || type.find("int8") != std::string_view::npos)
    return 1;
  if (type.find("float4") != std::string_view::npos) return 16;
  if (type.find("float") != std::string_view::npos || type.find("int") != std::string_view::npos)
    return 4;
  return 0;
}

/// Functions that divide and round up, under the names that people give them.
bool rounds_quotient_up(const std::string& name) {
  const std::string lower = lower_case(name);
  for (const char* part : {"ceil_div", "ceildiv", "cdiv", "div_up", "divup", "div_ceil", "divceil",
                           "updiv", "up_div", "div_round_up", "divroundup", "ceiling_div"}) {
    if (lower.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

class HostExpressionParser {
 public:
  HostExpressionParser(Tokens tokens, const HostScope& scope, int depth)
      : tokens_(tokens), scope_(scope), depth_(depth) {}

  HostValue run() {
    HostValue value = conditional();
    return at_ == tokens_.size() ? value : nullptr;
  }

 private:
  [[nodiscard]] bool at(std::string_view symbol, std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].is(symbol);
  }

  /// condition ? x : y, of which only the remainder test is known.
  HostValue conditional() {
    HostValue condition = comparison();
    if (!at("?")) return condition;
    ++at_;
    const HostValue yes = conditional();
    if (!at(":")) return nullptr;
    ++at_;
    const HostValue no = conditional();
    if (!condition || !yes || !no) return nullptr;
    if (condition->is_number()) return condition->number != 0 ? yes : no;
    const bool one_or_zero =
        yes->is_number() && no->is_number() && yes->number == 1 && no->number == 0;
    if (!one_or_zero) return nullptr;
    return condition->op == "!=" ? condition : combined("!=", condition, number_value(0));
  }

  HostValue comparison() {
    HostValue left = shift();
    if (at("!=") || (at(">") && !at(">", 1))) {
      const bool greater = at(">");
      ++at_;
      const HostValue right = shift();
      if (greater && !(right && right->is_number() && right->number == 0)) return nullptr;
      return combined("!=", left, right);
    }
    return left;
  }

  HostValue shift() {
    HostValue left = sum();
    while (at("<<") || (at(">") && at(">", 1))) {
      const bool to_left = at("<<");
      at_ += to_left ? 1 : 2;
      left = combined(to_left ? "<<" : ">>", left, sum());
    }
    return left;
  }

  HostValue sum() {
    HostValue left = product();
    while (at("+") || at("-")) {
      const std::string op(tokens_[at_++].text);
      left = combined(op, left, product());
    }
    return left;
  }

  HostValue product() {
    HostValue left = unary();
    while (at("*") || at("/") || at("%")) {
      const std::string op(tokens_[at_++].text);
      left = combined(op, left, unary());
    }
    return left;
  }

  HostValue unary() {
    if (at("-")) {
      ++at_;
      return combined("-", number_value(0), unary());
    }
    if (at("+")) ++at_;
    if (at("(") && is_cast()) {
      at_ = closing_bracket(tokens_, at_) + 1;
      return unary();
    }
    return primary();
  }

  /// `(int)` before an operand.
  [[nodiscard]] bool is_cast() const {
    const std::size_t close = closing_bracket(tokens_, at_);
    if (close + 1 >= tokens_.size() || close == at_ + 1) return false;
    for (std::size_t i = at_ + 1; i < close; ++i) {
      if (!is_arithmetic_type(tokens_[i].text) && !tokens_[i].is("::")) return false;
    }
    return true;
  }

  HostValue primary() {
    if (at_ >= tokens_.size()) return nullptr;
    const Token& token = tokens_[at_];
    if (token.kind == CppTokenKind::number) {
      ++at_;
      return parsed_number(token.text);
    }
    if (token.is("(") || token.is("{")) return bracketed();
    if (!token.is_word()) return nullptr;
    if (token.is("sizeof")) return size_of_operand();
    if (token.text.ends_with("_cast") && at("<", 1)) {
      const std::size_t close = closing_angle(tokens_, at_ + 1);
      if (close + 1 >= tokens_.size()) return nullptr;
      at_ = close + 1;
      return bracketed();
    }
    return named();
  }

  HostValue bracketed() {
    if (at_ >= tokens_.size()) return nullptr;
    const std::size_t close = closing_bracket(tokens_, at_);
    if (close >= tokens_.size()) return nullptr;
    const Tokens inner = tokens_.subspan(at_ + 1, close - at_ - 1);
    at_ = close + 1;
    return scope_.value(inner, depth_ + 1);
  }

  HostValue size_of_operand() {
    if (!at("(", 1)) return nullptr;
    const std::size_t close = closing_bracket(tokens_, at_ + 1);
    if (close >= tokens_.size()) return nullptr;
    const std::int64_t bytes = size_of_type(to_text(tokens_.subspan(at_ + 2, close - at_ - 2)));
    at_ = close + 1;
    return bytes > 0 ? number_value(bytes) : nullptr;
  }

  /// A name with members, scopes and calls: N, Traits::tile, grid.x, A.size(0), CEIL_DIV(M, 32).
  HostValue named() {
    const std::size_t begin = at_;
    std::string last(tokens_[at_++].text);
    while (at_ + 1 < tokens_.size() && (at(".") || at("::") || at("->")) &&
           tokens_[at_ + 1].is_word()) {
      last = tokens_[at_ + 1].text;
      at_ += 2;
    }
    const std::size_t name_end = at_;
    std::optional<Tokens> arguments;
    while (at("(") || at("[")) {
      const std::size_t close = closing_bracket(tokens_, at_);
      if (close >= tokens_.size()) return nullptr;
      if (at("(") && !arguments) arguments = tokens_.subspan(at_ + 1, close - at_ - 1);
      at_ = close + 1;
    }
    const auto bound = scope_.words_.find(to_text(tokens_.subspan(begin, at_ - begin)));
    if (bound != scope_.words_.end()) return word_value(bound->second);
    if (arguments) return call(last, *arguments);
    if (name_end == begin + 3 && tokens_[begin + 1].is(".")) {
      return member(std::string(tokens_[begin].text), last);
    }
    return constant(last);
  }

  HostValue member(const std::string& name, const std::string& member) const {
    const auto known = scope_.extents_.find(name);
    if (known == scope_.extents_.end() || member.size() != 1) return nullptr;
    const auto axis = static_cast<std::size_t>(member[0] - 'x');
    if (axis > 2) return nullptr;
    if (axis >= known->second.size()) return number_value(1);
    return scope_.value(known->second[axis], depth_ + 1);
  }

  HostValue constant(const std::string& name) const {
    const auto value = scope_.values_.find(name);
    if (value != scope_.values_.end()) {
      if (HostValue found = scope_.value(value->second, depth_ + 1)) return found;
    }
    const auto macro = scope_.macros_.find(name);
    if (macro == scope_.macros_.end() || macro->second.takes_arguments) return nullptr;
    return scope_.value(macro->second.body, depth_ + 1);
  }

  HostValue call(const std::string& name, Tokens list) const {
    const std::vector<Tokens> arguments = split_at_commas(list);
    std::vector<HostValue> values;
    for (const Tokens argument : arguments) values.push_back(scope_.value(argument, depth_ + 1));
    if (HostValue expanded = expansion(name, arguments)) return expanded;
    if (values.size() == 2 && rounds_quotient_up(name))
      return combined("ceil_div", values[0], values[1]);
    if (values.size() == 2 && (name == "min" || name == "max")) {
      return combined(name, values[0], values[1]);
    }
    if (values.size() != 1 || !values[0]) return nullptr;
    if (name == "ceil" || name == "ceilf") {
      const HostExpression& value = *values[0];
      return value.op == "/" ? combined("ceil_div", value.operands[0], value.operands[1])
                             : values[0];
    }
    return is_arithmetic_type(name) ? values[0] : nullptr;
  }

  /// The value of a macro or of a function that returns one expression. Words of the contract pass
  /// through as they are.
  HostValue expansion(const std::string& name, const std::vector<Tokens>& arguments) const {
    const auto macro = scope_.macros_.find(name);
    if (macro == scope_.macros_.end() || !macro->second.takes_arguments ||
        macro->second.parameters.size() != arguments.size()) {
      return nullptr;
    }
    std::vector<Token> text;
    for (const Token& token : macro->second.body) {
      const auto& parameters = macro->second.parameters;
      const auto parameter = std::find(parameters.begin(), parameters.end(), token.text);
      if (parameter == parameters.end()) {
        text.push_back(token);
        continue;
      }
      const Tokens argument = arguments[static_cast<std::size_t>(parameter - parameters.begin())];
      text.push_back({CppTokenKind::symbol, "(", 0, 0});
      text.insert(text.end(), argument.begin(), argument.end());
      text.push_back({CppTokenKind::symbol, ")", 0, 0});
    }
    return scope_.value(text, depth_ + 1);
  }

  Tokens tokens_;
  const HostScope& scope_;
  int depth_;
  std::size_t at_ = 0;
};

HostValue HostScope::value(Tokens tokens, int depth) const {
  if (tokens.empty() || depth > kDeepest) return nullptr;
  const auto bound = words_.find(init::to_text(tokens));
  if (bound != words_.end()) return word_value(bound->second);
  return HostExpressionParser(tokens, *this, depth).run();
}

HostValue HostScope::value(std::string_view text) const {
  const std::vector<Token> tokens = contract::cpp_tokens(text);
  return value(Tokens(tokens));
}

void HostScope::define(Tokens tokens) {
  for (auto& [name, value] : values_in(tokens)) values_[name] = std::move(value);
  for (auto& [name, value] : extents_in(tokens)) extents_[name] = std::move(value);
}

std::vector<std::string> HostScope::names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : values_) names.push_back(name);
  return names;
}

std::vector<HostValue> HostScope::extents(Tokens tokens) const {
  if (tokens.size() == 1) {
    const auto known = extents_.find(std::string(tokens[0].text));
    if (known != extents_.end()) {
      std::vector<HostValue> values;
      for (const auto& extent : known->second) values.push_back(value(extent));
      return values;
    }
  }
  std::size_t open = !tokens.empty() && tokens[0].is("dim3") ? 1 : 0;
  const bool listed =
      open < tokens.size() && (tokens[open].is("{") || (open == 1 && tokens[1].is("(")));
  if (listed && closing_bracket(tokens, open) + 1 == tokens.size()) {
    std::vector<HostValue> values;
    for (const Tokens part : split_at_commas(tokens.subspan(open + 1, tokens.size() - open - 2))) {
      values.push_back(value(part));
    }
    return values;
  }
  return {value(tokens)};
}

}  // namespace warpcheck::workflows::init
