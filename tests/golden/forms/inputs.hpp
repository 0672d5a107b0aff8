// Operands that bring out what an instruction may get wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {

/// Bits of operand number `operand` of tuple number `tuple`, in the low bits. A pure function of
/// the form's name and the numbers: the values are not stored with the results. Of the tuples, a
/// part holds special values of the type (0, +-1, extremes, powers of two and their neighbours,
/// subnormals, ties, infinities, NaN with payloads), a part random bits, a part values of similar
/// magnitude, so that sums cancel, and a part operands that repeat, negate or neighbour each other.
[[nodiscard]] std::vector<std::uint64_t> inputs(const Form& form, std::size_t tuple);

[[nodiscard]] std::uint64_t fnv1a(const void* data, std::size_t bytes,
                                  std::uint64_t hash = 0xcbf29ce484222325ULL);

}  // namespace warpcheck::golden
