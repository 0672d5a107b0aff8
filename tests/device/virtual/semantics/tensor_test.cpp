// Tensor cores against exact arithmetic in MPFR with the truncation of the model, and against sums
// computed by hand.
#include "device/virtual/semantics/tensor.hpp"

#include <gmock/gmock.h>
#include <mpfr.h>

#include <cmath>
#include <limits>
#include <vector>

#include "device/virtual/semantics/formats.hpp"
#include "tests/device/virtual/semantics/random_values.hpp"

namespace warpcheck::semantics {
namespace {

using testing::RandomValues;
using Words = std::vector<std::uint32_t>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double value_of(MmaInput type, std::uint32_t bits) {
  switch (type) {
    case MmaInput::f16:
      return widen(f16{static_cast<std::uint16_t>(bits)});
    case MmaInput::bf16:
      return widen(bf16{static_cast<std::uint16_t>(bits)});
    case MmaInput::tf32:
      return widen(tf32{bits & 0xffff'e000});
    case MmaInput::e4m3:
      return widen(e4m3{static_cast<std::uint8_t>(bits)});
    case MmaInput::e5m2:
      return widen(e5m2{static_cast<std::uint8_t>(bits)});
  }
  return 0;
}

int least_exponent(MmaInput type) {
  switch (type) {
    case MmaInput::f16:
    case MmaInput::e5m2:
      return -14;
    case MmaInput::e4m3:
      return -6;
    default:
      return -126;
  }
}

int exponent_of(double value, int least) { return std::max(std::ilogb(value), least); }

/// Exact to 4000 bits, enough for products of f32 and narrower values and their sums.
class Exact {
 public:
  Exact() {
    mpfr_init2(value_, 4000);
    mpfr_set_zero(value_, 1);
  }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  ~Exact() { mpfr_clear(value_); }

  void set_product(double a, double b) {
    mpfr_set_d(value_, a, MPFR_RNDZ);
    mpfr_mul_d(value_, value_, b, MPFR_RNDZ);
  }
  void add(const Exact& other) { mpfr_add(value_, value_, other.value_, MPFR_RNDZ); }
  /// Toward zero, to a multiple of 2^last.
  void cut(int last) {
    mpfr_mul_2si(value_, value_, -last, MPFR_RNDZ);
    mpfr_trunc(value_, value_);
    mpfr_mul_2si(value_, value_, last, MPFR_RNDZ);
  }
  void round_to_even(int last) {
    mpfr_mul_2si(value_, value_, -last, MPFR_RNDZ);
    mpfr_rint(value_, value_, MPFR_RNDN);
    mpfr_mul_2si(value_, value_, last, MPFR_RNDZ);
  }
  [[nodiscard]] bool is_zero() const { return mpfr_zero_p(value_) != 0; }
  [[nodiscard]] bool is_negative() const { return mpfr_signbit(value_) != 0; }
  [[nodiscard]] int exponent() const { return static_cast<int>(mpfr_get_exp(value_)) - 1; }
  [[nodiscard]] double as_double() const { return mpfr_get_d(value_, MPFR_RNDN); }

 private:
  mpfr_t value_;
};

/// The result of one block of finite operands, computed as in the papers.
double block_by_hand(const BlockSum& how, int floor, const std::vector<double>& a, int least_a,
                     const std::vector<double>& b, int least_b, double c, MmaAccumulator type) {
  const int least_c = type == MmaAccumulator::f16 ? -14 : -126;
  int largest = c == 0 ? floor : std::max(floor, exponent_of(c, least_c));
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] == 0 || b[k] == 0) continue;
    largest = std::max(largest, exponent_of(a[k], least_a) + exponent_of(b[k], least_b));
  }
  Exact sum;
  Exact addend;
  addend.set_product(c, 1);
  addend.cut(largest - how.fraction_bits);
  sum.add(addend);
  for (std::size_t k = 0; k < a.size(); ++k) {
    addend.set_product(a[k], b[k]);
    addend.cut(largest - how.fraction_bits);
    sum.add(addend);
  }
  if (sum.is_zero()) return 0;
  const double zero = sum.is_negative() ? -0.0 : 0.0;
  if (type == MmaAccumulator::f16) {
    sum.round_to_even(std::max(sum.exponent(), -14) - 10);
    if (sum.is_zero()) return zero;
    return sum.exponent() > 15 ? std::copysign(kInfinity, zero) : sum.as_double();
  }
  sum.cut(std::max(sum.exponent(), -126) - how.result_fraction_bits);
  if (sum.is_zero()) return zero;
  return sum.exponent() > 127 ? std::copysign(kInfinity, zero) : sum.as_double();
}

std::uint32_t bits_of(double value, MmaAccumulator type) {
  if (type == MmaAccumulator::f32) return to_bits(static_cast<float>(value));
  return narrow<f16, Rounding::rn>(value).bits;
}
double value_of(std::uint32_t bits, MmaAccumulator type) {
  return type == MmaAccumulator::f32 ? from_bits<float>(bits)
                                     : widen(f16{static_cast<std::uint16_t>(bits)});
}

std::uint32_t any_bits(RandomValues& from, MmaInput type) {
  switch (type) {
    case MmaInput::f16:
      return from.floating<f16>().bits;
    case MmaInput::bf16:
      return from.floating<bf16>().bits;
    case MmaInput::tf32:
      return to_bits(from.floating<float>());
    default:
      return static_cast<std::uint32_t>(from.below(256));
  }
}

/// A finite value; with `near`, its exponent is close to those of others, so that sums cancel.
std::uint32_t finite_bits(RandomValues& from, MmaInput type, bool near) {
  for (;;) {
    const std::uint32_t bits = any_bits(from, type);
    const double value = value_of(type, bits);
    if (!std::isfinite(value)) continue;
    if (near && value != 0 && std::abs(std::ilogb(value)) > 6) continue;
    return bits;
  }
}
std::uint32_t accumulator_bits(RandomValues& from, MmaAccumulator type, bool near) {
  for (;;) {
    const std::uint32_t bits = type == MmaAccumulator::f32
                                   ? to_bits(from.floating<float>())
                                   : std::uint32_t{from.floating<f16>().bits};
    const double value = value_of(bits, type);
    if (!std::isfinite(value)) continue;
    if (near && value != 0 && std::abs(std::ilogb(value)) > 12) continue;
    return bits;
  }
}

const BlockSum& block_sum(const TensorModel& model, MmaInput type) {
  if (type == MmaInput::tf32) return model.tf32;
  return type == MmaInput::e4m3 || type == MmaInput::e5m2 ? model.fp8 : model.half;
}

/// One row, nine columns (a whole strip and one more) of k products.
void expect_exact(RandomValues& from, const TensorModel& model, MmaInput a_type, MmaInput b_type,
                  MmaAccumulator type, int k) {
  const bool near = from.below(2) == 0;
  constexpr int n = 9;
  Words a;
  Words b;
  Words c;
  for (int i = 0; i < k; ++i) a.push_back(finite_bits(from, a_type, near));
  for (int i = 0; i < k * n; ++i) b.push_back(finite_bits(from, b_type, near));
  for (int i = 0; i < n; ++i) c.push_back(accumulator_bits(from, type, near));
  if (from.below(4) == 0) c.assign(n, 0);
  Words d(n);
  mma(model, {1, n, k}, a_type, a.data(), b_type, b.data(), type, c.data(), d.data());
  const BlockSum& how = block_sum(model, a_type);
  for (int j = 0; j < n; ++j) {
    double sum = value_of(c[j], type);
    for (int at = 0; at < k && std::isfinite(sum); at += how.block_length) {
      std::vector<double> x;
      std::vector<double> y;
      for (int l = at; l < std::min(k, at + how.block_length); ++l) {
        x.push_back(value_of(a_type, a[l]));
        y.push_back(value_of(b_type, b[l * n + j]));
      }
      sum = block_by_hand(how, model.least_exponent, x, least_exponent(a_type), y,
                          least_exponent(b_type), sum, type);
    }
    ASSERT_EQ(d[j], bits_of(sum, type)) << "column " << j << ", k = " << k;
  }
}

class Tensor : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Architecture, Tensor, ::testing::Values(70U, 80U, 89U, 90U, 100U),
                         [](const auto& number) { return "sm_" + std::to_string(number.param); });

