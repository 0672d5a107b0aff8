// How far two implementations of an approximate instruction may lie apart.
#pragma once

#include <cstdint>

#include "tests/golden/form.hpp"

namespace warpcheck::golden {

/// Whether `found` may stand where a GPU gave `recorded`: each is within the error that the PTX ISA
/// states for the instruction, so that they differ by at most twice that. NaN must meet NaN, an
/// infinity the same one. True for all finite values where PTX states no bound (sin and cos beyond
/// 100 pi).
[[nodiscard]] bool agrees(const Form& form, const std::vector<std::uint64_t>& inputs,
                          std::uint64_t recorded, std::uint64_t found);

}  // namespace warpcheck::golden
