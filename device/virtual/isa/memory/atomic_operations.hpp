// The operations of atom and red, as functions of words (PTX ISA 9.7.13.7). A word's value is in
// the low bits of 64.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "device/virtual/semantics/atomics.hpp"
#include "device/virtual/semantics/bits.hpp"

namespace warpcheck::isa {

template <unsigned bytes>
using Bits = std::conditional_t<bytes == 2, std::uint16_t,
                                std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>>;

template <class T>
T value_of(std::uint64_t word) {
  return std::bit_cast<T>(static_cast<Bits<sizeof(T)>>(word));
}
template <class T>
std::uint64_t word_of(T value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<std::make_unsigned_t<T>>(value);
  } else {
    return semantics::to_bits(value);
  }
}

/// Computes F::apply(old, operand) on values of type T.
template <class F, class T>
std::uint64_t updated(std::uint64_t old, std::uint64_t b, std::uint64_t) {
  return word_of<T>(F::apply(value_of<T>(old), value_of<T>(b)));
}
/// Computes F::apply(old, operand) on both halves of a word.
template <class F, class T>
std::uint64_t updated_halves(std::uint64_t old, std::uint64_t b, std::uint64_t) {
  return semantics::packed<T>([](T x, T y) { return F::apply(x, y); },
                              static_cast<std::uint32_t>(old), static_cast<std::uint32_t>(b));
}
template <class T>
std::uint64_t compared(std::uint64_t old, std::uint64_t b, std::uint64_t c) {
  return semantics::atomic_cas(static_cast<T>(old), static_cast<T>(b), static_cast<T>(c));
}

template <bool ftz>
struct AddFloat {
  static float apply(float a, float b) { return semantics::atomic_add<ftz>(a, b); }
};
struct Add {
  template <class T>
  static T apply(T a, T b) {
    return semantics::atomic_add(a, b);
  }
};
/// The PTX ISA does not define the result for NaNs. In global memory an H200 returns the NaN
/// operand, or else the NaN in memory, unchanged; in shared memory it adds as add.f64 does.
struct AddDoubleInGlobal {
  static double apply(double a, double b) {
    if (semantics::is_nan(b)) return b;
    return semantics::is_nan(a) ? a : semantics::atomic_add(a, b);
  }
};
struct Min {
  template <class T>
  static T apply(T a, T b) {
    return semantics::min(a, b);
  }
};
struct Max {
  template <class T>
  static T apply(T a, T b) {
    return semantics::max(a, b);
  }
};
struct And {
  template <class T>
  static T apply(T a, T b) {
    return semantics::bit_and(a, b);
  }
};
struct Or {
  template <class T>
  static T apply(T a, T b) {
    return semantics::bit_or(a, b);
  }
};
struct Xor {
  template <class T>
  static T apply(T a, T b) {
    return semantics::bit_xor(a, b);
  }
};
struct Exchange {
  template <class T>
  static T apply(T a, T b) {
    return semantics::atomic_exch(a, b);
  }
};
struct Increment {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
    return semantics::atomic_inc(a, b);
  }
};
struct Decrement {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
    return semantics::atomic_dec(a, b);
  }
};

}  // namespace warpcheck::isa
