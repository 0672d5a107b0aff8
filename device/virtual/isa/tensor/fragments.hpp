// Matrices in the registers of a warp's lanes: conversion from registers to row-major arrays and
// back.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/machine/lanes/convergence.hpp"
#include "device/virtual/machine/lanes/matrices.hpp"

namespace warpcheck::isa {

/// The type of a register with elements of T.
template <class T>
using Word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// Element i of `bits` bits of a register, extended by zeros or by its sign.
template <class T>
T element_of(Word<T> word, unsigned i, unsigned bits, bool by_sign) {
  if constexpr (sizeof(T) == 8) {
    return std::bit_cast<T>(word);
  } else {
    const std::uint32_t high = word << (32 - bits - i * bits);
    const unsigned shift = 32 - bits;
    return static_cast<T>(by_sign
                              ? static_cast<std::uint32_t>(static_cast<std::int32_t>(high) >> shift)
                              : high >> shift);
  }
}

/// A Matrix has `value` and `undefined`, indexed by place, and `known`.
template <class T, class Matrix>
void mark_undefined(machine::Warp& warp, const machine::Slot* registers,
                    const machine::MatrixLayout& layout, Matrix& matrix) {
  matrix.known = false;
  const std::uint16_t* place = layout.place.data();
  for (unsigned r = 0; r < layout.registers; ++r) {
    machine::RegisterLanes<Word<T>> lanes;
    machine::read_register(warp, registers[r], lanes);
    for (unsigned i = 0; i < layout.per_register; ++i, place += machine::kLanes) {
      for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
        matrix.undefined[place[lane]] =
            !lanes.known && element_of<Word<T>>(lanes.undefined[lane], i, layout.bits, false) != 0;
      }
    }
  }
}

/// Reads a matrix from the registers of the lanes.
template <class T, class Matrix>
void gather(machine::Warp& warp, const machine::Slot* registers,
            const machine::MatrixLayout& layout, Type type, Matrix& matrix) {
  const std::uint16_t* place = layout.place.data();
  const bool by_sign = ptx::is_signed(type);
  bool known = true;
  for (unsigned r = 0; r < layout.registers; ++r) {
    const auto* words = warp.lanes<Word<T>>(registers[r]);
    known &= warp.defined(registers[r]) == machine::kAllLanes;
    for (unsigned i = 0; i < layout.per_register; ++i, place += machine::kLanes) {
      for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
        matrix.value[place[lane]] = element_of<T>(words[lane], i, layout.bits, by_sign);
      }
    }
  }
  matrix.known = known;
  if (!known) mark_undefined<T>(warp, registers, layout, matrix);
}

/// Writes a matrix to the registers of the lanes.
template <class T, class Matrix>
void scatter(machine::Warp& warp, const machine::Slot* registers,
             const machine::MatrixLayout& layout, const Matrix& matrix) {
  const std::uint16_t* place = layout.place.data();
  for (unsigned r = 0; r < layout.registers; ++r) {
    machine::RegisterLanes<Word<T>> lanes{};
    lanes.known = matrix.known;
    for (unsigned i = 0; i < layout.per_register; ++i, place += machine::kLanes) {
      const unsigned shift = i * layout.bits;
      const Word<T> all_bits = ~Word<T>{0} >> (8 * sizeof(T) - layout.bits) << shift;
      for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
        lanes.value[lane] |= std::bit_cast<Word<T>>(matrix.value[place[lane]]) << shift;
        if (!matrix.known && matrix.undefined[place[lane]]) lanes.undefined[lane] |= all_bits;
      }
    }
    machine::write_register(warp, registers[r], lanes);
  }
}

}  // namespace warpcheck::isa