TEST_P(Tensor, SumsAreExactExceptForTheModelsTruncation) {
  RandomValues from;
  SCOPED_TRACE(from.trace());
  TensorModel model = tensor_model(GetParam());
  model.fp8_path = Fp8Path::tensor_core;
  using enum MmaInput;
  constexpr auto f16_sum = MmaAccumulator::f16;
  constexpr auto f32_sum = MmaAccumulator::f32;
  for (int i = 0; i < 60; ++i) {
    expect_exact(from, model, f16, f16, f32_sum, 16);
    expect_exact(from, model, f16, f16, f16_sum, 16);
    expect_exact(from, model, bf16, bf16, f32_sum, 8);
    expect_exact(from, model, tf32, tf32, f32_sum, 8);
    expect_exact(from, model, tf32, tf32, f32_sum, 4);
    expect_exact(from, model, e4m3, e4m3, f32_sum, 32);
    expect_exact(from, model, e5m2, e4m3, f32_sum, 32);
    expect_exact(from, model, e4m3, e5m2, f16_sum, 32);
    expect_exact(from, model, e5m2, e5m2, f32_sum, 32);
  }
}

/// The sum of a x b onto c, one element of D.
std::uint32_t dot(unsigned architecture, MmaInput type, const Words& a, const Words& b,
                  std::uint32_t c, MmaAccumulator accumulator = MmaAccumulator::f32) {
  std::uint32_t d = 0;
  mma(tensor_model(architecture), {1, 1, static_cast<int>(a.size())}, type, a.data(), type,
      b.data(), accumulator, &c, &d);
  return d;
}

