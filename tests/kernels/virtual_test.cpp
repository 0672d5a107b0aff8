#include "device/virtual/virtual_device.hpp"
#include "tests/kernels/holds.hpp"

namespace warpcheck::campaign::checks {
namespace {

class Properties : public testing::TestWithParam<std::string> {};

TEST_P(Properties, HoldOnVirtual) {
  const auto device = device::make_virtual_device();
  expect_properties_hold(GetParam(), *device);
}

INSTANTIATE_TEST_SUITE_P(Builtin, Properties, testing::ValuesIn(builtin_names()), test_name);

}  // namespace
}  // namespace warpcheck::campaign::checks
