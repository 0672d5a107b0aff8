#include "device/virtual/virtual_device.hpp"
#include "tests/kernels/holds.hpp"

namespace warpcheck::properties::checks {
namespace {

class Property : public testing::TestWithParam<Claim> {};

TEST_P(Property, OnVirtual) {
  const auto device = device::make_virtual_device();
  expect_holds(GetParam(), *device);
}

INSTANTIATE_TEST_SUITE_P(Builtin, Property, testing::ValuesIn(claims()), test_name);

}  // namespace
}  // namespace warpcheck::properties::checks
