// Binders for floating-point instructions: from rounding, .ftz and .sat to template arguments.
#pragma once

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/semantics/rounding.hpp"

namespace warpcheck::isa {

using semantics::Rounding;

/// F<rounding, ftz, sat> over `operands` sources of the C++ type T.
template <template <Rounding, bool, bool> class F, class T, int operands, Rounding rounding,
          bool ftz, bool sat>
Handler float_handler() {
  using G = F<rounding, ftz, sat>;
  // Directed rounding and saturation are rare, and their loops do not vectorise.
  constexpr bool kCommon = rounding == Rounding::rn && !sat;
  const auto of = []<class... S>() {
    if constexpr (kCommon) {
      return machine::lanewise<G, T, S...>;
    } else {
      return machine::rare_lanewise<G, T, S...>;
    }
  };
  if constexpr (operands == 1) return of.template operator()<T>();
  if constexpr (operands == 2) return of.template operator()<T, T>();
  if constexpr (operands == 3) return of.template operator()<T, T, T>();
}

template <template <Rounding, bool, bool> class F, class T, int operands, Rounding rounding>
Handler with_rounding(const Selection& selection) {
  if constexpr (sizeof(T) == 8) {
    return float_handler<F, T, operands, rounding, false, false>();
  } else {
    const bool sat = selection.has("sat");
    if (selection.has("ftz")) {
      return sat ? float_handler<F, T, operands, rounding, true, true>()
                 : float_handler<F, T, operands, rounding, true, false>();
    }
    return sat ? float_handler<F, T, operands, rounding, false, true>()
               : float_handler<F, T, operands, rounding, false, false>();
  }
}

/// The rounding that the text names; to nearest where it names none.
template <template <Rounding, bool, bool> class F, class T, int operands>
Handler rounded(const Selection& selection) {
  if (selection.has("rz")) return with_rounding<F, T, operands, Rounding::rz>(selection);
  if (selection.has("rm")) return with_rounding<F, T, operands, Rounding::rm>(selection);
  if (selection.has("rp")) return with_rounding<F, T, operands, Rounding::rp>(selection);
  return with_rounding<F, T, operands, Rounding::rn>(selection);
}

template <template <Rounding, bool, bool> class F, int operands>
Handler single_or_double(const Selection& selection) {
  return selection.type() == Type::f64 ? rounded<F, double, operands>(selection)
                                       : rounded<F, float, operands>(selection);
}

/// F<ftz> over sources of f32.
template <template <bool> class F, int operands>
Handler flushing(const Selection& selection) {
  const bool ftz = selection.has("ftz");
  if constexpr (operands == 1) {
    return ftz ? machine::lanewise<F<true>, float, float>
               : machine::lanewise<F<false>, float, float>;
  } else {
    return ftz ? machine::lanewise<F<true>, float, float, float>
               : machine::lanewise<F<false>, float, float, float>;
  }
}

}  // namespace warpcheck::isa
