// How large a recipe's values may be in the types at hand, and how finely they may differ.
#pragma once

#include <cstdint>

#include "base/scalar_type.hpp"
#include "properties/case/case.hpp"

namespace warpcheck::properties::generate {

/// Of the elements in memory and of the running sum.
struct DataTypes {
  ScalarType a = ScalarType::f32;
  ScalarType b = ScalarType::f32;
  ScalarType c = ScalarType::f32;
  ScalarType accumulate = ScalarType::f32;
  bool tensor_cores = false;  // they sum
};

struct Ranges {
  std::uint64_t lattice = 1;       // its entries are +-1 .. +-lattice, a power of two
  std::uint64_t lattice_of_c = 1;  // the same for those of C
  int spread = 1;     // 2^-spread .. 2^spread: the exponents of rows and columns in `wide`
  int code_bits = 1;  // of either index in an index code
  int spike = 1;      // 2^spike <= |x| < 2^(spike + 1)
};

[[nodiscard]] Ranges ranges(const Case& problem, const DataTypes& types);

/// What values of order 1 are multiplied by so that an integer format tells them apart and holds
/// four times as much: 32 for s8. 1 in the other formats.
[[nodiscard]] double unit(ScalarType type);

}  // namespace warpcheck::properties::generate
