// Modules and launches of a session.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "base/diagnostic.hpp"
#include "tests/device/virtual/session/fixture.hpp"

namespace warpcheck::device::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SessionModules : public SessionTest {};

TEST_F(SessionModules, VariablesOfModulesAreApart) {
  const auto text = [](unsigned value) {
    return ".visible .global .u32 x = " + std::to_string(value) + ";\n" +
           entry("bump",
                 "ld.global.u32 %r1, [x]; add.u32 %r1, %r1, 1; st.global.u32 [x], %r1;"
                 "st.global.u32 [%own], %r1;");
  };
  const ModuleId one = load(text(10));
  const std::uint64_t out = allocate(4, "out");
  const ModuleId other = load(text(20));
  EXPECT_THAT(launch(one, "bump", 1, out).findings, IsEmpty());
  EXPECT_THAT(launch(one, "bump", 1, out).findings, IsEmpty());
  EXPECT_THAT(read(out, 1), ElementsAre(12));
  EXPECT_THAT(launch(other, "bump", 1, out).findings, IsEmpty());
  EXPECT_THAT(read(out, 1), ElementsAre(21));
  EXPECT_THAT(read(session->variable(one, "x")->address, 1), ElementsAre(12));
  EXPECT_THAT(read(session->variable(other, "x")->address, 1), ElementsAre(21));
  EXPECT_FALSE(session->variable(one, "y"));
}

TEST_F(SessionModules, PointersToVariablesPointIntoTheirModule) {
  static_cast<void>(load(".visible .global .u32 first[3] = {1, 2, 3};\n"));
  static_cast<void>(allocate(16, "between"));
  const ModuleId module = load(
      ".visible .global .u32 table[3] = {4, 5, 6};\n.visible .global .u64 pointer_to = table+4;\n" +
      entry(
          "follow",
          "ld.global.u64 %d1, [pointer_to]; ld.global.u32 %r1, [%d1]; st.global.u32 [%own], %r1;"));
  const std::uint64_t out = allocate(4, "out");
  EXPECT_THAT(launch(module, "follow", 1, out).findings, IsEmpty());
  EXPECT_THAT(read(out, 1), ElementsAre(5));
}

TEST_F(SessionModules, HostWritesConstantMemory) {
  const ModuleId module =
      load(".visible .const .u32 factor[2];\n" +
           entry("scale", "ld.const.u32 %r1, [factor+4]; st.global.u32 [%own], %r1;"));
  const auto factor = session->variable(module, "factor");
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->bytes, 8U);
  const Words values = {3, 9};
  EXPECT_FALSE(session->write(factor->address, std::as_bytes(std::span(values))));
  const std::uint64_t out = allocate(4, "out");
  EXPECT_THAT(launch(module, "scale", 1, out).findings, IsEmpty());
  EXPECT_THAT(read(out, 1), ElementsAre(9));
}

TEST_F(SessionModules, ManagedVariableIsMemoryOfTheHost) {
  const ModuleId module = load(
      ".global .u32 before = 3;\n.visible .global .attribute(.managed) .u32 calls[2] = {7};\n"
      ".visible .global .u64 pointer_to = calls;\n" +
      entry("call", "ld.global.u64 %d1, [pointer_to]; atom.global.add.u32 %r1, [%d1], 1;"));
  const auto calls = session->variable(module, "calls");
  ASSERT_TRUE(calls);
  auto* const host = reinterpret_cast<volatile std::uint32_t*>(calls->address);
  EXPECT_EQ(*host, 7U);
  *host = *host + 10;
  EXPECT_THAT(launch(module, "call", 2, allocate(4, "out")).findings, IsEmpty());
  EXPECT_EQ(*host, 19U);
  EXPECT_EQ(session->containing(calls->address)->kind, MemoryKind::host_visible);
  EXPECT_EQ(session->containing(calls->address)->name, "calls");
}

TEST_F(SessionModules, PointersStoredInMemoryAreFollowed) {
  const ModuleId module =
      load(entry("link", "st.global.u64 [%p], %p;") +
           entry("follow", "ld.global.u64 %d1, [%p]; st.global.u32 [%d1+8], 5;"));
  const std::uint64_t node = allocate(16, "node");
  EXPECT_THAT(launch(module, "link", 1, node).findings, IsEmpty());
  EXPECT_THAT(launch(module, "follow", 1, node).findings, IsEmpty());
  EXPECT_THAT(read(node + 8, 1), ElementsAre(5));
}

