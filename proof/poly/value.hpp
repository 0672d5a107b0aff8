// The value of a register.
#pragma once

#include <string>
#include <variant>

#include "proof/poly/terms.hpp"

namespace warpcheck::proof {

/// A floating-point parameter or constant, by its name: "beta", "0". A floating-point number that
/// is computed has no name.
struct Scalar {
  std::string name;

  friend bool operator==(const Scalar&, const Scalar&) = default;
};

/// An integer, modulo 2 to the width of its register; a predicate; or a floating-point number.
using Value = std::variant<Scalar, Polynomial, Formula>;

}  // namespace warpcheck::proof
