// How the lanes of a warp hold matrices in their registers (PTX ISA 9.7.14.5).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "device/virtual/machine/core/op.hpp"
#include "ptx/type.hpp"

namespace warpcheck::machine {

struct MatrixShape {
  unsigned m = 0;
  unsigned n = 0;
  unsigned k = 0;
};

/// Of D = A B + C: A is m x k, B is k x n, C and D are m x n.
enum class MatrixRole : std::uint8_t { a, b, accumulator };

/// Which elements a fragment's registers hold: element i (from the low end) of register r in lane l
/// is number (r * per_register + i) * 32 + l of the vectors.
struct MatrixLayout {
  unsigned rows = 0;
  unsigned columns = 0;
  unsigned bits = 0;          // of an element
  unsigned per_register = 0;  // elements
  unsigned registers = 0;
  std::vector<std::uint16_t> row;
  std::vector<std::uint16_t> column;
  std::vector<std::uint16_t> place;  // in the matrix, row by row
};

/// The manual's layout for elements of `bits`: of A, tiles of 8 rows and 4 registers of columns,
/// the lanes row by row and a tile to a register, downwards first; of B the same of its transpose,
/// along k first; of C and D, tiles of 8 x 8 with two neighbours of a row in each lane. The shapes
/// of wmma, for which the manual names no layout, follow the same rule.
[[nodiscard]] MatrixLayout matrix_layout(MatrixRole role, MatrixShape shape, unsigned bits);

/// m8n8k4 of f16: four products at once, each by four lanes and those 16 further up. The matrices
/// of the four lie below one another. `by_columns` counts for A and B, `bits` for C and D.
inline constexpr unsigned kQuadProducts = 4;
[[nodiscard]] MatrixLayout quad_layout(MatrixRole role, bool by_columns, unsigned bits);

/// What mma and wmma.mma do, or which matrix wmma.load and wmma.store move.
struct MatrixOperation {
  MatrixShape shape;
  unsigned products = 1;    // side by side, their matrices below one another
  MatrixLayout a, b, c, d;  // of a load or store: d alone
  ptx::Type a_type = ptx::Type::none;
  ptx::Type b_type = ptx::Type::none;
  ptx::Type c_type = ptx::Type::none;
  ptx::Type d_type = ptx::Type::none;
  // Where in the op's elements the registers of each begin.
  std::uint8_t first_a = 0;
  std::uint8_t first_b = 0;
  std::uint8_t first_c = 0;
  bool satfinite = false;
  bool conjunction = false;   // of b1: .and rather than .xor
  bool column_major = false;  // of a load or store
  unsigned alignment = 0;  // of a load or store: bytes that the matrix's address is a multiple of
};

/// Of a load or store: elements that lie side by side in memory and in a register are one piece,
/// which are all of a register's where the matrix is stored in that direction.
struct MatrixPieces {
  unsigned per_register = 1;
  unsigned bytes = 4;
};
[[nodiscard]] MatrixPieces pieces_of(const MatrixOperation& operation);

/// Where piece `number` of each lane lies, in bytes from the matrix's first; `stride` is in
/// elements.
using MatrixOffsets = std::array<std::uint64_t, kLanes>;
[[nodiscard]] MatrixOffsets offsets_of(const MatrixOperation& operation, std::uint64_t stride,
                                       unsigned number, MatrixPieces pieces);

}  // namespace warpcheck::machine
