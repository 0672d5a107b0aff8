// `warpcheck explore`: infers the domain in which a kernel is correct.
#pragma once

#include <functional>

#include "contract/compile/variant.hpp"
#include "device/device.hpp"
#include "workflows/explore/exploration.hpp"
#include "workflows/explore/search.hpp"

namespace warpcheck::workflows::explore {

/// Runs cases of all shapes, also outside the contract's `requires`, and infers the condition under
/// which they pass. Calls `before_launch` with each case, from several threads.
[[nodiscard]] Exploration explore(const contract::Variant& variant, device::Device& device,
                                  const SearchOptions& options,
                                  const std::function<void(const campaign::Case&)>& before_launch);

}  // namespace warpcheck::workflows::explore
