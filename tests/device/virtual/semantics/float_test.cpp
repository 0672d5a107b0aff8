// Arithmetic against MPFR: every format, rounding mode and operation.
#include "device/virtual/semantics/float.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <thread>

#include "device/virtual/semantics/half.hpp"
#include "tests/device/virtual/semantics/exact.hpp"
#include "tests/device/virtual/semantics/random_values.hpp"

namespace warpcheck::semantics {
namespace {

using testing::exactly;
using testing::Operation;
using testing::RandomValues;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();

/// True if the values are equal. The zeros differ; all NaNs are equal.
bool same(double x, double y) {
  return (std::isnan(x) && std::isnan(y)) ||
         std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

template <class T>
T narrow_or_keep(double value) {
  if constexpr (std::same_as<T, double>)
    return value;
  else
    return narrow<T, Rounding::rn>(value);
}

template <class T>
constexpr int kRounds = std::same_as<T, double> ? 8000 : 20000;

template <class T>
class Arithmetic : public ::testing::Test {};
using Formats = ::testing::Types<float, double, f16, bf16>;
TYPED_TEST_SUITE(Arithmetic, Formats);

template <class T, Rounding R>
void check_rounding(const char* name) {
  RandomValues random;
  SCOPED_TRACE(random.trace() + " " + name);
  for (int i = 0; i < kRounds<T>; ++i) {
    const T a = random.floating<T>();
    T b = random.floating<T>();
    T c = random.floating<T>();
    if (i % 4 == 1) b = random.near(negated(a));                        // cancellation in add
    if (i % 4 == 2) c = random.near(negated(mul<Rounding::rn>(a, b)));  // and in fma
    if (i % 4 == 3) c = from_bits<T>(static_cast<BitsOf<T>>(i % 8));    // a tiny addend breaks ties
    const double x = widen(a);
    const double y = widen(b);
    const double z = widen(c);
    const auto expect = [&](T got, Operation operation, const char* what) {
      const double want = exactly<T>(operation, R, x, y, z);
      ASSERT_TRUE(same(widen(got), want))
          << what << std::hexfloat << " of " << x << ", " << y << ", " << z << " is "
          << double{widen(got)} << ", expected " << want;
    };
    expect(add<R>(a, b), Operation::add, "add");
    expect(sub<R>(a, b), Operation::sub, "sub");
    expect(mul<R>(a, b), Operation::mul, "mul");
    expect(fma<R>(a, b, c), Operation::fma, "fma");
    expect(mad<R>(a, b, c), Operation::fma, "mad");
    if constexpr (sizeof(T) >= 4) {
      expect(div<R>(a, b), Operation::div, "div");
      expect(sqrt<R>(a), Operation::sqrt, "sqrt");
      const double reciprocal = exactly<T>(Operation::div, R, 1, x);
      ASSERT_TRUE(same(widen(rcp<R>(a)), reciprocal)) << "rcp of " << std::hexfloat << x;
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TYPED_TEST(Arithmetic, IsRoundedToNearestEven) { check_rounding<TypeParam, Rounding::rn>("rn"); }
TYPED_TEST(Arithmetic, IsRoundedTowardZero) { check_rounding<TypeParam, Rounding::rz>("rz"); }
TYPED_TEST(Arithmetic, IsRoundedDown) { check_rounding<TypeParam, Rounding::rm>("rm"); }
TYPED_TEST(Arithmetic, IsRoundedUp) { check_rounding<TypeParam, Rounding::rp>("rp"); }

TYPED_TEST(Arithmetic, FlushesSubnormalOperandsAndResults) {
  using T = TypeParam;
  RandomValues random;
  SCOPED_TRACE(random.trace());
  int flushed = 0;
  for (int i = 0; i < kRounds<T>; ++i) {
    const T a = random.floating<T>();
    const T b = random.floating<T>();
    const T c = random.floating<T>();
    const T plain = fma<Rounding::rn>(flush(a), flush(b), flush(c));
    const T result = fma<Rounding::rn, true>(a, b, c);
    ASSERT_EQ(to_bits(result), to_bits(flush(plain)));
    ASSERT_EQ(to_bits(mul<Rounding::rz, true>(a, b)),
              to_bits(flush(mul<Rounding::rz>(flush(a), flush(b)))));
    flushed += to_bits(result) != to_bits(fma<Rounding::rn>(a, b, c)) ? 1 : 0;
  }
  EXPECT_GT(flushed, kRounds<T> / 1000);
}

TYPED_TEST(Arithmetic, SaturatesToTheUnitInterval) {
  using T = TypeParam;
  const T one = from_bits<T>(Format<T>::one);
  const T half = narrow_or_keep<T>(0.5);
  const T zero = from_bits<T>(0);
  const T inf = from_bits<T>(static_cast<BitsOf<T>>(Format<T>::infinity));
  const auto sum = [](T a, T b) { return to_bits(add<Rounding::rn, false, true>(a, b)); };
  EXPECT_EQ(sum(one, half), to_bits(one));
  EXPECT_EQ(sum(inf, half), to_bits(one));
  EXPECT_EQ(sum(half, zero), to_bits(half));
  EXPECT_EQ(sum(negated(half), zero), 0U);
  EXPECT_EQ(sum(negated(zero), negated(zero)), 0U);
  EXPECT_EQ(sum(inf, negated(inf)), 0U) << "NaN becomes +0";
  EXPECT_EQ(sum(negated(inf), one), 0U);
}

TYPED_TEST(Arithmetic, FusedAndUnfusedDiffer) {
  using T = TypeParam;
  // (1 + u)(1 - u) - 1 = -u^2 exactly, but the product alone rounds to 1.
  const BitsOf<T> one = Format<T>::one;
  const T above = from_bits<T>(static_cast<BitsOf<T>>(one + 2));
  const T below = from_bits<T>(static_cast<BitsOf<T>>(one - 4));
  const T minus_one = negated(from_bits<T>(one));
  const T unfused = add(mul(above, below), minus_one);
  const T fused = fma(above, below, minus_one);
  const double u = std::ldexp(1.0, 1 - Format<T>::fraction_bits);
  EXPECT_EQ(widen(unfused), 0);
  EXPECT_EQ(widen(fused), -u * u);
}

TEST(HalfFma, RoundsOnceWhereAWiderFormatRoundsTwice) {
  // 3 * 87 = 261 is a tie of bf16 between 260, which is even, and 262. Plus the smallest positive
  // number it is not a tie, but double loses this number.
  const bf16 tiny{0x0001};
  EXPECT_EQ(fma(bf16{0x4040}, bf16{0x42ae}, tiny), bf16{0x4383});
  EXPECT_EQ(fma(bf16{0x4040}, bf16{0x42ae}, bf16{0}), bf16{0x4382});
  EXPECT_EQ((narrow<bf16, Rounding::rn>(std::fma(3.0, 87.0, double{widen(tiny)}))), bf16{0x4382});
  // 3 * 683 = 2049 is a tie of f16 between 2048, which is even, and 2050; here float loses it.
  EXPECT_EQ(fma(f16{0x4200}, f16{0x6156}, f16{0x0001}), f16{0x6801});
  EXPECT_EQ(fma(f16{0x4200}, f16{0x6156}, f16{0}), f16{0x6800});
  EXPECT_EQ((narrow<f16, Rounding::rn>(std::fma(3.0F, 683.0F, 0x1p-24F))), f16{0x6800});
}

TEST(FloatNaN, IsCanonicalInThirtyTwoBitsAndLess) {
  const float payload = std::bit_cast<float>(0xff812345U);
  EXPECT_EQ(to_bits(add(payload, 1.0F)), 0x7fffffffU);
  EXPECT_EQ(to_bits(mul(0.0F, std::numeric_limits<float>::infinity())), 0x7fffffffU);
  EXPECT_EQ(to_bits(sqrt(-1.0F)), 0x7fffffffU);
  EXPECT_EQ(to_bits(neg(payload)), 0x7fffffffU);
  EXPECT_EQ(to_bits(abs(payload)), 0x7fffffffU);
  EXPECT_EQ(fma(f16{0xfe01}, f16{0x3c00}, f16{0}).bits, 0x7fff);
  EXPECT_EQ(add(bf16{0x7f80}, bf16{0xff80}).bits, 0x7fff);
}

/// The operand whose payload an H200 keeps (docs/silicon.md).
TEST(FloatNaN, KeepsThePayloadOfBThenCThenAInF64) {
  const double a = std::bit_cast<double>(0x7ff0000000001234ULL);
  const double b = std::bit_cast<double>(0xfff8000000005678ULL);
  const double c = std::bit_cast<double>(0x7ff8000000009abcULL);
  const std::uint64_t quiet_a = 0x7ff8000000001234ULL;
  EXPECT_EQ(to_bits(add(a, b)), to_bits(b));
  EXPECT_EQ(to_bits(add(b, a)), quiet_a);
  EXPECT_EQ(to_bits(sub(a, b)), to_bits(b)) << "its sign is unchanged";
  EXPECT_EQ(to_bits(mul(a, b)), to_bits(b));
  EXPECT_EQ(to_bits(fma(a, b, c)), to_bits(b));
  EXPECT_EQ(to_bits(fma(a, 1.0, c)), to_bits(c));
  EXPECT_EQ(to_bits(fma(a, 1.0, 1.0)), quiet_a);
  EXPECT_EQ(to_bits(div(a, b)), quiet_a) << "division is a routine that tests a first";
  EXPECT_EQ(to_bits(add<Rounding::rz>(1.0, a)), quiet_a);
  EXPECT_EQ(to_bits(div(0.0, 0.0)), 0xfff8000000000000ULL);
  EXPECT_EQ(to_bits(abs(b)), to_bits(b)) << "abs and neg keep its sign";
  EXPECT_EQ(to_bits(neg(a)), quiet_a);
}

TEST(DirectedRounding, RestoresTheThreadsRoundingMode) {
  const auto upward_in_a_loop = [] {
    for (int i = 0; i < 10000; ++i) {
      EXPECT_EQ(add<Rounding::rp>(1.0, 0x1p-80), 1 + 0x1p-52);
      EXPECT_EQ(add<Rounding::rm>(-1.0, -0x1p-80), -1 - 0x1p-52);
      EXPECT_EQ(add<Rounding::rn>(1.0, 0x1p-80), 1.0);
    }
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  };
  std::thread other(upward_in_a_loop);
  upward_in_a_loop();
  other.join();
}

TEST(SignOperations, ChangeOnlyTheSignBit) {
  EXPECT_EQ(to_bits(copysign(-2.0F, 3.0F)), to_bits(-3.0F)) << "the sign is the first operand's";
  EXPECT_EQ(to_bits(neg(0.0F)), 0x80000000U);
  EXPECT_EQ(to_bits(neg<true>(0x1p-149F)), 0x80000000U);
  EXPECT_EQ(to_bits(abs<true>(-0x1p-149F)), 0U);
  EXPECT_EQ(neg(f16{0x0001}).bits, 0x8001);
}

TEST(Testp, FollowsTheManual) {
  EXPECT_TRUE(testp<TestProperty::normal>(0.0F)) << "zeros count as normal";
  EXPECT_TRUE(testp<TestProperty::normal>(-0.0));
  EXPECT_FALSE(testp<TestProperty::normal>(infinity));
  EXPECT_FALSE(testp<TestProperty::normal>(0x1p-149F));
  EXPECT_TRUE(testp<TestProperty::subnormal>(-0x1p-1074));
  EXPECT_FALSE(testp<TestProperty::subnormal>(0.0));
  EXPECT_TRUE(testp<TestProperty::finite>(1.0F));
  EXPECT_FALSE(testp<TestProperty::finite>(quiet_nan));
  EXPECT_TRUE(testp<TestProperty::infinite>(-infinity));
  EXPECT_TRUE(testp<TestProperty::number>(infinity));
  EXPECT_TRUE(testp<TestProperty::notanumber>(quiet_nan));
}

TEST(PackedHalves, AreIndependent) {
  const auto sum = packed<f16>([](f16 a, f16 b) { return add(a, b); }, 0x3c007bffU, 0x40007bffU);
  EXPECT_EQ(sum, 0x42007c00U);  // 1 + 2 = 3; 65504 + 65504 overflows
}

TEST(Relu, ClampsBelowZeroAndKeepsNaN) {
  EXPECT_EQ(relu(fma(f16{0x3c00}, f16{0xbc00}, f16{0})).bits, 0);
  EXPECT_EQ(relu(fma(f16{0x3c00}, f16{0x3c00}, f16{0})).bits, 0x3c00);
  EXPECT_EQ(relu(fma(bf16{0xffff}, bf16{0x3f80}, bf16{0})).bits, 0x7fff);
}

}  // namespace
}  // namespace warpcheck::semantics
