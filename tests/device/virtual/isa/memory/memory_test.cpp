// Bounds and alignment in every state space, violated by one byte.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "device/virtual/virtual_device.hpp"
#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const Conditions kOne{.block = {1, 1, 1}};

std::string finding(const std::string& body, const std::vector<std::uint32_t>& in = {1, 2, 3},
                    std::string_view declarations = "") {
  return run(body, in, kOne, declarations).finding();
}

TEST(Alignment, WideAccessToANarrowlyAlignedVariableIsANote) {
  const std::string body =
      "mov.u32 %r2, tile; st.shared.v4.f32 [%r2+16], {%f1, %f1, %f1, %f1};\n"
      "ld.shared.v4.f32 {%f2, %f3, %f4, %f5}, [%r2+16];";
  const Result narrow = run(body, {}, kOne, ".shared .align 4 .b8 tile[64];");
  ASSERT_EQ(narrow.outcome.findings.size(), 2U);  // the store and the load
  EXPECT_EQ(narrow.outcome.findings[0].grade, Grade::declared_alignment);
  EXPECT_EQ(narrow.finding(),
            "misaligned: 16-byte store to byte 16 of tile, which is declared with an alignment of "
            "4 bytes: its address need not be a multiple of 16");
  EXPECT_EQ(finding(body, {}, ".shared .align 16 .b8 tile[64];"), "");
  EXPECT_EQ(finding(body, {}, ".shared .v4 .f32 tile[4];"), "");
  EXPECT_EQ(
      finding("mov.u32 %r2, tile; st.shared.u32 [%r2], %r9;", {}, ".shared .align 4 .b8 tile[64];"),
      "");
}

TEST(Alignment, DynamicSharedMemoryAloneIsAligned) {
  const std::string body = "mov.u32 %r2, dynamic; st.shared.v4.f32 [%r2], {%f1, %f1, %f1, %f1};";
  Conditions conditions = kOne;
  conditions.shared_bytes = 64;
  const auto found = [&](const std::string& declarations) {
    return run(body, {}, conditions, declarations).finding();
  };
  const std::string fixed = ".shared .align 4 .b8 fixed[4];";
  EXPECT_EQ(found(".extern .shared .align 4 .b8 dynamic[];"), "");
  EXPECT_EQ(found(".extern .shared .align 16 .b8 dynamic[];" + fixed), "");
  EXPECT_THAT(found(".extern .shared .align 4 .b8 dynamic[];" + fixed),
              StartsWith("misaligned: 16-byte store to byte 0 of dynamic shared memory, which is "
                         "declared with an alignment of 4 bytes"));
}

TEST(Bounds, NamesVariablesOfOneLetter) {
  EXPECT_THAT(finding("ld.global.u32 %r1, [d+24];", {}, ".global .b32 d;"),
              HasSubstr("byte 24 of d,"));
}

TEST(Bounds, GlobalMemoryIsCheckedToTheByte) {
  EXPECT_EQ(finding("ld.global.u32 %r1, [%in+8];"), "");
  EXPECT_EQ(finding("ld.global.u32 %r1, [%in+12];"),
            "out-of-bounds: 4-byte load from byte 12 of in, which has 12 bytes");
  EXPECT_EQ(finding("ld.global.u32 %r1, [%in+-4];"),
            "out-of-bounds: 4-byte load from byte -4 of in, which has 12 bytes");
  EXPECT_EQ(finding("ld.global.u8 %r1, [%in+11];"), "");
  EXPECT_THAT(finding("ld.global.u8 %r1, [%in+12];"), StartsWith("out-of-bounds"));
  EXPECT_THAT(finding("st.global.u64 [%out+8], %d1;"), StartsWith("out-of-bounds"));
  EXPECT_THAT(finding("ld.global.v2.u32 {%r1, %r2}, [%in+8];"), StartsWith("out-of-bounds"));
  EXPECT_THAT(finding("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%in];"),
              StartsWith("out-of-bounds"));
}

