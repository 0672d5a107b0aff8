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
  copying.counts[0].source.facts.kind = InstructionKind::copy;
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

Profile tensor_profile() {
  Profile profile = sample_profile();
  profile.counts[1].source.facts.kind = InstructionKind::tensor;
  profile.counts[1].source.instruction = "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16;";
  profile.counts[1].operations = 1024;
  profile.counts[0].source.facts.kind = InstructionKind::copy;
  profile.counts[0].source.instruction = "cp.async.bulk.tensor.2d.shared::cluster.global;";
  profile.counts[2].source.facts.kind = InstructionKind::barrier;
  profile.counts[2].source.instruction = "mbarrier.try_wait.parity.shared.b64 p, [%r1], %r2;";
  return profile;
}

TEST(Metrics, CountsTensorOperationsBulkCopiesAndWaits) {
  EXPECT_EQ(value(tensor_profile(), "tensor_instructions"), 50.0);
  EXPECT_EQ(value(tensor_profile(), "tensor_multiply_adds"), 512.0 * 1600);
  EXPECT_EQ(value(tensor_profile(), "bulk_copies"), 10.0);
  EXPECT_EQ(value(tensor_profile(), "bulk_copy_sectors"), 320.0);
  EXPECT_EQ(value(tensor_profile(), "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 0.0);
  EXPECT_EQ(value(tensor_profile(), "waits"), 10.0);
}

TEST(Metrics, PeakIsThatOfTheTensorInstructions) {
  EXPECT_EQ(h200_peak(sample_profile()).arithmetic, "FP32");
  EXPECT_EQ(h200_peak(tensor_profile()).arithmetic, "FP16 tensor");
  Profile bytes = tensor_profile();
  bytes.counts[1].source.instruction = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32;";
  EXPECT_EQ(h200_peak(bytes).arithmetic, "FP8 tensor");
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
