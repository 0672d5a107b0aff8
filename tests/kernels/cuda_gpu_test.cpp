#include "device/cuda/cuda_device.hpp"
#include "tests/kernels/holds.hpp"

namespace warpcheck::properties::checks {
namespace {

class Property : public testing::TestWithParam<Claim> {
 protected:
  /// All tests share one device, because its worker needs a second to start.
  static device::Device* device() {
    static const std::unique_ptr<device::Device> opened =
        device::cuda::available() ? device::cuda::open({}) : nullptr;
    return opened.get();
  }
};

TEST_P(Property, OnCuda) {
  if (device() == nullptr) GTEST_SKIP() << "no GPU";
  expect_holds(GetParam(), *device());
}

INSTANTIATE_TEST_SUITE_P(Builtin, Property, testing::ValuesIn(claims()), test_name);

}  // namespace
}  // namespace warpcheck::properties::checks
