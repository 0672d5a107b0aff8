#include "workflows/profile/metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/workflows/profile/sample_profile.hpp"

namespace warpcheck::workflows::profile {
namespace {

using device::InstructionKind;

double value(const Profile& profile, std::string_view name) {
  const std::vector<Metric> all = metrics(profile);
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  EXPECT_NE(found, all.end()) << name;
  return found == all.end() ? -1.0 : found->value;
}

TEST(Metrics, CountsSectorsPerRequest) {
  EXPECT_EQ(value(sample_profile(), "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), 10.0);
  EXPECT_EQ(value(sample_profile(), "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 320.0);
  EXPECT_EQ(value(sample_profile(),
                  "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"),
            32.0);
  EXPECT_EQ(value(sample_profile(), "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"), 0.0);
}

// As an H200 does: docs/profile.md.
TEST(Metrics, CountsReadsOfAsynchronousCopiesAsLoads) {
  Profile copying = sample_profile();
  copying.counts[0].kind = InstructionKind::copy;
  EXPECT_EQ(value(copying, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 320.0);
}

TEST(Metrics, CountsWavefrontsThatBankConflictsAdd) {
  EXPECT_EQ(value(sample_profile(), "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"), 320.0);
  EXPECT_EQ(value(sample_profile(), "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"),
            310.0);
}

TEST(Metrics, BranchEfficiencyIsTheShareOfUniformBranches) {
  // 8 and 3 executions, of which 2 were divergent.
  EXPECT_EQ(value(sample_profile(), "smsp__inst_executed_op_branch.sum"), 11.0);
  EXPECT_DOUBLE_EQ(value(sample_profile(), "smsp__sass_average_branch_targets_threads_uniform.pct"),
                   100.0 * 9.0 / 11.0);
}

TEST(Metrics, CountsFusedMultiplyAddsOfThreads) {
  EXPECT_EQ(value(sample_profile(), "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"), 1600.0);
}

TEST(Metrics, IntensityIsOperationsPerByte) {
  const Intensity found = intensity(sample_profile());
  EXPECT_DOUBLE_EQ(found.operations, 3200.0);
  EXPECT_DOUBLE_EQ(found.by_sectors, 3200.0 / (320 * 32));
  EXPECT_DOUBLE_EQ(found.by_compulsory, 4.0);
}

TEST(InstructionMix, MostFrequentKindComesFirst) {
  const std::vector<KindShare> mix = instruction_mix(sample_profile());
  ASSERT_EQ(mix.size(), 3U);
  EXPECT_EQ(mix[0].kind, InstructionKind::fp32);
  EXPECT_DOUBLE_EQ(mix[0].percent, 100.0 * 50 / 81);
  EXPECT_EQ(mix[1].kind, InstructionKind::load);
  EXPECT_EQ(mix[2].kind, InstructionKind::control);
}

}  // namespace
}  // namespace warpcheck::workflows::profile
