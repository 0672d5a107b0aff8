// Comparison and selection (PTX ISA 9.7.6) of integers, bits, f32 and f64.
#include "device/virtual/semantics/compare.hpp"

#include <array>
#include <cstdint>

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/definedness.hpp"

namespace warpcheck::isa {
namespace {

using semantics::BoolOp;
using semantics::Compare;

template <Compare c, bool ftz>
struct Compared {
  template <class T>
  static bool apply(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return semantics::compare<c>(a, b);
    } else {
      return semantics::compare<c, ftz>(a, b);
    }
  }
};

/// What a `p|q` pair gets: the comparison and its complement, each combined with c.
struct Truths {
  bool first;
  bool second;
};
/// Runs a comparison handler's result through and, or, xor with a third operand, or not at all.
template <class F>
struct AsPair {
  template <class T>
  static Truths apply(T a, T b) {
    const bool t = F::apply(a, b);
    return {t, !t};
  }
};
template <class F, BoolOp op>
struct Combined {
  template <class T>
  static Truths apply(T a, T b, bool c) {
    const bool t = F::apply(a, b);
    return {semantics::combine<op>(t, c), semantics::combine<op>(!t, c)};
  }
};
template <class F, class D>
struct SetTo {
  template <class T>
  static D apply(T a, T b) {
    return semantics::set_value<D>(F::apply(a, b));
  }
};
template <class F, class D, BoolOp op>
struct SetToCombined {
  template <class T>
  static D apply(T a, T b, bool c) {
    return semantics::set_value<D>(semantics::combine<op>(F::apply(a, b), c));
  }
};

/// Which handler to instantiate once comparison and source type are known.
enum class Shape { plain, pair, with_and, with_or, with_xor };

template <class F, class T>
Handler setp_of(Shape shape) {
  using machine::lanewise_pair;
  using P = Predicate;
  switch (shape) {
    case Shape::plain:
      return machine::lanewise<F, P, T, T>;
    case Shape::pair:
      return lanewise_pair<AsPair<F>, P, P, T, T>;
    case Shape::with_and:
      return lanewise_pair<Combined<F, BoolOp::and_>, P, P, T, T, P>;
    case Shape::with_or:
      return lanewise_pair<Combined<F, BoolOp::or_>, P, P, T, T, P>;
    default:
      return lanewise_pair<Combined<F, BoolOp::xor_>, P, P, T, T, P>;
  }
}
template <class D>
struct SetInto {
  template <class F, class T>
  static Handler of(Shape shape) {
    using P = Predicate;
    switch (shape) {
      case Shape::with_and:
        return machine::lanewise<SetToCombined<F, D, BoolOp::and_>, D, T, T, P>;
      case Shape::with_or:
        return machine::lanewise<SetToCombined<F, D, BoolOp::or_>, D, T, T, P>;
      case Shape::with_xor:
        return machine::lanewise<SetToCombined<F, D, BoolOp::xor_>, D, T, T, P>;
      default:
        return machine::lanewise<SetTo<F, D>, D, T, T>;
    }
  }
};
struct SetPredicate {
  template <class F, class T>
  static Handler of(Shape shape) {
    return setp_of<F, T>(shape);
  }
};

template <class Target, Compare c, bool ftz, class T>
Handler handler_of(Shape shape) {
  return Target::template of<Compared<c, ftz>, T>(shape);
}

template <class Target, class T>
Handler integer_comparison(const Selection& s, Shape shape) {
  if (s.has("eq")) return handler_of<Target, Compare::eq, false, T>(shape);
  if (s.has("ne")) return handler_of<Target, Compare::ne, false, T>(shape);
  if (s.has("lt") || s.has("lo")) return handler_of<Target, Compare::lt, false, T>(shape);
  if (s.has("le") || s.has("ls")) return handler_of<Target, Compare::le, false, T>(shape);
  if (s.has("gt") || s.has("hi")) return handler_of<Target, Compare::gt, false, T>(shape);
  if (s.has("ge") || s.has("hs")) return handler_of<Target, Compare::ge, false, T>(shape);
  return nullptr;
}
template <class Target, class T, bool ftz>
Handler float_comparison(const Selection& s, Shape shape) {
  if (s.has("eq")) return handler_of<Target, Compare::eq, ftz, T>(shape);
  if (s.has("ne")) return handler_of<Target, Compare::ne, ftz, T>(shape);
  if (s.has("lt")) return handler_of<Target, Compare::lt, ftz, T>(shape);
  if (s.has("le")) return handler_of<Target, Compare::le, ftz, T>(shape);
  if (s.has("gt")) return handler_of<Target, Compare::gt, ftz, T>(shape);
  if (s.has("ge")) return handler_of<Target, Compare::ge, ftz, T>(shape);
  if (s.has("equ")) return handler_of<Target, Compare::equ, ftz, T>(shape);
  if (s.has("neu")) return handler_of<Target, Compare::neu, ftz, T>(shape);
  if (s.has("ltu")) return handler_of<Target, Compare::ltu, ftz, T>(shape);
  if (s.has("leu")) return handler_of<Target, Compare::leu, ftz, T>(shape);
  if (s.has("gtu")) return handler_of<Target, Compare::gtu, ftz, T>(shape);
  if (s.has("geu")) return handler_of<Target, Compare::geu, ftz, T>(shape);
  if (s.has("num")) return handler_of<Target, Compare::num, ftz, T>(shape);
  if (s.has("nan")) return handler_of<Target, Compare::nan, ftz, T>(shape);
  return nullptr;
}

/// The comparison of two values of `type`, done for the target (a predicate, or a register).
template <class Target>
Handler comparison(const Selection& s, Type type, Shape shape) {
  switch (type) {
    case Type::b16:
    case Type::u16:
      return integer_comparison<Target, std::uint16_t>(s, shape);
    case Type::s16:
      return integer_comparison<Target, std::int16_t>(s, shape);
    case Type::b32:
    case Type::u32:
      return integer_comparison<Target, std::uint32_t>(s, shape);
    case Type::s32:
      return integer_comparison<Target, std::int32_t>(s, shape);
    case Type::b64:
    case Type::u64:
      return integer_comparison<Target, std::uint64_t>(s, shape);
    case Type::s64:
      return integer_comparison<Target, std::int64_t>(s, shape);
    case Type::f64:
      return float_comparison<Target, double, false>(s, shape);
    default:
      return s.has("ftz") ? float_comparison<Target, float, true>(s, shape)
                          : float_comparison<Target, float, false>(s, shape);
  }
}

Shape combination(const Selection& s) {
  if (s.has("and")) return Shape::with_and;
  if (s.has("or")) return Shape::with_or;
  if (s.has("xor")) return Shape::with_xor;
  return Shape::plain;
}

void lower_setp(Lowering& lowering) {
  lowering.result.operand[machine::kSecondResult] = machine::kNoSlot;
  lowering.plain_operands();
  Shape shape = combination(lowering.selection);
  if (shape == Shape::plain && lowering.operand<ptx::Pair>(0) != nullptr) shape = Shape::pair;
  lowering.result.run =
      comparison<SetPredicate>(lowering.selection, lowering.selection.type(), shape);
}

Handler bind_set(const Selection& s) {
  const Shape shape = combination(s);
  switch (s.type(0)) {
    case Type::f32:
      return comparison<SetInto<float>>(s, s.type(1), shape);
    default:
      return comparison<SetInto<std::uint32_t>>(s, s.type(1), shape);
  }
}

struct Select {
  template <class T>
  static T apply(T a, T b, bool p) {
    return semantics::selp(a, b, p);
  }
};
Handler bind_selp(const Selection& s) {
  switch (ptx::bytes(s.type())) {
    case 2:
      return machine::lanewise<Select, std::uint16_t, std::uint16_t, std::uint16_t, Predicate>;
    case 4:
      return machine::lanewise<Select, std::uint32_t, std::uint32_t, std::uint32_t, Predicate>;
    default:
      return machine::lanewise<Select, std::uint64_t, std::uint64_t, std::uint64_t, Predicate>;
  }
}
template <bool ftz>
struct SelectBySign {
  template <class T>
  static T apply(T a, T b, std::int32_t c) {
    return semantics::slct(a, b, c);
  }
  template <class T>
  static T apply(T a, T b, float c) {
    return semantics::slct<ftz>(a, b, c);
  }
};
template <class C, bool ftz>
Handler slct_of(const Selection& s) {
  using F = SelectBySign<ftz>;
  switch (ptx::bytes(s.type())) {
    case 2:
      return machine::lanewise<F, std::uint16_t, std::uint16_t, std::uint16_t, C>;
    case 4:
      return machine::lanewise<F, std::uint32_t, std::uint32_t, std::uint32_t, C>;
    default:
      return machine::lanewise<F, std::uint64_t, std::uint64_t, std::uint64_t, C>;
  }
}
Handler bind_slct(const Selection& s) {
  if (s.type(1) == Type::s32) return s.has("ftz") ? nullptr : slct_of<std::int32_t, false>(s);
  return s.has("ftz") ? slct_of<float, true>(s) : slct_of<float, false>(s);
}

constexpr std::string_view kCompare =
    "eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan [ftz]";
constexpr std::string_view kCombine =
    "eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan and|or|xor [ftz]";
constexpr std::string_view kTypes = "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64";
constexpr std::string_view kSetTypes =
    "u32.b16 u32.b32 u32.b64 u32.u16 u32.u32 u32.u64 u32.s16 u32.s32 u32.s64 u32.f32 u32.f64 "
    "s32.b16 s32.b32 s32.b64 s32.u16 s32.u32 s32.u64 s32.s16 s32.s32 s32.s64 s32.f32 s32.f64 "
    "f32.b16 f32.b32 f32.b64 f32.u16 f32.u32 f32.u64 f32.s16 f32.s32 f32.s64 f32.f32 f32.f64";
constexpr std::string_view kSlctTypes =
    "b16.s32 b32.s32 b64.s32 u16.s32 u32.s32 u64.s32 s16.s32 s32.s32 s64.s32 f32.s32 f64.s32 "
    "b16.f32 b32.f32 b64.f32 u16.f32 u32.f32 u64.f32 s16.f32 s32.f32 s64.f32 f32.f32 f64.f32";

constexpr std::array kForms = {
    Form{"set", kCompare, kSetTypes, "=t u u", "9.7.6.1", bind_set},
    Form{"set", kCombine, kSetTypes, "=t u u pred", "9.7.6.1", bind_set},
    Form{"setp", kCompare, kTypes, "=pred t t", "9.7.6.2", nullptr, nullptr, lower_setp},
    Form{"setp", kCombine, kTypes, "=pred t t pred", "9.7.6.2", nullptr, nullptr, lower_setp},
    Form{"selp", "", kTypes, "=t t t pred", "9.7.6.3", bind_selp, machine::definedness::selection},
    Form{"slct", "[ftz]", kSlctTypes, "=t t t u", "9.7.6.4", bind_slct},
};

}  // namespace

std::span<const Form> compare_forms() { return kForms; }

}  // namespace warpcheck::isa
