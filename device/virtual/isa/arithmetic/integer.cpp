// Integer arithmetic (PTX ISA 9.7.1) and extended-precision arithmetic (9.7.2).
#include "device/virtual/semantics/integer.hpp"

#include <array>
#include <cstdint>
#include <type_traits>

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/lanes/definedness.hpp"
#include "device/virtual/semantics/carry.hpp"

namespace warpcheck::isa {
namespace {

using machine::definedness::upwards;

struct Add {
  template <class T>
  static T apply(T a, T b) {
    return semantics::add(a, b);
  }
};
struct Sub {
  template <class T>
  static T apply(T a, T b) {
    return semantics::sub(a, b);
  }
};
struct AddSat {
  static std::int32_t apply(std::int32_t a, std::int32_t b) { return semantics::add_sat(a, b); }
};
struct SubSat {
  static std::int32_t apply(std::int32_t a, std::int32_t b) { return semantics::sub_sat(a, b); }
};
struct MulLo {
  template <class T>
  static T apply(T a, T b) {
    return semantics::mul_lo(a, b);
  }
};
struct MulHi {
  template <class T>
  static T apply(T a, T b) {
    return semantics::mul_hi(a, b);
  }
};
struct MulWide {
  template <class T>
  static auto apply(T a, T b) {
    return semantics::mul_wide(a, b);
  }
};
struct MadLo {
  template <class T>
  static T apply(T a, T b, T c) {
    return semantics::mad_lo(a, b, c);
  }
};
struct MadHi {
  template <class T>
  static T apply(T a, T b, T c) {
    return semantics::mad_hi(a, b, c);
  }
};
struct MadHiSat {
  static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
    return semantics::mad_hi_sat(a, b, c);
  }
};
struct MadWide {
  template <class T, class W>
  static W apply(T a, T b, W c) {
    return semantics::mad_wide(a, b, c);
  }
};
struct Mul24Lo {
  template <class T>
  static T apply(T a, T b) {
    return semantics::mul24_lo(a, b);
  }
};
struct Mul24Hi {
  template <class T>
  static T apply(T a, T b) {
    return semantics::mul24_hi(a, b);
  }
};
struct Mad24Lo {
  template <class T>
  static T apply(T a, T b, T c) {
    return semantics::mad24_lo(a, b, c);
  }
};
struct Mad24Hi {
  template <class T>
  static T apply(T a, T b, T c) {
    return semantics::mad24_hi(a, b, c);
  }
};
struct Mad24HiSat {
  static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
    return semantics::mad24_hi_sat(a, b, c);
  }
};
struct Div {
  template <class T>
  static T apply(T a, T b) {
    return semantics::div(a, b);
  }
};
struct Rem {
  template <class T>
  static T apply(T a, T b) {
    return semantics::rem(a, b);
  }
};
struct Abs {
  template <class T>
  static T apply(T a) {
    return semantics::abs(a);
  }
};
struct Neg {
  template <class T>
  static T apply(T a) {
    return semantics::neg(a);
  }
};
template <bool relu>
struct Min {
  template <class T>
  static T apply(T a, T b) {
    return semantics::min<relu>(a, b);
  }
};
template <bool relu>
struct Max {
  template <class T>
  static T apply(T a, T b) {
    return semantics::max<relu>(a, b);
  }
};
struct Sad {
  template <class T>
  static T apply(T a, T b, T c) {
    return semantics::sad(a, b, c);
  }
};
template <class A, class B>
struct Dp4a {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return semantics::dp4a<A, B>(a, b, c);
  }
};
template <bool high, class A, class B>
struct Dp2a {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return semantics::dp2a<high, A, B>(a, b, c);
  }
};

