// Each built-in variant is one test of all properties.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "device/device.hpp"

namespace warpcheck::campaign::checks {

[[nodiscard]] std::vector<std::string> builtin_names();

/// Returns the name of a variant for a test.
[[nodiscard]] std::string test_name(const testing::TestParamInfo<std::string>& info);

/// Checks each property that applies to the variant on the first cases that a campaign with a fixed
/// seed generates. At least one of them must reach the device.
void expect_properties_hold(const std::string& name, device::Device& device);

}  // namespace warpcheck::campaign::checks
