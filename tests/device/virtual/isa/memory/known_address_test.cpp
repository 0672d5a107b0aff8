// Accesses through an address that an earlier access of a straight run has resolved. Each program
// runs twice, as written and with a branch to the next instruction at each `|`, which ends the
// runs, so that every access resolves its own address. Both must do and find the same.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "device/virtual/machine/core/program.hpp"
#include "report/finding/message.hpp"
#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

constexpr std::string_view kTileOfWords =
    ".shared .align 16 .b8 tile[1024]; .shared .align 16 .b8 next[64];";

// %r3: the address of the lane's word of the tile; %r4: of the begin of the tile, as a register.
// All words of the tile are defined.
constexpr std::string_view kFilledTile =
    "mov.u32 %r4, tile; mov.u32 %r30, %laneid; shl.b32 %r3, %r30, 2; add.u32 %r3, %r3, %r4;\n"
    "mov.u32 %r31, 0; fill: add.u32 %r29, %r3, %r31; st.shared.u32 [%r29], %r29;\n"
    "add.u32 %r31, %r31, 128; setp.lt.u32 %p9, %r31, 1024; @%p9 bra fill; bar.sync 0;\n";
constexpr std::string_view kSumOfLoads =
    "add.u32 %r10, %r11, %r12; add.u32 %r10, %r10, %r13; add.u32 %r10, %r10, %r14;\n"
    "st.global.u32 [%own], %r10;";

struct RunOfAccesses {
  std::string name;
  std::string body;
  std::string expected;  // the begin of the first finding; "": none
  Conditions conditions = {};
};

std::ostream& operator<<(std::ostream& stream, const RunOfAccesses& program) {
  return stream << program.name;
}

constexpr std::string_view kDefinedSums =
    "mov.u32 %r11, 0; mov.u32 %r12, 0; mov.u32 %r13, 0; mov.u32 %r14, 0;";

