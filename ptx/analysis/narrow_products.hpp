// Products that a kernel computes in 32 bits, and that are a part of an address.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.hpp"

namespace warpcheck::ptx::analysis {

/// One access to memory and one product of 32 bits that is a part of its address. One factor
/// depends on a parameter of the kernel, such as n in `row * n`; products of block and thread
/// indices alone are bounded by the grid. PTX ISA 9.7.1 (mul.lo, mad.lo): the upper half of the
/// result is lost.
struct NarrowProduct {
  const Instruction* product = nullptr;
  std::uint64_t address_parameters = 0;  // bit i: the address depends on parameter i
  std::uint64_t factor_parameters = 0;   // bit i: a factor depends on parameter i
  bool has_narrow_factor = false;        // a factor depends on another such product
  bool has_block_z_factor = false;       // a factor depends on the index of the block along z
};

/// The pairs in the order of the accesses, then of the products. The first 64 products of a kernel
/// and its first 64 parameters are followed.
[[nodiscard]] std::vector<NarrowProduct> narrow_products(const Function& kernel);

}  // namespace warpcheck::ptx::analysis
