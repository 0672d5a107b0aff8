// Floating-point arithmetic in f32 and f64 (PTX ISA 9.7.3).
#include "device/virtual/semantics/float.hpp"

#include <array>

#include "device/virtual/isa/arithmetic/bind_float.hpp"
#include "device/virtual/isa/form.hpp"
#include "device/virtual/machine/lanes/definedness.hpp"
#include "device/virtual/semantics/approx.hpp"
#include "device/virtual/semantics/minmax.hpp"

namespace warpcheck::isa {
namespace {

template <Rounding r, bool ftz, bool sat>
struct Add {
  template <class T>
  static T apply(T a, T b) {
    return semantics::add<r, ftz, sat>(a, b);
  }
};
template <Rounding r, bool ftz, bool sat>
struct Sub {
  template <class T>
  static T apply(T a, T b) {
    return semantics::sub<r, ftz, sat>(a, b);
  }
};
template <Rounding r, bool ftz, bool sat>
struct Mul {
  template <class T>
  static T apply(T a, T b) {
    return semantics::mul<r, ftz, sat>(a, b);
  }
};
template <Rounding r, bool ftz, bool sat>
struct Fma {
  template <class T>
  static T apply(T a, T b, T c) {
    return semantics::fma<r, ftz, sat>(a, b, c);
  }
};
template <Rounding r, bool ftz, bool>
struct Div {
  template <class T>
  static T apply(T a, T b) {
    return semantics::div<r, ftz>(a, b);
  }
};
template <Rounding r, bool ftz, bool>
struct Rcp {
  template <class T>
  static T apply(T a) {
    return semantics::rcp<r, ftz>(a);
  }
};
template <Rounding r, bool ftz, bool>
struct Sqrt {
  template <class T>
  static T apply(T a) {
    return semantics::sqrt<r, ftz>(a);
  }
};
template <Rounding, bool ftz, bool>
struct Abs {
  template <class T>
  static T apply(T a) {
    return semantics::abs<ftz>(a);
  }
};
template <Rounding, bool ftz, bool>
struct Neg {
  template <class T>
  static T apply(T a) {
    return semantics::neg<ftz>(a);
  }
};
struct Copysign {
  template <class T>
  static T apply(T a, T b) {
    return semantics::copysign(a, b);
  }
};

template <bool ftz>
struct RcpApprox {
  static float apply(float a) { return semantics::rcp_approx<ftz>(a); }
};
template <bool ftz>
struct SqrtApprox {
  static float apply(float a) { return semantics::sqrt_approx<ftz>(a); }
};
template <bool ftz>
struct RsqrtApprox {
  static float apply(float a) { return semantics::rsqrt_approx<ftz>(a); }
};
template <bool ftz>
struct Ex2Approx {
  static float apply(float a) { return semantics::ex2_approx<ftz>(a); }
};
template <bool ftz>
struct Lg2Approx {
  static float apply(float a) { return semantics::lg2_approx<ftz>(a); }
};
template <bool ftz>
struct SinApprox {
  static float apply(float a) { return semantics::sin_approx<ftz>(a); }
};
template <bool ftz>
struct CosApprox {
  static float apply(float a) { return semantics::cos_approx<ftz>(a); }
};
template <bool ftz>
struct DivApprox {
  static float apply(float a, float b) { return semantics::div_approx<ftz>(a, b); }
};
template <bool ftz>
struct DivFull {
  static float apply(float a, float b) { return semantics::div_full<ftz>(a, b); }
};
struct TanhApprox {
  static float apply(float a) { return semantics::tanh_approx(a); }
};
struct RsqrtApproxDouble {
  static double apply(double a) { return semantics::rsqrt_approx(a); }
};
struct RsqrtApproxFtzDouble {
  static double apply(double a) { return semantics::rsqrt_approx_ftz(a); }
};
struct RcpApproxFtzDouble {
  static double apply(double a) { return semantics::rcp_approx_ftz(a); }
};

template <bool maximum, bool ftz, bool nan, bool xorsign>
struct Extremum {
  template <class T>
  static T apply(T a, T b) {
    return maximum ? semantics::max<ftz, nan, xorsign>(a, b)
                   : semantics::min<ftz, nan, xorsign>(a, b);
  }
};
template <bool maximum, bool ftz, bool nan, bool absolute>
struct Extremum3 {
  static float apply(float a, float b, float c) {
    return maximum ? semantics::max<ftz, nan, absolute>(a, b, c)
                   : semantics::min<ftz, nan, absolute>(a, b, c);
  }
};
template <template <bool, bool, bool, bool> class F, bool maximum, bool ftz, bool nan, class... S>
Handler extremum_with(bool third) {
  return third ? machine::lanewise<F<maximum, ftz, nan, true>, float, S...>
               : machine::lanewise<F<maximum, ftz, nan, false>, float, S...>;
}
template <template <bool, bool, bool, bool> class F, bool maximum, class... S>
Handler extremum_of(const Selection& s, bool third) {
  const bool nan = s.has("NaN");
  if (s.has("ftz")) {
    return nan ? extremum_with<F, maximum, true, true, S...>(third)
               : extremum_with<F, maximum, true, false, S...>(third);
  }
  return nan ? extremum_with<F, maximum, false, true, S...>(third)
             : extremum_with<F, maximum, false, false, S...>(third);
}
template <bool maximum>
Handler extremum(const Selection& s) {
  if (s.has("xorsign") != s.has("abs")) return nullptr;
  return extremum_of<Extremum, maximum, float, float>(s, s.has("xorsign"));
}
template <bool maximum>
Handler extremum3(const Selection& s) {
  return extremum_of<Extremum3, maximum, float, float, float>(s, s.has("abs"));
}
template <bool maximum>
struct DoubleExtremum : Extremum<maximum, false, false, false> {};

template <semantics::TestProperty property>
struct Test {
  template <class T>
  static bool apply(T a) {
    return semantics::testp<property>(a);
  }
};
template <semantics::TestProperty property>
Handler test_of(const Selection& s) {
  return s.type() == Type::f64 ? machine::lanewise<Test<property>, Predicate, double>
                               : machine::lanewise<Test<property>, Predicate, float>;
}
Handler bind_testp(const Selection& s) {
  using P = semantics::TestProperty;
  if (s.has("finite")) return test_of<P::finite>(s);
  if (s.has("infinite")) return test_of<P::infinite>(s);
  if (s.has("number")) return test_of<P::number>(s);
  if (s.has("notanumber")) return test_of<P::notanumber>(s);
  if (s.has("normal")) return test_of<P::normal>(s);
  return test_of<P::subnormal>(s);
}
Handler bind_copysign(const Selection& s) { return uniform<Copysign, 2, Type::f32, Type::f64>(s); }

constexpr std::string_view kAny = "[rn|rz|rm|rp] [ftz] [sat]";
constexpr std::string_view kRounded = "rn|rz|rm|rp [ftz] [sat]";
constexpr std::string_view kPlain = "[rn|rz|rm|rp]";
constexpr std::string_view kPlainRounded = "rn|rz|rm|rp";

constexpr std::array kForms = {
    Form{"testp", "finite|infinite|number|notanumber|normal|subnormal", "f32 f64", "=pred t",
         "9.7.3.1", bind_testp},
    Form{"copysign", "", "f32 f64", "=t t t", "9.7.3.2", bind_copysign},
    Form{"add", kAny, "f32", "=t t t", "9.7.3.3", single_or_double<Add, 2>},
    Form{"add", kPlain, "f64", "=t t t", "9.7.3.3", single_or_double<Add, 2>},
    Form{"sub", kAny, "f32", "=t t t", "9.7.3.4", single_or_double<Sub, 2>},
    Form{"sub", kPlain, "f64", "=t t t", "9.7.3.4", single_or_double<Sub, 2>},
    Form{"mul", kAny, "f32", "=t t t", "9.7.3.5", single_or_double<Mul, 2>},
    Form{"mul", kPlain, "f64", "=t t t", "9.7.3.5", single_or_double<Mul, 2>},
    Form{"fma", kRounded, "f32", "=t t t t", "9.7.3.6", single_or_double<Fma, 3>},
    Form{"fma", kPlainRounded, "f64", "=t t t t", "9.7.3.6", single_or_double<Fma, 3>},
    Form{"mad", kAny, "f32", "=t t t t", "9.7.3.7", single_or_double<Fma, 3>},
    Form{"mad", kPlainRounded, "f64", "=t t t t", "9.7.3.7", single_or_double<Fma, 3>},
    Form{"div", "approx [ftz]", "f32", "=t t t", "9.7.3.8", flushing<DivApprox, 2>},
    Form{"div", "full [ftz]", "f32", "=t t t", "9.7.3.8", flushing<DivFull, 2>},
    Form{"div", "rn|rz|rm|rp [ftz]", "f32", "=t t t", "9.7.3.8", single_or_double<Div, 2>},
    Form{"div", kPlainRounded, "f64", "=t t t", "9.7.3.8", single_or_double<Div, 2>},
    Form{"abs", "[ftz]", "f32", "=t t", "9.7.3.9", single_or_double<Abs, 1>},
    Form{"abs", "", "f64", "=t t", "9.7.3.9", single_or_double<Abs, 1>},
    Form{"neg", "[ftz]", "f32", "=t t", "9.7.3.10", single_or_double<Neg, 1>},
    Form{"neg", "", "f64", "=t t", "9.7.3.10", single_or_double<Neg, 1>},
    Form{"min", "[ftz] [NaN] [xorsign] [abs]", "f32", "=t t t", "9.7.3.11", extremum<false>},
    Form{"min", "", "f64", "=t t t", "9.7.3.11",
         fixed<DoubleExtremum<false>, double, double, double>},
    Form{"max", "[ftz] [NaN] [xorsign] [abs]", "f32", "=t t t", "9.7.3.12", extremum<true>},
    Form{"max", "", "f64", "=t t t", "9.7.3.12",
         fixed<DoubleExtremum<true>, double, double, double>},
    Form{"rcp", "approx [ftz]", "f32", "=t t", "9.7.3.13", flushing<RcpApprox, 1>},
    Form{"rcp", "rn|rz|rm|rp [ftz]", "f32", "=t t", "9.7.3.13", single_or_double<Rcp, 1>},
    Form{"rcp", kPlainRounded, "f64", "=t t", "9.7.3.13", single_or_double<Rcp, 1>},
    Form{"rcp", "approx ftz", "f64", "=t t", "9.7.3.14", fixed<RcpApproxFtzDouble, double, double>},
    Form{"sqrt", "approx [ftz]", "f32", "=t t", "9.7.3.15", flushing<SqrtApprox, 1>},
    Form{"sqrt", "rn|rz|rm|rp [ftz]", "f32", "=t t", "9.7.3.15", single_or_double<Sqrt, 1>},
    Form{"sqrt", kPlainRounded, "f64", "=t t", "9.7.3.15", single_or_double<Sqrt, 1>},
    Form{"rsqrt", "approx [ftz]", "f32", "=t t", "9.7.3.16", flushing<RsqrtApprox, 1>},
    Form{"rsqrt", "approx", "f64", "=t t", "9.7.3.16", fixed<RsqrtApproxDouble, double, double>},
    Form{"rsqrt", "approx ftz", "f64", "=t t", "9.7.3.17",
         fixed<RsqrtApproxFtzDouble, double, double>},
    Form{"sin", "approx [ftz]", "f32", "=t t", "9.7.3.18", flushing<SinApprox, 1>},
    Form{"cos", "approx [ftz]", "f32", "=t t", "9.7.3.19", flushing<CosApprox, 1>},
    Form{"lg2", "approx [ftz]", "f32", "=t t", "9.7.3.20", flushing<Lg2Approx, 1>},
    Form{"ex2", "approx [ftz]", "f32", "=t t", "9.7.3.21", flushing<Ex2Approx, 1>},
    Form{"tanh", "approx", "f32", "=t t", "9.7.3.22", fixed<TanhApprox, float, float>},
};

}  // namespace

std::span<const Form> float_forms() { return kForms; }

}  // namespace warpcheck::isa
