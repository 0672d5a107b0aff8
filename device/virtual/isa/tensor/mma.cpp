// Products of tensor cores: mma and wmma.mma (PTX ISA 9.7.14.4.5 and 9.7.14.5.14).
#include "device/virtual/isa/tensor/mma.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "device/virtual/isa/tensor/fragments.hpp"
#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/lanes/convergence.hpp"
#include "device/virtual/semantics/convert.hpp"
#include "device/virtual/semantics/tensor.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::kAllLanes;
using machine::kLanes;
using machine::MatrixLayout;
using machine::MatrixOperation;
using machine::MatrixRole;
using machine::MatrixShape;
using machine::Op;
using machine::Slot;
using machine::Warp;

constexpr std::size_t kMostElements = 1024;  // number of elements of A of m16n8k64

/// A matrix in row-major order. `undefined` is valid if not all elements are `known`.
template <class T>
struct Matrix {
  std::array<T, kMostElements> value;
  std::array<bool, kMostElements> undefined;
  bool known = true;
};

/// Sets the definedness of D. An element depends on a row of A, a column of B and an element of C.
template <class T, class D>
void derive_definedness(const MatrixOperation& operation, const Matrix<T>& a, const Matrix<T>& b,
                        const Matrix<D>& c, Matrix<D>& d) {
  d.known = a.known && b.known && c.known;
  if (d.known) return;
  const auto [m, n, k] = operation.shape;
  const unsigned along_k = operation.a.columns;
  const auto undefined = [](const auto& matrix, unsigned place) {
    return !matrix.known && matrix.undefined[place];
  };
  for (unsigned row = 0; row < operation.products * m; ++row) {
    const unsigned first_of_b = row / m * along_k;
    for (unsigned column = 0; column < n; ++column) {
      const unsigned place = row * n + column;
      bool any = undefined(c, place);
      for (unsigned l = 0; l < along_k && !any; ++l) {
        any = undefined(a, row * along_k + l) || undefined(b, (first_of_b + l) * n + column);
      }
      d.undefined[place] = any;
    }
  }
}

semantics::MmaShape numbers_of(MatrixShape shape) {
  return {static_cast<int>(shape.m), static_cast<int>(shape.n), static_cast<int>(shape.k)};
}

/// Gathers A, B and C, calls compute(a, b, c, d), and scatters D.
template <class T, class D, class F>
Flow product(Warp& warp, const Op& op, F compute) {
  const MatrixOperation& operation = *op.detail->matrices;
  if (!machine::all_take_part(warp, op)) {
    const std::span<const Slot> slots = op.detail->elements;
    return machine::skip_with_zeros<Word<D>>(warp, slots.first(operation.d.registers));
  }
  const Slot* const registers = op.detail->elements.data();
  Matrix<T> a;
  Matrix<T> b;
  Matrix<D> c;
  Matrix<D> d;
  gather<T>(warp, registers + operation.first_a, operation.a, operation.a_type, a);
  gather<T>(warp, registers + operation.first_b, operation.b, operation.b_type, b);
  gather<D>(warp, registers + operation.first_c, operation.c, operation.c_type, c);
  compute(operation, a.value.data(), b.value.data(), c.value.data(), d.value.data());
  derive_definedness(operation, a, b, c, d);
  scatter<D>(warp, registers, operation.d, d);
  return Flow::next;
}

std::uint32_t widened(std::uint32_t half) {
  return std::bit_cast<std::uint32_t>(
      semantics::convert<float>(semantics::f16{static_cast<std::uint16_t>(half)}));
}
std::uint32_t narrowed(std::uint32_t single) {
  return semantics::convert<semantics::f16>(std::bit_cast<float>(single)).bits;
}

/// Computes a floating-point product. If C and D have different types, the sum is computed in f32:
/// C of f16 is widened and D of f16 is rounded. The same holds for the four products of m8n8k4.
Flow floats(Warp& warp, const Op& op) {
  const semantics::TensorModel& model = *warp.block().launch().tensor_model;
  return product<std::uint32_t, std::uint32_t>(
      warp, op,
      [&](const MatrixOperation& operation, const auto* a, const auto* b, auto* c, auto* d) {
        const bool quads = operation.products > 1;
        const bool halves =
            operation.c_type == Type::f16 && operation.d_type == Type::f16 && !quads;
        const auto [m, n, k] = operation.shape;
        const std::size_t size = std::size_t{operation.products} * m * n;
        if (!halves && operation.c_type == Type::f16) {
          for (std::size_t i = 0; i < size; ++i) c[i] = widened(c[i]);
        }
        if (quads) {
          const auto result = operation.d_type == Type::f16 ? semantics::MmaAccumulator::f16
                                                            : semantics::MmaAccumulator::f32;
          for (std::size_t i = 0; i < operation.products; ++i) {
            semantics::mma_by_fma(numbers_of(operation.shape), a + i * m * k, b + i * k * n, result,
                                  c + i * m * n, d + i * m * n);
          }
        } else {
          semantics::mma(model, numbers_of(operation.shape), input_of(operation.a_type), a,
                         input_of(operation.b_type), b,
                         halves ? semantics::MmaAccumulator::f16 : semantics::MmaAccumulator::f32,
                         c, d);
        }
        if (!halves && operation.d_type == Type::f16) {
          for (std::size_t i = 0; i < size; ++i) d[i] = narrowed(d[i]);
        }
      });
}

