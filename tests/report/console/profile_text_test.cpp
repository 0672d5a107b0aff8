#include "report/console/profile_text.hpp"

#include <gmock/gmock.h>

#include "tests/workflows/profile/sample_profile.hpp"

namespace warpcheck::report {
namespace {

using testing::HasSubstr;
using testing::Not;
using workflows::profile::Profile;
using workflows::profile::sample_profile;

TEST(ProfileText, PrintsSourceNextToCounts) {
  const std::string shown = profile_text(sample_profile(), 2);
  EXPECT_THAT(shown, HasSubstr("310 (32-way)            four"));
  EXPECT_THAT(shown, HasSubstr("32.0                           two"));
  EXPECT_THAT(shown, Not(HasSubstr("three"))) << "at most two lines are printed";
  EXPECT_THAT(shown, HasSubstr("  Coverage of 1 case\n"
                               "    4 of 5 lines (80.0 %), 4 of 8 branches (50.0 %)\n"
                               "    never executed: k.cu:6\n"
                               "    one direction only: k.cu:5-6\n"));
}

TEST(ProfileText, PrintsWhyOccupancyIsNotKnown) {
  Profile unknown = sample_profile();
  unknown.no_resources = "no ptxas here";
  EXPECT_THAT(profile_text(unknown, 0), HasSubstr("not known: no ptxas here\n"));
  unknown.architecture = "sm_35";
  EXPECT_THAT(profile_text(unknown, 0),
              HasSubstr("not known: the limits of sm_35 are not known\n"));
}

TEST(ProfileText, RooflineComparesWithTheRidge) {
  // 67 / 4.8 = 13.96 FLOP a byte; 4 x 4.8 = 19.2 and 0.3125 x 4.8 = 1.5 TFLOP/s.
  EXPECT_THAT(profile_text(sample_profile(), 0),
              HasSubstr("ridge at 14.0 FLOP/byte): bound by memory at 19.2 TFLOP/s if each matrix "
                        "moves once, bound by memory at 1.5 TFLOP/s if no sector is cached\n"));
}

}  // namespace
}  // namespace warpcheck::report
