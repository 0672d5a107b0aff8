// The values of A, B and C as a pure function of (seed, operand, row, column), so that a smaller
// size does not change the values of the elements that remain.
//
// If the purpose of a recipe makes a value depend on an extent as well, every smaller problem
// serves the purpose as well as the larger one:
//   lattice       integers +-1 .. +-R without 0. R is halved while K R^2 exceeds a quarter of the
//                 largest integer that the accumulator counts exactly: in f32 R = 16 up to K =
//                 16384, so that below that nothing depends on K, and alpha and beta have two bits
//                 of room
//   normal        sum of four uniform numbers, scaled to variance 1: signed, mean 0, |x| < 3.47
//   wide          exponents of the rows and columns of D between 2^-30 and 2^30 (less in narrow
//                 formats). Along k the exponents of A grow by as much as those of B shrink
//   cancellation  A = [X, -X], B = [Y; Y]: A B = 0. The second half begins at K / 2. X and Y do not
//                 depend on K. An odd K has one more term, so that D is not zero; with an even K a
//                 zero is correct even if no thread wrote it. If A is unsigned, the sign is in B
//   spikes        column k of A has its only spike in row hash(k) mod M, so that every k has one
//   for
//                 each M. The spike is 2^12, or less if A's type is narrow or if D's type cannot
//                 hold K / M spikes of one row
//   onehot        A has a single 1 in each row and B is index-coded (even seeds; the 1 of row 0 is
//                 in the last column), or B has a single 1 in each column and A is index-coded (odd
//                 seeds; the 1 of column 0 is in the last row). An element of D identifies the
//                 elements of A and B that it comes from. Terms that are not zero occur for min(M,
//                 K) values of k (odd seeds: min(N, K))
//   special       the lattice, and in one row of A and one column of B in 16 a NaN, an infinity or
//                 the largest finite value; in C one NaN or infinity in 32. At least one element of
//                 D is finite. Integer formats have 0 and their extremes instead, and neither in C
//
// The recipes after special change the lattice (even seeds) or normal numbers (odd seeds) of each
// matrix by a structure, see structure.hpp; masks are finite, and crowded data are those numbers.
//
// Integer formats have the values of the other formats times unit(type), rounded. Unsigned formats
// have the magnitudes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/scalar_type.hpp"
#include "campaign/case/case.hpp"
#include "campaign/case/product.hpp"
#include "campaign/generate/data/ranges.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::campaign::generate {

enum class Operand : std::uint8_t { a, b, c };

/// Returns true if the signs of the recipe's values are random, so that reference::Gemm::mean_zero
/// holds.
[[nodiscard]] bool mean_zero(Recipe recipe);

/// The data of one case, which depends on its recipe, its seed, and on m, n and k as described
/// above. Construction is cheap.
class Data {
 public:
  explicit Data(const Case& problem, const DataTypes& types = {});

  /// Returns a value of the operand's type.
  [[nodiscard]] double element(Operand operand, std::int64_t row, std::int64_t column) const;

  /// Returns all elements of A (m x k), B (k x n) or C (m x n).
  [[nodiscard]] reference::Matrix matrix(Operand operand) const;

  /// Returns 1 x n values as in a row of C, so that bias, C and product have the same magnitude.
  [[nodiscard]] reference::Matrix bias() const;

  /// Explains a wrong element of a onehot case by the elements that it comes from: "C[3, 5] holds
  /// A[3, 4] * B[4, 6]: column 6 of B was read for column 5". Empty if they cannot be determined.
  [[nodiscard]] std::string explain(std::int64_t row, std::int64_t column, double got) const;

 private:
  /// The streams of random values of a seed. The operands a, b and c have the streams 0, 1 and 2.
  enum class Stream : std::int64_t { rows = 3, columns, inner, choice, bias };
  static constexpr std::int64_t kSpecialPeriod = 16;

  struct Part;
  class Filler;

  /// Sets `values` to elements of a row from column `first` on: values of the operand's type, which
  /// follow from the bits of the stream `key`. Values of an unsigned type are the magnitudes.
  void fill(Operand operand, std::int64_t row, std::uint64_t key, std::int64_t first,
            std::span<double> values) const;

  /// Returns a row of D with an element that depends on no special value of A.
  [[nodiscard]] std::int64_t spared_row() const { return special_row_ == 0 ? 1 : 0; }
  [[nodiscard]] ScalarType type(Operand operand) const;
  /// Returns the key of a stream of random values.
  [[nodiscard]] std::uint64_t stream(Stream number) const;
  [[nodiscard]] std::uint64_t row_key(Operand operand, std::int64_t row) const;
  /// Returns the inner index at which a line of the one-hot operand (row of A, column of B) has
  /// its 1.
  [[nodiscard]] std::int64_t hot(std::int64_t line) const;
  /// Returns the first line that has its 1 at an inner index; the others are k lines apart.
  [[nodiscard]] std::int64_t first_hot_line(std::int64_t inner) const;
  [[nodiscard]] double code(std::int64_t row, std::int64_t column) const;
  /// "row 7 of B was read for row 4, or row 2 of A for row 3": explains a code of inner index
  /// `found` in place of `inner` by a wrong line of the coded matrix or of the one-hot matrix.
  [[nodiscard]] std::string misread(std::string_view line, std::int64_t found, std::int64_t inner,
                                    std::int64_t own, std::string_view coded,
                                    std::string_view hot_matrix, std::int64_t lines) const;

  Product product_;
  Recipe recipe_;
  std::uint64_t seed_;
  DataTypes types_;
  Ranges ranges_;
  std::int64_t hot_stride_ = 1;       // coprime with k
  std::int64_t hot_inverse_ = 1;      // inverse of hot_stride_ modulo k
  std::int64_t special_row_ = -1;     // special rows of A, modulo 16; -1: none
  std::int64_t special_column_ = -1;  // special columns of B, modulo 16; -1: none
};

}  // namespace warpcheck::campaign::generate
