// What mma and wmma share: the registers of fragments.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/lanes/matrices.hpp"

namespace warpcheck::isa {

/// "m16n8k16" among the modifiers.
[[nodiscard]] machine::MatrixShape shape_of(const Selection& selection);

/// Bits of an element of a matrix: 1 of b1, 4 of s4, 8, 16, 32 or 64.
[[nodiscard]] unsigned element_bits(Type type);

/// How a warp holds a matrix of such elements; the words of b1 and the nibbles of s4 and u4 apart.
[[nodiscard]] machine::MatrixLayout layout_of(machine::MatrixRole role, machine::MatrixShape shape,
                                              Type type);

/// Appends the `count` registers of operand `index`, `{%r1, %r2}` or one alone, to the elements.
void lower_fragment(Lowering& lowering, std::size_t index, Type type, std::size_t count,
                    bool written);

/// How many registers wmma has for a matrix: of the halves of A and B always 8, in which elements
/// may be held more than once.
[[nodiscard]] std::size_t wmma_registers(machine::MatrixRole role,
                                         const machine::MatrixLayout& layout, Type type);

/// D = A B + C of mma and wmma.mma, whose operands are the four fragments.
void lower_product(Lowering& lowering, bool wmma);

}  // namespace warpcheck::isa
