// Dimensions of tensors: whole numbers that follow from extents, such as "2 * height + 1",
// "batch * heads", "(length - taps) / step + 1" or "ceil_div(n, 256)".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::operation {

struct Factor;

/// A sum of products, in one form for all spellings.
struct Dimension {
  struct Term {
    std::vector<Factor> factors;  // sorted by their texts
    std::int64_t number = 1;
  };
  std::vector<Term> terms;
  std::int64_t constant = 0;

  [[nodiscard]] bool is_constant() const { return terms.empty(); }
};

/// An extent, or a function of two dimensions. `/` and `//` round towards zero, as in C.
struct Factor {
  std::string text;
  std::string function;  // "/", "ceil_div", "min", "max"; empty: an extent, whose name is `text`
  std::vector<Dimension> operands;
};

/// Parses "rows", "3", "length - taps + 1", "ceil_div(n, 256)". Empty for another text.
[[nodiscard]] std::optional<Dimension> parse_dimension(std::string_view text);

/// The text of a dimension, the same for all spellings: "2 * height + 1".
[[nodiscard]] std::string print(const Dimension& dimension);

/// The extents in a dimension.
[[nodiscard]] std::set<std::string> extents_of(const Dimension& dimension);

/// The divisors in a dimension that may be 0.
[[nodiscard]] std::vector<Dimension> divisors_of(const Dimension& dimension);

/// The number of a dimension whose extent is a number: 3 for "3". Empty for another text.
[[nodiscard]] std::optional<std::int64_t> constant_extent(std::string_view extent);

/// True if the text of print() is neither an extent nor a number.
[[nodiscard]] bool is_compound(std::string_view extent);

/// True if the first of two texts of print() is at most the second one, for all values of the
/// names.
[[nodiscard]] bool is_at_most(std::string_view extent, std::string_view other);

/// True for "rows + 1" and the name "rows".
[[nodiscard]] bool depends_on(std::string_view extent, std::string_view name);

/// The value of a text of print(), at least 0 and at most 2^62. `value_of` returns the value of a
/// name. A quotient by 0 is 0.
[[nodiscard]] std::int64_t extent_value(
    std::string_view extent, const std::function<std::int64_t(std::string_view)>& value_of);

}  // namespace warpcheck::operation
