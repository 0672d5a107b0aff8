// Cases with an extent of 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

enum class EmptyCase : std::uint8_t {
  runs,        // one launch or more has threads
  no_threads,  // an output has elements, but a grid or a block is 0, which no launch allows
  impossible,  // no case: outside the domain, without a launch, or without a value of the
               // definition
};

/// `problem` is small: the definition is evaluated.
[[nodiscard]] EmptyCase empty_case(const contract::Contract& contract, const Case& problem);

/// An extent that `requires` allows to be 0, although a launch has no threads then and an output
/// has elements. Such cases are not generated.
struct EmptyLaunch {
  std::string extent;
  std::string axis;  // the expression that is 0
  Case problem;
};

/// One for each extent. None for an extent of sums that is often 0.
[[nodiscard]] std::vector<EmptyLaunch> empty_launches(const contract::Contract& contract);

/// Returns a case like `small`, in which the extent is 0 whose turn it is: first those that may be
/// 0. Empty if it is the turn of one that may not. Thus none is 0 more often than in operations all
/// of whose extents may be 0.
[[nodiscard]] std::optional<Case> with_empty_extent(const contract::Contract& contract,
                                                    const Case& small, std::int64_t number);

}  // namespace warpcheck::campaign::generate
