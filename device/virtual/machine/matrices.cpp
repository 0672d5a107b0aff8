#include "device/virtual/machine/matrices.hpp"

namespace warpcheck::machine {
namespace {

struct Element {
  unsigned row = 0;
  unsigned column = 0;
};

/// Element i of register r of one lane, where registers hold `each` elements along k and a tile is
/// 8 by 4 registers; `down` tiles of `lines` rows lie below one another.
Element operand_element(unsigned r, unsigned i, unsigned lane, unsigned each, bool k_first,
                        unsigned lines, unsigned along_k) {
  const unsigned tiles = k_first ? along_k / (4 * each) : lines / 8;
  const unsigned line_tile = k_first ? r / tiles : r % tiles;
  const unsigned k_tile = k_first ? r % tiles : r / tiles;
  return {8 * line_tile + lane / 4, 4 * each * k_tile + each * (lane % 4) + i};
}

Element accumulator_element(unsigned number, unsigned lane, unsigned rows) {
  const unsigned tiles = rows / 8;
  const unsigned tile = number / 2;
  return {8 * (tile % tiles) + lane / 4, 8 * (tile / tiles) + 2 * (lane % 4) + number % 2};
}

}  // namespace

MatrixLayout matrix_layout(MatrixRole role, MatrixShape shape, unsigned bits) {
  MatrixLayout layout;
  layout.rows = role == MatrixRole::b ? shape.k : shape.m;
  layout.columns = role == MatrixRole::a ? shape.k : shape.n;
  layout.bits = bits;
  layout.per_register = bits < 32 ? 32 / bits : 1;
  const unsigned each = layout.per_register;
  layout.registers = layout.rows * layout.columns / (kLanes * each);
  for (unsigned r = 0; r < layout.registers; ++r) {
    for (unsigned i = 0; i < each; ++i) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        Element element;
        if (role == MatrixRole::a) {
          element = operand_element(r, i, lane, each, false, shape.m, shape.k);
        } else if (role == MatrixRole::b) {
          const Element of_transpose = operand_element(r, i, lane, each, true, shape.n, shape.k);
          element = {of_transpose.column, of_transpose.row};
        } else {
          element = accumulator_element(r * each + i, lane, shape.m);
        }
        layout.row.push_back(static_cast<std::uint16_t>(element.row));
        layout.column.push_back(static_cast<std::uint16_t>(element.column));
        layout.place.push_back(
            static_cast<std::uint16_t>(element.row * layout.columns + element.column));
      }
    }
  }
  return layout;
}

MatrixPieces pieces_of(const MatrixOperation& operation) {
  const MatrixLayout& layout = operation.d;
  if (layout.per_register == 1) return {1, layout.bits / 8};
  const bool side_by_side = operation.column_major ? layout.column[0] == layout.column[kLanes]
                                                   : layout.row[0] == layout.row[kLanes];
  return side_by_side ? MatrixPieces{1, 4} : MatrixPieces{layout.per_register, layout.bits / 8};
}

MatrixOffsets offsets_of(const MatrixOperation& operation, std::uint64_t stride, unsigned number,
                         MatrixPieces pieces) {
  const MatrixLayout& layout = operation.d;
  const std::size_t first =
      std::size_t{number} * (layout.per_register / pieces.per_register) * kLanes;
  const std::uint16_t* const line =
      (operation.column_major ? layout.column : layout.row).data() + first;
  const std::uint16_t* const along =
      (operation.column_major ? layout.row : layout.column).data() + first;
  MatrixOffsets offsets;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    offsets[lane] = (line[lane] * stride + along[lane]) * layout.bits / 8;
  }
  return offsets;
}

}  // namespace warpcheck::machine