Flow doubles(Warp& warp, const Op& op) {
  return product<double, double>(
      warp, op,
      [](const MatrixOperation& operation, const auto* a, const auto* b, auto* c, auto* d) {
        semantics::mma(numbers_of(operation.shape), a, b, c, d);
      });
}

Flow integers(Warp& warp, const Op& op) {
  return product<std::int32_t, std::int32_t>(
      warp, op, [](const MatrixOperation& operation, auto* a, auto* b, auto* c, auto* d) {
        semantics::mma(numbers_of(operation.shape), a, b, c, d, operation.satfinite);
      });
}

Flow bits(Warp& warp, const Op& op) {
  return product<std::uint32_t, std::int32_t>(
      warp, op,
      [](const MatrixOperation& operation, const auto* a, const auto* b, auto* c, auto* d) {
        semantics::mma(numbers_of(operation.shape),
                       operation.conjunction ? semantics::BitOperation::conjunction
                                             : semantics::BitOperation::exclusive_or,
                       a, b, c, d);
      });
}

/// The layout of an operand, in which the elements of b1 are words of 32 bits.
MatrixLayout operand_layout(MatrixRole role, MatrixShape shape, Type type) {
  if (type != Type::b1) return layout_of(role, shape, type);
  return machine::matrix_layout(role, {shape.m, shape.n, shape.k / 32}, 32);
}

void lay_out(MatrixOperation& o) {
  o.a = operand_layout(MatrixRole::a, o.shape, o.a_type);
  o.b = operand_layout(MatrixRole::b, o.shape, o.b_type);
  o.c = layout_of(MatrixRole::accumulator, o.shape, o.c_type);
  o.d = layout_of(MatrixRole::accumulator, o.shape, o.d_type);
}

void lay_out_quads(MatrixOperation& o, const Selection& selection) {
  // ".row" and ".col" of A and B, in this order.
  std::vector<bool> by_columns;
  for (const std::string_view modifier : selection.modifiers) {
    if (modifier == "row" || modifier == "col") by_columns.push_back(modifier == "col");
  }
  o.products = machine::kQuadProducts;
  o.a = machine::quad_layout(MatrixRole::a, by_columns.at(0), 16);
  o.b = machine::quad_layout(MatrixRole::b, by_columns.at(1), 16);
  o.c = machine::quad_layout(MatrixRole::accumulator, false, element_bits(o.c_type));
  o.d = machine::quad_layout(MatrixRole::accumulator, false, element_bits(o.d_type));
}

Type register_type(Type element) { return element == Type::f64 ? Type::f64 : Type::b32; }

void lower_mma(Lowering& lowering) { lower_product(lowering, false); }

constexpr Form form(std::string_view modifiers, std::string_view types) {
  return {"mma", modifiers, types, "", "9.7.14.5.14", nullptr, nullptr, lower_mma, true};
}

constexpr std::array kForms = {
    form("sync aligned m16n8k8|m16n8k16 row col", "f16.f16.f16.f16 f32.f16.f16.f32"),
    form("sync aligned m8n8k4 row|col row|col", "f16.f16.f16.f16 f32.f16.f16.f16 f32.f16.f16.f32"),
    form("sync aligned m16n8k8|m16n8k16 row col", "f32.bf16.bf16.f32"),
    form("sync aligned m16n8k4|m16n8k8 row col", "f32.tf32.tf32.f32"),
    form("sync aligned m8n8k4|m16n8k4|m16n8k8|m16n8k16 row col", "f64.f64.f64.f64"),
    form("sync aligned m8n8k16|m16n8k16|m16n8k32 row col [satfinite]",
         "s32.s8.s8.s32 s32.s8.u8.s32 s32.u8.s8.s32 s32.u8.u8.s32"),
    form("sync aligned m8n8k32|m16n8k32|m16n8k64 row col [satfinite]",
         "s32.s4.s4.s32 s32.s4.u4.s32 s32.u4.s4.s32 s32.u4.u4.s32"),
    form("sync aligned m8n8k128|m16n8k128|m16n8k256 row col xor|and popc", "s32.b1.b1.s32"),
    form("sync aligned m16n8k16|m16n8k32 row col",
         "f32.e4m3.e4m3.f32 f32.e4m3.e5m2.f32 f32.e5m2.e4m3.f32 f32.e5m2.e5m2.f32 "
         "f16.e4m3.e4m3.f16 f16.e4m3.e5m2.f16 f16.e5m2.e4m3.f16 f16.e5m2.e5m2.f16"),
};

}  // namespace

