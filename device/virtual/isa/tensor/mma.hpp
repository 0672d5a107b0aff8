// The decoding of matrix products, shared by mma, wmma and wgmma.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/lanes/matrices.hpp"
#include "device/virtual/semantics/tensor.hpp"

namespace warpcheck::isa {

/// The type of A or B in semantics::mma.
[[nodiscard]] semantics::MmaInput input_of(Type type);

/// The shape in the modifiers, such as "m16n8k16".
[[nodiscard]] machine::MatrixShape shape_of(const Selection& selection);

/// The bits of an element of a matrix: 1 for b1, 4 for s4 and u4, 8, 16, 32 or 64.
[[nodiscard]] unsigned element_bits(Type type);

/// The layout of a matrix in the registers of a warp, with single elements of b1, s4 and u4.
[[nodiscard]] machine::MatrixLayout layout_of(machine::MatrixRole role, machine::MatrixShape shape,
                                              Type type);

/// Appends the `count` registers of operand `index`, `{%r1, %r2}` or a single one, to the elements.
void lower_fragment(Lowering& lowering, std::size_t index, Type type, std::size_t count,
                    bool written);

/// The number of registers that wmma has for a matrix. It is always 8 for f16 operands A and B,
/// whose elements may be in several registers.
[[nodiscard]] std::size_t wmma_registers(machine::MatrixRole role,
                                         const machine::MatrixLayout& layout, Type type);

/// Decodes D = A B + C of mma and wmma.mma, whose operands are the four fragments.
void lower_product(Lowering& lowering, bool wmma);

}  // namespace warpcheck::isa
