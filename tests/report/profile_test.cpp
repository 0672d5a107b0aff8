#include "report/profile.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace warpcheck::report {
namespace {

using device::InstructionCounts;
using device::InstructionKind;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kKiB = 1024;

InstructionCounts instruction(unsigned line, std::string text, InstructionKind kind,
                              std::uint64_t warps) {
  InstructionCounts counts;
  counts.source = {"k.cu", line, std::move(text), 100 + line};
  counts.kind = kind;
  counts.warps = warps;
  counts.threads = 32 * warps;
  counts.predicated_on = 32 * warps;
  return counts;
}

InstructionCounts branch(unsigned line, std::uint64_t taken, std::uint64_t not_taken,
                         std::uint64_t divergent) {
  InstructionCounts counts =
      instruction(line, "@%p1 bra L1;", InstructionKind::control, taken + not_taken - divergent);
  counts.conditional = true;
  counts.taken = taken;
  counts.not_taken = not_taken;
  counts.divergent = divergent;
  return counts;
}

/// Line 2 loads 10 columns of a matrix, line 3 multiplies, line 4 reads a tile in whose column 32
/// lanes meet, line 6 is never reached.
Profile profile() {
  Profile result;
  result.variant = "k";
  result.source_file = "k.cu";
  result.source = "one\n  two\nthree\nfour\nfive\nsix\n";
  result.architecture = "sm_80";
  properties::Case line;
  line.variant = "k";
  result.cases = {line};
  InstructionCounts load =
      instruction(2, "@!%p3 ld.global.f32 %f1, [%rd1];", InstructionKind::load, 10);
  load.global_requests = 10;
  load.global_sectors = 320;
  load.global_ideal = 40;
  InstructionCounts fma =
      instruction(3, "fma.rn.f32 %f1, %f2, %f3, %f1;", InstructionKind::fp32, 50);
  fma.operations = 2;
  InstructionCounts tile = instruction(4, "ld.shared.f32 %f1, [%r1];", InstructionKind::load, 10);
  tile.shared_requests = 10;
  tile.shared_wavefronts = 320;
  tile.shared_ideal = 10;
  result.counts = {load,
                   fma,
                   tile,
                   branch(5, 4, 6, 2),
                   branch(5, 0, 3, 0),
                   instruction(6, "add.f32 %f1, %f1, %f1;", InstructionKind::fp32, 0)};
  result.coverage = {{{"k.cu",
                       {{2, 10, {}},
                        {3, 50, {}},
                        {4, 10, {}},
                        {5, 8, {{3, 0, 4, 6}, {9, 0, 0, 3}, {15, 0, 3, 0}}},
                        {6, 0, {{3, 0, 0, 0}}}},
                       {}}}};
  result.compulsory_bytes = 800;
  return result;
}

double value(const Profile& of, std::string_view name) {
  const std::vector<Metric> all = metrics(of);
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  EXPECT_NE(found, all.end()) << name;
  return found == all.end() ? -1.0 : found->value;
}

TEST(Profile, SpeaksOfSectorsPerRequestAsNsightComputeDoes) {
  EXPECT_EQ(value(profile(), "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), 10.0);
  EXPECT_EQ(value(profile(), "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 320.0);
  EXPECT_EQ(
      value(profile(), "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"),
      32.0);
  EXPECT_EQ(value(profile(), "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"), 0.0);
}

// As an H200 does: docs/profile.md.
TEST(Profile, CountsWhatAsynchronousCopiesReadAmongTheLoads) {
  Profile copying = profile();
  copying.counts[0].kind = InstructionKind::copy;
  EXPECT_EQ(value(copying, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 320.0);
}

TEST(Profile, CountsWavefrontsThatConflictsAdd) {
  EXPECT_EQ(value(profile(), "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"), 320.0);
  EXPECT_EQ(value(profile(), "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"), 310.0);
}

TEST(Profile, BranchEfficiencyIsTheShareOfUniformBranches) {
  // 8 and 3 executions, of which 2 were divergent.
  EXPECT_EQ(value(profile(), "smsp__inst_executed_op_branch.sum"), 11.0);
  EXPECT_DOUBLE_EQ(value(profile(), "smsp__sass_average_branch_targets_threads_uniform.pct"),
                   100.0 * 9.0 / 11.0);
}

TEST(Profile, CountsFusedMultiplyAddsOfThreads) {
  EXPECT_EQ(value(profile(), "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"), 1600.0);
}

TEST(Profile, IntensityIsOperationsForEachByte) {
  const Intensity found = intensity(profile());
  EXPECT_DOUBLE_EQ(found.operations, 3200.0);
  EXPECT_DOUBLE_EQ(found.by_sectors, 3200.0 / (320 * 32));
  EXPECT_DOUBLE_EQ(found.by_compulsory, 4.0);
}

TEST(Profile, ListsTheLineThatWastesMostFirst) {
  const std::vector<LineCounts> lines = by_line(profile());
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0].line, 4U);
  EXPECT_EQ(lines[0].excess(), 310U);
  EXPECT_EQ(lines[0].ways, 32U);
  EXPECT_EQ(lines[1].line, 2U);
  EXPECT_EQ(lines[1].excess(), 280U);
  EXPECT_EQ(lines[2].line, 3U) << "no excess, but most instructions";
}

TEST(Profile, BroadcastsAreNoExcess) {
  Profile broadcast = profile();
  broadcast.counts[0].global_sectors = 10;
  EXPECT_EQ(by_line(broadcast)[1].global_excess, 0U);
}

TEST(Profile, TextShowsTheSourceBesideItsNumbers) {
  const std::string shown = text(profile(), 2);
  EXPECT_THAT(shown, HasSubstr("310 (32-way)            four"));
  EXPECT_THAT(shown, HasSubstr("32.0                           two"));
  EXPECT_THAT(shown, Not(HasSubstr("three"))) << "two lines were asked for";
  EXPECT_THAT(shown, HasSubstr("  Coverage of 1 case\n"
                               "    4 of 5 lines (80.0 %), 4 of 8 branches (50.0 %)\n"
                               "    never executed: k.cu:6\n"
                               "    one way only: k.cu:5-6\n"));
}

TEST(Profile, TextSaysWhyOccupancyIsNotKnown) {
  Profile unknown = profile();
  unknown.no_resources = "no ptxas here";
  EXPECT_THAT(text(unknown, 0), HasSubstr("not known: no ptxas here\n"));
  unknown.architecture = "sm_35";
  EXPECT_THAT(text(unknown, 0), HasSubstr("not known: the limits of sm_35 are not known\n"));
}

TEST(Profile, RooflineComparesWithTheRidge) {
  // 67 / 4.8 = 13.96 FLOP a byte; 4 x 4.8 = 19.2 and 0.3125 x 4.8 = 1.5 TFLOP/s.
  EXPECT_THAT(text(profile(), 0),
              HasSubstr("ridge at 14.0 FLOP/byte): bound by memory at 19.2 TFLOP/s if each matrix "
                        "moves once, bound by memory at 1.5 TFLOP/s if no sector is cached\n"));
}

TEST(Profile, JsonCarriesMetricsUnderTheirNames) {
  const auto event = nlohmann::json::parse(json(profile()));
  EXPECT_EQ(event["event"], "profile");
  EXPECT_EQ(event["metrics"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 320);
  EXPECT_EQ(event["lines"][0]["line"], 4);
  EXPECT_EQ(event["lines"][0]["bank_conflicts"], 310);
  EXPECT_TRUE(event["occupancy"].is_null());
  EXPECT_EQ(event["coverage"], nlohmann::json::parse(R"({
    "lines": 5, "not_executed": [{"file": "k.cu", "line": 6}], "branches": 3,
    "one_sided": [{"file": "k.cu", "line": 5, "never_taken": 1, "always_taken": 1}]})"));
}

TEST(Profile, OccupancyCountsStaticAndDynamicSharedMemory) {
  Profile known = profile();
  known.resources = contract::Resources{32, 24 * kKiB, 0};
  known.launch.block = {256, 1, 1};
  known.launch.shared_bytes = 24 * kKiB;
  const auto occupancy = nlohmann::json::parse(json(known))["occupancy"];
  EXPECT_EQ(occupancy["active_blocks"], 3) << "49 KiB of 164 KiB each";
  EXPECT_EQ(occupancy["limiter"], "shared memory");
}

}  // namespace
}  // namespace warpcheck::report