TEST(Bounds, FindingNamesThreadAccessAndPlace) {
  const Result result =
      run("ld.global.u32 %r1, [%own+4]; setp.eq.u32 %p1, %me, 9;"
          "@%p1 st.global.u32 [%out+256], %me;");
  ASSERT_EQ(result.outcome.findings.size(), 1U);
  const Finding& found = result.outcome.findings.front();
  EXPECT_EQ(found.thread->thread.x, 9U);
  EXPECT_EQ(found.memory->name, "out");
  EXPECT_EQ(found.memory->offset, 256);
  EXPECT_EQ(found.memory->bytes, 4U);
  EXPECT_TRUE(found.memory->write);
  EXPECT_EQ(found.source.instruction, "@%p1 st.global.u32 [%out+256], %me");
}

TEST(Bounds, SharedVariablesAreChecked) {
  const std::string_view two = ".shared .align 4 .b8 first[8];\n.shared .align 4 .b8 second[8];";
  EXPECT_EQ(finding("st.shared.u32 [first+4], 1;", {}, two), "");
  EXPECT_THAT(finding("st.shared.u32 [first+8], 1;", {}, two),
              HasSubstr("byte 8 of first, which has 8 bytes"));
  EXPECT_THAT(finding("st.shared.u32 [second+8], 1;", {}, two), StartsWith("out-of-bounds"));
}

TEST(Bounds, DynamicSharedMemoryHasTheSizeOfTheLaunch) {
  Conditions conditions = kOne;
  conditions.shared_bytes = 16;
  const std::string_view dynamic = ".extern .shared .align 16 .b8 dynamic[];";
  EXPECT_EQ(run("st.shared.u32 [dynamic+12], 1;", {}, conditions, dynamic).finding(), "");
  EXPECT_THAT(run("st.shared.u32 [dynamic+16], 1;", {}, conditions, dynamic).finding(),
              HasSubstr("dynamic shared memory, which has 16 bytes"));
}

TEST(Bounds, LocalMemoryIsChecked) {
  const std::string array = ".local .align 4 .b8 array[8]; ";
  EXPECT_EQ(finding(array + "st.local.u32 [array+4], 1;"), "");
  EXPECT_THAT(finding(array + "st.local.u32 [array+8], 1;"), StartsWith("out-of-bounds"));
}

TEST(Bounds, GenericAddressesAreChecked) {
  EXPECT_EQ(finding("cvta.shared.u64 %d1, cell; st.u32 [%d1], 1;", {}, ".shared .b32 cell;"), "");
  EXPECT_THAT(finding("cvta.shared.u64 %d1, cell; st.u32 [%d1+4], 1;", {}, ".shared .b32 cell;"),
              StartsWith("out-of-bounds"));
  EXPECT_THAT(finding("ld.u32 %r1, [%in+12];"), StartsWith("out-of-bounds"));
  EXPECT_THAT(finding(".local .b32 cell; cvta.local.u64 %d1, cell; st.u32 [%d1+4], 1;"),
              StartsWith("out-of-bounds"));
  EXPECT_EQ(finding("mov.u64 %d1, 0; ld.u32 %r1, [%d1];"),
            "out-of-bounds: 4-byte load from global address 0x0, where nothing is allocated");
}

TEST(Bounds, ParametersAndConstantsAreChecked) {
  EXPECT_THAT(finding("ld.param.u64 %d1, [in_parameter+16];"), StartsWith("out-of-bounds"));
  EXPECT_EQ(finding("ld.const.u32 %r1, [table+4];", {}, ".const .b32 table[2] = {7, 8};"), "");
  EXPECT_THAT(finding("ld.const.u32 %r1, [table+8];", {}, ".const .b32 table[2] = {7, 8};"),
              StartsWith("out-of-bounds"));
}

TEST(Alignment, VectorMustBeAlignedToItsSize) {
  EXPECT_EQ(finding("ld.global.u32 %r1, [%in+2];"),
            "misaligned: 4-byte load from byte 2 of in: the address is 2 bytes past a 4-byte "
            "boundary");
  EXPECT_THAT(finding("ld.global.u16 %r1, [%in+1];"), StartsWith("misaligned"));
  EXPECT_THAT(finding("ld.global.u64 %d1, [%in+4];"), StartsWith("misaligned"));
  EXPECT_THAT(finding("ld.global.v2.u32 {%r1, %r2}, [%in+4];"), StartsWith("misaligned"));
  EXPECT_THAT(finding("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%in+8];", {1, 2, 3, 4, 5, 6, 7}),
              StartsWith("misaligned"));
  EXPECT_THAT(finding("st.shared.u32 [cell+1], 1;", {}, ".shared .b64 cell;"),
              StartsWith("misaligned"));
  EXPECT_THAT(finding(".local .b64 cell; st.local.u32 [cell+2], 1;"), StartsWith("misaligned"));
}

