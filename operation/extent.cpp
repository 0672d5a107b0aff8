#include "operation/extent.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "operation/token.hpp"

namespace warpcheck::operation {
namespace {

constexpr std::int64_t kLargestNumber = std::int64_t{1} << 31;

class DimensionParser {
 public:
  explicit DimensionParser(std::string_view text) : text_(text), token_(next_token(text, 0)) {}

  std::optional<Dimension> parse() {
    Dimension made;
    std::int64_t sign = accept("-") ? -1 : 1;
    while (true) {
      if (!term(sign, made)) return std::nullopt;
      if (token_.kind == TokenKind::end) return made;
      sign = token_.text == "-" ? -1 : 1;
      if (!accept("+") && !accept("-")) return std::nullopt;
    }
  }

 private:
  bool accept(std::string_view symbol) {
    if (token_.kind == TokenKind::end || token_.text != symbol) return false;
    advance();
    return true;
  }

  void advance() { token_ = next_token(text_, token_.begin + token_.text.size()); }

  /// A number, a name, or a product of both.
  bool term(std::int64_t sign, Dimension& made) {
    std::int64_t factor = sign;
    std::string name;
    do {
      if (token_.kind == TokenKind::word && name.empty()) {
        name = token_.text;
      } else if (const auto number = constant_extent(token_.text);
                 number && *number <= kLargestNumber && std::abs(factor) <= kLargestNumber) {
        factor *= *number;
      } else {
        return false;
      }
      advance();
    } while (accept("*"));
    if (name.empty()) {
      made.constant += factor;
      return true;
    }
    for (auto& [known, sum] : made.terms) {
      if (known != name) continue;
      sum += factor;
      return true;
    }
    made.terms.emplace_back(std::move(name), factor);
    return true;
  }

  std::string_view text_;
  Token token_;
};

void append(std::string& text, std::int64_t factor, std::string_view name) {
  if (factor == 0) return;
  if (text.empty()) {
    text = factor < 0 ? "-" : "";
  } else {
    text += factor < 0 ? " - " : " + ";
  }
  const std::int64_t magnitude = std::abs(factor);
  if (name.empty()) {
    text += std::to_string(magnitude);
  } else {
    text += magnitude == 1 ? std::string(name) : fmt::format("{} * {}", magnitude, name);
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

bool is_sum(std::string_view extent) { return extent.find(' ') != std::string_view::npos; }

std::optional<Dimension> parse_dimension(std::string_view text) {
  return DimensionParser(text).parse();
}

bool is_at_most(std::string_view extent, std::string_view other) {
  const Dimension less = parse_dimension(extent).value_or(Dimension{});
  Dimension rest = parse_dimension(other).value_or(Dimension{});
  for (const auto& wanted : less.terms) {
    const auto term =
        std::ranges::find(rest.terms, wanted.first, [](const auto& one) { return one.first; });
    if (term == rest.terms.end()) return false;
    term->second -= wanted.second;
  }
  return rest.constant >= less.constant &&
         std::all_of(rest.terms.begin(), rest.terms.end(),
                     [](const auto& term) { return term.second >= 0; });
}

std::string print(const Dimension& dimension) {
  std::string text;
  for (const auto& [name, factor] : dimension.terms) append(text, factor, name);
  append(text, dimension.constant, {});
  return text.empty() ? "0" : text;
}

bool depends_on(std::string_view extent, std::string_view name) {
  const auto dimension = parse_dimension(extent);
  return dimension && std::any_of(dimension->terms.begin(), dimension->terms.end(),
                                  [&](const auto& term) { return term.first == name; });
}

}  // namespace warpcheck::operation
