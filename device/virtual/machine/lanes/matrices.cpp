#include "device/virtual/machine/lanes/matrices.hpp"

namespace warpcheck::machine {
namespace {

struct Element {
  unsigned row = 0;
  unsigned column = 0;
};

/// Element i of register r of one lane. Registers hold `each` elements along k, and a tile is 8
/// rows by 4 registers. The matrix has `lines` rows and `along_k` columns.
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

/// Lanes 4 p to 4 p + 3 and the lanes 16 higher hold product p. The higher lanes hold the upper
/// half of A's rows, B's columns and D's rows (PTX ISA 9.7.14.5.1).
Element quad_element(MatrixRole role, unsigned number, unsigned lane, bool by_columns,
                     unsigned bits) {
  const unsigned product = lane % 16 / 4;
  const unsigned half = lane / 16 * 4;
  const unsigned in_four = lane % 4;
  if (role == MatrixRole::a) {
    return by_columns ? Element{8 * product + half + number, in_four}
                      : Element{8 * product + half + in_four, number};
  }
  if (role == MatrixRole::b) {
    return by_columns ? Element{4 * product + number, half + in_four}
                      : Element{4 * product + in_four, half + number};
  }
  if (bits == 16) return {8 * product + half + in_four, number};
  return {8 * product + half + in_four % 2 + (number & 2U),
          (number & 4U) + (in_four & 2U) + number % 2};
}

/// Calls element_of(number, lane) for each element that a lane holds.
template <class ElementOf>
void fill(MatrixLayout& layout, ElementOf element_of) {
  for (unsigned number = 0; number < layout.registers * layout.per_register; ++number) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const Element element = element_of(number, lane);
      layout.row.push_back(static_cast<std::uint16_t>(element.row));
      layout.column.push_back(static_cast<std::uint16_t>(element.column));
      layout.place.push_back(
          static_cast<std::uint16_t>(element.row * layout.columns + element.column));
    }
  }
}

MatrixLayout empty_layout(MatrixRole role, MatrixShape shape, unsigned bits) {
  MatrixLayout layout;
  layout.rows = role == MatrixRole::b ? shape.k : shape.m;
  layout.columns = role == MatrixRole::a ? shape.k : shape.n;
  layout.bits = bits;
  layout.per_register = bits < 32 ? 32 / bits : 1;
  layout.registers = layout.rows * layout.columns / (kLanes * layout.per_register);
  return layout;
}

}  // namespace

MatrixLayout matrix_layout(MatrixRole role, MatrixShape shape, unsigned bits) {
  MatrixLayout layout = empty_layout(role, shape, bits);
  const unsigned each = layout.per_register;
  fill(layout, [&](unsigned number, unsigned lane) {
    const unsigned r = number / each;
    const unsigned i = number % each;
    if (role == MatrixRole::a) {
      return operand_element(r, i, lane, each, false, shape.m, shape.k);
    }
    if (role == MatrixRole::b) {
      const Element transposed = operand_element(r, i, lane, each, true, shape.n, shape.k);
      return Element{transposed.column, transposed.row};
    }
    return accumulator_element(number, lane, shape.m);
  });
  return layout;
}

MatrixLayout quad_layout(MatrixRole role, bool by_columns, unsigned bits) {
  const MatrixShape all = {8 * kQuadProducts, 8, role == MatrixRole::b ? 4 * kQuadProducts : 4};
  MatrixLayout layout = empty_layout(role, all, bits);
  fill(layout, [&](unsigned number, unsigned lane) {
    return quad_element(role, number, lane, by_columns, bits);
  });
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
