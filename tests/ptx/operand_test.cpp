#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/parser.hpp"
#include "ptx/printer.hpp"
#include "tests/ptx/texts.hpp"

namespace warpcheck::ptx {
namespace {

using ::testing::ElementsAre;

/// parse_body() declares ten registers of each kind, in the order r, rd, f, p.
Register r(unsigned i) { return {i, false}; }
Register rd(unsigned i) { return {10 + i, false}; }
Register f(unsigned i) { return {20 + i, false}; }
Register p(unsigned i) { return {30 + i, false}; }

Instruction instruction(std::string_view text, std::string_view before = "") {
  return parse_body(text, before).functions.back().body.at(0);
}

std::vector<Operand> operands(std::string_view text, std::string_view before = "") {
  return instruction(text, before).operands;
}

TEST(Operand, MnemonicAndModifiersAreParts) {
  EXPECT_THAT(
      instruction("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];").parts,
      ElementsAre("ld", "global", "nc", "L1::no_allocate", "L2::128B", "v4", "f32"));
  EXPECT_THAT(instruction("ret;").parts, ElementsAre("ret"));
}

TEST(Operand, UnknownMnemonicIsAccepted) {
  EXPECT_THAT(instruction("frobnicate.2x.m16n8k8 %r1, %r2;").parts,
              ElementsAre("frobnicate", "2x", "m16n8k8"));
}

TEST(Operand, GuardIsARegisterThatCanBeNegated) {
  EXPECT_EQ(instruction("ret;").guard, std::nullopt);
  EXPECT_EQ(instruction("@%p3 ret;").guard, p(3));
  EXPECT_EQ(instruction("@!%p3 ret;").guard, (Register{p(3).index, true}));
}

TEST(Operand, RegistersAndConstants) {
  EXPECT_THAT(
      operands("mad.lo.s32 %r1, %r2, -5, 7U;"),
      ElementsAre(r(1), r(2), Integer{static_cast<std::uint64_t>(-5), false}, Integer{7, true}));
}

TEST(Operand, SpecialRegisterKeepsItsComponent) {
  EXPECT_THAT(operands("mov.u32 %r1, %tid.x;"), ElementsAre(r(1), SpecialRegister{"tid.x"}));
  EXPECT_THAT(operands("mov.u64 %rd1, %clock64;"), ElementsAre(rd(1), SpecialRegister{"clock64"}));
  EXPECT_THAT(operands("mov.u32 %r1, %envreg31;"), ElementsAre(r(1), SpecialRegister{"envreg31"}));
}

TEST(Operand, PairCanHaveSinks) {
  EXPECT_THAT(operands("setp.lt.s32 %p1|%p2, %r1, %r2;"),
              ElementsAre(Pair{p(1), p(2)}, r(1), r(2)));
  EXPECT_THAT(operands("elect.sync _|%p1, -1;").at(0), Operand(Pair{std::nullopt, p(1)}));
  EXPECT_THAT(operands("shfl.sync.idx.b32 %r1|_, %r2, 0, 31, -1;").at(0),
              Operand(Pair{r(1), std::nullopt}));
}

TEST(Operand, PredicateSourceCanBeNegated) {
  EXPECT_EQ(operands("setp.lt.and.s32 %p1, %r1, %r2, !%p2;").at(3),
            Operand(Register{p(2).index, true}));
}

TEST(Operand, VectorHoldsRegistersConstantsAndSinks) {
  EXPECT_THAT(
      operands("ld.shared.v4.f32 {%f1, _, %f3, _}, [8];"),
      ElementsAre(Vector{{f(1), Sink{}, f(3), Sink{}}}, Address{Integer{8, false}, 0, {}, {}}));
  EXPECT_THAT(operands("st.shared.v2.u32 [%r1], {%r2, 5};").at(1),
              Operand(Vector{{r(2), Integer{5, false}}}));
}

TEST(Operand, AddressHasABaseAndAnOffset) {
  const Symbol a{Symbol::Kind::parameter, 0, 0};
  EXPECT_EQ(operands("ld.param.u64 %rd1, [a];").at(1), Operand(Address{a, 0, {}, {}}));
  EXPECT_EQ(operands("ld.param.u64 %rd1, [a+8];").at(1), Operand(Address{a, 8, {}, {}}));
  EXPECT_EQ(operands("ld.global.u32 %r1, [%rd1+-4];").at(1), Operand(Address{rd(1), -4, {}, {}}));
  EXPECT_EQ(operands("ld.global.u32 %r1, [%rd1-4];").at(1), Operand(Address{rd(1), -4, {}, {}}));
  EXPECT_EQ(operands("ld.global.u32 %r1, [%rd1 + (1<<4) - 3*4];").at(1),
            Operand(Address{rd(1), 4, {}, {}}));
}

TEST(Operand, AddressCanHaveCoordinatesAndASampler) {
  const Address address =
      std::get<Address>(operands("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, s, {%f5, %f6}];",
                                 ".global .texref t;\n.global .samplerref s;")
                            .at(1));
  EXPECT_EQ(address.base, Address::Base(Symbol{Symbol::Kind::module_variable, 0, 0}));
  EXPECT_THAT(address.more_bases,
              ElementsAre(Address::Base(Symbol{Symbol::Kind::module_variable, 1, 0})));
  EXPECT_THAT(address.coordinates, ElementsAre(f(5), f(6)));
}

TEST(Operand, AddressOfAVariableCanHaveAnAddend) {
  EXPECT_EQ(operands("mov.u64 %rd1, g+12;", ".global .b32 g[9];").at(1),
            Operand(Symbol{Symbol::Kind::module_variable, 0, 12}));
  EXPECT_EQ(operands("mov.u64 %rd1, (1<<3)+g;", ".global .b32 g[9];").at(1),
            Operand(Symbol{Symbol::Kind::module_variable, 0, 8}));
}

TEST(Operand, VectorRegisterIsItsComponents) {
  const Module module = parse_body(
      ".reg .v4 .f32 %v;\nld.global.v4.f32 %v, [%rd1];\nmov.f32 %f1, %v.z;\nmov.f32 %f2, %v.a;");
  const auto& body = module.functions[0].body;
  EXPECT_EQ(body[0].operands[0],
            Operand(Vector{{Register{40}, Register{41}, Register{42}, Register{43}}}));
  EXPECT_EQ(body[1].operands[1], Operand(Register{42}));
  EXPECT_EQ(body[2].operands[1], Operand(Register{43}));
}

TEST(Operand, CallHasReturnsCalleeAndArguments) {
  const std::string_view callee = ".func (.param .b32 x) g(.param .b32 y, .param .b32 z);";
  const auto call = operands("call.uni (%r1), g, (%r2, 5);", callee);
  EXPECT_THAT(call, ElementsAre(ParameterList{{r(1)}}, Symbol{Symbol::Kind::function, 0, 0},
                                ParameterList{{r(2), Integer{5, false}}}));
  EXPECT_THAT(operands("call.uni h;", ".func h();"),
              ElementsAre(Symbol{Symbol::Kind::function, 0, 0}));
  EXPECT_THAT(operands("call.uni h, ();", ".func h();"),
              ElementsAre(Symbol{Symbol::Kind::function, 0, 0}, ParameterList{}));
}

TEST(Operand, IndirectCallNamesItsPrototypeOrItsTargets) {
  const Module module = parse_body(
      "p: .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;\nt: .calltargets g, h;\n"
      "call (%r1), %rd1, (%rd2), p;\ncall (%r1), %rd1, (%rd2), t;",
      ".func (.param .b32 r) g(.param .b64 a);\n.func (.param .b32 r) h(.param .b64 a);");
  const Function& kernel = module.functions.back();
  EXPECT_EQ(kernel.body[0].operands[3], Operand(CallPrototype{0}));
  EXPECT_EQ(kernel.body[1].operands[3], Operand(CallTargets{0}));
  EXPECT_TRUE(kernel.call_prototypes[0].noreturn);
  EXPECT_EQ(kernel.call_prototypes[0].parameters.at(0).bytes(), 8u);
  EXPECT_THAT(kernel.call_targets[0].functions, ElementsAre(0u, 1u));
}

TEST(Operand, LabelCanBeLaterOrAtTheEnd) {
  const Module module = parse_body("L: bra M;\nbra L;\n@%p1 bra E;\nM: ret;\nE:");
  const Function& kernel = module.functions[0];
  const auto target = [&](std::size_t i) {
    return kernel.labels.at(std::get<Label>(kernel.body[i].operands.at(0)).index).target;
  };
  EXPECT_EQ(target(0), 3u);
  EXPECT_EQ(target(1), 0u);
  EXPECT_EQ(target(2), 4u);
}

TEST(Operand, BranchTargetsAreLabels) {
  const Module module =
      parse_body("brx.idx.uni %r1, ts;\nA: ret;\nts: .branchtargets B, A, B;\nB: ret;");
  const Function& kernel = module.functions[0];
  EXPECT_EQ(kernel.body[0].operands[1], Operand(BranchTargets{0}));
  std::vector<std::size_t> targets;
  for (unsigned label : kernel.branch_targets[0].labels)
    targets.push_back(kernel.labels[label].target);
  EXPECT_THAT(targets, ElementsAre(2u, 1u, 2u));
}

TEST(InstructionText, IsOneLineOfPtx) {
  for (const char* text :
       {"@!%p1 ld.global.v4.f32 {%f1, %f2, _, %f4}, [%rd4+16]", "setp.lt.s32 %p1|%p2, %r1, -5",
        "ld.param.u64 %rd1, [a+-8]", "mov.u32 %r1, %ctaid.y",
        "fma.rn.f32 %f1, %f2, 0f3F800000, %f3", "mov.f64 %rd1, 0d3FF0000000000000", "bar.sync 0",
        "ret", "vmad.s32.s32.s32 %r1, -%r2.b3, %r3.h1, %r4"}) {
    const Module module = parse_body(fmt::format("{};", text));
    EXPECT_EQ(to_text(module, module.functions[0], module.functions[0].body[0]), text);
  }
}

TEST(Operand, VideoInstructionsSelectAndNegateRegisters) {
  const auto with_part = [](Register reg, std::string_view part, bool minus = false) {
    reg.part = RegisterPart::of(part).value();
    reg.minus = minus;
    return reg;
  };
  EXPECT_THAT(operands("vmad.s32.s32.s32 %r1, -%r2.b3, %r3.h1, %r4;"),
              ElementsAre(r(1), with_part(r(2), "b3", true), with_part(r(3), "h1"), r(4)));
  EXPECT_THAT(operands("vadd4.u32.u32.u32 %r1.b3210, %r2.b7654, %r3, %r4;"),
              ElementsAre(with_part(r(1), "b3210"), with_part(r(2), "b7654"), r(3), r(4)));
  for (const std::string_view text :
       {"b", "b4", "h2", "b32", "h321", "b8000", "h44", "x", "b3210b"}) {
    EXPECT_FALSE(RegisterPart::of(text).has_value()) << text;
  }
}

TEST(Operand, VectorRegisterIsAParameter) {
  const Module module =
      parse_body(".reg .v2 .b32 q; call (%r1), g, (q);",
                 ".func (.reg .b32 x) g(.reg .v2 .b32 y) { add.u32 x, y.x, y.y; ret; }");
  const Function& callee = module.functions.at(0);
  ASSERT_EQ(callee.parameters.size(), 2u);
  EXPECT_EQ(callee.parameters[1].bytes(), 4u);
  EXPECT_THAT(callee.body.at(0).operands,
              ElementsAre(Register{0, false}, Register{1, false}, Register{2, false}));
  const auto* arguments =
      std::get_if<ParameterList>(&module.functions.back().body.at(0).operands.at(2));
  ASSERT_NE(arguments, nullptr);
  EXPECT_EQ(arguments->elements.size(), 2u);
}

}  // namespace
}  // namespace warpcheck::ptx
