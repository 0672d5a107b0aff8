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

// Families: <T>.
constexpr auto kAdd = []<class T>() { return semantics::add<T>; };
constexpr auto kSub = []<class T>() { return semantics::sub<T>; };
constexpr auto kMulLo = []<class T>() { return semantics::mul_lo<T>; };
constexpr auto kMulHi = []<class T>() { return semantics::mul_hi<T>; };
constexpr auto kMulWide = []<class T>() { return semantics::mul_wide<T>; };
constexpr auto kMadLo = []<class T>() { return semantics::mad_lo<T>; };
constexpr auto kMadHi = []<class T>() { return semantics::mad_hi<T>; };
constexpr auto kMadWide = []<class T>() { return semantics::mad_wide<T>; };
constexpr auto kMul24Lo = []<class T>() { return semantics::mul24_lo<T>; };
constexpr auto kMul24Hi = []<class T>() { return semantics::mul24_hi<T>; };
constexpr auto kMad24Lo = []<class T>() { return semantics::mad24_lo<T>; };
constexpr auto kMad24Hi = []<class T>() { return semantics::mad24_hi<T>; };
constexpr auto kSad = []<class T>() { return semantics::sad<T>; };
constexpr auto kDiv = []<class T>() { return semantics::div<T>; };
constexpr auto kRem = []<class T>() { return semantics::rem<T>; };
constexpr auto kAbs = []<class T>() { return semantics::abs<T>; };
constexpr auto kNeg = []<class T>() { return semantics::neg<T>; };
constexpr auto kMin = []<class T>() { return semantics::min<false, T>; };
constexpr auto kMax = []<class T>() { return semantics::max<false, T>; };

template <auto family>
Handler all_types(const Selection& s) {
  return by_type<family, Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64>(s);
}
template <auto family>
Handler signed_types(const Selection& s) {
  return by_type<family, Type::s16, Type::s32, Type::s64>(s);
}
template <auto family>
Handler word_types(const Selection& s) {
  return by_type<family, Type::u32, Type::s32>(s);
}
template <auto family>
Handler widening(const Selection& s) {
  return by_type<family, Type::u16, Type::s16, Type::u32, Type::s32>(s);
}

// dp4a and dp2a: <A, B>, the types of the parts of a and b. dp2a: a has halves, b bytes.
using U8 = std::uint8_t;
using S8 = std::int8_t;
using U16 = std::uint16_t;
using S16 = std::int16_t;
template <class Half>
using ByteLike = std::conditional_t<std::is_signed_v<Half>, S8, U8>;
constexpr auto kDp4a = []<class A, class B>() { return semantics::dp4a<A, B>; };
constexpr auto kDp2aLow = []<class A, class B>() { return semantics::dp2a<false, A, ByteLike<B>>; };
constexpr auto kDp2aHigh = []<class A, class B>() { return semantics::dp2a<true, A, ByteLike<B>>; };

/// Binds by the signedness of a and b, which the instruction's two types give.
template <auto family, class U, class S>
Handler dot_product(const Selection& s) {
  const bool a = ptx::is_signed(s.type(0));
  const bool b = ptx::is_signed(s.type(1));
  if (a && b) return handler_of<family.template operator()<S, S>()>();
  if (a) return handler_of<family.template operator()<S, U>()>();
  if (b) return handler_of<family.template operator()<U, S>()>();
  return handler_of<family.template operator()<U, U>()>();
}

// Extended precision: families of functions with the carry as last argument and second result.
constexpr auto kAddCarry = []<class T>() { return semantics::add_carry<T>; };
constexpr auto kSubCarry = []<class T>() { return semantics::sub_carry<T>; };
constexpr auto kMadLoCarry = []<class T>() { return semantics::mad_lo_carry<T>; };
constexpr auto kMadHiCarry = []<class T>() { return semantics::mad_hi_carry<T>; };

