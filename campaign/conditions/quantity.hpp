// The numbers of a case that a condition may name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/schema.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::conditions {

/// A number of a case that affects the run of a kernel.
struct Quantity {
  enum class Kind : std::uint8_t {
    extent,
    batch,
    stride,
    offset,
    flag,
    factor,
    // Known without a contract:
    padding,      // 1 if a stride exceeds the tight one, otherwise 0
    base_offset,  // elements between a 256-byte boundary and the base
  };

  Kind kind = Kind::extent;
  // The name in expressions of the contract. An offset has the name of its buffer ("a"), a padding
  // or base offset that of the field of the case line ("lda", "off_a").
  std::string name;
  CaseField field;
  std::int64_t element_bytes = 1;  // element size of an offset's buffer

  [[nodiscard]] bool is_integer() const {
    return kind != Kind::flag && kind != Kind::factor && kind != Kind::padding;
  }
  [[nodiscard]] bool is_leading_dimension() const {
    return kind == Kind::stride && field.kind == CaseField::Kind::leading_dimension;
  }
};

/// Returns the quantities that the kernel takes: extents always, the others where it has the
/// argument. An offset is of a buffer that the kernel takes.
[[nodiscard]] std::vector<Quantity> quantities(const contract::Contract& contract);

/// Returns the quantities of normalized cases that need no contract: extents, the batch,
/// transpositions, factors, paddings and base offsets.
[[nodiscard]] std::vector<Quantity> quantities_of_cases(const std::vector<Case>& cases);

/// Returns the value of a quantity that is no stride.
[[nodiscard]] double value_of(const Case& problem, const Quantity& quantity);

/// Returns the effective value: of a tight leading dimension, the length of the line.
[[nodiscard]] double value_of(const contract::Contract& contract, const Case& problem,
                              const Quantity& quantity);
[[nodiscard]] std::vector<double> values_of(const contract::Contract& contract, const Case& problem,
                                            const std::vector<Quantity>& quantities);

/// Sets a value, which must be whole unless the quantity is a factor.
void set_value(Case& problem, const Quantity& quantity, double value);

/// Returns the least value that the layout of the case allows.
[[nodiscard]] std::int64_t least_value(const contract::Contract& contract, const Case& problem,
                                       const Quantity& quantity);

}  // namespace warpcheck::campaign::conditions
