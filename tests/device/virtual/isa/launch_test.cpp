// Limits of launches, and independence of the number of host threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "device/virtual/virtual_device.hpp"
#include "report/finding/message.hpp"
#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Launches with 8 bytes of output, which no thread writes.
std::string launch(const Conditions& conditions, std::string_view ptx = {}) {
  return run_module(ptx.empty() ? entry("") : std::string(ptx), {}, 8, conditions).finding();
}

TEST(Launch, LimitsOfTheArchitectureAreChecked) {
  EXPECT_EQ(launch({.block = {1024, 1, 1}}), "");
  EXPECT_THAT(launch({.block = {1025, 1, 1}}), StartsWith("launch-failure"));
  EXPECT_THAT(launch({.block = {32, 33, 1}}), HasSubstr("is 1056; the architecture allows 1024"));
  EXPECT_THAT(launch({.block = {1, 1, 65}}), HasSubstr("blockDim.z is 65"));
  EXPECT_THAT(launch({.grid = {1, 65536, 1}}), HasSubstr("gridDim.y is 65536"));
  EXPECT_THAT(launch({.grid = {1, 1, 65536}}), HasSubstr("gridDim.z is 65536"));
  EXPECT_THAT(launch({.grid = {0, 1, 1}}), HasSubstr("empty"));
  EXPECT_EQ(launch({.shared_bytes = 227 << 10}), "");
  EXPECT_THAT(launch({.shared_bytes = (227 << 10) + 1}), HasSubstr("shared memory"));
}

TEST(Launch, LimitsOnlyReportsOnlyRefusals) {
  const std::string faulty = entry("ld.global.u32 %r1, [%in + 4096];");
  EXPECT_THAT(launch({}, faulty), StartsWith("out-of-bounds"));
  EXPECT_EQ(launch({.limits_only = true}, faulty), "");
  EXPECT_THAT(launch({.grid = {1, 65536, 1}, .limits_only = true}, faulty),
              StartsWith("launch-failure: invalid configuration: gridDim.y is 65536"));
}

TEST(Launch, BoundsOfTheKernelAreChecked) {
  const std::string bounded =
      module_text(".visible .entry f(.param .u64 a, .param .u64 b) .maxntid 64, 1, 1 { ret; }");
  EXPECT_EQ(launch({.block = {64, 1, 1}}, bounded), "");
  EXPECT_THAT(launch({.block = {65, 1, 1}}, bounded), HasSubstr("launch bounds allow 64"));
  const std::string exact =
      module_text(".visible .entry f(.param .u64 a, .param .u64 b) .reqntid 64, 1, 1 { ret; }");
  EXPECT_EQ(launch({.block = {64, 1, 1}}, exact), "");
  EXPECT_THAT(launch({.block = {32, 1, 1}}, exact), StartsWith("launch-failure"));
}

TEST(Launch, ArgumentsMustFitTheParameters) {
  EXPECT_THAT(launch({}, module_text(".visible .entry f(.param .u64 a) { ret; }")),
              HasSubstr("do not fit the parameters"));
  EXPECT_THAT(launch({}, module_text(".visible .entry f(.param .u64 a, .param .u32 b) { ret; }")),
              HasSubstr("do not fit the parameters"));
  EXPECT_THAT(launch({}, module_text(".visible .entry g(.param .u64 a) { ret; }")),
              HasSubstr("the module has no kernel f"));
}

TEST(Launch, SpecialRegistersIdentifyTheThread) {
  const Result result =
      run("mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %me;"
          "mad.wide.u32 %d1, %r3, 8, %out; mov.u32 %r4, %nctaid.x; mov.u32 %r5, %laneid;"
          "mad.lo.u32 %r4, %r4, 100, %r5; st.global.v2.u32 [%d1], {%r3, %r4};",
          {}, {.grid = {3, 1, 1}, .block = {40, 1, 1}});
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(2 * 85), 85U);
  EXPECT_EQ(result.at<std::uint32_t>(2 * 85 + 1), 305U);
  EXPECT_EQ(result.at<std::uint32_t>(2 * 75 + 1), 303U);
}

/// The text and findings of an outcome.
std::string summary(const Result& result) {
  std::string text = result.outcome.printed + std::to_string(result.outcome.warp_instructions);
  for (const Finding& finding : result.outcome.findings) {
    text += '\n' + report::message_text(finding) + ' ' + std::to_string(finding.source.ptx_line);
    if (finding.thread) {
      text += ' ' + std::to_string(finding.thread->block.x) + ' ' +
              std::to_string(finding.thread->thread.x);
    }
  }
  return text;
}

