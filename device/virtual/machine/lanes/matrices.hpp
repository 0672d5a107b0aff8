// Layouts of matrices in the registers of a warp's lanes (PTX ISA 9.7.14.5).
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

  friend bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

/// The matrices of D = A B + C: A is m x k, B is k x n, C and D are m x n.
enum class MatrixRole : std::uint8_t { a, b, accumulator };

/// The elements that a fragment's registers hold. Element i (from the low end) of register r in
/// lane l is entry (r * per_register + i) * 32 + l of the vectors.
struct MatrixLayout {
  unsigned rows = 0;
  unsigned columns = 0;
  unsigned bits = 0;          // bits of an element
  unsigned per_register = 0;  // number of elements
  unsigned registers = 0;
  std::vector<std::uint16_t> row;
  std::vector<std::uint16_t> column;
  std::vector<std::uint16_t> place;  // index in the matrix, row by row
};

/// The layout of the PTX ISA for elements of `bits`. A has tiles of 8 rows and 4 registers of
/// columns: the lanes go row by row, one register holds one tile, and tiles go downwards first. B
/// has the layout of its transpose, tiles along k first. C and D have tiles of 8 x 8 with two
/// neighbours of a row in each lane. wmma, whose layout the PTX ISA does not define, uses the same
/// rule.
[[nodiscard]] MatrixLayout matrix_layout(MatrixRole role, MatrixShape shape, unsigned bits);

/// The layout of m8n8k4 of f16: four products, each computed by four lanes and the four lanes 16
/// higher. The matrices of the four products are stacked. `by_columns` applies to A and B, `bits`
/// to C and D.
inline constexpr unsigned kQuadProducts = 4;
[[nodiscard]] MatrixLayout quad_layout(MatrixRole role, bool by_columns, unsigned bits);

/// The operands of wgmma.mma_async, whose B is in shared memory.
struct WarpgroupOperands {
  bool a_in_registers = false;  // each warp has 16 rows
  bool a_by_lines = false;      // A is in shared memory and not K-major
  bool b_by_lines = false;
  bool negate_a = false;
  bool negate_b = false;
};

/// The operation of mma, wmma.mma and wgmma, or the matrix of wmma.load and wmma.store.
struct MatrixOperation {
  MatrixShape shape;
  unsigned products = 1;    // number of independent products, whose matrices are stacked
  MatrixLayout a, b, c, d;  // a load or store has only d
  ptx::Type a_type = ptx::Type::none;
  ptx::Type b_type = ptx::Type::none;
  ptx::Type c_type = ptx::Type::none;
  ptx::Type d_type = ptx::Type::none;
  // The first register of each matrix in the op's elements.
  std::uint8_t first_a = 0;
  std::uint8_t first_b = 0;
  std::uint8_t first_c = 0;
  WarpgroupOperands warpgroup;  // used by wgmma
  bool satfinite = false;
  bool conjunction = false;   // b1: .and instead of .xor
  bool column_major = false;  // order of a load or store
  unsigned alignment = 0;     // a load or store requires an address that is a multiple of it
};

/// The pieces of a load or store: elements that are adjacent in memory and in a register form one
/// piece. A register is one piece if the matrix is stored in the direction of its elements.
struct MatrixPieces {
  unsigned per_register = 1;
  unsigned bytes = 4;
};
[[nodiscard]] MatrixPieces pieces_of(const MatrixOperation& operation);

/// For each lane, the offset of piece `number` from the first byte of the matrix. `stride` is in
/// elements.
using MatrixOffsets = std::array<std::uint64_t, kLanes>;
[[nodiscard]] MatrixOffsets offsets_of(const MatrixOperation& operation, std::uint64_t stride,
                                       unsigned number, MatrixPieces pieces);

}  // namespace warpcheck::machine
