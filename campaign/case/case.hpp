// One concrete problem, printable as one line and parsable back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"

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

/// A field of a case of an operation of the language: an extent, a stride, an offset or a scalar.
struct NamedValue {
  std::string name;
  double value = 0.0;

  friend bool operator==(const NamedValue&, const NamedValue&) = default;
};

/// C <- alpha A B + beta C + bias: A is m x k, B is k x n, C is m x n and bias is 1 x n, in
/// elements. A batch consists of `batch` such products with matrices at constant strides. A
/// transposed operand is stored with rows and columns exchanged. Leading dimensions, strides and
/// offsets count elements. An offset shifts the base from a 256-byte boundary.
struct Case {
  std::string variant;
  std::string operation;  // name of a declared operation; empty: gemm
  // Fields of an operation other than gemm, except `data`, `seed` and `property`.
  std::vector<NamedValue> values;
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;
  bool ta = false;
  bool tb = false;
  std::int64_t batch = 1;
  std::int64_t lda = 0;  // 0: tight
  std::int64_t ldb = 0;
  std::int64_t ldc = 0;
  std::int64_t stride_a = 0;  // 0: tight
  std::int64_t stride_b = 0;
  std::int64_t stride_c = 0;
  std::int64_t off_a = 0;
  std::int64_t off_b = 0;
  std::int64_t off_c = 0;
  std::int64_t off_bias = 0;
  double alpha = 1.0;
  double beta = 0.0;
  Recipe data = Recipe::lattice;
  std::uint64_t seed = 0;
  std::string property;  // the property to check; empty: matches-reference

  /// The value of a field in `values`; empty if it has none.
  [[nodiscard]] std::optional<double> value(std::string_view name) const;
  void set_value(std::string_view name, double value);

  friend bool operator==(const Case&, const Case&) = default;
};

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
