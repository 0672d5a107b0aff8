// f16 and bf16, single and packed: arithmetic (PTX ISA 9.7.4) and comparison (9.7.7).
//
// The two halves of a packed register are in memory like two lanes. One handler therefore computes
// 32 or 64 values.
#include "device/virtual/semantics/half.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/semantics/approx.hpp"
#include "device/virtual/semantics/compare.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::kLanes;
using machine::LaneSources;
using machine::Mask;
using machine::Op;
using machine::Warp;
using semantics::bf16;
using semantics::f16;
using semantics::Rounding;

/// The modifiers of an instruction, stored in Op::immediate.
struct Modifiers {
  bool ftz = false;
  bool sat = false;
  bool relu = false;
  bool nan = false;      // .NaN
  bool xorsign = false;  // .xorsign.abs
  bool oob = false;
  std::uint8_t comparison = 0;  // row of kComparisons
  std::uint8_t combine = 0;     // 0: none; otherwise 1 + BoolOp

  [[nodiscard]] bool any() const { return ftz || sat || relu || nan || xorsign || oob; }
};
static_assert(sizeof(Modifiers) == sizeof(std::int64_t));

Modifiers modifiers_of(const Selection& s) {
  Modifiers m;
  m.ftz = s.has("ftz");
  m.sat = s.has("sat");
  m.relu = s.has("relu");
  m.nan = s.has("NaN");
  m.xorsign = s.has("xorsign");
  m.oob = s.has("oob");
  return m;
}

bool is_packed(Type type) { return type == Type::f16x2 || type == Type::bf16x2; }
bool is_brain(Type type) { return type == Type::bf16 || type == Type::bf16x2; }

