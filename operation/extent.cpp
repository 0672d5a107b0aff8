#include "operation/extent.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "operation/token.hpp"

namespace warpcheck::operation {
namespace {

constexpr std::int64_t kLargestNumber = std::int64_t{1} << 31;
constexpr std::string_view kDivide = "/";
constexpr std::string_view kCeilDiv = "ceil_div";
constexpr std::array<std::string_view, 3> kDimensionFunctions = {kCeilDiv, "min", "max"};

bool divides(const Factor& factor) {
  return factor.function == kDivide || factor.function == kCeilDiv;
}

std::vector<std::string_view> texts(const std::vector<Factor>& factors) {
  std::vector<std::string_view> all;
  for (const Factor& factor : factors) all.push_back(factor.text);
  return all;
}

void add(Dimension& sum, const Dimension::Term& term) {
  if (term.factors.empty()) {
    sum.constant += term.number;
    return;
  }
  const auto known = std::ranges::find_if(sum.terms, [&](const Dimension::Term& one) {
    return texts(one.factors) == texts(term.factors);
  });
  if (known == sum.terms.end()) {
    sum.terms.push_back(term);
  } else if ((known->number += term.number) == 0) {
    sum.terms.erase(known);
  }
}

/// The terms of a dimension, and its constant as one.
std::vector<Dimension::Term> all_terms(const Dimension& dimension) {
  std::vector<Dimension::Term> all = dimension.terms;
  if (dimension.constant != 0) all.push_back({{}, dimension.constant});
  return all;
}

void add(Dimension& sum, const Dimension& more, std::int64_t sign) {
  for (Dimension::Term term : all_terms(more)) {
    term.number *= sign;
    add(sum, term);
  }
}

Dimension product(const Dimension& one, const Dimension& other) {
  Dimension made;
  for (const Dimension::Term& x : all_terms(one)) {
    for (const Dimension::Term& y : all_terms(other)) {
      Dimension::Term term{x.factors, x.number * y.number};
      term.factors.insert(term.factors.end(), y.factors.begin(), y.factors.end());
      std::ranges::sort(term.factors, {}, &Factor::text);
      add(made, term);
    }
  }
  return made;
}

/// The text of an operand of a quotient: a sum or a product is in parentheses.
std::string operand_text(const Dimension& dimension) {
  const std::string text = print(dimension);
  const bool is_call = dimension.constant == 0 && dimension.terms.size() == 1 &&
                       dimension.terms.front().number == 1 &&
                       dimension.terms.front().factors.size() == 1 &&
                       dimension.terms.front().factors.front().function != kDivide;
  return is_compound(text) && !is_call ? fmt::format("({})", text) : text;
}

Dimension function_of(std::string_view name, Dimension x, Dimension y) {
  Factor factor;
  factor.text = name == kDivide ? fmt::format("{} / {}", operand_text(x), operand_text(y))
                                : fmt::format("{}({}, {})", name, print(x), print(y));
  factor.function = name;
  factor.operands = {std::move(x), std::move(y)};
  return {{{{std::move(factor)}, 1}}, 0};
}

bool has_large_number(const Dimension& dimension) {
  const auto terms = all_terms(dimension);
  return std::ranges::any_of(terms, [](const Dimension::Term& term) {
    return term.number > kLargestNumber || term.number < -kLargestNumber;
  });
}

class DimensionParser {
 public:
  explicit DimensionParser(std::string_view text) : text_(text), token_(next_token(text, 0)) {}

  std::optional<Dimension> parse() {
    auto made = sum();
    return token_.kind == TokenKind::end ? made : std::nullopt;
  }

 private:
  using Parsed = std::optional<Dimension>;

  bool accept(std::string_view symbol) {
    if (token_.kind == TokenKind::end || token_.text != symbol) return false;
    advance();
    return true;
  }

  void advance() { token_ = next_token(text_, token_.begin + token_.text.size()); }

  Parsed sum() {
    Dimension made;
    std::int64_t sign = accept("-") ? -1 : 1;
    while (true) {
      const Parsed term = product_of_factors();
      if (!term) return std::nullopt;
      add(made, *term, sign);
      if (accept("+")) {
        sign = 1;
      } else if (accept("-")) {
        sign = -1;
      } else {
        return has_large_number(made) ? std::nullopt : Parsed(made);
      }
    }
  }

  Parsed product_of_factors() {
    Parsed made = factor();
    while (made) {
      const bool is_quotient = accept(kDivide) || accept("//");
      if (!is_quotient && !accept("*")) return made;
      Parsed next = factor();
      if (!next || has_large_number(*next) || has_large_number(*made)) return std::nullopt;
      if (is_quotient && next->is_constant() && next->constant == 0) return std::nullopt;
      made = is_quotient ? function_of(kDivide, *std::move(made), *std::move(next))
                         : product(*made, *next);
    }
    return made;
  }

  Parsed factor() {
    if (accept("(")) return closed(sum());
    const std::string_view text = token_.text;
    if (const auto number = constant_extent(text); number && *number <= kLargestNumber) {
      advance();
      return Dimension{{}, *number};
    }
    if (token_.kind != TokenKind::word) return std::nullopt;
    advance();
    if (!accept("(")) return Dimension{{{{{std::string(text), {}, {}}}, 1}}, 0};
    if (std::ranges::find(kDimensionFunctions, text) == kDimensionFunctions.end())
      return std::nullopt;
    Parsed x = sum();
    if (!x || !accept(",")) return std::nullopt;
    Parsed y = closed(sum());
    if (!y || (text == kCeilDiv && y->is_constant() && y->constant < 1)) return std::nullopt;
    return function_of(text, *std::move(x), *std::move(y));
  }

