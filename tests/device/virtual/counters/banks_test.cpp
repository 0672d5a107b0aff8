// Sectors and wavefronts of access patterns, counted by hand from the rules of the CUDA C++
// Programming Guide: 32-byte sectors; 32 banks of 4 bytes, which serve a word to all lanes.
#include "device/virtual/counters/banks.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace warpcheck::counters {
namespace {

using machine::kAllLanes;
using machine::kLanes;
using machine::Mask;

LaneAddresses addresses(const std::function<unsigned(unsigned)>& lane_address) {
  LaneAddresses result{};
  for (unsigned lane = 0; lane < kLanes; ++lane) result[lane] = lane_address(lane);
  return result;
}

TEST(Sectors, NeighbouringFloatsFillFourSectors) {
  EXPECT_EQ(sectors(addresses([](unsigned lane) { return 4 * lane; }), kAllLanes), 4U);
}

TEST(Sectors, NeighbouringFloatsOffABoundaryTakeFive) {
  EXPECT_EQ(sectors(addresses([](unsigned lane) { return 4 + 4 * lane; }), kAllLanes), 5U);
}

TEST(Sectors, ABroadcastTakesOneSector) {
  EXPECT_EQ(sectors(addresses([](unsigned) { return 100U; }), kAllLanes), 1U);
}

TEST(Sectors, RowsOf128BytesTakeOneEach) {
  EXPECT_EQ(sectors(addresses([](unsigned lane) { return 128 * lane; }), kAllLanes), 32U);
}

TEST(Sectors, NeighbouringFloat4sTakeSixteen) {
  EXPECT_EQ(sectors(addresses([](unsigned lane) { return 16 * lane; }), kAllLanes), 16U);
}

TEST(Sectors, ASectorThatIsAccessedTwiceCountsOnce) {
  EXPECT_EQ(sectors(addresses([](unsigned lane) { return lane % 2 * 1024; }), kAllLanes), 2U);
}

TEST(Sectors, InactiveLanesAccessNoSector) {
  EXPECT_EQ(sectors(addresses([](unsigned lane) { return 128 * lane; }), Mask{0b1010}), 2U);
}

struct Pattern {
  const char* name;
  unsigned bytes;
  std::function<unsigned(unsigned)> address;
  unsigned wavefronts;
  unsigned ideal;
};

class Banks : public testing::TestWithParam<Pattern> {};

TEST_P(Banks, NeedOneWavefrontPerWordOfTheBusiest) {
  const Pattern& pattern = GetParam();
  const Wavefronts served = wavefronts(addresses(pattern.address), kAllLanes, pattern.bytes, true);
  EXPECT_EQ(served.total, pattern.wavefronts);
  EXPECT_EQ(served.ideal, pattern.ideal);
}

INSTANTIATE_TEST_SUITE_P(
    Patterns, Banks,
    testing::Values(
        Pattern{"words_in_a_row", 4, [](unsigned lane) { return 4 * lane; }, 1, 1},
        Pattern{"words_in_a_row_across_a_line", 4, [](unsigned lane) { return 64 + 4 * lane; }, 1,
                1},
        Pattern{"one_word", 4, [](unsigned) { return 12U; }, 1, 1},
        Pattern{"two_words_of_one_bank", 4, [](unsigned lane) { return lane % 2 * 128; }, 2, 1},
        Pattern{"every_second_word", 4, [](unsigned lane) { return 8 * lane; }, 2, 1},
        Pattern{"every_third_word", 4, [](unsigned lane) { return 12 * lane; }, 1, 1},
        Pattern{"a_column_of_32", 4, [](unsigned lane) { return 128 * lane; }, 32, 1},
        Pattern{"a_column_of_33", 4, [](unsigned lane) { return 132 * lane; }, 1, 1},
        Pattern{"two_rows_of_16", 4, [](unsigned lane) { return lane / 16 * 64; }, 1, 1},
        Pattern{"bytes_of_one_word", 1, [](unsigned lane) { return lane % 4; }, 1, 1},
        Pattern{"halves_in_a_row", 2, [](unsigned lane) { return 2 * lane; }, 1, 1},
        Pattern{"double_words_in_a_row", 8, [](unsigned lane) { return 8 * lane; }, 2, 2},
        Pattern{"every_second_double_word", 8, [](unsigned lane) { return 16 * lane; }, 4, 2},
        Pattern{"quads_in_a_row", 16, [](unsigned lane) { return 16 * lane; }, 4, 4},
        Pattern{"every_second_quad", 16, [](unsigned lane) { return 32 * lane; }, 8, 4},
        Pattern{"a_column_of_quads", 16, [](unsigned lane) { return 128 * lane; }, 32, 4}),
    [](const auto& pattern) { return std::string(pattern.param.name); });

TEST(Wavefronts, PartsWithoutActiveLanesTakeNone) {
  const LaneAddresses quads = addresses([](unsigned lane) { return 16 * lane; });
  EXPECT_EQ(wavefronts(quads, Mask{0xff}, 16, true).total, 1U);
  EXPECT_EQ(wavefronts(quads, Mask{0xff}, 16, true).ideal, 1U);
}

TEST(Wavefronts, HalfWarpsWithEqualPairsTakeOne) {
  const auto shared_by = [](unsigned lanes) {
    return addresses([lanes](unsigned lane) { return lane / lanes * 8; });
  };
  for (const unsigned lanes : {2U, 4U, 8U, 16U, 32U}) {
    EXPECT_EQ(wavefronts(shared_by(lanes), kAllLanes, 8, true).total, 1U) << lanes;
    EXPECT_EQ(wavefronts(shared_by(lanes), kAllLanes, 8, true).ideal, 1U) << lanes;
    EXPECT_EQ(wavefronts(shared_by(lanes), kAllLanes, 8, false).total, 2U) << "stores do not join";
  }
  const LaneAddresses alternating = addresses([](unsigned lane) { return lane % 2 * 8; });
  EXPECT_EQ(wavefronts(alternating, kAllLanes, 8, true).total, 1U) << "lanes l and l ^ 2 agree";
  const LaneAddresses halves_alike = addresses([](unsigned lane) { return lane % 16 * 8; });
  EXPECT_EQ(wavefronts(halves_alike, kAllLanes, 8, true).total, 2U) << "only l and l ^ 16 agree";
}

TEST(Wavefronts, QuarterWarpsWithEqualPairsTakeTwo) {
  const LaneAddresses pairs = addresses([](unsigned lane) { return lane / 2 * 16; });
  EXPECT_EQ(wavefronts(pairs, kAllLanes, 16, true).total, 2U);
  EXPECT_EQ(wavefronts(pairs, kAllLanes, 16, false).total, 4U);
  const LaneAddresses one = addresses([](unsigned) { return 32U; });
  EXPECT_EQ(wavefronts(one, kAllLanes, 16, true).total, 2U);
}

TEST(Wavefronts, PartsWithABankConflictAreNotJoined) {
  // Pairs of lanes, 16 places 32 bytes apart: 8 places of a half-warp in 256 bytes, 2 words a bank.
  const LaneAddresses pairs = addresses([](unsigned lane) { return lane / 2 * 32; });
  EXPECT_EQ(wavefronts(pairs, kAllLanes, 8, true).total, 4U);
  EXPECT_EQ(wavefronts(pairs, kAllLanes, 8, true).ideal, 2U);
}

}  // namespace
}  // namespace warpcheck::counters
