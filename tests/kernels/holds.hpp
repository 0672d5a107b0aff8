// Each property of each built-in variant is one test.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "contract/compile/variant.hpp"
#include "device/device.hpp"

namespace warpcheck::properties::checks {

/// The name of a built-in variant and a property that applies to it.
struct Claim {
  std::string variant;
  std::string_view property;
};

/// Returns one claim for each pair of a variant and a property that applies to it.
[[nodiscard]] std::vector<Claim> claims();

/// Returns a name such as "sgemm_naive_matches_reference".
[[nodiscard]] std::string test_name(const testing::TestParamInfo<Claim>& info);

/// Checks the property on the first cases that a campaign with a fixed seed generates. At least one
/// of them must reach the device.
void expect_holds(const Claim& claim, device::Device& device);

}  // namespace warpcheck::properties::checks
