// Binders of floating-point instructions: they map rounding, .ftz and .sat to template arguments of
// a family.
#pragma once

#include "device/virtual/isa/bind.hpp"
#include "device/virtual/semantics/rounding.hpp"

namespace warpcheck::isa {

using semantics::Rounding;

/// The handler of the function. With directed rounding or saturation it has no AVX2 variant: these
/// are rare, and their loops do not vectorise.
template <auto function, Rounding rounding, bool sat>
Handler rounded_handler() {
  if constexpr (rounding == Rounding::rn && !sat) {
    return handler_of<function>();
  } else {
    return rare_handler_of<function>();
  }
}

/// family<T, rounding, ftz, sat>, or family<T, rounding, ftz> of an instruction without .sat.
template <auto family, class T, Rounding rounding, bool ftz>
Handler with_saturation(const Selection& selection) {
  if constexpr (requires { family.template operator()<T, rounding, ftz, false>(); }) {
    if constexpr (sizeof(T) < 8) {
      if (selection.has("sat")) {
        return rounded_handler<family.template operator()<T, rounding, ftz, true>(), rounding,
                               true>();
      }
    }
    return rounded_handler<family.template operator()<T, rounding, ftz, false>(), rounding,
                           false>();
  } else {
    return rounded_handler<family.template operator()<T, rounding, ftz>(), rounding, false>();
  }
}

/// f64 has neither .ftz nor .sat.
template <auto family, class T, Rounding rounding>
Handler with_rounding(const Selection& selection) {
  if constexpr (sizeof(T) < 8) {
    if (selection.has("ftz")) return with_saturation<family, T, rounding, true>(selection);
  }
  return with_saturation<family, T, rounding, false>(selection);
}

/// The rounding mode of the instruction; to nearest if it has none.
template <auto family, class T>
Handler rounded(const Selection& selection) {
  if (selection.has("rz")) return with_rounding<family, T, Rounding::rz>(selection);
  if (selection.has("rm")) return with_rounding<family, T, Rounding::rm>(selection);
  if (selection.has("rp")) return with_rounding<family, T, Rounding::rp>(selection);
  return with_rounding<family, T, Rounding::rn>(selection);
}

/// Binds f32 and f64 arithmetic.
template <auto family>
Handler single_or_double(const Selection& selection) {
  return selection.type() == Type::f64 ? rounded<family, double>(selection)
                                       : rounded<family, float>(selection);
}

/// Binds family<ftz> on f32.
template <auto family>
Handler flushing(const Selection& selection) {
  return selection.has("ftz") ? handler_of<family.template operator()<true>()>()
                              : handler_of<family.template operator()<false>()>();
}

/// Binds family<T, ftz> on f32, family<double, false> on f64.
template <auto family>
Handler flushing_or_double(const Selection& selection) {
  if (selection.type() == Type::f64)
    return handler_of<family.template operator()<double, false>()>();
  return selection.has("ftz") ? handler_of<family.template operator()<float, true>()>()
                              : handler_of<family.template operator()<float, false>()>();
}

}  // namespace warpcheck::isa
