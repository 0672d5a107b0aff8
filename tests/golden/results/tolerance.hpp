// How far two implementations of an approximate instruction may lie apart.
#pragma once

#include <cstdint>

#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {

/// Whether `found` may stand where a GPU gave `recorded`: no further from it than the PTX ISA
/// allows the instruction to be from the exact value, or the smallest subnormal number. NaN must
/// meet NaN, an infinity the same one. True for all finite values where PTX leaves them open (sin
/// and cos beyond 100 pi).
[[nodiscard]] bool agrees(const Form& form, const std::vector<std::uint64_t>& inputs,
                          std::uint64_t recorded, std::uint64_t found);

}  // namespace warpcheck::golden
