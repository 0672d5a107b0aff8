// Loads and stores with equal, contiguous or scattered addresses in groups of eight lanes: each
// lane accesses its own bytes and their definedness, whichever path the machine takes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

constexpr unsigned kLanes = 32;
constexpr unsigned kRounds = 20;

std::uint32_t random_word(std::mt19937& random) { return static_cast<std::uint32_t>(random()); }

/// Offsets in units of one access: groups of eight lanes with equal offsets, contiguous ones,
/// contiguous ones except for one lane, or random ones below `places`.
std::array<std::uint32_t, kLanes> places_of_lanes(std::mt19937& random, std::uint32_t places) {
  std::array<std::uint32_t, kLanes> lanes{};
  const unsigned kind_of_all = random_word(random) % 5;
  for (unsigned first = 0; first < kLanes; first += 8) {
    const unsigned kind = kind_of_all < 4 ? kind_of_all : random_word(random) % 4;
    const std::uint32_t begin = random_word(random) % (places - 8);
    for (unsigned i = 0; i < 8; ++i) {
      if (kind == 0) lanes[first + i] = begin;
      if (kind == 1 || kind == 2) lanes[first + i] = begin + i;
      if (kind == 3) lanes[first + i] = random_word(random) % places;
    }
    if (kind == 2) lanes[first + random_word(random) % 8] = begin;
  }
  return lanes;
}

struct Load {
  const char* text;       // loads from address %d9 to %d1
  std::uint32_t bytes;    // bytes of the access
  std::uint32_t element;  // offset of the value in the access
  std::uint32_t width;    // bytes of the value in memory
  bool is_signed;         // extension to 64 bits
};

constexpr std::array kLoads = {
    Load{"ld.global.u8 %d1, [%d9];", 1, 0, 1, false},
    Load{"ld.global.s8 %d1, [%d9];", 1, 0, 1, true},
    Load{"ld.global.u16 %d1, [%d9];", 2, 0, 2, false},
    Load{"ld.global.s16 %r1, [%d9]; cvt.s64.s32 %d1, %r1;", 2, 0, 2, true},
    Load{"ld.global.u32 %r1, [%d9]; cvt.u64.u32 %d1, %r1;", 4, 0, 4, false},
    Load{"ld.global.s32 %d1, [%d9];", 4, 0, 4, true},
    Load{"ld.global.u32 {%r1}, [%d9]; cvt.u64.u32 %d1, %r1;", 4, 0, 4, false},
    Load{"ld.global.u64 %d1, [%d9];", 8, 0, 8, false},
    Load{"ld.global.v2.u16 {%h1, %h2}, [%d9]; cvt.u64.u16 %d1, %h2;", 4, 2, 2, false},
    Load{"ld.global.v2.u64 {%d2, %d1}, [%d9];", 16, 8, 8, false},
    Load{"ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d9]; cvt.u64.u32 %d1, %r3;", 16, 8, 4, false},
};

std::uint64_t expected_of(const Load& load, const std::byte* from) {
  std::uint64_t value = 0;
  std::memcpy(&value, from + load.element, load.width);
  const unsigned unused = 64 - 8 * load.width;
  const std::uint64_t top = value << unused;
  return load.is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(top) >> unused)
                        : value;
}

TEST(AccessPattern, EachLaneLoadsItsBytesInAnyPattern) {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  constexpr std::uint32_t kTable = 256;  // the table follows an offset and a guard per lane
  for (const Load& load : kLoads) {
    for (unsigned round = 0; round < kRounds; ++round) {
      const std::uint32_t places = 64;
      const auto lanes = places_of_lanes(random, places);
      const std::uint32_t active = round % 2 == 0 ? ~0U : random_word(random);
      std::vector<std::uint32_t> in;
      for (const std::uint32_t place : lanes) in.push_back(place * load.bytes);
      for (unsigned lane = 0; lane < kLanes; ++lane) in.push_back(active >> lane & 1);
      for (unsigned i = 0; i < places * load.bytes / 4 + 1; ++i) in.push_back(random_word(random));
      const Result result = run(
          fmt::format("mul.wide.u32 %d8, %me, 4; add.u64 %d8, %in, %d8; ld.global.u32 %r8, [%d8];"
                      "ld.global.u32 %r9, [%d8+128]; setp.ne.u32 %p1, %r9, 0; mov.u64 %d1, 77;"
                      "cvt.u64.u32 %d9, %r8; add.u64 %d9, %d9, %in; add.u64 %d9, %d9, {};"
                      "@!%p1 mov.u64 %d9, 1; {{ @%p1 bra LOAD; bra DONE; LOAD: {} DONE: "
                      "st.global.u64 [%own], %d1; }}",
                      kTable, load.text),
          in);
      ASSERT_EQ(result.finding(), "") << load.text << " seed " << seed;
      const std::vector<std::byte> bytes = bytes_of(in);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const std::uint64_t expected =
            (active >> lane & 1) == 0
                ? 77
                : expected_of(load, bytes.data() + kTable + lanes[lane] * load.bytes);
        ASSERT_EQ(result.at<std::uint64_t>(lane), expected)
            << load.text << " lane " << lane << " round " << round << " seed " << seed;
      }
    }
  }
}

