// Compares the bytes of elements with the CUDA Toolkit's headers on the host.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "campaign/run/element.hpp"
#include "reference/format.hpp"

namespace warpcheck::campaign::generate {
namespace {

struct F16 {
  using Bits = std::uint16_t;
  static constexpr ScalarType type = ScalarType::f16;
  static float value(Bits bits) { return __half2float(__half(__half_raw{bits})); }
  static Bits nearest(double value) { return __half_raw(__double2half(value)).x; }
};

struct Bf16 {
  using Bits = std::uint16_t;
  static constexpr ScalarType type = ScalarType::bf16;
  static float value(Bits bits) { return __bfloat162float(__nv_bfloat16(__nv_bfloat16_raw{bits})); }
  static Bits nearest(double value) { return __nv_bfloat16_raw(__double2bfloat16(value)).x; }
};

template <__nv_fp8_interpretation_t interpretation, ScalarType scalar_type>
struct Fp8 {
  using Bits = std::uint8_t;
  static constexpr ScalarType type = scalar_type;
  static float value(Bits bits) {
    return __half2float(__half(__nv_cvt_fp8_to_halfraw(bits, interpretation)));
  }
  static Bits nearest(double value) {
    return __nv_cvt_double_to_fp8(value, __NV_NOSAT, interpretation);
  }
};

template <class Toolkit>
class ElementLikeTheToolkit : public ::testing::Test {
 public:
  using Pattern = typename Toolkit::Bits;

  static Pattern encoded(double value) {
    Pattern bits;
    run::encode(value, Toolkit::type, reinterpret_cast<std::byte*>(&bits));
    return bits;
  }
  static double decoded(Pattern bits) {
    return run::decode(Toolkit::type, reinterpret_cast<const std::byte*>(&bits));
  }
};

using Formats =
    ::testing::Types<F16, Bf16, Fp8<__NV_E4M3, ScalarType::e4m3>, Fp8<__NV_E5M2, ScalarType::e5m2>>;
TYPED_TEST_SUITE(ElementLikeTheToolkit, Formats);

TYPED_TEST(ElementLikeTheToolkit, EachPatternHasTheSameValue) {
  using Bits = typename TypeParam::Bits;
  for (std::uint32_t bits = 0; bits <= static_cast<Bits>(~Bits{0}); ++bits) {
    const auto pattern = static_cast<Bits>(bits);
    const double theirs = static_cast<double>(TypeParam::value(pattern));
    const double ours = this->decoded(pattern);
    ASSERT_TRUE(ours == theirs || (std::isnan(ours) && std::isnan(theirs))) << bits;
    if (std::isnan(theirs)) continue;
    ASSERT_EQ(std::signbit(ours), std::signbit(theirs)) << bits;
  }
}

TYPED_TEST(ElementLikeTheToolkit, ValuesRoundToTheSamePattern) {
  using Bits = typename TypeParam::Bits;
  for (std::uint32_t bits = 0; bits < static_cast<Bits>(~Bits{0}); ++bits) {
    const auto low = static_cast<double>(TypeParam::value(static_cast<Bits>(bits)));
    const auto high = static_cast<double>(TypeParam::value(static_cast<Bits>(bits + 1)));
    if (!std::isfinite(low)) continue;
    // The threshold of overflow if there is no finite neighbour.
    const double middle =
        std::isfinite(high)
            ? low + (high - low) / 2.0
            : std::copysign(reference::format(TypeParam::type).overflow_threshold(), low);
    for (const double x : {low, std::nextafter(low, HUGE_VAL), std::nextafter(middle, -HUGE_VAL),
                           middle, std::nextafter(middle, HUGE_VAL)}) {
      const double theirs = static_cast<double>(TypeParam::value(TypeParam::nearest(x)));
      if (std::isnan(theirs)) {
        ASSERT_TRUE(std::isnan(this->decoded(this->encoded(x)))) << std::hexfloat << x;
      } else {
        ASSERT_EQ(this->encoded(x), TypeParam::nearest(x)) << std::hexfloat << x;
      }
    }
  }
}

TYPED_TEST(ElementLikeTheToolkit, NonFiniteValuesAreTheSame) {
  for (const double x : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    const auto theirs = static_cast<double>(TypeParam::value(TypeParam::nearest(x)));
    const double ours = this->decoded(this->encoded(x));
    EXPECT_TRUE(ours == theirs || (std::isnan(ours) && std::isnan(theirs))) << x;
  }
}

}  // namespace
}  // namespace warpcheck::campaign::generate
