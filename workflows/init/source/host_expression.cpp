#include "workflows/init/source/host_expression.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpcheck::workflows::init {
namespace {

HostValue operation(std::string op, HostValue x, HostValue y) {
  return std::make_shared<HostExpression>(
      HostExpression{std::move(op), 0, {}, {std::move(x), std::move(y)}});
}

bool same(const HostValue& x, const HostValue& y) { return to_text(*x) == to_text(*y); }

/// Collects the terms of a sum; numbers are added to `constant`.
void add_terms(const HostValue& value, std::int64_t sign,
               std::vector<std::pair<HostValue, std::int64_t>>& terms, std::int64_t& constant) {
  if (value->op == "+" || value->op == "-") {
    add_terms(value->operands[0], sign, terms, constant);
    add_terms(value->operands[1], value->op == "-" ? -sign : sign, terms, constant);
  } else if (value->is_number()) {
    constant += sign * value->number;
  } else {
    terms.emplace_back(value, sign);
  }
}

/// (x + d - 1) / d -> x; empty for any other dividend.
HostValue rounded_up_by(const HostValue& dividend, const HostValue& divisor) {
  std::vector<std::pair<HostValue, std::int64_t>> terms;
  std::int64_t constant = 0;
  add_terms(dividend, 1, terms, constant);
  bool found = divisor->is_number() && divisor->number > 1 && constant == divisor->number - 1;
  if (!found && constant == -1) {
    const auto at = std::find_if(terms.begin(), terms.end(), [&](const auto& term) {
      return term.second == 1 && same(term.first, divisor);
    });
    found = at != terms.end() && terms.size() > 1;
    if (found) terms.erase(at);
  }
  if (!found || terms.empty()) return nullptr;
  HostValue sum;
  for (const auto& [term, sign] : terms) {
    if (!sum && sign < 0) return nullptr;
    sum = !sum ? term : combined(sign < 0 ? "-" : "+", sum, term);
  }
  return sum;
}

HostValue quotient(const HostValue& x, const HostValue& y) {
  if (y->is_number() && y->number == 1) return x;
  if (HostValue inner = rounded_up_by(x, y)) return operation("ceil_div", inner, y);
  return operation("/", x, y);
}

/// x / d + (x % d != 0) and (x - 1) / d + 1 are ceil_div(x, d).
HostValue sum(const HostValue& x, const HostValue& y) {
  if (x->op == "/" && y->op == "!=" && y->operands[0]->op == "%" &&
      same(x->operands[0], y->operands[0]->operands[0]) &&
      same(x->operands[1], y->operands[0]->operands[1])) {
    return operation("ceil_div", x->operands[0], x->operands[1]);
  }
  if (x->op == "/" && y->is_number() && y->number == 1) {
    const HostValue& dividend = x->operands[0];
    if (dividend->op == "-" && dividend->operands[1]->is_number() &&
        dividend->operands[1]->number == 1) {
      return operation("ceil_div", dividend->operands[0], x->operands[1]);
    }
  }
  if (y->is_number() && y->number == 0) return x;
  if (x->is_number() && x->number == 0) return y;
  return operation("+", x, y);
}

HostValue folded(const std::string& op, std::int64_t x, std::int64_t y) {
  if ((op == "/" || op == "%" || op == "ceil_div") && y <= 0) return nullptr;
  if (op == "<<") return y >= 0 && y < 31 ? number_value(x << y) : nullptr;
  if (op == ">>") return y >= 0 && y < 63 ? number_value(x >> y) : nullptr;
  std::int64_t result = 0;
  if (op == "+") {
    if (__builtin_add_overflow(x, y, &result)) return nullptr;
  } else if (op == "-") {
    if (__builtin_sub_overflow(x, y, &result)) return nullptr;
  } else if (op == "*") {
    if (__builtin_mul_overflow(x, y, &result)) return nullptr;
  } else if (op == "/") {
    result = x / y;
  } else if (op == "%") {
    result = x % y;
  } else if (op == "ceil_div") {
    result = x / y + (x % y > 0 ? 1 : 0);
  } else if (op == "min" || op == "max") {
    result = op == "min" ? std::min(x, y) : std::max(x, y);
  } else if (op == "!=") {
    result = x != y ? 1 : 0;
  } else {
    return nullptr;
  }
  return number_value(result);
}

int precedence(const std::string& op) {
  if (op == "+" || op == "-") return 1;
  if (op == "*" || op == "/" || op == "%") return 2;
  return op == "!=" ? 0 : 3;
}

std::string operand_text(const HostExpression& value, int least) {
  const std::string text = to_text(value);
  return precedence(value.op) < least && !value.op.empty() ? "(" + text + ")" : text;
}

}  // namespace

HostValue number_value(std::int64_t number) {
  return std::make_shared<HostExpression>(HostExpression{{}, number, {}, {}});
}

HostValue word_value(std::string word) {
  return std::make_shared<HostExpression>(HostExpression{{}, 0, std::move(word), {}});
}

HostValue combined(const std::string& op, const HostValue& x, const HostValue& y) {
  if (!x || !y) return nullptr;
  if (x->is_number() && y->is_number()) return folded(op, x->number, y->number);
  if (y->is_number() && op == "<<" && y->number >= 0 && y->number < 31) {
    return combined("*", x, number_value(std::int64_t{1} << y->number));
  }
  if (y->is_number() && op == ">>" && y->number >= 0 && y->number < 31) {
    return combined("/", x, number_value(std::int64_t{1} << y->number));
  }
  if (y->is_number() && y->number == 0 && (op == "/" || op == "%" || op == "ceil_div"))
    return nullptr;
  if (op == "/") return quotient(x, y);
  if (op == "+") return sum(x, y);
  if (op == "-" && y->is_number() && y->number == 0) return x;
  if ((op == "*" || op == "ceil_div") && y->is_number() && y->number == 1) return x;
  if (op == "*" && x->is_number() && x->number == 1) return y;
  const bool known = op == "-" || op == "*" || op == "%" || op == "ceil_div" || op == "min" ||
                     op == "max" || op == "!=";
  return known ? operation(op, x, y) : nullptr;
}

std::string to_text(const HostExpression& value) {
  if (value.op.empty()) return value.word.empty() ? std::to_string(value.number) : value.word;
  const HostExpression& x = *value.operands[0];
  const HostExpression& y = *value.operands[1];
  const int level = precedence(value.op);
  if (level == 3) return fmt::format("{}({}, {})", value.op, to_text(x), to_text(y));
  return fmt::format("{} {} {}", operand_text(x, level), value.op, operand_text(y, level + 1));
}

}  // namespace warpcheck::workflows::init
