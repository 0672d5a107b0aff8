// Dimensions of tensors: an extent, a number, or a sum of them, such as "2 * height + 1".
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpcheck::operation {

struct Dimension {
  std::vector<std::pair<std::string, std::int64_t>> terms;  // extents and their factors
  std::int64_t constant = 0;
};

/// Parses "rows", "3", "length - taps + 1". Empty if the text is something else.
[[nodiscard]] std::optional<Dimension> parse_dimension(std::string_view text);

/// The text of a dimension, the same for all spellings: "2 * height + 1".
[[nodiscard]] std::string print(const Dimension& dimension);

/// The number of a dimension whose extent is a number: 3 for "3". Empty for a name or a sum.
[[nodiscard]] std::optional<std::int64_t> constant_extent(std::string_view extent);

/// True if the text of print() is a sum with a name in it.
[[nodiscard]] bool is_sum(std::string_view extent);

/// True if the first of two texts of print() is at most the second one, for all values of the
/// names.
[[nodiscard]] bool is_at_most(std::string_view extent, std::string_view other);

/// True for "rows + 1" and the name "rows".
[[nodiscard]] bool depends_on(std::string_view extent, std::string_view name);

/// The value of a text of print(), at least 0. `value_of` returns the value of a name.
template <class ValueOf>
[[nodiscard]] std::int64_t extent_value(std::string_view extent, const ValueOf& value_of) {
  if (const auto number = constant_extent(extent)) return *number;
  if (!is_sum(extent)) return value_of(extent);
  const Dimension dimension = parse_dimension(extent).value_or(Dimension{});
  double sum = static_cast<double>(dimension.constant);
  for (const auto& [name, factor] : dimension.terms) {
    sum += static_cast<double>(factor) * static_cast<double>(value_of(name));
  }
  return static_cast<std::int64_t>(std::clamp(sum, 0.0, 0x1p62));
}

}  // namespace warpcheck::operation
