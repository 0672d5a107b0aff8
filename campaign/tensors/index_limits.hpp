// Sizes of tensors for which an index of 32 bits overflows, and that no case reaches.
#pragma once

#include <vector>

#include "campaign/generate/index_limits.hpp"

namespace warpcheck::campaign::generate {

/// See index_limits().
[[nodiscard]] std::vector<IndexLimit> index_limits_of_tensors(const contract::Variant& variant,
                                                              bool has_sparse_memory);

}  // namespace warpcheck::campaign::generate