/// An undefined bit of a source in one half makes that half of the result undefined.
std::uint64_t by_halves(const LaneSources& s) {
  const std::uint64_t any = s.undefined[0] | s.undefined[1] | s.undefined[2] | s.undefined[3];
  return ((any & 0xffff) != 0 ? 0xffffU : 0U) | ((any & 0xffff'0000) != 0 ? 0xffff'0000U : 0U);
}

// Families: <T>.
constexpr auto kAdd = []<class T>() { return semantics::add<Rounding::rn, false, false, T>; };
constexpr auto kSub = []<class T>() { return semantics::sub<Rounding::rn, false, false, T>; };
constexpr auto kMul = []<class T>() { return semantics::mul<Rounding::rn, false, false, T>; };
constexpr auto kFma = []<class T>() { return semantics::fma<Rounding::rn, false, false, T>; };
constexpr auto kAbs = []<class T>() { return semantics::abs<false, T>; };
constexpr auto kNeg = []<class T>() { return semantics::neg<false, T>; };
constexpr auto kEx2 = []<class T>() { return semantics::ex2_approx<false, T>; };
constexpr auto kTanh = []<class T>() { return semantics::tanh_approx<T>; };
constexpr auto kMin = []<class T, bool nan = false, bool xorsign = false>() {
  return static_cast<T (*)(T, T)>(semantics::min<false, nan, xorsign>);
};
constexpr auto kMax = []<class T, bool nan = false, bool xorsign = false>() {
  return static_cast<T (*)(T, T)>(semantics::max<false, nan, xorsign>);
};

// Families of functions that also take the modifiers.

/// Implements .oob: a product with the NaN that a tensor copy writes beyond a tensor's bounds makes
/// the result 0. The manual does not define the bits of this NaN; an H200 accepts 0x7ff7 and 0xfff7
/// in a and b.
template <class T>
T fma_with(const Modifiers& m, T a, T b, T c) {
  const auto is_filler = [](T value) { return (value.bits & 0x7fff) == 0x7ff7; };
  return m.oob && (is_filler(a) || is_filler(b)) ? T{0} : semantics::fma(a, b, c);
}
constexpr auto kFmaWith = []<class T>() { return fma_with<T>; };

template <auto family, class T>
T extremum_with(const Modifiers& m, T a, T b) {
  if (m.nan) {
    return m.xorsign ? family.template operator()<T, true, true>()(a, b)
                     : family.template operator()<T, true, false>()(a, b);
  }
  return m.xorsign ? family.template operator()<T, false, true>()(a, b)
                   : family.template operator()<T, false, false>()(a, b);
}
constexpr auto kMinWith = []<class T>() { return extremum_with<kMin, T>; };
constexpr auto kMaxWith = []<class T>() { return extremum_with<kMax, T>; };

/// Applies .ftz to operands and result, then .sat or .relu to the result (PTX ISA 9.7.4).
template <auto function, class T, class... S>
T modified(const Modifiers& m, S... operands) {
  const auto flushed = [&](T value) { return m.ftz ? semantics::flush(value) : value; };
  T result;
  if constexpr (std::is_invocable_v<decltype(function), const Modifiers&, S...>) {
    result = flushed(function(m, flushed(operands)...));
  } else {
    result = flushed(function(flushed(operands)...));
  }
  if (m.sat) result = semantics::saturate(result);
  return m.relu ? semantics::relu(result) : result;
}

template <auto function, class T, bool with_modifiers, std::size_t... I>
Flow halves_over(Warp& warp, const Op& op, std::index_sequence<I...>) {
  const Mask active = warp.active();
  const Mask unknown = active & ~(warp.defined(op.operand[I + 1]) & ...);
  const Mask known =
      unknown == 0 ? machine::kAllLanes : machine::propagate_undefined(warp, op, unknown);
  alignas(64) T results[2 * kLanes];
  const unsigned count = op.bits[0] == 32 ? 2 * kLanes : kLanes;
  [[maybe_unused]] const auto m = std::bit_cast<Modifiers>(op.immediate);
  for (unsigned i = 0; i < count; ++i) {
    if constexpr (with_modifiers) {
      results[i] = modified<function, T>(m, warp.lanes<T>(op.operand[I + 1])[i]...);
    } else {
      results[i] = function(warp.lanes<T>(op.operand[I + 1])[i]...);
    }
  }
  const auto write = [&]<class Register>(std::type_identity<Register>) {
    const auto* from = reinterpret_cast<const Register*>(results);
    machine::write_lanes<Register>(warp, op.operand[0], [&](unsigned lane) { return from[lane]; });
  };
  if (op.bits[0] == 32) {
    write(std::type_identity<std::uint32_t>());
  } else {
    write(std::type_identity<std::uint16_t>());
  }
  warp.set_defined(op.operand[0], active, known);
  return Flow::next;
}
template <auto function, class T, std::size_t operands, bool with_modifiers>
Flow halves(Warp& warp, const Op& op) {
  return halves_over<function, T, with_modifiers>(warp, op, std::make_index_sequence<operands>());
}

/// The handler for the type and the modifiers: it computes `plain` without modifiers, otherwise
/// `with`.
template <auto plain, auto with, class T, std::size_t operands>
Handler halves_handler(const Modifiers& m) {
  return m.any() ? halves<with.template operator()<T>(), T, operands, true>
                 : halves<plain.template operator()<T>(), T, operands, false>;
}

template <auto plain, std::size_t operands, auto with = plain>
void lower_halves(Lowering& lowering) {
  lowering.plain_operands();
  const Type type = lowering.selection.type();
  const Modifiers m = modifiers_of(lowering.selection);
  Op& op = lowering.result;
  op.immediate = std::bit_cast<std::int64_t>(m);
  if (is_packed(type)) op.rule = by_halves;
  op.run = is_brain(type) ? halves_handler<plain, with, bf16, operands>(m)
                          : halves_handler<plain, with, f16, operands>(m);
}

template <auto plain, auto with>
void lower_extremum(Lowering& lowering) {
  if (lowering.selection.has("xorsign") != lowering.selection.has("abs")) {
    throw DecodeError(".xorsign requires .abs, and .abs requires .xorsign");
  }
  lower_halves<plain, 2, with>(lowering);
}

// Comparison.

using semantics::BoolOp;
using semantics::Compare;

/// A comparison of two halves given as bits.
using Test = bool (*)(std::uint16_t a, std::uint16_t b);

template <Compare c, class T>
bool test(std::uint16_t a, std::uint16_t b) {
  return semantics::compare<c>(T{a}, T{b});
}
struct Comparison {
  std::string_view name;
  Test half;
  Test brain;
};
template <Compare c>
constexpr Comparison comparison(std::string_view name) {
  return {name, test<c, f16>, test<c, bf16>};
}
constexpr std::array kComparisons = {
    comparison<Compare::eq>("eq"),   comparison<Compare::ne>("ne"),
    comparison<Compare::lt>("lt"),   comparison<Compare::le>("le"),
    comparison<Compare::gt>("gt"),   comparison<Compare::ge>("ge"),
    comparison<Compare::equ>("equ"), comparison<Compare::neu>("neu"),
    comparison<Compare::ltu>("ltu"), comparison<Compare::leu>("leu"),
    comparison<Compare::gtu>("gtu"), comparison<Compare::geu>("geu"),
    comparison<Compare::num>("num"), comparison<Compare::nan>("nan"),
};

/// One bit per lane: the result of comparing the halves number `half`, without the predicate c.
template <class T>
Mask compare_lanes(const Warp& warp, const Op& op, unsigned half) {
  const auto m = std::bit_cast<Modifiers>(op.immediate);
  const Comparison& row = kComparisons[m.comparison];
  const Test holds = std::is_same_v<T, f16> ? row.half : row.brain;
  const std::size_t stride = op.bits[1] / 16;
  const T* a = warp.lanes<T>(op.operand[1]) + half;
  const T* b = warp.lanes<T>(op.operand[2]) + half;
  Mask result = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const T x = m.ftz ? semantics::flush(a[lane * stride]) : a[lane * stride];
    const T y = m.ftz ? semantics::flush(b[lane * stride]) : b[lane * stride];
    result |= Mask{holds(x.bits, y.bits)} << lane;
  }
  return result;
}