/// Adapts such a function to a handler of two results. `without` is the carry of an instruction
/// that does not read it.
template <auto function, bool without>
struct CallWithCarry {
  template <class T>
  struct Results {
    T first;
    bool second;
  };
  template <class... S>
  static auto apply(S... operands) {
    if constexpr (std::is_invocable_v<decltype(function), S...>) {
      return results(function(operands...));
    } else {
      return results(function(operands..., without));
    }
  }

 private:
  template <class T>
  static Results<T> results(semantics::WithCarry<T> result) {
    return {result.value, result.carry};
  }
};

template <auto family, int sources, bool without, class T>
Handler extended(bool carry_in) {
  using machine::lanewise_pair;
  using F = CallWithCarry<family.template operator()<T>(), without>;
  if constexpr (sources == 3) {
    return carry_in ? lanewise_pair<F, T, Predicate, T, T, T, Predicate>
                    : lanewise_pair<F, T, Predicate, T, T, T>;
  } else {
    return carry_in ? lanewise_pair<F, T, Predicate, T, T, Predicate>
                    : lanewise_pair<F, T, Predicate, T, T>;
  }
}

/// Lowers d, a, b(, c) and the carry flag: addc, subc and madc read it, `.cc` writes it.
template <auto family, unsigned sources, bool without = false>
void lower_extended(Lowering& lowering) {
  const std::string_view mnemonic = lowering.row.mnemonic;
  const bool carry_in = mnemonic.back() == 'c';
  const Type type = lowering.selection.type();
  const auto& operands = lowering.instruction.operands;
  if (operands.size() != sources + 1) throw DecodeError("the number of operands does not fit");
  machine::Op& op = lowering.result;
  const auto bits = static_cast<std::uint8_t>(bits_of(type));
  op.operand[0] = lowering.destination(operands[0], type);
  op.bits[0] = bits;
  for (unsigned i = 1; i <= sources; ++i) {
    op.operand[i] = lowering.source(operands[i], type);
    op.bits[i] = bits;
  }
  op.sources = sources;
  if (carry_in) {
    ++op.sources;
    op.operand[op.sources] = lowering.function.carry();
    op.bits[op.sources] = 1;
  }
  const bool carry_out = lowering.selection.has("cc");
  op.operand[machine::kSecondResult] = carry_out ? lowering.function.carry() : machine::kNoSlot;
  op.bits[machine::kSecondResult] = 1;
  // The sign affects only the product's upper half.
  const bool is_signed = sources == 3 && ptx::is_signed(type);
  if (bits == 32) {
    op.run = is_signed ? extended<family, sources, without, std::int32_t>(carry_in)
                       : extended<family, sources, without, std::uint32_t>(carry_in);
  } else {
    op.run = is_signed ? extended<family, sources, without, std::int64_t>(carry_in)
                       : extended<family, sources, without, std::uint64_t>(carry_in);
  }
}

constexpr std::string_view kAll = "u16 u32 u64 s16 s32 s64";
constexpr std::string_view kSigned = "s16 s32 s64";
constexpr std::string_view kWords = "u32 s32";
constexpr std::string_view kWide = "u16 u32 s16 s32";
constexpr std::string_view kExtended = "u32 s32 u64 s64";