TEST(Access, NarrowLoadsExtendAndVectorsKeepOrder) {
  const Result result =
      run("ld.global.s8 %r1, [%in+3]; ld.global.u8 %r2, [%in+3]; ld.global.s16 %r3, [%in+2];"
          "ld.global.v2.u16 {%h1, %h2}, [%in]; cvt.u32.u16 %r4, %h2;"
          "setp.eq.u32 %p1, %me, 0; @%p1 st.global.v4.u32 [%out], {%r1, %r2, %r3, %r4};",
          {0x80fe1234}, {.block = {2, 1, 1}});
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 0xffffff80U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 0x80U);
  EXPECT_EQ(result.at<std::uint32_t>(2), 0xffff80feU);
  EXPECT_EQ(result.at<std::uint32_t>(3), 0x80feU);
}

TEST(Access, ThreadsHaveSeparateLocalMemory) {
  const Result result =
      run(".local .align 4 .b8 array[16]; and.b32 %r2, %me, 3; mov.u32 %r3, array;"
          "mad.lo.u32 %r3, %r2, 4, %r3; st.local.u32 [%r3], %me; ld.local.u32 %r1, [%r3];"
          "st.global.u32 [%own], %r1;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(13), 13U);
}

TEST(Access, StoreToAnInputIsAFinding) {
  EXPECT_EQ(finding("st.global.u32 [%in+4], 1;"),
            "input-modified: store to byte 4 of in, an input");
}

TEST(Access, VariablesStartWithTheirInitialisers) {
  const Result result =
      run("ld.global.u32 %r1, [values+4]; ld.const.u32 %r2, [table]; ld.global.u32 %r3, [zeros];"
          "st.global.v2.u32 [%own], {%r1, %r2}; ",
          {}, kOne,
          ".global .b32 values[2] = {5, 6};\n.const .b32 table[1] = {9};\n.global .b32 zeros;");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 6U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 9U);
}

/// Rows of two words in one allocation, by default 4 GiB apart.
device::Outcome far_rows(std::string_view body, std::size_t count = 3,
                         std::size_t pitch = std::size_t{1} << 32) {
  const auto device = device::make_virtual_device({});
  const auto program =
      device->load(module_text(fmt::format(".visible .entry f(.param .u64 a) {{ .reg .b64 %d<4>;"
                                           ".reg .b32 %r<4>; ld.param.u64 %d1, [a]; {} ret; }}",
                                           body)),
                   "far.ptx");
  device::Job job;
  device::Buffer rows;
  rows.name = "A";
  rows.extent = {count, 8, pitch};
  rows.packed = true;
  std::vector<std::uint32_t> words(2 * count);
  std::iota(words.begin(), words.end(), 1U);
  rows.bytes = bytes_of(words);
  job.buffers = {rows};
  job.launches = {{"f", {1, 1, 1}, {1, 1, 1}, 0, {device::BufferAddress{0, 0}}}};
  return device->run(*program, job);
}

TEST(Access, RowsMayBeGigabytesApart) {
  const device::Outcome outcome = far_rows(
      "add.u64 %d2, %d1, 8589934592; ld.global.u32 %r1, [%d2+4]; add.u32 %r1, %r1, 100;"
      "st.global.u32 [%d2], %r1;");
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_EQ(outcome.buffers.at(0), bytes_of(std::vector<std::uint32_t>{1, 2, 3, 4, 106, 6}));
}