TEST_F(SessionModules, LargeStructsArePassedByValue) {
  constexpr std::size_t kBytes = 32'000;
  const ModuleId module = load(
      ".visible .entry last(.param .u64 out, .param .align 8 .b8 s[32000])\n{\n"
      "  .reg .b64 %p; .reg .b32 %r;\n  ld.param.u64 %p, [out]; ld.param.u32 %r, [s+31996];\n"
      "  st.global.u32 [%p], %r; ret;\n}\n");
  const auto info = session->kernel(module, "last");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->parameter_bytes, kBytes + 8);
  EXPECT_EQ(info->parameters.at(1).offset, 8U);
  EXPECT_EQ(info->parameters.at(1).bytes, kBytes);
  std::array<std::uint32_t, kBytes / 4> values{};
  values.back() = 77;
  const std::uint64_t out = allocate(4, "out");
  EXPECT_THAT(launch(module, "last", 1, out, values).findings, IsEmpty());
  EXPECT_THAT(read(out, 1), ElementsAre(77));
}

TEST_F(SessionModules, LaunchesThatCannotBeginAreFindings) {
  const ModuleId module = load(entry("f", "") + entry("g", ""));
  const LaunchResult missing = launch(module, "h", 1, std::uint64_t{0});
  EXPECT_FALSE(missing.completed);
  EXPECT_THAT(texts(missing.findings), ElementsAre(HasSubstr("no kernel h")));
  EXPECT_THAT(texts(launch(module, "f", 1).findings), ElementsAre(HasSubstr("f, which takes 8")));
  EXPECT_THAT(texts(launch(module, "g", 2000, std::uint64_t{0}).findings),
              ElementsAre(HasSubstr("2000")));
  EXPECT_TRUE(launch(module, "g", 32, std::uint64_t{0}).completed);
}

TEST_F(SessionModules, InvalidTextIsAnInputError) {
  EXPECT_THROW(static_cast<void>(load("nonsense")), InputError);
  EXPECT_TRUE(launch(load(entry("f", "")), "f", 1, std::uint64_t{0}).completed);
}

TEST_F(SessionModules, DeviceHeapOutlivesALaunch) {
  const std::string heap =
      ".extern .func (.param .b64 r) malloc(.param .b64 size);\n"
      ".extern .func free(.param .b64 block);\n";
  const ModuleId module =
      load(heap +
           entry("make",
                 "{ .param .b64 s; .param .b64 r; st.param.b64 [s], 4; call.uni (r), malloc, (s);"
                 "  ld.param.b64 %d1, [r]; } st.u32 [%d1], 6; st.global.u64 [%p], %d1;") +
           entry("use", "ld.global.u64 %d1, [%p]; ld.u32 %r1, [%d1]; st.global.u32 [%p+8], %r1;") +
           entry("drop",
                 "ld.global.u64 %d1, [%p]; { .param .b64 b; st.param.b64 [b], %d1;"
                 "  call.uni free, (b); }"));
  const std::uint64_t list = allocate(16, "list");
  EXPECT_THAT(launch(module, "make", 1, list).findings, IsEmpty());
  EXPECT_THAT(launch(module, "use", 1, list).findings, IsEmpty());
  EXPECT_THAT(read(list + 8, 1), ElementsAre(6));
  EXPECT_THAT(launch(module, "drop", 1, list).findings, IsEmpty());
  EXPECT_THAT(
      texts(launch(module, "use", 1, list).findings),
      ElementsAre("use-after-free: 4-byte load from byte 0 of heap block 1, which was freed "
                  "before"));
}

TEST_F(SessionModules, LimitOfTheHeapIsThatOfOneLaunch) {
  session = make_virtual_session({.limits = {.memory_bytes = std::uint64_t{1} << 20}});
  const ModuleId module = load(
      ".extern .func (.param .b64 r) malloc(.param .b64 size);\n"
      ".extern .func free(.param .b64 block);\n" +
      entry("churn",
            "{ .param .b64 s; .param .b64 r; st.param.b64 [s], 16; call.uni (r), malloc, (s);"
            " ld.param.b64 %d1, [r]; }\n"
            "{ .param .b64 b; st.param.b64 [b], %d1; call.uni free, (b); }"));
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(launch(module, "churn", 64, std::uint64_t{0}).completed);
  }
  const LaunchResult large = launch(module, "churn", 512, std::uint64_t{0});
  EXPECT_FALSE(large.completed);
  EXPECT_TRUE(large.unsupported);
}

TEST_F(SessionModules, CooperativeLaunchesTakeNoMemoryEach) {
  const ModuleId module = load(
      entry("count", "mov.u64 %d1, %envreg1; mov.u64 %d1, %p; atom.global.add.u32 %r1, [%d1], 1;"));
  const std::uint64_t a = allocate(Words{0}, "a");
  for (unsigned i = 0; i < 3; ++i) static_cast<void>(launch(module, "count", 1, a));
  const std::uint64_t b = allocate(4, "b");
  EXPECT_EQ(session->live().size(), 2U);
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace warpcheck::device::test