TEST(HostThreads, DoNotChangeTheOutcome) {
  const std::string bodies[] = {
      // Each block writes different words.
      "mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 64, %me; mad.wide.u32 %d1, %r2, 8, %out;"
      "mul.lo.u32 %r3, %r2, %r2; st.global.u32 [%d1], %r3;",
      // Findings that do not end the launch: every block stores an undefined value.
      "mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 64, %me; mad.wide.u32 %d1, %r2, 8, %out;"
      "st.global.u32 [%d1], %r9; st.global.u32 [%in], 1;",
      // Blocks 7 and later fault.
      "mov.u32 %r1, %ctaid.x; setp.ge.u32 %p1, %r1, 7; mad.wide.u32 %d1, %r1, 8, %out;"
      "@%p1 add.u64 %d1, %d1, 0x100000; st.global.u32 [%d1], %r1;",
      // Blocks that communicate.
      "mov.u32 %r1, %ctaid.x; atom.global.add.u32 %r2, [%out], 1; mad.lo.u32 %r3, %r1, 64, %me;"
      "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 2560; mad.wide.u32 %d1, %r3, 8, %out;"
      "@%p1 st.global.u32 [%d1], %r2;",
  };
  for (const std::string& body : bodies) {
    const auto with = [&](unsigned threads) {
      return run(body, {3}, {.grid = {40, 1, 1}, .block = {64, 1, 1}, .host_threads = threads});
    };
    const Result one = with(1);
    for (const unsigned threads : {2U, 4U}) {
      const Result several = with(threads);
      EXPECT_EQ(summary(several), summary(one));
      if (one.completed()) EXPECT_EQ(several.out, one.out);
    }
  }
}

/// A struct { const std::uint32_t* in; std::uint32_t index; std::uint32_t more[4]; } by value.
TEST(Launch, StructsAreParametersByValue) {
  const auto device = device::make_virtual_device({});
  const auto program = device->load(
      module_text(
          ".visible .entry f(.param .align 8 .b8 s[32], .param .u64 out)\n{\n"
          ".reg .b32 %r<4>; .reg .b64 %d<4>; ld.param.u64 %d1, [s]; ld.param.u32 %r1, [s+8];"
          "mad.wide.u32 %d1, %r1, 4, %d1; ld.global.u32 %r2, [%d1]; ld.param.u32 %r3, [s+24];"
          "add.u32 %r2, %r2, %r3; ld.param.u64 %d2, [out]; st.global.u32 [%d2], %r2; ret; }"),
      "struct.ptx");
  const auto buffer = [](std::vector<std::uint32_t> values) {
    device::Buffer made;
    made.bytes = bytes_of(values);
    made.extent = {1, made.bytes.size(), made.bytes.size()};
    return made;
  };
  device::Job job;
  job.buffers = {buffer({10, 20, 30}), buffer({0})};
  device::ByteArgument value{bytes_of<std::uint32_t>({0, 0, 2, 1, 1, 1, 5, 0}), {{0, {0, 0}}}};
  job.launches = {{"f", {1, 1, 1}, {1, 1, 1}, 0, {value, device::BufferAddress{1, 0}}}};
  const device::Outcome outcome = device->run(*program, job);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_EQ(outcome.buffers.at(1), bytes_of<std::uint32_t>({35}));
  value.bytes.pop_back();
  job.launches[0].arguments[0] = value;
  EXPECT_THAT(report::message_text(device->run(*program, job).findings.at(0)),
              HasSubstr("do not fit"));
}

// A host thread that has executed another block before must execute this one in the same order.
TEST(Launch, OrderOfWarpsDoesNotDependOnOtherBlocks) {
  const auto order_after = [](const std::string& first_block) {
    return run("mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 1; @%p1 bra second;" + first_block +
                   "ret; second: setp.ne.u32 %p2, %me, 0; mov.u64 %d2, count;"
                   "@!%p2 st.shared.u32 [%d2], 0; bar.sync 0;"
                   "atom.shared.add.u32 %r2, [%d2], 1; st.global.u32 [%own], %r2;",
               {}, {.grid = {2, 1, 1}, .block = {256, 1, 1}}, ".shared .b32 count;");
  };
  const Result one = order_after("");
  EXPECT_EQ(one.finding(), "");
  EXPECT_EQ(one.out, order_after("bar.sync 0; bar.sync 0; bar.sync 0;").out);
}

}  // namespace
}  // namespace warpcheck::isa::test
