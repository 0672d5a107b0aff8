// Comparison and selection (PTX ISA 9.7.6) of integers, bits, f32 and f64.
#include "device/virtual/semantics/compare.hpp"

#include <array>
#include <cstdint>

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/lanes/definedness.hpp"

namespace warpcheck::isa {
namespace {

using machine::Op;
using machine::Slot;
using semantics::BoolOp;
using semantics::Compare;

/// The comparison of two registers into a predicate.
template <class T>
Handler integer_comparison(const Selection& s) {
  const auto of = []<Compare c>() { return handler_of<semantics::compare<c, T>>(); };
  if (s.has("eq")) return of.template operator()<Compare::eq>();
  if (s.has("ne")) return of.template operator()<Compare::ne>();
  if (s.has("lt") || s.has("lo")) return of.template operator()<Compare::lt>();
  if (s.has("le") || s.has("ls")) return of.template operator()<Compare::le>();
  if (s.has("gt") || s.has("hi")) return of.template operator()<Compare::gt>();
  if (s.has("ge") || s.has("hs")) return of.template operator()<Compare::ge>();
  return nullptr;
}
template <class T, bool ftz>
Handler float_comparison(const Selection& s) {
  const auto of = []<Compare c>() { return handler_of<semantics::compare<c, ftz, T>>(); };
  if (s.has("eq")) return of.template operator()<Compare::eq>();
  if (s.has("ne")) return of.template operator()<Compare::ne>();
  if (s.has("lt")) return of.template operator()<Compare::lt>();
  if (s.has("le")) return of.template operator()<Compare::le>();
  if (s.has("gt")) return of.template operator()<Compare::gt>();
  if (s.has("ge")) return of.template operator()<Compare::ge>();
  if (s.has("equ")) return of.template operator()<Compare::equ>();
  if (s.has("neu")) return of.template operator()<Compare::neu>();
  if (s.has("ltu")) return of.template operator()<Compare::ltu>();
  if (s.has("leu")) return of.template operator()<Compare::leu>();
  if (s.has("gtu")) return of.template operator()<Compare::gtu>();
  if (s.has("geu")) return of.template operator()<Compare::geu>();
  if (s.has("num")) return of.template operator()<Compare::num>();
  if (s.has("nan")) return of.template operator()<Compare::nan>();
  return nullptr;
}

Handler comparison(const Selection& s, Type type) {
  if (type != Type::f32 && s.has("ftz")) return nullptr;
  switch (type) {
    case Type::b16:
    case Type::u16:
      return integer_comparison<std::uint16_t>(s);
    case Type::s16:
      return integer_comparison<std::int16_t>(s);
    case Type::b32:
    case Type::u32:
      return integer_comparison<std::uint32_t>(s);
    case Type::s32:
      return integer_comparison<std::int32_t>(s);
    case Type::b64:
    case Type::u64:
      return integer_comparison<std::uint64_t>(s);
    case Type::s64:
      return integer_comparison<std::int64_t>(s);
    case Type::f64:
      return float_comparison<double, false>(s);
    default:
      return s.has("ftz") ? float_comparison<float, true>(s) : float_comparison<float, false>(s);
  }
}

/// The values of a `p|q` pair: the comparison and its complement, each combined with c.
struct Truths {
  bool first;
  bool second;
};
struct Both {
  static Truths apply(bool t) { return {t, !t}; }
};
template <BoolOp op>
struct Combined {
  static Truths apply(bool t, bool c) {
    return {semantics::combine<op>(t, c), semantics::combine<op>(!t, c)};
  }
};

/// The handler that writes the result of the comparison, combined or not, as a pair of predicates.
Handler pair_of_truths(const Selection& s) {
  using machine::lanewise_pair;
  using P = Predicate;
  if (s.has("and")) return lanewise_pair<Combined<BoolOp::and_>, P, P, P, P>;
  if (s.has("or")) return lanewise_pair<Combined<BoolOp::or_>, P, P, P, P>;
  if (s.has("xor")) return lanewise_pair<Combined<BoolOp::xor_>, P, P, P, P>;
  return lanewise_pair<Both, P, P, P>;
}

/// The handler that writes the result of the comparison, combined or not, as a number.
template <class D, BoolOp op>
D combined_value(bool t, bool c) {
  return semantics::set_value<D>(semantics::combine<op>(t, c));
}
template <class D>
Handler number_of_truth(const Selection& s) {
  if (s.has("and")) return handler_of<combined_value<D, BoolOp::and_>>();
  if (s.has("or")) return handler_of<combined_value<D, BoolOp::or_>>();
  if (s.has("xor")) return handler_of<combined_value<D, BoolOp::xor_>>();
  return handler_of<semantics::set_value<D>>();
}

/// Splits the instruction into two ops: the comparison into a predicate, and the handler `then`.
/// This handler uses the predicate and the third operand, if there is one.
void compare_first(Lowering& lowering, Type compared, Handler then) {
  Op& op = lowering.result;
  Op second = op;
  const Slot truth = lowering.function.truth();
  second.operand[1] = truth;
  second.operand[2] = op.operand[3];
  second.bits[1] = 1;
  second.bits[2] = op.bits[3];
  second.sources = op.sources == 3 ? 2 : 1;
  second.negated_sources = (op.negated_sources >> 3 & 1) != 0 ? 1U << 2 : 0U;
  second.run = then;
  lowering.follow_up = second;

  op.operand[0] = truth;
  op.bits[0] = 1;
  op.sources = 2;
  op.negated_sources = 0;
  op.operand[machine::kSecondResult] = machine::kNoSlot;
  op.run = comparison(lowering.selection, compared);
}

bool is_combined(const Selection& s) { return s.has("and") || s.has("or") || s.has("xor"); }

void lower_setp(Lowering& lowering) {
  lowering.result.operand[machine::kSecondResult] = machine::kNoSlot;
  lowering.plain_operands();
  const Selection& s = lowering.selection;
  if (!is_combined(s) && lowering.operand<ptx::Pair>(0) == nullptr) {
    lowering.result.run = comparison(s, s.type());
    return;
  }
  compare_first(lowering, s.type(), pair_of_truths(s));
}

void lower_set(Lowering& lowering) {
  lowering.plain_operands();
  const Selection& s = lowering.selection;
  compare_first(
      lowering, s.type(1),
      s.type(0) == Type::f32 ? number_of_truth<float>(s) : number_of_truth<std::uint32_t>(s));
}

// Families: <T>, T the unsigned integer of a and b's width.
constexpr auto kSelp = []<class T>() { return semantics::selp<T>; };
constexpr auto kSlct = []<class T>() {
  return static_cast<T (*)(T, T, std::int32_t)>(semantics::slct);
};
template <bool ftz>
constexpr auto kSlctFloat =
    []<class T>() { return static_cast<T (*)(T, T, float)>(semantics::slct<ftz>); };

template <auto family>
Handler by_width(const Selection& s) {
  switch (ptx::bytes(s.type())) {
    case 2:
      return handler_of<family.template operator()<std::uint16_t>()>();
    case 4:
      return handler_of<family.template operator()<std::uint32_t>()>();
    default:
      return handler_of<family.template operator()<std::uint64_t>()>();
  }
}
Handler bind_slct(const Selection& s) {
  if (s.type(1) == Type::s32) return s.has("ftz") ? nullptr : by_width<kSlct>(s);
  return s.has("ftz") ? by_width<kSlctFloat<true>>(s) : by_width<kSlctFloat<false>>(s);
}

// Bits have no order; signed integers have an order, unsigned ones two names for it; a comparison
// of floating-point values defines the result for NaN.
#define WARPCHECK_SIGNED "eq|ne|lt|le|gt|ge"
#define WARPCHECK_UNSIGNED "eq|ne|lt|le|gt|ge|lo|ls|hi|hs"
#define WARPCHECK_FLOAT "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"
#define WARPCHECK_COMBINED " and|or|xor"
constexpr std::string_view kTypes = "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64";
constexpr std::string_view kBits = "b16 b32 b64";
constexpr std::string_view kSigned = "s16 s32 s64";
constexpr std::string_view kUnsigned = "u16 u32 u64";
constexpr std::string_view kSetBits =
    "u32.b16 u32.b32 u32.b64 s32.b16 s32.b32 s32.b64 f32.b16 f32.b32 f32.b64";
constexpr std::string_view kSetSigned =
    "u32.s16 u32.s32 u32.s64 s32.s16 s32.s32 s32.s64 f32.s16 f32.s32 f32.s64";
constexpr std::string_view kSetUnsigned =
    "u32.u16 u32.u32 u32.u64 s32.u16 s32.u32 s32.u64 f32.u16 f32.u32 f32.u64";
constexpr std::string_view kSetSingle = "u32.f32 s32.f32 f32.f32";
constexpr std::string_view kSetDouble = "u32.f64 s32.f64 f32.f64";
constexpr std::string_view kSlctTypes =
    "b16.s32 b32.s32 b64.s32 u16.s32 u32.s32 u64.s32 s16.s32 s32.s32 s64.s32 f32.s32 f64.s32 "
    "b16.f32 b32.f32 b64.f32 u16.f32 u32.f32 u64.f32 s16.f32 s32.f32 s64.f32 f32.f32 f64.f32";

constexpr Form set(std::string_view modifiers, std::string_view types) {
  return {"set", modifiers, types, "=t u u", "9.7.6.1", nullptr, nullptr, lower_set};
}
constexpr Form set_combined(std::string_view modifiers, std::string_view types) {
  return {"set", modifiers, types, "=t u u pred", "9.7.6.1", nullptr, nullptr, lower_set};
}
constexpr Form setp(std::string_view modifiers, std::string_view types) {
  return {"setp", modifiers, types, "=pred t t", "9.7.6.2", nullptr, nullptr, lower_setp};
}
constexpr Form setp_combined(std::string_view modifiers, std::string_view types) {
  return {"setp", modifiers, types, "=pred t t pred", "9.7.6.2", nullptr, nullptr, lower_setp};
}

constexpr std::array kForms = {
    set("eq|ne", kSetBits),
    set(WARPCHECK_SIGNED, kSetSigned),
    set(WARPCHECK_UNSIGNED, kSetUnsigned),
    set(WARPCHECK_FLOAT " [ftz]", kSetSingle),
    set(WARPCHECK_FLOAT, kSetDouble),
    set_combined("eq|ne" WARPCHECK_COMBINED, kSetBits),
    set_combined(WARPCHECK_SIGNED WARPCHECK_COMBINED, kSetSigned),
    set_combined(WARPCHECK_UNSIGNED WARPCHECK_COMBINED, kSetUnsigned),
    set_combined(WARPCHECK_FLOAT WARPCHECK_COMBINED " [ftz]", kSetSingle),
    set_combined(WARPCHECK_FLOAT WARPCHECK_COMBINED, kSetDouble),
    setp("eq|ne", kBits),
    setp(WARPCHECK_SIGNED, kSigned),
    setp(WARPCHECK_UNSIGNED, kUnsigned),
    setp(WARPCHECK_FLOAT " [ftz]", "f32"),
    setp(WARPCHECK_FLOAT, "f64"),
    setp_combined("eq|ne" WARPCHECK_COMBINED, kBits),
    setp_combined(WARPCHECK_SIGNED WARPCHECK_COMBINED, kSigned),
    setp_combined(WARPCHECK_UNSIGNED WARPCHECK_COMBINED, kUnsigned),
    setp_combined(WARPCHECK_FLOAT WARPCHECK_COMBINED " [ftz]", "f32"),
    setp_combined(WARPCHECK_FLOAT WARPCHECK_COMBINED, "f64"),
    Form{"selp", "", kTypes, "=t t t pred", "9.7.6.3", by_width<kSelp>,
         machine::definedness::selection},
    Form{"slct", "[ftz]", kSlctTypes, "=t t t u", "9.7.6.4", bind_slct},
};

}  // namespace

std::span<const Form> compare_forms() { return kForms; }

}  // namespace warpcheck::isa