const std::vector<RunOfAccesses> kRuns = {
    {"each_lane_its_word",
     "ld.shared.u32 %r11, [%r3];| ld.shared.u32 %r12, [%r3+128];| ld.shared.u32 %r13, [%r3+256];|"
     "ld.shared.u32 %r14, [%r3+128];",
     ""},
    {"all_lanes_one_word",
     "ld.shared.u32 %r11, [%r4];| ld.shared.u32 %r12, [%r4+4];| ld.shared.u32 %r13, [%r4+1020];",
     ""},
    {"backwards",
     "add.u32 %r5, %r3, 256;| ld.shared.u32 %r11, [%r5];| ld.shared.u32 %r12, [%r5+-4];|"
     "ld.shared.u32 %r13, [%r5+-256];",
     ""},
    {"several_widths",
     "ld.shared.u32 %r11, [%r3+64];| ld.shared.u16 %h1, [%r3+2];| ld.shared.u8 %r12, [%r3+3];|"
     "cvt.u32.u16 %r13, %h1; ld.shared.s16 %r14, [%r3];",
     ""},
    {"vectors",
     "shl.b32 %r5, %r30, 4; add.u32 %r5, %r5, %r4;| ld.shared.v4.u32 {%r11, %r12, %r13, %r14}, "
     "[%r5];| ld.shared.v2.u32 {%r11, %r15}, [%r5+8];| ld.shared.u64 %d1, [%r5+256];|"
     "cvt.u32.u64 %r12, %d1; ld.shared.v4.u32 {%r13, _, %r14, %r15}, [%r5+512];",
     ""},
    {"scattered",
     "xor.b32 %r5, %r30, 21; shl.b32 %r5, %r5, 2; add.u32 %r5, %r5, %r4;|"
     "ld.shared.u32 %r11, [%r5];| ld.shared.u32 %r12, [%r5+128];",
     ""},
    {"beyond_the_end",
     "ld.shared.u32 %r11, [%r3+892];| ld.shared.u32 %r12, [%r3+896];| ld.shared.u32 %r13, "
     "[%r3+900];",
     "out-of-bounds: 4-byte load from byte 1024 of tile"},
    {"before_the_begin", "ld.shared.u32 %r11, [%r3];| ld.shared.u32 %r12, [%r3+-4];",
     "misaligned: 4-byte load"},
    {"only_a_wide_one_ends_beyond",
     "ld.shared.u32 %r11, [%r4+1020];| ld.shared.v2.u32 {%r12, %r13}, [%r4+1020];",
     "out-of-bounds: 8-byte load from byte 1020 of tile"},
    {"another_variable", "ld.shared.u32 %r11, [%r4];| ld.shared.u32 %r12, [%r4+1280];",
     "uninitialized-read"},
    {"misaligned_distance", "ld.shared.u32 %r11, [%r4];| ld.shared.u32 %r12, [%r4+2];",
     "misaligned: 4-byte load"},
    {"misaligned_register",
     "add.u32 %r5, %r4, 2;| ld.shared.u16 %h1, [%r5];| ld.shared.u32 %r12, [%r5+4];",
     "misaligned: 4-byte load"},
    {"register_is_written",
     "ld.shared.u32 %r11, [%r3];| add.u32 %r3, %r3, 128;| ld.shared.u32 %r12, [%r3];|"
     "ld.shared.u32 %r13, [%r3+4];",
     ""},
    {"register_is_loaded",
     "mov.u32 %r5, %r3; ld.shared.u32 %r11, [%r5+128];| ld.shared.u32 %r5, [%r5];|"
     "ld.shared.u32 %r12, [%r5];| ld.shared.u32 %r13, [%r5+4];",
     ""},
    {"register_is_of_a_vector",
     "mov.u32 %r5, %r4; ld.shared.u32 %r11, [%r5+128];| ld.shared.v2.u32 {%r12, %r5}, [%r5];|"
     "ld.shared.u32 %r13, [%r5];| ld.shared.u32 %r14, [%r5+4];",
     ""},
    {"register_is_unpacked",
     "mov.u32 %r5, %r4; mov.b64 %d2, {%r3, %r4}; ld.shared.u32 %r11, [%r5];|"
     "mov.b64 {%r5, %r6}, %d2;| ld.shared.u32 %r12, [%r5];| ld.shared.u32 %r13, [%r5+4];",
     ""},
    {"register_is_shuffled",
     "mov.u32 %r5, %r3; ld.shared.u32 %r11, [%r5];| shfl.sync.bfly.b32 %r5, %r5, 7, 31, -1;|"
     "ld.shared.u32 %r12, [%r5];| ld.shared.u32 %r13, [%r5+4];",
     ""},
    {"first_access_is_guarded",
     "setp.lt.u32 %p1, %r30, 7;| @%p1 ld.shared.u32 %r11, [%r3];| ld.shared.u32 %r12, [%r3+128];|"
     "@!%p1 ld.shared.u32 %r13, [%r3+256];| ld.shared.u32 %r14, [%r3];",
     ""},
    {"first_access_is_skipped_in_a_loop",
     "mov.u32 %r20, 0; mov.u32 %r5, %r4;\n"
     "again: setp.eq.u32 %p1, %r20, 0; setp.ne.u32 %p2, %r20, 0;| @%p1 ld.shared.u32 %r11, [%r5];|"
     "ld.shared.u32 %r12, [%r5+4];| ld.shared.u32 %r14, [%r5+8];| add.u32 %r13, %r13, %r12;"
     "add.u32 %r5, %r5, 64;"
     "add.u32 %r20, %r20, 1; setp.lt.u32 %p3, %r20, 5; @%p3 bra again;",
     ""},
    {"some_lanes_left",
     "setp.lt.u32 %p1, %r30, 9; @%p1 bra done; ld.shared.u32 %r11, [%r3];|"
     "ld.shared.u32 %r12, [%r3+4];| done: ld.shared.u32 %r13, [%r3+128];| ld.shared.u32 %r14, "
     "[%r3+132];",
     ""},
    {"part_of_a_warp",
     "ld.shared.u32 %r11, [%r3];| ld.shared.u32 %r12, [%r3+4];",
     "uninitialized-read",  // the lanes that do not exist leave words undefined
     {.block = {20, 1, 1}}},
    {"stores",
     "st.shared.u32 [%r3], %r30;| st.shared.u32 [%r3+128], %r30;| st.shared.u32 [%r3+4], %r30;",
     "race"},
    {"load_behind_a_store", "st.shared.u32 [%r3], %r30;| ld.shared.u32 %r11, [%r3];", ""},
    {"load_of_another_lane_behind_a_store",
     "st.shared.u32 [%r3], %r30;| ld.shared.u32 %r11, [%r3];| ld.shared.u32 %r12, [%r3+4];",
     "race"},
    {"store_behind_loads_of_others",
     "ld.shared.u32 %r11, [%r3];| ld.shared.u32 %r12, [%r3+4];| st.shared.u32 [%r3], %r30;",
     "race"},
    {"loads_between_stores",
     "st.shared.u32 [%r3+512], %r30;| ld.shared.u32 %r11, [%r3];| ld.shared.u32 %r12, [%r3+4];|"
     "st.shared.u32 [%r3+256], %r30;| ld.shared.u32 %r13, [%r3+8];| ld.shared.u32 %r14, [%r3+256];",
     ""},
    {"warp_barrier_in_between",
     "ld.shared.u32 %r11, [%r3];| ld.shared.u32 %r12, [%r3+4];| bar.warp.sync -1;|"
     "st.shared.u32 [%r3], %r30;| bar.warp.sync -1;| ld.shared.u32 %r13, [%r3+4];|"
     "ld.shared.u32 %r14, [%r3];",
     ""},
    {"two_warps_without_a_barrier",
     "ld.shared.u32 %r11, [%r3];| ld.shared.u32 %r12, [%r3+128];| ld.shared.u32 %r13, [%r3+256];|"
     "st.shared.u32 [%r3+256], %me;",
     "race",
     {.block = {64, 1, 1}}},
    {"two_warps_with_a_barrier",
     "ld.shared.u32 %r11, [%r3];| ld.shared.u32 %r12, [%r3+128];| bar.sync 0;|"
     "ld.shared.u32 %r13, [%r3+128];| ld.shared.u32 %r14, [%r3+256];",
     "race",  // the warps fill the tile with the same values
     {.block = {64, 1, 1}}},
    {"global_memory_that_nobody_writes",
     "shl.b32 %r5, %r30, 2; cvt.u64.u32 %d2, %r5; add.u64 %d2, %d2, %in;|"
     "ld.global.u32 %r11, [%d2];| ld.global.u32 %r12, [%d2+4];| ld.global.u32 %r13, [%d2+128];",
     ""},
    {"global_memory_beyond_the_end",
     "shl.b32 %r5, %r30, 2; cvt.u64.u32 %d2, %r5; add.u64 %d2, %d2, %in;|"
     "ld.global.u32 %r11, [%d2];| ld.global.u32 %r12, [%d2+132];",
     "out-of-bounds: 4-byte load from byte 256 of in"},
    {"global_memory_that_is_written",
     "ld.global.u32 %r11, [%own];| ld.global.u32 %r12, [%own+4];| st.global.u32 [%own+4], %r30;",
     ""},
    {"asynchronous_copies",
     "mov.u64 %d2, %in; cp.async.ca.shared.global [%r3+512], [%d2], 4; cp.async.commit_group;|"
     "ld.shared.u32 %r11, [%r3];| ld.shared.u32 %r12, [%r3+4];| ld.shared.u32 %r13, [%r3+508];",
     "race"},
    {"asynchronous_copies_elsewhere",
     "mov.u64 %d2, %in; cp.async.ca.shared.global [%r3+512], [%d2], 4; cp.async.commit_group;|"
     "ld.shared.u32 %r11, [%r3];| ld.shared.u32 %r12, [%r3+4];| ld.shared.u32 %r13, [%r3+256];|"
     "cp.async.wait_all;| ld.shared.u32 %r14, [%r3+512];",
     ""},
};

