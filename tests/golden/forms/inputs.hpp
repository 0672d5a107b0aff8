// Operands that expose errors of an instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {

/// The operands of tuple number `tuple`, each in the low bits. They are a pure function of the name
/// of the form and the number, so that recordings do not contain them. Operands are special values
/// of the type (0, +-1, extremes, powers of two and their neighbours, subnormals, ties, infinities,
/// NaN with payloads), random bits, or values of similar magnitude, so that sums cancel. Some
/// operands repeat, negate or are adjacent to another operand of the tuple.
[[nodiscard]] std::vector<std::uint64_t> inputs(const Form& form, std::size_t tuple);

[[nodiscard]] std::uint64_t fnv1a(const void* data, std::size_t bytes,
                                  std::uint64_t hash = 0xcbf29ce484222325ULL);

}  // namespace warpcheck::golden
