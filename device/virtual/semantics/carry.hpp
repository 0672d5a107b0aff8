// Extended-precision integer arithmetic (PTX ISA 9.7.2). The carry of the condition code is an
// argument and a result; for subtraction it is the borrow. Instructions without .cc ignore `carry`.
#pragma once

#include "device/virtual/semantics/integer.hpp"

namespace warpcheck::semantics {

template <class T>
struct WithCarry {
  T value;
  bool carry;
  friend constexpr bool operator==(WithCarry, WithCarry) = default;
};

/// add.cc (carry_in = false) and addc: a + b + carry_in.
template <std::integral T>
[[nodiscard]] constexpr WithCarry<T> add_carry(T a, T b, bool carry_in = false) {
  using U = std::make_unsigned_t<T>;
  const U partial = static_cast<U>(add(a, b));
  const U sum = static_cast<U>(partial + U{carry_in});
  return {static_cast<T>(sum), partial < static_cast<U>(a) || sum < partial};
}
/// sub.cc (borrow_in = false) and subc: a - (b + borrow_in).
template <std::integral T>
[[nodiscard]] constexpr WithCarry<T> sub_borrow(T a, T b, bool borrow_in = false) {
  using U = std::make_unsigned_t<T>;
  const U partial = static_cast<U>(sub(a, b));
  const U difference = static_cast<U>(partial - U{borrow_in});
  return {static_cast<T>(difference),
          static_cast<U>(a) < static_cast<U>(b) || partial < difference};
}
/// mad.lo.cc and madc.lo; mad.hi.cc and madc.hi: half of the product, plus c, plus carry_in.
template <std::integral T>
[[nodiscard]] constexpr WithCarry<T> mad_lo_carry(T a, T b, T c, bool carry_in = false) {
  return add_carry(mul_lo(a, b), c, carry_in);
}
template <std::integral T>
[[nodiscard]] constexpr WithCarry<T> mad_hi_carry(T a, T b, T c, bool carry_in = false) {
  return add_carry(mul_hi(a, b), c, carry_in);
}

}  // namespace warpcheck::semantics
