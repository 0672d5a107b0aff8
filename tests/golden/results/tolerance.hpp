// The tolerance between two implementations of an approximate instruction.
#pragma once

#include <cstdint>

#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {

/// True if `found` agrees with the result `recorded` of a GPU: their distance is at most the error
/// that the PTX ISA allows the instruction, or the smallest subnormal number. NaN requires NaN, and
/// an infinity the same infinity. True for all finite values for which PTX has no bound (sin and
/// cos beyond 100 pi).
[[nodiscard]] bool agrees(const Form& form, const std::vector<std::uint64_t>& inputs,
                          std::uint64_t recorded, std::uint64_t found);

}  // namespace warpcheck::golden
