#include "report/finding/message.hpp"

#include <gtest/gtest.h>

namespace warpcheck::report {
namespace {

TEST(Message, NamesTheOptionThatChangesTheResult) {
  Finding finding;
  finding.message = "the launch was still running after 10 warp instructions, its budget";
  EXPECT_EQ(message_text(finding), finding.message);
  finding.option = UserOption::instructions;
  EXPECT_EQ(message_text(finding), finding.message + "; `--limit instructions=N` changes it");
  finding.message = "nothing orders these volatile accesses";
  finding.option = UserOption::weak_volatile;
  EXPECT_EQ(message_text(finding),
            "nothing orders these volatile accesses; `--volatile weak` reports races of volatile "
            "accesses");
}

TEST(Message, NamesTheLimitThatAnUnsupportedLaunchNeeds) {
  device::Unsupported what{"200 blocks", "a launch has at most 100 blocks", "", {}};
  EXPECT_EQ(reason_text(what), what.reason);
  what.option = UserOption::blocks;
  EXPECT_EQ(reason_text(what), what.reason + "; `--limit blocks=N` raises it");
  what.option = UserOption::memory;
  EXPECT_EQ(reason_text(what), what.reason + "; `--limit memory=N` raises the limit of a launch");
}

}  // namespace
}  // namespace warpcheck::report