constexpr std::uint32_t kOne = 0x3c00;       // f16
constexpr std::uint32_t kMinusOne = 0xbc00;  // f16
constexpr std::uint32_t kTwoToMinus12 = 0x0c00;
constexpr std::uint32_t kTwoToMinus13 = 0x0800;

TEST(TensorSum, HopperKeepsBit25WhichAmpereTruncates) {
  // 1 + 4 * 2^-25 = 1 + 2^-23.
  const Words a = {kOne, kTwoToMinus12, kTwoToMinus12, kTwoToMinus12, kTwoToMinus12, 0, 0, 0};
  const Words b = {kOne, kTwoToMinus13, kTwoToMinus13, kTwoToMinus13, kTwoToMinus13, 0, 0, 0};
  EXPECT_EQ(dot(90, MmaInput::f16, a, b, 0), 0x3f80'0001U);
  EXPECT_EQ(dot(80, MmaInput::f16, a, b, 0), 0x3f80'0000U);
}

TEST(TensorSum, VoltaTruncatesBit24WhichAmpereKeeps) {
  // 1 + 2 * 2^-24 = 1 + 2^-23.
  const Words a = {kOne, kTwoToMinus12, kTwoToMinus12, 0};
  const Words b = {kOne, kTwoToMinus12, kTwoToMinus12, 0};
  EXPECT_EQ(dot(80, MmaInput::f16, a, b, 0), 0x3f80'0001U);
  EXPECT_EQ(dot(70, MmaInput::f16, a, b, 0), 0x3f80'0000U);
}

TEST(TensorSum, CancellationWithinABlockLosesSmallTerms) {
  // 1 - 1 + 2^-26: Hopper truncates the small term within a block, but not in the next block.
  Words a(16, 0);
  Words b(16, 0);
  a[0] = kOne, a[1] = kMinusOne, b[0] = b[1] = kOne;
  a[8] = b[8] = kTwoToMinus13;
  EXPECT_EQ(dot(90, MmaInput::f16, a, b, 0), 0U);
  EXPECT_EQ(dot(80, MmaInput::f16, a, b, 0), 0x3280'0000U);
}

TEST(TensorSum, NegativeTermsAreTruncatedTowardZero) {
  // -1 - 2^-26 is -1, not the number below it.
  EXPECT_EQ(dot(90, MmaInput::f16, {kMinusOne, 0x8800}, {kOne, kTwoToMinus13}, 0), 0xbf80'0000U);
}

TEST(TensorSum, F16AccumulatorRoundsToNearestEven) {
  // 1 + 2^-11 is a tie and becomes 1; 1 + 2^-11 + 2^-22 becomes 1 + 2^-10.
  const Words a = {0x1000, 0};  // 2^-11
  EXPECT_EQ(dot(90, MmaInput::f16, a, {kOne, kOne}, kOne, MmaAccumulator::f16), 0x3c00U);
  const Words more = {0x1000, 0x1000};
  EXPECT_EQ(dot(90, MmaInput::f16, more, {kOne, 0x1000}, kOne, MmaAccumulator::f16), 0x3c01U);
}

TEST(TensorSum, InfinitiesAndNaNGiveCanonicalNaNOrInfinity) {
  const std::uint32_t f16_infinity = 0x7c00;
  EXPECT_EQ(dot(90, MmaInput::f16, {f16_infinity}, {kOne}, 0), 0x7f80'0000U);
  EXPECT_EQ(dot(90, MmaInput::f16, {f16_infinity}, {kMinusOne}, 0), 0xff80'0000U);
  EXPECT_EQ(dot(90, MmaInput::f16, {f16_infinity}, {0}, 0), 0x7fff'ffffU);
  EXPECT_EQ(dot(90, MmaInput::f16, {f16_infinity, f16_infinity}, {kOne, kMinusOne}, 0),
            0x7fff'ffffU);
  EXPECT_EQ(dot(90, MmaInput::f16, {f16_infinity}, {kOne}, 0xff80'0000), 0x7fff'ffffU);
  EXPECT_EQ(dot(90, MmaInput::f16, {0xfe01}, {kOne}, 0), 0x7fff'ffffU);
  EXPECT_EQ(dot(90, MmaInput::f16, {0}, {0}, 0xffc0'1234), 0x7fff'ffffU);
  EXPECT_EQ(dot(90, MmaInput::f16, {0xfe01}, {kOne}, 0, MmaAccumulator::f16), 0x7fffU);
  EXPECT_EQ(dot(90, MmaInput::f16, {f16_infinity}, {kOne}, 0, MmaAccumulator::f16), 0x7c00U);
}

TEST(TensorSum, OverflowIsInfinityAndRemainsSo) {
  // bf16 2^127 * 2 overflows, on Ampere in the first block; the second block adds to f16_infinity.
  Words a(16, 0);
  Words b(16, 0);
  a[0] = 0x7f00, b[0] = 0x4000;
  EXPECT_EQ(dot(90, MmaInput::bf16, a, b, 0), 0x7f80'0000U);
  a[8] = 0xff00, b[8] = 0x4000;
  EXPECT_EQ(dot(90, MmaInput::bf16, a, b, 0), 0U);
  EXPECT_EQ(dot(80, MmaInput::bf16, a, b, 0), 0x7f80'0000U);
}

TEST(TensorSum, Tf32IgnoresTheLowThirteenBits) {
  EXPECT_EQ(dot(90, MmaInput::tf32, {0x3f80'1fff}, {0x3f80'0000}, 0), 0x3f80'0000U);
  EXPECT_EQ(dot(90, MmaInput::tf32, {0x3f80'2000}, {0x3f80'0000}, 0), 0x3f80'2000U);
}

TEST(TensorSum, HopperAddsCLastForEightBitInputsAndRounds) {
  // 1 * 1 + 3 * 2^-24 is above the middle of two f32: truncated 1 + 2^-23, rounded 1 + 2^-22.
  const std::uint32_t one = 0x38;  // e4m3
  EXPECT_EQ(dot(90, MmaInput::e4m3, Words(4, one), {one, 0, 0, 0}, 0x3440'0000), 0x3f80'0002U);
  EXPECT_EQ(dot(100, MmaInput::e4m3, Words(4, one), {one, 0, 0, 0}, 0x3440'0000), 0x3f80'0001U);
}

TEST(TensorSum, HopperSumsEveryOtherPairOf8BitInputsFirst) {
  // 448 * 448 = 49 * 2^12 and its opposite are in the first half, k mod 4 below 2; the smallest
  // product, 2^-18, is in the second half, so that it is not truncated.
  Words a(16, 0);
  Words b(16, 0);
  a[0] = 0x7e, a[4] = 0xfe, b[0] = b[4] = 0x7e;
  a[2] = b[2] = 0x01;
  EXPECT_EQ(dot(90, MmaInput::e4m3, a, b, 0), 0x3680'0000U);
  EXPECT_EQ(dot(100, MmaInput::e4m3, a, b, 0), 0U);
}

TEST(TensorSum, AdaKeepsThirteenBitsOf8BitInputs) {
  const std::uint32_t one = 0x38;  // e4m3
  // 1 + 2^-13 + 2^-14 keeps only the first small term.
  EXPECT_EQ(dot(89, MmaInput::e4m3, {one}, {one}, 0x3940'0000), 0x3f80'0400U);
}

TEST(TensorExact, IntegersWrapOrSaturate) {
  const std::int32_t a[2] = {-128, 127};
  const std::int32_t b[2] = {-128, 2};
  const std::int32_t c = std::numeric_limits<std::int32_t>::max() - 16637;
  std::int32_t d = 0;
  mma({1, 1, 2}, a, b, &c, &d, false);  // 16384 + 254
  EXPECT_EQ(d, std::numeric_limits<std::int32_t>::min());
  mma({1, 1, 2}, a, b, &c, &d, true);
  EXPECT_EQ(d, std::numeric_limits<std::int32_t>::max());
}

TEST(TensorExact, BitsOfXorOrAndAreCounted) {
  const std::uint32_t a[4] = {0xf0f0'f0f0, 0, ~0U, 1};
  const std::uint32_t b[4] = {0xff00'ff00, 0, ~0U, 2};
  const std::int32_t c = 10;
  std::int32_t d = 0;
  mma({1, 1, 128}, BitOperation::exclusive_or, a, b, &c, &d);
  EXPECT_EQ(d, 10 + 16 + 2);
  mma({1, 1, 128}, BitOperation::conjunction, a, b, &c, &d);
  EXPECT_EQ(d, 10 + 8 + 32);
}

TEST(TensorExact, DoublesFuseInTheOrderOfK) {
  // (1 + 2^-27)^2 - 1 - 2^-26 is 2^-54 only without intermediate rounding.
  const double x = 1 + 0x1p-27;
  const double a[2] = {-1, x};
  const double b[2] = {1 + 0x1p-26, x};
  const double c = 0;
  double d = 0;
  mma({1, 1, 2}, a, b, &c, &d);
  EXPECT_EQ(d, 0x1p-54);
}

}  // namespace
}  // namespace warpcheck::semantics