/// Combines `holds` with the predicate, which is operand 3.
Mask combined(const Warp& warp, const Op& op, Mask holds) {
  const auto m = std::bit_cast<Modifiers>(op.immediate);
  if (m.combine == 0) return holds;
  const machine::Source<Predicate> c(warp, op, 3);
  switch (static_cast<BoolOp>(m.combine - 1)) {
    case BoolOp::and_:
      return holds & c.values;
    case BoolOp::or_:
      return holds | c.values;
    default:
      return holds ^ c.values;
  }
}

Mask settle_sources(Warp& warp, const Op& op) {
  Mask defined = machine::kAllLanes;
  for (unsigned i = 1; i <= op.sources; ++i) defined &= warp.defined(op.operand[i]);
  const Mask unknown = warp.active() & ~defined;
  return unknown == 0 ? machine::kAllLanes : machine::propagate_undefined(warp, op, unknown);
}

void write_predicate(const Warp& warp, machine::Slot slot, Mask value, Mask known) {
  if (slot == machine::kNoSlot) return;
  Mask& target = warp.predicate(slot);
  target = (target & ~warp.active()) | (value & warp.active());
  warp.set_defined(slot, warp.active(), known);
}

/// Writes p, or p|q for packed operands: the comparisons of the low and the high halves.
template <class T>
Flow set_predicates(Warp& warp, const Op& op) {
  const Mask known = settle_sources(warp, op);
  const Mask first = compare_lanes<T>(warp, op, 0);
  const Mask second = op.bits[1] == 32 ? compare_lanes<T>(warp, op, 1) : 0;
  const Mask p = combined(warp, op, first);
  const Mask q = combined(warp, op, second);
  write_predicate(warp, op.operand[0], p, known);
  write_predicate(warp, op.operand[machine::kSecondResult], q, known);
  return Flow::next;
}

