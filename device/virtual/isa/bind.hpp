// Binders: from the type that an instruction names to the handler instantiated for it.
#pragma once

#include <bit>
#include <cstdint>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/machine/lanes/lanewise.hpp"

namespace warpcheck::isa {

using machine::Predicate;

/// The C++ type that computes for a PTX type; bits compute as unsigned integers.
template <Type type>
struct Cpp;
template <>
struct Cpp<Type::pred> {
  using type = Predicate;
};
template <>
struct Cpp<Type::b8> {
  using type = std::uint8_t;
};
template <>
struct Cpp<Type::b16> {
  using type = std::uint16_t;
};
template <>
struct Cpp<Type::b32> {
  using type = std::uint32_t;
};
template <>
struct Cpp<Type::b64> {
  using type = std::uint64_t;
};
template <>
struct Cpp<Type::u8> {
  using type = std::uint8_t;
};
template <>
struct Cpp<Type::u16> {
  using type = std::uint16_t;
};
template <>
struct Cpp<Type::u32> {
  using type = std::uint32_t;
};
template <>
struct Cpp<Type::u64> {
  using type = std::uint64_t;
};
template <>
struct Cpp<Type::s8> {
  using type = std::int8_t;
};
template <>
struct Cpp<Type::s16> {
  using type = std::int16_t;
};
template <>
struct Cpp<Type::s32> {
  using type = std::int32_t;
};
template <>
struct Cpp<Type::s64> {
  using type = std::int64_t;
};
template <>
struct Cpp<Type::f32> {
  using type = float;
};
template <>
struct Cpp<Type::f64> {
  using type = double;
};
template <Type type>
using cpp = typename Cpp<type>::type;

/// A lanewise instruction `d = F::apply(s...)` all of whose `Operands` have the instruction's type.
template <class F, int Operands, Type... types>
Handler uniform(const Selection& selection) {
  Handler found = nullptr;
  const auto consider = [&]<Type type>() {
    using T = cpp<type>;
    if (selection.type() != type) return;
    if constexpr (Operands == 1) found = machine::lanewise<F, T, T>;
    if constexpr (Operands == 2) found = machine::lanewise<F, T, T, T>;
    if constexpr (Operands == 3) found = machine::lanewise<F, T, T, T, T>;
    if constexpr (Operands == 4) found = machine::lanewise<F, T, T, T, T, T>;
  };
  (consider.template operator()<types>(), ...);
  return found;
}

/// An instruction of one fixed signature.
template <class F, class D, class... S>
Handler fixed(const Selection&) {
  return machine::lanewise<F, D, S...>;
}

}  // namespace warpcheck::isa