  Parsed closed(Parsed inner) { return accept(")") ? std::move(inner) : std::nullopt; }

  std::string_view text_;
  Token token_;
};

std::string term_text(const Dimension::Term& term) {
  std::vector<std::string> parts;
  const std::int64_t magnitude = std::abs(term.number);
  const bool has_number = magnitude != 1 || term.factors.empty();
  if (has_number) parts.push_back(std::to_string(magnitude));
  for (const Factor& factor : term.factors) {
    const bool needs_parentheses =
        factor.function == kDivide && (has_number || term.factors.size() > 1);
    parts.push_back(needs_parentheses ? fmt::format("({})", factor.text) : factor.text);
  }
  return fmt::to_string(fmt::join(parts, " * "));
}

using ValueOf = std::function<std::int64_t(std::string_view)>;

constexpr std::int64_t kMost = std::int64_t{1} << 62;

std::int64_t saturated_sum(std::int64_t x, std::int64_t y) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(x, y, &sum)) return x < 0 ? -kMost : kMost;
  return std::clamp(sum, -kMost, kMost);
}

std::int64_t saturated_product(std::int64_t x, std::int64_t y) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(x, y, &product)) return (x < 0) != (y < 0) ? -kMost : kMost;
  return std::clamp(product, -kMost, kMost);
}

std::int64_t value(const Dimension& dimension, const ValueOf& value_of);

std::int64_t value(const Factor& factor, const ValueOf& value_of) {
  if (factor.function.empty()) return value_of(factor.text);
  const std::int64_t x = value(factor.operands[0], value_of);
  const std::int64_t y = value(factor.operands[1], value_of);
  if (factor.function == "min") return std::min(x, y);
  if (factor.function == "max") return std::max(x, y);
  if (y == 0) return 0;
  const bool rounds_up = factor.function == kCeilDiv && x % y != 0 && (x < 0) == (y < 0);
  return x / y + (rounds_up ? 1 : 0);
}

std::int64_t value(const Dimension& dimension, const ValueOf& value_of) {
  std::int64_t sum = dimension.constant;
  for (const Dimension::Term& term : dimension.terms) {
    std::int64_t product = term.number;
    for (const Factor& factor : term.factors) {
      product = saturated_product(product, value(factor, value_of));
    }
    sum = saturated_sum(sum, product);
  }
  return sum;
}

template <class Visit>
void for_each_factor(const Dimension& dimension, const Visit& visit) {
  for (const Dimension::Term& term : dimension.terms) {
    for (const Factor& factor : term.factors) {
      visit(factor);
      for (const Dimension& operand : factor.operands) for_each_factor(operand, visit);
    }
  }
}

}  // namespace

std::optional<std::int64_t> constant_extent(std::string_view extent) {
  std::int64_t number = 0;
  const char* const end = extent.data() + extent.size();
  const auto [stop, error] = std::from_chars(extent.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

bool is_compound(std::string_view extent) { return extent.find(' ') != std::string_view::npos; }

std::optional<Dimension> parse_dimension(std::string_view text) {
  return DimensionParser(text).parse();
}

/// Extents are at least 0, but a quotient of a difference may be negative.
bool is_at_most(std::string_view extent, std::string_view other) {
  Dimension rest = parse_dimension(other).value_or(Dimension{});
  add(rest, parse_dimension(extent).value_or(Dimension{}), -1);
  return rest.constant >= 0 && std::ranges::all_of(rest.terms, [](const Dimension::Term& term) {
           return term.number >= 0 && std::ranges::all_of(term.factors, [](const Factor& factor) {
                    return factor.function.empty();
                  });
         });
}

std::string print(const Dimension& dimension) {
  std::string text;
  for (const Dimension::Term& term : all_terms(dimension)) {
    const std::string_view sign = term.number < 0 ? "-" : text.empty() ? "" : "+";
    text += text.empty() ? fmt::format("{}{}", sign, term_text(term))
                         : fmt::format(" {} {}", sign, term_text(term));
  }
  return text.empty() ? "0" : text;
}

std::set<std::string> extents_of(const Dimension& dimension) {
  std::set<std::string> names;
  for_each_factor(dimension, [&](const Factor& factor) {
    if (factor.function.empty()) names.insert(factor.text);
  });
  return names;
}

std::vector<Dimension> divisors_of(const Dimension& dimension) {
  std::vector<Dimension> divisors;
  for_each_factor(dimension, [&](const Factor& factor) {
    if (divides(factor) && !factor.operands[1].is_constant())
      divisors.push_back(factor.operands[1]);
  });
  return divisors;
}

bool depends_on(std::string_view extent, std::string_view name) {
  const auto dimension = parse_dimension(extent);
  return dimension && extents_of(*dimension).contains(std::string(name));
}

std::int64_t extent_value(std::string_view extent, const ValueOf& value_of) {
  if (const auto number = constant_extent(extent)) return *number;
  if (!is_compound(extent)) return value_of(extent);
  return std::max<std::int64_t>(value(parse_dimension(extent).value_or(Dimension{}), value_of), 0);
}

}  // namespace warpcheck::operation
