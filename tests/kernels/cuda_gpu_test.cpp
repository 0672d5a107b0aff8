#include "device/cuda/cuda_device.hpp"
#include "tests/kernels/holds.hpp"

namespace warpcheck::campaign::checks {
namespace {

class Properties : public testing::TestWithParam<std::string> {
 protected:
  /// All tests share one device, because its worker needs a second to start.
  static device::Device* device() {
    static const std::unique_ptr<device::Device> opened =
        device::cuda::available() ? device::cuda::open({}) : nullptr;
    return opened.get();
  }
};

TEST_P(Properties, HoldOnCuda) {
  if (device() == nullptr) GTEST_SKIP() << "no GPU";
  expect_properties_hold(GetParam(), *device());
}

INSTANTIATE_TEST_SUITE_P(Builtin, Properties, testing::ValuesIn(builtin_names()), test_name);

}  // namespace
}  // namespace warpcheck::campaign::checks
