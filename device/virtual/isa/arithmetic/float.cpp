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

// Families: <T, rounding, ftz, sat>, or those of them that the instruction has.
constexpr auto kAdd = []<class T, Rounding r, bool ftz, bool sat>() {
  return semantics::add<r, ftz, sat, T>;
};
constexpr auto kSub = []<class T, Rounding r, bool ftz, bool sat>() {
  return semantics::sub<r, ftz, sat, T>;
};
constexpr auto kMul = []<class T, Rounding r, bool ftz, bool sat>() {
  return semantics::mul<r, ftz, sat, T>;
};
constexpr auto kFma = []<class T, Rounding r, bool ftz, bool sat>() {
  return semantics::fma<r, ftz, sat, T>;
};
constexpr auto kDiv = []<class T, Rounding r, bool ftz>() { return semantics::div<r, ftz, T>; };
constexpr auto kRcp = []<class T, Rounding r, bool ftz>() { return semantics::rcp<r, ftz, T>; };
constexpr auto kSqrt = []<class T, Rounding r, bool ftz>() { return semantics::sqrt<r, ftz, T>; };
constexpr auto kAbs = []<class T, bool ftz>() { return semantics::abs<ftz, T>; };
constexpr auto kNeg = []<class T, bool ftz>() { return semantics::neg<ftz, T>; };
constexpr auto kCopysign = []<class T>() { return semantics::copysign<T>; };

// Approximations in f32: <ftz>.
constexpr auto kRcpApprox = []<bool ftz>() { return semantics::rcp_approx<ftz>; };
constexpr auto kSqrtApprox = []<bool ftz>() { return semantics::sqrt_approx<ftz>; };
constexpr auto kRsqrtApprox = []<bool ftz>() { return semantics::rsqrt_approx<ftz>; };
constexpr auto kEx2Approx = []<bool ftz>() { return semantics::ex2_approx<ftz>; };
constexpr auto kLg2Approx = []<bool ftz>() { return semantics::lg2_approx<ftz>; };
constexpr auto kSinApprox = []<bool ftz>() { return semantics::sin_approx<ftz>; };
constexpr auto kCosApprox = []<bool ftz>() { return semantics::cos_approx<ftz>; };
constexpr auto kDivApprox = []<bool ftz>() { return semantics::div_approx<ftz>; };
constexpr auto kDivFull = []<bool ftz>() { return semantics::div_full<ftz>; };
constexpr auto kRsqrtApproxDouble = static_cast<double (*)(double)>(semantics::rsqrt_approx);

// Minimum and maximum: <T, ftz, NaN, xorsign.abs>.
constexpr auto kMin = []<class T, bool... modifiers>() {
  return static_cast<T (*)(T, T)>(semantics::min<modifiers...>);
};
constexpr auto kMax = []<class T, bool... modifiers>() {
  return static_cast<T (*)(T, T)>(semantics::max<modifiers...>);
};

template <auto family, bool ftz, bool nan>
Handler extremum_with(bool xorsign) {
  return xorsign ? handler_of<family.template operator()<float, ftz, nan, true>()>()
                 : handler_of<family.template operator()<float, ftz, nan, false>()>();
}
template <auto family>
Handler extremum(const Selection& s) {
  const bool xorsign = s.has("xorsign");
  if (xorsign != s.has("abs")) return nullptr;
  const bool nan = s.has("NaN");
  if (s.has("ftz")) {
    return nan ? extremum_with<family, true, true>(xorsign)
               : extremum_with<family, true, false>(xorsign);
  }
  return nan ? extremum_with<family, false, true>(xorsign)
             : extremum_with<family, false, false>(xorsign);
}

