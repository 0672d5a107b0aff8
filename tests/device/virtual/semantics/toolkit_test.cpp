// The 16- and 8-bit formats against the headers of the CUDA Toolkit, compiled for the host.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <gtest/gtest.h>

#include "device/virtual/semantics/compare.hpp"
#include "device/virtual/semantics/convert.hpp"
#include "tests/device/virtual/semantics/random_values.hpp"

namespace warpcheck::semantics {
namespace {

using testing::RandomValues;

constexpr std::uint32_t all16 = 0x10000;
constexpr int kRounds = 100000;

__half toolkit(f16 a) { return std::bit_cast<__half>(a.bits); }
__nv_bfloat16 toolkit(bf16 a) { return std::bit_cast<__nv_bfloat16>(a.bits); }
std::uint16_t bits_of(__half a) { return std::bit_cast<std::uint16_t>(a); }
std::uint16_t bits_of(__nv_bfloat16 a) { return std::bit_cast<std::uint16_t>(a); }

/// Calls f with each of the 2^16 values.
template <class T, class Function>
void for_all(Function f) {
  for (std::uint32_t bits = 0; bits < all16 && !::testing::Test::HasFatalFailure(); ++bits)
    f(T{static_cast<std::uint16_t>(bits)});
}

TEST(ToolkitF16, WidensEveryValueAlike) {
  for_all<f16>([](f16 a) {
    const float theirs = __half2float(toolkit(a));
    if (is_nan(a))
      ASSERT_TRUE(is_nan(widen(a)) && is_nan(theirs)) << a.bits;
    else
      ASSERT_EQ(to_bits(widen(a)), to_bits(theirs)) << a.bits;
  });
}
TEST(ToolkitBf16, WidensEveryValueAlike) {
  for_all<bf16>([](bf16 a) {
    ASSERT_EQ(to_bits(widen(a)), to_bits(__bfloat162float(toolkit(a)))) << a.bits;
  });
}

TEST(ToolkitF16, NarrowsEveryNeighbourhoodAlike) {
  // Each f16 value, the middle to the next one, and the floats adjacent to both.
  for_all<f16>([](f16 a) {
    if (is_nan(a) || absolute(a).bits == 0x7c00) return;
    for (std::uint32_t offset : {0U, 1U, ~0U, 0x1000U, 0xfffU, 0x1001U, 0x800U, 0x1fffU}) {
      const float x = std::bit_cast<float>(to_bits(widen(a)) + offset);
      if (is_nan(x)) continue;
      ASSERT_EQ((convert<f16, Rounding::rn>(x).bits), bits_of(__float2half_rn(x)))
          << std::hexfloat << x;
      ASSERT_EQ((convert<f16, Rounding::rz>(x).bits), bits_of(__float2half_rz(x)))
          << std::hexfloat << x;
      ASSERT_EQ((convert<f16, Rounding::rm>(x).bits), bits_of(__float2half_rd(x)))
          << std::hexfloat << x;
      ASSERT_EQ((convert<f16, Rounding::rp>(x).bits), bits_of(__float2half_ru(x)))
          << std::hexfloat << x;
      ASSERT_EQ((convert<f16, Rounding::rn>(static_cast<double>(x)).bits),
                bits_of(__double2half(x)));
    }
  });
}
TEST(ToolkitBf16, NarrowsEveryNeighbourhoodAlike) {
  for_all<bf16>([](bf16 a) {
    if (is_nan(a) || absolute(a).bits == 0x7f80) return;
    for (std::uint32_t offset : {0U, 1U, ~0U, 0x8000U, 0x7fffU, 0x8001U, 0x4000U, 0xffffU}) {
      const float x = std::bit_cast<float>(to_bits(widen(a)) + offset);
      if (is_nan(x)) continue;
      ASSERT_EQ((convert<bf16, Rounding::rn>(x).bits), bits_of(__float2bfloat16_rn(x)))
          << std::hexfloat << x;
      ASSERT_EQ((convert<bf16, Rounding::rz>(x).bits), bits_of(__float2bfloat16_rz(x)))
          << std::hexfloat << x;
      ASSERT_EQ((convert<bf16, Rounding::rm>(x).bits), bits_of(__float2bfloat16_rd(x)))
          << std::hexfloat << x;
      ASSERT_EQ((convert<bf16, Rounding::rp>(x).bits), bits_of(__float2bfloat16_ru(x)))
          << std::hexfloat << x;
      ASSERT_EQ((convert<bf16, Rounding::rn>(static_cast<double>(x)).bits),
                bits_of(__double2bfloat16(x)));
    }
  });
}

TEST(ToolkitF16, ConvertsEveryValueToIntegersAlike) {
  for_all<f16>([](f16 a) {
    if (is_nan(a)) return;  // the host code of the headers converts NaN differently
    const __half h = toolkit(a);
    constexpr auto rzi = IntegerRounding::rzi;
    ASSERT_EQ((to_integer<std::int8_t, rzi>(a)), __half2char_rz(h)) << a.bits;
    ASSERT_EQ((to_integer<std::uint8_t, rzi>(a)), __half2uchar_rz(h)) << a.bits;
    ASSERT_EQ((to_integer<std::int16_t, rzi>(a)), __half2short_rz(h)) << a.bits;
    ASSERT_EQ((to_integer<std::uint16_t, rzi>(a)), __half2ushort_rz(h)) << a.bits;
    ASSERT_EQ((to_integer<std::int32_t, rzi>(a)), __half2int_rz(h)) << a.bits;
    ASSERT_EQ((to_integer<std::uint32_t, rzi>(a)), __half2uint_rz(h)) << a.bits;
    ASSERT_EQ((to_integer<std::int64_t, rzi>(a)), __half2ll_rz(h)) << a.bits;
    ASSERT_EQ((to_integer<std::uint64_t, rzi>(a)), __half2ull_rz(h)) << a.bits;
  });
}

TEST(ToolkitIntegers, ConvertToF16AndBf16Alike) {
  for (std::uint32_t bits = 0; bits < all16; ++bits) {
    const auto s = static_cast<std::int16_t>(bits);
    const auto u = static_cast<std::uint16_t>(bits);
    ASSERT_EQ((from_integer<f16, Rounding::rn>(s).bits), bits_of(__short2half_rn(s)));
    ASSERT_EQ((from_integer<f16, Rounding::rn>(u).bits), bits_of(__ushort2half_rn(u)));
    ASSERT_EQ((from_integer<bf16, Rounding::rn>(s).bits), bits_of(__short2bfloat16_rn(s)));
    ASSERT_EQ((from_integer<bf16, Rounding::rn>(u).bits), bits_of(__ushort2bfloat16_rn(u)));
  }
}

template <class T>
class ToolkitArithmetic : public ::testing::Test {};
using Formats = ::testing::Types<f16, bf16>;
TYPED_TEST_SUITE(ToolkitArithmetic, Formats);

TYPED_TEST(ToolkitArithmetic, AgreesOnRandomOperands) {
  using T = TypeParam;
  RandomValues random;
  SCOPED_TRACE(random.trace());
  for (int i = 0; i < kRounds; ++i) {
    const T a = random.floating<T>();
    const T b = random.floating<T>();
    const T sum = add(a, b);
    const T product = mul(a, b);
    if (!is_nan(sum)) {
      ASSERT_EQ(sum.bits, bits_of(__hadd(toolkit(a), toolkit(b)))) << a.bits << ' ' << b.bits;
    }
    if (!is_nan(product)) {
      ASSERT_EQ(product.bits, bits_of(__hmul(toolkit(a), toolkit(b)))) << a.bits << ' ' << b.bits;
    }
    ASSERT_EQ(compare<Compare::lt>(a, b), __hlt(toolkit(a), toolkit(b)));
    ASSERT_EQ(compare<Compare::geu>(a, b), __hgeu(toolkit(a), toolkit(b)));
    ASSERT_EQ(compare<Compare::neu>(a, b), __hneu(toolkit(a), toolkit(b)));
    if (is_nan(a) || is_nan(b)) continue;
    ASSERT_EQ(min(a, b).bits, bits_of(__hmin(toolkit(a), toolkit(b))));
    ASSERT_EQ(max(a, b).bits, bits_of(__hmax(toolkit(a), toolkit(b))));
  }
}

template <class T>
void check_eight_bits(__nv_fp8_interpretation_t interpretation) {
  for (std::uint32_t bits = 0; bits < 256; ++bits) {
    const T a{static_cast<std::uint8_t>(bits)};
    const __half_raw theirs = __nv_cvt_fp8_to_halfraw(a.bits, interpretation);
    const f16 wide = narrow<f16, Rounding::rn>(widen(a));
    if (is_nan(wide))
      ASSERT_TRUE(is_nan(f16{theirs.x})) << bits;
    else
      ASSERT_EQ(wide.bits, theirs.x) << bits;
  }
  // From every f16 value, the adjacent f32 values, and f64.
  for_all<f16>([interpretation](f16 a) {
    const auto nan = [](std::uint8_t code) {
      return is_nan(narrow<f16, Rounding::rn>(widen(T{code})));
    };
    const auto check = [&](std::uint8_t ours, std::uint8_t theirs) {
      if (nan(ours))
        ASSERT_TRUE(nan(theirs)) << a.bits;
      else
        ASSERT_EQ(ours, theirs) << a.bits;
    };
    __half_raw raw;
    raw.x = a.bits;
    check(downcast<T, Rounding::rn, false, true>(a).bits,
          __nv_cvt_halfraw_to_fp8(raw, __NV_SATFINITE, interpretation));
    for (const std::uint32_t offset : {0U, 1U, ~0U}) {
      const float x = std::bit_cast<float>(to_bits(widen(a)) + offset);
      check(downcast<T, Rounding::rn, false, true>(x).bits,
            __nv_cvt_float_to_fp8(x, __NV_SATFINITE, interpretation));
      check(narrow<T, Rounding::rn, true>(x).bits,
            __nv_cvt_double_to_fp8(x, __NV_SATFINITE, interpretation));
    }
  });
}

TEST(ToolkitFp8, ConvertsE4m3Alike) { check_eight_bits<e4m3>(__NV_E4M3); }
TEST(ToolkitFp8, ConvertsE5m2Alike) { check_eight_bits<e5m2>(__NV_E5M2); }

}  // namespace
}  // namespace warpcheck::semantics
