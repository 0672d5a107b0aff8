// The kernel around one multiplication of matrices, and how its fragments lie (PTX ISA 9.7.14).
#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "tests/golden/mma_form.hpp"

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

/// Registers that a lane holds of the operand.
unsigned registers(const MmaForm& form, MmaOperand operand) {
  const MmaType type = form.type(operand);
  // wmma keeps each element of A and B twice where they are f16.
  if (form.wmma && type == MmaType::f16 && operand != MmaOperand::c) return 8;
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

/// %at: the address of this block's fragment, and of this lane's part of it for mma.
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

std::string load(const MmaForm& form, MmaOperand operand, char name) {
  const MmaType type = form.type(operand);
  const unsigned count = registers(form, operand);
  std::string text = address(form, operand, std::string(1, name));
  if (form.wmma) {
    return text + fmt::format("  wmma.load.{}.sync.aligned.row.{}.global.{} {}, [%at], {};\n", name,
                              shape_of(form), facts(type).name, list(name, count),
                              form.columns(operand));
  }
  for (unsigned i = 0; i < count; ++i) {
    text += fmt::format("  ld.global.{} %{}{}, [%at+{}];\n", register_type(type), name, i,
                        i * register_bits(type) / 8);
  }
  return text;
}

std::string store(const MmaForm& form) {
  const unsigned count = registers(form, MmaOperand::c);
  std::string text = address(form, MmaOperand::c, "d");
  if (form.wmma) {
    return text + fmt::format("  wmma.store.d.sync.aligned.row.{}.global.{} [%at], {}, {};\n",
                              shape_of(form), facts(form.c).name, list('d', count), form.shape.n);
  }
  for (unsigned i = 0; i < count; ++i) {
    text += fmt::format("  st.global.{} [%at+{}], %d{};\n", register_type(form.c),
                        i * register_bits(form.c) / 8, i);
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
  declare(MmaOperand::c, 'd');
  text += "  mov.u32 %block, %ctaid.x;\n  mov.u32 %lane, %tid.x;\n";
  text += load(form, MmaOperand::a, 'a') + load(form, MmaOperand::b, 'b') +
          load(form, MmaOperand::c, 'c');
  const unsigned sums = registers(form, MmaOperand::c);
  text += fmt::format("  {} {}, {}, {}, {};\n", form.name, list('d', sums),
                      list('a', registers(form, MmaOperand::a)),
                      list('b', registers(form, MmaOperand::b)), list('c', sums));
  return text + store(form) + "  ret;\n}\n";
}

/// Where an element lies: the same rule for every mma of m8 or m16 and n8. A lane's place in the
/// warp is its group (of four lanes) and its place in the group; a register holds elements that
/// neighbour each other along k (A, B) or along n (C, D).
struct Place {
  int lane;
  int reg;
  int element;  // of the register
};

Place place_of(const MmaForm& form, MmaOperand operand, int row, int column) {
  const MmaType type = form.type(operand);
  const int held = static_cast<int>(register_bits(type) / facts(type).bits);
  if (operand == MmaOperand::c) {
    // A lane has two neighbours of a row, and the same of the row eight further down.
    const int index = (row / 8) * 2 + column % 2;
    return {row % 8 * 4 + column / 2, index / held, index % held};
  }
  const int along_k = operand == MmaOperand::a ? column : row;
  const int across = operand == MmaOperand::a ? row : column;
  const int word = along_k / held;
  const int rows_of_eight = operand == MmaOperand::a ? form.shape.m / 8 : 1;
  return {across % 8 * 4 + word % 4, word / 4 * rows_of_eight + across / 8, along_k % held};
}

std::size_t bit_of(const MmaForm& form, MmaOperand operand, int row, int column) {
  const std::size_t element_bits = facts(form.type(operand)).bits;
  if (form.wmma) {
    return static_cast<std::size_t>(row * form.columns(operand) + column) * element_bits;
  }
  const Place place = place_of(form, operand, row, column);
  const auto held = static_cast<int>(registers(form, operand));
  return static_cast<std::size_t>(place.lane * held + place.reg) *
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
  for (int row = 0; row < form.shape.m; ++row) {
    for (int column = 0; column < form.shape.n; ++column) {
      std::uint64_t value = 0;
      std::memcpy(&value, bytes + bit_of(form, MmaOperand::c, row, column) / 8,
                  facts(form.c).bits / 8);
      elements.push_back(value);
    }
  }
  return elements;
}

}  // namespace warpcheck::golden
