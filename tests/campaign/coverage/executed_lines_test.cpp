// The lines that cases must execute, on hand-written programs of a few blocks.
#include "campaign/coverage/executed_lines.hpp"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "campaign/coverage/line_marks.hpp"

namespace warpcheck::campaign::coverage {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A kernel whose instruction number i is `instructions[i]`: its line and its text.
class Code : public device::Program {
 public:
  explicit Code(std::vector<std::pair<unsigned, std::string>> instructions)
      : instructions_(std::move(instructions)) {}

  [[nodiscard]] SourcePlace place(std::uint32_t number) const override {
    const auto& [line, text] = instructions_.at(number);
    return {"/mine/kernel.cu", line, text, number};
  }
  [[nodiscard]] std::vector<device::ProgramFunction> functions_by_number() const override {
    return {{"kernel", 0, static_cast<std::uint32_t>(instructions_.size()), true}};
  }

 private:
  std::vector<std::pair<unsigned, std::string>> instructions_;
};

/// Three blocks of two instructions, of which the first branches to the second or the third.
device::Coverage coverage_of(std::uint64_t second, std::uint64_t third) {
  device::Coverage coverage;
  coverage.blocks = {{0, 2, 8}, {2, 2, second}, {4, 2, third}};
  coverage.edges = {{device::kEntry, 0, 8, 0}, {1, 2, second, 0}, {1, 4, third, 0}};
  return coverage;
}

std::vector<unsigned> unexecuted(const Code& code, const device::Coverage& coverage,
                                 const std::string& source = "") {
  contract::Variant variant;
  variant.compiled = std::make_shared<contract::Compiled>(
      contract::Compiled{"/mine/kernel.cu", source, "kernel.ptx", ""});
  ExecutedLinesReader reader(variant, code);
  std::vector<unsigned> lines;
  for (const SourceLine& line : reader.read(coverage).unexecuted) lines.push_back(line.line);
  return lines;
}

Code code_with_second_block(std::pair<unsigned, std::string> one,
                            std::pair<unsigned, std::string> other) {
  return Code({{3, "setp.lt.s32 %p1, %r1, %r2;"},
               {3, "@%p1 bra $L__BB0_2;"},
               std::move(one),
               std::move(other),
               {9, "st.global.f32 [%rd1], %f1;"},
               {9, "ret;"}});
}

TEST(ExecutedLines, ReportsALineThatNoCaseExecuted) {
  const Code code = code_with_second_block({5, "mul.f32 %f1, %f1, %f2;"}, {6, "bra $L__BB0_2;"});
  EXPECT_THAT(unexecuted(code, coverage_of(0, 8)), ElementsAre(5U, 6U));
  EXPECT_THAT(unexecuted(code, coverage_of(1, 8)), IsEmpty());
}

TEST(ExecutedLines, OmitsLinesThatOnlyLeadToATrap) {
  const Code trap = code_with_second_block({5, "add.s32 %r3, %r1, 1;"}, {6, "trap;"});
  EXPECT_THAT(unexecuted(trap, coverage_of(0, 8)), IsEmpty());
  const Code failed = code_with_second_block({5, "add.s32 %r3, %r1, 1;"},
                                             {5, "call.uni __assertfail, (param0, param1);"});
  EXPECT_THAT(unexecuted(failed, coverage_of(0, 8)), IsEmpty());
  const Code before = Code({{3, "setp.lt.s32 %p1, %r1, %r2;"},
                            {3, "@%p1 bra $L__BB0_2;"},
                            {5, "add.s32 %r3, %r1, 1;"},
                            {5, "bra.uni $L__BB0_3;"},
                            {9, "st.global.f32 [%rd1], %f1;"},
                            {9, "ret;"},
                            {6, "st.shared.f32 [%rd2], %f1;"},
                            {7, "trap;"}});
  device::Coverage coverage = coverage_of(0, 8);
  coverage.blocks.push_back({6, 2, 0});
  coverage.edges.push_back({3, 6, 0, 0});
  EXPECT_THAT(unexecuted(before, coverage), IsEmpty()) << "two blocks lead to the trap";
  coverage.edges.push_back({3, 4, 0, 0});
  EXPECT_THAT(unexecuted(before, coverage), ElementsAre(5U)) << "another way leads on";
}

TEST(ExecutedLines, OmitsAGuardedTrapButNotAGuardedStore) {
  const Code trap = code_with_second_block({5, "@%p2 trap;"}, {4, "bra $L__BB0_2;"});
  device::Coverage coverage = coverage_of(4, 8);
  coverage.conditions = {{2, 0, 4}};
  EXPECT_THAT(unexecuted(trap, coverage), IsEmpty());
  const Code store =
      code_with_second_block({5, "@%p2 st.global.f32 [%rd1], %f1;"}, {4, "bra $L__BB0_2;"});
  EXPECT_THAT(unexecuted(store, coverage), ElementsAre(5U));
}

TEST(ExecutedLines, OmitsAnIndexMovedOutOfAnExecutedCopy) {
  const Code index =
      code_with_second_block({8, "add.s32 %r3, %r1, 32;"}, {9, "st.global.f32 [%rd2], %f1;"});
  EXPECT_THAT(unexecuted(index, coverage_of(0, 8)), IsEmpty()) << "the store has a copy";
  const Code value =
      code_with_second_block({8, "mul.f32 %f1, %f1, %f2;"}, {9, "st.global.f32 [%rd2], %f1;"});
  EXPECT_THAT(unexecuted(value, coverage_of(0, 8)), ElementsAre(8U)) << "it computes a value";
  const Code other =
      code_with_second_block({8, "add.s32 %r3, %r1, 32;"}, {7, "st.global.f32 [%rd2], %f1;"});
  EXPECT_THAT(unexecuted(other, coverage_of(0, 8)), ElementsAre(7U, 8U)) << "the store has no copy";
}

TEST(ExecutedLines, OmitsMarkedLines) {
  const Code code = code_with_second_block({2, "mul.f32 %f1, %f1, %f2;"}, {5, "bra $L__BB0_2;"});
  EXPECT_THAT(unexecuted(code, coverage_of(0, 8), "one\ntwo  // LCOV_EXCL_LINE\nthree\n"),
              ElementsAre(5U));
}

TEST(ExecutedLines, MarksExcludeALineOrARange) {
  EXPECT_THAT(marked_lines("a\nb // LCOV_EXCL_START\nc\nd // LCOV_EXCL_STOP\ne\nf LCOV_EXCL_LINE"),
              ElementsAre(2U, 3U, 4U, 6U));
  EXPECT_THAT(marked_lines(""), IsEmpty());
}

TEST(ExecutedLines, RecordedPartsGiveTheSameLines) {
  const Code code = code_with_second_block({5, "@%p2 st.global.f32 [%rd1], %f1;"}, {6, "bra L;"});
  device::Coverage first = coverage_of(0, 8);
  first.conditions = {{2, 0, 0}};
  device::Coverage second = coverage_of(4, 0);
  second.conditions = {{2, 4, 0}};
  const ExecutedParts parts = new_parts(first, second);
  EXPECT_THAT(parts, ElementsAre(4U, 5U)) << "the block at 2 and its guarded instruction";
  EXPECT_THAT(unexecuted(code, first), ElementsAre(5U, 6U));
  mark(first, parts);
  EXPECT_THAT(unexecuted(code, first), IsEmpty());
  EXPECT_THAT(new_parts(first, second), IsEmpty());
}

}  // namespace
}  // namespace warpcheck::campaign::coverage