template <class F, int operands>
Handler all_types(const Selection& s) {
  return uniform<F, operands, Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64>(s);
}
template <class F, int operands>
Handler signed_types(const Selection& s) {
  return uniform<F, operands, Type::s16, Type::s32, Type::s64>(s);
}
template <class F, int operands>
Handler word_types(const Selection& s) {
  return uniform<F, operands, Type::u32, Type::s32>(s);
}
template <class F>
Handler widening_product(const Selection& s) {
  switch (s.type()) {
    case Type::u16:
      return machine::lanewise<F, std::uint32_t, std::uint16_t, std::uint16_t>;
    case Type::s16:
      return machine::lanewise<F, std::int32_t, std::int16_t, std::int16_t>;
    case Type::u32:
      return machine::lanewise<F, std::uint64_t, std::uint32_t, std::uint32_t>;
    default:
      return machine::lanewise<F, std::int64_t, std::int32_t, std::int32_t>;
  }
}
template <class F>
Handler widening_sum(const Selection& s) {
  switch (s.type()) {
    case Type::u16:
      return machine::lanewise<F, std::uint32_t, std::uint16_t, std::uint16_t, std::uint32_t>;
    case Type::s16:
      return machine::lanewise<F, std::int32_t, std::int16_t, std::int16_t, std::int32_t>;
    case Type::u32:
      return machine::lanewise<F, std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t>;
    default:
      return machine::lanewise<F, std::int64_t, std::int32_t, std::int32_t, std::int64_t>;
  }
}

/// The signedness of dp4a's and dp2a's a and b is that of their two types.
template <template <class, class> class F, class U, class S>
Handler dot_product(const Selection& s) {
  const bool a = ptx::is_signed(s.type(0));
  const bool b = ptx::is_signed(s.type(1));
  using W = std::uint32_t;
  if (a && b) return machine::lanewise<F<S, S>, W, W, W, W>;
  if (a) return machine::lanewise<F<S, U>, W, W, W, W>;
  if (b) return machine::lanewise<F<U, S>, W, W, W, W>;
  return machine::lanewise<F<U, U>, W, W, W, W>;
}
/// a brings halves, b bytes.
template <class B>
using ByteOf = std::conditional_t<std::is_signed_v<B>, std::int8_t, std::uint8_t>;
template <class A, class B>
using Dp2aLow = Dp2a<false, A, ByteOf<B>>;
template <class A, class B>
using Dp2aHigh = Dp2a<true, A, ByteOf<B>>;

// Extended precision: {value, carry} with the carry flag in and out.
template <class T>
struct ValueCarry {
  T first;
  bool second;
};
template <class T>
ValueCarry<T> split(semantics::WithCarry<T> result) {
  return {result.value, result.carry};
}
struct AddCarry {
  template <class T>
  static auto apply(T a, T b) {
    return split(semantics::add_carry(a, b));
  }
  template <class T>
  static auto apply(T a, T b, bool c) {
    return split(semantics::add_carry(a, b, c));
  }
};
struct SubBorrow {
  template <class T>
  static auto apply(T a, T b) {
    return split(semantics::sub_borrow(a, b));
  }
  template <class T>
  static auto apply(T a, T b, bool c) {
    return split(semantics::sub_borrow(a, b, c));
  }
};
struct MadLoCarry {
  template <class T>
  static auto apply(T a, T b, T c) {
    return split(semantics::mad_lo_carry(a, b, c));
  }
  template <class T>
  static auto apply(T a, T b, T c, bool cc) {
    return split(semantics::mad_lo_carry(a, b, c, cc));
  }
};
struct MadHiCarry {
  template <class T>
  static auto apply(T a, T b, T c) {
    return split(semantics::mad_hi_carry(a, b, c));
  }
  template <class T>
  static auto apply(T a, T b, T c, bool cc) {
    return split(semantics::mad_hi_carry(a, b, c, cc));
  }
};

