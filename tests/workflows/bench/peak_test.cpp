#include "workflows/bench/peak.hpp"

#include <gmock/gmock.h>

namespace warpcheck::workflows::bench {
namespace {

contract::Contract with_types(ScalarType type, bool tensor_cores) {
  contract::Contract contract;
  contract.type_a = type;
  contract.tensor_cores = tensor_cores;
  return contract;
}

// The data sheet of the H100 SXM5 with 132 multiprocessors: 66.9 TFLOP/s of FP32 at 1980 MHz, and
// 989.4 of FP16 on tensor cores at 1830 MHz.
TEST(Peak, IsThatOfTheDataSheet) {
  const auto peak = [](ScalarType type, bool tensor_cores, double hertz) {
    return operations_per_clock(with_types(type, tensor_cores), 90) * 132 * hertz * 1e-12;
  };
  EXPECT_NEAR(peak(ScalarType::f32, false, 1980e6), 66.9, 0.1);
  EXPECT_NEAR(peak(ScalarType::f16, true, 1830e6), 989.4, 0.1);
  EXPECT_NEAR(peak(ScalarType::tf32, true, 1830e6), 494.7, 0.1);
  EXPECT_NEAR(peak(ScalarType::e4m3, true, 1830e6), 1978.9, 0.1);
  EXPECT_NEAR(peak(ScalarType::f64, true, 1980e6), 66.9, 0.1);
}

TEST(Peak, IsZeroForOtherArchitectures) {
  EXPECT_EQ(operations_per_clock(with_types(ScalarType::f32, false), 75), 0.0);
}

}  // namespace
}  // namespace warpcheck::workflows::bench
