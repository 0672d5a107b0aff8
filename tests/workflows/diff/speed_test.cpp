// Timing of two variants.
#include "workflows/diff/speed.hpp"

#include <gmock/gmock.h>

#include "base/diagnostic.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::workflows::diff {
namespace {

TEST(Speed, AnErrorHasTheSentenceOfTheFinding) {
  const contract::Variant variant = campaign::testing::blas_variant();
  campaign::testing::GemmDevice device(variant, [](campaign::testing::Call& call) {
    call.report(FindingClass::timeout, "A", 0, 4, 3);
  });
  try {
    (void)measure_speed(variant, variant, device, {{"m", 8}, {"n", 8}, {"k", 8}}, 1,
                        [](const Finding& finding) { return finding.message + "; and why"; });
    FAIL() << "a launch that does not end has no time";
  } catch (const InputError& error) {
    EXPECT_THAT(error.diagnostics().at(0).message,
                ::testing::HasSubstr(" cannot be timed: timeout: planted; and why"));
  }
}

}  // namespace
}  // namespace warpcheck::workflows::diff
