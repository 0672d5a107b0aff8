// Binders: they map the types of an instruction to the handler that is instantiated for them.
//
// A form names a *family*: a generic lambda that returns, for a C++ type, the function of
// `semantics` that computes it:
//   constexpr auto kAdd = []<class T> { return semantics::add<T>; };
// The function's signature gives the types of the registers.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/machine/lanes/lanewise.hpp"

namespace warpcheck::isa {

using machine::Predicate;

/// The C++ type that computes for a PTX type; untyped bits compute as unsigned integers.
template <Type type>
struct Cpp;
template <>
struct Cpp<Type::pred> {
  using type = bool;
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

/// Adapts a function to the `F::apply` that the handlers over lanes call.
template <auto function>
struct Call {
  template <class... S>
  static auto apply(S... operands) {
    return function(operands...);
  }
};

/// The register that holds a value of a C++ type.
template <class T>
using RegisterOf = std::conditional_t<std::is_same_v<T, bool>, Predicate, T>;

template <auto function, class D, class... S>
Handler handler_by_signature(D (*)(S...)) {
  return machine::lanewise<Call<function>, RegisterOf<D>, RegisterOf<S>...>;
}
template <auto function, class D, class... S>
Handler rare_handler_by_signature(D (*)(S...)) {
  return machine::rare_lanewise<Call<function>, RegisterOf<D>, RegisterOf<S>...>;
}

/// The handler of `d = function(s...)` in each lane.
template <auto function>
Handler handler_of() {
  return handler_by_signature<function>(function);
}
/// The handler without a variant for AVX2: for instructions that are rare, or whose loops do not
/// vectorise.
template <auto function>
Handler rare_handler_of() {
  return rare_handler_by_signature<function>(function);
}

/// Binds a form of one signature.
template <auto function>
Handler fixed(const Selection&) {
  return handler_of<function>();
}

/// Binds the function that the family gives for the instruction's first type, one of `types`.
template <auto family, Type... types>
Handler by_type(const Selection& selection) {
  Handler found = nullptr;
  const auto consider = [&]<Type type>() {
    if (selection.type() == type) found = handler_of<family.template operator()<cpp<type>>()>();
  };
  (consider.template operator()<types>(), ...);
  return found;
}

}  // namespace warpcheck::isa
