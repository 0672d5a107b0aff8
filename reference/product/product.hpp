// Products of matrices, computed by Eigen with the vector instructions of this CPU.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/product/kernels.hpp"

namespace warpcheck::reference {

/// Sets of vector instructions for which Eigen is compiled.
enum class Vectors { baseline, avx2, avx512 };

/// The sets that this CPU has, the widest last.
[[nodiscard]] std::vector<Vectors> available_vectors();

/// The widest vectors of this CPU, unless WARPCHECK_SIMD limits them.
[[nodiscard]] Vectors widest_vectors();

/// The products that are compiled for these vectors. They add the products of an element in
/// different orders, fused or not: see CertainSums.
[[nodiscard]] const ProductKernels& kernels(Vectors vectors);

}  // namespace warpcheck::reference
