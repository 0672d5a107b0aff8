// Structures of real data that random numbers do not have, in which defects show that a random row
// hides: masks, ties, zeros, rows of one sign.
//
// masked, zeros, equal, subnormal and large cover parts of rows: none or all of a row, its
// beginning, its end, every second tile of 8 to 64 columns, all columns but one, random columns;
// or, of one input in eight, every second tile of 8 or 16 rows; or, of one in sixteen, everything.
//   masked     -infinity (of one input in eight: infinity). Where infinities are not possible, a
//              large negative number
//   zeros      0 and -0
//   equal      the same number in a row, which is larger than the others, less, or in between
//   subnormal  subnormal numbers, in each row up to another one. Integer formats have none, and
//              keep their elements
//   large      magnitudes near the largest number, its square root or its fourth root, another one
//              in each row: sums, products of two and products of four overflow, or just do not
// The other structures are those of a whole row:
//   negative   three of four rows have no positive element, the fourth has no negative one
//   dominant   in three of four rows, the first, the last or a random element is 2^24 times as
//              large (less in narrow formats, and the same in integer formats, whose sums must not
//              overflow)
//   ordered    the elements ascend or descend
#pragma once

#include <cstdint>
#include <span>

#include "base/scalar_type.hpp"
#include "campaign/case/case.hpp"

namespace warpcheck::campaign::generate {

/// The place of an element.
struct ElementPlace {
  std::int64_t row = 0;
  std::int64_t column = 0;
  std::int64_t columns = 0;
  std::uint64_t row_bits = 0;  // random bits of the row
};

struct StructureLimits {
  bool may_be_infinite = false;
  double largest_tie = 5.0;  // largest equal number: more than the lattice has

  /// Limits for matrices, whose products are added.
  static constexpr StructureLimits for_sums() { return {false, 1.0}; }
};

class Structure {
 public:
  /// `bits` are random bits of the tensor.
  Structure(Recipe recipe, ScalarType type, std::uint64_t bits, const StructureLimits& limits);

  /// Returns an element, whose random bits are given. Without a structure, it is `plain`.
  [[nodiscard]] double element(const ElementPlace& place, std::uint64_t bits, double plain) const;

  /// Orders a row if the recipe demands it.
  void order(std::uint64_t row_bits, std::span<double> row) const;

 private:
  [[nodiscard]] bool covers(const ElementPlace& place) const;
  [[nodiscard]] double covered(const ElementPlace& place, std::uint64_t bits, double plain) const;

  Recipe recipe_;
  ScalarType type_;
  std::uint64_t bits_;
  double mask_;
  double largest_tie_;
};

/// Returns true if the type has infinities.
[[nodiscard]] bool has_infinity(ScalarType type);

}  // namespace warpcheck::campaign::generate
