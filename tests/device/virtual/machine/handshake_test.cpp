// Threads that wait for one another by flags: no correct kernel is accused, and the report of each
// deadlock agrees with memory.
#include "tests/device/virtual/machine/handshake.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>

#include "report/finding/message.hpp"
#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::machine::test {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kCorrect = 360;
constexpr std::uint64_t kDeadlocking = 200;

/// Runs it in one schedule by its seed, and, since the device looks for races, in others.
isa::test::Result run(const Handshake& handshake, std::uint64_t seed) {
  const unsigned threads = handshake.blocks() * handshake.block;
  return isa::test::run_module(handshake.ptx(), {}, 4 * (kEnded + threads),
                               {.grid = {handshake.blocks(), 1, 1},
                                .block = {handshake.block, 1, 1},
                                .budget = std::uint64_t{1} << 20,
                                .seed = seed});
}

/// The failures, without the notes.
std::vector<Finding> failures_of(const isa::test::Result& result) {
  std::vector<Finding> failures = result.outcome.findings;
  std::erase_if(failures, [](const Finding& finding) { return finding.grade != Grade::failure; });
  return failures;
}

TEST(Handshake, NoCorrectKernelIsAccused) {
  for (std::uint64_t seed = 0; seed < kCorrect; ++seed) {
    const Handshake handshake = correct_handshake(seed);
    ASSERT_TRUE(end_of(handshake).stuck.empty()) << seed;
    const isa::test::Result result = run(handshake, seed);
    const std::vector<Finding> failures = failures_of(result);
    ASSERT_TRUE(failures.empty() && !result.outcome.unsupported)
        << "seed " << seed << ": " << handshake.describe() << "\n"
        << (failures.empty() ? result.finding() : report::message_text(failures.front())) << "\n"
        << handshake.ptx();
    for (unsigned thread = 0; thread < handshake.blocks() * handshake.block; ++thread) {
      ASSERT_EQ(result.at<std::uint32_t>(kEnded + thread), 1U) << "seed " << seed;
    }
    const std::vector<std::uint32_t> flags = end_of(handshake).flags;
    for (unsigned role = 0; role < flags.size() && !handshake.shared; ++role) {
      ASSERT_EQ(result.at<std::uint32_t>(role), flags[role]) << "seed " << seed;
    }
  }
}

/// Checks that the message names the flag of each role that is stuck, and each flag with the value
/// that it has.
void expect_agrees_with_memory(const std::string& message, const Handshake& handshake) {
  const End end = end_of(handshake);
  const std::string name = handshake.shared ? "flags" : "out";
  for (const End::Stuck& stuck : end.stuck) {
    const unsigned flag = stuck.wait.role;
    EXPECT_THAT(message, HasSubstr(fmt::format("4-byte element {} of {} stays {}", flag, name,
                                               end.flags[flag])))
        << "role " << stuck.role;
  }
  static const std::regex kStays("4-byte element ([0-9]+) of (flags|out) stays ([0-9]+)");
  for (std::sregex_iterator at(message.begin(), message.end(), kStays), none; at != none; ++at) {
    const auto flag = std::stoul((*at)[1]);
    EXPECT_EQ(std::stoul((*at)[3]), end.flags.at(flag));
    EXPECT_TRUE(std::any_of(end.stuck.begin(), end.stuck.end(),
                            [&](const End::Stuck& stuck) {
                              return stuck.wait.role == flag && end.flags[flag] < stuck.wait.value;
                            }))
        << "nothing waits for flag " << flag;
  }
}

TEST(Handshake, EachDeadlockIsReportedAndAgreesWithMemory) {
  for (std::uint64_t seed = 0; seed < kDeadlocking; ++seed) {
    const Handshake handshake = deadlocking_handshake(seed);
    ASSERT_FALSE(end_of(handshake).stuck.empty()) << seed;
    const std::vector<Finding> failures = failures_of(run(handshake, seed));
    ASSERT_EQ(failures.size(), 1U) << "seed " << seed << ": " << handshake.describe();
    const Finding& finding = failures.front();
    EXPECT_EQ(name(finding.kind), "deadlock") << report::message_text(finding);
    expect_agrees_with_memory(report::message_text(finding), handshake);
    if (HasFailure()) {
      FAIL() << "seed " << seed << ": " << handshake.describe() << "\n"
             << report::message_text(finding);
    }
  }
}

}  // namespace
}  // namespace warpcheck::machine::test