semantics::MmaInput input_of(Type type) {
  switch (type) {
    case Type::bf16:
      return semantics::MmaInput::bf16;
    case Type::tf32:
      return semantics::MmaInput::tf32;
    case Type::e4m3:
      return semantics::MmaInput::e4m3;
    case Type::e5m2:
      return semantics::MmaInput::e5m2;
    default:
      return semantics::MmaInput::f16;
  }
}

MatrixShape shape_of(const Selection& selection) {
  MatrixShape shape;
  for (const std::string_view modifier : selection.modifiers) {
    const std::size_t n = modifier.find('n');
    const std::size_t k = modifier.find('k');
    if (modifier.front() != 'm' || n == std::string_view::npos || k == std::string_view::npos) {
      continue;
    }
    const auto number = [&](std::size_t from) {
      unsigned value = 0;
      std::from_chars(modifier.data() + from, modifier.data() + modifier.size(), value);
      return value;
    };
    shape = {number(1), number(n + 1), number(k + 1)};
  }
  return shape;
}

unsigned element_bits(Type type) {
  if (type == Type::b1) return 1;
  if (type == Type::s4 || type == Type::u4) return 4;
  return 8 * static_cast<unsigned>(ptx::bytes(type));
}

MatrixLayout layout_of(MatrixRole role, MatrixShape shape, Type type) {
  return machine::matrix_layout(role, shape, element_bits(type));
}

std::size_t wmma_registers(MatrixRole role, const MatrixLayout& layout, Type type) {
  constexpr std::size_t kOfHalves = 8;
  return role != MatrixRole::accumulator && type == Type::f16 ? kOfHalves : layout.registers;
}

void lower_fragment(Lowering& lowering, std::size_t index, Type type, std::size_t count,
                    bool written) {
  if (index >= lowering.operand_count()) throw DecodeError("a fragment is missing");
  auto& elements = lowering.detail().elements;
  const std::size_t before = elements.size();
  const Type word = register_type(type);
  if (const auto* vector = lowering.operand<ptx::Vector>(index)) {
    for (const ptx::Element& element : vector->elements) {
      if (std::holds_alternative<ptx::Sink>(element))
        throw DecodeError("a register of the fragment is missing");
      elements.push_back(written ? lowering.destination_element(element, word)
                                 : lowering.source_element(element, word));
    }
  } else {
    const ptx::Operand& one = lowering.instruction.operands[index];
    elements.push_back(written ? lowering.destination(one, word) : lowering.source(one, word));
  }
  if (elements.size() - before != count) {
    throw DecodeError(
        fmt::format("a fragment has {} registers, {} expected", elements.size() - before, count));
  }
}

void lower_product(Lowering& lowering, bool wmma) {
  const Selection& selection = lowering.selection;
  lowering.expect_operands(4);
  auto operation = std::make_shared<MatrixOperation>();
  MatrixOperation& o = *operation;
  o.shape = shape_of(selection);
  const bool all_named = selection.types.size() == 4;  // wmma omits .f16 of A and B
  o.d_type = selection.type(0);
  o.a_type = all_named ? selection.type(1) : Type::f16;
  o.b_type = all_named ? selection.type(2) : Type::f16;
  o.c_type = selection.type(all_named ? 3 : 1);
  o.satfinite = selection.has("satfinite");
  o.conjunction = selection.has("and");
  if (!wmma && o.a_type == Type::f16 && o.shape.m == 8) {
    lay_out_quads(o, selection);
  } else {
    lay_out(o);
  }
  const auto registers = [&](MatrixRole role, const MatrixLayout& layout, Type type) {
    return wmma ? wmma_registers(role, layout, type) : layout.registers;
  };
  const auto end = [&] { return static_cast<std::uint8_t>(lowering.detail().elements.size()); };
  lower_fragment(lowering, 0, o.d_type, o.d.registers, true);
  o.first_a = end();
  lower_fragment(lowering, 1, o.a_type, registers(MatrixRole::a, o.a, o.a_type), false);
  o.first_b = end();
  lower_fragment(lowering, 2, o.b_type, registers(MatrixRole::b, o.b, o.b_type), false);
  o.first_c = end();
  lower_fragment(lowering, 3, o.c_type, o.c.registers, false);
  lowering.detail().matrices = std::move(operation);
  lowering.result.run = o.a_type == Type::f64       ? doubles
                        : o.a_type == Type::b1      ? bits
                        : ptx::is_integer(o.a_type) ? integers
                                                    : floats;
}

std::span<const Form> mma_forms() { return kForms; }

}  // namespace warpcheck::isa
