// The magnitudes and the resolution of a recipe's values in the types of a case.
#pragma once

#include <cstdint>

#include "base/scalar_type.hpp"
#include "campaign/case/product.hpp"

namespace warpcheck::campaign::generate {

/// The types of the elements in memory and of the running sum.
struct DataTypes {
  ScalarType a = ScalarType::f32;
  ScalarType b = ScalarType::f32;
  ScalarType c = ScalarType::f32;
  ScalarType accumulate = ScalarType::f32;
  bool tensor_cores = false;  // tensor cores compute the sum
};

struct Ranges {
  std::uint64_t lattice = 1;       // the values are +-1 .. +-lattice, a power of two
  std::uint64_t lattice_of_c = 1;  // the same for C
  int spread = 1;                  // exponents of rows and columns in `wide`: 2^-spread .. 2^spread
  int code_bits = 1;               // bits of each index in an index code
  int spike = 1;                   // 2^spike <= |x| < 2^(spike + 1)
};

[[nodiscard]] Ranges ranges(const Product& product, const DataTypes& types);

/// Returns the factor for values of order 1 with which an integer format distinguishes them and has
/// room for four times as much: 32 for s8. 1 for the other formats.
[[nodiscard]] double unit(ScalarType type);

}  // namespace warpcheck::campaign::generate
