// Element indices that a kernel computes in 32 bits, read from its PTX.
#pragma once

#include <string>
#include <vector>

#include "contract/contract.hpp"
#include "ptx/module.hpp"

namespace warpcheck::campaign::generate {

/// A product of 32 bits that is part of the address of an access to a buffer. One factor depends on
/// a parameter of the kernel, such as n in `row * n`; products of block and thread indices alone
/// are bounded by the grid. PTX ISA 9.7.1 (mul.lo, mad.lo): the upper half of the result is lost.
struct NarrowIndex {
  contract::ArgumentWord buffer = contract::ArgumentWord::a;
  std::string file;
  unsigned line = 0;        // line of the product; 0: unknown
  std::string tensor = {};  // the name, if the buffer is a tensor
  /// A factor is itself such a product, depends on the index of the block along z, or on the batch:
  /// the index may count the elements of all matrices of a batch.
  bool spans_batch = false;

  friend bool operator==(const NarrowIndex&, const NarrowIndex&) = default;
};

/// Returns each buffer, line and span once, in the order of the instructions. At most 64 products
/// of a kernel and its first 64 parameters are followed.
[[nodiscard]] std::vector<NarrowIndex> narrow_indices(const ptx::Module& module,
                                                      const ptx::Function& kernel,
                                                      const contract::LaunchStep& launch);

}  // namespace warpcheck::campaign::generate
