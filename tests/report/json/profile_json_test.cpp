#include "report/json/profile_json.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/workflows/profile/sample_profile.hpp"

namespace warpcheck::report {
namespace {

using workflows::profile::Profile;
using workflows::profile::sample_profile;

constexpr std::size_t kKiB = 1024;

TEST(ProfileJson, WritesMetricsUnderTheirNames) {
  const auto event = nlohmann::json::parse(profile_json(sample_profile()));
  EXPECT_EQ(event["event"], "profile");
  EXPECT_EQ(event["metrics"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 320);
  EXPECT_EQ(event["lines"][0]["line"], 4);
  EXPECT_EQ(event["lines"][0]["bank_conflicts"], 310);
  EXPECT_TRUE(event["occupancy"].is_null());
  EXPECT_EQ(event["coverage"], nlohmann::json::parse(R"({
    "lines": 5, "not_executed": [{"file": "k.cu", "line": 6}], "branches": 3,
    "one_sided": [{"file": "k.cu", "line": 5, "never_taken": 1, "always_taken": 1}]})"));
}

TEST(ProfileJson, OccupancyCountsStaticAndDynamicSharedMemory) {
  Profile known = sample_profile();
  known.resources = contract::Resources{32, 24 * kKiB, 0};
  known.launch.block = {256, 1, 1};
  known.launch.shared_bytes = 24 * kKiB;
  const auto occupancy = nlohmann::json::parse(profile_json(known))["occupancy"];
  EXPECT_EQ(occupancy["active_blocks"], 3) << "49 KiB of 164 KiB each";
  EXPECT_EQ(occupancy["limiter"], "shared memory");
}

}  // namespace
}  // namespace warpcheck::report
