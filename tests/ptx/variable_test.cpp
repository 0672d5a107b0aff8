#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/ptx/texts.hpp"

namespace warpcheck::ptx {
namespace {

using ::testing::ElementsAre;

std::vector<unsigned> initial(std::string_view declaration) {
  const Module module = parse_with_header(declaration);
  std::vector<unsigned> bytes;
  for (std::byte byte : module.variables.back().initial) {
    bytes.push_back(std::to_integer<unsigned>(byte));
  }
  return bytes;
}

TEST(Variable, TypeAlignmentAndDimensions) {
  const Variable v =
      parse_with_header(".visible .global .align 16 .v2 .f32 m[3][5];").variables.at(0);
  EXPECT_EQ(v.space, StateSpace::global);
  EXPECT_EQ(v.type, Type::f32);
  EXPECT_EQ(v.vector, 2u);
  EXPECT_EQ(v.alignment, 16u);
  EXPECT_THAT(v.dimensions, ElementsAre(3u, 5u));
  EXPECT_EQ(v.bytes(), 3u * 5 * 2 * 4);
  EXPECT_EQ(v.linkage, Linkage::visible);
  EXPECT_FALSE(v.is_unsized());
}

TEST(Variable, NaturalAlignmentIsThatOfTheWholeVector) {
  EXPECT_EQ(parse_with_header(".global .v4 .f32 v;").variables.at(0).alignment, 16u);
  EXPECT_EQ(parse_with_header(".global .b16 v;").variables.at(0).alignment, 2u);
}

TEST(Variable, ManagedIsAnAttribute) {
  EXPECT_TRUE(
      parse_with_header(".global .attribute(.managed) .align 4 .u32 m;").variables.at(0).managed);
  EXPECT_FALSE(parse_with_header(".global .align 4 .u32 m;").variables.at(0).managed);
}

TEST(Variable, OneDeclarationCanHaveSeveral) {
  const Module module = parse_with_header(".global .b32 a, b[2] = {1, 2}, c = 3;");
  ASSERT_EQ(module.variables.size(), 3u);
  EXPECT_EQ(module.variables[0].initial.size(), 0u);
  EXPECT_EQ(module.variables[1].initial.size(), 8u);
  EXPECT_TRUE(module.variables[2].dimensions.empty());
}

TEST(Variable, TypeSmallerThanAByteIsRefused) {
  for (const char* type : {".b1", ".u4", ".s4"}) {
    EXPECT_THAT(errors_of(fmt::format(".global {} x;", type)),
                ElementsAre(::testing::HasSubstr(fmt::format("found type {}", type))));
  }
}

TEST(Initializer, NumbersAreLittleEndianBytesOfTheType) {
  EXPECT_THAT(initial(".global .u32 x = 0x01020304;"), ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(initial(".global .s16 x = -2;"), ElementsAre(0xFE, 0xFF));
  EXPECT_THAT(initial(".global .b8 x[4] = {1, 255, 300};"), ElementsAre(1, 255, 300 - 256));
  EXPECT_THAT(initial(".const .f32 x = 0f3F800000;"), ElementsAre(0, 0, 0x80, 0x3F));
  EXPECT_THAT(initial(".const .f32 x = 1.0;"), ElementsAre(0, 0, 0x80, 0x3F));
  EXPECT_THAT(initial(".const .f64 x = -2.0;"), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0xC0));
  EXPECT_THAT(initial(".const .f64 x = 0f3F800000;"), ElementsAre(0, 0, 0, 0, 0, 0, 0xF0, 0x3F));
  EXPECT_THAT(initial(".global .u32 x = (1 << 4) | 3;"), ElementsAre(19, 0, 0, 0));
}

TEST(Initializer, NestedListsBeginAtTheirRows) {
  EXPECT_THAT(initial(".global .b8 m[3][4] = {{1, 2}, {}, {3}};"),
              ElementsAre(1, 2, 0, 0, 0, 0, 0, 0, 3));
  EXPECT_THAT(initial(".global .b8 m[2][2] = {1, 2, 3};"), ElementsAre(1, 2, 3));
  EXPECT_THAT(initial(".global .v2 .b8 m[2] = {{1}, {2, 3}};"), ElementsAre(1, 0, 2, 3));
}

TEST(Initializer, ArrayWithoutASizeTakesItFromItsValues) {
  const Variable bytes = parse_with_header(".global .b16 s[] = {1, 2, 3};").variables.at(0);
  EXPECT_THAT(bytes.dimensions, ElementsAre(3u));
  const Variable rows = parse_with_header(".global .b8 s[][2] = {{1, 2}, {3}};").variables.at(0);
  EXPECT_THAT(rows.dimensions, ElementsAre(2u, 2u));
}

TEST(Initializer, AddressesAreRelocations) {
  const Module module = parse_with_header(
      ".global .b64 x;\n.func f();\n.global .align 8 .u64 p[4] = {5, x+8, generic(x)+16, f};\n"
      ".global .align 1 .b8 q[3] = {7, 0xFF00(generic(x)+1), 0xFF(x)};");
  const Variable& p = module.variables.at(1);
  const Symbol x{Symbol::Kind::module_variable, 0, 0};
  const auto moved = [&](std::int64_t addend) {
    Symbol symbol = x;
    symbol.addend = addend;
    return symbol;
  };
  EXPECT_EQ(p.initial.size(), 32u);
  EXPECT_THAT(p.relocations,
              ElementsAre(Relocation{8, 8, moved(8), false, ~0ull},
                          Relocation{16, 8, moved(16), true, ~0ull},
                          Relocation{24, 8, Symbol{Symbol::Kind::function, 0, 0}, false, ~0ull}));
  EXPECT_THAT(
      module.variables.at(2).relocations,
      ElementsAre(Relocation{1, 1, moved(1), true, 0xFF00}, Relocation{2, 1, x, false, 0xFF}));
}

TEST(Variable, DefinitionReplacesItsExternDeclaration) {
  const Module module = parse_with_header(
      ".extern .global .b32 x;\n.global .b64 p = x;\n.visible .global .b32 x = 7;\n"
      ".extern .global .b32 x;");
  ASSERT_EQ(module.variables.size(), 2u);
  EXPECT_EQ(module.variables[0].linkage, Linkage::visible);
  EXPECT_EQ(module.variables[0].initial.size(), 4u);
}

TEST(Variable, TooLargeSizeIsRefused) {
  EXPECT_THAT(errors_of(".global .b8 x[1099511627776];"), ElementsAre());
  EXPECT_EQ(errors_of(".global .b8 x[1099511627777];").size(), 1u);
  EXPECT_EQ(errors_of(".global .b16 x[1099511627776];").size(), 1u);
  EXPECT_EQ(errors_of(".global .b8 x[4294967296][4294967296];").size(), 1u);
  EXPECT_EQ(errors_of(".global .b8 x[2][1000000000] = {{1}, {1}};").size(), 1u);
}

TEST(Parameter, PointerHasItsSpaceAndAlignment) {
  const Module module = parse_with_header(
      ".visible .entry k(.param .u64 .ptr .global .align 16 a, .param .u64 .ptr .align 1 b,\n"
      ".param .align 8 .b8 c[24]) { ret; }");
  const auto& parameters = module.functions.at(0).parameters;
  EXPECT_TRUE(parameters[0].is_pointer);
  EXPECT_EQ(parameters[0].pointee_space, StateSpace::global);
  EXPECT_EQ(parameters[0].pointee_alignment, 16u);
  EXPECT_EQ(parameters[1].pointee_space, StateSpace::generic);
  EXPECT_EQ(parameters[1].pointee_alignment, 1u);
  EXPECT_FALSE(parameters[2].is_pointer);
  EXPECT_EQ(parameters[2].bytes(), 24u);
  EXPECT_EQ(parameters[2].alignment, 8u);
}

TEST(Register, RangeIsItsRegisters) {
  const Module module = parse_with_header(".entry k() { .reg .b32 %r<3>, x; .reg .pred %p; ret; }");
  EXPECT_THAT(
      module.functions.at(0).registers,
      ElementsAre(RegisterDeclaration{"%r0", Type::b32}, RegisterDeclaration{"%r1", Type::b32},
                  RegisterDeclaration{"%r2", Type::b32}, RegisterDeclaration{"x", Type::b32},
                  RegisterDeclaration{"%p", Type::pred}));
}

TEST(Register, ParametersInRegistersComeFirst) {
  const Module module =
      parse_with_header(".func (.reg .b32 y) f(.reg .b64 x, .param .b32 z) { .reg .b16 t; ret; }");
  EXPECT_THAT(module.functions.at(0).registers,
              ElementsAre(RegisterDeclaration{"y", Type::b32}, RegisterDeclaration{"x", Type::b64},
                          RegisterDeclaration{"t", Type::b16}));
}

}  // namespace
}  // namespace warpcheck::ptx
