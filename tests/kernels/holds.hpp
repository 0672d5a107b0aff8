// Every property of every built-in variant, as a test of its own.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "contract/compile/variant.hpp"
#include "device/device.hpp"

namespace warpcheck::properties::checks {

/// A built-in variant by its place in builtin_variants(), and a property that applies to it.
struct Claim {
  std::string variant;
  std::string_view property;
};

/// One claim for every variant and property that applies to it.
[[nodiscard]] std::vector<Claim> claims();

/// "sgemm_naive_matches_reference"
[[nodiscard]] std::string test_name(const testing::TestParamInfo<Claim>& info);

/// Asks the property of the first cases that a campaign of a fixed seed would draw; at least one
/// must reach the device.
void expect_holds(const Claim& claim, device::Device& device);

}  // namespace warpcheck::properties::checks