TEST(Access, LargestBufferEndsWithItsLastRow) {
  constexpr std::size_t kPitch = device::kMostBufferBytes - 8;
  const auto store = [](std::size_t offset) {
    return fmt::format("add.u64 %d2, %d1, {}; mov.u32 %r1, 7; st.global.u32 [%d2], %r1;", offset);
  };
  const device::Outcome last = far_rows(store(kPitch + 4), 2, kPitch);
  EXPECT_TRUE(last.findings.empty());
  EXPECT_EQ(last.buffers.at(0), bytes_of(std::vector<std::uint32_t>{1, 2, 3, 7}));
  const device::Outcome past = far_rows(store(kPitch + 8), 2, kPitch);
  ASSERT_EQ(past.findings.size(), 1U);
  EXPECT_EQ(past.findings[0].kind, FindingClass::out_of_bounds);
  EXPECT_EQ(past.findings[0].memory->name, "A");
  EXPECT_THROW((void)far_rows("", 2, kPitch + 1), std::length_error);
}

TEST(Access, StoreBetweenDistantRowsIsOutOfBounds) {
  const device::Outcome outcome =
      far_rows("add.u64 %d2, %d1, 4294967296; mov.u32 %r1, 7; st.global.u32 [%d2+8], %r1;");
  ASSERT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(outcome.findings[0].kind, FindingClass::guard_overwritten);
}

TEST(Memory, Accesses128BitsAtOnce) {
  const Result whole = run_module(
      entry(".reg .b128 %q<3>; ld.global.nc.b128 %q1, [%in]; st.global.b128 [%out], %q1;"
            ".shared .align 16 .b8 s[16]; st.shared.b128 [s], %q1; ld.shared.b128 %q2, [s];"
            "mov.b128 {%d1, %d2}, %q2; st.global.u64 [%out+16], %d2;"),
      bytes_of<std::uint32_t>({1, 2, 3, 4}), 24, kOne);
  EXPECT_EQ(whole.finding(), "");
  EXPECT_EQ(whole.at<std::uint64_t>(0), 0x2'0000'0001U);
  EXPECT_EQ(whole.at<std::uint64_t>(1), 0x4'0000'0003U);
  EXPECT_EQ(whole.at<std::uint64_t>(2), 0x4'0000'0003U);
}

TEST(Memory, AccessOf128BitsIsAligned) {
  EXPECT_THAT(finding(".reg .b128 %q; ld.global.b128 %q, [%in+8];", {1, 2, 3, 4, 5, 6}),
              StartsWith("misaligned: 16-byte load"));
}

TEST(Memory, MemoryMappedAccessIsRelaxed) {
  EXPECT_EQ(finding("ld.mmio.relaxed.sys.global.u32 %r1, [%in];"
                    "st.mmio.relaxed.sys.global.u32 [%out], %r1;"),
            "");
  EXPECT_THAT(finding("ld.mmio.sys.global.u32 %r1, [%in];"), HasSubstr(".mmio requires .relaxed"));
}

TEST(Memory, GlobalVariableOfAFunctionExistsOnce) {
  const Result result =
      run(".global .u32 counter = 40; .const .u32 step[2] = {1, 2};"
          "ld.const.u32 %r2, [step+4]; atom.global.add.u32 %r1, [counter], %r2;"
          "mov.u64 %d1, counter; bar.sync 0; ld.global.u32 %r3, [%d1];"
          "st.global.u32 [%own], %r3;",
          {}, {.grid = {1, 1, 1}, .block = {4, 1, 1}});
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(0), 48U);
}

TEST(Memory, GlobalVariableOfAFunctionHasBounds) {
  EXPECT_EQ(finding(".global .u32 counter; st.global.u32 [counter+4], 1;"),
            "out-of-bounds: 4-byte store to byte 4 of counter, which has 4 bytes");
}

TEST(Memory, SystemsSharedMemoryIsZeroAndBounded) {
  const Result result =
      run("mov.u32 %r1, %reserved_smem_offset_1; mov.u32 %r2, %reserved_smem_offset_end;"
          "sub.u32 %r3, %r2, %r1; setp.ge.u32 %p1, %r3, 288; ld.shared.u32 %r4, [%r1];"
          "selp.u32 %r5, 1, 0, %p1; st.global.v2.u32 [%own], {%r4, %r5};",
          {}, kOne);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 0U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 1U);
  EXPECT_THAT(finding("mov.u32 %r2, %reserved_smem_offset_end; st.shared.u32 [%r2], 1;"),
              StartsWith("out-of-bounds"));
}

}  // namespace
}  // namespace warpcheck::isa::test
