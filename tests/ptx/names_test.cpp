// Scopes: the meaning of a name, and its name after the scopes are flattened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/parser.hpp"
#include "ptx/printer.hpp"
#include "tests/ptx/texts.hpp"

namespace warpcheck::ptx {
namespace {

using ::testing::ElementsAre;

TEST(Scope, InnerRegisterHidesTheOuterOneUntilItsBlockEnds) {
  const Module module = parse_with_header(
      ".entry k() { .reg .b32 a, b; mov.b32 b, a; { .reg .b32 a; mov.b32 b, a; } mov.b32 b, a; }");
  const Function& kernel = module.functions.at(0);
  EXPECT_EQ(kernel.body[0].operands[1], Operand(Register{0}));
  EXPECT_EQ(kernel.body[1].operands[1], Operand(Register{2}));
  EXPECT_EQ(kernel.body[2].operands[1], Operand(Register{0}));
  EXPECT_EQ(kernel.registers[2].name, "a$1");
}

TEST(Scope, SameNameInTwoBlocksIsTwoEntities) {
  const Module module = parse_with_header(
      ".entry k() { .reg .b64 r; { .param .b32 q; st.param.b32 [q], 1; }\n"
      "{ .param .b64 q; st.param.b64 [q], r; } }");
  const Function& kernel = module.functions.at(0);
  ASSERT_EQ(kernel.variables.size(), 2u);
  EXPECT_EQ(kernel.variables[0].name, "q");
  EXPECT_EQ(kernel.variables[1].name, "q$1");
  const Symbol second{Symbol::Kind::function_variable, 1, 0};
  EXPECT_EQ(std::get<Address>(kernel.body[1].operands[0]).base, Address::Base(second));
}

TEST(Scope, LaterLabelOfTheSameBlockHidesAnOuterOne) {
  const Module module = parse_with_header(
      ".entry k() { L: ret; { bra L; L: ret; } { bra L; } bra M; { bra M; } M: }");
  const Function& kernel = module.functions.at(0);
  std::vector<std::size_t> targets;
  for (const Instruction& instruction : kernel.body) {
    if (instruction.operands.empty()) continue;
    targets.push_back(kernel.labels.at(std::get<Label>(instruction.operands[0]).index).target);
  }
  EXPECT_THAT(targets, ElementsAre(2u, 0u, 6u, 6u));
}

TEST(Scope, NameIsUndeclaredAfterItsBlock) {
  EXPECT_THAT(errors_of(".entry k() { { .reg .b32 a; } mov.b32 a, a; }"),
              ElementsAre("4:39: 'a' is not declared"));
  EXPECT_THAT(errors_of(".entry k() { { L: ret; } bra L; }"),
              ElementsAre("4:30: 'L' is not declared"));
  EXPECT_THAT(errors_of(".func f() { .reg .b32 a; }\n.func g() { .reg .b32 b; mov.b32 b, a; }"),
              ElementsAre("5:37: 'a' is not declared"));
}

TEST(Scope, VariableOfAFunctionHidesThatOfTheModule) {
  const Module module = parse_with_header(
      ".global .b32 x;\n.entry k() { .reg .b64 r; mov.u64 r, x; .shared .b32 x; mov.u64 r, x; }");
  const Function& kernel = module.functions.at(0);
  EXPECT_EQ(kernel.body[0].operands[1], Operand(Symbol{Symbol::Kind::module_variable, 0, 0}));
  EXPECT_EQ(kernel.body[1].operands[1], Operand(Symbol{Symbol::Kind::function_variable, 0, 0}));
  EXPECT_EQ(kernel.variables[0].name, "x$1");
}

TEST(Scope, GeneratedNameDiffersFromNamesOfTheText) {
  const std::string_view text =
      ".entry k() { .reg .b32 a$1, a; { .reg .b32 a; mov.b32 a, a$1; } { .reg .b32 a; } ret; }";
  const Module module = parse_with_header(text);
  std::vector<std::string> names;
  for (const RegisterDeclaration& reg : module.functions.at(0).registers) names.push_back(reg.name);
  EXPECT_THAT(names, ElementsAre("a$1", "a", "a$2", "a$3"));
  EXPECT_TRUE(parse(to_text(module), "printed") == module);
}

TEST(Scope, LaterNamesOfTheModuleAreKeptApart) {
  const Module module = parse_with_header(
      ".func f(.param .b32 p) { .reg .b32 x, x$1; y: mov.b32 x, x$1; { y: bra y; } }\n"
      ".global .b32 x; .global .b32 y; .func p();");
  const Function& f = module.functions.at(0);
  EXPECT_EQ(f.parameters[0].name, "p$1");
  EXPECT_EQ(f.registers[0].name, "x$2");
  EXPECT_EQ(f.registers[1].name, "x$1");
  EXPECT_EQ(f.labels[0].name, "y$2");
  EXPECT_EQ(f.labels[1].name, "y$1");
  EXPECT_TRUE(parse(to_text(module), "printed") == module);
}

TEST(Scope, FunctionCanCallItself) {
  const Module module = parse_with_header(".func f() { call f; ret; }");
  EXPECT_EQ(module.functions.at(0).body[0].operands[0],
            Operand(Symbol{Symbol::Kind::function, 0, 0}));
}

}  // namespace
}  // namespace warpcheck::ptx
