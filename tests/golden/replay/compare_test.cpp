// The comparison of results with a record, and its tolerance.
#include <gmock/gmock.h>

#include <bit>
#include <limits>

#include "tests/golden/forms/inputs.hpp"
#include "tests/golden/replay/replay.hpp"
#include "tests/golden/results/tolerance.hpp"

namespace warpcheck::golden {
namespace {

using testing::HasSubstr;

Form form_named(const std::string& name) {
  for (const Form& form : all_forms()) {
    if (form.name == name) return form;
  }
  throw std::invalid_argument(name);
}

std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

TEST(Compare, EqualResultsDoNotDiffer) {
  const Form form = form_named("add.u32 %d0, %a0, %a1");
  const Results results(kTuples, 7);
  const Comparison comparison = compare(form, record(form, results), results);
  EXPECT_EQ(comparison.difference, "");
  EXPECT_EQ(comparison.equal_bits, kKeptTuples);
}

TEST(Compare, OneWrongBitIsReportedWithItsOperands) {
  const Form form = form_named("add.u32 %d0, %a0, %a1");
  Results results(kTuples, 7);
  const Record recorded = record(form, results);
  results[3] ^= 0x100;
  EXPECT_THAT(compare(form, recorded, results).difference,
              testing::AllOf(HasSubstr("tuple 3: %a0=0x"),
                             HasSubstr("%d0=0x00000107, expected 0x00000007")));
}

TEST(Compare, HashDetectsOneWrongBitBeyondTheRecordedValues) {
  const Form form = form_named("add.u32 %d0, %a0, %a1");
  Results results(kTuples, 7);
  const Record recorded = record(form, results);
  results.back() ^= 1;
  EXPECT_THAT(compare(form, recorded, results).difference, HasSubstr("tuples 1536 to 2047"));
}

TEST(Compare, OtherOperandsRequireANewRecording) {
  const Form form = form_named("add.u32 %d0, %a0, %a1");
  const Results results(kTuples, 7);
  Record recorded = record(form, results);
  ++recorded.input_hash;
  EXPECT_THAT(compare(form, recorded, results).difference, HasSubstr("record anew"));
}

TEST(Tolerance, ApproximateResultsMayDifferByTheStatedError) {
  const Form sqrt = form_named("sqrt.approx.f32 %d0, %a0");  // 2^-23, relative
  EXPECT_TRUE(agrees(sqrt, {bits(4.0F)}, bits(2.0F), bits(2.0F + 0x1p-22F)));
  EXPECT_FALSE(agrees(sqrt, {bits(4.0F)}, bits(2.0F), bits(2.0F + 2 * 0x1p-22F)));
  const Form tanh = form_named("tanh.approx.f16 %d0, %a0");  // 2^-10.987, absolute
  EXPECT_TRUE(agrees(tanh, {0x3C00}, 0x3A00, 0x3A01));
  EXPECT_FALSE(agrees(tanh, {0x3C00}, 0x3A00, 0x3A02));
  const Form packed = form_named("tanh.approx.f16x2 %d0, %a0");
  EXPECT_TRUE(agrees(packed, {0x3C003C00}, 0x3A003A00, 0x3A013A00));
  EXPECT_FALSE(agrees(packed, {0x3C003C00}, 0x3A003A00, 0x3A023A00));
}

TEST(Tolerance, DependsOnTheArgumentAsInTheManual) {
  const Form lg2 = form_named("lg2.approx.f32 %d0, %a0");
  const float small = 0x1p-10F;
  EXPECT_TRUE(agrees(lg2, {bits(1.0007F)}, bits(small), bits(small + 0x1p-22F))) << "absolute";
  EXPECT_FALSE(agrees(lg2, {bits(1.0007F)}, bits(small), bits(small + 0x1p-21F)));
  EXPECT_FALSE(agrees(lg2, {bits(2.0F)}, bits(small), bits(small + 0x1p-22F))) << "relative";
  const Form sin = form_named("sin.approx.f32 %d0, %a0");
  const float error = 0x1p-16F;
  EXPECT_FALSE(agrees(sin, {bits(6.28F)}, bits(0.0F), bits(error)));
  EXPECT_TRUE(agrees(sin, {bits(6.29F)}, bits(0.0F), bits(error)));
  EXPECT_FALSE(agrees(sin, {bits(314.0F)}, bits(0.0F), bits(4 * error)));
  EXPECT_TRUE(agrees(sin, {bits(315.0F)}, bits(0.0F), bits(1.0F)));
}

TEST(Tolerance, NanAndInfinityMustBeEqual) {
  const Form sqrt = form_named("sqrt.approx.f32 %d0, %a0");
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(agrees(sqrt, {0}, 0x7FFFFFFF, 0x7FC00000));
  EXPECT_FALSE(agrees(sqrt, {0}, 0x7FFFFFFF, 0));
  EXPECT_FALSE(agrees(sqrt, {0}, 0, 0x7FFFFFFF));
  EXPECT_FALSE(agrees(sqrt, {0}, bits(kInfinity), bits(std::numeric_limits<float>::max())));
  EXPECT_FALSE(agrees(sqrt, {0}, bits(kInfinity), bits(-kInfinity)));
}

TEST(Tolerance, EveryApproximateFormHasABound) {
  for (const Form& form : all_forms()) {
    if (form.approximate) {
      const std::uint64_t one =
          form.outputs[0] == Type::f64 ? std::bit_cast<std::uint64_t>(1.0) : 0;
      EXPECT_TRUE(agrees(form, inputs(form, 0), one, one)) << form.name;
    }
  }
}

}  // namespace
}  // namespace warpcheck::golden
