#include "ptx/module.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/parser.hpp"
#include "ptx/printer.hpp"
#include "tests/ptx/texts.hpp"

namespace warpcheck::ptx {
namespace {

using ::testing::ElementsAre;

TEST(Module, HeaderIsVersionTargetAndAddressSize) {
  const Module module = parse(".version 8.10\n.target sm_90a, debug\n.address_size 64", "x.ptx");
  EXPECT_EQ(module.version_major, 8u);
  EXPECT_EQ(module.version_minor, 10u);
  EXPECT_EQ(module.target, "sm_90a");
  EXPECT_THAT(module.target_options, ElementsAre("debug"));
  EXPECT_EQ(module.address_size, 64u);
  EXPECT_EQ(module.text_file, "x.ptx");
}

TEST(Module, AddressesHave32BitsByDefault) {
  EXPECT_EQ(parse(".version 8.0\n.target sm_80", "x.ptx").address_size, 32u);
}

TEST(Module, DefinitionReplacesItsDeclaration) {
  const Module module = parse_with_header(
      ".func (.param .b32 r) f(.param .b32 a);\n.entry k() { ret; }\n"
      ".visible .func (.param .b32 r) f(.param .b32 b) { ret; }\n"
      ".func (.param .b32 r) f(.param .b32 c);");
  ASSERT_EQ(module.functions.size(), 2u);
  EXPECT_EQ(module.functions[0].name, "f");
  EXPECT_FALSE(module.functions[0].is_declaration);
  EXPECT_EQ(module.functions[0].parameters[0].name, "b");
  EXPECT_EQ(module.functions[0].linkage, Linkage::visible);
  EXPECT_EQ(module.find_function("k"), &module.functions[1]);
  EXPECT_EQ(module.find_function("g"), nullptr);
}

TEST(Module, AliasRefersToAnotherFunction) {
  const Module module = parse_with_header(
      ".visible .func f(.param .b64 a) { ret; }\n.visible .func g(.param .b64 a);\n.alias g, f;");
  EXPECT_EQ(module.functions[1].alias_of, 0u);
  EXPECT_EQ(module.functions[0].alias_of, std::nullopt);
}

TEST(Module, DirectivesOfAKernel) {
  const Directives directives =
      parse_with_header(
          ".entry k() .reqntid 32, 2 .maxnreg 64 .maxclusterrank 8 .blocksareclusters\n"
          ".pragma \"nounroll\"; .abi_preserve 8 { ret; }")
          .functions.at(0)
          .directives;
  EXPECT_EQ(directives.reqntid, (std::array<unsigned, 3>{32, 2, 1}));
  EXPECT_EQ(directives.maxnreg, 64u);
  EXPECT_EQ(directives.maxclusterrank, 8u);
  EXPECT_TRUE(directives.blocksareclusters);
  EXPECT_EQ(directives.maxntid, std::nullopt);
  EXPECT_FALSE(directives.noreturn);
}

TEST(Module, SectionsCommentsAndPragmasAreSkipped) {
  const Module module = parse_with_header(
      "// a } comment\n.section .debug_str\n{\n$L: .b8 1,2\n\"}\" { @@ \x01 } // }\n}\n"
      "/* .global .b32 x; */ .pragma \"a\", \"b\";\n.global .b32 /* inside */ y;");
  ASSERT_EQ(module.variables.size(), 1u);
  EXPECT_EQ(module.variables[0].name, "y");
}

TEST(Module, VariableOfASymbolIsFoundInEveryTable) {
  const Module module = parse_with_header(
      ".global .b32 g;\n.func (.param .b32 r) f(.param .b64 p) { .local .b16 l; ret; }");
  const Function& f = module.functions.at(0);
  const auto name = [&](Symbol::Kind kind) { return variable(module, f, {kind, 0, 0}).name; };
  EXPECT_EQ(name(Symbol::Kind::module_variable), "g");
  EXPECT_EQ(name(Symbol::Kind::parameter), "p");
  EXPECT_EQ(name(Symbol::Kind::return_parameter), "r");
  EXPECT_EQ(name(Symbol::Kind::function_variable), "l");
}

TEST(Module, EqualityIgnoresPlaces) {
  const Module module = parse_with_header(".entry k() { .reg .b32 a; mov.b32 a, 5; ret; }");
  EXPECT_TRUE(module == parse_with_header(
                            "\n// moved\n.entry k()\n{\n.reg .b32 a;\n  mov.b32 a, 0x5;\nret;\n}"));
  for (const char* other : {".entry k() { .reg .b32 a; mov.b32 a, 6; ret; }",
                            ".entry k() { .reg .b32 a; mov.b32 a, 5U; ret; }",
                            ".entry k() { .reg .b64 a; mov.b32 a, 5; ret; }",
                            ".entry k() { .reg .b32 a; mov.b64 a, 5; ret; }",
                            ".entry l() { .reg .b32 a; mov.b32 a, 5; ret; }",
                            ".func k() { .reg .b32 a; mov.b32 a, 5; ret; }",
                            ".entry k() { .reg .b32 a; mov.b32 a, 5; ret; L: }",
                            ".entry k() { .reg .b32 a; .loc 1 2 3 mov.b32 a, 5; ret; }",
                            ".entry k() .maxnreg 5 { .reg .b32 a; mov.b32 a, 5; ret; }",
                            ".entry k(.param .b32 p) { .reg .b32 a; mov.b32 a, 5; ret; }",
                            ".global .b32 g; .entry k() { .reg .b32 a; mov.b32 a, 5; ret; }"}) {
    EXPECT_FALSE(module == parse_with_header(other)) << other;
  }
}

TEST(Module, ErrorsHaveTheOrderOfTheText) {
  EXPECT_THAT(errors_of(".entry k() {\nbra L;\nmov.b32 %r1, 5;\n}\n.global .b32;\n"),
              ElementsAre("5:5: 'L' is not declared", "6:9: '%r1' is not declared",
                          "8:13: found ';', expected a name"));
}

TEST(Module, UndeclaredNameIsReportedOnce) {
  EXPECT_THAT(
      errors_of(".entry k() {\nmov.b32 %r1, 5;\nmov.b32 %r1, 6;\nret\n}"),
      ElementsAre("5:9: '%r1' is not declared", "8:1: found '}', expected an operand or ';'"));
}

}  // namespace
}  // namespace warpcheck::ptx