template <class F, class T>
Handler extended(bool carry_in) {
  using machine::lanewise_pair;
  if constexpr (std::is_same_v<F, MadLoCarry> || std::is_same_v<F, MadHiCarry>) {
    return carry_in ? lanewise_pair<F, T, Predicate, T, T, T, Predicate>
                    : lanewise_pair<F, T, Predicate, T, T, T>;
  } else {
    return carry_in ? lanewise_pair<F, T, Predicate, T, T, Predicate>
                    : lanewise_pair<F, T, Predicate, T, T>;
  }
}

/// d, a, b(, c) and the carry flag: read by addc, subc and madc, written where `.cc` says so.
template <class F>
void lower_extended(Lowering& lowering) {
  const std::string_view mnemonic = lowering.row.mnemonic;
  const bool carry_in = mnemonic.back() == 'c';
  const Type type = lowering.selection.type();
  const auto& operands = lowering.instruction.operands;
  constexpr std::size_t kSources =
      std::is_same_v<F, MadLoCarry> || std::is_same_v<F, MadHiCarry> ? 3 : 2;
  if (operands.size() != kSources + 1) throw DecodeError("the number of operands does not fit");
  machine::Op& op = lowering.result;
  const auto bits = static_cast<std::uint8_t>(bits_of(type));
  op.operand[0] = lowering.destination(operands[0], type);
  op.bits[0] = bits;
  for (unsigned i = 1; i <= kSources; ++i) {
    op.operand[i] = lowering.source(operands[i], type);
    op.bits[i] = bits;
  }
  op.sources = kSources;
  if (carry_in) {
    ++op.sources;
    op.operand[op.sources] = lowering.function.carry();
    op.bits[op.sources] = 1;
  }
  const bool carry_out = lowering.selection.has("cc");
  op.operand[machine::kSecondResult] = carry_out ? lowering.function.carry() : machine::kNoSlot;
  op.bits[machine::kSecondResult] = 1;
  switch (type) {
    case Type::u32:
    case Type::s32:
      op.run = extended<F, std::uint32_t>(carry_in);
      break;
    default:
      op.run = extended<F, std::uint64_t>(carry_in);
  }
  if (type == Type::s32 && mnemonic.starts_with("mad"))
    op.run = extended<F, std::int32_t>(carry_in);
  if (type == Type::s64 && mnemonic.starts_with("mad"))
    op.run = extended<F, std::int64_t>(carry_in);
}

constexpr std::string_view kAll = "u16 u32 u64 s16 s32 s64";
constexpr std::string_view kSigned = "s16 s32 s64";
constexpr std::string_view kWords = "u32 s32";
constexpr std::string_view kWide = "u16 u32 s16 s32";
constexpr std::string_view kExtended = "u32 s32 u64 s64";
using U8 = std::uint8_t;
using S8 = std::int8_t;
using U16 = std::uint16_t;
using S16 = std::int16_t;