constexpr std::array kForms = {
    Form{"add", "", kAll, "=t t t", "9.7.1.1", all_types<kAdd>, upwards},
    Form{"add", "sat", "s32", "=t t t", "9.7.1.1", fixed<semantics::add_sat>},
    Form{"sub", "", kAll, "=t t t", "9.7.1.2", all_types<kSub>, upwards},
    Form{"sub", "sat", "s32", "=t t t", "9.7.1.2", fixed<semantics::sub_sat>},
    Form{"mul", "lo", kAll, "=t t t", "9.7.1.3", all_types<kMulLo>, upwards},
    Form{"mul", "hi", kAll, "=t t t", "9.7.1.3", all_types<kMulHi>},
    Form{"mul", "wide", kWide, "=w t t", "9.7.1.3", widening<kMulWide>},
    Form{"mad", "lo", kAll, "=t t t t", "9.7.1.4", all_types<kMadLo>, upwards},
    Form{"mad", "hi", kAll, "=t t t t", "9.7.1.4", all_types<kMadHi>},
    Form{"mad", "hi sat", "s32", "=t t t t", "9.7.1.4", fixed<semantics::mad_hi_sat>},
    Form{"mad", "wide", kWide, "=w t t w", "9.7.1.4", widening<kMadWide>},
    Form{"mul24", "lo", kWords, "=t t t", "9.7.1.5", word_types<kMul24Lo>},
    Form{"mul24", "hi", kWords, "=t t t", "9.7.1.5", word_types<kMul24Hi>},
    Form{"mad24", "lo", kWords, "=t t t t", "9.7.1.6", word_types<kMad24Lo>},
    Form{"mad24", "hi", kWords, "=t t t t", "9.7.1.6", word_types<kMad24Hi>},
    Form{"mad24", "hi sat", "s32", "=t t t t", "9.7.1.6", fixed<semantics::mad24_hi_sat>},
    Form{"sad", "", kAll, "=t t t t", "9.7.1.7", all_types<kSad>},
    Form{"div", "", kAll, "=t t t", "9.7.1.8", all_types<kDiv>},
    Form{"rem", "", kAll, "=t t t", "9.7.1.9", all_types<kRem>},
    Form{"abs", "", kSigned, "=t t", "9.7.1.10", signed_types<kAbs>},
    Form{"neg", "", kSigned, "=t t", "9.7.1.11", signed_types<kNeg>, upwards},
    Form{"min", "", kAll, "=t t t", "9.7.1.12", all_types<kMin>},
    Form{"min", "relu", "s32", "=t t t", "9.7.1.12", fixed<semantics::min<true, std::int32_t>>},
    Form{"max", "", kAll, "=t t t", "9.7.1.13", all_types<kMax>},
    Form{"max", "relu", "s32", "=t t t", "9.7.1.13", fixed<semantics::max<true, std::int32_t>>},
    Form{"dp4a", "", "u32.u32 u32.s32 s32.u32 s32.s32", "=b32 b32 b32 b32", "9.7.1.23",
         dot_product<kDp4a, U8, S8>},
    Form{"dp2a", "lo", "u32.u32 u32.s32 s32.u32 s32.s32", "=b32 b32 b32 b32", "9.7.1.24",
         dot_product<kDp2aLow, U16, S16>},
    Form{"dp2a", "hi", "u32.u32 u32.s32 s32.u32 s32.s32", "=b32 b32 b32 b32", "9.7.1.24",
         dot_product<kDp2aHigh, U16, S16>},
    Form{"add", "cc", kExtended, "", "9.7.2.1", nullptr, nullptr, lower_extended<kAddCarry, 2>},
    Form{"addc", "[cc]", kExtended, "", "9.7.2.2", nullptr, nullptr, lower_extended<kAddCarry, 2>},
    Form{"sub", "cc", kExtended, "", "9.7.2.3", nullptr, nullptr,
         lower_extended<kSubCarry, 2, true>},
    Form{"subc", "[cc]", kExtended, "", "9.7.2.4", nullptr, nullptr,
         lower_extended<kSubCarry, 2, true>},
    Form{"mad", "lo cc", kExtended, "", "9.7.2.5", nullptr, nullptr,
         lower_extended<kMadLoCarry, 3>},
    Form{"mad", "hi cc", kExtended, "", "9.7.2.5", nullptr, nullptr,
         lower_extended<kMadHiCarry, 3>},
    Form{"madc", "lo [cc]", kExtended, "", "9.7.2.6", nullptr, nullptr,
         lower_extended<kMadLoCarry, 3>},
    Form{"madc", "hi [cc]", kExtended, "", "9.7.2.6", nullptr, nullptr,
         lower_extended<kMadHiCarry, 3>},
};

}  // namespace

std::span<const Form> integer_forms() { return kForms; }

}  // namespace warpcheck::isa
