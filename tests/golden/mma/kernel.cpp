// The kernel for one product of matrices, and the layout of its fragments (PTX ISA 9.7.14).
#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "tests/golden/mma/form.hpp"

namespace warpcheck::golden {
namespace {

constexpr int kLanes = 32;

unsigned register_bits(MmaType type) { return type == MmaType::f64 ? 64 : 32; }

std::string_view register_type(MmaType type) {
  if (type == MmaType::f64) return "f64";
  return type == MmaType::f32 ? "f32" : "b32";
}

std::size_t matrix_bits(const MmaForm& form, MmaOperand operand) {
  return static_cast<std::size_t>(form.rows(operand) * form.columns(operand)) *
         facts(form.type(operand)).bits;
}

bool is_factor(MmaOperand operand) { return operand == MmaOperand::a || operand == MmaOperand::b; }

/// The number of registers of the operand in a lane.
unsigned registers(const MmaForm& form, MmaOperand operand) {
  const MmaType type = form.type(operand);
  // wmma has each element of A and B of f16 twice.
  if (form.wmma && type == MmaType::f16 && is_factor(operand)) return 8;
  return static_cast<unsigned>(matrix_bits(form, operand) / (kLanes * register_bits(type)));
}

std::string list(char name, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("{}%{}{}", i == 0 ? "" : ", ", name, i);
  return "{" + text + "}";
}

std::string shape_of(const MmaForm& form) {
  return fmt::format("m{}n{}k{}", form.shape.m, form.shape.n, form.shape.k);
}

/// %at: the address of the fragment of the block; for mma of the part of the lane.
std::string address(const MmaForm& form, MmaOperand operand, std::string_view parameter) {
  std::string text = fmt::format(
      "  ld.param.u64 %at, [{}];\n  cvta.to.global.u64 %at, %at;\n"
      "  mad.wide.u32 %at, %block, {}, %at;\n",
      parameter, fragment_bytes(form, operand));
  if (!form.wmma) {
    text += fmt::format("  mad.wide.u32 %at, %lane, {}, %at;\n",
                        fragment_bytes(form, operand) / kLanes);
  }
  return text;
}

/// The leading dimension of a matrix of wmma in memory, in elements; bits for b1.
int leading_dimension(const MmaForm& form, MmaOperand operand) {
  const bool along_k = operand == MmaOperand::a || (operand == MmaOperand::b && form.b_by_columns);
  return along_k ? form.shape.k : form.shape.n;
}

std::string load(const MmaForm& form, MmaOperand operand, char name) {
  const MmaType type = form.type(operand);
  const unsigned count = registers(form, operand);
  std::string text = address(form, operand, std::string(1, name));
  if (form.wmma) {
    const bool by_columns = operand == MmaOperand::b && form.b_by_columns;
    return text + fmt::format("  wmma.load.{}.sync.aligned.{}.{}.global.{} {}, [%at], {};\n", name,
                              by_columns ? "col" : "row", shape_of(form), facts(type).name,
                              list(name, count), leading_dimension(form, operand));
  }
  for (unsigned i = 0; i < count; ++i) {
    text += fmt::format("  ld.global.{} %{}{}, [%at+{}];\n", register_type(type), name, i,
                        i * register_bits(type) / 8);
  }
  return text;
}

std::string store(const MmaForm& form) {
  const unsigned count = registers(form, MmaOperand::d);
  std::string text = address(form, MmaOperand::d, "d");
  if (form.wmma) {
    return text + fmt::format("  wmma.store.d.sync.aligned.row.{}.global.{} [%at], {}, {};\n",
                              shape_of(form), facts(form.d).name, list('d', count), form.shape.n);
  }
  for (unsigned i = 0; i < count; ++i) {
    text += fmt::format("  st.global.{} [%at+{}], %d{};\n", register_type(form.d),
                        i * register_bits(form.d) / 8, i);
  }
  return text;
}

constexpr const char* kHeader = ".version 8.7\n.target sm_90\n.address_size 64\n";

std::string entry(const MmaForm& form, const std::string& name) {
  std::string text = fmt::format(
      ".visible .entry {}(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)\n{{\n"
      "  .reg .b64 %at;\n  .reg .b32 %block;\n  .reg .b32 %lane;\n",
      name);
  const auto declare = [&](MmaOperand operand, char letter) {
    text += fmt::format("  .reg .{} %{}<{}>;\n", register_type(form.type(operand)), letter,
                        registers(form, operand));
  };
  declare(MmaOperand::a, 'a');
  declare(MmaOperand::b, 'b');
  declare(MmaOperand::c, 'c');
  declare(MmaOperand::d, 'd');
  text += "  mov.u32 %block, %ctaid.x;\n  mov.u32 %lane, %tid.x;\n";
  text += load(form, MmaOperand::a, 'a') + load(form, MmaOperand::b, 'b') +
          load(form, MmaOperand::c, 'c');
  text += fmt::format(
      "  {} {}, {}, {}, {};\n", form.name, list('d', registers(form, MmaOperand::d)),
      list('a', registers(form, MmaOperand::a)), list('b', registers(form, MmaOperand::b)),
      list('c', registers(form, MmaOperand::c)));
  return text + store(form) + "  ret;\n}\n";
}

/// The place of an element, by one rule for every mma with m8 or m16 and n8. A lane is a group of
/// four lanes and a place in the group. A register has elements that are adjacent along k (A, B) or
/// along n (C, D).
struct Place {
  int lane;
  int reg;
  int element;  // number of the element in the register
};

/// m8n8k4 of f16 (PTX ISA 9.7.14.5.1): lanes 4 p to 4 p + 3 and 4 p + 16 to 4 p + 19 compute
/// product p. The latter have the upper half of the rows of A, the columns of B and the rows of D.
Place quad_place_of(const MmaForm& form, MmaOperand operand, int row, int column) {
  const int product = row / (form.rows(operand) / form.products);
  const int in_product = row % (form.rows(operand) / form.products);
  const auto lane = [&](int in_four, int half) { return product * 4 + in_four + half * 16; };
  if (is_factor(operand)) {
    const bool is_a = operand == MmaOperand::a;
    const int across = is_a ? in_product : column;  // 0 to 7
    const int along_k = is_a ? column : in_product;
    const bool lane_along_k = is_a ? form.a_by_columns : !form.b_by_columns;
    const int element = lane_along_k ? across % 4 : along_k;
    return {lane(lane_along_k ? along_k : across % 4, across / 4), element / 2, element % 2};
  }
  const int within = in_product % 4;
  const int half = in_product / 4;
  if (form.type(operand) == MmaType::f16) return {lane(within, half), column / 2, column % 2};
  // For f32 a lane has two rows, and in each row two adjacent pairs four columns apart.
  const int reg = column / 4 * 4 + within / 2 * 2 + column % 2;
  return {lane(within % 2 + column % 4 / 2 * 2, half), reg, 0};
}

Place place_of(const MmaForm& form, MmaOperand operand, int row, int column) {
  if (form.products > 1) return quad_place_of(form, operand, row, column);
  const MmaType type = form.type(operand);
  const int per_register = static_cast<int>(register_bits(type) / facts(type).bits);
  if (!is_factor(operand)) {
    // A lane has two adjacent elements of a row, and the same of the row eight below.
    const int index = (row / 8) * 2 + column % 2;
    return {row % 8 * 4 + column / 2, index / per_register, index % per_register};
  }
  const int along_k = operand == MmaOperand::a ? column : row;
  const int across = operand == MmaOperand::a ? row : column;
  const int word = along_k / per_register;
  const int rows_of_eight = operand == MmaOperand::a ? form.shape.m / 8 : 1;
  return {across % 8 * 4 + word % 4, word / 4 * rows_of_eight + across / 8, along_k % per_register};
}

std::size_t bit_of(const MmaForm& form, MmaOperand operand, int row, int column) {
  const std::size_t element_bits = facts(form.type(operand)).bits;
  if (form.wmma) {
    const bool by_columns = operand == MmaOperand::b && form.b_by_columns;
    const int place =
        by_columns ? column * form.rows(operand) + row : row * form.columns(operand) + column;
    return static_cast<std::size_t>(place) * element_bits;
  }
  const Place place = place_of(form, operand, row, column);
  const auto per_lane = static_cast<int>(registers(form, operand));
  return static_cast<std::size_t>(place.lane * per_lane + place.reg) *
             register_bits(form.type(operand)) +
         static_cast<std::size_t>(place.element) * element_bits;
}

}  // namespace

std::size_t fragment_bytes(const MmaForm& form, MmaOperand operand) {
  return matrix_bits(form, operand) / 8;
}

std::string mma_module(const MmaForm& form) { return kHeader + entry(form, "f"); }

std::string mma_module(std::span<const MmaForm> forms) {
  std::string text = kHeader;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    text += fmt::format("// {}\n", forms[i].name) + entry(forms[i], fmt::format("f{}", i));
  }
  return text;
}

void pack(const MmaForm& form, MmaOperand operand, const Elements& elements, std::byte* bytes) {
  const unsigned bits = facts(form.type(operand)).bits;
  const int columns = form.columns(operand);
  for (int row = 0; row < form.rows(operand); ++row) {
    for (int column = 0; column < columns; ++column) {
      const std::uint64_t value = elements[row * columns + column];
      const std::size_t bit = bit_of(form, operand, row, column);
      if (bits < 8) {
        bytes[bit / 8] |= static_cast<std::byte>(value << bit % 8);
      } else {
        std::memcpy(bytes + bit / 8, &value, bits / 8);
      }
    }
  }
}

Elements unpack_result(const MmaForm& form, const std::byte* bytes) {
  Elements elements;
  for (int row = 0; row < form.rows(MmaOperand::d); ++row) {
    for (int column = 0; column < form.shape.n; ++column) {
      std::uint64_t value = 0;
      std::memcpy(&value, bytes + bit_of(form, MmaOperand::d, row, column) / 8,
                  facts(form.d).bits / 8);
      elements.push_back(value);
    }
  }
  return elements;
}

}  // namespace warpcheck::golden