constexpr std::array kForms = {
    Form{"add", "", kAll, "=t t t", "9.7.1.1", all_types<Add, 2>, upwards},
    Form{"add", "sat", "s32", "=t t t", "9.7.1.1",
         fixed<AddSat, std::int32_t, std::int32_t, std::int32_t>},
    Form{"sub", "", kAll, "=t t t", "9.7.1.2", all_types<Sub, 2>, upwards},
    Form{"sub", "sat", "s32", "=t t t", "9.7.1.2",
         fixed<SubSat, std::int32_t, std::int32_t, std::int32_t>},
    Form{"mul", "lo", kAll, "=t t t", "9.7.1.3", all_types<MulLo, 2>, upwards},
    Form{"mul", "hi", kAll, "=t t t", "9.7.1.3", all_types<MulHi, 2>},
    Form{"mul", "wide", kWide, "=w t t", "9.7.1.3", widening_product<MulWide>},
    Form{"mad", "lo", kAll, "=t t t t", "9.7.1.4", all_types<MadLo, 3>, upwards},
    Form{"mad", "hi", kAll, "=t t t t", "9.7.1.4", all_types<MadHi, 3>},
    Form{"mad", "hi sat", "s32", "=t t t t", "9.7.1.4",
         fixed<MadHiSat, std::int32_t, std::int32_t, std::int32_t, std::int32_t>},
    Form{"mad", "wide", kWide, "=w t t w", "9.7.1.4", widening_sum<MadWide>},
    Form{"mul24", "lo", kWords, "=t t t", "9.7.1.5", word_types<Mul24Lo, 2>},
    Form{"mul24", "hi", kWords, "=t t t", "9.7.1.5", word_types<Mul24Hi, 2>},
    Form{"mad24", "lo", kWords, "=t t t t", "9.7.1.6", word_types<Mad24Lo, 3>},
    Form{"mad24", "hi", kWords, "=t t t t", "9.7.1.6", word_types<Mad24Hi, 3>},
    Form{"mad24", "hi sat", "s32", "=t t t t", "9.7.1.6",
         fixed<Mad24HiSat, std::int32_t, std::int32_t, std::int32_t, std::int32_t>},
    Form{"sad", "", kAll, "=t t t t", "9.7.1.7", all_types<Sad, 3>},
    Form{"div", "", kAll, "=t t t", "9.7.1.8", all_types<Div, 2>},
    Form{"rem", "", kAll, "=t t t", "9.7.1.9", all_types<Rem, 2>},
    Form{"abs", "", kSigned, "=t t", "9.7.1.10", signed_types<Abs, 1>},
    Form{"neg", "", kSigned, "=t t", "9.7.1.11", signed_types<Neg, 1>, upwards},
    Form{"min", "", kAll, "=t t t", "9.7.1.12", all_types<Min<false>, 2>},
    Form{"min", "relu", "s32", "=t t t", "9.7.1.12",
         fixed<Min<true>, std::int32_t, std::int32_t, std::int32_t>},
    Form{"max", "", kAll, "=t t t", "9.7.1.13", all_types<Max<false>, 2>},
    Form{"max", "relu", "s32", "=t t t", "9.7.1.13",
         fixed<Max<true>, std::int32_t, std::int32_t, std::int32_t>},
    Form{"dp4a", "", "u32.u32 u32.s32 s32.u32 s32.s32", "=b32 b32 b32 b32", "9.7.1.23",
         dot_product<Dp4a, U8, S8>},
    Form{"dp2a", "lo", "u32.u32 u32.s32 s32.u32 s32.s32", "=b32 b32 b32 b32", "9.7.1.24",
         dot_product<Dp2aLow, U16, S16>},
    Form{"dp2a", "hi", "u32.u32 u32.s32 s32.u32 s32.s32", "=b32 b32 b32 b32", "9.7.1.24",
         dot_product<Dp2aHigh, U16, S16>},
    Form{"add", "cc", kExtended, "", "9.7.2.1", nullptr, nullptr, lower_extended<AddCarry>},
    Form{"addc", "[cc]", kExtended, "", "9.7.2.2", nullptr, nullptr, lower_extended<AddCarry>},
    Form{"sub", "cc", kExtended, "", "9.7.2.3", nullptr, nullptr, lower_extended<SubBorrow>},
    Form{"subc", "[cc]", kExtended, "", "9.7.2.4", nullptr, nullptr, lower_extended<SubBorrow>},
    Form{"mad", "lo cc", kExtended, "", "9.7.2.5", nullptr, nullptr, lower_extended<MadLoCarry>},
    Form{"mad", "hi cc", kExtended, "", "9.7.2.5", nullptr, nullptr, lower_extended<MadHiCarry>},
    Form{"madc", "lo [cc]", kExtended, "", "9.7.2.6", nullptr, nullptr, lower_extended<MadLoCarry>},
    Form{"madc", "hi [cc]", kExtended, "", "9.7.2.6", nullptr, nullptr, lower_extended<MadHiCarry>},
};

}  // namespace

std::span<const Form> integer_forms() { return kForms; }

}  // namespace warpcheck::isa
