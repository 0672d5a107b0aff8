// One concrete problem, printable as one line and parsable back.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::campaign {

/// The method that generates the elements of A, B and C, or of the tensors, see
/// campaign/generate/data/data.hpp and tensor_data.hpp.
enum class Recipe {
  lattice,       // small signed integers without zeros; every partial sum is exact
  normal,        // N(0, 1)
  wide,          // signed, exponents spread widely
  cancellation,  // [A, -A][B; B] = 0
  spikes,        // row i carries a spike at k = pi(i)
  onehot,        // index-coded: a wrong element names the element read in its place
  special,       // NaN and Inf among the values
  masked,        // -Inf in a part of many rows: prefixes, suffixes, tiles, whole rows
  crowded,       // integers: many are equal, or they are in order
  zeros,         // zeros of both signs, in such parts
  equal,         // equal elements, in such parts
  negative,      // rows without a positive element
  dominant,      // one element of a row is far larger than the others
  ordered,       // rows ascend or descend
  subnormal,     // subnormal numbers, in such parts
  large,         // large numbers, in such parts
};

inline constexpr Recipe kLastRecipe = Recipe::large;

/// Returns true for the recipes after `special`: the elements of the tensors have a structure.
[[nodiscard]] constexpr bool is_structured(Recipe recipe) { return recipe > Recipe::special; }

/// Returns true if a sum of the elements is rounded.
[[nodiscard]] constexpr bool is_rounded(Recipe recipe) {
  return recipe == Recipe::normal || recipe == Recipe::wide;
}

[[nodiscard]] std::string_view name(Recipe recipe);

/// The meaning of a numeric field. Those of one kind follow one another in searches.
enum class FieldKind : std::uint8_t {
  extent,
  leading_dimension,  // elements from one line to the next; 0: tight
  batch_stride,       // elements from one matrix to the next; 0: tight
  batch,
  offset,         // elements by which the base is shifted from a 256-byte boundary
  transposition,  // 1: the operand is stored with rows and columns exchanged
  order,          // digits of the order of a tensor's dimensions in memory; 0: theirs
  factor
};

[[nodiscard]] constexpr bool is_stride(FieldKind kind) {
  return kind == FieldKind::leading_dimension || kind == FieldKind::batch_stride;
}

/// Returns true if cases and their lines state a field also where it has its default.
[[nodiscard]] constexpr bool is_always_stated(FieldKind kind) {
  return kind == FieldKind::extent || kind == FieldKind::factor;
}

/// A numeric field that a case line may state.
struct LineField {
  std::string_view name;
  FieldKind kind = FieldKind::extent;
  // The number of a case that does not state the field.
  double default_number = is_always_stated(kind) || kind == FieldKind::batch ? 1.0 : 0.0;
};

/// The operation of a line that states none.
inline constexpr std::string_view kDefaultOperation = contract::kOperations.front();

struct NamedValue {
  std::string name;
  double value = 0.0;
};

struct Case {
  std::string variant;
  std::string operation{kDefaultOperation};
  std::vector<NamedValue> values;  // the numeric fields that the case states
  Recipe data = Recipe::lattice;
  std::uint64_t seed = 0;
  std::string property;  // the property to check; empty: matches-reference

  /// Returns the number that the case states for a field; empty if it states none.
  [[nodiscard]] std::optional<double> value(std::string_view name) const;
  void set_value(std::string_view name, double value);
  void set_value(std::string_view name, std::integral auto value) {
    set_value(name, static_cast<double>(value));
  }

  /// Returns the stated number, or the default of the field.
  [[nodiscard]] double number(std::string_view name) const;
  /// Returns the same, rounded to a whole number.
  [[nodiscard]] std::int64_t whole(std::string_view name) const;

  /// Cases are equal if each field has the same number in both, stated or not.
  friend bool operator==(const Case& one, const Case& other);
};

/// Returns the nearest whole number, or the extreme one of its type.
[[nodiscard]] std::int64_t whole_number(double value);

/// Returns the fields that a line of the case may state, in its order. The fields of an operation
/// of the language are those that the case states; its extents and its scalars have one kind.
[[nodiscard]] std::vector<LineField> line_fields(const Case& problem);

/// Returns a measure by which the sizes of the cases of one contract are compared: the product of
/// the extents, the batch and the scalars of the language, 1 added to the magnitude of each.
[[nodiscard]] double size_measure(const Case& problem);

/// "sgemm_tiled32 m=65 n=33 k=17 lda=19 off_a=1 alpha=1 beta=0 data=lattice seed=42". Numbers
/// round-trip exactly. Fields other than m, n, k, alpha, beta, data and seed are omitted if they
/// have their default. ta=t means transposed, ta=n not transposed. The line of another operation:
/// "softmax_rows operation=softmax rows=3 columns=65 off_x=1 scale=0.5 data=normal seed=42".
[[nodiscard]] std::string to_line(const Case& problem);

/// The inverse of to_line(). Omitted fields have their defaults. Throws InputError, located at the
/// column of the field that is unknown, given twice, or out of range. `file` and `line` are the
/// place of the text.
[[nodiscard]] Case parse_case(std::string_view text, const std::string& file = "case",
                              unsigned line = 1);

/// Reads one case per line and skips empty lines and comments, which begin with #. Throws
/// InputError with the errors of all lines.
[[nodiscard]] std::vector<Case> parse_cases(std::string_view text, const std::string& file);

}  // namespace warpcheck::campaign