/// Writes 1.0, or all ones if the destination is an integer; for packed operands, in each half.
template <class T>
Flow set_values(Warp& warp, const Op& op) {
  const Mask known = settle_sources(warp, op);
  const bool packed = op.bits[1] == 32;
  const Mask low = combined(warp, op, compare_lanes<T>(warp, op, 0));
  const Mask high = packed ? combined(warp, op, compare_lanes<T>(warp, op, 1)) : low;
  // Operand 4 is the value for true, in one half or in both.
  const auto write = [&]<class D>(std::type_identity<D>, D low_part, D high_part) {
    const D* truth = warp.lanes<D>(op.operand[4]);
    machine::write_lanes<D>(warp, op.operand[0], [&](unsigned lane) {
      const D low_result = (low >> lane & 1) != 0 ? low_part : D{0};
      const D high_result = (high >> lane & 1) != 0 ? high_part : D{0};
      return static_cast<D>(truth[lane] & (low_result | high_result));
    });
  };
  if (op.bits[0] == 16) {
    write(std::type_identity<std::uint16_t>(), std::uint16_t{0xffff}, std::uint16_t{0});
  } else {
    write(std::type_identity<std::uint32_t>(), 0xffffU, 0xffff'0000U);
  }
  warp.set_defined(op.operand[0], warp.active(), known);
  return Flow::next;
}

Modifiers comparison_of(const Selection& s) {
  Modifiers m = modifiers_of(s);
  const auto row = std::find_if(kComparisons.begin(), kComparisons.end(),
                                [&](const Comparison& c) { return s.has(c.name); });
  m.comparison = static_cast<std::uint8_t>(row - kComparisons.begin());
  if (s.has("and")) m.combine = 1 + static_cast<std::uint8_t>(BoolOp::and_);
  if (s.has("or")) m.combine = 1 + static_cast<std::uint8_t>(BoolOp::or_);
  if (s.has("xor")) m.combine = 1 + static_cast<std::uint8_t>(BoolOp::xor_);
  return m;
}

void lower_setp(Lowering& lowering) {
  lowering.result.operand[machine::kSecondResult] = machine::kNoSlot;
  if (!is_packed(lowering.selection.type()) && lowering.operand<ptx::Pair>(0) != nullptr) {
    throw DecodeError("only the packed types set two predicates");
  }
  lowering.plain_operands();
  lowering.result.immediate = std::bit_cast<std::int64_t>(comparison_of(lowering.selection));
  lowering.result.run =
      is_brain(lowering.selection.type()) ? set_predicates<bf16> : set_predicates<f16>;
}

std::uint32_t one_of(Type type) {
  switch (type) {
    case Type::f16:
      return semantics::Format<f16>::one;
    case Type::f16x2:
      return semantics::Format<f16>::one * 0x10001U;
    case Type::bf16:
      return semantics::Format<bf16>::one;
    case Type::bf16x2:
      return semantics::Format<bf16>::one * 0x10001U;
    case Type::f32:
      return semantics::Format<float>::one;
    default:
      return ~0U;
  }
}

void lower_set(Lowering& lowering) {
  lowering.plain_operands();
  Op& op = lowering.result;
  const Type to = lowering.selection.type(0);
  const Type from = lowering.selection.type(1);
  op.immediate = std::bit_cast<std::int64_t>(comparison_of(lowering.selection));
  op.operand[4] = lowering.function.constant(one_of(to), bits_of(to));
  if (is_packed(from)) op.rule = by_halves;
  op.run = is_brain(from) ? set_values<bf16> : set_values<f16>;
}

constexpr std::string_view kTests = "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan";
constexpr std::string_view kTestsFlush = "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan [ftz]";
constexpr std::string_view kCombined =
    "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor";
constexpr std::string_view kCombinedFlush =
    "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor [ftz]";
constexpr std::string_view kHalf = "f16 f16x2";
constexpr std::string_view kBrain = "bf16 bf16x2";
constexpr std::string_view kSetHalf =
    "f16.f16 u16.f16 s16.f16 u32.f16 s32.f16 f16x2.f16x2 u32.f16x2 s32.f16x2";
constexpr std::string_view kSetBrain =
    "bf16.bf16 u16.bf16 s16.bf16 u32.bf16 s32.bf16 bf16x2.bf16x2 u32.bf16x2 s32.bf16x2";

constexpr Form form(std::string_view mnemonic, std::string_view modifiers, std::string_view types,
                    std::string_view operands, std::string_view section, Lower lower) {
  return {mnemonic, modifiers, types, operands, section, nullptr, nullptr, lower};
}

constexpr std::array kForms = {
    form("add", "[rn] [ftz] [sat]", kHalf, "=t t t", "9.7.4.1", lower_halves<kAdd, 2>),
    form("add", "[rn]", kBrain, "=t t t", "9.7.4.1", lower_halves<kAdd, 2>),
    form("sub", "[rn] [ftz] [sat]", kHalf, "=t t t", "9.7.4.2", lower_halves<kSub, 2>),
    form("sub", "[rn]", kBrain, "=t t t", "9.7.4.2", lower_halves<kSub, 2>),
    form("mul", "[rn] [ftz] [sat]", kHalf, "=t t t", "9.7.4.3", lower_halves<kMul, 2>),
    form("mul", "[rn]", kBrain, "=t t t", "9.7.4.3", lower_halves<kMul, 2>),
    form("fma", "rn [ftz] [sat|relu]", kHalf, "=t t t t", "9.7.4.4",
         lower_halves<kFma, 3, kFmaWith>),
    form("fma", "rn [relu]", kBrain, "=t t t t", "9.7.4.4", lower_halves<kFma, 3, kFmaWith>),
    form("fma", "rn oob [relu]", "f16 f16x2 bf16 bf16x2", "=t t t t", "9.7.4.4",
         lower_halves<kFma, 3, kFmaWith>),
    form("neg", "[ftz]", kHalf, "=t t", "9.7.4.5", lower_halves<kNeg, 1>),
    form("neg", "", kBrain, "=t t", "9.7.4.5", lower_halves<kNeg, 1>),
    form("abs", "[ftz]", kHalf, "=t t", "9.7.4.6", lower_halves<kAbs, 1>),
    form("abs", "", kBrain, "=t t", "9.7.4.6", lower_halves<kAbs, 1>),
    form("min", "[ftz] [NaN] [xorsign] [abs]", kHalf, "=t t t", "9.7.4.7",
         lower_extremum<kMin, kMinWith>),
    form("min", "[NaN] [xorsign] [abs]", kBrain, "=t t t", "9.7.4.7",
         lower_extremum<kMin, kMinWith>),
    form("max", "[ftz] [NaN] [xorsign] [abs]", kHalf, "=t t t", "9.7.4.8",
         lower_extremum<kMax, kMaxWith>),
    form("max", "[NaN] [xorsign] [abs]", kBrain, "=t t t", "9.7.4.8",
         lower_extremum<kMax, kMaxWith>),
    form("tanh", "approx", "f16 f16x2 bf16 bf16x2", "=t t", "9.7.4.9", lower_halves<kTanh, 1>),
    form("ex2", "approx", kHalf, "=t t", "9.7.4.10", lower_halves<kEx2, 1>),
    form("ex2", "approx ftz", kBrain, "=t t", "9.7.4.10", lower_halves<kEx2, 1>),
    form("set", kTestsFlush, kSetHalf, "=t u u", "9.7.7.1", lower_set),
    form("set", kCombinedFlush, kSetHalf, "=t u u pred", "9.7.7.1", lower_set),
    form("set", kTests, kSetBrain, "=t u u", "9.7.7.1", lower_set),
    form("set", kCombined, kSetBrain, "=t u u pred", "9.7.7.1", lower_set),
    form("setp", kTestsFlush, kHalf, "=pred t t", "9.7.7.2", lower_setp),
    form("setp", kCombinedFlush, kHalf, "=pred t t pred", "9.7.7.2", lower_setp),
    form("setp", kTests, kBrain, "=pred t t", "9.7.7.2", lower_setp),
    form("setp", kCombined, kBrain, "=pred t t pred", "9.7.7.2", lower_setp),
};

}  // namespace

std::span<const Form> half_forms() { return kForms; }

}  // namespace warpcheck::isa
