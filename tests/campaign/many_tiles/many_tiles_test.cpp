// Defects that need several tiles along m, n or k: a campaign of 100 cases finds each on every
// seed.
//
// WARPCHECK_SEEDS=20 build/tests/test_many_tiles runs 20 seeds instead of 3. Each test prints, and
// records in the XML of GoogleTest, the largest number of cases that a seed needed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/run_case.hpp"
#include "contract/compile/nvcc.hpp"
#include "contract/compile/variant.hpp"
#include "device/virtual/virtual_device.hpp"

namespace warpcheck::campaign {
namespace {

constexpr std::int64_t kCases = 100;
constexpr std::int64_t kCasesOfRightKernel = 40;

/// A variant of a `.cu` in kernels/.
struct ManyTilesKernel {
  const char* file;
  const char* variant;
};

std::ostream& operator<<(std::ostream& out, const ManyTilesKernel& kernel) {
  return out << kernel.file << ": " << kernel.variant;
}

const std::vector<ManyTilesKernel> kWrong = {
    {"blocks", "swapped_from_256"},
    {"blocks", "second_tile_both_ways"},
    {"blocks", "corner_of_odd_grid"},
    {"blocks", "more_columns_than_rows"},
    {"blocks", "more_rows_than_columns"},
    {"blocks", "swizzle_beyond_2048"},
    {"blocks", "rows_beyond_4096"},
    {"blocks", "exactly_1024_columns"},
    {"blocks", "terms_beyond_4096"},
    {"blocks", "grid_width_multiple_of_4"},
    {"blocks", "more_than_sixteen_blocks"},
    {"blocks", "diagonal_with_two_steps"},
    {"steps", "last_of_odd_dropped_steps"},
    {"steps", "last_of_even_dropped_steps"},
    {"steps", "exactly_three_steps"},
    {"steps", "exactly_five_steps"},
    {"steps", "multiple_of_four_steps"},
    {"steps", "six_or_more_steps"},
    {"steps", "beyond_512_terms_steps"},
    {"steps", "odd_in_second_column_steps"},
    {"steps", "more_than_block_columns_steps"},
    {"steps", "last_of_prime_steps"},
    {"pipeline", "main_loop_deleted"},
    {"pipeline", "buffer_after_wrap_of_4"},
    {"pipeline", "no_barrier_before_reuse"},
    {"pipeline", "last_buffer_hard_coded"},
    {"pipeline", "exactly_five_stages"},
    {"pipeline", "beyond_eight_stages"},
    {"pipeline", "second_wrap_of_3"},
    {"edges", "columns_beyond_3000"},
    {"edges", "rows_beyond_3333"},
    {"edges", "exactly_1000_terms"},
    {"edges", "columns_from_4096"},
};

const std::vector<ManyTilesKernel> kRight = {{"blocks", "right_blocks"},
                                             {"steps", "right_steps"},
                                             {"pipeline", "right_pipeline"},
                                             {"edges", "right_edges"}};

contract::Variant variant_of(const ManyTilesKernel& kernel) {
  const std::string file = std::string(WARPCHECK_SOURCE_DIR) +
                           "/tests/campaign/many_tiles/kernels/" + kernel.file + ".cu";
  for (contract::Variant& variant : contract::variants_at(file)) {
    if (variant.contract.name == kernel.variant) return std::move(variant);
  }
  throw request_error(std::string("no variant ") + kernel.variant);
}

std::uint64_t seeds() {
  const char* const given = std::getenv("WARPCHECK_SEEDS");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
}

class ManyTiles : public ::testing::TestWithParam<ManyTilesKernel> {
 protected:
  void SetUp() override {
    try {
      (void)contract::find_nvcc();
    } catch (const EnvironmentError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  /// Returns the number of the first of `cases` cases that fails; `cases` if none does.
  [[nodiscard]] static std::int64_t first_failure(const contract::Variant& variant,
                                                  std::uint64_t seed, std::int64_t cases) {
    const auto device = device::make_virtual_device();
    const auto program = device->load(variant.compiled->ptx, variant.compiled->ptx_file);
    const run::Context context{variant, *device, *program};
    const PropertyRotation rotation({}, variant.contract);
    const generate::CaseGenerator generator(
        variant, {.seed = seed, .int32_overflow_strides = device->is_sparse()});
    for (std::int64_t i = 0; i < cases; ++i) {
      const CaseResult result = run_case(context, rotation.laws(i), generator.draw(i));
      if (!result.failures.empty()) return i;
    }
    return cases;
  }
};

class WrongManyTiles : public ManyTiles {};
class RightManyTiles : public ManyTiles {};

TEST_P(WrongManyTiles, IsFoundWithin100CasesOnEachSeed) {
  const contract::Variant variant = variant_of(GetParam());
  std::int64_t most = 0;
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    const std::int64_t found = first_failure(variant, seed, kCases);
    EXPECT_LT(found, kCases) << "not found with seed " << seed;
    most = std::max(most, found + 1);
  }
  RecordProperty("most_cases", std::to_string(most));
  std::cout << GetParam() << ": found within " << most << " cases on " << seeds() << " seeds\n";
}

TEST_P(RightManyTiles, HasNoFinding) {
  EXPECT_EQ(first_failure(variant_of(GetParam()), 0, kCasesOfRightKernel), kCasesOfRightKernel);
}

std::string kernel_name(const ::testing::TestParamInfo<ManyTilesKernel>& info) {
  return info.param.variant;
}

INSTANTIATE_TEST_SUITE_P(Kernels, WrongManyTiles, ::testing::ValuesIn(kWrong), kernel_name);
INSTANTIATE_TEST_SUITE_P(Kernels, RightManyTiles, ::testing::ValuesIn(kRight), kernel_name);

}  // namespace
}  // namespace warpcheck::campaign
