// The values of A, B and C: a pure function of (seed, operand, row, column), so that shrinking a
// size does not reshuffle the data.
//
// Where a recipe's purpose ties a value to an extent as well, it is said below, and the tie is such
// that every smaller problem serves the purpose as well as the larger one did:
//   lattice       the range, +-1 .. +-R without 0, halves where K R^2 would leave a quarter of what
//                 the accumulator counts exactly: in f32 R = 16 up to K = 16384, so that below that
//                 nothing depends on K, and alpha and beta have two bits of room
//   normal        sum of four uniforms, scaled to variance 1: signed, mean 0, |x| < 3.47
//   wide          exponents of rows and columns of D spread over 2^-30 .. 2^30 (less in narrow
//                 formats); along k those of A grow by what those of B shrink
//   cancellation  A = [X, -X], B = [Y; Y]: A B = 0. The second half begins at K / 2, and X and Y
//                 themselves do not depend on K. An odd K has one lone term at its end, so that D
//                 is not zero; at an even K zeros are right, whoever wrote them. Where A is
//                 unsigned it is B that changes its sign
//   spikes        column k of A carries its only spike in row hash(k) mod M: every k has one at any
//                 M. 2^12, or less where A's type, or D's with K / M of them in a row, is narrow
//   onehot        A has a single 1 in each row (even seeds; row 0 has it in the last column) and B
//                 is index-coded, or B has it in each column (odd seeds; column 0 in the last row)
//                 and A is coded: D's elements name the elements they were made from. min(M, K)
//                 terms (odd seeds: min(N, K)) are other than zero somewhere
//   special       the lattice, and in one row of A and one column of B in 16 a NaN, an infinity or
//                 the largest finite value; in C one NaN or infinity in 32. At least one element of
//                 D is finite. Integer formats have 0 and their ends instead, and in C neither
//
// Integer formats hold what the other formats do, times unit(type), rounded; unsigned ones the
// magnitudes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/scalar_type.hpp"
#include "properties/case/case.hpp"
#include "properties/generate/ranges.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::properties::generate {

enum class Operand { a, b, c };

/// Whether the recipe's values are signed at random, so that reference::Gemm::mean_zero holds.
[[nodiscard]] bool mean_zero(Recipe recipe);

/// The data of one case: its recipe, its seed, and m, n, k where the table above says so. Cheap to
/// make.
class Data {
 public:
  explicit Data(const Case& problem, const DataTypes& types = {});

  /// Always a value of the operand's type. A is m x k, B is k x n, C is m x n.
  [[nodiscard]] double element(Operand operand, std::int64_t row, std::int64_t column) const;

  /// All elements of an operand.
  [[nodiscard]] reference::Matrix matrix(Operand operand) const;

  /// 1 x n: what a row of C might have held, so that neither drowns the other nor the product.
  [[nodiscard]] reference::Matrix bias() const;

  /// Of a wrong element of a onehot case: what it was made from, where that can be told. "C[3, 5]
  /// holds A[3, 4] * B[4, 6]: column 6 of B was read for column 5". Empty otherwise.
  [[nodiscard]] std::string explain(std::int64_t row, std::int64_t column, double got) const;

 private:
  [[nodiscard]] double value(Operand operand, std::int64_t row, std::int64_t column,
                             std::uint64_t bits) const;
  [[nodiscard]] double lattice(Operand operand, std::uint64_t bits) const;
  [[nodiscard]] double wide(Operand operand, std::int64_t row, std::int64_t column,
                            std::uint64_t bits) const;
  [[nodiscard]] double cancellation(Operand operand, std::int64_t row, std::int64_t column,
                                    std::uint64_t bits) const;
  [[nodiscard]] double spikes(Operand operand, std::int64_t row, std::int64_t column,
                              std::uint64_t bits) const;
  [[nodiscard]] double onehot(Operand operand, std::int64_t row, std::int64_t column,
                              std::uint64_t bits) const;
  [[nodiscard]] double special(Operand operand, std::int64_t row, std::int64_t column,
                               std::uint64_t bits) const;

  /// A row of which A's special values leave an element of D alone.
  [[nodiscard]] std::int64_t spared_row() const { return special_row_ == 0 ? 1 : 0; }
  [[nodiscard]] ScalarType type(Operand operand) const;
  /// The nearest value of the operand's type; of the magnitude where the type is unsigned.
  [[nodiscard]] double stored(Operand operand, double exact) const;
  [[nodiscard]] std::uint64_t row_key(Operand operand, std::int64_t row) const;
  /// The inner index at which line `line` of the one-hot operand (row of A, column of B) has its 1.
  [[nodiscard]] std::int64_t hot(std::int64_t line) const;
  [[nodiscard]] double code(std::int64_t row, std::int64_t column) const;
  /// "row 7 of B was read for row 4, or row 2 of A for row 3": a code of inner index `found` where
  /// `inner` belongs came by the coded matrix's line or by that of the one-hot matrix.
  [[nodiscard]] std::string misread(std::string_view line, std::int64_t found, std::int64_t inner,
                                    std::int64_t own, std::string_view coded,
                                    std::string_view hot_matrix, std::int64_t lines) const;

  Case case_;
  DataTypes types_;
  Ranges ranges_;
  std::int64_t hot_stride_ = 1;       // prime to k
  std::int64_t special_row_ = -1;     // of A, modulo 16
  std::int64_t special_column_ = -1;  // of B, modulo 16
};

}  // namespace warpcheck::properties::generate
