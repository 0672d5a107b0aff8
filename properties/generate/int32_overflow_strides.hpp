// Cases whose lines lie so far apart that 32 bits do not count the elements between them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"
#include "properties/generate/solver.hpp"

namespace warpcheck::properties::generate {

/// The leading dimensions that the contract hands to the kernel without the stride of a batch,
/// which would have to count farther still: some of lda, ldb, and ldc or ldd.
[[nodiscard]] std::vector<contract::ArgumentWord> far_words(const contract::Contract& contract);

/// A few short lines of the matrix whose leading dimension is `word`, the last of which ends 2^31
/// elements or more after the first begins; the leading dimension itself stays below 2^31. Empty
/// where the domain does not allow it, where it takes more bytes than a far matrix may, and where
/// the grid or a workspace grows with the leading dimension.
[[nodiscard]] std::optional<Case> int32_overflow_strides(const contract::Contract& contract,
                                                         const Solver& solver,
                                                         contract::ArgumentWord word,
                                                         std::uint64_t seed);

}  // namespace warpcheck::properties::generate