TEST(AccessPattern, EachLaneStoresItsBytesInAnyPattern) {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  for (const unsigned bytes : {1U, 2U, 4U, 8U}) {
    for (unsigned round = 0; round < kRounds; ++round) {
      // Groups of eight contiguous lanes at different offsets; in odd rounds two lanes are swapped.
      std::array<std::uint32_t, 4> eights = {0, 1, 2, 3};
      std::shuffle(eights.begin(), eights.end(), random);
      std::array<std::uint32_t, kLanes> lanes{};
      for (unsigned lane = 0; lane < kLanes; ++lane) lanes[lane] = 8 * eights[lane / 8] + lane % 8;
      if (round % 2 != 0)
        std::swap(lanes[random_word(random) % kLanes], lanes[random_word(random) % kLanes]);
      std::vector<std::uint32_t> in;
      for (const std::uint32_t place : lanes) in.push_back(place * bytes);
      const Result result =
          run(fmt::format("mul.wide.u32 %d8, %me, 4; add.u64 %d8, %in, %d8; ld.global.u32 %r8, "
                          "[%d8]; mov.u32 %r1, table; add.u32 %r2, %r1, %r8; mul.lo.u32 %r3, %me, "
                          "{0}; add.u32 %r3, %r1, %r3; cvt.u64.u32 %d1, %me; add.u64 %d1, %d1, 1;"
                          "st.shared.u{1} [%r2], %d1; bar.warp.sync -1; ld.shared.u{1} %d2, [%r3];"
                          "st.global.u64 [%own], %d2;",
                          bytes, 8 * bytes),
              in, {}, ".shared .align 8 .b8 table[256];");
      ASSERT_EQ(result.finding(), "") << "seed " << seed;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        ASSERT_EQ(result.at<std::uint64_t>(lanes[lane]), lane + 1)
            << bytes << " bytes, lane " << lane << " seed " << seed;
      }
    }
  }
}

/// All lanes but number `but` store to their word of shared memory; what all then load from
/// `place` goes to the output, for lanes where `setp.<guard>` of the lane's number and `but` holds.
std::string finding_where_one_word_is_undefined(unsigned but, std::string_view place,
                                                std::string_view guard) {
  return run(fmt::format("mul.lo.u32 %r1, %me, 4; mov.u32 %r2, table; add.u32 %r1, %r1, %r2;"
                         "setp.ne.u32 %p1, %me, {0}; @%p1 st.shared.u32 [%r1], %me;"
                         "bar.warp.sync -1; {1} ld.shared.u32 %r4, [%r3];"
                         "setp.{2}.u32 %p2, %me, {0}; @%p2 st.global.u32 [%own], %r4;",
                         but, place, guard),
             {}, {}, ".shared .align 4 .b8 table[128];")
      .finding();
}

TEST(AccessPattern, ContiguousLoadOfAnUndefinedWordAffectsOneLane) {
  const std::string own = "mov.u32 %r3, %r1;";
  for (const unsigned but : {0U, 5U, 8U, 31U}) {
    EXPECT_EQ(finding_where_one_word_is_undefined(but, own, "ne"), "");
    EXPECT_EQ(
        finding_where_one_word_is_undefined(but, own, "eq"),
        fmt::format("uninitialized-read: an undefined value is stored to byte {} of out", 8 * but));
  }
}

TEST(AccessPattern, EqualLoadOfAnUndefinedWordAffectsAllLanes) {
  const std::string first = "and.b32 %r3, %me, 24; mul.lo.u32 %r3, %r3, 4; add.u32 %r3, %r3, %r2;";
  EXPECT_EQ(finding_where_one_word_is_undefined(8, first, "lt"), "");
  EXPECT_EQ(finding_where_one_word_is_undefined(8, first, "gt"),
            "uninitialized-read: an undefined value is stored to byte 72 of out");
  EXPECT_EQ(finding_where_one_word_is_undefined(9, first, "ne"), "");
}

TEST(AccessPattern, OneLaneBeyondTheEndIsReported) {
  std::vector<std::uint32_t> in(64, 1);
  for (const unsigned lane : {0U, 7U, 8U, 31U}) {
    const Result result =
        run(fmt::format("mul.wide.u32 %d1, %me, 4; setp.eq.u32 %p1, %me, {}; @%p1 mov.u64 %d1, 256;"
                        "add.u64 %d1, %d1, %in; ld.global.u32 %r1, [%d1];",
                        lane),
            in);
    EXPECT_EQ(result.finding(),
              "out-of-bounds: 4-byte load from byte 256 of in, which has 256 bytes");
    ASSERT_EQ(result.outcome.findings.size(), 1U);
    EXPECT_EQ(result.outcome.findings.front().thread->thread.x, lane);
  }
}

TEST(AccessPattern, AddressesMayDifferOnlyAbove32Bits) {
  const Result result =
      run("mov.u64 %d1, %in; setp.eq.u32 %p1, %me, 3; @%p1 add.u64 %d1, %d1, 0x100000000;"
          "ld.global.u32 %r1, [%d1];",
          {1, 2, 3});
  EXPECT_EQ(result.finding(),
            "out-of-bounds: 4-byte load from byte 4294967296 of in, which has 12 bytes");
}

}  // namespace
}  // namespace warpcheck::isa::test
