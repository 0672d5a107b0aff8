// Sizes of the domain for which an index of 32 bits overflows, and that no case reaches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/narrow_index.hpp"
#include "contract/compile/variant.hpp"

namespace warpcheck::campaign::generate {

/// An operand that may have 2^31 elements or more, and that the kernel indexes in 32 bits.
struct IndexLimit {
  std::string operand;  // its name: "A", "x"
  Case problem;         // a case of the domain with so many elements
  std::string file;
  std::vector<unsigned> lines;  // lines of the products; never empty
  std::string requires_;        // the condition that excludes it: "m * n < 2147483648"
};

/// Returns the operands of a variant that may have 2^31 elements according to `requires` and that
/// the kernel indexes in 32 bits. Such operands take gigabytes, so that no case has them. If the
/// memory is sparse, excludes operands for which a case has lines so far apart: it finds the
/// overflow.
[[nodiscard]] std::vector<IndexLimit> index_limits(const contract::Variant& variant,
                                                   bool has_sparse_memory);

inline constexpr std::int64_t kLeastOverflow = std::int64_t{1} << 31;
/// The bytes of an operand with so many elements. No such case is executed.
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;

/// Returns the products of all kernels of a variant; none if the PTX has errors, which the device
/// reports when it loads the module.
[[nodiscard]] std::vector<NarrowIndex> narrow_indices(const contract::Variant& variant);

}  // namespace warpcheck::campaign::generate
