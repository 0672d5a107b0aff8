#include "report/failure_block.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "tests/report/events.hpp"

namespace warpcheck::report {
namespace {

std::string verbose_block(const campaign::FindingReport& report) {
  return failure_block(report, "again", Paint(false), {100, true});
}

TEST(FailureBlock, ShowsClassPlaceAndReplayCommand) {
  EXPECT_EQ(failure_block(
                misaligned_load(),
                "warpcheck replay 'sgemm_float4 m=2 n=1 k=5 alpha=1 beta=0 data=lattice seed=42'",
                Paint(false)),
            R"(error[misaligned]: load of 16 bytes at byte 20 of A, expected a multiple of 16
  --> kernels/sgemm_float4.cu:12
      10 |   for (int i = 0; i < k; i += 4) {
      11 |
  >   12 |     float4 v = *reinterpret_cast<const float4*>(a + row * lda + i);
      13 |     sum += v.x * b[i * ldb + column];
      14 |   }
  case       sgemm_float4 m=2 n=1 k=5 alpha=1 beta=0 data=lattice seed=42
  device     virtual
  thread     (1, 0, 0) of block (0, 0, 0)
  element    A[1, 0] to A[1, 3]
  replay     warpcheck replay 'sgemm_float4 m=2 n=1 k=5 alpha=1 beta=0 data=lattice seed=42'
)");
}

TEST(FailureBlock, VerboseShowsInstructionPropertyAndOriginalCase) {
  const std::string block = verbose_block(misaligned_load());
  for (const char* line :
       {"  executing  ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4]\n",
        "  property   matches-reference: D is alpha A B + beta C, within the bound that rounding "
        "allows\n",
        "  confirmed  3 of 3 runs; shrunk in 57 launches from sgemm_float4 m=65 n=33 k=17 alpha=1 "
        "beta=0 data=lattice seed=42\n"}) {
    EXPECT_THAT(block, testing::HasSubstr(line));
    EXPECT_THAT(failure_block(misaligned_load(), "again", Paint(false)),
                testing::Not(testing::HasSubstr(line)));
  }
}

TEST(FailureBlock, ACaseThatIsNotFullyShrunkIsMarked) {
  campaign::FindingReport report = misaligned_load();
  const std::string note = "\nnote: not fully shrunk: the search for a smaller case took too long";
  EXPECT_THAT(failure_block(report, "again", Paint(false)), testing::Not(testing::HasSubstr(note)));
  report.fully_shrunk = false;
  EXPECT_THAT(failure_block(report, "again", Paint(false)), testing::HasSubstr(note));
}

TEST(FailureBlock, ShowsDiagnosisOfAWrongResultAndFlakiness) {
  EXPECT_EQ(failure_block(wrong_result(), "again", Paint(false)),
            R"(error[wrong-result]: 3 of 4 elements differ from the reference
note: the last term of k is missing
  worst      element   got  expected  |difference|  bound  ratio
             D[1, 1]   nan       2.5             -  exact      -
             D[1, 0]   1.5     -2.25          3.75  exact      -
             D[0, 1]  0.25       0.5          0.25  exact      -
  case       sgemm_tail m=2 n=2 k=3 alpha=1 beta=0 data=lattice seed=0
  device     cuda
  printed    tile 0
             ?[2J
  property   matches-reference: D is alpha A B + beta C, within the bound that rounding allows
  confirmed  2 of 3 runs, so it is flaky
  replay     again
)");
}

/// A result with `count` wrong elements, the worst first.
campaign::FindingReport wrong_elements(std::int64_t count) {
  campaign::FindingReport report = wrong_result();
  report.mismatch->wrong = count;
  report.mismatch->worst.clear();
  for (std::int64_t i = 0; i < std::min<std::int64_t>(count, 8); ++i) {
    report.mismatch->worst.push_back({0, i, 3.0, 2.0, 0.5, fmt::format("y[0, {}]", i)});
  }
  return report;
}

TEST(FailureBlock, TheMessageAloneDescribesASingleWrongElement) {
  EXPECT_THAT(failure_block(wrong_elements(1), "again", Paint(false)),
              testing::Not(testing::HasSubstr("  worst ")));
  EXPECT_THAT(verbose_block(wrong_elements(1)),
              testing::HasSubstr("  worst      element  got  expected  |difference|  bound  ratio\n"
                                 "             y[0, 0]    3         2             1    0.5      2\n"
                                 "  case "));
}

TEST(FailureBlock, ShowsFiveOfTheWorstElementsAndVerboseEight) {
  const std::string block = failure_block(wrong_elements(100), "again", Paint(false));
  EXPECT_THAT(block, testing::HasSubstr("\n             y[0, 4]"));
  EXPECT_THAT(block, testing::Not(testing::HasSubstr("y[0, 5]")));
  EXPECT_THAT(verbose_block(wrong_elements(100)), testing::HasSubstr("y[0, 7]"));
}

TEST(FailureBlock, NumbersOfTheTableHaveEnoughDigits) {
  campaign::FindingReport report = wrong_elements(2);
  report.mismatch->worst = {{0, 0, 1.0 + 0x1p-52, 1.0, 0x1p-53, "y[0, 0]"},
                            {0, 1, HUGE_VAL, 0.1, 1e-9, "y[0, 1]"}};
  EXPECT_THAT(failure_block(report, "again", Paint(false)),
              testing::HasSubstr(
                  "y[0, 0]  1.0000000000000002         1      2.22e-16  1.11e-16      2\n"
                  "             y[0, 1]                 inf       0.1             -     1e-09"
                  "      -\n"));
}

TEST(FailureBlock, WrapsSentencesButNoCommand) {
  campaign::FindingReport report = misaligned_load();
  const std::string block =
      failure_block(report, "again and again and again and again and again", Paint(false), {40});
  EXPECT_THAT(block, testing::StartsWith("error[misaligned]: load of 16 bytes at\n"
                                         "  byte 20 of A, expected a multiple of\n"
                                         "  16\n"));
  EXPECT_THAT(block, testing::HasSubstr("  again and again and again and again and again\n"));
}

/// A race in a loop without a barrier at its end.
campaign::FindingReport race_of_iterations() {
  campaign::FindingReport report = misaligned_load();
  report.finding.kind = FindingClass::race;
  report.finding.message =
      "thread (1, 0, 0) writes 4-byte element 0 of tile, which thread (2, 0, 0) read at line 15: "
      "no barrier between line 15 and line 12 of the next iteration";
  report.finding.source.instruction = "st.shared.f32 [%r1], %f1";
  report.finding.source.column = 5;
  report.finding.memory = MemoryPlace{"tile", 0, 4, true};
  report.finding.other =
      OtherAccess{{report.finding.source.file, 15, "ld.shared.f32 %f2, [%r2]", 99},
                  {{0, 0, 0}, {2, 0, 0}},
                  false};
  report.finding.missing = MissingOrder{MissingOrder::Kind::barrier, false, true};
  report.other_excerpt = {report.finding.source.file, 15, 14, {"", "  sum += tile[x];", "}"}};
  return report;
}

TEST(FailureBlock, ShowsBothPlacesOfARaceAndTheMissingBarrier) {
  EXPECT_EQ(
      failure_block(race_of_iterations(), "again", Paint(false)),
      R"(error[race]: thread (1, 0, 0) writes 4-byte element 0 of tile, which thread (2, 0, 0) read at line
  15: no barrier between line 15 and line 12 of the next iteration
  --> kernels/sgemm_float4.cu:12:5
      10 |   for (int i = 0; i < k; i += 4) {
      11 |
  >   12 |     float4 v = *reinterpret_cast<const float4*>(a + row * lda + i);
         |     ^ thread (1, 0, 0) of block (0, 0, 0) writes here
      13 |     sum += v.x * b[i * ldb + column];
      14 |   }
note: thread (2, 0, 0) of block (0, 0, 0) reads first
  --> kernels/sgemm_float4.cu:15
  >   15 |   sum += tile[x];
help: a barrier is missing between line 15 and line 12 of the next iteration: __syncthreads(), or
  __syncwarp() if only one warp uses tile
  case       sgemm_float4 m=2 n=1 k=5 alpha=1 beta=0 data=lattice seed=42
  device     virtual
  element    A[1, 0] to A[1, 3]
  replay     again
)");
}

TEST(FailureBlock, NamesTheOtherRacesThatTheBarrierOrders) {
  campaign::FindingReport report = race_of_iterations();
  Finding other = report.finding;
  other.memory->name = "second_tile";
  other.source.line = 13;
  report.finding.same_cause.push_back(other);
  EXPECT_THAT(failure_block(report, "again", Paint(false)),
              testing::HasSubstr("note: the same barrier is missing for second_tile, between line "
                                 "15 and line 13 of the next iteration\n"));
}

TEST(FailureBlock, ListsCallsThatLeadToTheLine) {
  campaign::FindingReport report = misaligned_load();
  report.finding.source.calls = {{"tile.cuh", 30}, {"kernel.cu", 9}};
  EXPECT_THAT(failure_block(report, "again", Paint(false)),
              testing::HasSubstr("  called     from tile.cuh:30, kernel.cu:9\n  case "));
  report.finding.source.calls = {{"a.cuh", 1}, {"b.cuh", 2}, {"c.cuh", 3}, {"kernel.cu", 9}};
  EXPECT_THAT(failure_block(report, "again", Paint(false)),
              testing::HasSubstr("  called     from a.cuh:1 ... kernel.cu:9\n"));
}

TEST(FailureBlock, NanHasNoSign) {
  campaign::FindingReport finding = wrong_result();
  finding.mismatch->worst.front().got = -std::nan("");
  EXPECT_THAT(verbose_block(finding), testing::HasSubstr(" D[1, 1]   nan       2.5 "));
}

TEST(FailureBlock, PutsCaretBelowColumnAfterTabsAndUtf8) {
  campaign::FindingReport report = misaligned_load();
  report.finding.source.column = 16;
  EXPECT_THAT(
      failure_block(report, "again", Paint(false)),
      testing::HasSubstr("  >   12 |     float4 v = *reinterpret_cast<const float4*>(a + row "
                         "* lda + i);\n"
                         "         |                ^ thread (1, 0, 0) of block (0, 0, 0)\n"
                         "      13 |"));
  report.excerpt.lines[2] = "\t\xc3\xa9 = x;";
  report.finding.source.column = 6;
  EXPECT_THAT(failure_block(report, "again", Paint(false)),
              testing::HasSubstr("\n         | \t   ^ thread "));
  report.finding.source.column = 99;
  EXPECT_THAT(failure_block(report, "again", Paint(false)), testing::Not(testing::HasSubstr("^")));
}

/// A finding with every field, and more lines than fit.
campaign::FindingReport long_finding(FindingClass kind) {
  campaign::FindingReport report = misaligned_load();
  report.finding.kind = kind;
  report.finding.source.column = 5;
  report.finding.source.calls = {{"a.cuh", 1}, {"b.cuh", 2}, {"c.cuh", 3}, {"kernel.cu", 9}};
  report.finding.other = OtherAccess{report.finding.source, {}, true};
  report.mismatch = wrong_result().mismatch;
  report.regression = "regressions/mine.cases:4";
  std::string many_lines;
  for (int i = 0; i < 100; ++i) many_lines += "on and on\n";
  report.finding.message = report.diagnosis.text = report.printed = many_lines;
  return report;
}

TEST(FailureBlock, HasAtMost25LinesForEveryClass) {
  for (int kind = 0; kind <= static_cast<int>(kLastFindingClass); ++kind) {
    const std::string block =
        failure_block(long_finding(static_cast<FindingClass>(kind)), "again", Paint(false));
    EXPECT_LE(std::count(block.begin(), block.end(), '\n'), 25) << block;
    for (const char* field : {"on and on", "  case  ", "  >   12 |", "  |     ^ thread ",
                              "note: thread ", "note: on", "  printed    on", "  regression "}) {
      EXPECT_THAT(block, testing::HasSubstr(field));
    }
    EXPECT_THAT(block, testing::EndsWith("  replay     again\n"));
  }
}

TEST(FailureBlock, CountsOmittedLinesOfALongMessage) {
  campaign::FindingReport report = misaligned_load();
  report.finding.message.clear();
  for (int i = 0; i < 100; ++i) report.finding.message += "on and on\n";
  EXPECT_THAT(failure_block(report, "again", Paint(false)),
              testing::HasSubstr("... and 97 more lines\n"));
}

TEST(FailureBlock, IsColouredOnlyOnRequest) {
  EXPECT_THAT(failure_block(misaligned_load(), "again", Paint(false)),
              testing::Not(testing::HasSubstr("\033")));
  EXPECT_THAT(failure_block(misaligned_load(), "again", Paint(true)),
              testing::HasSubstr("\033[31merror[misaligned]\033[0m"));
}

}  // namespace
}  // namespace warpcheck::report