template <semantics::TestProperty property>
Handler test_of(const Selection& s) {
  return s.type() == Type::f64 ? handler_of<semantics::testp<property, double>>()
                               : handler_of<semantics::testp<property, float>>();
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

constexpr std::string_view kAny = "[rn|rz|rm|rp] [ftz] [sat]";
constexpr std::string_view kRounded = "rn|rz|rm|rp [ftz] [sat]";
constexpr std::string_view kPlain = "[rn|rz|rm|rp]";
constexpr std::string_view kPlainRounded = "rn|rz|rm|rp";

constexpr std::array kForms = {
    Form{"testp", "finite|infinite|number|notanumber|normal|subnormal", "f32 f64", "=pred t",
         "9.7.3.1", bind_testp},
    Form{"copysign", "", "f32 f64", "=t t t", "9.7.3.2", by_type<kCopysign, Type::f32, Type::f64>},
    Form{"add", kAny, "f32", "=t t t", "9.7.3.3", single_or_double<kAdd>},
    Form{"add", kPlain, "f64", "=t t t", "9.7.3.3", single_or_double<kAdd>},
    Form{"sub", kAny, "f32", "=t t t", "9.7.3.4", single_or_double<kSub>},
    Form{"sub", kPlain, "f64", "=t t t", "9.7.3.4", single_or_double<kSub>},
    Form{"mul", kAny, "f32", "=t t t", "9.7.3.5", single_or_double<kMul>},
    Form{"mul", kPlain, "f64", "=t t t", "9.7.3.5", single_or_double<kMul>},
    Form{"fma", kRounded, "f32", "=t t t t", "9.7.3.6", single_or_double<kFma>},
    Form{"fma", kPlainRounded, "f64", "=t t t t", "9.7.3.6", single_or_double<kFma>},
    Form{"mad", kAny, "f32", "=t t t t", "9.7.3.7", single_or_double<kFma>},
    Form{"mad", kPlainRounded, "f64", "=t t t t", "9.7.3.7", single_or_double<kFma>},
    Form{"div", "approx [ftz]", "f32", "=t t t", "9.7.3.8", flushing<kDivApprox>},
    Form{"div", "full [ftz]", "f32", "=t t t", "9.7.3.8", flushing<kDivFull>},
    Form{"div", "rn|rz|rm|rp [ftz]", "f32", "=t t t", "9.7.3.8", single_or_double<kDiv>},
    Form{"div", kPlainRounded, "f64", "=t t t", "9.7.3.8", single_or_double<kDiv>},
    Form{"abs", "[ftz]", "f32", "=t t", "9.7.3.9", flushing_or_double<kAbs>},
    Form{"abs", "", "f64", "=t t", "9.7.3.9", flushing_or_double<kAbs>},
    Form{"neg", "[ftz]", "f32", "=t t", "9.7.3.10", flushing_or_double<kNeg>},
    Form{"neg", "", "f64", "=t t", "9.7.3.10", flushing_or_double<kNeg>},
    Form{"min", "[ftz] [NaN] [xorsign] [abs]", "f32", "=t t t", "9.7.3.11", extremum<kMin>},
    Form{"min", "", "f64", "=t t t", "9.7.3.11", by_type<kMin, Type::f64>},
    Form{"max", "[ftz] [NaN] [xorsign] [abs]", "f32", "=t t t", "9.7.3.12", extremum<kMax>},
    Form{"max", "", "f64", "=t t t", "9.7.3.12", by_type<kMax, Type::f64>},
    Form{"rcp", "approx [ftz]", "f32", "=t t", "9.7.3.13", flushing<kRcpApprox>},
    Form{"rcp", "rn|rz|rm|rp [ftz]", "f32", "=t t", "9.7.3.13", single_or_double<kRcp>},
    Form{"rcp", kPlainRounded, "f64", "=t t", "9.7.3.13", single_or_double<kRcp>},
    Form{"rcp", "approx ftz", "f64", "=t t", "9.7.3.14", fixed<semantics::rcp_approx_ftz>},
    Form{"sqrt", "approx [ftz]", "f32", "=t t", "9.7.3.15", flushing<kSqrtApprox>},
    Form{"sqrt", "rn|rz|rm|rp [ftz]", "f32", "=t t", "9.7.3.15", single_or_double<kSqrt>},
    Form{"sqrt", kPlainRounded, "f64", "=t t", "9.7.3.15", single_or_double<kSqrt>},
    Form{"rsqrt", "approx [ftz]", "f32", "=t t", "9.7.3.16", flushing<kRsqrtApprox>},
    Form{"rsqrt", "approx", "f64", "=t t", "9.7.3.16", fixed<kRsqrtApproxDouble>},
    Form{"rsqrt", "approx ftz", "f64", "=t t", "9.7.3.17", fixed<semantics::rsqrt_approx_ftz>},
    Form{"sin", "approx [ftz]", "f32", "=t t", "9.7.3.18", flushing<kSinApprox>},
    Form{"cos", "approx [ftz]", "f32", "=t t", "9.7.3.19", flushing<kCosApprox>},
    Form{"lg2", "approx [ftz]", "f32", "=t t", "9.7.3.20", flushing<kLg2Approx>},
    Form{"ex2", "approx [ftz]", "f32", "=t t", "9.7.3.21", flushing<kEx2Approx>},
    Form{"tanh", "approx", "f32", "=t t", "9.7.3.22", fixed<semantics::tanh_approx<float>>},
};

}  // namespace

std::span<const Form> float_forms() { return kForms; }

}  // namespace warpcheck::isa
