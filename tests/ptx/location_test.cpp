// .loc: the line of the `.cu` for an instruction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/parser.hpp"
#include "ptx/printer.hpp"
#include "tests/ptx/texts.hpp"

namespace warpcheck::ptx {
namespace {

using ::testing::ElementsAre;

const SourceLocation& location(const Module& module, std::size_t instruction) {
  return module.locations.at(module.functions.at(0).body.at(instruction).location.value());
}

TEST(Location, LastLocApplies) {
  const Module module =
      parse_body("nop;\n.loc 1 5 3\nnop;\nnop;\n.loc 1 9 2\nnop;\n.loc 1 5 3\nnop;");
  EXPECT_EQ(module.functions[0].body[0].location, std::nullopt);
  EXPECT_EQ(location(module, 1).line, (SourceLine{1, 5, 3}));
  EXPECT_EQ(location(module, 2).line, (SourceLine{1, 5, 3}));
  EXPECT_EQ(location(module, 3).line, (SourceLine{1, 9, 2}));
  EXPECT_EQ(location(module, 4).line, (SourceLine{1, 5, 3}));
  EXPECT_EQ(module.locations.size(), 2u);
}

TEST(Location, LineZeroKeepsTheLastLine) {
  const Module module = parse_body(".loc 1 0 0\nnop;\n.loc 1 5 3\nnop;\n.loc 1 0 3\nnop;");
  EXPECT_EQ(module.functions[0].body[0].location, std::nullopt);
  EXPECT_EQ(location(module, 2).line, (SourceLine{1, 5, 3}));
}

TEST(Location, LinesWithinInlineAssemblyAreNoLinesOfTheProgram) {
  const Module module = parse_body(
      ".loc 1 5 3\n// begin inline asm\nnop;\n.loc 1 6 3\nnop;\n// end inline asm\nnop;\n"
      ".loc 1 9 2\nnop;");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(location(module, i).line, (SourceLine{1, 5, 3}));
  EXPECT_EQ(location(module, 3).line, (SourceLine{1, 9, 2}));
}

TEST(Location, NextFunctionStartsWithoutALine) {
  const Module module = parse_with_header(".func f() { .loc 1 5 3 ret; }\n.func g() { ret; }");
  EXPECT_TRUE(module.functions[0].body[0].location.has_value());
  EXPECT_FALSE(module.functions[1].body[0].location.has_value());
}

TEST(Location, ChainOfInlinedCallsEndsInTheKernel) {
  const Module module = parse_body(
      ".loc 1 30 1\n.loc 2 20 2, function_name $L__info_string0, inlined_at 1 30 1\n"
      ".loc 3 10 3, function_name $L__info_string1+16, inlined_at 2 20 2\nnop;");
  EXPECT_EQ(location(module, 0).line, (SourceLine{3, 10, 3}));
  EXPECT_THAT(location(module, 0).inlined_at,
              ElementsAre(SourceLine{2, 20, 2}, SourceLine{1, 30, 1}));
  EXPECT_EQ(location(module, 0).outermost(), (SourceLine{1, 30, 1}));
}

TEST(Location, RecursiveInliningHasAFiniteChain) {
  std::string text = ".loc 1 9 1\n.loc 1 5 1, function_name s, inlined_at 1 9 1\n";
  for (int i = 0; i < 200; ++i) text += ".loc 1 5 1, function_name s, inlined_at 1 5 1\n";
  const Module module = parse_body(text + "nop;");
  EXPECT_EQ(location(module, 0).inlined_at.size(), 64u);
  EXPECT_TRUE(parse(to_text(module), "printed") == module);
}

TEST(Location, FilesHaveTheirIndex) {
  const Module module = parse_with_header(".file 2 \"b \\\"c\\\".cu\"\n.file 1 \"a.cu\", 12, 34\n");
  EXPECT_EQ(module.file(1), "a.cu");
  EXPECT_EQ(module.file(2), "b \"c\".cu");
  EXPECT_EQ(module.file(0), "");
  EXPECT_EQ(module.file(3), "");
}

}  // namespace
}  // namespace warpcheck::ptx
