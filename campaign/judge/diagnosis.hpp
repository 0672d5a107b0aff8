// The pattern of the wrong elements of a result, and the mistake that explains them.
#pragma once

#include <cstdint>
#include <string>

namespace warpcheck::campaign::judge {

enum class Axis { row, column };

enum class PatternKind {
  none,           // no pattern was recognized, or no element is wrong
  every_element,  // a matrix with one element has no pattern
  one_element,    // the element at (row, column)
  one_line,       // row or column `first`
  partial_tile,   // rows or columns `first` to `last`, beyond the last multiple of `size`
  residue,        // the row or column modulo `size` is `first`
  tile,           // the `size` x `size` tile at (row, column)
  whole_tile,     // rows or columns `first` to `last`, the last tile of `size`
};

/// The place of the wrong elements in a matrix. The kind determines which other fields are used.
struct Pattern {
  PatternKind kind = PatternKind::none;
  Axis axis = Axis::row;
  std::int64_t first = 0;
  std::int64_t last = 0;
  bool at_end = false;  // one_line: the line is the last one
  std::int64_t size = 0;
  std::int64_t row = 0;
  std::int64_t column = 0;

  friend bool operator==(const Pattern&, const Pattern&) = default;
};

enum class CauseKind {
  none,       // no known mistake explains every wrong element
  unwritten,  // the elements hold the bits that D had before the launch
  no_terms,
  last_terms_missing,   // terms k_begin to k_end - 1
  first_terms_missing,  // terms k_begin to k_end - 1
  one_term_missing,     // term k_begin
  one_term_doubled,     // term k_begin
  bias_missing,
  c_missing,            // beta * C
  c_without_beta,       // C in place of beta * C
  c_doubled,            // beta * C
  c_despite_zero_beta,  // C was added
  nan_in_c,             // C holds NaN or an infinity and was read although beta is 0
  alpha_missing,
  alpha_doubled,
  product_negated,
  product_doubled,
  transposed,
  shifted,  // the values belong `rows_down` further down and `columns_right` further right
  all_nan,
  all_zero,
};

/// A mistake that explains every wrong element within the tolerance. The kind determines which
/// other fields are used.
struct Cause {
  CauseKind kind = CauseKind::none;
  std::int64_t k_begin = 0;
  std::int64_t k_end = 0;
  std::int64_t rows_down = 0;
  std::int64_t columns_right = 0;

  friend bool operator==(const Cause&, const Cause&) = default;
};

/// True for mistakes that explain a value by its number. The bits of the value show the others.
[[nodiscard]] constexpr bool is_from_value(CauseKind kind) {
  return kind != CauseKind::none && kind != CauseKind::unwritten && kind != CauseKind::nan_in_c &&
         kind != CauseKind::all_nan && kind != CauseKind::all_zero;
}

struct Diagnosis {
  Pattern pattern = {};
  Cause cause = {};
  std::string element = {};  // unwritten: the one element; empty: all elements of the pattern
  // One-hot data: the operands that one element was computed from. History databases of earlier
  // releases: the whole diagnosis. In both cases the other fields are empty.
  std::string text = {};

  [[nodiscard]] bool empty() const { return *this == Diagnosis(); }
  friend bool operator==(const Diagnosis&, const Diagnosis&) = default;
};

}  // namespace warpcheck::campaign::judge
