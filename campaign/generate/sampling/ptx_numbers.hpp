// The numbers with which a kernel's PTX compares or divides values that depend on an extent.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "campaign/case/schema.hpp"
#include "contract/contract.hpp"
#include "ptx/module.hpp"

namespace warpcheck::campaign::generate {

/// Numbers of one extent.
struct PtxNumbers {
  std::set<std::int64_t> elements;  // possible numbers of rows, columns or terms
  std::set<std::int64_t> tiles;     // possible numbers of blocks or of steps of sums
};

/// Returns the immediate operands from 2 to 8192 of comparisons, divisions, remainders, masks and
/// shifts of a kernel, for each extent: those whose other operand depends on the parameter with the
/// extent, on the block index along an axis of the grid that depends on the extent, or, for one of
/// sums, on a loop counter alone. Numbers that are compared with thread indices alone are left out.
/// A number counts tiles if the other operand is a block index, a loop counter, or a quotient of
/// the extent.
[[nodiscard]] std::vector<PtxNumbers> ptx_numbers(const ptx::Function& kernel,
                                                  const contract::LaunchStep& launch,
                                                  const std::vector<CaseField>& extents);

}  // namespace warpcheck::campaign::generate
