// Extended-precision integer arithmetic (PTX ISA 9.7.2). The carry of the condition code is an
// argument and a result. Instructions without .cc ignore `carry`.
//
// PTX calls the flag of a subtraction the borrow. The hardware subtracts by adding the complement,
// and its flag is the carry of that sum, which is the complement of the borrow. Chains of
// subtractions give the same result with both; `sub.cc` before `addc`, and `add.cc` before `subc`,
// do not. ptxas 13.0 translates all of them to IADD3 with one carry flag, and folds constants in
// the same way.
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
/// sub.cc (carry_in = true) and subc: a + ~b + carry_in. The carry is set if there is no borrow.
template <std::integral T>
[[nodiscard]] constexpr WithCarry<T> sub_carry(T a, T b, bool carry_in = true) {
  return add_carry(a, static_cast<T>(~b), carry_in);
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
