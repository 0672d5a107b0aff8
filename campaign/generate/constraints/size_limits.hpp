// Limits of the sizes of generated cases.
#pragma once

#include <cstdint>

namespace warpcheck::campaign::generate {

/// Largest sizes of generated cases. A case that a user states is not subject to them.
struct SizeLimits {
  std::int64_t elements = std::int64_t{1} << 24;  // A, B and C together, without padding
  std::int64_t work = std::int64_t{1} << 31;      // multiply-adds
  std::int64_t blocks = std::int64_t{1} << 20;    // blocks of one launch
  bool strict_launch = false;  // true: grids beyond the limits of CUDA for every contract

  friend bool operator==(const SizeLimits&, const SizeLimits&) = default;
};

}  // namespace warpcheck::campaign::generate