class KnownAddress : public testing::TestWithParam<RunOfAccesses> {};

/// Everything that a launch found.
std::string all_findings(const Result& result) {
  std::string all;
  for (const Finding& finding : result.outcome.findings) {
    all += fmt::format("{} {} x{}\n", name(finding.kind), report::message_text(finding),
                       finding.count);
  }
  return all + result.finding();
}

Result run_joined_by(std::string_view between, const RunOfAccesses& program) {
  std::string body = fmt::format("{}{}{}|{}", kDefinedSums, kFilledTile, program.body, kSumOfLoads);
  unsigned number = 0;
  for (std::size_t at = body.find('|'); at != std::string::npos; at = body.find('|', at)) {
    body.replace(at, 1, between.empty() ? "" : fmt::format(" bra n{0}; n{0}:", number++));
  }
  std::vector<std::uint32_t> in(64);
  std::iota(in.begin(), in.end(), 1U);
  return run(body, in, program.conditions, kTileOfWords);
}

/// The number of ops that use an address that another one has resolved.
std::ptrdiff_t repeats_in(const Result& result) {
  const auto& program = dynamic_cast<const machine::Program&>(*result.program);
  const auto& ops = program.functions.front().ops;
  return std::count_if(ops.begin(), ops.end(),
                       [](const machine::Op& op) { return op.repeats_address; });
}

TEST_P(KnownAddress, DoesWhatItsOwnAddressDoes) {
  const Result joined = run_joined_by("", GetParam());
  const Result apart = run_joined_by("branches", GetParam());
  EXPECT_GT(repeats_in(joined), 0);
  EXPECT_EQ(repeats_in(apart), 0);
  EXPECT_THAT(joined.finding(), GetParam().expected.empty()
                                    ? testing::Matcher<std::string>("")
                                    : testing::StartsWith(GetParam().expected));
  EXPECT_EQ(all_findings(joined), all_findings(apart));
  EXPECT_EQ(joined.out, apart.out);
}

INSTANTIATE_TEST_SUITE_P(Programs, KnownAddress, testing::ValuesIn(kRuns),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace warpcheck::isa::test
